import pytest

from tests.graph.c4.files import element, read, warned

CODE: dict[str, str | bytes] = dict.fromkeys(
    (
        "main.go",
        "src/app/__init__.py",
        "src/app/errors.py",
        "src/lexer.c",
        "apps/ops/main.ts",
        "apps/dash/main.ts",
        "server/outer/inbound-policy.ts",
        "server/outer/state.ts",
        "web/[id]/page.tsx",
        "web/a,b.ts",
        "lib/src/main/java/org/shop/Cart.java",
        "backend/app/routers/cart.py",
        "docs/local.py",
        "one/twin.py",
        "two/twin.py",
    ),
    "",
)
REMOTES = ["github.com/acme/shop", "gitlab.example.org/group/sub/shop", "bitbucket.org/acme/shop"]


def sources(body: str, words: str = "") -> tuple[str, ...]:
    model = read(
        f"""
        s = softwareSystem "S" {{
            c = container "C" {words} {{
                {body}
            }}
        }}
        """,
        CODE,
        remotes=REMOTES,
    )
    return element(model, "S.C").source


def by_property(key: str, value: str) -> tuple[str, ...]:
    return sources(f"properties {{\n{key} {value}\n}}")


@pytest.mark.parametrize(
    "key",
    "path Paths file FILES source sources src code source.path sourceFile component.src".split()
    + "acme.path acme.paths acme.modulePath acme.devPaths acme.sourceFile".split(),
)
def test_property_names_that_mean_a_path_are_known_without_case(key: str) -> None:
    assert by_property(key, "main.go") == ("main.go",)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('"src/app/"', ("src/app",)),
        ('"./src/app"', ("src/app",)),
        ('"src/app/**/*.py"', ("src/app/**/*.py",)),
        ('"apps/ops; apps/dash"', ("apps/ops", "apps/dash")),
        ('"apps/ops|apps/dash"', ("apps/ops", "apps/dash")),
        ('"apps/ops, apps/dash"', ("apps/ops", "apps/dash")),
        ("\"['apps/ops', 'apps/dash']\"", ("apps/ops", "apps/dash")),
        ('"apps/{ops,dash}/*.ts"', ("apps/{ops,dash}/*.ts",)),
        ('"web/a,b.ts"', ("web/a,b.ts",)),
        ('"web/[id]/page.tsx"', ("web/[id]/page.tsx",)),
        ('"server/outer/inbound-policy.ts; state.ts"', ("server/outer/inbound-policy.ts", "server/outer/state.ts")),
        ('"src/app/errors.py:55"', ("src/app/errors.py",)),
        ('"src/app/errors.py#L1-L10"', ("src/app/errors.py",)),
        ('"src/lexer.c; src/app/errors.py:Gone,Lost"', ("src/lexer.c", "src/app/errors.py")),
        ('"src/app/errors.py::Gone.what"', ("src/app/errors.py",)),
        ('"gone/Cart.java:onTick,onDamage"', ("gone/Cart.java",)),
        ('"local.py"', ("local.py",)),
        ('"./local.py"', ("docs/local.py",)),
        ('"../src/app"', ("src/app",)),
        ('"src/gone.py"', ("src/gone.py",)),
        ('"../../outside.py"', ()),
        ('"${HOME}/src"', ()),
    ],
)
def test_a_value_is_split_and_stripped_to_paths(value: str, found: tuple[str, ...]) -> None:
    assert by_property("path", value) == found


def test_a_value_that_is_prose_is_no_path() -> None:
    assert by_property("source", '"HR data"') == ()
    assert by_property("source", "Internal") == ()


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://github.com/Acme/Shop/blob/main/src/lexer.c#L3", ("src/lexer.c",)),
        ("https://github.com/acme/shop/tree/feature/x/apps/ops/", ("apps/ops",)),
        ("https://github.com/acme/shop/tree/main/gone/apps/ops", ("gone/apps/ops",)),
        ("https://gitlab.example.org/group/sub/shop/-/blob/main/src/lexer.c?ref_type=heads", ("src/lexer.c",)),
        ("https://bitbucket.org/acme/shop/src/main/web/%5Bid%5D/page.tsx", ("web/[id]/page.tsx",)),
        ("https://raw.githubusercontent.com/acme/shop/main/main.go", ("main.go",)),
        ("https://github.com/acme/other/blob/main/src/lexer.c", ()),
        ("https://github.com/acme/shop", ()),
        ("https://github.com/acme/shop/tree/main", ()),
        ("https://github.com/acme/shop/blob/main/../../etc", ()),
        ("https://example.org/docs", ()),
        ("http://[broken", ()),
    ],
)
def test_a_url_counts_when_it_shows_a_file_of_this_repository(url: str, found: tuple[str, ...]) -> None:
    assert sources(f'url "{url}"') == found


def test_a_path_in_technology_or_description_counts_when_it_exists() -> None:
    assert sources("", '"" "Python module (errors.py)"') == ("src/app/errors.py",)
    assert sources("", '"" "src/lexer.c"') == ("src/lexer.c",)
    assert sources("", '"" "C (gone.c), Node.js, HTTP/JSON"') == ()
    assert sources("", '"" "module twin.py"') == ()
    assert sources("", "\"'backend/app/routers'\"") == ("backend/app/routers",)
    assert sources("", '"Takes orders (backend/app/routers/cart.py)"') == ("backend/app/routers/cart.py",)
    assert sources("", '"Reads main.go at the start"') == ()


def test_a_technology_that_names_the_linked_file_and_others_completes_the_link() -> None:
    link = 'url "https://github.com/acme/shop/blob/main/src/lexer.c"'
    assert sources(link, '"" "src/lexer.c + src/app/errors.py"') == ("src/lexer.c", "src/app/errors.py")
    assert sources(link, '"" "src/app/errors.py"') == ("src/lexer.c",)
    assert sources(link, '"" "C11"') == ("src/lexer.c",)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("org.shop.Basket", ("lib/src/main/kotlin/org/shop/basket/Basket.kt",)),
        ("org.shop.Cart", ("lib/src/main/java/org/shop/Cart.java",)),
        ("org.shop.Twin", ()),
        ("org.store.Basket", ()),
    ],
)
def test_a_class_may_lie_deeper_than_its_package_where_no_file_lies_as_it_says(
    name: str, found: tuple[str, ...]
) -> None:
    deeper = ("basket/Basket.kt", "basket/Cart.kt", "one/Twin.kt", "two/Twin.kt")
    tree = CODE | dict.fromkeys((f"lib/src/main/kotlin/org/shop/{path}" for path in deeper), "")
    model = read(f's = softwareSystem "S" {{\nproperties {{\ncomponent.type {name}\n}}\n}}', tree)
    assert element(model, "S").source == found


def test_what_a_component_finder_wrote_gives_symbol_and_source() -> None:
    model = read(
        """
        s = softwareSystem "S" {
            c = container "C" {
                one = component "One" {
                    properties {
                        component.type org.shop.Cart
                    }
                }
                two = component "Two" {
                    properties {
                        component.src "/build/x/org/shop/Cart.java"
                    }
                }
            }
        }
        """,
        CODE,
    )
    one, two = element(model, "S.C.One"), element(model, "S.C.Two")
    assert one.symbol == "org.shop.Cart"
    assert one.source == two.source == ("lib/src/main/java/org/shop/Cart.java",)


def test_the_first_way_that_finds_something_wins() -> None:
    assert sources('url "https://github.com/acme/shop/blob/main/main.go"\nproperties {\npath src/app\n}') == (
        "src/app",
    )


def test_the_projects_own_mapping_wins_and_an_unknown_name_is_a_warning() -> None:
    project = '[sources]\n"C" = ["apps/**"]\n"S.Chekout" = ["x"]\n'
    model = read(
        """
        s = softwareSystem "S" {
            c = container "C" {
                properties {
                    path src/app
                }
            }
            container "Checkout"
        }
        """,
        {**CODE, "archmem.toml": project},
        mapping={"C": ["apps/**"], "S.Chekout": ["x"]},
    )
    assert element(model, "S.C").source == ("apps/**",)
    (warning,) = warned(model)
    assert warning.startswith("archmem.toml:3 ")
    assert "S.Checkout" in warning


def test_a_pattern_of_too_many_alternatives_is_left_out_with_a_warning() -> None:
    wide = "src/{1..257}/*.py"
    model = read(
        f"""
        s = softwareSystem "S" {{
            properties {{
                paths "{wide}; src/lexer.c"
            }}
        }}
        t = softwareSystem "T"
        """,
        mapping={"T": (wide, "main.go", wide)},
    )
    assert element(model, "S").source == ("src/lexer.c",)
    assert element(model, "T").source == ("main.go",)
    assert [text for text in warned(model) if "stands for more than 256 patterns; it was left out" in text] == [
        f"{one.file}:{one.line} {wide!r} stands for more than 256 patterns; it was left out" for one in model.elements
    ]


def test_a_person_has_no_source() -> None:
    assert element(read('person "P" "main.go"', CODE), "P").source == ()
