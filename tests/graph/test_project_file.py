"""Mappings are added to archmem.toml; every other byte of it stays."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import InvalidInput
from graph.project_file import add_sources, parse_project_file

NEW = {"Shop.API": ("src/api", "src/a b.py")}
ADDED = '"Shop.API" = ["src/api", "src/a b.py"]'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"[sources]\n{ADDED}\n"),
        ("# mine\n[project]\nname = 'x'", f"# mine\n[project]\nname = 'x'\n\n[sources]\n{ADDED}\n"),
        ('[sources]\n"A" = ["a"] # why\n', f'[sources]\n"A" = ["a"] # why\n{ADDED}\n'),
        ("[sources]", f"[sources]\n{ADDED}\n"),
        (
            "[ 'sources' ] # paths\nA = [\n  'a',\n]\n\n# the check\n[drift]\nmin_score = 7_0\n",
            f"[ 'sources' ] # paths\nA = [\n  'a',\n]\n{ADDED}\n\n# the check\n[drift]\nmin_score = 7_0\n",
        ),
        ("\ufeff[sources]\r\nA = ['a']\r\n", f"\ufeff[sources]\r\nA = ['a']\r\n{ADDED}\r\n"),
        (
            "[project]\nname = '''\n[sources]\n'''\n[drift]\n",
            f"[project]\nname = '''\n[sources]\n'''\n[drift]\n\n[sources]\n{ADDED}\n",
        ),
        (
            "[project]\nname = '''\n[sources]\n'''\n[sources]\nA = []\n[drift]\n",
            f"[project]\nname = '''\n[sources]\n'''\n[sources]\nA = []\n{ADDED}\n[drift]\n",
        ),
    ],
)
def test_a_mapping_goes_to_the_end_of_its_table(before: str, after: str) -> None:
    assert add_sources(before.encode(), NEW).decode() == after


@pytest.mark.parametrize(
    "content",
    ['sources = {"A" = ["a"]}\n', 'sources."A" = ["a"]\n', '[sources]\n"Shop.API" = ["src"]\n'],
    ids=["inline", "dotted", "there already"],
)
def test_what_cannot_be_added_is_refused(content: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        add_sources(content.encode(), NEW)
    assert refused.value.next_step


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"[project]\nname = \n", 2), (b"\n\n[sources\n", 3), (b"a = '''\n\n", 3), (b"a = 1\nb = '\xff'\n", 2)],
)
def test_a_broken_file_is_refused_with_its_line(content: bytes, line: int) -> None:
    for refusing in (parse_project_file, lambda content: add_sources(content, NEW)):
        with pytest.raises(InvalidInput) as refused:
            refusing(content)
        assert [fault.where for fault in refused.value.faults] == [f"archmem.toml:{line}"]


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)


@given(names, st.lists(names.filter(lambda name: "{" not in name), min_size=1, max_size=3))
def test_any_name_and_any_path_can_be_written(ref: str, paths: list[str]) -> None:
    content = b'[sources]\n"\\u0000" = ["kept"] # so\n\n[drift]\n'
    if ref == "\0":
        return
    written = add_sources(content, {ref: paths})
    assert tomllib.loads(written.decode())["sources"] == {"\0": ["kept"], ref: paths}
    assert written.startswith(b'[sources]\n"\\u0000" = ["kept"] # so\n')
    assert written.endswith(b"\n\n[drift]\n")
