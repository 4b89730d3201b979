"""LikeC4 files as real teams wrote them, where a folder with them lies beside the repository."""

from collections import Counter

import pytest

from graph.c4 import find_models, read_model
from graph.elements import ArchitectureModel
from graph.trees import FolderTree
from tests.graph.c4.real import MISSING, REAL, manifest

# Elements by level, relationships, and the lines of relationships that name what these files do not define. Most lie
# here without the other files of their project.
EXPECTED = {
    "DEFRA__service-manual-ui__docs-architecture/model.c4": ("3 person 3 system 4 container 18 component", 28, []),
    "OpenHomeFoundation__web-api__docs-architecture/model.c4": ("2 person 8 system 3 container 7 component", 18, []),
    "brukhabtu__likec4-demo-auth__root/model.c4": ("1 container 3 component", 3, []),
    "erode-app__erode__packages-architecture/model.c4": ("1 system 4 component", 3, [31]),
    "likec4__likec4__examples-multi-metadata-extend/base.c4": ("1 container 2 component", 0, []),
    "likec4__likec4__packages-likec4-dev/model.c4": (
        "1 person 1 system 6 container 2 component",
        3,
        [63, 64, 80, 81, 136],
    ),
    "mblaauw__alpha-quant__docs-architecture/model.c4": (
        "1 person 4 system 14 container 19 component",
        18,
        [190, 200, 202, 203],
    ),
    "s-humphreys__patchwright__docs-architecture/model.c4": ("3 person 8 system 2 container 11 component", 28, []),
}


def read(name: str) -> ArchitectureModel:
    path = REAL / "likec4" / name
    return read_model(FolderTree(path.parent), [path.name])


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
def test_every_real_file_is_expected_here() -> None:
    files = {name.removeprefix("likec4/") for name in manifest() if name.startswith("likec4/")}
    assert {name for name in files if "UKHomeOffice" not in name} == set(EXPECTED)  # that one is Structurizr DSL


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_real_file_gives_its_elements_and_relationships(name: str) -> None:
    levels, relationships, left_out = EXPECTED[name]
    model = read(name)
    count, level = levels.split()[::2], levels.split()[1::2]
    assert Counter(e.kind.value for e in model.elements) == dict(zip(level, map(int, count), strict=True))
    assert len(model.relationships) == relationships
    told = [warning for warning in model.warnings if "relationship" in warning.what]
    assert sorted(int(warning.where.rpartition(":")[2]) for warning in told) == left_out


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
def test_what_real_elements_say_is_kept() -> None:
    dev = {e.identity: e for e in read("likec4__likec4__packages-likec4-dev/model.c4").elements}
    ui = dev["cloud.ui"]
    assert (ui.ref, ui.file, ui.line, ui.url) == ("Cloud System.Frontend", "model.c4", 15, "https://react.dev")
    assert ui.description == "All the frontend applications\nof the cloud system"
    assert ui.properties["attr2"] == "multiline\nvalue"
    assert ui.properties["attr3"] == '["value 3.1", "value 3.2", "value 3.3", "value 3.4"]'
    assert dev["cloud.reporting"].tags == ("next", "v2")
    openhome = {e.identity: e for e in read("OpenHomeFoundation__web-api__docs-architecture/model.c4").elements}
    assert {ref for ref, e in openhome.items() if e.external} >= {"youtube", "youtube.feeds", "edge", "github"}
    assert openhome["webapi.api.gateway"].description.startswith("A socket endpoint carried over from the project")


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
def test_real_projects_are_found_by_content() -> None:
    found = find_models(FolderTree(REAL / "likec4"))
    assert found[0] == "UKHomeOffice__callisto-docs__root/model.c4"
    assert "DEFRA__service-manual-ui__docs-architecture/model.c4" in found
