"""Real workspaces in JSON: each a model of its own, and each beside the DSL that its team wrote."""

import json
from pathlib import Path

import pytest

from graph.c4 import read_model
from graph.c4.draft import Draft
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.workspaces import read_dsl, read_json
from graph.trees import FolderTree
from tests.graph.c4.oracle import Facts, differences, facts_of_draft, facts_of_json
from tests.graph.c4.real import MISSING, REAL
from tests.graph.c4.real_workspaces import real_json

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)

# Where the DSL in the repository is another than the one that the JSON was made of.
_STALE = {
    # The JSON was exported before its DSL was changed to take the interactions back.
    "Zielak__cardsGame__docs-architecture-workspace": {
        "Cards Game portal.Web app -> Cards Game portal.Node server Sends interactions",
        "Cards Game portal.Node server -> Cards Game portal.Web app State updates",
    },
    # The DSL moved the core into a library of its own afterwards, and added the error handler.
    "jrjsmrtn__pytest-jux__docs-architecture-workspace": {
        "py-juxlib",
        "pytest-jux.pytest Plugin.API Client",
        "pytest-jux.pytest Plugin.Configuration Manager",
        "pytest-jux.pytest Plugin.Error Handler",
        "pytest-jux.pytest Plugin.Metadata Collector",
        "pytest-jux.pytest Plugin.Plugin Hooks",
        "pytest-jux.pytest Plugin.Signature Verifier",
        "pytest-jux.pytest Plugin.Storage Manager",
        "pytest-jux.pytest Plugin.XML Canonicalizer",
        "pytest-jux.pytest Plugin.XML Signer",
        "pytest-jux -> Jux API Server Publishes signed reports to",
        "pytest-jux -> py-juxlib Delegates core operations to",
        "pytest-jux.CLI Tools.jux-keygen -> pytest-jux.pytest Plugin.XML Signer Generates keys for",
        "pytest-jux.pytest Plugin -> Jux API Server Publishes signed reports to",
        "pytest-jux.pytest Plugin.XML Signer -> Jux API Server References API endpoint",
    },
    # The files of `lib/` that the DSL includes are not in the folder; the JSON has what they define.
    "ministryofjustice__bichard7-next-core__docs-architecture-workspace": {
        "CJSM",
        "Common Platform",
        "LEDS",
        "Libra",
        "NIAM",
        "PNC",
        "PagerDuty",
        "Police User",
        "Slack",
        "Bichard.Bichard API -> NIAM via Internet",
        "Bichard.Email System -> CJSM via Internet",
        "Bichard.LEDS Proxy.LEDS Transit Gateway -> LEDS",
        "Bichard.Monitoring.SNS -> PagerDuty Sends message",
        "Bichard.Monitoring.Slack message handler -> Slack Sends message",
        "CJSM -> Police User Gets email",
        "Common Platform -> ExISS Sends result of a court case",
        "Libra -> ExISS Sends result of a court case",
        "PSN Proxy -> PNC Uses",
        "Police User -> Bichard.Nginx Auth Proxy Uses",
        "Police User -> LEDS Uses",
        "Police User -> PNC Uses",
    },
}


def _facts(name: str) -> Facts:
    return facts_of_json(json.loads((REAL / name).read_text(encoding="utf-8")))


def _read(path: Path) -> Draft:
    tree, findings = FolderTree(path.parent), Findings()
    files = ModelFiles(tree, frozenset(tree.paths()), findings)
    draft = (read_json if path.suffix == ".json" else read_dsl)(path.name, files, findings)
    assert findings.faults == ()
    return draft


@pytest.mark.parametrize("name", real_json())
def test_a_workspace_in_json_is_read_whole(name: str) -> None:
    draft = _read(REAL / name)
    assert differences(_facts(name), facts_of_draft(draft)) == {}
    lines = (REAL / name).read_text(encoding="utf-8").splitlines()
    for element in draft.elements.values():
        _, _, begun = "\n".join(lines[element.line - 1 :]).partition("{")
        raw, _ = json.JSONDecoder().raw_decode("{" + begun)
        assert raw["name"] == element.name
    told = json.loads((REAL / name).read_text(encoding="utf-8"))
    embedded = told.get("documentation", {}).get("decisions", [])
    model = read_model(FolderTree((REAL / name).parent), [Path(name).name])
    assert [decision.title for decision in model.decisions] == [raw["title"] for raw in embedded]
    assert model.warnings == ()


@pytest.mark.parametrize("name", real_json())
def test_the_dsl_that_a_json_was_made_of_gives_the_same(name: str) -> None:
    draft = _read((REAL / name).with_suffix(".embedded.dsl"))
    expected, found = _facts(name), facts_of_draft(draft)
    # Exports wrote identifiers only later; all else is there.
    if not any(element["identity"] for element in expected.elements.values()):
        found = facts_of_draft(draft, with_identities=False)
    assert differences(expected, found) == {}


@pytest.mark.parametrize("name", real_json())
def test_the_dsl_beside_a_json_differs_by_what_the_team_changed_since(name: str) -> None:
    stem = Path(name).stem
    files = [
        path
        for path in (REAL / "structurizr-dsl").rglob("*.dsl")
        if str(path.relative_to(REAL / "structurizr-dsl")).replace("/", "-") == f"{stem}.dsl"
    ]
    assert len(files) == 1
    identities = any(element["identity"] for element in _facts(name).elements.values())
    found = facts_of_draft(_read(files[0]), with_identities=identities)
    assert set(differences(_facts(name), found)) == _STALE.get(stem, set())
