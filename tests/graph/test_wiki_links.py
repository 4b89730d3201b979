"""Which `[[…]]` are links, and what each may name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.wiki_links import find_links, link_targets


def raws(text: str) -> list[str]:
    return [link.raw for link in find_links(text)]


@pytest.mark.parametrize(
    "text",
    [
        "`[[Title]]`",
        "``a ` [[Title]] b``",
        "```\n[[Title]]\n```",
        "~~~ sh\n[[Title]]\n~~~",
        "> ```\n> [[Title]]\n> ```",
        "- ```\n  [[Title]]\n  ```",
        "```\n[[Title]] and never closed",
        "<!-- [[Title]] -->",
        "<!--\n[[Title]]\n-->",
        "bash: if [[ -f file ]]; then",
        "`if [[ $a == b ]]`",
        "Scala Future[Option[User]]",
        "python matrix[[0]]",
        "List[[A]]",
        'json [["a","b"]]',
        "[[]] and [[ ]] and [[|]] and [[#]]",
        r"\[[Title]]",
        "[[over\ntwo lines]]",
        "[single] [brackets]",
    ],
)
def test_no_link_here(text: str) -> None:
    assert raws(text) == []


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("See [[Rate limits]].", "Rate limits"),
        ("![[Embedded]]", "Embedded"),
        ("([[In brackets]])", "In brackets"),
        ("an unclosed ` before [[Title]]", "Title"),
        ("an unclosed <!-- before [[Title]]", "Title"),
        ("``` not a fence ``` then [[Title]]", "Title"),
        ("[[Use List[int]]]", "Use List[int]"),
        ("[[a/b: c]]", "a/b: c"),
        ("[[Größe]]", "Größe"),
        ("```\n[[no]]\n```\n[[Title]]", "Title"),
        ("a ` tick\n\nanother ` tick [[Title]]", "Title"),
    ],
)
def test_one_link_here(text: str, raw: str) -> None:
    assert raws(text) == [raw]


def test_the_whole_text_is_tried_first_then_the_part_before_bar_then_before_hash() -> None:
    assert link_targets("A|b") == ("A|b", "A")
    assert link_targets("A#b|c") == ("A#b|c", "A#b", "A")
    assert link_targets("C#") == ("C#", "C")
    assert link_targets(r"a\|b") == ("a|b",)
    assert link_targets("plain") == ("plain",)


def test_a_link_written_twice_is_one() -> None:
    assert raws("[[A]] and [[A]] and [[B]]") == ["A", "B"]


@given(st.text(alphabet=st.sampled_from("[]|#`~<!->\\ \nab"), max_size=80))
def test_any_text_is_read(text: str) -> None:
    for link in find_links(text):
        assert f"[[{link.raw}]]" in text
        assert link.targets
