"""find_elements: what a task is about, by meaning and words, over what the model says and what is remembered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph.describing import (
    element_keys,
    element_terms,
    embed_elements,
    is_outside,
    present,
    without_vector,
)
from graph.errors import Fault, InvalidInput, Unavailable
from graph.parts import Parts
from graph.pinning import elements_at
from graph.quoting import name_of, one_line
from graph.ranking import Question, TermStats, lexical, relevance, share_held
from graph.scopes import Scope
from graph.stores.port import Asked, ElementVector, ReadUnit, StoredElement
from graph.terms import analyse, code_names, question_keys, symbol_key, tokens
from graph.vectors import Vector, cosines
from graph.work_views import FoundElement, FoundElements

_HEADER = "Elements of the model that this is likely about, best first:"
_NOTHING = "No element of the model is likely meant by this."
_NO_MODEL = "The model is empty: `archmem init` or `archmem model import` gives it elements."
_DESCRIPTION_SHOWN = 160


@dataclass(frozen=True, slots=True)
class _Ground:
    """What one consistent view of the store says about a question: the elements, what of them is known and missing."""

    elements: tuple[StoredElement, ...]
    named: Mapping[str, str]
    words: Mapping[str, float]
    matched: Mapping[str, tuple[str, ...]]
    remembered: Mapping[str, tuple[float, str]]
    vectors: Mapping[str, ElementVector] = field(default_factory=dict)
    missing: Sequence[StoredElement] = ()


def find_elements(parts: Parts, scope: Scope, question: str, *, limit: int | None) -> FoundElements:
    """Return the elements that a question or a task means; see WorkGraph.find_elements."""
    policy = parts.policy.finding
    question = question.encode("utf-8", "replace").decode()
    longest = parts.policy.recall.longest_question
    faults = []
    if not question.strip():
        faults.append(Fault(where="question", what="is empty"))
    if len(question) > longest:
        faults.append(Fault(where="question", what=f"is longer than {longest} characters"))
    if limit is not None and not 1 <= limit <= policy.max_limit:
        faults.append(Fault(where="limit", what=f"is not between 1 and {policy.max_limit}"))
    if faults:
        raise InvalidInput("no element can be found", next_step="correct each field named above", faults=faults)
    vector, notices = _embed(parts, question)
    ground = parts.store.read(scope, lambda unit: _look(parts, unit, question, vector))
    meaning = None if vector is None else _meaning(parts, scope, vector, ground, notices)
    scored = ((_score(parts, one, ground, meaning), one) for one in ground.elements)
    found = sorted(
        ((score, one) for score, one in scored if score >= policy.min_relevance),
        key=lambda pair: (-pair[0], pair[1].element.ref),
    )
    shown = tuple(_shown(parts, score, one, ground, meaning) for score, one in found[: limit or policy.limit])
    nothing = _NOTHING if ground.elements else _NO_MODEL
    lines = [_HEADER, *map(_line, shown)] if shown else [nothing]
    return FoundElements(
        question=question,
        elements=shown,
        mode="words alone" if vector is None else "meaning and words",
        notices=tuple(notices),
        text="\n".join([*lines, *(f"({notice})" for notice in notices)]),
    )


def _embed(parts: Parts, question: str) -> tuple[Vector | None, list[str]]:
    if parts.embedder is None:
        return None, []
    try:
        return parts.embedder.embed([question])[0], []
    except Unavailable as error:
        return None, [f"words alone: {error.what}"]


def _look(parts: Parts, unit: ReadUnit, question: str, vector: Vector | None) -> _Ground:
    elements = present(unit)
    asked = _words_by_term(question)
    terms = {one.id: element_terms(one.element) for one in elements}
    holding = {term: sum(term in held for held in terms.values()) for term in asked}
    stats = TermStats(memories=len(elements), holding=holding)
    known = unit.element_vectors(parts.embedder.identity) if parts.embedder and vector is not None else {}
    return _Ground(
        elements=elements,
        named=_named(elements, question),
        words={name: share_held(tuple(asked), held, stats) for name, held in terms.items() if held & asked.keys()},
        matched={
            name: tuple(dict.fromkeys(word for term, word in asked.items() if term in held))
            for name, held in terms.items()
            if held & asked.keys()
        },
        remembered=_remembered(parts, unit, question, vector),
        vectors=known,
        missing=() if vector is None else without_vector(parts, unit.scope, elements, known),
    )


def _words_by_term(question: str) -> dict[str, str]:
    """Return the question's terms, each with the word as it was written."""
    written = {term: token for token in reversed(tokens(question)) for term in analyse(token)}
    return {term: written.get(term, term) for term in analyse(question)}


def _named(elements: Sequence[StoredElement], question: str) -> dict[str, str]:
    """Return the elements that the question names for certain: by its whole, by an identifier, by a path of theirs."""
    code = code_names(question)
    keys = question_keys(question) | {symbol_key(name) for name in code}
    named: dict[str, str] = {}
    for path in (name for name in code if "/" in name):
        covering = {element.ref for element in elements_at((one.element for one in elements), path)}
        named |= {one.id: f"its source covers {path}" for one in elements if one.element.ref in covering}
    return named | {one.id: "named" for one in elements if keys & element_keys(one.element)}


def _remembered(parts: Parts, unit: ReadUnit, question: str, vector: Vector | None) -> dict[str, tuple[float, str]]:
    """Return of each element how relevant the memory about it is that fits best, and what that is called."""
    ranking, codec = parts.policy.ranking, parts.codec
    model = parts.embedder.identity if parts.embedder and vector is not None else ""
    if vector is not None and not unit.embedded(model).embedded:
        vector = None
    asked = Asked(
        terms=tuple(codec.key(unit.scope, term) for term in analyse(question)),
        keys=frozenset(codec.key(unit.scope, key) for key in question_keys(question)),
        policy=ranking,
        now=parts.clock(),
        vector=vector,
        model=model,
        limit=parts.policy.finding.memories_read,
    )
    facts = unit.facts(unit.nominate(asked).ids)
    stats = unit.term_stats(asked.terms)
    semantic = None if vector is None else cosines(vector, unit.vectors([one.id for one in facts], model))
    put = Question(terms=asked.terms, keys=asked.keys, semantic=semantic)
    names = {one.id: name_of(one) for one in map(parts.codec.open_memory, unit.memories([one.id for one in facts]))}
    best: dict[str, tuple[float, str]] = {}
    for one in facts:
        meaning = None if semantic is None else max(0.0, semantic.get(one.id, 0.0))
        fits = relevance(meaning, lexical(put, one, stats), ranking)
        for element in one.elements if fits >= ranking.min_relevance else ():
            best[element] = max(best.get(element, (0.0, "")), (fits, names[one.id]))
    return best


def _meaning(parts: Parts, scope: Scope, vector: Vector, ground: _Ground, notices: list[str]) -> dict[str, float]:
    """Return each element's cosine; a few vectors that are missing are made on the spot, for the likeliest by words."""
    at_once = parts.policy.finding.embedded_at_once
    likeliest = sorted(ground.missing, key=lambda one: (-_by_words(parts, one, ground), one.element.ref))[:at_once]
    made: dict[str, ElementVector] = {}
    if parts.embedder is not None and likeliest:
        try:
            made = embed_elements(parts, scope, parts.embedder, likeliest)
        except Unavailable as error:
            notices.append(f"words alone where an element has no vector yet: {error.what}")
    vectors = {**ground.vectors, **made}
    without = sum(one.id not in vectors for one in ground.elements)
    if without:
        notices.append(f"{without} of {len(ground.elements)} elements have no vector yet; run `archmem reindex`")
    known = {one.id: vectors[one.id].vector for one in ground.elements if one.id in vectors}
    return {name: max(0.0, cosine) for name, cosine in cosines(vector, known).items()}


def _by_words(parts: Parts, one: StoredElement, ground: _Ground) -> float:
    remembered = ground.remembered.get(one.id, (0.0, ""))[0]
    return max(ground.words.get(one.id, 0.0), parts.policy.finding.remembered_share * remembered)


def _score(parts: Parts, one: StoredElement, ground: _Ground, meaning: Mapping[str, float] | None) -> float:
    policy = parts.policy.finding
    words = ground.words.get(one.id, 0.0)
    own = words
    if meaning is not None:
        own = policy.semantic_weight * meaning.get(one.id, 0.0) + policy.lexical_weight * words
    fits, _ = ground.remembered.get(one.id, (0.0, ""))
    relevant = 1.0 if one.id in ground.named else max(own, policy.remembered_share * fits)
    return round(relevant * (policy.outside_factor if is_outside(one.element) else 1.0), 9)


def _shown(
    parts: Parts, score: float, stored: StoredElement, ground: _Ground, meaning: Mapping[str, float] | None
) -> FoundElement:
    name, one = stored.id, stored.element
    matched, (_, memory) = ground.matched.get(name, ()), ground.remembered.get(name, (0.0, ""))
    reasons = [ground.named[name]] if name in ground.named else []
    if meaning is not None and meaning.get(name, 0.0) >= parts.policy.finding.telling_cosine:
        reasons.append("its meaning")
    if matched:
        reasons.append(f"its words {', '.join(matched)}")
    if memory:
        reasons.append(f"what is remembered about it: {memory}")
    return FoundElement(
        ref=one.ref,
        kind=one.kind.value,
        name=one.name,
        description=one.description,
        score=score,
        reasons=tuple(reasons),
    )


def _line(one: FoundElement) -> str:
    told = one_line(one.description)
    short = told if len(told) <= _DESCRIPTION_SHOWN else f"{told[:_DESCRIPTION_SHOWN]}…"
    return f"- {one_line(one.ref)} [{one.kind}]{f': {short}' if short else ''} ({'; '.join(one.reasons)})"
