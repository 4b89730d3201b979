"""Counts and tables: each judge's alerts, how many of them were right, how much of what became false they caught."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.truth.judges import JUDGES, Judged

DAYS = 90
"""The age rule that is common in practice: what nobody touched for a quarter is stale."""


@dataclass(frozen=True)
class Counts:
    """What a judge did with some statements whose truth is known."""

    statements: int
    false: int
    alerts: int
    catches: int

    @property
    def precision(self) -> float:
        return self.catches / self.alerts if self.alerts else math.nan

    @property
    def recall(self) -> float:
        return self.catches / self.false if self.false else math.nan

    @property
    def f1(self) -> float:
        return 2 * self.catches / (self.alerts + self.false) if self.alerts + self.false else math.nan


def count(judged: Iterable[Judged], judge: str, days: float = DAYS) -> Counts:
    """Count what a judge did; statements of unknown truth are left out."""
    known = [(one.statement.truth, one.doubts(judge, days)) for one in judged if one.statement.truth is not None]
    return Counts(
        statements=len(known),
        false=sum(not truth for truth, _ in known),
        alerts=sum(doubted for _, doubted in known),
        catches=sum(doubted and not truth for truth, doubted in known),
    )


def best_days(judged: Sequence[Judged]) -> float:
    """Return the age that would have had the best F1, looking back."""
    ages = sorted({round(one.statement.days) for one in judged})
    return max(ages, key=lambda days: count(judged, "age", days).f1, default=DAYS)


def wilson(hits: int, of: int) -> str:
    """Return the 95 % interval of a share (Wilson's score interval)."""
    if not of:
        return "–"
    z = 1.96
    share = hits / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low, high = ((middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of))
    return f"{_short(max(0.0, low))}–{_short(min(1.0, high))}"


def print_judges(title: str, judged: Sequence[Judged]) -> None:
    """Print a table with a row for each judge."""
    whole = count(judged, "age")
    unknown = sum(one.statement.truth is None for one in judged)
    print(f"\n{title}: {whole.statements} statements, {whole.false} became false", end="")
    print(f"; {unknown} more of unknown truth\n" if unknown else "\n")
    print("| judge | alerts | catches | precision | | recall | | alerts per catch |\n|---|---|---|---|---|---|---|---|")
    best = best_days(judged)
    _print_row(f"age, {DAYS} days", count(judged, "age"))
    _print_row(f"age, {best:.0f} days, best in hindsight", count(judged, "age", best))
    for judge in JUDGES:
        _print_row(judge, count(judged, judge))


def _print_row(name: str, found: Counts) -> None:
    per_catch = f"{found.alerts / found.catches:.2f}" if found.catches else "–"
    print(
        f"| {name} | {found.alerts} | {found.catches} "
        f"| {_short(found.precision)} | {wilson(found.catches, found.alerts)} "
        f"| {_short(found.recall)} | {wilson(found.catches, found.false)} | {per_catch} |"
    )


def print_kinds(judged: Sequence[Judged], judge: str) -> None:
    """Print a table of one judge with a row for each kind of statement."""
    print(f"\n| kind | statements | false | alerts of {judge} | catches | precision | recall |")
    print("|---|---|---|---|---|---|---|")
    for kind in sorted({one.statement.kind for one in judged}):
        found = count([one for one in judged if one.statement.kind == kind], judge)
        print(
            f"| {kind} | {found.statements} | {found.false} | {found.alerts} | {found.catches} "
            f"| {_short(found.precision)} | {_short(found.recall)} |"
        )


def print_quiet(judged: Sequence[Judged]) -> None:
    """Print the alarms of each judge on commits that change no program: statements, and commits with any."""
    print("\n| commits that change | commits | statements | " + " | ".join(("age", *JUDGES)) + " |")
    print("|---|---|---|" + "---|" * (len(JUDGES) + 1))
    for group in sorted({one.statement.group for one in judged}):
        ours = [one for one in judged if one.statement.group == group]
        cells = []
        for judge in ("age", *JUDGES):
            doubted = [one for one in ours if one.doubts(judge, DAYS)]
            cells.append(f"{len(doubted)} in {len(_commits(doubted))}" if doubted else "0")
        print(f"| {group} | {len(_commits(ours))} | {len(ours)} | {' | '.join(cells)} |")


def _commits(judged: Iterable[Judged]) -> set[tuple[str, str]]:
    return {(one.statement.repository, one.statement.late.oid) for one in judged}


def _short(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.2f}".removeprefix("0") if share < 1 else f"{share:.2f}"
