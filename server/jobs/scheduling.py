"""The scheduler: runs the jobs in the background while a server serves."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler

from graph.memory_graph import MemoryGraph
from server.jobs.back_fill import BackFill
from server.jobs.drift_runs import DriftRuns
from server.settings import Settings

_BACK_FILL_EVERY = 10.0  # seconds
_LOOK_EVERY = 1.0  # seconds


@contextmanager
def running(graph: MemoryGraph, settings: Settings, holder: str) -> Iterator[None]:
    """Run the jobs in the background until the end."""
    # What comes late, on a busy machine, is not dropped.
    scheduler = BackgroundScheduler(timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True})

    def start(work: Callable[[], None]) -> None:
        scheduler.add_job(work)

    back_fill, drift_runs = BackFill(graph, settings, holder), DriftRuns(graph, settings, start)
    for job, seconds in ((back_fill, _BACK_FILL_EVERY), (drift_runs, _LOOK_EVERY)):
        scheduler.add_job(job, "interval", seconds=seconds, next_run_time=datetime.now(UTC))
    scheduler.start()
    try:
        yield
    finally:
        back_fill.stop()
        drift_runs.stop()
        scheduler.shutdown()
