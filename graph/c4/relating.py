"""Relationship statements: `a -> b`, `-> b`, `this -> b`, `a --archetype-> b`."""

from dataclasses import dataclass
from itertools import islice, product

from graph.c4.archetypes import RELATIONSHIP, Archetype, Archetypes
from graph.c4.draft import Draft, DraftElement, DraftRelationship, related_by_blood
from graph.c4.findings import Findings
from graph.c4.frames import Block, Frame
from graph.c4.lines import Line, split_tags
from graph.c4.statements import Statement

_MOST_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class _Arrow:
    """A relationship as it is written; the ends are identifiers, an empty source is the block's own element."""

    line: Line
    scope: Frame
    source: str
    target: str
    words: tuple[str, ...]
    archetype: Archetype


class Relating:
    """Makes the declared relationships; one that names an element of a later line waits for the end."""

    def __init__(self, draft: Draft, archetypes: Archetypes, findings: Findings) -> None:
        self._draft = draft
        self._archetypes = archetypes
        self._findings = findings
        self._waiting: list[_Arrow] = []

    def is_relationship(self, statement: Statement, frame: Frame) -> bool:
        """Say whether the statement is a relationship here."""
        words = statement.words
        if len(words) > 2 and _is_arrow(words[1]):
            return True
        return len(words) > 1 and _is_arrow(words[0]) and bool(frame.elements)

    def relate(self, statement: Statement, frame: Frame) -> list[DraftRelationship]:
        """Make the relationships that the statement declares: one, or one for each element of an `!elements` block."""
        words = statement.words
        own = _is_arrow(words[0])
        source, sign, target = ("", *words[:2]) if own else words[:3]
        archetype = self._archetypes.get(sign)
        if archetype is None:
            self._findings.warn(statement.line.where, f"{sign} is no archetype; it was read as ->")
            archetype = self._archetypes.get(RELATIONSHIP) or Archetype(RELATIONSHIP)
        if own and frame.block is Block.ITEMS:
            archetype = Archetype(RELATIONSHIP)  # the official parser looks none up here
        rest = words[2:] if own else words[3:]
        if len(rest) > 3:
            self._findings.warn(statement.line.where, "a relationship has at most 3 words; the rest was left out")
        arrow = _Arrow(statement.line, frame, source, target, rest, archetype)
        ends = self._ends(arrow)
        if ends is None:
            self._waiting.append(arrow)
            return []
        return self._make(arrow, *ends)

    def finish(self) -> None:
        """Make the relationships that waited; warn about the ones whose ends nothing defines."""
        for arrow in self._waiting:
            ends = self._ends(arrow)
            if ends is not None:
                self._findings.warn(
                    arrow.line.where, "it names an element before its definition; other tools refuse it"
                )
                self._make(arrow, *ends)
                continue
            missing = [name for name in (arrow.source, arrow.target) if self._named(name, arrow.scope) is None]
            if not any(name.split(".")[0].lower() in self._draft.not_modelled for name in missing):
                names = " and ".join(repr(name[:60]) for name in missing)
                self._findings.warn(arrow.line.where, f"there is no element {names}; the relationship was left out")
        self._waiting = []

    def _ends(self, arrow: _Arrow) -> tuple[list[DraftElement], list[DraftElement]] | None:
        sources, targets = self._named(arrow.source, arrow.scope), self._named(arrow.target, arrow.scope)
        return None if sources is None or targets is None else (sources, targets)

    def _named(self, identifier: str, scope: Frame) -> list[DraftElement] | None:
        found = self._draft.find(identifier, scope.element) if identifier else None
        if isinstance(found, DraftElement):
            return [found]
        if identifier.lower() in ("", "this") and found is None:
            return scope.elements or None
        return None

    def _make(self, arrow: _Arrow, sources: list[DraftElement], targets: list[DraftElement]) -> list[DraftRelationship]:
        made: list[DraftRelationship] = []
        words = dict(zip(("description", "technology", "tags"), arrow.words, strict=False))
        tags = split_tags(words.get("tags", ""))
        # In a block of many elements, tags of their own replace those of the archetype; elsewhere they join them.
        if not ("tags" in words and arrow.scope.block is Block.ITEMS):
            tags = [*arrow.archetype.tags, *tags]
        for source, target in islice(product(sources, targets), _MOST_AT_ONCE):
            relationship = DraftRelationship(
                source,
                target,
                arrow.line.file,
                arrow.line.number,
                description=words.get("description", arrow.archetype.description),
                technology=words.get("technology", arrow.archetype.technology),
                tags=list(tags),
                properties=dict(arrow.archetype.properties),
            )
            if source is not target and related_by_blood(source, target):
                self._findings.warn(arrow.line.where, "a relationship between an element and its own part was left out")
            elif self._draft.relate(relationship):
                made.append(relationship)
            else:
                self._findings.warn(arrow.line.where, "the relationship exists already; the first counts")
        return made


def _is_arrow(word: str) -> bool:
    return word == RELATIONSHIP or (word.startswith("--") and word.endswith("->") and len(word) > 4)
