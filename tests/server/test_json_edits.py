"""An entry goes into any JSON file of a person, and out again, without a byte of the rest changed."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.installing.json_edits import with_item, with_member, without_items, without_member
from server.installing.jsonc import parse
from server.installing.refusing import Refused
from tests.server.settings_texts import VALUES, Layout, settings_texts

PATH = ("mcpServers", "archmem")
OURS = {"command": "/a b/é", "args": ["mcp"]}
HOOK = {"hooks": [{"command": "archmem hook"}]}
HOOKS = ("hooks", "SessionStart")
KEYS = st.text("abc", max_size=3)


def plain(value: Any) -> Any:
    """Return the value without our entry and without what is empty."""
    if isinstance(value, dict):
        left = {key: plain(one) for key, one in value.items() if (key, one) != ("archmem", OURS)}
        return {key: one for key, one in left.items() if one not in ({}, [])}
    return [plain(one) for one in value if one != HOOK] if isinstance(value, list) else value


@given(settings_texts(mcpServers=st.dictionaries(KEYS, VALUES, max_size=2)))
def test_a_member_goes_in_and_out_of_any_file(text: str) -> None:
    made = with_member(text, PATH, OURS)
    assert parse(made).root.value["mcpServers"]["archmem"] == OURS
    assert plain(parse(made).root.value) == plain(parse(text).root.value)
    assert with_member(made, PATH, OURS) == made
    assert without_member(made, PATH) == text
    assert without_member(text, PATH) == text


@given(settings_texts(hooks=st.dictionaries(st.sampled_from(("SessionStart", "Stop")), st.lists(VALUES, max_size=2))))
def test_an_item_goes_in_and_out_of_any_file(text: str) -> None:
    made = with_item(text, HOOKS, HOOK)
    assert HOOK in parse(made).root.value["hooks"]["SessionStart"]
    assert plain(parse(made).root.value) == plain(parse(text).root.value)
    assert without_items(made, HOOKS, lambda one: one == HOOK) == text


@given(VALUES, st.data())
def test_a_value_is_read_from_any_layout_of_it(value: Any, data: st.DataObject) -> None:
    assert parse(Layout(data.draw).text(value)).root.value == value


@given(st.text('{}[],:"/*\\ \n01ae', max_size=40))
def test_only_what_is_json_but_for_comments_and_commas_is_read(text: str) -> None:
    try:
        value = json.loads(text)
    except ValueError:
        with suppress(Refused):
            parse(text)
    else:
        assert parse(text).root.value == value


def test_an_entry_looks_as_its_file_looks() -> None:
    text = '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t} // mine\n\t}\n}\n'
    assert with_member(text, PATH, OURS) == (
        '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}, // mine\n'
        '\t\t"archmem": {\n\t\t\t"command": "/a b/é",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n'
    )
    assert with_member('{"a":1}', PATH, 2) == '{"a":1, "mcpServers": { "archmem": 2 }}'
    assert with_member("{}", PATH, 2) == '{"mcpServers": { "archmem": 2 }}'


def test_what_came_later_stays_when_the_entry_leaves() -> None:
    text = '{\n  "mcpServers": {\n    "archmem": 1,\n    // theirs\n    "b": 2\n  }\n}\n'
    assert without_member(text, PATH) == '{\n  "mcpServers": {\n    // theirs\n    "b": 2\n  }\n}\n'
    noted = '{"mcpServers": { // theirs\n "archmem": 1 }}'
    assert without_member(noted, PATH) == '{"mcpServers": { // theirs\n  }}'
    assert without_member('{ "a": [ 1, // one\n 2 ] }', ("a",)) == ""
    assert without_items('{"a": [ 1, // one\n 2 ]}', ("a",), lambda one: one == 2) == '{"a": [ 1 // one\n ]}'
    assert without_member('// kept\n{ "mcpServers": { "archmem": 1 } }\n', PATH) == "// kept\n{}\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('{\n "mcpServers": []\n}', 2, "`mcpServers` is no object"),
        ("[]", 1, "the file is no object"),
        ('{"a": 1,\n"mcpServers": {},\n"mcpServers": {}}', 3, "`mcpServers` stands here a second time"),
        ('{\n "a": 1\n "b": 2}', 3, "a comma or '}' is missing"),
        ('{\n "a": tru}', 2, "a value is missing or misspelled"),
        ('{\n "a": 1,\n "b', 3, "a string is broken"),
        ("{a: 1}", 1, "a key in double quotes"),
        ('{"a" 1}', 1, "a colon is missing"),
        ('{"a": 1}}', 1, "more follows"),
        ("", 1, "a value is missing"),
        ("[" * 300, 1, "nests deeper"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(Refused, match=what.replace("(", "\\(")) as caught:
        with_member(text, PATH, OURS)
    assert caught.value.line == line
