"""archyl.yaml by its schema and as teams bend it, and pacta's architecture.yml."""

import textwrap
from collections.abc import Mapping

import pytest

from graph.c4 import find_models, read_model
from graph.elements import ArchitectureModel
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, arrows, element, refs, warned

SHOP = """
    version: "1.0"
    project:
      name: Book Shop
      description: Sells books
      tags: [books]
    technologies: [Go, PostgreSQL]
    environments: []
    systems:
      - name: Shop System
        description: Sells books
        type: software_system
        tags: [core, web]
        technologies: [Go, PostgreSQL]
        owners:
          teams: [blue-team]
          users: [ada, blue-team]
        containers:
          - name: API v1.2
            type: api
            technologies: [Go, gRPC]
            components:
              - name: Cart
                technology: Go
                code:
                  - name: CartService
                    type: class
                    language: Go
          - name: Orders DB
            type: database
      - {name: Customer, type: person}
      - name: Mail
        type: external_system
      - name: Bank
        external: true
    relationships:
      - from: Customer
        to: Shop System.API v1.2
        label: Buys in
        technologies: [HTTPS, JSON]
        tags: [hot]
      - from: api V1.2
        to: Shop System.Orders DB
        type: reads_from
      - from: Cart
        to: Mail
        description: Sends receipts by
    overlays: []
    events: []
    api_contracts: []
    releases: []
"""


def read(text: str, files: Mapping[str, str | bytes] | None = None) -> ArchitectureModel:
    tree = Files({"archyl.yaml": textwrap.dedent(text).lstrip("\n"), **(files or {})})
    return read_model(tree, ["archyl.yaml"])


def refused(text: str) -> list[str]:
    with pytest.raises(UnreadableModel) as caught:
        read(text)
    return [f"{fault.where} {fault.what}" for fault in caught.value.faults]


def test_the_official_schema_is_read() -> None:
    model = read(SHOP)
    assert [(e.ref, e.kind.value, e.external, e.line) for e in model.elements] == [
        ("Shop System", "system", False, 9),
        ("Shop System.API v1.2", "container", False, 18),
        ("Shop System.API v1.2.Cart", "component", False, 22),
        ("Shop System.API v1.2.Cart.CartService", "code", False, 25),
        ("Shop System.Orders DB", "container", False, 28),
        ("Customer", "person", False, 30),
        ("Mail", "system", True, 31),
        ("Bank", "system", True, 33),
    ]
    shop = element(model, "Shop System")
    assert (model.name, shop.description, shop.tags) == ("Book Shop", "Sells books", ("core", "web"))
    assert (shop.technology, shop.owners) == ("Go, PostgreSQL", ("blue-team", "ada"))
    code = element(model, "Shop System.API v1.2.Cart.CartService")
    assert (code.technology, code.properties, code.identity) == ("Go", {"type": "class"}, "")
    assert arrows(model) == [
        "Customer -> Shop System.API v1.2: Buys in [HTTPS, JSON]",
        "Shop System.API v1.2 -> Shop System.Orders DB: reads from",
        "Shop System.API v1.2.Cart -> Mail: Sends receipts by",
    ]
    assert (model.relationships[0].tags, model.relationships[0].line) == (("hot",), 36)
    assert (model.files, model.warnings) == (("archyl.yaml",), ())


def test_unknown_keys_are_told_and_what_they_say_of_an_element_is_kept() -> None:
    model = read(
        """
        version: 1.0
        legend: {a: b}
        project: {name: Shop, root: .}
        systems:
          - name: Shop
            paths: [src/web, src/api]
            slo: 99.9
            links: {wiki: here}
            owners: {teams: [a], lead: ada}
        relationships:
          - {from: Shop, to: Shop, label: Calls, weight: 3}
        """,
        {"src/web/a.ts": "", "src/api/b.go": ""},
    )
    shop = element(model, "Shop")
    assert (shop.source, shop.properties["slo"]) == (("src/web", "src/api"), "99.9")
    assert arrows(model) == ["Shop -> Shop: Calls"]
    assert [warning.partition(";")[0] for warning in warned(model)] == [
        "archyl.yaml:2 unknown key 'legend' of the file",
        'archyl.yaml:1 the version is not the text "1.0"',
        "archyl.yaml:3 unknown key 'root' of the project",
        "archyl.yaml:9 unknown key 'lead' of the owners",
        "archyl.yaml:6 unknown key 'paths' of a system",
        "archyl.yaml:7 unknown key 'slo' of a system",
        "archyl.yaml:8 unknown key 'links' of a system",
        "archyl.yaml:11 unknown key 'weight' of a relationship",
    ]


def test_what_has_another_shape_is_left_out_with_a_warning() -> None:
    model = read(
        """
        version: "1.0"
        project: Shop
        systems:
          - name: A
            tags: one
            technologies: {go: 1}
            containers: {API: {}}
            description: [a, b]
          - name: B
            containers: null
        relationships: {from: A}
        adrs: docs/adr
        """
    )
    assert (refs(model), element(model, "A").tags) == (["A", "B"], ("one",))
    assert [warning.split(" ")[0] for warning in warned(model)] == [f"archyl.yaml:{n}" for n in (2, 6, 8, 7, 11, 12)]


def test_relationships_name_their_ends_by_whole_or_by_unique_names() -> None:
    model = read(
        """
        version: "1.0"
        systems:
          - name: A
            containers: [{name: API}, {name: A}]
          - name: B
            containers: [{name: API}]
        relationships:
          - {from: A, to: B.API}
          - {from: API, to: B}
          - {from: C, to: B}
          - {from: A, to: A.API}
          - {from: A, to: B.API}
          - {to: B}
        """
    )
    assert arrows(model) == ["A -> B.API: "]
    assert [warning.partition(" ")[2].partition(";")[0] for warning in warned(model)] == [
        "'API' may be A.API, B.API",
        "there is no element 'C'",
        "a relationship between an element and its own part was left out",
        "the relationship exists already",
        "there is no element ''",
    ]


def test_included_files_are_parts_of_the_model() -> None:
    part = 'version: "1.0"\nsystems:\n  - name: Shop\n    containers:\n      - name: {}\n'
    tree = Files(
        {
            "archyl.yaml": textwrap.dedent(
                """
                version: "1.0"
                systems:
                  - name: Shop
                    description: Sells
                relationships:
                  - {from: Web, to: Shop.API}
                include:
                  - services/web
                  - path: services/api/archyl.yaml
                  - jobs/*/archyl.y*ml
                  - gone/archyl.yaml
                  - ../outside.yaml
                """
            ).lstrip("\n"),
            "services/web/.archyl.yaml": part.format("Web") + "include: [../../archyl.yaml]\n",
            "services/api/archyl.yaml": part.format("API"),
            "jobs/night/archyl.yml": part.format("Night"),
            "lone/archyl.yaml": part.format("Lone"),
            "lone/archyl.yml": part.format("Other"),
        }
    )
    assert find_models(tree) == ("archyl.yaml", "lone/archyl.yaml")
    model = read_model(tree, ["archyl.yaml"])
    assert refs(model) == ["Shop", "Shop.Web", "Shop.API", "Shop.Night"]
    assert (element(model, "Shop").description, element(model, "Shop.API").file) == (
        "Sells",
        "services/api/archyl.yaml",
    )
    assert arrows(model) == ["Shop.Web -> Shop.API: "]
    assert len(model.files) == 4
    assert [warning.partition(";")[0] for warning in warned(model)] == [
        "archyl.yaml:7 gone/archyl.yaml is not in the repository",
        "archyl.yaml:7 ../outside.yaml is not in the repository",
    ]


def test_decisions_come_from_folders_and_from_the_file_itself() -> None:
    model = read(
        """
        version: "1.0"
        adrs:
          folder: docs/decided
          records:
            - {title: Use Go, number: 7, status: accepted, date: 2026-01-02, context: Speed., decision: Go it is.}
            - {title: Again, number: 7}
            - {number: 8}
            - title: Use SQL
        docs: {folder: docs}
        """,
        {"docs/decided/0003-queues.md": "# Use queues\n\n## Status\n\nAccepted\n", "docs/guide.md": "# Guide\n"},
    )
    assert [(d.ref, d.title, d.status, d.date, d.file) for d in model.decisions] == [
        ("ADR-3", "Use queues", "Accepted", "", "docs/decided/0003-queues.md"),
        ("ADR-7", "Use Go", "accepted", "2026-01-02", "archyl.yaml"),
        ("ADR-4", "Use SQL", "", "", "archyl.yaml"),
    ]
    assert model.decisions[1].content == "# Use Go\n\n## Context\n\nSpeed.\n\n## Decision\n\nGo it is.\n"
    assert [warning.partition(" ")[0] for warning in warned(model)] == ["archyl.yaml:6", "archyl.yaml:7"]


def test_nodes_and_edges_are_read_although_the_schema_has_none() -> None:
    model = read(
        """
        version: "1.0"
        nodes:
          - id: app
            label: Application
            type: boundary
            path: "."
            children: [backend, queue, gone]
          - {id: backend, label: Backend, type: service, path: src/backend, children: [orders, models]}
          - id: orders
            path: src/backend/orders
            notes: [Takes orders, Keeps them]
          - {id: models, path: src/backend/models, generated: true, children: [orders]}
          - {id: queue, label: Queue, type: external}
          - {id: visitor, type: user}
          - {id: visitor}
        edges:
          - {from: visitor, to: backend, label: Asks}
          - {from: orders, to: gone}
        """,
        {"src/backend/orders/a.py": ""},
    )
    assert [(e.ref, e.kind.value, e.identity, e.external, e.source) for e in model.elements] == [
        ("Application", "system", "app", False, ()),
        ("Application.Backend", "container", "backend", False, ("src/backend",)),
        ("Application.Queue", "container", "queue", True, ()),
        ("Application.Backend.orders", "component", "orders", False, ("src/backend/orders",)),
        ("Application.Backend.models", "component", "models", False, ("src/backend/models",)),
        ("visitor", "person", "visitor", False, ()),
    ]
    assert element(model, "Application.Backend.orders").description == "Takes orders\nKeeps them"
    assert element(model, "Application.Backend.models").properties["generated"] == "true"
    assert arrows(model) == ["visitor -> Application.Backend: Asks"]
    assert [warning.split(" ")[0] for warning in warned(model)] == [f"archyl.yaml:{n}" for n in (2, 15, 7, 18)]


def test_nodes_that_lie_in_each_other_are_read() -> None:
    model = read("nodes: [{id: a, children: [b]}, {id: b, children: [a, c]}, {id: c, label: b}, {id: d, label: b}]")
    assert refs(model) == ["b", "a", "a.b", "a.b.b"]
    assert any("'a' lies in itself" in warning for warning in warned(model))


def test_aliases_and_merge_keys_stand_for_what_they_name() -> None:
    model = read(
        """
        version: "1.0"
        systems:
          - &base
            name: A
            tags: &tags [x]
            technologies: [Go]
          - <<: *base
            name: B
            containers: [{name: C, tags: *tags}]
        """
    )
    assert [(e.ref, e.tags, e.technology) for e in model.elements] == [
        ("A", ("x",), "Go"),
        ("B", ("x",), "Go"),
        ("B.C", ("x",), ""),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("version: '1.0'\nsystems:\n  - name: A\n    name: B\n", "4 the key 'name' is here already, at line 3"),
        ("systems:\n  - type: person\n", "2 a system needs a name"),
        ("systems:\n- name: A\n- name: A\n  type: person\n", "3 'A' is a system already, at archyl.yaml:2"),
        ("systems:\n  - [\n", "3 no sound YAML"),
        ("systems: *gone\n", "1 the alias *gone stands for nothing"),
        ("systems: &a [*a]\n", "1 the alias *a stands for nothing, or for what it is part of"),
        ("version: 1\n? {a: b}\n: c\n", "2 a key must be a text"),
        ("version: a\x07b\n", "1 a character that YAML does not allow"),
        (f"systems: {'[' * 60}", "1 this is nested more than 50 deep"),
        ("systems:\n" + "- {name: a}\n" * 60_000, "the file stands for more than 100000 values"),
        (
            "version: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + "".join(f"x{n}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(9)),
            "the file stands for more than 100000 values",
        ),
    ],
)
def test_what_is_no_sound_model_is_refused_with_its_line(text: str, fault: str) -> None:
    faults = refused(text)
    assert len(faults) == 1
    assert fault in faults[0]
    assert faults[0].startswith("archyl.yaml:")


def test_a_file_in_latin_1_and_a_second_document_are_read_with_a_warning() -> None:
    text = 'version: "1.0"\nsystems: [{name: Käse}]\n---\nversion: "1.0"\n'
    model = read_model(Files({"archyl.yaml": text.encode("latin-1")}), ["archyl.yaml"])
    assert refs(model) == ["Käse"]
    assert [warning.partition(" ")[0] for warning in warned(model)] == ["archyl.yaml:1", "archyl.yaml:3"]


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just text\n", "name: x\n"])
def test_another_file_of_that_name_is_no_model(text: str) -> None:
    assert find_models(Files({"archyl.yaml": text, "other.yaml": SHOP})) == ()
    assert "this is no model; known formats are" in refused(text)[0]


def test_pactas_code_mapping_is_read() -> None:
    text = textwrap.dedent("""
        version: 1
        system:
          id: shop
          name: Shop
        containers:
          api:
            name: API
            description: Serves
            code:
              roots: [src, lib]
              layers:
                domain:
                  name: Domain
                  patterns: ["src/domain/**"]
                ui: {patterns: [src/ui/**]}
          db: {}
        contexts: {}
        rules: []
    """)
    tree = Files({"architecture.yml": text, "src/domain/a.py": "", "lib/b.py": "", "other/architecture.yml": "a: b"})
    assert find_models(tree) == ("architecture.yml",)
    model = read_model(tree, ["architecture.yml"])
    assert [(e.ref, e.kind.value, e.identity, e.source, e.line) for e in model.elements] == [
        ("Shop", "system", "shop", (), 3),
        ("Shop.API", "container", "api", ("src", "lib"), 7),
        ("Shop.API.Domain", "component", "api.domain", ("src/domain/**",), 13),
        ("Shop.API.ui", "component", "api.ui", ("src/ui/**",), 16),
        ("Shop.db", "container", "db", (), 17),
    ]
    assert (model.name, element(model, "Shop.API").description) == ("Shop", "Serves")
    assert warned(model) == ["architecture.yml:19 unknown key 'rules' of the file; it was left out"]
