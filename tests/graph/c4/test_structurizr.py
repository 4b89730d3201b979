import pytest

from graph.elements import ElementKind
from tests.graph.c4.files import element, read, warned


def test_an_element_has_its_words_its_place_and_its_line() -> None:
    model = read("""
        customer = person "Customer" "Buys books" "Human,VIP"
        shop = softwareSystem "Book Shop" "Sells books" {
            api = container "API v1.0" "Takes orders" "Python" "Core" {
                cart = component "Cart" {
                    description "Holds the basket"
                    technology "FastAPI"
                    tags "A,B" "C"
                    url "https://example.org/cart"
                    properties {
                        owner "Team Blue"
                        "ticket.queue" "CART"
                    }
                }
            }
        }
        box = element "Warehouse Robot" "Hardware" "Fetches books" "Robot"
    """)
    cart = element(model, "Book Shop.API v1.0.Cart")
    assert (cart.kind, cart.name, cart.parent) == (ElementKind.COMPONENT, "Cart", "Book Shop.API v1.0")
    assert (cart.description, cart.technology, cart.tags) == ("Holds the basket", "FastAPI", ("A", "B", "C"))
    assert dict(cart.properties) == {"owner": "Team Blue", "ticket.queue": "CART"}
    assert (cart.url, cart.identity) == ("https://example.org/cart", "cart")
    assert (cart.file, cart.line) == ("docs/workspace.dsl", 6)
    assert element(model, "Customer").tags == ("Human", "VIP")
    robot = element(model, "Warehouse Robot")
    assert (robot.kind, robot.technology, robot.description) == (ElementKind.CUSTOM, "Hardware", "Fetches books")


def test_keywords_and_identifiers_ignore_case() -> None:
    model = read("""
        A = SoftwareSystem "A"
        B = SOFTWARESYSTEM "B"
        a -> b "Uses" "HTTP" "Sync"
    """)
    (uses,) = model.relationships
    assert (uses.source, uses.target, uses.description, uses.technology) == ("A", "B", "Uses", "HTTP")
    assert (uses.tags, uses.file, uses.line) == (("Sync",), "docs/workspace.dsl", 5)


def test_a_default_tag_is_not_an_explicit_one() -> None:
    model = read('s = softwareSystem "S" "" "Element,Software System,Container"')
    assert element(model, "S").tags == ("Container",)


@pytest.mark.parametrize("tag", ["External", "external", "External System", "external-api"])
def test_a_tag_that_says_external_makes_the_element_external(tag: str) -> None:
    model = read(f'''
        softwareSystem "Bank" "" "{tag}"
        softwareSystem "Mainframe" "" "Existing System"
    ''')
    assert element(model, "Bank").external
    assert not element(model, "Mainframe").external


def test_what_stands_outside_of_an_old_enterprise_block_is_external() -> None:
    model = read("""
        guest = person "Guest"
        enterprise "Shop" {
            own = softwareSystem "Own"
        }
    """)
    assert element(model, "Guest").external
    assert not element(model, "Own").external
    assert warned(model)[0].startswith("docs/workspace.dsl:4 enterprise is gone")


def test_hierarchical_identifiers_are_looked_up_from_the_inside_out() -> None:
    model = read("""
        !identifiers hierarchical
        one = softwareSystem "One" {
            api = container "API"
            db = container "DB"
            api -> db
        }
        two = softwareSystem "Two" {
            api = container "API"
            -> one.api "Calls"
        }
        softwareSystem "Nameless" {
            api = container "API"
            worker = container "Worker" {
                -> api
            }
        }
    """)
    assert element(model, "Two.API").identity == "two.api"
    assert element(model, "Nameless.API").identity == ""
    assert [(r.source, r.target) for r in model.relationships] == [
        ("One.API", "One.DB"),
        ("Two", "One.API"),
        ("Nameless.Worker", "Nameless.API"),
    ]


def test_groups_join_their_names_and_may_have_identifiers() -> None:
    model = read("""
        properties {
            "structurizr.groupSeparator" "|"
        }
        all = group "Company" {
            sales = group "Sales" {
                shop = softwareSystem "Shop" {
                    group "Backend" {
                        api = container "API" {
                            component "Cart" {
                                group "Domain"
                            }
                        }
                    }
                }
            }
        }
        user = person "User"
        !elements all {
            user -> this "Works with"
        }
    """)
    assert element(model, "Shop").group == "Company|Sales"
    assert element(model, "Shop.API").group == "Backend"
    assert element(model, "Shop.API.Cart").group == "Domain"
    assert [(r.source, r.target) for r in model.relationships] == [("User", "Shop")]


def test_nested_groups_without_a_separator_are_joined_by_a_slash() -> None:
    model = read("""
        group "Company" {
            group "Sales" {
                softwareSystem "Shop"
            }
        }
    """)
    assert element(model, "Shop").group == "Company/Sales"


def test_archetypes_bring_their_words_tags_and_properties() -> None:
    model = read("""
        archetypes {
            application = container {
                technology "Java"
                tag "Application"
            }
            boot = application {
                technology "Spring Boot"
                properties {
                    path "services"
                }
            }
            -> {
                tag "Default"
            }
            sync = -> {
                tag "Sync"
            }
            https = --sync-> {
                technology "HTTPS"
            }
        }
        shop = softwareSystem "Shop" {
            api = Boot "API" "Takes orders" {
                tags "Own"
            }
            db = application "DB" "" "Postgres"
            api --https-> db "Reads"
        }
    """)
    api = element(model, "Shop.API")
    assert (api.kind, api.technology, api.tags) == (ElementKind.CONTAINER, "Spring Boot", ("Application", "Own"))
    assert dict(api.properties) == {"path": "services"}
    assert element(model, "Shop.DB").technology == "Postgres"
    assert model.relationships[0].technology == "HTTPS"
    assert model.relationships[0].tags == ("Default", "Sync")


def test_bulk_statements_change_what_is_there_already() -> None:
    model = read("""
        shop = softwareSystem "Shop" {
            api = container "API" "" "Python"
            db = container "D.B/1"
            rel = api -> db "Reads"
        }
        !element api {
            properties {
                path "src/api"
            }
            cart = component "Cart"
        }
        !element "Container://Shop.DB1" {
            tags "Store"
        }
        !elements "element.parent==shop && element.tag!=Store" {
            tags "Stateless"
            properties {
                team "Blue"
            }
        }
        !elements "element.type==Container" {
            url "https://example.org"
        }
        !relationship rel {
            tags "Hot"
        }
        !relationships "*->db" {
            tags "ToStore"
        }
    """)
    assert dict(element(model, "Shop.API").properties) == {"path": "src/api", "team": "Blue"}
    assert element(model, "Shop.API.Cart").identity == "cart"
    assert element(model, "Shop.D.B/1").tags == ("Store",)
    assert element(model, "Shop.API").tags == ("Stateless",)
    assert element(model, "Shop.D.B/1").url == "https://example.org"
    assert model.relationships[0].tags == ("Hot", "ToStore")
    assert not model.warnings


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("element.tag==Element", ["A", "B", "A.Web", "A.Data"]),
        ("element.tag==Container,Big", ["A.Data"]),
        ("element.technology==Go", ["A.Web"]),
        ("element.technology!=Go", ["A.Data"]),
        ("element.properties[tier]==1", ["A.Web"]),
        ("element.group==Core", ["A.Web"]),
        ("element!=a", ["B", "A.Web", "A.Data"]),
        ("element==element.type==softwareSystem", ["A", "B"]),
        ("b->", ["A", "B", "A.Data"]),
        ("->data->", ["B", "A.Web", "A.Data"]),
        ("a || web", ["A", "A.Web"]),
    ],
)
def test_expressions_choose_elements_and_count_implied_relationships(expression: str, chosen: list[str]) -> None:
    model = read(f'''
        a = softwareSystem "A" {{
            group "Core" {{
                web = container "Web" "" "Go" {{
                    properties {{
                        tier 1
                    }}
                }}
            }}
            data = container "Data" "" "" "Big"
            web -> data
        }}
        b = softwareSystem "B"
        b -> data
        !elements "{expression}" {{
            tags "Chosen"
        }}
    ''')
    assert {e.ref for e in model.elements if "Chosen" in e.tags} == set(chosen)


def test_constants_and_text_blocks_are_put_in_and_the_environment_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_NAME", "hunter2")
    model = read('''
        !const ORG "Shop & Co"
        !var TEXT """
            First "line" of ${ORG}
              indented
        """
        softwareSystem "${ORG}" {
            description "${TEXT}"
        }
        softwareSystem "${SECRET_NAME}"
    ''')
    assert element(model, "Shop & Co").description == 'First "line" of Shop & Co\n  indented'
    assert element(model, "${SECRET_NAME}")


def test_lines_go_on_after_a_backslash_and_comments_are_left_out() -> None:
    model = read("""
        // person "No"
        # person "No"
        /* person "No" */
        /*
            person "No" {
        */
        s = \\
            softwareSystem "Long \\
            Name" "Says \\"hi\\""
    """)
    assert [(e.ref, e.description, e.line) for e in model.elements] == [("Long Name", 'Says "hi"', 9)]


def test_a_closing_quote_ends_the_word_at_once() -> None:
    model = read("""
        s = softwareSystem "S" {
            c = container "C" "" "Java EE"{
                tags "A",b
            }
        }
    """)
    assert (element(model, "S.C").technology, element(model, "S.C").tags) == ("Java EE", ("A", "b"))


def test_this_is_the_element_of_the_block() -> None:
    model = read("""
        u = person "U"
        s = softwareSystem "S" {
            u -> this
            c = container "C" {
                this -> u
            }
        }
    """)
    assert [(r.source, r.target) for r in model.relationships] == [("U", "S"), ("S.C", "U")]
