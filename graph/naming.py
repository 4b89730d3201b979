"""How names are compared, exactly or folded; and what a title may look like."""

import re
import unicodedata

LONGEST_TITLE = 200

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


def title_faults(title: str) -> tuple[str, ...]:
    """Return each rule of titles that the text breaks; an alias is a former title, so they are its rules too."""
    faults = []
    if not folded(title):
        faults.append("needs more than spaces, `-` and `_`")
    if len(title) > LONGEST_TITLE:
        faults.append(f"has at most {LONGEST_TITLE} characters, not {len(title)}")
    if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in title):
        faults.append("is one line without control characters")
    if "[[" in title or "]]" in title:
        faults.append("holds no `[[` or `]]`, which would break a link to it")
    return tuple(faults)
