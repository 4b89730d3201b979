"""Whether two texts say the same: a bare cosine confirms lies, so the texts must agree word by word, in order.

What may differ is a closed list below: case, white space, quotes, articles, contractions, spellings, units, number
words, a few empty words and fixed phrases. Everything else may turn the meaning ("to 512 MB" / "by 512 MB", "custom" /
"customer", "calls" / "is called by"), so it is a sign of a difference.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_POLARITY = frozenset(
    "no not never none nothing nobody neither nor without cannot always only must mustn may might should shouldn won "
    "don doesn didn isn aren wasn weren can could couldn wouldn all any every each some most both either except unless "
    "until before after more less least fewer over under above below minimum maximum min max allow allowed deny denied "
    "forbid enable enabled disable disabled true false on off yes".split()
)
_WORD_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[+-]?\d+(?:[.,:]\d+)*(?P<unit>[a-zA-Zµ°%]{1,4}(?![\w%])|%(?!\w))?(?![\w]))"
    r"|(?P<word>(?:(?<![^\s(\[\"'])[.~$@/\\-]+)?\w+(?:(?:::|[./\\:@#+-])\w+)*(?:\(\))?)"
    r"|(?P<mark>[^\w\s`]+|`)",
)
_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
_CODE_SHAPED = re.compile(r"[a-z0-9][A-Z]|_|[/\\@#$~:+]|^[.-]|\w\.\w|\(\)$")
_PLAIN_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+")
_CONTRACTIONS = (
    (re.compile(r"\b(?:can['’]t|cannot)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"\b(\w+)n['’]t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(it|that|there)['’]s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(we|you|they)['’]re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"(?<![\w*])\*\*(?=\w)([^*\n]+)(?<=\w)\*\*(?![\w*])"), r"\1"),
)
_SILENT = "\"'’‘“”()[],"
_BREAKS = frozenset(".;:!–—…")
_BREAK, _COMMA = "\n", ","
_EMPTY = frozenset(("the", "please", "currently", "basically", "actually", "really"))
_NEGATIONS = frozenset(("not", "never", "no"))
_OPENERS = tuple(
    tuple(phrase.split())
    for phrase in (
        "note that|remember that|be aware that|keep in mind that|make sure to|be sure to|remember to|do not forget to|"
        "note|reminder|important|fyi|nb"
    ).split("|")
)
_PHRASES = {
    tuple(phrase.split()): tuple(same.split())
    for phrase, same in {
        "prior to": "before",
        "in order to": "to",
        "so that": "so",
        "due to": "because of",
        "make sure that": "ensure",
        "make sure": "ensure",
        "ensure that": "ensure",
        "no more than": "at most",
        "no less than": "at least",
        "no fewer than": "at least",
        "greater than": "more than",
        "turned off": "disabled",
        "switched off": "disabled",
        "turned on": "enabled",
        "switched on": "enabled",
        "turn off": "disable",
        "switch off": "disable",
        "turn on": "enable",
        "switch on": "enable",
        "e mail": "email",
        "e mails": "emails",
        "pull request": "pr",
        "pull requests": "prs",
    }.items()
}
_OBLIGES = frozenset(("have", "has", "need", "needs"))
_UNLIKE_MUST = frozenset(("not", "never", "no", "longer", "only", "just"))
_SAME_WORD = {
    variant: words[0]
    for words in (
        line.split()
        for line in (
            "repository repo|repositories repos|database db|databases dbs|configuration config|configurations configs|"
            "environment env|environments envs|production prod|documentation docs|kubernetes k8s|postgresql postgres|"
            "administrator admin|administrators admins|parameter param|parameters params|directory dir|application app|"
            "applications apps|dependencies deps|asynchronous async|until till|when whenever|"
            "behavior behaviour|behaviors behaviours|color colour|colors colours|favor favour|honor honour|"
            "labor labour|neighbor neighbour|neighbors neighbours|harbor harbour|center centre|centers centres|"
            "catalog catalogue|catalogs catalogues|dialog dialogue|gray grey|license licence|licenses licences|"
            "fulfill fulfil|"
            "defense defence|fulfillment fulfilment|program programme|artifact artefact|artifacts artefacts|"
            "analyze analyse|analyzed analysed|analyzes analyses|analyzer analyser|canceled cancelled|"
            "canceling cancelling|labeled labelled|labeling labelling|modeled modelled|modeling modelling|"
            "signaled signalled|signaling signalling|traveled travelled|tunneled tunnelled|channeled channelled"
        ).split("|")
    )
    for variant in words[1:]
}
_ISE = re.compile(r"(\w{3,})is(e|ed|es|er|ers|ing|ation|ations)$")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
_UNITS = {
    spelled: units[0]
    for units in (
        line.split()
        for line in (
            "ms msec millisecond milliseconds|s sec secs second seconds|min mins minute minutes|"
            "h hr hrs hour hours|d day days|week weeks|% percent|"
            "KB kb kB kilobyte kilobytes|MB mb megabyte megabytes|GB gb gigabyte gigabytes|TB tb terabyte terabytes"
        ).split("|")
    )
    for spelled in units
}


class _Token(NamedTuple):
    """One thing said: `key` is what it stands for, `raw` how it is written."""

    kind: str
    key: str
    raw: str


def normalised(text: str) -> str:
    """Return the text as dedup compares it without vectors: NFC, case folded, white space as one, no end mark."""
    folded_text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return _WORD_SPACE.sub(" ", folded_text).strip().rstrip(".!")


def contradiction_signals(new: str, old: str) -> tuple[str, ...]:
    """Return every sign that the two texts differ in what they say; none means that one restates the other."""
    mine, theirs = _said(new), _said(old)
    # A comma may stand for a full stop or for nothing, the same throughout one text.
    if _agree(_breaking(mine), _breaking(theirs)) or _agree(_running(mine), _running(theirs)):
        return ()
    signals = [kind for kind in ("numbers", "polarity", "code", "words") if _of(kind, mine) != _of(kind, theirs)]
    return tuple(signals) or ("order",)


def _agree(mine: Sequence[_Token], theirs: Sequence[_Token]) -> bool:
    return len(mine) == len(theirs) and all(
        one.key == other.key or one.raw == other.raw for one, other in zip(mine, theirs, strict=True)
    )


def _breaking(said: Sequence[_Token]) -> list[_Token]:
    return _trimmed([token._replace(key=_BREAK, raw=_BREAK) if token.kind == "break" else token for token in said])


def _running(said: Sequence[_Token]) -> list[_Token]:
    return _trimmed([token for token in said if token.key != _COMMA])


def _trimmed(said: Sequence[_Token]) -> list[_Token]:
    """Return the tokens without breaks at either end, each other run of breaks as one."""
    kept: list[_Token] = []
    for token in said:
        if token.kind != "break" or (kept and kept[-1].kind != "break"):
            kept.append(token)
    return kept[:-1] if kept and kept[-1].kind == "break" else kept


def _of(kind: str, said: Sequence[_Token]) -> list[str]:
    return sorted(token.key for token in said if token.kind == kind)


def _said(text: str) -> list[_Token]:
    """Return what the text says, token by token, in one spelling and without what is empty."""
    text = unicodedata.normalize("NFC", text)
    said = _without_empty(_one_spelling(list(_read(text))))
    return [
        token._replace(kind="polarity") if token.key in _POLARITY and token.kind == "words" else token for token in said
    ]


def _read(text: str) -> Iterator[_Token]:
    for part in _CODE.split(text):
        if part.startswith("`"):
            code = part.strip("`").strip()
            # "`dp-state`" is "dp-state", but `env` is not `environment`: code has one spelling.
            names = code.split("-") if _PLAIN_CODE.fullmatch(code) else [code]
            yield from (_Token("code", name, name) for name in names)
        else:
            for pattern, spelled in _CONTRACTIONS:
                part = pattern.sub(spelled, part)
            yield from _read_prose(part)


def _read_prose(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        raw = found[0]
        if found["number"]:
            unit = found["unit"] or ""
            yield _number(raw.removesuffix(unit))
            if unit:
                yield _Token("words", unit, unit)
        elif found["mark"]:
            yield from _mark(found, text)
        elif _CODE_SHAPED.search(raw):
            yield _Token("code", raw, raw)
        else:
            yield from (_Token("words", word.casefold(), word) for word in raw.split("-"))


def _number(written: str) -> _Token:
    plain = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
    return _Token("numbers", plain, plain)


def _mark(found: re.Match[str], text: str) -> Iterator[_Token]:
    """Yield a break, a comma, or a mark that says something ("->", "++", "<"); quotes and brackets say nothing."""
    raw, after = found[0], text[found.end() : found.end() + 1]
    is_apart = not text[found.start() - 1 : found.start()].strip() or found.start() == 0
    told = "".join(mark for mark in raw if mark not in _SILENT)
    if "?" in told or (told and not after.strip() and set(told) <= _BREAKS) or (is_apart and told in ("-", "--")):
        if "?" in told:
            yield _Token("words", "?", "?")
        yield _Token("break", _BREAK, _BREAK)
    elif told and not (told == "-" and not is_apart and after.isalpha()):
        yield _Token("words", told, told)
    elif "," in raw:
        yield _Token("break", _COMMA, _COMMA)


def _one_spelling(said: list[_Token]) -> list[_Token]:
    """Return the tokens with phrases, spellings, number words and units each in one form."""
    spelled: list[_Token] = []
    i = 0
    while i < len(said):
        length, same = _phrase(said, i)
        if length:
            spelled.extend(_Token("words", word, word) for word in same)
            i += length
            continue
        token = said[i]
        i += 1
        last = spelled[-1] if spelled else None
        following = said[i] if i < len(said) else None
        if token.kind != "words":
            spelled.append(token)
        elif last is not None and last.kind == "numbers" and (unit := _unit(token)):
            spelled[-1] = _Token("numbers", f"{last.key} {unit}", f"{last.raw} {unit}")
        elif token.key in _NUMBER_WORDS:
            spelled.append(_number(_NUMBER_WORDS[token.key]))
        elif last is not None and last.kind == "numbers" and len(token.raw) <= 2:
            spelled.append(token._replace(key=token.raw))  # "5 m" is not "5 M"
        elif token.key == "each" and not (following is not None and following.key == "other"):
            spelled.append(token._replace(key="every"))
        else:
            key = _SAME_WORD.get(token.key, token.key)
            spelled.append(token._replace(key=_ISE.sub(r"\1iz\2", key)))
    return spelled


def _unit(token: _Token) -> str | None:
    """Return the unit in its one spelling: "Minutes" is "minutes", but "Ms" is no "ms"."""
    return _UNITS.get(token.raw) or (_UNITS.get(token.key) if len(token.key) > 3 else None)


def _phrase(said: Sequence[_Token], at: int) -> tuple[int, tuple[str, ...]]:
    """Return how many tokens from there on are a fixed phrase, and what it stands for; 0 when they are none."""
    keys = tuple(token.key if token.kind == "words" else "" for token in said[at : at + 4])
    starts = at == 0 or said[at - 1].kind == "break"
    if starts:
        for opener in _OPENERS:
            told = keys[: len(opener)] == opener
            # "Note: …" is empty, "Note the …" is not.
            if told and (len(opener) > 1 or (len(said) > at + 1 and said[at + 1].kind == "break")):
                return len(opener), ()
    # "must not" and "do not have to" are opposites.
    if keys[:1] and keys[0] in _OBLIGES and keys[1:2] == ("to",) and (not at or said[at - 1].key not in _UNLIKE_MUST):
        return 2, ("must",)
    # "headers that are longer than" = "headers longer than"
    if not starts and keys[:1] in (("that",), ("which",)) and keys[1:2] in (("is",), ("are",)):
        return 2, ()
    for length in (3, 2):
        if len(keys) >= length and keys[:length] in _PHRASES:
            return length, _PHRASES[keys[:length]]
    return 0, ()


def _without_empty(said: Sequence[_Token]) -> list[_Token]:
    kept: list[_Token] = []
    for token in said:
        is_empty = token.kind == "words" and token.key in _EMPTY
        # "not really" is less than "not".
        if not is_empty or (token.key != "the" and kept and kept[-1].key in _NEGATIONS):
            kept.append(token)
    return kept
