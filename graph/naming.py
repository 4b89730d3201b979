"""What a name is: Unicode, compared exactly or folded."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[\s_-]+")


def exact(name: str) -> str:
    """Return the name as it is compared exactly: NFC, trimmed."""
    return unicodedata.normalize("NFC", name).strip()


def folded(name: str) -> str:
    """Return the name without case and with space, `-` and `_` as one: equal keys name one thing."""
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFC", exact(name).casefold())).strip()


def is_unicode(text: str) -> bool:
    """Say whether a text can be written as UTF-8: no lone surrogate, as which Python gives foreign bytes."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
