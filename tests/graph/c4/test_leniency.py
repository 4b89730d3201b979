"""What is left out, what is read all the same, and what is refused."""

import pytest

from graph.c4 import read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, element, read, warned, workspace


def refused(model: str) -> list[str]:
    with pytest.raises(UnreadableModel) as caught:
        read(model)
    return [f"{fault.where} {fault.what}" for fault in caught.value.faults]


def test_deployment_and_views_are_skipped_without_a_word() -> None:
    tree = Files(
        {
            "w.dsl": """workspace {
            model {
                s = softwareSystem "S" {
                    c = container "C"
                }
                live = deploymentEnvironment "Live" {
                    node = deploymentNode "Node" {
                        containerInstance c
                    }
                }
                s -> node "Runs on"
            }
            views {
                container s {
                    include *
                }
                dynamic * {
                    s -> c // why
                    {
                    }
                }
                !include gone.dsl
            }
            configuration {
                scope softwaresystem
            }
        }"""
        }
    )
    model = read_model(tree, ["w.dsl"])
    assert [e.ref for e in model.elements] == ["S", "S.C"]
    assert not model.relationships
    assert not model.warnings


def test_code_is_never_run_and_what_follows_it_is_read() -> None:
    model = read("""
        !script groovy {
            workspace.model.addPerson("Hacker {")
        }
        !plugin com.example.Plugin {
            key value
        }
        s = softwareSystem "S" {
            c = container "C" {
                !components {
                    strategy {
                        matcher name-suffix "X"
                    }
                }
            }
        }
    """)
    assert [e.ref for e in model.elements] == ["S", "S.C"]
    assert [w.split(" ")[0] for w in warned(model)] == [f"docs/workspace.dsl:{n}" for n in (3, 6, 11)]


def test_what_is_gone_from_the_language_is_read_with_a_warning() -> None:
    model = read("""
        !constant NAME "Shop"
        s = softwareSystem "${NAME}"
        !extend s {
            tags "Old"
        }
        !ref s {
            url "https://example.org"
        }
    """)
    assert (element(model, "Shop").tags, element(model, "Shop").url) == (("Old",), "https://example.org")
    assert len(model.warnings) == 3


def test_what_people_write_and_other_tools_refuse_is_read_with_a_warning() -> None:
    model = read("""
        s = softwareSystem "S" { // the system
            -> t "Uses"
        }
        t = softwareSystem "T" { tags "One line" }
        s -> nobody "Uses"
        frobnicate "S" {
            anything {
            }
        }
    """)
    assert element(model, "T").tags == ("One line",)
    assert [(r.source, r.target) for r in model.relationships] == [("S", "T")]
    assert [w.split(" ")[0].rpartition(":")[2] for w in warned(model)] == ["3", "6", "8", "4", "7"]


def test_a_file_in_latin_1_is_read_with_a_warning() -> None:
    model = read_model(Files({"w.dsl": workspace('softwareSystem "Käse"').encode("latin-1")}), ["w.dsl"])
    assert [e.ref for e in model.elements] == ["Käse"]
    assert warned(model) == ["w.dsl:1 the file is not UTF-8; it was read as Latin-1"]


def test_every_fault_is_listed_with_its_line() -> None:
    assert refused("""
        s = softwareSystem "S" {
            component "Too deep"
            c = container "C"
            c = container "D"
            container "C"
            container
        }
        container "Nowhere"
    """) == [
        "docs/workspace.dsl:4 a component must stand in a container",
        "docs/workspace.dsl:6 the identifier 'c' is in use already",
        "docs/workspace.dsl:7 a second element with the ref 'S.C'; the first is at docs/workspace.dsl:5",
        "docs/workspace.dsl:8 a container needs a name",
        "docs/workspace.dsl:10 a container must stand in a system",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("workspace {\nmodel {\n", "w.dsl:2 this `{` is never closed"),
        ("workspace {\nmodel {\n}\n}\n}\n", "w.dsl:5 this `}` closes nothing"),
        ("workspace {\nmodel {\nviews {\n}\n}\n", "w.dsl:3 `views` inside the model: a `}` is missing before it"),
        ('workspace {\nmodel {\np = person "P"\n{\n}\n}\n}', "w.dsl:4 `{` must end the line"),
        ('workspace {\nmodel {\nperson "A" """\nx', "w.dsl:3 this text block is never closed"),
        ("workspace {\n/* model\n}", "w.dsl:2 this comment is never closed"),
        ("workspace {\n}\nworkspace {\n}", "w.dsl:3 a second workspace"),
        ("text\nworkspace {\n}", "w.dsl:1 neither `workspace` nor `model` begins here"),
        ("job('x') {\n}", "w.dsl:1 this is no model; known formats are Structurizr DSL, "),
        ("", "w.dsl:1 this is no model"),
        ("\x00\x01\x02", "w.dsl:1 this is no model"),
    ],
)
def test_what_is_no_model_is_refused_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(UnreadableModel) as caught:
        read_model(Files({"w.dsl": text}), ["w.dsl"])
    assert any(f"{f.where} {f.what}".startswith(fault) for f in caught.value.faults)


def test_a_model_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnreadableModel, match=r"docs/gone\.dsl:1: there is no such file"):
        read_model(Files({}), ["docs/gone.dsl"])


def test_a_missing_brace_behind_the_model_does_no_harm() -> None:
    model = read_model(Files({"w.dsl": 'workspace {\nmodel {\nperson "P"\n}\nviews {\nstyles {\n}\n'}), ["w.dsl"])
    assert [e.ref for e in model.elements] == ["P"]
    assert all("never closed" in warning.what for warning in model.warnings)


def test_several_model_files_make_one_model_in_which_the_first_definition_counts() -> None:
    tree = Files(
        {
            "a.dsl": workspace('u = person "U" "First"\ns = softwareSystem "S"\nu -> s'),
            "b.dsl": workspace('u = person "U" "Second"\nt = softwareSystem "T"\nu -> t'),
        }
    )
    model = read_model(tree, ["a.dsl", "./b.dsl"])
    assert [e.ref for e in model.elements] == ["U", "S", "T"]
    assert element(model, "U").description == "First"
    assert [(r.source, r.target) for r in model.relationships] == [("U", "S"), ("U", "T")]
    assert warned(model) == ["b.dsl:3 'U' is in another model file already: a.dsl:3 counts"]
