"""A table goes into any TOML file of a person, and out again, without a byte of the rest changed."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.installing.refusing import Refused
from server.installing.toml_edits import with_table, without_table

PATH = ("mcp_servers", "archmem")
OURS = {"command": "C:\\a b\\é.exe", "args": ["mcp"]}
PIECES = (
    "# a note\n",
    "\n",
    "[mcp_servers.b]\n",
    '[mcp_servers."b.c".env]\n',
    "[[list]]\n",
    "[other]\n",
    'text = """\n[mcp_servers.archmem]\n"""\n',
    "rows = [\n  [1, 2],\n  [3],\n]\n",
    'x = "1" # why\n',
    "[mcp_servers.archmemory]\n",
    "[features]\n",
)


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=6)))
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return text.replace("\n", draw(st.sampled_from(("\n", "\r\n"))))


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(toml_texts().filter(is_toml))
def test_a_table_goes_in_and_out_of_any_file(text: str) -> None:
    made = with_table(text, PATH, OURS)
    data = tomllib.loads(made)
    assert data["mcp_servers"].pop("archmem") == OURS
    assert {**data, "mcp_servers": data["mcp_servers"] or None} == {"mcp_servers": None, **tomllib.loads(text)}
    assert with_table(made, PATH, OURS) == made
    assert without_table(text, PATH) == text
    try:
        assert without_table(made, PATH) == text
    except Refused:
        assert '"""' in text  # a text that looks like our table's head: refused, never broken


def test_an_older_table_is_updated_and_keeps_what_the_user_added() -> None:
    text = '[mcp_servers.archmem] # mine\ncommand = "old"\nenv = { A = "1" }\n\n# next\n[b]\nx = 1\n'
    made = with_table(text, PATH, OURS)
    assert tomllib.loads(made)["mcp_servers"]["archmem"] == {**OURS, "env": {"A": "1"}}
    assert made.startswith("[mcp_servers.archmem] # mine\n")
    assert made.endswith('env = { A = "1" }\n\n# next\n[b]\nx = 1\n')
    assert without_table(made, PATH) == "\n# next\n[b]\nx = 1\n"


def test_tables_below_leave_with_it() -> None:
    text = "a = 1\n\n[mcp_servers.archmem]\nargs = []\n\n[mcp_servers.archmem.env]\nA = '1'\n# note\n\n[b]\n"
    assert without_table(text, PATH) == "a = 1\n# note\n\n[b]\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a = 1\nb = \n", 2, "this is no TOML"),
        ("a = 1\nmcp_servers = 3\n", 2, "`mcp_servers` is no table"),
        ("a = 1\n[mcp_servers]\narchmem = 3\n", 3, "`mcp_servers.archmem` is no table"),
        ("mcp_servers = {}\n", 1, "edit it by hand"),
        ('mcp_servers = { archmem = { command = "x" } }\n', 1, "edit it by hand"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(Refused, match=what) as caught:
        with_table(text, PATH, OURS)
    assert caught.value.line == line
