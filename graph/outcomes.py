"""The text of a session's outcome: written from what a finish reports, and read again for what it left open."""

from collections.abc import Iterator, Sequence

_DECISIONS = "Decisions:"
_FOLLOW_UPS = "Follow-ups:"
_ITEM = "- "


def tell_outcome(summary: str, decisions: Sequence[str], follow_ups: Sequence[str]) -> str:
    """Return the outcome's content: the summary, then a line for each decision and each follow-up."""
    return "\n".join([summary.strip(), *_listed(_DECISIONS, decisions), *_listed(_FOLLOW_UPS, follow_ups)])


def follow_ups_of(content: str) -> tuple[str, ...]:
    """Return the follow-ups that an outcome's content lists at its end."""
    lines = content.splitlines()
    if _FOLLOW_UPS not in lines:
        return ()
    last = len(lines) - 1 - lines[::-1].index(_FOLLOW_UPS)
    return tuple(line.removeprefix(_ITEM) for line in lines[last + 1 :] if line.startswith(_ITEM))


def _listed(title: str, items: Sequence[str]) -> Iterator[str]:
    # An item is one line, so that nothing in it can begin another list.
    told = [" ".join(item.split()) for item in items]
    if any(told):
        yield from ("", title, *(f"{_ITEM}{item}" for item in told if item))
