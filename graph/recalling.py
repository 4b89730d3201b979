"""recall: nominate, score in the core, pull in what is linked, say it within the budget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graph.errors import Fault, InvalidInput, Unavailable
from graph.finding import last_findings, show, successor
from graph.memories import Evidence
from graph.parts import Parts
from graph.places import Place, find_place
from graph.quoting import HEADER, is_verify, one_line, quote_decision, quote_memory
from graph.ranking import Factors, Facts, Question, TermStats, factors, fuse, lexical
from graph.scopes import Scope
from graph.stores.port import Asked, Link, ReadUnit
from graph.terms import analyse, question_keys, without_terms
from graph.vectors import Vector, cosines
from graph.views import Hit, Recall

_NOTHING = "Nothing is remembered that answers this."


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its factors and its place in the order."""

    facts: Facts
    factors: Factors
    distance: int
    via: str = ""

    @property
    def order(self) -> tuple[float, int, str]:
        return (-self.factors.score, self.distance, self.facts.id)


def recall(
    parts: Parts,
    scope: Scope,
    question: str,
    *,
    elements: Sequence[str],
    paths: Sequence[str],
    limit: int | None,
    budget: int | None,
    explain: bool,
) -> Recall:
    """Answer a question, or tell what is known about a place; see MemoryGraph.recall."""
    policy = parts.policy.recall
    question = question.encode("utf-8", "replace").decode()
    faults = []
    if not question.strip() and not elements and not paths:
        faults.append(Fault(where="question", what="is empty and no element or path is named"))
    if len(question) > policy.longest_question:
        faults.append(Fault(where="question", what=f"is longer than {policy.longest_question} characters"))
    if limit is not None and not 1 <= limit <= policy.max_limit:
        faults.append(Fault(where="limit", what=f"is not between 1 and {policy.max_limit}"))
    if budget is not None and budget < 1:
        faults.append(Fault(where="budget", what="is not a positive number of characters"))
    if faults:
        raise InvalidInput("the question cannot be asked", next_step="correct each field named above", faults=faults)
    return ask(parts, scope, question, elements=elements, paths=paths, limit=limit, budget=budget, explain=explain)


def ask(
    parts: Parts,
    scope: Scope,
    question: str,
    *,
    elements: Sequence[str],
    paths: Sequence[str],
    limit: int | None,
    budget: int | None,
    explain: bool,
) -> Recall:
    """Answer what can be asked; without a question and a place, tell of everything."""
    policy = parts.policy.recall
    vector, notices = _embed_question(parts, scope, question)
    return parts.store.read(
        scope,
        lambda unit: _Asking(parts, unit, question, vector, notices).answer(
            elements, paths, limit or policy.limit, budget or policy.budget_characters, explain=explain
        ),
    )


def _embed_question(parts: Parts, scope: Scope, question: str) -> tuple[Vector | None, list[str]]:
    """Return the question's vector, outside every transaction; without one, the notice that says why."""
    if parts.embedder is None or not question.strip():
        return None, []
    telling = parts.store.read(scope, lambda unit: _telling(parts, unit, question))
    try:
        vector: Vector = parts.embedder.embed([telling])[0]
    except Unavailable as error:
        return None, [f"words alone: {error.what}"]
    return vector, []


def _telling(parts: Parts, unit: ReadUnit, question: str) -> str:
    """Return the question without words that so many memories hold that they only blur its meaning (a name, mostly)."""
    policy = parts.policy.recall
    terms = {parts.codec.key(unit.scope, term): term for term in analyse(question)}
    stats = unit.term_stats(tuple(terms))
    if stats.memories < policy.common_from:
        return question
    bound = policy.common_share * stats.memories
    return without_terms(question, frozenset(t for key, t in terms.items() if stats.holding.get(key, 0) >= bound))


class _Asking:
    """One question on one consistent view of the store."""

    def __init__(
        self, parts: Parts, unit: ReadUnit, question: str, vector: Vector | None, notices: Sequence[str]
    ) -> None:
        self._parts = parts
        self._unit = unit
        self._question = question
        # An embedder that cannot be had may not know its identity either.
        self._model = parts.embedder.identity if parts.embedder and vector is not None else ""
        self._vector = vector
        self._ranking = parts.policy.ranking
        self._notices = list(notices)
        self._now = parts.clock()
        codec, scope = parts.codec, unit.scope
        self._terms = tuple(codec.key(scope, term) for term in analyse(question))
        self._keys = frozenset(codec.key(scope, key) for key in question_keys(question))
        # What nobody asked for is all relevant: then a place is told of.
        self._given = None if question.strip() else 1.0
        self._beyond = 0
        self._stats = TermStats(memories=0, holding={})

    def answer(
        self, elements: Sequence[str], paths: Sequence[str], limit: int, budget: int, *, explain: bool
    ) -> Recall:
        place = self._place(elements, paths)
        if self._vector is not None and not self._are_vectors_usable():
            self._vector = None
        hits = self._ranked(self._candidates(place, limit), place)
        pulled, decisions = self._linked(hits, place)
        ordered = sorted([*hits, *pulled], key=lambda one: one.order)
        return self._say(ordered, decisions, place, limit, budget, explain=explain)

    # Candidates
    def _place(self, names: Sequence[str], paths: Sequence[str]) -> Place:
        if not names and not paths:
            return Place()
        place, uncovered = find_place(self._unit.elements(), names, paths)
        self._notices.extend(
            f"no element covers {one_line(path)}; this is what the project knows" for path in uncovered
        )
        return place

    def _are_vectors_usable(self) -> bool:
        state = self._unit.embedded(self._model)
        if not state.pending:
            return True
        others = ", ".join(model for model in state.models if model != self._model)
        what = f"{state.pending} of {state.live} memories have no vector of {self._model} yet"
        self._notices.append(f"{what}{f' (found: {others})' if others else ''}; run `archmem reindex`")
        return state.embedded > 0

    def _candidates(self, place: Place, limit: int) -> tuple[Facts, ...]:
        self._stats = self._unit.term_stats(self._terms)
        # Fusion goes by ranks, so it needs them all.
        bound = None if self._ranking.ranking == "rrf" else max(limit, self._parts.policy.recall.pulling_hits)
        nominated = self._unit.nominate(
            Asked(
                terms=self._terms,
                keys=self._keys,
                policy=self._ranking,
                now=self._now,
                vector=self._vector,
                model=self._model,
                elements=tuple(place.distance) if place.is_asked else None,
                given=self._given,
                limit=bound,
            )
        )
        self._beyond = nominated.beyond
        return self._unit.facts(nominated.ids)

    # Scores
    def _ranked(self, candidates: Sequence[Facts], place: Place) -> list[Scored]:
        question = self._asked(candidates)
        scored = [Scored(f, self._factors(question, f, self._given), place.of(f)) for f in candidates]
        hits = [one for one in scored if one.factors.relevance >= self._ranking.min_relevance]
        if self._ranking.ranking == "rrf" and self._given is None:
            hits = self._fused(hits, question)
        return sorted(hits, key=lambda one: one.order)

    def _factors(self, question: Question, facts: Facts, given: float | None) -> Factors:
        return factors(question, facts, self._stats, self._now, self._ranking, given=given)

    def _asked(self, candidates: Sequence[Facts]) -> Question:
        semantic = None
        if self._vector is not None:
            semantic = cosines(self._vector, self._unit.vectors([f.id for f in candidates], self._model))
        return Question(terms=self._terms, keys=self._keys, semantic=semantic)

    def _fused(self, hits: Sequence[Scored], question: Question) -> list[Scored]:
        by_words = {one.facts.id: lexical(question, one.facts, self._stats) for one in hits}
        rankings = [_order(by_words)]
        if question.semantic is not None:
            rankings.append(_order({one.facts.id: one.factors.semantic for one in hits}))
        fused = fuse(rankings, self._ranking.rrf_k)
        return [
            Scored(one.facts, replace(one.factors, score=fused.get(one.facts.id, 0.0)), one.distance) for one in hits
        ]

    # Links
    def _linked(self, hits: Sequence[Scored], place: Place) -> tuple[list[Scored], dict[str, tuple[float, str]]]:
        """Return the memories, and the decisions with score and puller, that the best hits pull in."""
        policy = self._parts.policy.recall
        known = {one.facts.id for one in hits}
        pulled: dict[str, Scored] = {}
        decisions: dict[str, tuple[float, str]] = {}
        pulling = hits[: policy.pulling_hits]
        neighbours = self._neighbours([one.facts.id for one in pulling])
        for one in pulling:
            given = one.factors.relevance * policy.pulled_share
            for kind, target in neighbours[one.facts.id][: policy.pulled_per_hit]:
                if kind == "decision":
                    decisions.setdefault(target, (round(given, 9), one.facts.id))
                elif target not in known and target not in pulled:
                    for facts in self._unit.facts([target]):
                        question = self._asked([facts])
                        if self._is_hit(question, facts, place):
                            continue
                        made = self._factors(question, facts, given)
                        if self._ranking.ranking == "rrf":
                            half = round(one.factors.score * policy.pulled_share, 9)
                            made = replace(made, score=half)
                        pulled[target] = Scored(facts, made, one.distance, via=one.facts.id)
        return list(pulled.values()), decisions

    def _is_hit(self, question: Question, facts: Facts, place: Place) -> bool:
        """Say whether it answers by itself, beyond the limit: then it keeps the place that it has."""
        if self._beyond == 0 or not place.covers(facts):
            return False
        return self._factors(question, facts, self._given).relevance >= self._ranking.min_relevance

    def _neighbours(self, memories: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return the memories and decisions that each is linked with: those it names, then those that name it."""
        found: dict[str, dict[tuple[str, str], None]] = {name: {} for name in memories}
        for link in self._unit.links_from(memories):
            living = self._living(link)
            if living is not None and living[1] != link.memory:
                found[link.memory][living] = None
        for link in self._unit.links_to(memories):
            if link.memory != link.target:
                found[link.target]["memory", link.memory] = None
        return {name: list(linked) for name, linked in found.items()}

    def _living(self, link: Link) -> tuple[str, str] | None:
        if link.target_kind == "decision":
            return "decision", link.target
        if link.target_kind != "memory":
            return None
        for record in self._unit.memories([link.target]):
            alive = successor(self._parts, self._unit, self._parts.codec.open_memory(record))
            return ("memory", alive.id) if alive else None
        return None

    # Words
    def _say(
        self,
        ordered: Sequence[Scored],
        decisions: Mapping[str, tuple[float, str]],
        place: Place,
        limit: int,
        budget: int,
        *,
        explain: bool,
    ) -> Recall:
        candidates = self._hits(ordered[:limit], decisions, explain=explain)[:limit]
        notices = [f"({notice})" for notice in self._notices]
        left = budget - len(HEADER) - sum(len(notice) + 1 for notice in notices)
        shown: list[Hit] = []
        for hit in candidates:
            left -= len(hit.text) + 1
            if left < 0 and shown:
                break
            shown.append(hit if left >= 0 else hit.model_copy(update={"text": _cut(hit.text, len(hit.text) + left)}))
        omitted = len(ordered) + self._beyond + len(decisions) - len(shown)
        lines = [HEADER, *(hit.text for hit in shown)] if shown else [_NOTHING]
        if omitted and shown:
            lines.append(f"({omitted} more left out; raise the limit or the budget)")
        return Recall(
            question=self._question,
            elements=place.refs,
            answered=bool(shown),
            hits=tuple(shown),
            omitted=omitted,
            mode="words alone" if self._vector is None else "meaning and words",
            notices=tuple(self._notices),
            as_of=self._unit.last_head(),
            text="\n".join([*lines, *notices]),
        )

    def _hits(
        self, ordered: Sequence[Scored], decisions: Mapping[str, tuple[float, str]], *, explain: bool
    ) -> list[Hit]:
        records = self._unit.memories([one.facts.id for one in ordered])
        memories = map(self._parts.codec.open_memory, records)
        views = {view.id: view for view in show(self._parts, self._unit, memories)}
        names = {name: view.title or view.id for name, view in views.items()}
        is_ground_told = any(view.drifted_at or view.evidence is not Evidence.NONE for view in views.values())
        findings, claims = last_findings(self._unit) if is_ground_told else ({}, {})
        hits = [
            Hit(
                id=one.facts.id,
                title=views[one.facts.id].title,
                kind=views[one.facts.id].kind.value,
                elements=views[one.facts.id].elements,
                text=quote_memory(
                    views[one.facts.id],
                    self._now,
                    findings,
                    self._ranking,
                    via=names.get(one.via, one.via),
                    claims=claims.get(one.facts.id, ()),
                ),
                score=one.factors.score,
                verify=is_verify(views[one.facts.id], self._ranking),
                via=one.via,
                distance=one.distance,
                memory=views[one.facts.id],
                factors=one.factors if explain else None,
            )
            for one in ordered
        ]
        hits.extend(self._decision_hits(decisions, names))
        return sorted(hits, key=lambda hit: (-hit.score, hit.distance, hit.id))

    def _decision_hits(self, decisions: Mapping[str, tuple[float, str]], names: Mapping[str, str]) -> Iterable[Hit]:
        for stored in self._unit.decisions() if decisions else ():
            if stored.id in decisions:
                score, via = decisions[stored.id]
                decision = stored.decision
                yield Hit(
                    id=stored.id,
                    type="decision",
                    title=f"{decision.ref} {decision.title}".strip(),
                    kind="decision",
                    elements=decision.about,
                    text=quote_decision(decision, names.get(via, via)),
                    score=score,
                    via=via,
                )


def _order(scores: Mapping[str, float]) -> list[str]:
    return sorted((name for name, score in scores.items() if score > 0), key=lambda name: (-scores[name], name))


def _cut(text: str, budget: int) -> str:
    return f"{text[: max(0, budget - 1)]}…"
