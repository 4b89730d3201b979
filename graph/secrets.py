"""Secrets, known by the shape of their values: refused where somebody writes them, redacted where they are captured.

A word such as `password` alone is none, and neither is what documentation shows in a secret's place.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graph.errors import Fault


class Secret(NamedTuple):
    """Where in a text a secret stands, and of what kind it is."""

    start: int
    end: int
    kind: str


# Each begins with letters of its own, and every repetition ends where its class does, so that a search stays linear.
_TOKENS = (
    ("AWS access key", r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,255}+|github_pat_[A-Za-z0-9_]{60,255}+"),
    ("GitLab token", r"gl(?:pat|dt|rt|ptt|ft|soat|cbt)-[A-Za-z0-9_-]{20,255}+"),
    ("Slack token", r"xox[abeoprs]-(?:[0-9]+-)++[A-Za-z0-9-]{10,255}+|xapp-[0-9]-[A-Z0-9]++-[0-9]++-[a-f0-9]{32,255}+"),
    ("Slack webhook", r"https://hooks\.slack\.com/(?:services|workflows)/[A-Z0-9]++/[A-Z0-9]++/[A-Za-z0-9]{20,255}+"),
    ("Stripe key", r"[rs]k_live_[A-Za-z0-9]{16,255}+"),
    ("Anthropic key", r"sk-ant-[A-Za-z0-9_-]{32,255}+"),
    ("OpenAI key", r"sk-(?:proj-|svcacct-|admin-)[A-Za-z0-9_-]{32,255}+|sk-[A-Za-z0-9]{48}(?![A-Za-z0-9])"),
    ("Google API key", r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("npm token", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    ("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{50,500}+"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{34,64}(?![A-Za-z0-9])"),
    ("SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),
    ("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}(?![a-f0-9])"),
    ("archmem access key", r"archmem_[A-Za-z0-9-]{6,64}_[A-Za-z0-9_-]{40,128}"),
    ("JSON web token", r"eyJ[A-Za-z0-9_-]{12,2000}\.eyJ[A-Za-z0-9_-]{12,8000}\.[A-Za-z0-9_-]{20,1000}+"),
)
_TOKEN = re.compile("|".join(f"(?P<k{n}>{pattern})" for n, (_, pattern) in enumerate(_TOKENS)))
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)*+"
    r"(?=(?:[A-Za-z0-9+/=:, -]|\\n|\s){64})[^-]*+(?:-(?!----END)[^-]*+)*+(?:-----END [A-Z0-9 ]{1,60}-----)?"
)
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s:/@\"'`<>]{1,100}:(?P<value>[^\s/@\"'`]{8,200})@[A-Za-z0-9\[]"
)
_NAMED = re.compile(
    r"(?P<name>(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key"
    r"|private[_-]?key|credentials?|authorization)[A-Za-z0-9_-]{0,30})[\"'`]?\s{0,4}(?:[:=]|=>|:=)\s{0,4}"
    r"(?i:bearer\s{1,4}|basic\s{1,4}|token\s{1,4})?[\"'`]?(?P<value>[A-Za-z0-9+/_=.~!@#$%^&*?-]{12,500})"
)
_NAME_OF_ELSE = re.compile(r"(?i)(?:path|file|name|url|uri|host|domain|dir|folder|endpoint|type|size|length)s?$")
_IS_MADE_UP = re.compile(r"(?i)dummy|example|fake|sample|mock")
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_SHOWN = re.compile(
    r"(?i)example|sample|placeholder|change.?me|your|dummy|redacted|secret|password|passwd|token|"
    r"x{4}|\*{3}|\.{3}|0{6}|1234567|abcdef|deadbeef|foobar|lorem"
)
"""What stands in documents in the place of a secret."""
_JOHN_DOE = "eyJzdWIiOiIxMjM0NTY3ODkw"  # the payload of the web token that every document shows
_WORD = re.compile(r"[a-z]{5,}|[A-Z][a-z]{4,}|[A-Z]{5,}")
_LEAST_BITS = 3.3  # bits a character, of Shannon's entropy: names and sentences have fewer
_MOST_WORDS = 0.4  # of the characters; what a machine made spells a word of five letters now and then too


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in their order, none inside another."""
    found = sorted(_candidates(text), key=lambda one: (one.start, -one.end))
    kept: list[Secret] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def secret_faults(texts: Iterable[tuple[str, str]]) -> list[Fault]:
    """Return a fault for each secret of these texts, given with the fields they stand in; no fault repeats it."""
    return [
        Fault(where=where, what=f"holds a secret ({one.kind}); name where it is kept, not its value")
        for where, text in texts
        for one in find_secrets(text)
    ]


def redact(text: str) -> str:
    """Return the text with the kind of each secret in its place."""
    parts, at = [], 0
    for one in find_secrets(text):
        parts += [text[at : one.start], f"[redacted: {one.kind}]"]
        at = one.end
    return "".join([*parts, text[at:]])


def _candidates(text: str) -> Iterator[Secret]:
    for match in _TOKEN.finditer(text):
        kind = _TOKENS[int((match.lastgroup or "k0")[1:])][0]
        is_apart = not match.start() or not text[match.start() - 1].isalnum()
        if is_apart and not _is_shown(match.group()) and _JOHN_DOE not in match.group():
            yield Secret(match.start(), match.end(), kind)
    for match in _PRIVATE_KEY.finditer(text):
        if not _is_shown(match.group()[:400]):
            yield Secret(match.start(), match.end(), "private key")
    for match in _ADDRESS.finditer(text):
        if _is_random(match["value"]):
            yield Secret(*match.span("value"), "password in an address")
    for match in _NAMED.finditer(text):
        is_else = _NAME_OF_ELSE.search(match["name"]) or _IS_MADE_UP.search(
            text, max(0, match.start() - 12), match.end("name")
        )
        if not is_else and _is_random(match["value"]) and not _is_call(text, match.end()):
            yield Secret(*match.span("value"), "password or key")


def _is_shown(value: str) -> bool:
    return _SHOWN.search(value) is not None


def _is_random(value: str) -> bool:
    """Say whether a value looks as if a machine had made it: mixed, without words, hard to foretell."""
    if _is_shown(value) or value[0] in "$%{<~/." or _ATTRIBUTE.fullmatch(value):
        return False
    if sum(map(len, _WORD.findall(value))) > _MOST_WORDS * len(value):
        return False
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    if not letters or not digits:
        return False
    counts = Counter(value).values()
    bits = -math.fsum(n / len(value) * math.log2(n / len(value)) for n in counts)
    return bits >= min(_LEAST_BITS, math.log2(len(value)) - 0.3)


def _is_call(text: str, end: int) -> bool:
    """Say whether the value is the name of a function that is called, or of a list that is looked into."""
    return text[end : end + 1] in ("(", "[")
