"""Which lexer reads a file, and what its tokens add up to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.lexing import Kind, lexer_name, tokens

LEXERS = ("python", "tsx", "yaml", "html", "bash", "php", "c", "ruby", "go", "sql", "docker", "vue", "make", "scala")


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("src/a.py", "", "python"),
        ("A.TSX", "", "tsx"),
        ("deploy/Dockerfile", "", "docker"),
        ("Dockerfile.dev", "", "docker"),
        ("bin/tool", "#!/usr/bin/env python3\n", "python"),
        ("bin/tool", "#!/usr/bin/env -S deno run\n", "typescript"),
        ("bin/tool", "#!/bin/bash -e\n", "bash"),
        ("bin/tool", "#!/opt/python3.11\n", "python"),
        ("a.h", "int f(void);\n", "c"),
        ("a.h", "namespace a {}\n", "cpp"),
        ("a.h", "@interface A\n", "objective-c"),
        ("notes.md", "", ""),
        ("LICENSE", "Some words.\n", ""),
        ("bin/tool", "#!/usr/bin/env nobody-knows\n", ""),
    ],
)
def test_a_lexer_is_chosen_by_the_name_else_by_the_first_line(path: str, text: str, name: str) -> None:
    assert lexer_name(path, text) == name


def test_tokens_carry_kind_text_and_line() -> None:
    text = 'def f(a):\n    # why\n    return "x  y" + a\n'
    found = [token for token in tokens("python", text) if token.kind is not Kind.SPACE]
    assert (Kind.COMMENT, "# why", 2) in found
    assert (Kind.STRING, '"x  y"', 3) in found
    assert (Kind.KEYWORD, "return", 3) in found
    assert (Kind.NAME, "f", 1) in found


def test_preprocessor_lines_and_hashbangs_are_no_comments() -> None:
    assert Kind.COMMENT not in {token.kind for token in tokens("c", "#include <a.h>\n#define A 1\n")}
    assert next(tokens("bash", "#!/bin/sh\n")).kind is Kind.PREPROCESSOR


@settings(deadline=None)
@given(st.sampled_from(LEXERS), st.text(max_size=300))
def test_tokens_add_up_to_the_text(name: str, text: str) -> None:
    assert "".join(token.text for token in tokens(name, text)) == text


def test_what_is_too_long_is_text() -> None:
    assert [token.kind for token in tokens("javascript", "a;\n" * 400_000)] == [Kind.TEXT]
