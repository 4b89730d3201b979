"""Dependencies between elements: what the code imports beside what the model says, in real repositories."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift import DriftPolicy
from drift.dependencies.statements import read_statements
from graph.drift_report import DependencyFinding, Verdict
from tests.drift.conftest import Checkout

A, B, C = "Shop.API.A", "Shop.API.B", "Shop.API.C"


def dsl(sources: Mapping[str, str], *relations: str) -> str:
    """Return a workspace with one container, and a component for each name and source."""
    lines = ["workspace {", " model {", '  shop = softwareSystem "Shop" {', '   api = container "API" {']
    for name, source in sources.items():
        lines.append(f'    {name.lower()} = component "{name}" {{')
        lines.append(f'     properties {{\n      "source" "{source}"\n     }}\n    }}')
    return "\n".join([*lines, *(f"    {one}" for one in relations), "   }", "  }", " }", "}", ""])


def dependencies(checkout: Checkout, **options: object) -> tuple[DependencyFinding, ...]:
    return checkout.check(**options).dependencies  # type: ignore[arg-type]


def undeclared(checkout: Checkout) -> dict[tuple[str, str], str]:
    found = [one for one in dependencies(checkout) if not one.declared]
    return {(one.source, one.target): f"{one.file}:{one.line} x{one.imports}" for one in found}


TREES: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "python, absolute from a source root": (
        {"A": "src/shop/a", "B": "src/shop/b"},
        {
            "pyproject.toml": '[project]\nname = "shop"\n',
            "src/shop/__init__.py": "",
            "src/shop/a/__init__.py": "",
            "src/shop/a/cart.py": "import os\nfrom shop.b.prices import price\n\ndef f():\n    import shop.b.prices\n",
            "src/shop/b/__init__.py": "",
            "src/shop/b/prices.py": "price = 1\n",
        },
        "src/shop/a/cart.py:2 x2",
    ),
    "python, relative": (
        {"A": "shop/a.py", "B": "shop/b.py"},
        {
            "shop/__init__.py": "",
            "shop/a.py": '"""from . import c"""\nfrom . import b as bee\n',
            "shop/b.py": "x = 1\n",
        },
        "shop/a.py:2 x1",
    ),
    "typescript, relative to an index": (
        {"A": "src/a", "B": "src/b"},
        {
            "src/a/cart.ts": "// import './c';\nimport { price } from '../b';\n",
            "src/b/index.ts": "export const price = 1;\n",
        },
        "src/a/cart.ts:2 x1",
    ),
    "typescript, by the paths of tsconfig": (
        {"A": "src/a", "B": "src/b"},
        {
            "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", /* b */ "paths": { "@b/*": ["src/b/*"] }, } }\n',
            "src/a/cart.tsx": "const lazy = () => import('@b/prices');\n",
            "src/b/prices.ts": "export const price = 1;\n",
        },
        "src/a/cart.tsx:1 x1",
    ),
    "javascript, by require": (
        {"A": "src/a", "B": "src/b"},
        {"src/a/cart.js": "const b = require('../b/prices');\n", "src/b/prices.js": "module.exports = 1;\n"},
        "src/a/cart.js:1 x1",
    ),
    "go, by the module's path": (
        {"A": "internal/a", "B": "internal/b"},
        {
            "go.mod": "module example.org/shop\n\ngo 1.22\n",
            "internal/a/a.go": 'package a\n\nimport (\n\t"fmt"\n\n\t"example.org/shop/internal/b"\n)\n',
            "internal/b/b.go": "package b\n\nvar Price = 1\n",
        },
        "internal/a/a.go:6 x1",
    ),
    "java, by the declared package": (
        {"A": "src/main/java/org/shop/a", "B": "src/main/java/org/shop/b"},
        {
            "src/main/java/org/shop/a/Cart.java": (
                "package org.shop.a;\n\nimport java.util.*;\nimport org.shop.b.Price;\n"
            ),
            "src/main/java/org/shop/b/Price.java": "package org.shop.b;\n\npublic class Price {}\n",
        },
        "src/main/java/org/shop/a/Cart.java:4 x1",
    ),
    "kotlin": (
        {"A": "src/main/kotlin/a", "B": "src/main/kotlin/b"},
        {
            "src/main/kotlin/a/Cart.kt": "package a\n\nimport b.Price\n\nclass Cart\n",
            "src/main/kotlin/b/Price.kt": "package b\n\nclass Price\n",
        },
        "src/main/kotlin/a/Cart.kt:3 x1",
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_what_the_code_imports_and_the_model_does_not_say_is_told_until_it_is_said(empty: Checkout, name: str) -> None:
    sources, files, place = TREES[name]
    empty.commit({"workspace.dsl": dsl(sources), **files})
    assert undeclared(empty) == {(A, B): place}
    empty.commit({"workspace.dsl": dsl(sources, "a -> b")})
    assert dependencies(empty) == ()


@pytest.mark.parametrize("name", TREES)
def test_a_relationship_the_other_way_declares_nothing(empty: Checkout, name: str) -> None:
    sources, files, place = TREES[name]
    empty.commit({"workspace.dsl": dsl(sources, "b -> a"), **files})
    assert undeclared(empty) == {(A, B): place}


PYTHON = {"A": "shop/a", "B": "shop/b", "C": "shop/c"}
MODULES = {f"shop/{name}/__init__.py": "" for name in "abc"} | {"shop/__init__.py": "", "shop/b/b.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/a/a.py", "# from shop.b import b\n"),
        ("shop/a/a.py", 'TEXT = """\nfrom shop.b import b\n"""\n'),
        ("shop/a/a.py", "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop.b import b\n"),
        ("shop/a/a.py", "from elsewhere.b import b\nimport b\n"),
        ("shop/a/tests/test_a.py", "from shop.b import b\n"),
        ("shop/a/a.py", "from shop import a\nfrom shop.a import x\n"),
    ],
    ids=["comment", "string", "types alone", "not of this repository", "test", "itself"],
)
def test_what_is_no_dependency_of_the_product(empty: Checkout, path: str, text: str) -> None:
    empty.commit({"workspace.dsl": dsl(PYTHON), **MODULES, path: text})
    assert dependencies(empty) == ()


def test_types_alone_of_a_script_are_no_dependency(empty: Checkout) -> None:
    sources, files, _ = TREES["typescript, relative to an index"]
    files = files | {"src/a/cart.ts": "import type { Price } from '../b';\n"}
    empty.commit({"workspace.dsl": dsl(sources), **files})
    assert dependencies(empty) == ()


def test_an_ignored_file_and_a_switched_off_check_say_nothing(empty: Checkout) -> None:
    sources, files, _ = TREES["python, relative"]
    empty.commit({"workspace.dsl": dsl(sources), **files})
    assert dependencies(empty, policy=DriftPolicy(ignore=("shop/a.py",))) == ()
    assert dependencies(empty, policy=DriftPolicy(dependencies=False)) == ()


def test_what_is_left_out_is_said(empty: Checkout) -> None:
    sources, files, _ = TREES["python, relative"]
    empty.commit({"workspace.dsl": dsl(sources), **files})
    report = empty.check(policy=DriftPolicy(dependency_files=1))
    assert [fault.what for fault in report.warnings] == [
        "of 2 files only 1 were read: what the others import is not known"
    ]


def test_a_dependency_changes_neither_score_nor_verdict(empty: Checkout) -> None:
    sources, files, _ = TREES["python, relative"]
    empty.commit({"workspace.dsl": dsl(sources), **files})
    report = empty.check()
    assert report.dependencies
    assert {one.verdict for one in report.elements if one.source} == {Verdict.MATCHED}
    assert report.score == empty.check(policy=DriftPolicy(dependencies=False)).score


def test_a_declared_dependency_that_the_code_would_show_and_does_not_is_told(empty: Checkout) -> None:
    files = {
        "shop/a/a.py": "from shop.c import c\n",
        "shop/c/c.py": "y = 2\n",
        "shop/main.py": "from shop.b import b\n",
    }
    empty.commit({"workspace.dsl": dsl(PYTHON, "a -> b", "a -> c"), **MODULES, **files})
    (absent,) = dependencies(empty)
    assert (absent.source, absent.target, absent.declared) == (A, B, True)
    assert absent.file == "workspace.dsl"
    assert (empty.root / "workspace.dsl").read_text().splitlines()[absent.line - 1].strip() == "a -> b"


@pytest.mark.parametrize(
    "hidden",
    [
        {"shop/main.py": "from shop.b import b\nfrom shop.a import a\n"},
        {"shop/c/c.py": "from shop.b import b\n"},
        {"shop/a/a.py": "from shop.c import c\nif TYPE_CHECKING:\n    from shop.b import b\n"},
    ],
    ids=["who makes both", "a third", "types alone"],
)
def test_what_may_join_two_elements_hides_an_absence(empty: Checkout, hidden: dict[str, str]) -> None:
    files = {
        "shop/a/a.py": "from shop.c import c\n",
        "shop/c/c.py": "y = 2\n",
        "shop/main.py": "from shop.b import b\n",
    }
    empty.commit({"workspace.dsl": dsl(PYTHON, "a -> b", "a -> c", "c -> b"), **MODULES, **files, **hidden})
    assert (A, B) not in {(one.source, one.target) for one in dependencies(empty)}


def test_a_technology_may_not_be_an_import(empty: Checkout) -> None:
    files = {
        "shop/a/a.py": "from shop.c import c\n",
        "shop/c/c.py": "y = 2\n",
        "shop/main.py": "from shop.b import b\n",
    }
    empty.commit({"workspace.dsl": dsl(PYTHON, 'a -> b "asks" "HTTP"', "a -> c"), **MODULES, **files})
    assert dependencies(empty) == ()


def test_what_was_read_is_kept_by_its_content(empty: Checkout) -> None:
    sources, files, _ = TREES["python, relative"]
    empty.commit({"workspace.dsl": dsl(sources), **files})
    kept: dict[str, str] = {}
    first = dependencies(empty, found=kept)
    assert any(key.startswith("imports ") for key in kept)
    assert dependencies(empty, found=kept) == first
    empty.commit({"shop/a.py": "x = 1\n"})
    assert dependencies(empty, found=kept) == ()


PIECES = [
    "import ",
    "from ",
    "require(",
    "package ",
    "'../b'",
    '"""',
    "/*",
    "{",
    "\\\n",
    "\n",
    " as b",
    ".",
    "<script>",
    "\ufeff",
]


@settings(deadline=None)
@given(
    path=st.sampled_from(["a.py", "a.ts", "a.go", "A.java", "a.vue"]),
    parts=st.lists(st.sampled_from(PIECES) | st.text()),
)
def test_whatever_a_file_holds_its_imports_stand_in_it(path: str, parts: list[str]) -> None:
    text = "".join(parts)
    lines = text.count("\n") + 1
    assert all(1 <= one.line <= lines for one in read_statements(path, text).imports)
