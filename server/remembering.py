"""Many facts from one file of JSON lines: read whole, every fault named, then stored in order."""

import json
from collections.abc import Callable, Sequence

from pydantic import BaseModel, Field, ValidationError

from graph.errors import ArchmemError, Fault, InvalidInput
from graph.memories import Checkout, Draft
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.errors import Problem, invalid, problem_of


class Refused(BaseModel):
    """A line that was not stored, and why."""

    line: int
    problem: Problem


class RememberedAll(BaseModel):
    """What became of the lines: how many are new memories, how many were known already, and which were refused."""

    new: int = 0
    deduplicated: int = 0
    refused: list[Refused] = Field(default_factory=list)


def read_drafts(text: str, name: str) -> tuple[tuple[int, Draft], ...]:
    """Return the drafts with their line numbers; raise InvalidInput with every fault as `name:line`."""
    drafts: list[tuple[int, Draft]] = []
    faults: list[Fault] = []
    # Only a line feed ends a line: JSON strings may hold the other separators of Unicode.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            drafts.append((number, Draft.model_validate(json.loads(line))))
        except ValidationError as error:
            told = invalid(error).faults
            faults.extend(Fault(where=f"{name}:{number}", what=f"{fault.where}: {fault.what}") for fault in told)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(where=f"{name}:{number}", what=f"is no JSON: {error}"))
    if not drafts and not faults:
        faults.append(Fault(where=name, what="has no line"))
    if faults:
        raise InvalidInput(
            f"{name} cannot be stored; nothing was written",
            id=faults[0].where,
            faults=faults,
            next_step="correct each line named above: one JSON object a line, with the fields of a memory",
        )
    return tuple(drafts)


def remember_all(
    graph: MemoryGraph,
    scope: Scope,
    drafts: Sequence[tuple[int, Draft]],
    *,
    actor: str,
    checkout: Checkout | None,
    session: str,
    progress: Callable[[], None],
) -> RememberedAll:
    """Store the drafts in order; one that is refused keeps none of the others back."""
    done = RememberedAll()
    facts = (draft for _, draft in drafts)
    answers = graph.remember_all(scope, facts, actor=actor, checkout=checkout, session=session)
    for (line, _), answer in zip(drafts, answers, strict=True):
        if isinstance(answer, ArchmemError):
            done.refused.append(Refused(line=line, problem=problem_of(answer)))
        elif answer.deduplicated:
            done.deduplicated += 1
        else:
            done.new += 1
        progress()
    return done
