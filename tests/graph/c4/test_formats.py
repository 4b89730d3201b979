import json

import pytest

from graph.c4 import find_models, read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, element, warned, workspace

EXPORT = json.dumps(
    {"name": "Shop", "model": {"softwareSystems": [{"id": "1", "name": "S", "properties": {"path": "src"}}]}}
)


def test_a_file_is_read_by_what_it_holds_whatever_its_ending() -> None:
    dsl = workspace('s = softwareSystem "S"')
    for name in ("model.txt", "model.json", "model.c4", "model"):
        assert [e.ref for e in read_model(Files({name: dsl}), [name]).elements] == ["S"]


@pytest.mark.parametrize(
    "text",
    [
        'workspace "W" {\n model {\n person "S"\n }\n}',
        '/* specification { */\nworkspace {\n model {\n person "S"\n }\n}',
        'workspace "W" "Built from services/* and // more" {\n model {\n person "S"\n }\n}',
        'model {\n person "S"\n}',
        "model {\n !identifiers flat\n s = softwareSystem S {\n }\n}",
    ],
)
def test_a_c4_file_can_be_structurizr_dsl(text: str) -> None:
    (element,) = read_model(Files({"m.c4": text}), ["m.c4"]).elements
    assert (element.ref, element.properties) == ("S", {})


@pytest.mark.parametrize(
    "text",
    [
        "model {\n s = softwareSystem 'S'\n}",
        "model {\n softwareSystem s 'S' 'in services/* and // more'\n}",
        "model {\n softwareSystem s 'S'\n}",
        'model {\n s = softwareSystem {\n title "S"\n }\n}',
        'model {\n s = softwareSystem "S"\n s -[uses]-> s\n}',
        'model {\n s = softwareSystem "S"\n}',
        'model {\n s = service "S"\n}',
        '// workspace {\nspecification {\n element workspace\n}\nmodel {\n workspace s "S" {\n }\n}',
        'import { a } from "b"\nmodel {\n S = softwareSystem\n}',
    ],
)
def test_a_c4_file_can_be_likec4(text: str) -> None:
    (element,) = read_model(Files({"m.c4": text}), ["m.c4"]).elements
    assert (element.ref, list(element.properties)) == ("S", ["kind"])


def test_the_ending_decides_only_where_the_text_is_both() -> None:
    text = 'model {\n s = softwareSystem "S"\n}'
    assert read_model(Files({"m.dsl": text}), ["m.dsl"]).elements[0].properties == {}


def test_a_workspace_in_json_is_a_model() -> None:
    tree = Files({"docs/workspace.json": EXPORT, "src/a.py": ""})
    assert find_models(tree) == ("docs/workspace.json",)
    model = read_model(tree, ["docs/workspace.json"])
    assert (model.name, model.files, element(model, "S").source) == ("Shop", ("docs/workspace.json",), ("src",))


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"people": []}', '{"model": {"people": {}}}', '{"people": [', '"people"']
)
def test_another_tools_workspace_json_is_no_model(text: str) -> None:
    tree = Files({"workspace.json": text})
    assert find_models(tree) == ()
    with pytest.raises(
        UnreadableModel, match=r"workspace\.json:1: this is no model; known formats are Structurizr DSL"
    ):
        read_model(tree, ["workspace.json"])


def test_of_a_dsl_and_its_export_the_dsl_counts() -> None:
    tree = Files({"workspace.dsl": workspace('t = softwareSystem "T"'), "workspace.json": EXPORT})
    assert find_models(tree) == ("workspace.dsl",)
    model = read_model(tree, find_models(tree))
    assert [e.ref for e in model.elements] == ["T"]
    assert warned(model) == ["workspace.json:1 workspace.dsl beside it counts; an export is often older than its DSL"]


def test_an_export_that_a_dsl_extends_comes_with_that_one() -> None:
    tree = Files(
        {"base/workspace.json": EXPORT, "w.dsl": 'workspace extends base/workspace.json {\nmodel {\nperson "P"\n}\n}'}
    )
    assert find_models(tree) == ("w.dsl",)
    assert [e.ref for e in read_model(tree, ["w.dsl"]).elements] == ["S", "P"]


def test_what_came_with_another_file_is_not_read_twice() -> None:
    tree = Files({"w.dsl": workspace("!include part.dsl"), "part.dsl": 'person "P"'})
    model = read_model(tree, ["w.dsl", "part.dsl"])
    assert ([e.ref for e in model.elements], warned(model)) == (["P"], [])
