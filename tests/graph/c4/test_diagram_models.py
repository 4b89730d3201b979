"""How several diagrams are one model, which files they are in, and what is wrong with them."""

import pytest

from graph.c4 import find_models, read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, arrows, diagram, element, read_diagram, refs, warned

LIBRARY = "!include https://raw.githubusercontent.com/plantuml-stdlib/C4-PlantUML/master/C4_Container.puml\n"


def refused(body: str) -> list[str]:
    with pytest.raises(UnreadableModel) as caught:
        read_diagram(body)
    return [f"{fault.where} {fault.what}" for fault in caught.value.faults]


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
