"""The one analyser that makes search keys: both stores index its terms, so both match alike."""

import re
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from graph.naming import folded

_STOP_WORDS = frozenset(
    "a an and are as at be been but by can do does did for from had has have how i if in into is it its of on or our "
    "so such that the their them then there these they this to was we were what when where which who why will with "
    "would you your".split()
)
# Words that any question may hold; alone they would make a hit of anything. Dedup still tells "uses" from "needs".
_VAGUE_WORDS = (
    "about all also any get gets getting got here just like made make makes many more most much need needs new one "
    "other same some there thing things use used uses using want way work works".split()
)
_LONGEST_TERM = 64
_TOKEN = re.compile(r"\w+(?:(?:::|[./\\:@#+-])\w+)*", re.UNICODE)
_PART = re.compile(r"[^\W_]+", re.UNICODE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0e7f]+")
_CODE_SPAN = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_CODE_SHAPED = re.compile(r"[a-z0-9][A-Z]|\w_\w|::|\w/\w|\w\.[a-z]\w*$", re.UNICODE)
_stemmers = threading.local()


def analyse(text: str) -> tuple[str, ...]:
    """Return the text's terms, each once, in order; stop words only when nothing else is left."""
    found = tuple(dict.fromkeys(_terms(text)))
    return tuple(term for term in found if term not in _LEFT_OUT) or found


def without_terms(text: str, terms: frozenset[str]) -> str:
    """Return the text without the tokens made of these terms; the whole text when no other word would be left."""
    normal = unicodedata.normalize("NFC", text)
    kept = _TOKEN.sub(lambda token: "" if all(stem(p) in terms for p in _parts(token[0])) else token[0], normal)
    tells = any(term not in _LEFT_OUT for term in _terms(kept))
    return " ".join(kept.split()) if tells else text


def words(text: str) -> tuple[str, ...]:
    """Return the stems of the text's words in order, with repeats and stop words."""
    return tuple(stem(part) for token in tokens(text) for part in _parts(token))


def tokens(text: str) -> tuple[str, ...]:
    """Return the text's tokens as written (NFC); identifiers, paths and versions stay whole."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFC", text)))


def code_names(text: str) -> tuple[str, ...]:
    """Return what looks like code in the text: code spans, identifiers, paths; each once, as written."""
    normal = unicodedata.normalize("NFC", text)
    spans = (span.strip() for span in _CODE_SPAN.findall(normal))
    shaped = (token for token in _TOKEN.findall(normal) if _CODE_SHAPED.search(token))
    return tuple(dict.fromkeys(name for name in (*spans, *shaped) if name))


def title_key(title: str) -> str:
    """Return the key under which a title, an alias or an element's name is looked up."""
    return f"t:{folded(title)[: _LONGEST_TERM * 4]}"


def symbol_key(name: str) -> str:
    """Return the key under which an identifier or a path is looked up: case folded, separators kept."""
    return f"s:{unicodedata.normalize('NFC', name).strip().casefold()[: _LONGEST_TERM * 4]}"


def question_keys(question: str) -> frozenset[str]:
    """Return the keys of the question as a whole: a title, or an identifier."""
    whole = question.strip().strip("`\"'?!.[] ")
    return frozenset({title_key(whole), symbol_key(whole)} if whole else ())


def symbol_keys(titles: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted look-up keys of titles (folded) and of code names (case folded)."""
    keys = {title_key(title) for title in titles if title} | {symbol_key(name) for name in names if name}
    return tuple(sorted(keys - {"t:", "s:"}))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the Snowball stem of one word, case folded."""
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        stemmer = _stemmers.english = snowballstemmer.stemmer("english")
    return str(stemmer.stemWord(word.casefold()))[:_LONGEST_TERM]


STOP_STEMS = _STOP_WORDS | {stem(word) for word in _STOP_WORDS}
"""Words of grammar alone, as they meet stemmed words."""

_LEFT_OUT = STOP_STEMS | {stem(word) for word in _VAGUE_WORDS}


def _terms(text: str) -> Iterable[str]:
    for token in tokens(text):
        parts = _parts(token)
        yield from (stem(part) for part in parts)
        if len(parts) > 1:
            yield _whole(token)


def _whole(token: str) -> str:
    return stem(token) if token.isalnum() else token.casefold()[:_LONGEST_TERM]


def _parts(token: str) -> list[str]:
    parts: list[str] = []
    for run in _PART.findall(token):
        for hump in _HUMP.split(run):
            unspaced = _UNSPACED.search(hump)
            parts.extend(_bigrams(hump) if unspaced else [hump])
    return parts


def _bigrams(text: str) -> list[str]:
    # Scripts written without spaces have no words to cut at; pairs of characters match inside any run.
    return [text[i : i + 2] for i in range(len(text) - 1)] or [text]
