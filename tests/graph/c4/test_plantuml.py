"""The macros of C4-PlantUML and their arguments."""

import pytest

from graph.c4 import read_model
from graph.elements import ElementKind
from tests.graph.c4.files import Files, arrows, diagram, element, read_diagram, refs, warned


@pytest.mark.parametrize("level", ["Person", "System", "Container", "Component"])
@pytest.mark.parametrize("shape", ["", "Db", "Queue"])
@pytest.mark.parametrize("external", ["", "_Ext"])
def test_each_macro_declares_its_element(level: str, shape: str, external: str) -> None:
    macro = f"{level}{shape if level != 'Person' else ''}{external}"
    model = read_diagram(f'{macro}(it, "It")')
    found = element(model, "It")
    assert (found.kind, found.external, found.identity) == (ElementKind(level.lower()), bool(external), "it")
    assert (found.file, found.line) == ("docs/shop.puml", 2)
    assert not model.warnings


def test_arguments_are_positional_or_named_quoted_or_not() -> None:
    model = read_diagram("""
        Person(u, User, "Buys, and returns (often)", $tags="vip+eu", $link="https://example.org/u")
        Container(api, "API", "Go, gRPC", "Serves", $sprite=$img, $tags='a' + "b", $shape=RoundedBoxShape())
        System(s, $descr="Sells", $label="Shop", $type="SaaS")
        Container(db, 'DB, main', $techn = "SQL")
        Container(odd, Users' store, 19" rack, "The "best" one")
    """)
    user, api = element(model, "User"), element(model, "API")
    assert (user.description, user.tags, user.url) == (
        "Buys, and returns (often)",
        ("vip", "eu"),
        "https://example.org/u",
    )
    assert (api.technology, api.description, api.tags) == ("Go, gRPC", "Serves", ("a", "b"))
    assert (element(model, "Shop").description, element(model, "DB, main").technology) == ("Sells", "SQL")
    odd = element(model, "Users' store")
    assert (odd.technology, odd.description) == ('19" rack', 'The "best" one')
    assert not model.warnings


def test_a_call_may_go_on_in_the_next_lines() -> None:
    model = read_diagram("""
        Container(api, "API",
            "Go",
            "Serves"
        )
        System_Boundary(s,
            "Shop") {
            Container(db, \\
                "DB")
        }
    """)
    assert (element(model, "API").description, element(model, "API").line) == ("Serves", 2)
    assert refs(model) == ["API", "Shop", "Shop.DB"]


def test_labels_lose_their_markup_and_descriptions_keep_their_lines() -> None:
    model = read_diagram(r"""
        System(s, "Order\nSystem", "<b>Takes</b> orders<br/>for **all**\n<color:red>shops</color> &amp; List<T>")
        System(t, "")
    """)
    assert refs(model) == ["Order System", "t"]
    assert element(model, "Order System").description == "Takes orders\nfor all\nshops & List<T>"


def test_boundaries_are_the_elements_around_their_parts() -> None:
    model = read_diagram("""
        Enterprise_Boundary(e, "Acme") {
            Person(u, "User")
            System_Boundary(s, "Shop", $tags="own", $link="https://example.org", $descr="Sells") {
                Boundary(edge, "Edge") {
                    Container(web, "Web")
                }
                Container_Boundary(api, "API") {
                    Component(cart, "Cart")
                }
            }
            Boundary(crm, "CRM", "Software System") {
                Boundary(sync, "Sync", $type="container") {
                    Component(job, "Job")
                }
            }
        }
        System_Boundary(empty, "Empty") {
        }
    """)
    assert [(e.ref, e.kind.value, e.group) for e in model.elements] == [
        ("User", "person", "Acme"),
        ("Shop", "system", "Acme"),
        ("Shop.Web", "container", "Edge"),
        ("Shop.API", "container", ""),
        ("Shop.API.Cart", "component", ""),
        ("CRM", "system", "Acme"),
        ("CRM.Sync", "container", ""),
        ("CRM.Sync.Job", "component", ""),
        ("Empty", "system", ""),
    ]
    shop = element(model, "Shop")
    assert (shop.identity, shop.tags, shop.url, shop.description) == ("s", ("own",), "https://example.org", "Sells")
    assert not model.warnings


def test_a_boundary_is_what_c4_puts_around_its_members() -> None:
    model = read_diagram("""
        System_Boundary(platform, "Platform") {
            System(shop, "Shop")
            Person(admin, "Admin")
        }
        Container_Boundary(site, "Site") {
            Container(web, "Web")
        }
        System_Boundary(related, "Related") {
            System(inner, "Inner")
        }
        Rel(admin, related, "Watches")
    """)
    assert [(e.ref, e.kind.value, e.group) for e in model.elements] == [
        ("Shop", "system", "Platform"),
        ("Admin", "person", "Platform"),
        ("Site", "system", ""),
        ("Site.Web", "container", ""),
        ("Related", "system", ""),
        ("Inner", "system", "Related"),
    ]
    assert arrows(model) == ["Admin -> Related: Watches"]


@pytest.mark.parametrize("suffix", ["", *"_D _Down _U _Up _L _Left _R _Right _Neighbor".split()])
def test_relationships_of_any_direction_point_to_their_second_end(suffix: str) -> None:
    model = read_diagram(
        f'System(a, "A")\nSystem(b, "B")\nRel{suffix}(a, b, "Uses", "HTTPS, JSON", $tags="x+y", $index=Index()-1)'
    )
    assert arrows(model) == ["A -> B: Uses [HTTPS, JSON]"]
    (known,) = model.relationships
    assert (known.tags, known.file, known.line) == (("x", "y"), "docs/shop.puml", 4)
    assert not model.warnings


def test_a_backward_arrow_begins_at_its_second_end_and_a_double_one_is_two() -> None:
    model = read_diagram("""
        System(a, "A")
        System(b, "B")
        System(c, "C")
        Rel_Back(a, b, "Calls")
        Rel_Back_Neighbor(a, c, "Writes to", "SQL", "at night")
        BiRel_R(b, c, "Syncs")
    """)
    assert arrows(model) == ["B -> A: Calls", "C -> A: Writes to: at night [SQL]", "B -> C: Syncs", "C -> B: Syncs"]


def test_relationships_that_lead_nowhere_are_left_out_with_a_warning() -> None:
    model = read_diagram("""
        Boundary(g, "Group") {
            System_Boundary(s, "S") {
                Container(c, "C")
            }
        }
        Rel(c, gone, "Uses")
        Rel(g, c, "Uses")
        Rel(s, c, "Uses")
        Rel(c)
    """)
    assert not model.relationships
    assert warned(model) == [
        "docs/shop.puml:10 a relationship needs two ends; it was left out",
        "docs/shop.puml:7 'gone' is no element; the relationship was left out",
        "docs/shop.puml:8 'g' is a group of elements; the relationship was left out",
        "docs/shop.puml:9 a relationship between an element and its own part was left out",
    ]


def test_properties_belong_to_the_next_element() -> None:
    model = read_diagram("""
        AddProperty("path", "src/api")
        AddProperty("Owner", "Blue")
        System_Boundary(s, "S") {
            Container(api, "API")
            SetPropertyHeader("Key", "Value", "Note")
            AddProperty("path", "src/web", "since May")
            Container(web, "Web")
            WithoutPropertyHeader()
            AddProperty("runs", "daily", "at noon")
            Component(job, "Job")
            AddProperty("lost")
            Rel(web, api, "Uses")
            Container(last, "Last")
        }
    """)
    assert element(model, "S.API").properties == {"path": "src/api", "Owner": "Blue"}
    assert element(model, "S.API").source == ("src/api",)
    assert element(model, "S.Web").properties == {"path": "src/web", "path.Note": "since May"}
    assert element(model, "S.Job").properties == {"runs": "daily", "runs.3": "at noon"}
    assert element(model, "S.Last").properties == {}


def test_a_link_into_this_repository_is_the_source() -> None:
    tree = Files(
        {
            "c4.puml": diagram("""
                System(own, "Own", $link="https://github.com/acme/shop/tree/main/src/own")
                System(other, "Other", $link="https://github.com/acme/other/tree/main/src/own")
            """),
            "src/own/a.py": "",
        }
    )
    model = read_model(tree, ["c4.puml"], remotes=["github.com/acme/shop"])
    assert element(model, "Own").source == ("src/own",)
    assert element(model, "Other").source == ()


def test_comments_are_no_part_of_the_diagram() -> None:
    model = read_diagram("""
        ' System(a, "A")
        /' System(b, "B")
        System(c, "C") '/ System(d, "D")
        System(e, "E /' no comment '/") /' one '/
        System(f, "It's") ' no comment either
    """)
    assert refs(model) == ["D", "E /' no comment '/", "It's"]


def test_deployment_nodes_and_steps_are_left_out_and_told() -> None:
    model = read_diagram("""
        !include <C4/C4_Dynamic>
        Deployment_Node(host, "Host", "Linux") {
            Node_L(vm, "VM") {
                Container(api, "API")
            }
        }
        System(s, "S")
        Rel(s, api, "Calls")
        RelIndex(1, s, api, "Calls")
    """)
    assert refs(model) == ["API", "S"]
    assert not model.relationships
    assert warned(model) == [
        "docs/shop.puml:3 deployment nodes are left out; the elements in them were read",
        "docs/shop.puml:9 the relationships of a dynamic diagram are its steps; they were left out",
    ]


def test_relationships_of_deployment_nodes_are_left_out_with_them() -> None:
    model = read_diagram("""
        Node(n, "N") {
            Container(api, "API")
        }
        Rel(n, api, "Runs")
    """)
    assert not model.relationships
    assert len(model.warnings) == 1


def test_boundaries_of_a_sequence_have_no_braces() -> None:
    model = read_diagram("""
        !include C4_Sequence.puml
        System_Boundary(s, "S")
            Container(a, "A")
        Boundary_End()
        Container(b, "B")
    """)
    assert refs(model) == ["S", "S.A", "B"]
