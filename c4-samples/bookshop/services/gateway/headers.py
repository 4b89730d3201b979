"""Keeps oversized and forged headers away from the API."""

from collections.abc import Mapping

MAX_CUSTOM_HEADER = 8 * 1024
TRUSTED_PREFIX = "x-bookshop-"


def is_custom(name: str) -> bool:
    return name.lower().startswith("x-")


def clean_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that may go on to the API.

    The API's HTTP parser closes the connection on longer ones, so they are dropped here.
    """
    kept = {}
    for name, value in headers.items():
        if is_custom(name) and len(value.encode()) > MAX_CUSTOM_HEADER:
            continue
        if name.lower().startswith(TRUSTED_PREFIX):
            continue  # only the gateway itself may set these
        kept[name.lower()] = value
    return kept
