"""Finds the C4 diagrams that are written in Mermaid, in files of it and in the fences of Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graph.c4.lines import Line

MERMAID = (".mmd", ".mermaid")

_FENCE = re.compile(r"\s*(?:(`{3,})([^`]*)|(~{3,}|:{3,})(.*))")
_MERMAID = re.compile(r"\s*\{?\.?mermaid\b(?!-)", re.IGNORECASE)
_HEADER = re.compile(r"\s*C4(Context|Container|Component|Dynamic|Deployment)\b")
_ENTITY = re.compile(r"#(\w{1,20});")


@dataclass(frozen=True, slots=True)
class MermaidDiagram:
    """The lines of one C4 diagram, without its header and comments."""

    lines: Sequence[Line]
    dynamic: bool


def mermaid_diagrams(path: str, rows: Sequence[Line]) -> Iterator[MermaidDiagram]:
    """Yield the C4 diagrams of a Mermaid file, or of the `mermaid` fences of a Markdown one; no others."""
    for block in [rows] if path.lower().endswith(MERMAID) else _fenced(rows):
        lines = [line for line in _without_front_matter(block) if not line.text.lstrip().startswith("%%")]
        first = next((index for index, line in enumerate(lines) if line.text.strip()), 0)
        if lines and (header := _HEADER.match(lines[first].text)):
            diagram = [replace(line, text=_ENTITY.sub(_entity, line.text)) for line in lines[first + 1 :]]
            yield MermaidDiagram(diagram, dynamic=header[1] == "Dynamic")


def _entity(match: re.Match[str]) -> str:
    return f"&{'#' * match[1].isdecimal()}{match[1]};"


def _fenced(rows: Iterable[Line]) -> Iterator[list[Line]]:
    fence = ""
    block: list[Line] = []
    is_mermaid = False
    for line in rows:
        match = _FENCE.fullmatch(line.text)
        mark, info = (match[1] or match[3], match[2] or match[4] or "") if match else ("", "")
        if mark and not fence:
            fence, is_mermaid = mark, bool(_MERMAID.match(info))
        elif mark.startswith(fence) and mark and not info.strip():
            if is_mermaid:
                yield block
            fence, block, is_mermaid = "", [], False
        elif is_mermaid:
            block.append(line)
    if is_mermaid:
        yield block


def _without_front_matter(block: Sequence[Line]) -> Sequence[Line]:
    if block and block[0].text.strip() == "---":
        end = next((index for index, line in enumerate(block[1:], start=1) if line.text.strip() == "---"), 0)
        return block[end + 1 :] if end else block
    return block
