"""Many facts from a file of JSON lines, by the real command."""

import json

from tests.server.shop import Cli


def lines(*objects: object) -> bytes:
    return "\n".join(json.dumps(one) for one in objects).encode()


def test_every_line_is_remembered_as_one_fact_would_be(cli: Cli) -> None:
    facts = [{"content": f"Fact number {n} of the shop", "kind": "convention"} for n in range(70)]
    pinned = {"content": "Baskets are priced once", "title": "Baskets", "elements": ["API"]}
    (cli.folder / "facts.jsonl").write_bytes(lines(*facts, pinned, {"content": "see [[Baskets]]"}, facts[3]))
    done = cli("remember-all", "facts.jsonl", "--json").json
    assert done == {"new": 72, "deduplicated": 1, "refused": []}
    listed = cli("list", "--limit", "100", "--json").json["memories"]
    assert [one["content"] for one in listed[:70]] == [fact["content"] for fact in facts]
    assert listed[71]["links"][0]["name"] == "Baskets"
    again = cli("remember-all", "facts.jsonl")
    assert again.out == "0 remembered, 73 known already, 0 refused\n"


def test_what_is_refused_is_named_by_its_line_and_the_rest_is_kept(cli: Cli) -> None:
    cli("remember", "Prices are in cents", "--title", "Money")
    text = b"\n" + lines(
        {"content": "Of nothing", "elements": ["Nowhere"]},
        {"content": "Prices are in euros", "title": "money"},
        {"content": "Kept"},
        {"content": "Bad claim", "claims": ["::"]},
    )
    done = cli("remember-all", "-", "--json", input=text, code=2).json
    assert (done["new"], done["deduplicated"]) == (1, 0)
    assert [(one["line"], one["problem"]["code"]) for one in done["refused"]] == [
        (2, "unknown"),
        (3, "duplicate_title"),
        (5, "invalid_input"),
    ]
    told = cli("remember-all", "-", input=text, code=2).out
    assert told.startswith("0 remembered, 1 known already, 3 refused\n  line 2: ")
    assert "claims" in told.splitlines()[3]


def test_lines_that_cannot_be_read_stop_everything_and_are_all_named(cli: Cli) -> None:
    text = lines({"content": "Good"}, {"content": "", "kind": "rumour"}, [1]) + b"\n{broken\n" + b"[" * 100_000
    done = cli("remember-all", "-", input=text, code=2)
    for fault in ("standard input:2", "kind", "standard input:3", "standard input:4: is no JSON", "standard input:5"):
        assert fault in done.err
    assert cli("list", "--json").json["memories"] == []


def test_an_empty_missing_or_binary_file_is_a_clear_error(cli: Cli) -> None:
    assert "has no line" in cli("remember-all", "-", input=b" \n", code=2).err
    assert "cannot be read" in cli("remember-all", "none.jsonl", code=2).err
    assert "not UTF-8" in cli("remember-all", "-", input=b"\xff\xfe", code=2).err
    assert "NUL" in cli("remember-all", "-", input=b'{"content": "a\0b"}', code=2).err
