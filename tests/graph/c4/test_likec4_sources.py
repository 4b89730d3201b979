"""The ways in which real LikeC4 models say what implements an element."""

import pytest

from graph.c4 import read_model
from graph.elements import Element
from tests.graph.c4.files import Files

CODE: dict[str, str | bytes] = dict.fromkeys(
    (
        "cli/src/root.rs",
        "cli/src/main.rs",
        "plugins/cart/a.py",
        "tools/check.py",
        "server/src/org/shop/rpc/MethodRouter.kt",
        "docs/arch/local/x.ts",
        "docs/guide.md",
        "docs/arch/logo.svg",
        "src/x.ts",
        "docs/src/x.ts",
    ),
    "",
)
REMOTES = ["github.com/acme/shop"]


def read(body: str) -> Element:
    """Read `docs/arch/models/m.c4` with one element of this body."""
    text = f"specification {{\n element system\n}}\nmodel {{\n s = system {{\n{body}\n}}\n}}"
    tree = Files({**CODE, "docs/arch/likec4.config.json": "{}", "docs/arch/models/m.c4": text})
    (element,) = read_model(tree, ["docs/arch/models/m.c4"], remotes=REMOTES).elements
    return element


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ('metadata { source "cli/src/root.rs" }', ("cli/src/root.rs",)),
        ('metadata { source "cli/src/root.rs"\n source "cli/src/main.rs:7" }', ("cli/src/root.rs", "cli/src/main.rs")),
        (
            "metadata { path ['./plugins/cart/', './tools/check.py', './gone/'] }",
            ("plugins/cart", "tools/check.py", "gone"),
        ),
        ("metadata { path '../local/x.ts' }", ("docs/arch/local/x.ts",)),
        ('metadata { fqName "org.shop.rpc.MethodRouter" }', ("server/src/org/shop/rpc/MethodRouter.kt",)),
        ('link https://github.com/acme/shop/blob/main/cli/src/root.rs "Source"', ("cli/src/root.rs",)),
        (
            "link https://shop.example\nlink https://github.com/ACME/shop/tree/main/cli\n"
            "link https://github.com/acme/shop/blob/main/tools/check.py#L1-L9 'Check'",
            ("cli", "tools/check.py"),
        ),
        ("link https://github.com/acme/shop", ()),
        ("link https://github.com/other/shop/blob/main/cli/src/root.rs", ()),
        ("link ./src/x.ts#L1-L10", ("docs/src/x.ts",)),
        ("link ../local/x.ts", ("docs/arch/local/x.ts",)),
        ("link /src/x.ts?plain=1", ("docs/src/x.ts",)),
        ("link ./cli/src/ 'All of it'", ("cli/src",)),
        ("link ../../../src/x.ts", ("src/x.ts",)),
        ("link ../../../../src/x.ts", ()),
        ("link ./gone.ts\nlink /view/7\nlink ../../guide.md\nlink ../logo.svg\nlink ./m.c4#L3\nlink @x/src/x.ts", ()),
        ("link ./m.c4#L3\nlink /tools/check.py", ("tools/check.py",)),
        ("link ./src/x.ts\nmetadata { path 'cli' }", ("cli",)),
        ("technology 'Rust (cli/src/main.rs)'", ("cli/src/main.rs",)),
    ],
)
def test_metadata_and_links_name_the_code(body: str, source: tuple[str, ...]) -> None:
    assert read(body).source == source


def test_a_symbol_is_kept() -> None:
    assert read('metadata { fqName "org.shop.rpc.MethodRouter" }').symbol == "org.shop.rpc.MethodRouter"
