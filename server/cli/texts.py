"""Answers in words, as a terminal shows them."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from graph.views import (
    Coverage,
    ElementsRenamed,
    ElementView,
    Exported,
    Imported,
    MaybeRenamed,
    MemoryView,
    Migrated,
    ModelChange,
    ModelDifference,
    Progress,
    Recall,
    Remembered,
)
from server.answers import (
    Accepted,
    Cited,
    Commented,
    Elements,
    History,
    Initialised,
    KnownDrift,
    MemoryPage,
    Ran,
)

if TYPE_CHECKING:  # what only some commands need, and takes long to import
    from drift.mapping import Proposal
    from server.first_model import InferredModel, MappedSources
    from server.linting import Lint
    from server.remembering import RememberedAll

_GAPS_SHOWN = 10
_DIFFERENCES_SHOWN = 20
_CONTENT_SHOWN = 100


def memory(view: MemoryView) -> str:
    """Return one memory on one line."""
    title = f' "{view.title}"' if view.title else ""
    about = f" about {view.place}" if view.elements else ""
    return f"{view.id}{title} [{view.kind}] {view.state}, version {view.version}{about}"


def remembered(answer: Remembered) -> str:
    """Return what happened to a new memory."""
    if answer.deduplicated:
        first = f"deduplicated: this was known already and is confirmed: {memory(answer.memory)}"
    else:
        first = f"remembered {memory(answer.memory)}"
    lines = [first]
    if answer.replayed:
        lines.append("  replayed: this key was answered before; nothing was written")
    if answer.replaced:
        lines.append(f"  replaces {answer.replaced}")
    for near in answer.similar_to:
        differs = f", differs in {', '.join(near.differs)}" if near.differs else ""
        lines.append(f"  similar ({near.cosine:.3f}{differs}): {near.id} {near.title or _short(near.content)}")
    lines.extend(f"  pending link: [[{raw}]]" for raw in answer.pending_links)
    if answer.attached:
        lines.append(f"  attached {_count(answer.attached, 'link')} that waited for this title")
    return "\n".join(lines)


def remembered_all(answer: "RememberedAll") -> str:
    """Return what became of many facts, the refused ones line by line."""
    lines = [f"{answer.new} remembered, {answer.deduplicated} known already, {len(answer.refused)} refused"]
    for one in answer.refused:
        faults = "".join(f"; {fault.where} {fault.what}" for fault in one.problem.faults)
        lines.append(f"  line {one.line}: {one.problem.detail}{faults}; {one.problem.next_step}")
    return "\n".join(lines)


def recall(answer: Recall) -> str:
    """Return the answer as an agent reads it, with the factors of each hit where they were asked for."""
    explained = [f"  {hit.title or hit.id}: {hit.factors.told()}" for hit in answer.hits if hit.factors is not None]
    return "\n".join([answer.text, *(["Scores:", *explained] if explained else [])])


def history(answer: History) -> str:
    """Return the events of a memory, a line each."""
    lines = []
    for entry in answer.entries:
        note = f": {entry.note}" if entry.note else ""
        lines.append(
            f"{entry.at:%Y-%m-%d %H:%M:%S}Z {entry.kind} by {entry.actor} (version {entry.after.version}){note}"
        )
        lines.append(f"  {_short(entry.after.content)}")
    return "\n".join(lines)


def memories(answer: MemoryPage) -> str:
    """Return a page of memories, a line each."""
    lines = [f"{memory(one)}: {_short(one.content)}" for one in answer.memories]
    return "\n".join(lines) or "no memories"


def cited(answer: Cited) -> str:
    """Return what a session relied on."""
    found = len(answer.used) - len(answer.unmatched)
    lines = [f"session {answer.session} cited {_count(found, 'memory', 'memories')}"]
    return "\n".join([*lines, *(f"  no memory, or more than one, is called {name!r}" for name in answer.unmatched)])


def difference(answer: ModelDifference) -> str:
    """Return what an import would do, a line each; long lists are cut."""
    told = [
        ("added", [f"+ {ref}" for ref in answer.added]),
        ("changed", [f"~ {one.ref}: {', '.join(one.fields)}" for one in answer.changed]),
        ("back in the model", [f"+ {ref} (had left)" for ref in answer.returned]),
        ("renamed", [f"> {one.old} is {one.new}{_with(one.memories)}" for one in answer.renamed]),
        ("removed", [f"- {one.ref}{_with(one.memories, '; it keeps')}" for one in answer.removed]),
        ("perhaps renamed", [f"? {_perhaps(one)}" for one in answer.maybe_renamed]),
        ("decisions added", [f"+ {ref}" for ref in answer.decisions_added]),
        ("decisions changed", [f"~ {ref}" for ref in answer.decisions_changed]),
        ("decisions removed", [f"- {ref}" for ref in answer.decisions_removed]),
    ]
    lines: list[str] = []
    for title, listed in told:
        if listed:
            lines += [f"{title} ({len(listed)}):", *(f"  {line}" for line in listed[:_DIFFERENCES_SHOWN])]
        if len(listed) > _DIFFERENCES_SHOWN:
            lines.append(f"  … and {len(listed) - _DIFFERENCES_SHOWN} more (--json lists all)")
    if answer.relationships_added or answer.relationships_removed:
        lines.append(f"relationships: {answer.relationships_added} added, {answer.relationships_removed} removed")
    return "\n".join(lines) or "nothing differs from the stored model"


def change(answer: ModelChange) -> str:
    """Return what an import changed."""
    lines = [imported_model(answer), *(f"  renamed {old} to {new}" for old, new in answer.renamed.items())]
    lines.extend(f"  removed {ref}; it keeps its memories" for ref in answer.removed)
    return "\n".join(lines)


def imported_model(answer: ModelChange) -> str:
    """Return what an import changed in numbers, after its difference was shown, and what it could not decide."""
    counts = (
        f"{len(answer.added)} added, {len(answer.changed)} changed, {len(answer.renamed)} renamed, "
        f"{len(answer.removed)} removed"
    )
    lines = [
        f"{_count(answer.elements, 'element')} imported ({counts}), "
        f"{_count(answer.relationships, 'relationship')}, {_count(answer.decisions, 'decision')}"
    ]
    if answer.attached:
        lines.append(f"  attached {_count(answer.attached, 'waiting link')}")
    for pair in answer.maybe_renamed:
        command = shlex.join(["archmem", "model", "rename", pair.old, pair.new])
        lines += [f"  {_perhaps(pair)}; if so:", f"    {command}"]
    return "\n".join(lines)


def elements_renamed(answer: ElementsRenamed) -> str:
    """Return what goes by another ref now."""
    return "\n".join(f"{one.old} is {one.new} now{_with(one.memories)}" for one in answer.renamed)


def linted(answer: "Lint") -> str:
    """Return a line for each finding, as compilers print them, and what was read."""
    read = f"{_count(answer.elements, 'element')} in {_count(len(answer.files), 'file')}"
    lines = [f"{one.file}:{one.line}: {one.what} [{one.kind}]" for one in answer.warnings]
    return "\n".join([*lines, f"{_count(len(lines), 'warning')}; {read}" if lines else f"no warnings; {read}"])


def elements(answer: Elements) -> str:
    """Return the stored model as a tree, with what is known about each element."""
    shown = [one for one in answer.elements if not one.retired]
    below: dict[str, list[ElementView]] = {}
    refs = {one.element.ref for one in shown}
    for one in shown:
        below.setdefault(one.element.parent if one.element.parent in refs else "", []).append(one)
    retired = [one for one in answer.elements if one.retired and one.memories]
    lines = [*_tree(below, "", 0), *(f"retired: {_element(one, 0)}" for one in retired)]
    return "\n".join(lines) or "the model is empty"


def inferred(answer: "InferredModel") -> str:
    """Return the model, or where it was written and what to do with it."""
    if not answer.file:
        return answer.dsl
    parts = answer.sketch
    counts = (
        f"{_count(len(parts.containers), 'container')}, "
        f"{_count(sum(len(one.components) for one in parts.containers), 'component')}, "
        f"{_count(len(parts.systems), 'system')} of others, {_count(len(parts.libraries), 'library', 'libraries')}"
    )
    return f"{answer.file}: {counts}\nNext: read it, correct the names, then `archmem init`, or `archmem model import`"


def proposed(answer: "MappedSources") -> str:
    """Return the proposals, then the doubtful ones with what else it may be."""
    lines = [f"{one.confidence:.2f} {_proposal(one)}" for one in answer.proposals]
    if answer.doubtful:
        lines.append("doubtful, so left out:")
        for one in answer.doubtful:
            lines.append(f"  {one.confidence:.2f} {_proposal(one)}")
            lines.extend(f"         or {', '.join(other.source)}: {other.reason}" for other in one.others)
    return "\n".join(lines)


def mapped(answer: "MappedSources") -> str:
    """Return what was written and what to do next."""
    if answer.written:
        told = f"{_count(len(answer.written), 'element')} mapped in {answer.file}"
        return f"{told}\nNext: review and commit {answer.file}, then `archmem model import`"
    if not answer.proposals:
        return "nothing to map: no element without source has a likely place"
    return f"nothing was written; --yes writes {_count(len(answer.proposals), 'mapping')} to {answer.file}"


def initialised(answer: Initialised) -> str:
    """Return what init found and did, and what to do next."""
    state = "registered" if answer.is_new else "known already"
    found = ", ".join(answer.models) or "none found"
    return "\n".join(
        [
            f"project {answer.project.id} ({answer.project.name}): {state}",
            f"archmem.toml: {answer.file}",
            f"model files: {found}",
            change(answer.change),
            "Next:",
            *(f"  {step}" for step in answer.next_steps),
        ]
    )


def coverage(answer: Coverage) -> str:
    """Return the headline and the gaps worth filling first."""
    lines = [answer.headline if answer.share is None else f"{answer.headline} ({answer.share:g} %)"]
    if answer.outcomes_only:
        lines.append(f"{_count(answer.outcomes_only, 'element')} with session outcomes alone")
    if answer.project_wide:
        lines.append(f"{_count(answer.project_wide, 'memory', 'memories')} about the whole project")
    if answer.gaps:
        lines.append("gaps, the most wanted first:")
        for gap in answer.gaps[:_GAPS_SHOWN]:
            reasons = ((gap.commits, "commit"), (gap.dependants, "dependant"), (gap.asked, "question"))
            told = ", ".join(_count(count, noun) for count, noun in reasons if count)
            lines.append(f"  {gap.ref}{f': {told}' if told else ''}")
        if len(answer.gaps) > _GAPS_SHOWN:
            lines.append(f"  … and {len(answer.gaps) - _GAPS_SHOWN} more (--json lists all)")
    if answer.unanswered:
        lines.append("questions that nothing answered:")
        lines.extend(f"  {question}" for question in answer.unanswered)
    return "\n".join(lines)


def ran(answer: Ran) -> str:
    """Return a recorded drift run."""
    from drift import judge_report, render_text

    made = answer.stamped
    told = (
        f"recorded as {made.run}: {_count(len(made.stamped), 'element')} stamped, "
        f"{_count(len(made.flagged), 'memory', 'memories')} flagged, {len(made.cleared)} cleared"
    )
    return f"{render_text(judge_report(answer.report))}{told}"


def accepted(answer: Accepted) -> str:
    """Return what was accepted and what to do with it."""
    lines = [f"accepted {_count(len(answer.refs), 'element')} in {answer.file}", *(f"  {ref}" for ref in answer.refs)]
    return "\n".join([*lines, f"Next: review and commit {answer.file}"])


def known_drift(answer: KnownDrift) -> str:
    """Return what the baseline file lets pass, and what to do with it."""
    lines = [f"{answer.file} lets {_count(answer.known, 'finding')} pass"]
    lines.extend(f"  + {one}" for one in answer.added)
    lines.extend(f"  - {one}" for one in answer.removed)
    return "\n".join([*lines, f"Next: review and commit {answer.file}"])


def commented(answer: Commented) -> str:
    """Return what became of the comment."""
    return f"{answer.outcome} {answer.url}" if answer.url else f"{answer.outcome}: nothing to say"


def progress(answer: Progress) -> str:
    """Return how far a back-fill got."""
    return f"{_count(answer.done, 'memory', 'memories')} embedded, {answer.left} left"


def exported(answer: Exported) -> str:
    """Return what an export holds."""
    whose = "all of" if answer.project is None else f"{answer.project or 'the organisation'} of"
    return f"exported {whose} {answer.organisation}: {_kinds(answer.counts)}\nsha256 {answer.sha256}"


def imported(answer: Imported) -> str:
    """Return what an import did."""
    whose = "all of" if answer.project is None else f"{answer.project or 'the organisation'} of"
    return f"imported {whose} {answer.organisation}\nnew: {_kinds(answer.new)}\nknown already: {_kinds(answer.known)}"


def migrated(answer: Migrated) -> str:
    """Return what a migration did."""
    whose = ", ".join(answer.organisations) or "nothing"
    return f"migrated {whose}: {_kinds(answer.counts)}\nnew: {_kinds(answer.new)}\nboth hold sha256 {answer.sha256}"


def _with(memories: int, words: str = ", with") -> str:
    return f"{words} {_count(memories, 'memory', 'memories')}" if memories else ""


def _perhaps(pair: MaybeRenamed) -> str:
    keeps = _count(pair.memories, "memory", "memories")
    return f"{pair.new} may be {pair.old}, which left with {keeps} ({'; '.join(pair.reasons)})"


def _proposal(one: "Proposal") -> str:
    return f"{one.ref} [{one.kind}]: {', '.join(one.source)} ({one.reason})"


def _kinds(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in counts.items()) or "nothing"


def _tree(below: Mapping[str, Sequence[ElementView]], parent: str, depth: int) -> Iterator[str]:
    for one in below.get(parent, ()):
        yield _element(one, depth)
        yield from _tree(below, one.element.ref, depth + 1)


def _element(one: ElementView, depth: int) -> str:
    known = f", {_count(one.memories, 'memory', 'memories')}" if one.memories else ""
    verdict = f", {one.verdict}" if one.verdict else ""
    source = f": {', '.join(one.element.source)}" if one.element.source else ""
    return f"{'  ' * depth}{one.element.ref} [{one.element.kind}{known}{verdict}]{source}"


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CONTENT_SHOWN else f"{line[:_CONTENT_SHOWN]}…"
