"""How imports are resolved, whose files are, and what hides an absence, in real repositories."""

from collections.abc import Mapping, Sequence

import pytest

from graph.drift_report import DependencyFinding
from tests.drift.conftest import Checkout

GO_MOD = "module example.org/shop\n\ngo 1.22\n"


def model(sources: Mapping[str, str], uses: Sequence[str] = (), more: str = "") -> str:
    """Return a workspace with one container and a component for each name and source."""
    parts = [
        f'{name.lower()} = component "{name}" {{\nproperties {{\n"source" "{source}"\n}}\n}}'
        for name, source in sources.items()
    ]
    lines = [
        "workspace {",
        "model {",
        'shop = softwareSystem "Shop" {',
        'api = container "API" {',
        *parts,
        "}",
        more,
        "}",
    ]
    return "\n".join([*lines, *uses, "}", "}", ""])


PYTHON = {
    "shop/__init__.py": "",
    "shop/cart/__init__.py": "",
    "shop/cart/add.py": "import json\nfrom shop.pricing.price import price\n",
    "shop/pricing/__init__.py": "",
    "shop/pricing/price.py": "def price(): ...\n",
}
BOTH = {"Cart": "shop/cart", "Pricing": "shop/pricing"}


def dependencies(checkout: Checkout) -> tuple[DependencyFinding, ...]:
    return checkout.check().dependencies


def pairs(found: Sequence[DependencyFinding]) -> list[tuple[str, str, bool]]:
    return [(one.source.rpartition(".")[2], one.target.rpartition(".")[2], one.declared) for one in found]


RESOLVED = {
    "a source folder": (
        {
            "pyproject.toml": "",
            "src/shop/__init__.py": "",
            "src/shop/pricing.py": "",
            "src/shop/cart.py": "import shop.pricing as p",
        },
        {"Cart": "src/shop/cart.py", "Pricing": "src/shop/pricing.py"},
    ),
    "a relative import": (
        {"shop/pricing.py": "", "shop/cart.py": "def f():\n    from . import pricing\n"},
        {"Cart": "shop/cart.py", "Pricing": "shop/pricing.py"},
    ),
    "another package of the repository": (
        {
            "a/setup.py": "",
            "a/cart.py": "from pricing.x import y",
            "b/setup.py": "",
            "b/pricing/__init__.py": "",
            "b/pricing/x.py": "",
        },
        {"Cart": "a", "Pricing": "b"},
    ),
    "paths of an extended configuration with comments": (
        {
            "base.json": '{ // ours\n "compilerOptions": {"baseUrl": ".", "paths": {"@pricing/*": ["pricing/*"],}}}',
            "app/tsconfig.json": '{"extends": "../base.json"}',
            "app/cart.ts": "export * from '@pricing/price'",
            "pricing/price/index.tsx": "",
        },
        {"Cart": "app", "Pricing": "pricing"},
    ),
    "a base address": (
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}',
            "src/cart/a.js": "require('pricing/b')",
            "src/pricing/b.js": "",
        },
        {"Cart": "src/cart", "Pricing": "src/pricing"},
    ),
    "a package of the workspace": (
        {
            "a/package.json": '{"name": "@shop/cart"}',
            "a/x.ts": "const p = await import('@shop/pricing')",
            "b/package.json": '{"name": "@shop/pricing", "main": "dist/index.js"}',
            "b/src/index.ts": "",
        },
        {"Cart": "a", "Pricing": "b"},
    ),
    "another module, replaced": (
        {
            "a/go.mod": "module a.org/cart\n\nreplace p.org/pricing => ../b\n",
            "a/x.go": 'package main\nimport p "p.org/pricing/money"\n',
            "b/go.mod": "module elsewhere.org/fork\n",
            "b/money/m.go": "package money\n",
        },
        {"Cart": "a", "Pricing": "b"},
    ),
    "a wildcard": (
        {"a/C.java": "package c;\nimport static p.Money.*;\n", "b/Money.java": "package p;\n"},
        {"Cart": "a", "Pricing": "b"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "sources"), RESOLVED.values(), ids=RESOLVED.keys())
def test_imports_are_resolved_to_files(empty: Checkout, code: Mapping[str, str], sources: Mapping[str, str]) -> None:
    empty.commit({**code, "workspace.dsl": model(sources)})
    assert pairs(dependencies(empty)) == [("Cart", "Pricing", False)]


NOBODYS = {
    "a package of somebody else's": {
        "shop/cart/a.py": "import pricing_client\nimport logging\n",
        "shop/pricing/logging.py": "",
    },
    "a module that two roots have": {
        "shop/cart/a.py": "import common.money",
        **{f"{root}/common/{name}.py": "" for root in ("shop/pricing", "other") for name in ("__init__", "money")},
    },
    "a test": {"shop/cart/test_a.py": "from shop.pricing import b", "shop/pricing/b.py": "", "shop/cart/a.py": ""},
    "a generated file": {
        ".gitattributes": "*_pb.py linguist-generated\n",
        "shop/cart/a_pb.py": "from shop.pricing import b",
        "shop/pricing/b.py": "",
    },
    "a type alone": {"shop/cart/a.ts": "import type { P } from '../pricing/b'", "shop/pricing/b.ts": ""},
    "a file that is not there": {"shop/cart/a.ts": "import '../pricing/generated'", "shop/pricing/b.ts": ""},
    "a folder in Go that two elements share": {
        "go.mod": GO_MOD,
        "shop/cart/a.go": 'package cart\nimport "example.org/shop/shop/pricing"\n',
        "shop/pricing/b.go": "package pricing\n",
        "shop/pricing/other.go": "package pricing\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("code", NOBODYS.values(), ids=NOBODYS.keys())
def test_what_leads_to_no_elements_file_is_nobodys(empty: Checkout, code: Mapping[str, str]) -> None:
    sources = {**BOTH, "Other": "shop/pricing/other.go"}
    empty.commit({**code, "workspace.dsl": model(sources)})
    assert [one for one in pairs(dependencies(empty)) if one[0] == "Cart"] == []


def test_a_relationship_of_what_the_elements_lie_in_covers_them(empty: Checkout) -> None:
    more = 'web = container "Web" {\npage = component "Page" {\nproperties {\n"source" "web"\n}\n}\n}'
    code = {
        **PYTHON,
        "web/__init__.py": "",
        "web/page.py": "from shop.pricing import price\nfrom shop.cart import add\n",
    }
    empty.commit({**code, "workspace.dsl": model(BOTH, ["cart -> pricing"], more)})
    assert pairs(dependencies(empty)) == [("Page", "Cart", False), ("Page", "Pricing", False)]
    for uses in ("web -> api", "page -> api", "web -> cart"):
        empty.commit({"workspace.dsl": model(BOTH, ["cart -> pricing", uses], more)})
        assert dependencies(empty) == (), uses


def test_a_file_of_two_elements_is_the_innermost_ones(empty: Checkout) -> None:
    sources = {"Cart": "shop/cart", "Pricing": "shop/pricing", "All": "shop"}
    empty.commit({**PYTHON, "shop/main.py": "from shop.cart import add\n", "workspace.dsl": model(sources)})
    assert pairs(dependencies(empty)) == [("Cart", "Pricing", False)]


def test_decisions_about_either_element_stand_beside_the_finding(empty: Checkout) -> None:
    text = model(BOTH).replace('component "Cart" {', 'component "Cart" {\n!adrs adr')
    adr = "# 1. Carts know no prices\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n"
    empty.commit({**PYTHON, "workspace.dsl": text, "adr/0001-carts.md": adr})
    [found] = dependencies(empty)
    assert found.decisions == ("ADR-1",)


ABSENT = {
    **PYTHON,
    "shop/cart/add.py": "from shop.money import cents\n",
    "shop/money.py": "cents = 1\n",
    "shop/checkout/__init__.py": "from shop.pricing.price import price\n",
}
THREE = {**BOTH, "Checkout": "shop/checkout"}
USES = ("cart -> pricing", "checkout -> pricing")


def test_a_declared_use_that_the_code_lacks_is_found_with_its_line(empty: Checkout) -> None:
    text = model(THREE, USES)
    empty.commit({**ABSENT, "workspace.dsl": text})
    [found] = dependencies(empty)
    assert pairs([found]) == [("Cart", "Pricing", True)]
    assert text.splitlines()[found.line - 1] == "cart -> pricing"
    assert found.file == "workspace.dsl"


SILENT = {
    "a path through what is nobody's": {"shop/money.py": "from shop.pricing import price\ncents = 1\n"},
    "the other way round": {"shop/pricing/price.py": "from shop.cart.add import cents\n"},
    "somebody who joins both": {"shop/main.py": "from shop.cart import add\nfrom shop.pricing import price\n"},
    "a message that both know": {
        "shop/handler.py": "from shop.money import cents\nfrom shop.pricing import price\n",
    },
    "what nobody imports: it is loaded by name": {"shop/checkout/__init__.py": ""},
    "an import that cannot be told": {"shop/cart/add.py": "from shop.money import cents\nfrom .generated import x\n"},
    "a type alone": {"shop/cart/late.py": "if TYPE_CHECKING:\n    from shop.pricing import price\n"},
}


@pytest.mark.parametrize("change", SILENT.values(), ids=SILENT.keys())
def test_nothing_is_absent_that_may_be_joined_otherwise(empty: Checkout, change: Mapping[str, str]) -> None:
    empty.commit({**ABSENT, **change, "workspace.dsl": model(THREE, USES)})
    assert [one for one in dependencies(empty) if one.declared] == []


def test_without_relationships_only_undeclared_ones_are_left(empty: Checkout) -> None:
    empty.commit({**ABSENT, "workspace.dsl": model(THREE)})
    found = dependencies(empty)
    assert pairs(found) == [("Checkout", "Pricing", False)]
    declared = [f"{one.source.rpartition('.')[2].lower()} -> {one.target.rpartition('.')[2].lower()}" for one in found]
    empty.commit({"workspace.dsl": model(THREE, declared)})
    assert dependencies(empty) == ()
