"""Prompts that a person chooses in their client."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from server.mcp_door.arguments import Briefed
from server.mcp_door.seats import Seat
from server.mcp_door.texts import noted


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it is listed, and what makes its text."""

    shown: Mapping[str, Any]
    get: Callable[[Seat, Mapping[str, str]], str]


def _briefing(seat: Seat, given: Mapping[str, str]) -> str:
    asked = Briefed.model_validate(given)
    behind = seat.catch_up()
    told = seat.graph.briefing(seat.scope, asked.task, session=seat.session)
    return "\n".join([told.text, *noted((seat.notice, behind))])


PROMPTS: Mapping[str, Prompt] = {
    "briefing": Prompt(
        shown={
            "name": "briefing",
            "description": "What this project knows and distrusts, before a task.",
            "arguments": [{"name": "task", "description": "What is to be done.", "required": False}],
        },
        get=_briefing,
    )
}
