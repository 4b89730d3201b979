"""Writes to customers."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

SENDER = "orders@bookshop.example"


class Mailer:
    """Sends each mail once, though an event may come twice."""

    def __init__(self, send: Callable[[EmailMessage], None], sent: set[str]) -> None:
        self._send = send
        self._sent = sent

    def order_shipped(self, event: Mapping[str, Any]) -> None:
        key = f"shipped-{event['order']}"
        if key in self._sent:
            return
        mail = EmailMessage()
        mail["From"], mail["To"] = SENDER, event["address"]
        mail["Subject"] = "Your books are on their way"
        mail.set_content(f"Order {event['order']} left our warehouse today.")
        self._send(mail)
        self._sent.add(key)
