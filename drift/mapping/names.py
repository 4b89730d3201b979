"""An element's or a folder's name as it is compared: by words, and run together."""

import re
from dataclasses import dataclass

from graph.terms import words

# What, at the end, says the kind of a thing and not which one it is: a folder often leaves it out.
_KIND_WORDS = frozenset(
    stem
    for text in ("service", "microservice", "server", "api", "application", "app", "component", "module")
    for stem in words(text)
)
_REMARK = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")


@dataclass(frozen=True, slots=True)
class Name:
    """`words` are stems in order, `flat` is the name run together in lower case."""

    text: str
    words: tuple[str, ...]
    flat: str

    @property
    def bare(self) -> tuple[str, ...]:
        """The words without a last one that only says the kind."""
        return self.words[:-1] if len(self.words) > 1 and self.words[-1] in _KIND_WORDS else self.words

    @property
    def kind_word(self) -> str:
        """The stem of the last word when it only says the kind."""
        return self.words[-1] if len(self.bare) < len(self.words) else ""

    @property
    def is_compound(self) -> bool:
        """Whether it has more than one word: such a name seldom means two things."""
        return len(self.words) > 1


def name_of(text: str) -> Name:
    """Return a text as a name; what stands in parentheses is a remark."""
    bare = _REMARK.sub("", text).strip() or text
    return Name(text=bare, words=words(bare), flat="".join(c for c in bare.lower() if c.isalnum()))


def without_prefix(name: Name, prefix: Name) -> Name | None:
    """Return the name without the words of the prefix that it begins with; None when it does not, or nothing stays."""
    count = len(prefix.words)
    if not count or name.words[:count] != prefix.words or len(name.words) == count:
        return None
    rest = name.words[count:]
    return Name(text=" ".join(rest), words=rest, flat=name.flat.removeprefix(prefix.flat))
