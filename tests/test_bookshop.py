"""The bookshop sample: what its file of memories promises holds with the real model, store and embedder."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import uuid_utils

from graph.c4 import read_model
from graph.elements import ArchitectureModel
from graph.embedders.local import LocalEmbedder, available
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.project_file import parse_project_file
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.trees import FolderTree
from graph.views import Remembered

pytestmark = pytest.mark.skipif(not available(), reason="the extra `local` is not installed")

FOLDER = Path(__file__).parents[1] / "c4-samples/bookshop"
TOLD: dict[str, Any] = json.loads((FOLDER / "memories.json").read_text())
SCOPE = Scope(project="bookshop")


def read_bookshop() -> ArchitectureModel:
    file = parse_project_file((FOLDER / "archmem.toml").read_bytes())
    return read_model(FolderTree(FOLDER), file.model.files, mapping=file.sources)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    store = SqliteStore(tmp_path_factory.mktemp("bookshop") / "archmem.db")
    made = MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), LocalEmbedder()))
    made.import_model(SCOPE, read_bookshop())
    for one in TOLD["memories"]:
        assert not remember(made, one).deduplicated
    yield made
    made.close()


def remember(graph: MemoryGraph, fields: dict[str, Any]) -> Remembered:
    return graph.remember(SCOPE, Draft.model_validate(fields), actor="sample/bookshop")


def test_the_model_is_read_without_a_warning_and_most_of_it_has_code() -> None:
    model = read_bookshop()
    assert model.warnings == ()
    assert 15 <= len(model.elements) <= 25
    paths = FolderTree(FOLDER).paths()
    for element in model.elements:
        for source in element.source:
            assert any(path == source or path.startswith(f"{source}/") or "*" in source for path in paths)
    assert len({path.rsplit(".", 1)[-1] for path in paths} & {"py", "ts"}) == 2
    assert len(model.decisions) >= 3


def test_there_are_at_least_thirty_memories_and_ten_paraphrases() -> None:
    assert len(TOLD["memories"]) >= 30
    assert len(TOLD["paraphrases"]) >= 11


@pytest.mark.parametrize("pair", TOLD["paraphrases"], ids=lambda pair: str(pair["question"]))
def test_a_paraphrase_without_a_common_stem_is_found_among_the_first_three(
    graph: MemoryGraph, pair: dict[str, str]
) -> None:
    hits = graph.recall(SCOPE, pair["question"], explain=True).hits
    titles = [hit.title for hit in hits[:3]]
    assert pair["title"] in titles
    factors = hits[titles.index(pair["title"])].factors
    assert factors is not None
    assert (factors.lexical, factors.matched) == (0.0, ())


@pytest.mark.parametrize("question", TOLD["unanswered"])
def test_a_question_that_nothing_answers_finds_nothing(graph: MemoryGraph, question: str) -> None:
    answer = graph.recall(SCOPE, question)
    assert [hit.title for hit in answer.hits] == []
    assert not answer.answered


def test_a_restatement_confirms(graph: MemoryGraph) -> None:
    answer = remember(graph, TOLD["restated"]["draft"])
    assert (answer.deduplicated, answer.memory.title) == (True, TOLD["restated"]["title"])


@pytest.mark.parametrize("pair", TOLD["contradicting"], ids=lambda pair: str(pair["title"]))
def test_a_contradiction_is_kept_apart_and_named(graph: MemoryGraph, pair: dict[str, Any]) -> None:
    answer = remember(graph, pair["draft"])
    assert not answer.deduplicated
    assert pair["title"] in [near.title for near in answer.similar_to]


def test_a_pending_link_attaches(graph: MemoryGraph) -> None:
    assert remember(graph, TOLD["pending"]["draft"]).attached == 1


def test_each_change_edits_the_code_it_names(tmp_path: Path) -> None:
    for edits in TOLD["changes"]:
        for edit in edits:
            copy = tmp_path / edit["path"].replace("/", "_")
            text = copy.read_text() if copy.exists() else (FOLDER / edit["path"]).read_text()
            assert text.count(edit["find"]) == 1
            copy.write_text(text.replace(edit["find"], edit["replace"]))
