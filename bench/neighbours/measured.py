"""What one system needed for one number of memories, and the table of it."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any, NamedTuple

_HEAD = (
    "system | version | memories | write s | median search ms | p95 ms | of which embedding ms | answered | written by"
).split(" | ")


class Measured(NamedTuple):
    """One row; a system that could not be measured has the reason and nothing else."""

    system: str
    version: str
    memories: int
    write_seconds: float = 0.0
    write_how: str = ""
    search_ms: tuple[float, ...] = ()
    embed_ms: tuple[float, ...] = ()
    answered: int = 0
    reason: str = ""

    @property
    def median_search_ms(self) -> float:
        return median(self.search_ms)

    @property
    def median_embed_ms(self) -> float | None:
        return median(self.embed_ms) if self.embed_ms else None

    @property
    def p95_search_ms(self) -> float:
        return quantiles(self.search_ms, n=20, method="inclusive")[-1]


def from_driver(told: dict[str, Any]) -> Measured:
    """Return the row that a driver printed."""
    return Measured(**{**told, "search_ms": tuple(told["search_ms"]), "embed_ms": tuple(told["embed_ms"])})


def table(rows: Sequence[Measured]) -> str:
    """Return the rows as one markdown table."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *map(line, rows)]
    return "\n".join(lines)


def line(row: Measured) -> str:
    """Return one row of the table."""
    return _line(_cells(row))


def _cells(row: Measured) -> list[str]:
    first = [row.system, row.version, f"{row.memories:,}"]
    if row.reason:
        return [*first, *["–"] * 5, f"not measured: {row.reason}"]
    embedding = "–" if row.median_embed_ms is None else f"{row.median_embed_ms:.1f}"
    times = [f"{row.write_seconds:.0f}", f"{row.median_search_ms:.1f}", f"{row.p95_search_ms:.1f}", embedding]
    return [*first, *times, f"{row.answered} of {len(row.search_ms)}", row.write_how]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
