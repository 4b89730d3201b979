"""Settings files as people write them: any layout, comments, trailing commas, line ends, indentation."""

import json
from typing import Any

from hypothesis import strategies as st

_NAMES = st.text(st.characters(codec="utf-8"), max_size=6).filter(lambda t: t != "archmem")
_SCALARS = st.none() | st.booleans() | st.integers(-99, 99) | _NAMES
VALUES: st.SearchStrategy[Any] = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3), max_leaves=6
)
COMMENTS = ("", "", "", '// a note, with "quotes" and }\n', "/* a, b */", "/* two\nlines */")


class Layout:
    """Writes JSON with comments; `draw` decides about each gap."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self._newline = draw(st.sampled_from(("\n", "\r\n")))
        self._unit = draw(st.sampled_from(("  ", "\t", "    ")))
        self._is_spread = draw(st.booleans())
        self._has_comments = draw(st.booleans())

    def text(self, value: Any) -> str:
        made: str = self._gap(0) + self._value(value, 0) + self._draw(st.sampled_from(("", "\n", "\n\n")))
        return made.replace("\r\n", "\n").replace("\n", self._newline)

    def _gap(self, depth: int) -> str:
        space: str
        spread = self._is_spread and self._draw(st.integers(0, 5)) > 0
        space = "\n" + self._unit * depth if spread and depth else self._draw(st.sampled_from(("", " ")))
        comment = self._draw(st.sampled_from(COMMENTS)) if self._has_comments else ""
        return (" " + comment + space) if comment else space

    def _value(self, value: Any, depth: int) -> str:
        if isinstance(value, dict):
            parts = [f"{json.dumps(k, ensure_ascii=False)}: {self._value(v, depth + 1)}" for k, v in value.items()]
            return "{" + self._inside(parts, depth) + "}"
        if isinstance(value, list):
            return "[" + self._inside([self._value(one, depth + 1) for one in value], depth) + "]"
        return json.dumps(value, ensure_ascii=self._draw(st.booleans()))

    def _inside(self, parts: list[str], depth: int) -> str:
        made = ""
        for at, part in enumerate(parts):
            is_last = at == len(parts) - 1
            comma = "," if not is_last or (self._has_comments and self._draw(st.booleans())) else ""
            made += self._gap(depth + 1) + part + comma
        return made + self._gap(depth or 1)


@st.composite
def settings_texts(draw: st.DrawFn, /, **fixed: st.SearchStrategy[Any]) -> str:
    """A file whose value is an object, with these members or without them."""
    value = draw(st.dictionaries(_NAMES, VALUES, max_size=3))
    for name, strategy in fixed.items():
        if draw(st.booleans()):
            value[name] = draw(strategy)
    return Layout(draw).text(value)
