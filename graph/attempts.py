"""Attempts at drift runs: who began one, when, and what became of it; a run that was recorded is kept by itself."""

from enum import StrEnum

from pydantic import TypeAdapter

from graph.frozen import Frozen, Moment

SCHEDULE = "archmem/schedule"
"""Who begins the runs that a server's schedule asks for."""

DOOR = "archmem/command"
"""Who begins the runs that a command makes on its way, because HEAD moved."""


class AttemptState(StrEnum):
    """How far an attempt is: `unchanged` had nothing new to check, one that `gave_up` would have taken too long."""

    RUNNING = "running"
    RECORDED = "recorded"
    UNCHANGED = "unchanged"
    GAVE_UP = "gave_up"
    FAILED = "failed"


class Attempt(Frozen):
    """An attempt at a drift run.

    `inputs` names all that was compared beside the commit `head`; `run` is the recorded run's id; `error` and
    `next_step` say why it failed.
    """

    id: str
    by: str
    started_at: Moment
    state: AttemptState = AttemptState.RUNNING
    ended_at: Moment | None = None
    head: str = ""
    inputs: str = ""
    run: str = ""
    error: str = ""
    next_step: str = ""
    warnings: tuple[str, ...] = ()


ATTEMPTS = TypeAdapter(tuple[Attempt, ...])
"""Reads and writes attempts as a store keeps them."""
