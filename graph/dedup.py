"""Whether two texts say the same: a bare cosine confirms lies, so every sign of a difference counts."""

import re
import unicodedata

from graph.terms import STOP_STEMS, tokens, words

_POLARITY = frozenset(
    "no not never none nothing nobody neither nor without cannot always only must mustn may might should shouldn won "
    "don doesn didn isn aren wasn weren can could couldn wouldn all any every each some most both either except unless "
    "until before after more less least fewer over under above below minimum maximum min max allow allowed deny denied "
    "forbid enable enabled disable disabled true false on off yes".split()
)
_NUMBER = re.compile(r"(?<![\w.])([+-]?\d+(?:[.,:]\d+)*)[ \u00a0]?([a-zA-Z%µ°]{0,3}\b|%)?")
_CONTRACTION = re.compile(r"\b(\w+)n['’]t\b", re.IGNORECASE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_CODE_SHAPED = re.compile(r"[a-z0-9][A-Z]|_|::|[/\\@#]|\w\.\w")
_WORD_SPACE = re.compile(r"\s+")


def normalised(text: str) -> str:
    """Return the text as dedup compares it without vectors: NFC, case folded, white space as one, no end mark."""
    folded_text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return _WORD_SPACE.sub(" ", folded_text).strip().rstrip(".!")


def contradiction_signals(new: str, old: str) -> tuple[str, ...]:
    """Return every sign that the two texts differ in what they say; none means that one restates the other."""
    pairs = {
        "numbers": (_numbers(new), _numbers(old)),
        "polarity": (_polarity(new), _polarity(old)),
        "code": (_code(new), _code(old)),
    }
    signals = [name for name, (mine, theirs) in pairs.items() if mine != theirs]
    mine, theirs = _content(new), _content(old)
    if sorted(mine) != sorted(theirs):
        signals.append("words")
    elif mine != theirs:
        signals.append("order")
    return tuple(signals)


def _numbers(text: str) -> list[str]:
    return sorted(f"{number}{(unit or '').casefold()}" for number, unit in _NUMBER.findall(text))


def _polarity(text: str) -> list[str]:
    spelled = _CONTRACTION.sub(r"\1 not", text).casefold()
    return sorted(word for word in re.findall(r"[^\W\d_]+", spelled) if word in _POLARITY)


def _code(text: str) -> list[str]:
    spans = [span.strip() for span in _CODE_SPAN.findall(text)]
    # "8KB" is a number with its unit, told apart from "8 KB" by nobody.
    shaped = (token for token in tokens(_NUMBER.sub(" ", text)) if _CODE_SHAPED.search(token))
    return sorted({*spans, *shaped})


def _content(text: str) -> list[str]:
    spelled = _NUMBER.sub(lambda m: f" {m[1]}{m[2] or ''} ".lower(), _CONTRACTION.sub(r"\1 not", text))
    return [word for word in words(spelled) if word not in STOP_STEMS]
