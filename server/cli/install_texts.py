"""What an install tells in words."""

from server.installing import Installation

_VERBS = {"create": "created", "change": "changed", "delete": "deleted"}


def difference(told: Installation) -> str:
    """Return what would change, as a difference of each file."""
    if not told.changes:
        return _nothing(told)
    lines = [f"{'Take archmem out of' if told.action == 'remove' else 'Put archmem into'} {told.client}:"]
    lines.extend(one.diff for one in told.changes)
    return "\n".join(lines)


def done(told: Installation) -> str:
    """Return what was changed."""
    if not told.changes:
        return _nothing(told)
    if not told.written:
        return "nothing was written"
    lines = [f"{_VERBS[one.change]} {one.path}" for one in told.changes]
    return "\n".join([*lines, *([f"Next: {told.note}"] if told.note else []), f"Restart {told.client} to load it."])


def _nothing(told: Installation) -> str:
    return f"nothing to {told.action}: {told.client} ({told.scope}) is as it should be"
