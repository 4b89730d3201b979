"""What a change does to memories, in Markdown: the summary and the comment say it alike."""

import shlex

from drift.checked import ChangeReport, Checked, MemoryNote
from drift.rendering.quoting import code, link, within
from drift.wording import count

_MOST_ELEMENTS = 5


def score_line(checked: Checked) -> str:
    """Return the score, before and after the change where there is one."""
    report, change = checked.report, checked.change
    if change is None:
        return f"Drift score **{_score(report.score)}** ({report.band})"
    before, after = _score(change.score_before), _score(change.score_after)
    return f"Drift score **{after}**" if before == after else f"Drift score **{before} → {after}**"


def memory_lines(change: ChangeReport, room: int) -> list[str]:
    """Return the memories in at most `room` characters: those that the change makes stale, then the others."""
    if change.memories is None:
        return ["No memories were at hand."]
    stale = [f"{_memory(one)}; {_confirm(one)}" for one in change.stale]
    others = [_memory(one) for one in change.memories if not one.stale]
    lines = []
    if stale:
        told = "this memory" if len(stale) == 1 else f"these {len(stale)} memories"
        lines += [f"**This change makes {told} stale.** Look, then confirm or supersede:", ""]
        lines += [*within(stale, room * 2 // 3, "- … and {} more"), ""]
    if others:
        lines += [f"{count(len(others), 'memory applies', 'memories apply')}:", ""]
        lines += within(others, room // 3, "- … and {} more")
    return lines or ["No memory is about what this change touches."]


def _memory(one: MemoryNote) -> str:
    verify = " **VERIFY**" if one.verify and not one.stale else ""
    named = ", ".join(map(code, one.elements[:_MOST_ELEMENTS]))
    more = f" and {len(one.elements) - _MOST_ELEMENTS} more" if len(one.elements) > _MOST_ELEMENTS else ""
    about = f" about {named}{more}" if named else ""
    name = "" if one.name == one.id else f"{code(one.name)} "
    return f"- {name}({one.kind}{about}){verify}: {code(one.content)}"


def _confirm(one: MemoryNote) -> str:
    command = code(f"archmem confirm {shlex.quote(one.name)}")
    return f"{command} {link('open', one.link)}" if one.link else command


def _score(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
