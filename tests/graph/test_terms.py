"""The analyser: what a text is found by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.naming import folded
from graph.terms import analyse, code_names, question_keys, symbol_key, title_key, without_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("OrderProcessor", ("order", "processor", "orderprocessor")),
        ("snake_case_name", ("snake", "case", "name", "snake_case_name")),
        ("kebab-case", ("kebab", "case", "kebab-case")),
        ("src/app/main.py", ("src", "app", "main", "py", "src/app/main.py")),
        ("retries retried retry", ("retri",)),
        ("HTTPServer", ("http", "server", "httpserver")),
        ("日本語", ("日本", "本語", "日本語")),
        ("Straße STRASSE", ("strass",)),
        ("", ()),
        ("!!! ???", ()),
    ],
)
def test_a_text_gives_these_terms(text: str, terms: tuple[str, ...]) -> None:
    assert analyse(text) == terms


def test_stop_words_are_left_out_unless_nothing_else_is_left() -> None:
    assert analyse("how does the cache fill") == ("cach", "fill")
    assert analyse("do we use any new cache") == ("cach",)
    assert analyse("how does it work") == ("how", "doe", "it", "work")
    assert analyse("to be or not") == ("not",)
    assert analyse("who are you") == ("who", "are", "you")


def test_a_query_in_parts_meets_an_identifier_kept_whole() -> None:
    memory = set(analyse("`idArgumentResolvers` strips headers"))
    assert set(analyse("argument resolvers")) <= memory
    assert set(analyse("idArgumentResolvers")) <= memory


def test_composed_and_decomposed_letters_are_one() -> None:
    assert analyse("caf\u00e9") == analyse("cafe\u0301")


def test_a_run_without_spaces_is_bounded() -> None:
    assert all(len(term) <= 64 for term in analyse("x" * 10_000 + " " + "YWJj/" * 500))


def test_code_names_are_spans_identifiers_and_paths() -> None:
    text = "`max_size` and OrderProcessor in src/a.py, but not plain words, nor the end."
    assert code_names(text) == ("max_size", "OrderProcessor", "src/a.py")


def test_a_whole_question_may_be_a_title_or_a_symbol() -> None:
    assert title_key("rate limits") in question_keys("`Rate-Limits`?")
    assert symbol_key("SRC/app.py") in question_keys("src/app.py?")
    assert symbol_key("src/app.py") not in question_keys("what does src/app.py do")
    assert question_keys(" ?! ") == frozenset()


def test_words_can_be_taken_out_of_a_question_but_never_all() -> None:
    named = frozenset({"carolin", "acm"})
    assert without_terms("What did Caroline research?", named) == "What did research?"
    assert without_terms("Acme", named) == "Acme"
    assert without_terms("what did Caroline do", named) == "what did Caroline do"
    assert without_terms("acme-caroline and src/acme.py", named) == "and src/acme.py"


def test_folding_joins_case_space_dash_and_underscore() -> None:
    assert folded("Rate  Limits") == folded("rate-limits") == folded("RATE_LIMITS")
    assert folded("rate limit") != folded("rate limits")


@given(st.text())
def test_any_text_is_analysed_the_same_twice(text: str) -> None:
    terms = analyse(text)
    assert terms == analyse(text)
    assert len(terms) == len(set(terms))
    assert all(term and not term.isspace() for term in terms)
