"""How names are compared: exactly, or folded."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[\s_-]+")


def exact(name: str) -> str:
    """Return the name as it is compared exactly: NFC, trimmed."""
    return unicodedata.normalize("NFC", name).strip()


def folded(name: str) -> str:
    """Return the name without case and with space, `-` and `_` as one: equal keys name one thing."""
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFC", exact(name).casefold())).strip()
