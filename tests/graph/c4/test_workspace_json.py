import json
import textwrap

import pytest

from graph.c4 import find_models, read_model
from graph.elements import ArchitectureModel, ElementKind
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, element, warned

EXPORT = """
{
  "name": "Shop",
  "documentation": {"decisions": [
    {"id": "1", "title": "Keep cents", "status": "Accepted", "date": "2024-05-06T00:00:00Z", "content": "# Cents"}
  ]},
  "model": {
    "enterprise": {"name": "Acme"},
    "people": [
      {"id": "1", "name": "User", "tags": "Element,Person,Human", "location": "External", "relationships": [
        {"id": "10", "sourceId": "1", "destinationId": "4", "description": "Asks", "technology": "HTTP",
         "tags": "Relationship,Async"},
        {"id": "11", "sourceId": "1", "destinationId": "2", "linkedRelationshipId": "10"},
        {"id": "12", "sourceId": "1", "destinationId": "404"}
      ]}
    ],
    "softwareSystems": [
      {"id": "2", "name": "Shop", "description": "Sells", "group": "Sales", "location": "Internal",
       "tags": "Element,Software System,Core", "url": "https://example.org",
       "properties": {"structurizr.dsl.identifier": "Shop", "path": "src", "level": 3, "Owner": "Sales; IT"},
       "documentation": {"decisions": [{"id": "1", "title": "Of the shop", "content": ""}]},
       "containers": [
         {"id": "3", "name": "API", "technology": "Go",
          "properties": {"structurizr.dsl.identifier": "74ac4cde-8de4-40c1-8090-540ece2e151c"},
          "components": [
            {"id": "4", "name": "Cart", "properties": {
              "structurizr.dsl.identifier": "74ac4cde-8de4-40c1-8090-540ece2e151c.cart"},
             "code": [{"type": "org.shop.Cart", "url": "https://example.org/Cart.java"}]}
          ]}
       ]}
    ],
    "customElements": [
      {"id": "5", "name": "Belt", "metadata": "Hardware", "relationships": [
        {"id": "13", "sourceId": "5", "destinationId": "6", "description": "stands in"}
      ]}
    ],
    "deploymentNodes": [{"id": "7", "name": "Hall", "infrastructureNodes": [{"id": "6", "name": "Corner"}]}]
  }
}
"""


def _read(text: str) -> ArchitectureModel:
    return read_model(Files({"docs/shop.json": text}), ["docs/shop.json"])


def _model(**lists: object) -> str:
    return json.dumps({"model": {"softwareSystems": [], **lists}}, indent=1)


def test_everything_that_a_workspace_says_of_its_elements_is_read() -> None:
    model = _read(EXPORT)
    assert model.name == "Shop"
    assert [(one.ref, one.kind, one.line) for one in model.elements] == [
        ("User", ElementKind.PERSON, 10),
        ("Shop", ElementKind.SYSTEM, 18),
        ("Shop.API", ElementKind.CONTAINER, 23),
        ("Shop.API.Cart", ElementKind.COMPONENT, 26),
        ("Belt", ElementKind.CUSTOM, 33),
    ]
    shop = element(model, "Shop")
    assert (shop.description, shop.group, shop.tags, shop.url) == ("Sells", "Sales", ("Core",), "https://example.org")
    assert shop.properties == {"path": "src", "level": "3", "Owner": "Sales; IT"}
    assert shop.owners == ("Sales", "IT")
    assert (element(model, "User").external, shop.external, element(model, "User").tags) == (True, False, ("Human",))
    assert (element(model, "Shop.API").technology, element(model, "Belt").technology) == ("Go", "Hardware")
    cart = element(model, "Shop.API.Cart")
    assert (cart.symbol, cart.url) == ("org.shop.Cart", "https://example.org/Cart.java")


def test_an_identifier_that_was_made_up_is_none() -> None:
    assert [one.identity for one in _read(EXPORT).elements] == ["", "Shop", "", "", ""]


def test_only_declared_relationships_are_read_and_one_to_nothing_is_told() -> None:
    model = _read(EXPORT)
    (asks,) = model.relationships
    assert (asks.source, asks.target, asks.description, asks.technology) == ("User", "Shop.API.Cart", "Asks", "HTTP")
    assert (asks.tags, asks.file, asks.line) == (("Async",), "docs/shop.json", 11)
    assert warned(model)[0] == "docs/shop.json:14 there is no element '404'; the relationship was left out"


def test_decisions_inside_are_the_models() -> None:
    first, second = _read(EXPORT).decisions
    assert (first.ref, first.title, first.status, first.date) == ("ADR-1", "Keep cents", "Accepted", "2024-05-06")
    assert (first.content, first.about, first.file) == ("# Cents", (), "docs/shop.json")
    assert (second.ref, second.title, second.about) == ("Shop/ADR-1", "Of the shop", ("Shop",))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (_model(people=[{"id": "1"}]), 5, "a person needs a name"),
        (_model(people=[{"id": "1", "name": " "}]), 5, "a person needs a name"),
        (_model(people=[{"name": "A"}, {"name": "A"}]), 8, "a second element with the ref 'A'; the first is at"),
        (_model(people=["A"]), 2, "`people` holds something that is no object"),
        (_model(people={"name": "A", "containers": 1}) + "x", 9, "this is no JSON: Extra data"),
        (_model().replace("]", "[" * 100_000), 1, "this is no JSON"),
        (_model(people=[{"id": int("9" * 4_000)}]).replace("9" * 4_000, "9" * 5_000), 1, "this is no JSON"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(UnreadableModel) as refused:
        _read(text)
    (fault,) = refused.value.faults
    assert fault.where == f"docs/shop.json:{line}"
    assert fault.what.startswith(what)


def test_texts_that_are_no_unicode_are_mended() -> None:
    model = _read(_model(people=[{"name": "A\ud800", "properties": {"\udfff": "\ud83d"}}]))
    assert [(one.name, one.properties) for one in model.elements] == [("A\ufffd", {"\ufffd": "\ufffd"})]


def test_values_of_another_type_are_read_as_text_or_left_out() -> None:
    raw = {"name": 7, "description": ["x"], "tags": {"x": "y"}, "properties": [], "relationships": None, "url": True}
    (one,) = _read(_model(people=[raw])).elements
    assert (one.ref, one.description, one.tags, one.properties, one.url) == ("7", "", (), {}, "true")


def test_a_workspace_on_one_line_is_on_line_one() -> None:
    text = textwrap.dedent(EXPORT).replace("\n", " ")
    assert {one.line for one in _read(text).elements} == {1}


NX = {
    "version": 2,
    "projects": {"shop": {"root": "apps/shop", "targets": {"build": {"executor": "@nx/webpack:webpack"}}}},
    "cli": {"defaultCollection": "@nx/react"},
}
OBSIDIAN = {
    "main": {"id": "4b1d", "type": "split", "children": [{"id": "9c", "type": "leaf", "state": {"type": "markdown"}}]},
    "left": {"id": "77", "type": "split", "collapsed": True},
    "active": "9c",
    "lastOpenFiles": ["people.md", "softwareSystems.md"],
}
ANOTHER = {"people": [{"name": "Ann"}], "softwareSystems": [], "model": "gpt"}


@pytest.mark.parametrize("other", [NX, OBSIDIAN, ANOTHER])
def test_a_workspace_json_of_another_tool_is_refused_by_what_it_holds(other: dict[str, object]) -> None:
    tree = Files({"workspace.json": json.dumps(other)})
    assert find_models(tree) == ()
    with pytest.raises(UnreadableModel) as refused:
        read_model(tree, ["workspace.json"])
    assert [(fault.where, fault.what[:19]) for fault in refused.value.faults] == [
        ("workspace.json:1", "this is no model; k")
    ]


def test_an_export_that_breaks_off_is_refused_where_it_breaks() -> None:
    with pytest.raises(UnreadableModel) as refused:
        _read(EXPORT[:700])
    assert [(fault.where, fault.what) for fault in refused.value.faults] == [
        ("docs/shop.json:18", "this is no JSON: Unterminated string starting at")
    ]
