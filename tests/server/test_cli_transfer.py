"""Exports and imports by the real command."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.shop import IDENTITY, Cli

Elsewhere = Callable[[str], Cli]


@pytest.fixture
def used(cli: Cli) -> Cli:
    cli("remember", "The gateway strips headers", "--title", "Header limit", "--element", "API")
    cli("remember", "See [[Header limit]] «ünïcode»", "--key", "k1")
    cli("supersede", "Header limit", "The gateway keeps headers")
    cli("--project", "", "remember", "Reviews take two people", "--title", "Reviews")
    cli("drift", "run")
    cli("drift", "accept", "--all")
    cli("cite", "Header limit", "Reviews", "--session", "s1")
    return cli


@pytest.fixture
def elsewhere(used: Cli, tmp_path: Path) -> Elsewhere:
    """Give a command line outside of every repository, with a store of its own."""

    def make(name: str) -> Cli:
        folder = tmp_path / name
        folder.mkdir()
        return Cli(folder, {**used.environment, "ARCHMEM_STORE": str(folder / "store.db")})

    return make


def test_a_project_moves_to_another_store_and_back_to_the_same_bytes(used: Cli, elsewhere: Elsewhere) -> None:
    told = used("export", "shop.jsonl", "--json").json
    assert (told["organisation"], told["project"]) == ("local", IDENTITY)
    assert (told["counts"]["memory"], told["counts"]["run"], told["counts"]["reply"]) == (3, 1, 1)
    file, other = used.folder / "shop.jsonl", elsewhere("other")
    done = other("import", str(file), "--json").json
    assert (done["new"], done["known"]) == (told["counts"], {})
    other("export", "again.jsonl", "--project", IDENTITY)
    assert (other.folder / "again.jsonl").read_bytes() == file.read_bytes()
    assert told["sha256"] == json.loads(file.read_bytes().splitlines()[-1])["sha256"]
    again = other("import", str(file))
    assert "new: nothing\nknown already: project 1, " in again.out
    recalled = other("recall", "gateway", "--project", IDENTITY).out
    assert "The gateway keeps headers" in recalled
    assert other("history", "Header limit", "--project", IDENTITY).out == used("history", "Header limit").out


def test_everything_goes_through_a_pipe(used: Cli, elsewhere: Elsewhere) -> None:
    piped = used("export", "--all", "-", "--json")
    assert json.loads(piped.err)["project"] is None
    assert used("export", "--all").out == piped.out
    other = elsewhere("other")
    assert "imported all of local" in other("import", "-", input=piped.out.encode()).out
    # No project has to be known for it: the whole organisation is asked for.
    assert other("export", "--all").out == piped.out
    assert "Reviews take two people" in other("list", "--project", "").out
    assert other("export", "--project", "").out != piped.out


def test_vectors_are_left_out_on_request(used: Cli, elsewhere: Elsewhere) -> None:
    other = elsewhere("other")
    lines = used("export", "--no-vectors").out
    assert json.loads(lines.splitlines()[0])["vectors"] is False
    assert "reindex" in other("import", "-", input=lines.encode()).err
    assert "reindex" not in other("import", "-", input=lines.encode()).err


def test_what_is_refused_is_named_line_by_line_and_nothing_is_written(used: Cli, elsewhere: Elsewhere) -> None:
    used("export", "shop.jsonl")
    lines = (used.folder / "shop.jsonl").read_bytes().splitlines(keepends=True)
    other = elsewhere("other")
    files = {
        "cut.jsonl": (b"".join(lines[:-1]), f"cut.jsonl:{len(lines) - 1}: "),
        "torn.jsonl": (b"".join(lines)[:-20], f"torn.jsonl:{len(lines)}: "),
        "foreign.jsonl": (b'{"content": "a fact"}\n', "foreign.jsonl:1: "),
        "newer.jsonl": (lines[0].replace(b'"version":1', b'"version":2') + lines[1], "newer.jsonl:1: is of format 2"),
        "changed.jsonl": (b"".join(lines).replace(b"strips", b"strops"), f"changed.jsonl:{len(lines)}: does not seal"),
        "empty.jsonl": (b"", "empty.jsonl:1: "),
    }
    for name, (content, told) in files.items():
        (other.folder / name).write_bytes(content)
        assert told in other("import", name, code=2).err
    assert json.loads(other("import", "cut.jsonl", "--json", code=2).out)["code"] == "invalid_input"
    assert "standard input:1: " in other("import", "-", input=b"junk", code=2).err
    assert "cannot be read" in other("import", "none.jsonl", code=2).err
    assert len(other("export", "--all").out.splitlines()) == 2


def test_a_store_that_holds_something_else_is_left_as_it_is(used: Cli, elsewhere: Elsewhere) -> None:
    used("export", "shop.jsonl")
    other = elsewhere("other")
    other("import", str(used.folder / "shop.jsonl"))
    other("confirm", "Header limit", "--project", IDENTITY)
    before = other("export", "--all").out
    refused = other("import", str(used.folder / "shop.jsonl"), "--json", code=2)
    problem = json.loads(refused.out)
    assert problem["code"] == "conflict"
    assert len(problem["faults"]) == 1
    assert problem["faults"][0]["where"].startswith(f"{used.folder / 'shop.jsonl'}:")
    assert other("export", "--all").out == before


def test_a_file_stays_as_it_was_until_the_new_one_is_whole(used: Cli) -> None:
    place = used.folder / "out"
    place.mkdir()
    (place / "shop.jsonl").write_text("older")
    used("export", "out/shop.jsonl", "--project", "no/such", code=2)
    assert (place / "shop.jsonl").read_text() == "older"
    used("export", "out/shop.jsonl")
    assert (place / "shop.jsonl").read_bytes().endswith(b"}\n")
    assert [path.name for path in place.iterdir()] == ["shop.jsonl"]
    used("export", os.devnull)
    assert "cannot be written" in used("export", "no/such/folder/shop.jsonl", code=2).err


def test_another_organisation_is_pointed_to(used: Cli, elsewhere: Elsewhere) -> None:
    lines = used("export").out.encode()
    done = elsewhere("other")("import", "-", input=lines, ARCHMEM_ORGANISATION="acme")
    assert "ARCHMEM_ORGANISATION" in done.err
