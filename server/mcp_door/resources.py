"""What can be read by address: a memory, an element, the map, the table of contents."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from graph.errors import Unknown
from server.mcp_door import texts
from server.mcp_door.seats import Seat

_SCHEME = "archmem://"
_PAGE = 100


def read(seat: Seat, uri: str) -> str:
    """Return what stands at an address; raise Unknown for one that leads nowhere."""
    kind, _, name = uri.removeprefix(_SCHEME).partition("/")
    read_one = _READERS.get(kind)
    if read_one is None or not uri.startswith(_SCHEME) or bool(name) < (kind in ("memory", "element")):
        raise Unknown(
            f"there is nothing at {uri[:200]!r}",
            id=uri[:200],
            next_step="read one of those named here",
            candidates=[*(one["uri"] for one in LISTED), *(one["uri_template"] for one in TEMPLATES)],
        )
    return read_one(seat, unquote(name))


def _memory(seat: Seat, name: str) -> str:
    return texts.cut(seat.graph.told(seat.scope, name))


def _element(seat: Seat, ref: str) -> str:
    return texts.recalled(seat.graph.recall(seat.scope, elements=(ref,)))


def _map(seat: Seat, _: str) -> str:
    return texts.knowledge_map(seat.graph.coverage(seat.scope))


def _manifest(seat: Seat, after: str) -> str:
    page = seat.graph.manifest(seat.scope, after=after, limit=_PAGE)
    following = f"{_SCHEME}manifest/{quote(page.next, safe='')}" if page.next else ""
    return texts.manifest(page, following)


_READERS: Mapping[str, Callable[[Seat, str], str]] = {
    "memory": _memory,
    "element": _element,
    "map": _map,
    "manifest": _manifest,
}
LISTED: tuple[dict[str, Any], ...] = (
    {"uri": f"{_SCHEME}map", "name": "map", "description": "What is known about each element, and the gaps."},
    {"uri": f"{_SCHEME}manifest", "name": "manifest", "description": "The titles of all that is remembered here."},
)
TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "uri_template": f"{_SCHEME}memory/{{id}}",
        "name": "memory",
        "description": "One memory in full, by its id or its title (percent-encoded).",
    },
    {
        "uri_template": f"{_SCHEME}element/{{ref}}",
        "name": "element",
        "description": "What is known about an element, by its ref or unique name.",
    },
    {
        "uri_template": f"{_SCHEME}manifest/{{after}}",
        "name": "manifest page",
        "description": "The titles that follow an id; each page names the next.",
    },
)
