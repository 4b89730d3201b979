"""An order and the states it goes through."""

from dataclasses import dataclass, field, replace
from enum import StrEnum


class State(StrEnum):
    PLACED = "placed"
    PAID = "paid"
    PACKED = "packed"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


NEXT = {
    State.PLACED: {State.PAID, State.CANCELLED},
    State.PAID: {State.PACKED, State.CANCELLED},
    State.PACKED: {State.SHIPPED},
    State.SHIPPED: set(),
    State.CANCELLED: set(),
}


@dataclass(frozen=True)
class Order:
    lines: dict[str, int]
    total: int
    hold: str
    authorisation: str
    state: State = State.PLACED
    history: tuple[State, ...] = field(default=())

    def move_to(self, state: State) -> "Order":
        """Return the order in its next state; a step that is not in NEXT is refused."""
        if state not in NEXT[self.state]:
            raise ValueError(f"an order cannot go from {self.state} to {state}")
        return replace(self, state=state, history=(*self.history, self.state))
