"""Which imports stand in a file: in code alone, never in comments, strings and documentation."""

import ast
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.dependencies.blanking import blank
from drift.dependencies.statements import Import, read_statements

PYTHON = '''"""Say how:

    import documented
"""
import os, shop.cart as cart  # import commented
from . import near
from ..pricing import (
    price,  # import this too
    total as sum_,
)
text = "import quoted"
if TYPE_CHECKING:
    from shop.types import Money

def lazily():
    try: import late
    except ImportError: pass
'''


def test_python_is_read_in_functions_and_branches_but_not_in_texts() -> None:
    assert read_statements("a.py", PYTHON).imports == (
        Import(".", "near", 6),
        Import("..pricing", "price", 7),
        Import("..pricing", "total", 7),
        Import("shop.types", "Money", 13, for_types=True),
        Import("os", "", 5),
        Import("shop.cart", "", 5),
        Import("late", "", 16),
    )


def test_python_is_read_as_its_own_parser_does() -> None:
    read = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:120]:
        text = path.read_text(encoding="utf-8", errors="replace")
        wanted: Counter[tuple[str, str, int]] = Counter()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                wanted.update((name.name, "", node.lineno) for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                wanted.update((module, name.name, node.lineno) for name in node.names)
        found = read_statements("a.py", text).imports
        assert Counter((one.module, one.name, one.line) for one in found) == wanted, path.name
        read += sum(wanted.values())
    assert read > 500


@pytest.mark.parametrize(
    ("line", "module", "for_types"),
    [
        ('import { a, b as c } from "./a"', "./a", False),
        ("import React, { type A } from './a'", "./a", False),
        ('import\n  * as a\nfrom "./a"', "./a", False),
        ('import "./a"', "./a", False),
        ('export * from "./a"', "./a", False),
        ('export { a } from "./a"', "./a", False),
        ('import type { A } from "./a"', "./a", True),
        ('import { type A, type B } from "./a"', "./a", True),
        ('import type from "./a"', "./a", False),
        ('const a = await import("./a")', "./a", False),
        ('const a = require("./a")', "./a", False),
        ('import a = require("./a")', "./a", False),
        ('const r = /["\']/; import { a } from "./a"', "./a", False),
        ('const t = `${b ? `x${c}` : "`"}`; import "./a"', "./a", False),
        ("const h = <p>Don't</p>;\nimport './a'", "./a", False),
    ],
)
def test_scripts_say_what_they_import_in_many_ways(line: str, module: str, for_types: bool) -> None:
    [found] = read_statements("a.tsx", line).imports
    assert (found.module, found.for_types) == (module, for_types)


@pytest.mark.parametrize(
    "line",
    [
        '// import "./a"',
        '/* import "./a" */',
        "const t = 'import \"./a\"'",
        'const t = `\nimport { a } from "./a"\n`',
        'thing.import("./a")',
        'notrequire("./a")',
        "import(`./${name}`)",
    ],
)
def test_what_only_looks_like_an_import_is_none(line: str) -> None:
    assert read_statements("a.ts", line).imports == ()


def test_a_component_file_is_read_in_its_script_alone() -> None:
    script = '<script setup lang="ts">\nimport Cart from "./Cart.vue"\n</script>\n'
    text = f"<template>import './no'; it's</template>\n{script}"
    assert read_statements("App.vue", text).imports == (Import("./Cart.vue", "", 3),)


def test_go_is_read_with_names_and_blocks() -> None:
    block = 'import (\n\tx "shop/cart" // "no/comment"\n\t_ "shop/pricing"\n)\n'
    text = f'package a\n\nimport "fmt"\n{block}var s = "shop/no"\n'
    assert [(one.module, one.line) for one in read_statements("a.go", text).imports] == [
        ("fmt", 3),
        ("shop/cart", 5),
        ("shop/pricing", 6),
    ]


def test_java_and_kotlin_say_their_package() -> None:
    java = "/* package no; */\npackage org.shop.cart;\nimport static org.shop.Money.of;\nimport org.shop.pricing.*;\n"
    said = read_statements("Cart.java", java)
    assert said.package == "org.shop.cart"
    assert said.imports == (Import("org.shop.Money.of", "", 3), Import("org.shop.pricing", "*", 4))
    kotlin = "package org.shop.`in`\nimport org.shop.price as cost\n"
    assert read_statements("a.kt", kotlin) == ((Import("org.shop.price", "", 2),), "org.shop.in")


@given(
    st.text(st.sampled_from("\"'`\\/*{}$#\n import from(x)"), max_size=80),
    st.sampled_from(["python", "script", "go", "jvm"]),
)
def test_whatever_is_blanked_keeps_its_length_and_lines(text: str, language: str) -> None:
    code = blank(text, language).code
    assert len(code) == len(text)
    assert [i for i, character in enumerate(code) if character == "\n"] == [
        i for i, character in enumerate(text) if character == "\n"
    ]
