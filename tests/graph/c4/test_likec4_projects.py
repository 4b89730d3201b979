import pytest

from graph.c4 import find_models, read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, warned, workspace

KINDS = "specification {\n element system\n}\n"


def model(name: str) -> str:
    return f"model {{\n {name} = system\n}}\n"


def read(files: dict[str, str], main: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the names of the elements that a file gives, and the files that were read."""
    found = read_model(Files(files), [main])
    return [e.name for e in found.elements], found.files


@pytest.mark.parametrize("config", [".likec4rc", ".likec4.config.json", "likec4.config.json"])
def test_a_configuration_makes_its_folder_a_project(config: str) -> None:
    files = {
        f"arch/{config}": "{ name: 'shop', title: 'The shop', /* JSON5 */ }",
        "arch/spec.c4": KINDS,
        "arch/deep/er/model.likec4": model("a"),
        "arch/deep/node_modules/x/model.c4": model("foreign"),
        "arch/inner/.likec4rc": "{}",
        "arch/inner/model.c4": model("b"),
        "other/model.c4": model("c"),
    }
    assert find_models(Files(files)) == (f"arch/{config}", "arch/inner/.likec4rc", "other/model.c4")
    for main in (f"arch/{config}", "arch/spec.c4", "arch/deep/er/model.likec4"):
        assert read(files, main) == (["a"], (f"arch/{config}", "arch/deep/er/model.likec4", "arch/spec.c4"))
    assert read_model(Files(files), ["arch/spec.c4"]).name == "The shop"
    whole = read_model(Files(files), find_models(Files(files)))
    assert [e.name for e in whole.elements] == ["a", "b", "c"]


def test_a_configuration_includes_folders_and_excludes_files() -> None:
    files = {
        "arch/likec4.config.json": """{
            name: 'x', exclude: ['drafts', './old/**', '**/skip.c4'],
            include: { paths: ['../shared', '../../out'], maxDepth: 1 },
        }""",
        "arch/spec.c4": KINDS,
        "arch/a.c4": model("a"),
        "arch/deep/drafts/b.c4": model("b"),
        "arch/old/c.c4": model("c"),
        "arch/skip.c4": model("d"),
        "shared/e.c4": model("e"),
        "shared/1/2/f.c4": model("f"),
    }
    assert read(files, "arch/spec.c4")[0] == ["a", "e"]
    assert warned(read_model(Files(files), ["arch/a.c4"])) == [
        "arch/likec4.config.json:1 ../../out is outside the repository; it was not read"
    ]
    # A file that is named is read all the same.
    assert read(files, "arch/skip.c4")[0] == ["a", "e", "d"]
    assert find_models(Files(files)) == ("arch/likec4.config.json", "shared/e.c4", "shared/1/2/f.c4")


@pytest.mark.parametrize("ending", ["js", "mjs", "ts", "mts"])
def test_a_configuration_in_code_is_never_run(ending: str) -> None:
    config = f"a/likec4.config.{ending}"
    files = {config: "throw new Error()", "a/m.c4": KINDS + model("a"), "m.c4": KINDS + model("b")}
    assert find_models(Files(files)) == (config, "m.c4")
    assert read(files, "a/m.c4") == (["a"], (config, "a/m.c4"))
    assert "never run" in warned(read_model(Files(files), [config]))[0]


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 10_000, "{include: 1, exclude: {}, title: []}", "x" * 30_000])
def test_a_broken_configuration_still_makes_a_project(text: str) -> None:
    files = {"a/.likec4rc": text, "a/x/m.c4": KINDS + model("a")}
    assert read(files, "a/.likec4rc")[0] == ["a"]


def test_files_without_a_configuration_are_one_project_where_they_lie_together() -> None:
    files = {
        "arch/spec/spec.c4": KINDS,
        "arch/model/one.c4": model("a"),
        "arch/model/deep/two.c4": model("b"),
        "arch/examples/tiny.c4": KINDS + model("example"),
        "alone/more.c4": model("c"),
    }
    assert find_models(Files(files)) == ("arch/model/one.c4", "alone/more.c4", "arch/examples/tiny.c4")
    assert read(files, "arch/model/one.c4")[0] == ["b", "a"]
    assert read(files, "arch/spec/spec.c4")[0] == ["b", "a"]
    assert read(files, "alone/more.c4")[0] == ["c"]
    assert read(files, "arch/examples/tiny.c4")[0] == ["example"]


def test_the_folder_furthest_out_that_holds_files_is_the_project() -> None:
    files = {"m.c4": KINDS + model("a"), "parts/more.c4": "specification {\n tag x\n}\n" + model("b")}
    assert find_models(Files(files)) == ("m.c4",)
    assert read(files, "parts/more.c4")[0] == ["a", "b"]


def test_a_structurizr_file_in_the_folder_is_no_part_of_the_project() -> None:
    files = {"m.c4": KINDS + model("a"), "w.c4": workspace('person "P"')}
    assert find_models(Files(files)) == ("w.c4", "m.c4")
    assert read(files, "m.c4") == (["a"], ("m.c4",))


def test_a_project_without_a_model_is_no_model() -> None:
    files = {".likec4rc": "{}", "spec.c4": KINDS, "views.c4": "views {\n}"}
    assert find_models(Files(files)) == ()
    with pytest.raises(UnreadableModel, match=r"\.likec4rc:1: no file of this LikeC4 project has a `model`"):
        read_model(Files(files), [".likec4rc"])
