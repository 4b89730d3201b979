"""The reader beside the official Structurizr DSL parser, where that can run: what it accepts is read alike."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from graph.c4.draft import Draft
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.structurizr import WorkspaceReader
from graph.trees import FolderTree
from tests.graph.c4.oracle import Answer, Missing, ask, differences, facts_of_draft, facts_of_json
from tests.graph.c4.real import MISSING, REAL
from tests.graph.c4.real_workspaces import real_dsl

_FOLDER = Path(__file__).parent / "samples"
_SAMPLES = sorted(
    str(path.relative_to(_FOLDER)) for path in (*_FOLDER.glob("*/workspace.dsl"), *_FOLDER.glob("extending/*.dsl"))
)


@cache
def _official() -> Mapping[Path, Answer]:
    """Return the official parser's answers; it takes seconds to start, so all files are asked about at once."""
    return ask([*(_FOLDER / name for name in _SAMPLES), *(REAL / name for name in real_dsl())])


def _answer(path: Path) -> Answer:
    try:
        return _official()[path]
    except Missing as missing:
        pytest.skip(str(missing))


def _read(path: Path) -> tuple[Draft, Findings]:
    tree, findings = FolderTree(path.parent), Findings()
    files = ModelFiles(tree, frozenset(tree.paths()), findings)
    return WorkspaceReader(files, findings).read(path.name), findings


@pytest.mark.parametrize("name", sorted(set(_SAMPLES)))
def test_a_sample_of_every_construct_is_read_as_the_official_parser_reads_it(name: str) -> None:
    answer = _answer(_FOLDER / name)
    assert answer.is_accepted, answer.error
    draft, findings = _read(_FOLDER / name)
    assert findings.faults == ()
    assert differences(facts_of_json(answer.workspace), facts_of_draft(draft)) == {}


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
@pytest.mark.parametrize("name", real_dsl())
def test_a_real_file_is_read_as_the_official_parser_reads_it_or_told_apart(name: str) -> None:
    answer = _answer(REAL / name)
    draft, findings = _read(REAL / name)
    if answer.is_accepted:
        assert findings.faults == ()
        assert differences(facts_of_json(answer.workspace), facts_of_draft(draft)) == {}
    else:
        assert findings.faults or findings.warnings, answer.error
