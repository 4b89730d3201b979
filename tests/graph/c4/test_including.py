"""Models that consist of several files."""

import pytest

from graph.c4 import read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, element, read, warned, workspace


def test_includes_are_read_from_beside_the_including_file() -> None:
    model = read(
        """
        !include parts/people.dsl
        !include systems
        """,
        {
            "docs/parts/people.dsl": '\ufeffu = person "U"\n!include more/admin.dsl\n',
            "docs/parts/more/admin.dsl": 'person "Admin"\n',
            "docs/systems/b.dsl": 'b = softwareSystem "B"\n',
            "docs/systems/a/x.txt": 'a = softwareSystem "A"\n',
            "docs/systems/.hidden": "nonsense {\n",
        },
    )
    assert [(e.ref, e.file, e.line) for e in model.elements] == [
        ("U", "docs/parts/people.dsl", 1),
        ("Admin", "docs/parts/more/admin.dsl", 1),
        ("A", "docs/systems/a/x.txt", 1),
        ("B", "docs/systems/b.dsl", 1),
    ]
    assert model.files[:2] == ("docs/workspace.dsl", "docs/parts/people.dsl")


@pytest.mark.parametrize(
    "source", ["gone.dsl", "https://example.org/a.dsl", "../../etc/passwd", "/etc/passwd", "workspace.dsl"]
)
def test_an_include_that_cannot_be_read_is_a_warning(source: str) -> None:
    model = read(f'!include {source}\ns = softwareSystem "S"')
    assert [e.ref for e in model.elements] == ["S"]
    assert [w.partition(" ")[0] for w in warned(model)] == ["docs/workspace.dsl:3"]


def test_includes_that_double_at_every_level_come_to_an_end() -> None:
    files = {f"{n}.dsl": f"!include {n + 1}.dsl\n" * 2 for n in range(39)}
    tree = Files({"w.dsl": workspace("!include 0.dsl"), **files, "39.dsl": ""})
    with pytest.raises(UnreadableModel, match="more than"):
        read_model(tree, ["w.dsl"])


@pytest.mark.parametrize("source", [".", "./", "..", ".part.dsl", "parts/.more/"])
def test_an_include_of_what_is_hidden_reads_nothing(source: str) -> None:
    hidden = {"docs/.part.dsl": 'person "A"', "docs/parts/.more/x.dsl": 'person "B"', "docs/c.dsl": 'person "C"'}
    model = read(f'!include {source}\ns = softwareSystem "S"', hidden)
    assert [e.ref for e in model.elements] == ["S"]
    assert warned(model) == [f"docs/workspace.dsl:3 {source} is hidden, and so is left out, as by other tools"]


def test_blocks_inside_each_other_without_end_are_refused() -> None:
    nested = "\n".join(f'group "{n}" {{' for n in range(2_000))
    with pytest.raises(UnreadableModel) as refused:
        read(nested)
    assert [(fault.where, fault.what) for fault in refused.value.faults] == [
        ("docs/workspace.dsl:501", "more than 500 blocks inside each other")
    ]


def test_a_workspace_can_extend_another() -> None:
    base = workspace("""
        !identifiers hierarchical
        u = person "U"
        shop = softwareSystem "Shop" {
            api = container "API"
        }
    """)
    tree = Files(
        {
            "base.dsl": base.replace("workspace", 'workspace "Base"', 1),
            "w.dsl": 'workspace extends base.dsl {\nmodel {\nu -> shop.api "Uses"\nsoftwareSystem "Shop" "Sells"\n}\n}',
        }
    )
    model = read_model(tree, ["w.dsl"])
    assert model.name == "Base"
    assert element(model, "Shop").description == "Sells"
    assert [(r.source, r.target, r.file) for r in model.relationships] == [("U", "Shop.API", "w.dsl")]
    assert model.files == ("w.dsl", "base.dsl")


def test_a_workspace_can_extend_one_in_json() -> None:
    json = """{"name": "Base", "model": {
        "people": [{"id": "1", "name": "U", "properties": {"structurizr.dsl.identifier": "u"},
            "relationships": [{"id": "9", "sourceId": "1", "destinationId": "3", "description": "Uses"},
                {"id": "10", "sourceId": "1", "destinationId": "2", "linkedRelationshipId": "9"}]}],
        "softwareSystems": [{"id": "2", "name": "Shop", "tags": "Element,Software System,Core", "containers": [
            {"id": "3", "name": "API", "properties": {"structurizr.dsl.identifier": "api"}}]}]}}"""
    dsl = 'workspace extends base.json {\nmodel {\n!element api {\ntags "Web"\n}\n}\n}'
    model = read_model(Files({"base.json": json, "w.dsl": dsl}), ["w.dsl"])
    assert element(model, "Shop").tags == ("Core",)
    assert element(model, "Shop.API").tags == ("Web",)
    assert [(r.source, r.target) for r in model.relationships] == [("U", "Shop.API")]
    assert "incomplete" in warned(read_model(Files({"base.json": "[]", "w.dsl": dsl}), ["w.dsl"]))[0]
