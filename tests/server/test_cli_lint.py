"""`archmem model lint`: what is doubtful about the model in a checkout, without a store."""

from pathlib import Path

from tests.server.shop import MODEL, Cli, cli_with, commit, git, make_shop, write


def fresh(tmp_path: Path, **files: str) -> Cli:
    """Return a command line in a shop that no store knows, with these files on top."""
    cli = cli_with(make_shop(tmp_path / "shop"), tmp_path / "home")
    write(cli.folder, {name.replace("__", "/").replace("_", "."): text for name, text in files.items()})
    return cli


def test_a_model_without_doubts_ends_with_0_and_no_store_is_made(tmp_path: Path) -> None:
    cli = fresh(tmp_path, workspace_dsl=MODEL.replace('cart2 = component "Cart"', 'cart2 = component "Basket"'))
    assert cli("model", "lint").out == "no warnings; 8 elements in 1 file\n"
    assert not (tmp_path / "home").exists()
    assert git(cli.folder, "status", "--porcelain") == "M workspace.dsl"


def test_every_kind_of_doubt_is_named_with_file_and_line(tmp_path: Path) -> None:
    model = MODEL.replace('user -> web "uses"', 'user -> nobody "uses"\n    !script groovy {\n    }').replace(
        "src/web", "src/gone"
    )
    toml = '[model]\nfiles = ["workspace.dsl"]\n\n[sources]\n"Shop.API" = ["api/**"]\n"Nobody" = ["src"]\n'
    cli = fresh(tmp_path, workspace_dsl=model, archmem_toml=toml)
    told = cli("model", "lint", code=1).out.splitlines()
    assert told == [
        "archmem.toml:5: no file matches 'api/**': none ever did in the history of HEAD [source]",
        "archmem.toml:6: [sources]: there is no element 'Nobody' in the model [reading]",
        "workspace.dsl:10: no file matches 'src/gone': none ever did in the history of HEAD [source]",
        "workspace.dsl:23: the name 'Cart' means 2 elements, so only a whole ref finds one: "
        "Shop.Jobs.Cart, Shop.Store.Cart [name]",
        "workspace.dsl:30: there is no element 'nobody'; the relationship was left out [reading]",
        "workspace.dsl:31: !script is never run; the model is incomplete [reading]",
        "6 warnings; 8 elements in 1 file",
    ]


def test_json_tells_the_same(tmp_path: Path) -> None:
    answer = fresh(tmp_path)("model", "lint", "--json", code=1).json
    assert (answer["files"], answer["elements"], answer["relationships"]) == (["workspace.dsl"], 8, 2)
    (one,) = answer["warnings"]
    assert (one["file"], one["line"], one["kind"]) == ("workspace.dsl", 23, "name")


def test_named_files_are_read_from_where_one_stands(tmp_path: Path) -> None:
    cli = fresh(tmp_path, docs__other_dsl='workspace {\nmodel {\nperson "A" "b" "c" "d"\n}\n}\n')
    told = cli.at(cli.folder / "docs")("model", "lint", "other.dsl", code=1).out
    assert told == (
        "docs/other.dsl:3: a person has at most 3 words; the rest was left out [reading]\n"
        "1 warning; 1 element in 1 file\n"
    )


def test_what_cannot_be_read_ends_with_2_and_every_fault(tmp_path: Path) -> None:
    cli = fresh(tmp_path, broken_dsl='workspace {\nmodel {\ncontainer "A"\nperson\n}\n', empty_txt="")
    told = cli("model", "lint", "broken.dsl", "gone.dsl", code=2).err
    for place in ("broken.dsl:3: ", "broken.dsl:4: ", "gone.dsl:1: "):
        assert place in told
    assert cli("model", "lint", "empty.txt", "--json", code=2).json["code"] == "unreadable_model"


def test_without_a_model_or_without_git(tmp_path: Path) -> None:
    cli = cli_with(make_shop(tmp_path / "bare", files={"a.py": ""}), tmp_path / "home")
    assert "no model file is named" in cli("model", "lint", code=2).err
    plain = tmp_path / "plain"
    write(plain, {"workspace.dsl": MODEL, "src/api/limits.py": "", "src/jobs/x.py": "", "src/store/x.py": ""})
    told = cli.at(plain)("model", "lint", code=1).out
    assert "workspace.dsl:10: no file matches 'src/web': there is no history to ask [source]" in told


def test_a_source_that_left_names_the_commit(tmp_path: Path) -> None:
    cli = fresh(tmp_path)
    (cli.folder / "src/web/page.js").unlink()
    gone = commit(cli.folder, {}, "gone")
    assert f"the last one left with commit {gone[:12]} on " in cli("model", "lint", code=1).out
