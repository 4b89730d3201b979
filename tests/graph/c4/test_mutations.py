"""Damaged model files: each is read, or refused with places, whatever was done to it. bench.mutations runs longer."""

from pathlib import Path

import pytest

from bench.mutations import Base, bases, run
from tests.graph.c4.real import REAL

_SAMPLES = Path(__file__).parent / "samples"


def _real() -> list[Base]:
    return [base for name in ("structurizr-dsl", "structurizr-json") for base in bases(REAL / name)]


@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_samples_are_read_or_refused(seed: int) -> None:
    found = list(bases(_SAMPLES))
    assert len(found) > 20
    ends, _ = run(found, 500, seed)
    assert sum(ends.values()) == 500
    assert min(ends["refused"], ends["read with warnings"], ends["read"]) > 50


@pytest.mark.skipif(not REAL.is_dir(), reason=f"no folder with real model files at {REAL}")
def test_damaged_real_files_are_read_or_refused() -> None:
    ends, _ = run(_real(), 400, seed=3)
    assert sum(ends.values()) == 400
