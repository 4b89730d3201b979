"""Addresses of repositories: what git is given, and what it never is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift import Way, parse_address
from graph.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("https://example.org/team/shop.git", Way.REMOTE),
        ("http://example.org:8080/shop", Way.REMOTE),
        ("ssh://git@example.org:22/team/shop", Way.REMOTE),
        ("git@example.org:team/shop.git", Way.REMOTE),
        ("file:///srv/shop.git", Way.FILE),
        ("/srv/shop", Way.PATH),
    ],
)
def test_an_address_says_how_it_is_had(text: str, way: Way) -> None:
    found = parse_address(f" {text} ", "feature/x")
    assert (found.text, found.way) == (text, way)
    assert found.folder == (None if way is Way.REMOTE else Path(text.removeprefix("file://")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop",
        "../shop",
        "--upload-pack=touch /x",
        "-oProxyCommand=x:shop",
        "ext::sh -c touch% /x",
        "ext::x:/y",
        "git://example.org/shop",
        "ftp://example.org/shop",
        "fd::17/shop",
        "ssh://-oProxyCommand=x/shop",
        "ssh://-l@example.org/shop",
        "git@example.org:-shop",
        "https://example.org",
        "https:///shop",
        "https://example.org/shop?x=1",
        "https://example.org:port/shop",
        "file://elsewhere/srv/shop",
        "https://example.org/a\nb",
        "/srv/\0",
    ],
)
def test_what_could_make_git_do_something_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_address(text)
    assert caught.value.faults[0].where == "repository"


@pytest.mark.parametrize("user", ["somebody:s3cret", "s3cret", ":s3cret", "ssh"])
def test_a_password_or_token_is_refused_and_not_repeated(user: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_address(f"https://{user}@example.org/shop")
    assert "s3cret" not in f"{caught.value} {caught.value.id} {caught.value.faults}"
    with pytest.raises(InvalidInput):
        parse_address("ssh://git:s3cret@example.org/shop")


@pytest.mark.parametrize("branch", ["-x", "a..b", "a b", "x.lock", "a/", "/a", "a//b", ".a", "a@{1}", "@", "a:b", "x."])
def test_a_branch_that_git_would_refuse_is_refused(branch: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_address("/srv/shop", branch)
    assert [fault.where for fault in caught.value.faults] == ["branch"]


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_an_address_or_refused(text: str, branch: str) -> None:
    try:
        found = parse_address(text, branch)
    except InvalidInput:
        return
    assert not found.text.startswith("-")
    assert "::" not in found.text or found.way is not Way.REMOTE or "://" in found.text
