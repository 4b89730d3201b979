"""Turns a basket into a placed order, once, however often the browser asks."""

from collections.abc import Mapping
from typing import Protocol

from services.api.billing.charges import Charges
from services.api.inventory.stock import Stock
from services.api.orders.order import Order


class OrderBook(Protocol):
    def by_key(self, idempotency_key: str) -> Order | None: ...
    def add(self, order: Order, idempotency_key: str) -> None: ...


def place_order(
    basket: Mapping[str, int],
    prices: Mapping[str, int],
    idempotency_key: str,
    stock: Stock,
    charges: Charges,
    book: OrderBook,
) -> Order:
    """Set the copies aside first, then authorise the payment: a card is never charged for a book that is gone."""
    known = book.by_key(idempotency_key)
    if known is not None:
        return known
    total = sum(prices[isbn] * count for isbn, count in basket.items())
    hold = stock.hold(basket)
    try:
        authorisation = charges.authorise(total, idempotency_key)
    except Exception:
        stock.let_go(hold)
        raise
    order = Order(lines=dict(basket), total=total, hold=hold, authorisation=authorisation)
    book.add(order, idempotency_key)
    return order
