"""C4-PlantUML: macros, their arguments, the preprocessor, and how several diagrams are one model."""

import pytest

from graph.c4 import find_models, read_model
from graph.elements import ElementKind
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, arrows, diagram, element, read_diagram, refs, warned

LIBRARY = "!include https://raw.githubusercontent.com/plantuml-stdlib/C4-PlantUML/master/C4_Container.puml\n"


def refused(body: str) -> list[str]:
    with pytest.raises(UnreadableModel) as caught:
        read_diagram(body)
    return [f"{fault.where} {fault.what}" for fault in caught.value.faults]


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


# -- the preprocessor -------------------------------------------------------------------------------------------------


def test_variables_and_definitions_are_put_in() -> None:
    model = read_diagram("""
        !define SHOP shop
        !$name = "Order, " + "Entry"
        !$url ?= "https://example.org"
        !local $url ?= "https://example.com"
        System(SHOP, $name, "The $name system", $link=$url)
        System(t, "$unknown costs $5")
    """)
    shop = element(model, "Order, Entry")
    assert (shop.identity, shop.description, shop.url) == ("shop", "The Order, Entry system", "https://example.org")
    assert element(model, "$unknown costs $5").identity == "t"
    assert not model.warnings


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('!if %variable_exists("RELATIVE_INCLUDE")', False),
        ('!if (%variable_exists("detail"))', True),
        ('!if %not(%variable_exists("$detail"))', False),
        ("!if $detail == 2", True),
        ('!if ($detail != "2")', False),
        ("!if (%not($detail == 2))", False),
        ("!if %false()", False),
        ("!ifdef FULL", True),
        ("!ifndef FULL", False),
    ],
)
def test_conditions_about_what_is_defined_are_decided(condition: str, holds: bool) -> None:
    model = read_diagram(f"""
        !$detail = 2
        !define FULL
        {condition}
          System(yes, "Yes")
          !if %true()
            System(inner, "Inner")
          !endif
        !else
          System(no, "No")
        !endif
        System(after, "After")
    """)
    assert refs(model) == (["Yes", "Inner", "After"] if holds else ["No", "After"])
    assert not model.warnings


def test_of_several_branches_the_first_that_holds_is_read() -> None:
    model = read_diagram("""
        !$view = "b"
        !if $view == "a"
          System(a, "A")
        !elseif $view == "b"
          System(b, "B")
        !elseif %true()
          System(c, "C")
        !else
          System(d, "D")
        !endif
    """)
    assert refs(model) == ["B"]


def test_what_must_be_computed_is_told_and_the_rest_is_read() -> None:
    model = read_diagram("""
        !procedure $service($alias, $label)
          Container($alias, $label, "Java")
        !endprocedure
        !function $double($x) !return $x + $x
        !define Thing(a) System(a, "Thing")
        $service(a, "A")
        Thing(t)
        !if $service("x") == 1
          System(b, "B")
        !else
          System(c, "C")
        !endif
        !foreach $x in [1, 2]
          System($x, "Each")
          System(e, $x)
        !endfor
        System(d, "D", %string("text"))
        !include $where/more.puml
    """)
    assert refs(model) == ["B", "C", "$x", "D"]
    assert [warning.split(" ")[0].rpartition(":")[2] for warning in warned(model)] == [
        *("9", "14", "19"),  # the preprocessor's
        *("15", "16", "18"),  # arguments
        *("7", "8"),  # calls
    ]


@pytest.mark.parametrize(
    "include",
    [
        "!include <C4/C4_Container>",
        "!include <office/Servers/application_server>",
        "!include https://example.org/C4_Container.puml",
        "!includeurl https://example.org/icons.puml",
        "!include ./lib/C4_Context.puml",
        "!include C4.puml",
    ],
)
def test_the_library_and_what_lies_in_the_network_is_skipped_without_a_word(include: str) -> None:
    model = read_diagram(f'{include}\nSystem(s, "S")', {"docs/lib/C4_Context.puml": "System(x, "})
    assert refs(model) == ["S"]
    assert not model.warnings


def test_an_include_of_a_defined_folder_is_followed() -> None:
    model = read_diagram(
        "!define ICONS https://example.org/icons\n!define PARTS ./parts\n"
        "!include ICONS/a.puml\n!include PARTS/b.puml\nRel(b, c, Uses)",
        {"docs/parts/b.puml": 'System(b, "B")\n!include c.puml\n', "docs/parts/c.puml": diagram('System(c, "C")')},
    )
    assert [(e.ref, e.file, e.line) for e in model.elements] == [
        ("B", "docs/parts/b.puml", 1),
        ("C", "docs/parts/c.puml", 2),
    ]
    assert model.files == ("docs/shop.puml", "docs/parts/b.puml", "docs/parts/c.puml")
    assert not model.warnings


def test_a_part_of_a_file_can_be_included() -> None:
    parts = (
        '@startuml\nSystem(a, "A")\n@enduml\n@startuml(id=second)\nSystem(b, "B")\n@enduml\n'
        '@startuml\n!startsub LAST\nSystem(c, "C")\n!endsub\nSystem(d, "D")\n@enduml\n'
    )
    for include, found in (
        ("!include parts.puml", ["A"]),
        ("!include parts.puml!1", ["B"]),
        ("!include parts.puml!second", ["B"]),
        ("!includesub parts.puml!LAST", ["C"]),
        ("!include parts.puml!9", []),
    ):
        assert refs(read_diagram(f'{include}\nSystem(s, "S")', {"docs/parts.puml": parts})) == [*found, "S"]


@pytest.mark.parametrize("source", ["gone.puml", "../../etc/passwd", "/etc/passwd", "shop.puml"])
def test_an_include_that_cannot_be_read_is_a_warning(source: str) -> None:
    model = read_diagram(f'!include {source}\nSystem(s, "S")')
    assert refs(model) == ["S"]
    assert [warning.partition(" ")[0] for warning in warned(model)] == ["docs/shop.puml:2"]


# -- several diagrams -------------------------------------------------------------------------------------------------


def test_an_alias_is_one_element_in_all_diagrams_of_a_folder_tree() -> None:
    tree = Files(
        {
            "docs/c4/1-context.puml": diagram("""
                Person(u, "User")
                System(shop, "Shop System", "Sells books")
                System_Ext(crm, "CRM")
                Rel(u, shop, "Buys in", "HTTPS")
            """),
            "docs/c4/2-shop.puml": diagram("""
                Person(u, "User", "Buys books")
                System_Boundary(shop, "Shop") {
                    AddProperty("path", "src/api")
                    Container(api, "API", "Go")
                }
                Rel(u, shop, "Buys in", "HTTPS")
                Rel(u, api, "Calls")
            """),
            "docs/c4/api/components.puml": diagram("""
                Container_Boundary(api, "API") {
                    Component(cart, "Cart")
                }
                System_Boundary(crm, "CRM") {
                    Container(sync, "Sync")
                }
                Rel(cart, sync, "Writes to")
            """),
            "src/api/main.go": "",
        }
    )
    files = find_models(tree)
    assert files == ("docs/c4/1-context.puml", "docs/c4/2-shop.puml", "docs/c4/api/components.puml")
    model = read_model(tree, files)
    assert refs(model) == [
        "User",
        "Shop System",
        "CRM",
        "Shop System.API",
        "Shop System.API.Cart",
        "CRM.Sync",
    ]
    assert arrows(model) == [
        "User -> Shop System: Buys in [HTTPS]",
        "User -> Shop System.API: Calls",
        "Shop System.API.Cart -> CRM.Sync: Writes to",
    ]
    assert (element(model, "User").description, element(model, "CRM").external) == ("Buys books", False)
    assert element(model, "Shop System.API").source == ("src/api",)
    assert (element(model, "Shop System").file, model.files) == ("docs/c4/1-context.puml", files)
    assert not model.warnings


def test_several_diagrams_of_one_file_are_one_model_and_other_diagrams_are_none() -> None:
    class_diagram = '@startuml classes\nclass A {\n  run()\n}\n}\nSystem.out.println("x"\nshow(x)\n@enduml\n'
    body = diagram(LIBRARY + "System(a, A)") + class_diagram + diagram("System(b, B)\nRel(a, b, Uses)")
    model = read_model(Files({"a.puml": body}), ["a.puml"])
    assert arrows(model) == ["A -> B: Uses"]
    assert not model.warnings


def test_a_copied_alias_is_an_element_of_its_own() -> None:
    model = read_diagram("""
        System_Boundary(c1, "Shop") {
            ContainerDb(db, "Database")
        }
        @enduml
        @startuml
        System_Boundary(c1, "Billing System") {
            ContainerDb(db, "Database")
        }
        Rel(c1, db2, "")
        ContainerDb(db2, "Archive")
    """)
    assert refs(model) == ["Shop", "Shop.Database", "Billing System", "Billing System.Database", "Archive"]
    assert {e.ref: e.identity for e in model.elements} == {
        "Shop": "",
        "Billing System": "",
        "Shop.Database": "",
        "Billing System.Database": "",
        "Archive": "db2",
    }
    assert warned(model) == [
        "docs/shop.puml:7 'c1' is 'Shop' at docs/shop.puml:2; each was read as its own",
        "docs/shop.puml:8 'db' is 'Database' at docs/shop.puml:3; each was read as its own",
    ]


def test_what_has_the_same_name_in_the_same_place_is_one() -> None:
    model = read_diagram("""
        System_Boundary(s, "Shop") {
            Container(w1, "Worker", "Go")
            Container(w2, "Worker", "Go", "Works")
        }
        @enduml
        @startuml
        Person(shop, "Shop")
        Container(worker, "Worker")
        System(t, "T")
        Rel(t, worker, "Asks")
    """)
    assert refs(model) == ["Shop", "Shop.Worker", "Shop (person)", "T"]
    assert element(model, "Shop.Worker").description == "Works"
    assert arrows(model) == ["T -> Shop.Worker: Asks"]
    assert [warning.split(" ")[1] for warning in warned(model)] == ["'w2'", "'worker'"]


def test_the_first_name_of_an_alias_counts() -> None:
    model = read_diagram("""
        System(shop, "Web Shop")
        @enduml
        @startuml
        System(shop, "The Web Shop")
    """)
    assert refs(model) == ["Web Shop"]
    assert warned(model) == ["docs/shop.puml:5 'shop' is 'Web Shop' at docs/shop.puml:2; 'The Web Shop' was left out"]


def test_diagrams_of_sibling_folders_are_models_of_their_own() -> None:
    own = diagram('System(shop, "A")\nSystem(db, "DB")\nRel(shop, db, "")')
    other = diagram('System(shop, "B")\nSystem(log, "Log")\nRel(shop, log, "")')
    tree = Files({"a/docs/c4.puml": own, "b/docs/c4.puml": other})
    model = read_model(tree, find_models(tree))
    assert arrows(model) == ["A -> DB: ", "B -> Log: "]
    assert not model.warnings


def test_a_named_file_is_read_alone() -> None:
    tree = Files({"a.puml": diagram("System(a, A)"), "b.puml": diagram("System(b, B)")})
    assert refs(read_model(tree, ["b.puml"])) == ["B"]


def test_diagrams_are_the_model_where_there_is_no_other() -> None:
    files: dict[str, str | bytes] = {
        "docs/a.puml": diagram(LIBRARY + "System(a, A)"),
        "docs/classes.puml": diagram(LIBRARY + "class A {\n}"),
        "docs/C4_Container.puml": "!unquoted procedure Container($alias)\n!endprocedure\n' Container(a)\n",
        "docs/only.puml": diagram("!include parts.puml\nRel(a, b, x)"),
        "docs/parts.puml": "System(b, B)",
        "lone/parts.puml": "System(c, C)",
    }
    assert find_models(Files(files)) == ("docs/a.puml", "docs/only.puml", "lone/parts.puml")
    assert find_models(Files({**files, "w.dsl": 'workspace {\nmodel {\nperson "P"\n}\n}'})) == ("w.dsl",)


# -- faults -----------------------------------------------------------------------------------------------------------


def test_every_fault_is_listed_with_its_line() -> None:
    assert refused("""
        System(a, "A"
        System_Boundary(b, "B") {
        Container(, "C")
        Person()
        System(d, "D)
    """) == [
        "docs/shop.puml:2 nothing closes System(",
        "docs/shop.puml:4 Container needs an alias",
        "docs/shop.puml:5 Person needs an alias",
        "docs/shop.puml:6 nothing closes System(",
        "docs/shop.puml:3 this boundary is never closed",
    ]
    assert refused('System(a, "A")\n/\' never closed') == ["docs/shop.puml:3 this comment is never closed"]
    assert refused("System_Boundary(b, B) {\n" * 200)[0] == "docs/shop.puml:103 blocks are nested more than 100 deep"


def test_a_file_without_a_c4_diagram_is_no_model() -> None:
    with pytest.raises(UnreadableModel, match=r"this is no model; known formats are .*PlantUML"):
        read_model(Files({"a.puml": diagram(LIBRARY + "class A")}), ["a.puml"])


def test_a_closing_brace_too_much_and_an_unended_block_are_warnings() -> None:
    model = read_diagram('System(a, "A")\n}\n!if %true()\nSystem(b, "B")\n!procedure $p()\nSystem(c, "C")')
    assert refs(model) == ["A", "B"]
    assert warned(model) == [
        "docs/shop.puml:4 no end of this `!if` follows",
        "docs/shop.puml:6 no end of this `!procedure` follows",
        "docs/shop.puml:3 this `}` closes nothing",
    ]
