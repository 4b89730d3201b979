"""The main job step by step; each step shows what it claims, and the demo fails when it does not hold."""

from collections.abc import Callable, Mapping, Sequence

from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from graph.views import Hit, Recall, Remembered
from server import drifting
from server.answers import Ran
from server.bootstrap import bootstrap, words_alone
from server.demo.sample import Edit, Sample, read_sample, sample_folder
from server.demo.stage import Stage, staged
from server.modelling import initialise
from server.settings import Settings, load_settings
from server.workplace import Workplace, workplace_at

ACTOR = "demo/agent"
_LEAST_MEMORIES = 30
_GAPS_SHOWN = 5

Say = Callable[[str], object]


class Failed(Exception):
    """Something that the demo claims does not hold."""


def play(say: Say, environment: Mapping[str, str], store: str | None = None) -> int:
    """Play the demo, in this store or one of its own; return 0, or 1 when something that it claims does not hold."""
    folder = sample_folder()
    with staged(folder, environment) as stage:
        settings = load_settings({"store": store or str(stage.store)}, _untouched(environment))
        graph = bootstrap(settings)
        try:
            with workplace_at(stage.repository) as workplace:
                _Play(say, stage, read_sample(folder), settings, graph, workplace).run()
        except Failed as failure:
            say(f"\nThe demo failed: {failure}")
            return 1
        finally:
            graph.close()
    return 0


class _Play:
    def __init__(
        self,
        say: Say,
        stage: Stage,
        sample: Sample,
        settings: Settings,
        graph: MemoryGraph,
        workplace: Workplace,
    ) -> None:
        self._say = say
        self._stage = stage
        self._sample = sample
        self._settings = settings
        self._graph = graph
        self._workplace = workplace
        self._scope = Scope()
        self._missing = words_alone(settings)
        self._asked = sample.paraphrases[0]
        # Without meaning a paraphrase finds nothing; the memory's own title does.
        self._question = self._asked.title if self._missing else self._asked.question
        self._element = sample.draft(self._asked.title).elements[0]
        self._step = 0

    def run(self) -> None:
        """Play every step."""
        self._say(f"The bookshop, in a temporary git repository: {self._stage.repository}")
        if self._missing:
            self._say(f"({self._missing}; the steps that go by meaning are played by words)")
        self._import()
        self._remember_sample()
        self._restate()
        self._contradict()
        self._link()
        before = self._recall()
        self._change(self._sample.changes[0], flags=False)
        drifted = self._recall_intact(before)
        self._confirm(drifted)
        self._change(self._sample.changes[1], flags=True)
        self._recall_flagged(drifted)
        self._cover()

    def _import(self) -> None:
        self._title("archmem init", "the model goes in")
        made = initialise(self._graph, self._settings, self._workplace)
        self._scope = Scope(organisation=made.project.organisation, project=made.project.id)
        change = made.change
        self._say(
            f"   {change.elements} elements imported, {change.relationships} relationships, "
            f"{change.decisions} decisions"
        )
        self._expect(change.elements > 0 and change.decisions > 0, "elements and decisions are imported")

    def _remember_sample(self) -> None:
        self._title("archmem remember …", "what the team learned is pinned to elements")
        made = [self._remember(draft) for draft in self._sample.memories]
        written = sum(not one.deduplicated for one in made)
        pinned = {ref for one in made for ref in one.memory.elements}
        self._say(f"   {written} memories written, pinned to {len(pinned)} elements; such as")
        for one in made[:3]:
            self._say(f"   [{one.memory.kind}] {one.memory.title}: {one.memory.content}")
        self._expect(written >= _LEAST_MEMORIES, f"at least {_LEAST_MEMORIES} memories are written")

    def _restate(self) -> None:
        self._title("archmem remember", "a restated fact is confirmed, not stored twice")
        known = self._sample.draft(self._sample.restated.title)
        again = self._sample.restated.draft
        if self._missing:
            again = again.model_copy(update={"content": known.content.upper()})
        made = self._remember(again)
        self._say(f"   known: {known.content}\n   again: {again.content}")
        self._say(f"   deduplicated: {str(made.deduplicated).lower()}, by {made.memory.title!r}")
        self._expect(made.deduplicated and made.memory.title == known.title, "the restated fact is deduplicated")

    def _contradict(self) -> None:
        self._title("archmem remember", "a contradicting fact is kept apart")
        for contradicting in self._sample.contradicting:
            known = self._sample.draft(contradicting.title)
            made = self._remember(contradicting.draft)
            self._say(f"   known: {known.content}\n   new:   {made.memory.content}")
            near = [one for one in made.similar_to if one.title == known.title]
            signs = "".join(f": cosine {one.cosine:.3f}, they differ in {', '.join(one.differs)}" for one in near)
            self._say(f"   kept apart{signs}")
            self._expect(not made.deduplicated, "the contradicting fact is kept apart")
            self._expect(bool(near) or bool(self._missing), "the contradicting fact names the one it is near to")

    def _link(self) -> None:
        self._title("archmem remember", "a link waits until its title is written")
        draft = self._sample.pending.draft
        waiting = [one for one in self._sample.memories if f"[[{draft.title}]]" in one.content]
        pending = [
            (one.title, link.raw)
            for one in waiting
            for link in self._graph.memory(self._scope, one.title).links
            if not link.target
        ]
        for title, raw in pending:
            self._say(f"   pending in {title!r}: [[{raw}]]")
        self._expect(bool(pending), "a link is pending")
        attached = self._remember(draft).attached
        self._say(f"   {draft.title!r} is written: {attached} link{'s' if attached != 1 else ''} attached")
        self._expect(attached == len(pending), "the link attaches")

    def _recall(self) -> Hit:
        self._title(f"archmem recall {self._question!r} --explain", "asked in other words")
        found = self._ask()
        hit = self._hit(found)
        self._show(hit)
        factors = hit.factors
        self._expect(factors is not None, "the score is explained")
        if factors is not None:
            self._say(
                f"   score {hit.score:.3f}: semantic {factors.semantic:.3f}, lexical {factors.lexical:g}, "
                f"kind {factors.kind:g}, freshness {factors.freshness:.3f}, drift {factors.drift:g}"
            )
            self._expect(bool(self._missing) or factors.lexical == 0, "no word is shared")
        self._expect(not hit.verify, "nothing is to be verified yet")
        return hit

    def _change(self, edits: Sequence[Edit], *, flags: bool) -> None:
        self._title("git commit; archmem drift run", "the code behind the element changes")
        self._stage.change(edits, "Change how calls are throttled")
        ran = drifting.run(self._graph, self._scope, self._workplace)
        self._verdict(ran)
        flagged = ran.stamped.flagged
        self._say(f"   {len(flagged)} {'memory' if len(flagged) == 1 else 'memories'} flagged")
        known = self._graph.memory(self._scope, self._asked.title).id
        self._expect((known in flagged) is flags, f"the memory is {'flagged' if flags else 'not flagged'}")

    def _verdict(self, ran: Ran) -> None:
        finding = next(one for one in ran.report.elements if one.ref == self._element)
        self._say(
            f"   {finding.ref}: {finding.verdict}, commits: {finding.commits}, {', '.join(finding.files)}, "
            f"{finding.share:.0%} of lines; score {ran.report.score:g} ({ran.report.band})"
        )
        self._expect(finding.verdict == "drifted", "the element drifted")

    def _recall_intact(self, before: Hit) -> Hit:
        self._title(f"archmem recall {self._question!r}", "the element drifted, what the memory claims still stands")
        hit = self._hit(self._ask())
        self._show(hit)
        self._say(f"   score {hit.score:.3f}, before {before.score:.3f}")
        self._expect(not hit.verify and "still stands" in hit.text, "recall says what still stands")
        self._expect(hit.score < before.score, "the score is lower")
        return hit

    def _recall_flagged(self, intact: Hit) -> None:
        self._title(f"archmem recall {self._question!r}", "now the values that the memory claims are others")
        hit = self._hit(self._ask())
        self._show(hit)
        self._say(f"   score {hit.score:.3f}, while they stood {intact.score:.3f}")
        self._expect(hit.verify and "VERIFY" in hit.text, "recall says VERIFY")
        claims = hit.memory.claims if hit.memory else ()
        self._expect(all(f"`{claim}`" in hit.text for claim in claims), "VERIFY names the claims")
        self._expect(hit.score < intact.score, "the score is lower")

    def _confirm(self, drifted: Hit) -> None:
        self._title(f"archmem confirm {drifted.title!r}", "somebody looked: it still holds")
        self._graph.confirm(self._scope, drifted.id, actor=ACTOR, checkout=self._workplace.checkout())
        hit = self._hit(self._ask())
        self._show(hit)
        self._say(f"   score {hit.score:.3f}")
        self._expect("drifted" not in hit.text and hit.score > drifted.score, "confirming clears what was found")

    def _cover(self) -> None:
        self._title("archmem coverage", "what nobody wrote down")
        found = self._graph.coverage(self._scope)
        self._say(f"   {found.headline}")
        for gap in found.gaps[:_GAPS_SHOWN]:
            self._say(f"   gap: {gap.ref} (dependants: {gap.dependants}, commits: {gap.commits})")
        self._expect(0 < found.documented <= found.counted, "coverage is told")
        self._expect(bool(found.gaps), "the gaps are named")

    def _remember(self, draft: Draft) -> Remembered:
        return self._graph.remember(self._scope, draft, actor=ACTOR, checkout=self._workplace.checkout())

    def _ask(self) -> Recall:
        return self._graph.recall(self._scope, self._question, explain=True)

    def _hit(self, found: Recall) -> Hit:
        hit = next((one for one in found.hits if one.title == self._asked.title), None)
        if hit is None:
            raise Failed(f"{self._question!r} does not find {self._asked.title!r}")
        return hit

    def _show(self, hit: Hit) -> None:
        for line in hit.text.splitlines():
            self._say(f"   {line}")

    def _title(self, command: str, what: str) -> None:
        self._step += 1
        self._say(f"\n{self._step}. {command}: {what}")

    def _expect(self, holds: bool, what: str) -> None:
        if not holds:
            raise Failed(f"it does not hold that {what}")


def _untouched(environment: Mapping[str, str]) -> Mapping[str, str]:
    # The demo has a store and a project of its own, whatever the user's work is about.
    kept = ("ARCHMEM_EMBEDDER", "ARCHMEM_NEO4J")
    return {name: value for name, value in environment.items() if name.startswith(kept)}
