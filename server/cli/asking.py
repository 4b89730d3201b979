"""Questions to whoever sits at the terminal."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from graph.views import MaybeRenamed, ModelDifference


def is_possible() -> bool:
    """Say whether somebody sits at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agrees(question: str) -> bool:
    """Ask; only a yes is one."""
    return click.confirm(question, default=False, err=True)


def who_is_who(told: Mapping[str, str], compare: "Callable[[Mapping[str, str]], ModelDifference]") -> dict[str, str]:
    """Ask whether new elements are ones that left, likely pair by likely pair; return old refs with new ones.

    Each yes is compared anew: the parts of what was renamed come along, and need no question any more.
    """
    known = dict(told)
    asked: set[tuple[str, str]] = set()
    while (pair := _next(compare(known), asked)) is not None:
        asked.add((pair.old, pair.new))
        keeps = f"{pair.memories} {'memory' if pair.memories == 1 else 'memories'}"
        if agrees(f"Is {pair.new} the renamed {pair.old}, with {keeps}? ({'; '.join(pair.reasons)})"):
            known[pair.old] = pair.new
    return known


def _next(difference: "ModelDifference", asked: set[tuple[str, str]]) -> "MaybeRenamed | None":
    return next((pair for pair in difference.maybe_renamed if (pair.old, pair.new) not in asked), None)
