"""Takes waiting events from the outbox and hands each to whoever cares for its topic."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from services.api.orders.outbox import Connection, mark_sent, waiting

Handler = Callable[[Mapping[str, Any]], None]
log = logging.getLogger(__name__)


def dispatch(connection: Connection, handlers: Mapping[str, Handler]) -> int:
    """Return how many events were handled; one that fails stays and is tried in the next round."""
    done = 0
    for event, topic, body in waiting(connection):
        try:
            handlers[topic](json.loads(body))
        except Exception:
            log.exception("event %s (%s) stays in the outbox", event, topic)
            continue
        mark_sent(connection, event)
        connection.commit()
        done += 1
    return done
