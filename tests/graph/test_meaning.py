"""What vectors add: restatements by meaning, paraphrases, back-fill, and a loud word when models differ."""

from collections.abc import Sequence

import pytest

from graph.elements import ArchitectureModel, ElementKind
from graph.embedders.local import LocalEmbedder, available
from graph.errors import Unavailable
from graph.memory_graph import MemoryGraph
from graph.policy import DedupPolicy, GraphPolicy
from graph.vectors import Vector
from graph.views import Progress
from tests.graph.conftest import ME, MODEL, SHOP, WIDE, Make, draft, element, found, write

pytestmark = pytest.mark.skipif(not available(), reason="the extra `local` is not installed")

LIMIT = "The gateway strips custom headers longer than 8KB"
EMBEDDER = LocalEmbedder()


class Shortened(LocalEmbedder):
    """Another model: the first 64 dimensions, made unit length again."""

    identity = "test:shortened:64"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        short = [vector[:64] for vector in super().embed(texts)]
        return [vector / (vector @ vector) ** 0.5 for vector in short]


class Broken(LocalEmbedder):
    """A provider that is away."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise Unavailable("the provider is away", id=str(len(texts)), next_step="start it")


@pytest.fixture
def graph(make: Make) -> MemoryGraph:
    made = make(EMBEDDER)
    made.import_model(SHOP, MODEL)
    made.back_fill(SHOP)
    return made


def test_a_restatement_in_other_small_words_confirms(graph: MemoryGraph) -> None:
    first = write(graph, LIMIT)
    again = graph.remember(SHOP, draft("Gateway strips the custom headers that are longer than 8KB!"), actor=ME)
    assert (again.deduplicated, again.memory.id) == (True, first.id)


@pytest.mark.parametrize(
    ("known", "new", "differs"),
    [
        (LIMIT, "The gateway strips custom headers longer than 16KB", "numbers"),
        ("Always retry the payment call", "Never retry the payment call", "polarity"),
        ("checkout calls billing", "billing calls checkout", "order"),
        (
            "The storefront is always deployed from the main branch by the pipeline",
            "The storefront is always deployed from the release branch by the pipeline",
            "words",
        ),
    ],
)
def test_a_contradiction_is_stored_and_named(graph: MemoryGraph, known: str, new: str, differs: str) -> None:
    first = write(graph, known)
    answer = graph.remember(SHOP, draft(new), actor=ME)
    assert not answer.deduplicated
    assert [near.id for near in answer.similar_to] == [first.id]
    assert differs in answer.similar_to[0].differs
    assert answer.similar_to[0].cosine >= 0.82
    assert len(graph.memories(SHOP)) == 2


def test_near_facts_about_another_element_are_found_too(graph: MemoryGraph) -> None:
    first = write(graph, LIMIT, elements=["Shop.Web"])
    answer = graph.remember(SHOP, draft(f"{LIMIT}.", elements=["Checkout"]), actor=ME)
    assert answer.deduplicated
    assert answer.memory.id == first.id
    assert answer.memory.elements == ("Shop.API.Checkout", "Shop.Web")


def test_the_bar_for_confirming_is_the_policys(make: Make) -> None:
    strict = make(EMBEDDER, GraphPolicy(dedup=DedupPolicy(confirm_at=0.9999)))
    write(strict, LIMIT)
    again = strict.remember(SHOP, draft("Gateway strips the custom headers that are longer than 8KB!"), actor=ME)
    assert not again.deduplicated


def test_a_paraphrase_without_a_common_word_is_found_by_meaning(graph: MemoryGraph) -> None:
    write(graph, "Clients that call too often are throttled for a minute")
    write(graph, "Invoices are archived for ten years")
    write(graph, "The storefront is built with a bundler")
    hit = graph.recall(SHOP, "rate limiting", explain=True).hits[0]
    assert hit.memory is not None
    assert hit.memory.content.startswith("Clients")
    assert hit.factors is not None
    assert (hit.factors.lexical, hit.factors.matched) == (0.0, ())
    assert hit.factors.relevance == pytest.approx(0.55 * hit.factors.semantic)


def test_a_name_that_most_memories_hold_does_not_blur_the_question(graph: MemoryGraph) -> None:
    for n in range(40):
        write(graph, f"Acme keeps fact number {n} in the archive")
    write(graph, "Clients that call Acme too often are throttled for a minute")
    named = graph.recall(SHOP, "Acme rate limiting", explain=True).hits[0].factors
    bare = graph.recall(SHOP, "rate limiting", explain=True).hits[0].factors
    assert named is not None
    assert bare is not None
    assert named.semantic == bare.semantic > 0.3
    assert graph.recall(SHOP, "Acme").answered


def test_a_question_of_a_small_project_is_asked_as_it_stands(graph: MemoryGraph) -> None:
    write(graph, "Clients that call Acme too often are throttled for a minute")
    named = graph.recall(SHOP, "Acme rate limiting", explain=True).hits[0].factors
    bare = graph.recall(SHOP, "rate limiting", explain=True).hits[0].factors
    assert named is not None
    assert bare is not None
    assert named.semantic != bare.semantic


def test_a_provider_that_fails_costs_meaning_and_no_memory(make: Make) -> None:
    graph = make(Broken())
    graph.import_model(SHOP, MODEL)
    answer = graph.remember(SHOP, draft("Clients that call too often are throttled"), actor=ME)
    assert not answer.embedded
    found_by_words = graph.recall(SHOP, "throttled clients")
    assert found_by_words.answered
    assert found_by_words.mode == "words alone"
    assert found_by_words.notices == ("words alone: the provider is away",)
    mended = make(EMBEDDER)
    assert mended.back_fill(SHOP) == Progress(done=1 + len(MODEL.elements), left=0)
    assert mended.recall(SHOP, "rate limiting").answered


def test_what_was_written_without_an_embedder_is_found_by_words_and_back_filled_later(make: Make) -> None:
    plain = make()
    plain.import_model(SHOP, MODEL)
    for n in range(70):
        write(plain, f"Fact number {n} about invoices")
    write(plain, "Clients that call too often are throttled for a minute")
    shared = write(plain, "Reviews take a day", scope=WIDE)
    assert plain.recall(SHOP, "throttled clients").mode == "words alone"
    assert plain.back_fill(SHOP) == Progress(done=0, left=0)

    graph = make(EMBEDDER)
    answer = graph.recall(SHOP, "throttled clients")
    assert answer.mode == "words alone"
    assert "72 of 72 memories have no vector" in answer.notices[0]
    assert answer.answered
    steps: list[Progress] = []
    assert graph.back_fill(SHOP, limit=40) == Progress(done=40, left=32 + len(MODEL.elements))
    assert graph.back_fill(SHOP, progress=steps.append) == Progress(done=32 + len(MODEL.elements), left=0)
    assert steps[-1].left == 0
    assert graph.recall(SHOP, "rate limiting").hits[0].text.count("throttled") == 2
    assert shared.id in {hit.id for hit in graph.recall(SHOP, "how long does a review need").hits}


def test_another_model_refuses_vectors_loudly_and_recall_stays_with_words(graph: MemoryGraph, make: Make) -> None:
    write(graph, "Clients that call too often are throttled for a minute")
    other = make(Shortened())
    answer = other.recall(SHOP, "throttled clients")
    assert answer.mode == "words alone"
    assert answer.answered
    assert "no vector of test:shortened:64" in answer.notices[0]
    assert "found: local:all-MiniLM-L6-v2-int8:384" in answer.notices[0]
    assert "archmem reindex" in answer.text
    assert other.back_fill(SHOP) == Progress(done=1 + len(MODEL.elements), left=0)
    assert other.recall(SHOP, "rate limiting").mode == "meaning and words"


def test_a_pending_vector_counts_as_no_meaning_while_others_have_theirs(make: Make) -> None:
    make().remember(SHOP, draft("Callers above ten a second are slowed down"), actor=ME)
    graph = make(EMBEDDER)
    write(graph, "Clients that call too often are throttled for a minute")
    answer = graph.recall(SHOP, "throttled callers slowed", explain=True)
    factors = {hit.memory.content[:7]: hit.factors for hit in answer.hits if hit.memory and hit.factors}
    assert answer.mode == "meaning and words"
    assert factors["Callers"].semantic == 0.0
    assert factors["Clients"].semantic > 0.3
    assert "1 of 2 memories have no vector" in answer.notices[0]


def test_a_renamed_element_makes_its_memories_pending_and_keeps_their_old_vectors(graph: MemoryGraph) -> None:
    write(graph, "Clients that call too often are throttled", elements=["Checkout"])
    renamed = element("Shop.API.Till", ElementKind.COMPONENT, identity="checkout")
    kept = [one for one in MODEL.elements if one.ref != "Shop.API.Checkout"]
    graph.import_model(SHOP, ArchitectureModel(elements=(*kept, renamed)))
    assert found(graph, "throttling callers") == ["Clients that call too often are throttled"]
    assert graph.back_fill(SHOP) == Progress(done=2, left=0)  # the memory, and the element itself


def test_a_renamed_memory_is_embedded_with_its_new_title(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="A")
    graph.rename(SHOP, "A", "Throttling of API clients", actor=ME)
    assert graph.back_fill(SHOP) == Progress(done=0, left=0)
    assert found(graph, "rate limiting") == ["Ten a second"]


def test_two_stores_and_two_processes_see_each_others_vectors(graph: MemoryGraph, make: Make) -> None:
    other = make(EMBEDDER)
    assert other.recall(SHOP, "rate limiting").hits == ()
    kept = write(graph, "Clients that call too often are throttled")
    assert other.recall(SHOP, "rate limiting").hits[0].id == kept.id
    graph.supersede(SHOP, kept.id, draft("Invoices are kept for ten years"), actor=ME)
    assert kept.id not in {hit.id for hit in other.recall(SHOP, "rate limiting").hits}
