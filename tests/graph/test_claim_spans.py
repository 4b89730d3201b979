"""Which code spans are claims: paths, symbols and values; never a command, an option, a version or a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.claim_spans import find_claims, find_details
from graph.claims import parse_claim


def found(text: str, *, pinned: bool = True) -> list[str]:
    return [str(claim) for claim in find_claims([text], pinned=pinned)]


@pytest.mark.parametrize(
    ("code", "claim"),
    [
        ("src/a/b.py", "src/a/b.py"),
        ("./src/a/b.py:12", "src/a/b.py"),
        ("src/a/b.py#L12-L20", "src/a/b.py"),
        ("src/a/", "src/a"),
        ("pyproject.toml", "pyproject.toml"),
        ("deploy/Dockerfile", "deploy/Dockerfile"),
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("src/a.py::total", "src/a.py::total"),
        ("src/a.py::Checkout.total()", "src/a.py::Checkout.total"),
        ("tests/test_a.py::TestA::test_b[one]", "tests/test_a.py::TestA.test_b"),
        ("src/a.py::MAX=8192", "src/a.py::MAX=8192"),
        ("MAX_HEADER = 8192", "MAX_HEADER=8192"),
        ("timeout=30", "timeout=30"),
        ("DEBUG=True", "DEBUG=True"),
        ('NAME = "shop"', 'NAME="shop"'),
        ("idArgumentResolvers", "idArgumentResolvers"),
        ("MAX_HEADER", "MAX_HEADER"),
        ("Foo.bar()", "Foo.bar"),
        ("Foo.bar", "Foo.bar"),
        ("fetch()", "fetch"),
        ("retry(url, times=3)", "retry"),
        ("Foo::new_one", "Foo::new_one"),
    ],
)
def test_what_is_a_claim(code: str, claim: str) -> None:
    assert found(f"the gateway uses `{code}` here") == [claim]


@pytest.mark.parametrize(
    "code",
    [
        *(
            "do",
            "TODO",
            "JSON",
            "and/or",
            "n/a",
            "application/json",
            "feature/x",
            "GET /api/carts",
        ),
        *("git push origin main", "npm run build", "--base", "-x", "--store=/tmp/a.db", "make check", "pip install x"),
        *("https://example.com/a.py", "http://localhost:8080/x", "api.example.com", "v1.2.3", "3.11", "1.2.0-rc1"),
        *("NODE_ENV=production", "FOO=$BAR", "a == b", "x => 1", "~/.config/x.toml", "/etc/hosts", "../other/a.py"),
        *("", " ", "...", "src/**/*.py", "<PATH>/a.py", "8192", "a b.py"),
    ],
)
def test_what_is_none(code: str) -> None:
    assert found(f"say `{code}` here") == []


def test_words_outside_of_code_are_no_claims() -> None:
    assert found("src/a.py and MAX_HEADER = 8192 in prose, <!-- `src/b.py` -->") == []


def test_a_fence_claims_what_has_a_path_alone() -> None:
    text = "so:\n```sh\nsrc/a.py::f\nMAX_HEADER = 8192\nmyCall()\nmake check src/b.py\n```\n"
    assert found(text) == ["src/a.py::f"]


def test_a_memory_without_elements_claims_nothing_without_a_path() -> None:
    assert found("`idArgumentResolvers` in `src/a.ts`", pinned=False) == ["src/a.ts"]
    assert found("`Checkout`", pinned=False) == []
    assert found("`Checkout`") == ["Checkout"]


def test_details_are_what_a_symbol_may_hold() -> None:
    text = '`fetch(url)` retries 3 times since 2024-05-01 via httpClient (v2.1), `mode="fast"`, 8_192 bytes, 1 and 0'
    quoted = {"fetch(url)", 'mode="fast"'}
    assert set(find_details([text])) == {"fetch", "url", "3", "httpClient", "mode", "fast", '"fast"', "8192", *quoted}
    assert find_details(["`src/money.py::total` in `src/money.py`"]) == ("total",)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    find_details([text, f"`{text}`"])
    for claim in find_claims([text, f"`{text}`", f"```\n{text}\n```"], pinned=True):
        if claim.path:
            assert parse_claim(str(claim)).path


@given(st.lists(st.from_regex(r"[A-Za-z]?[a-z]{1,12}[.,;!?]?", fullmatch=True), min_size=1, max_size=12))
def test_plain_words_claim_nothing(words: list[str]) -> None:
    assert found(f"`{' '.join(words)}`", pinned=False) == []
    assert found(f"`the {' '.join(words)}`") == []
    assert found(" ".join(words)) == []
