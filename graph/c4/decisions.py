"""Decision records in Markdown (Nygard, MADR 2 to 4, log4brains) as decisions of the model."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from graph.c4.findings import Findings
from graph.c4.lines import decode
from graph.elements import Decision
from graph.errors import Unknown
from graph.paths import clean_path
from graph.trees import FileTree

CONVENTIONAL = ("doc/adr", "docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "adr")

_PAGES = frozenset(("readme", "index", "template", "templates", "toc", "contributing", "changelog", "overview"))
_LONGEST_LINE = 500
_DATED = re.compile(r"(\d{4}-?\d{2}-?\d{2})[-_ ]")
_DASHED = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_NUMBERED = re.compile(r"(?:(?:adr|mdr|dr|decision)[-_ ]*)?0*(\d{1,6})(?=$|[-_. ])", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_FENCE = re.compile(r"\s*(```|~~~)")
_FIELD = re.compile(
    r"\s*(?:[*+-]\s+|\|\s*)?(?:\*\*|__)?(status|date)(?:\*\*|__)?\s*(?::|\|)\s*(?:\*\*|__)?\s*(.+)", re.IGNORECASE
)
_LEADING_NUMBER = re.compile(
    r"\[?(?:(?:adr|mdr|dr|decision|architecture decision record)[-_ #:]*\d+|\d+(?=\s*[.:)\]–—-]))\]?\s*[.:)–—-]*\s*",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def read_decisions(
    tree: FileTree, paths: Iterable[str], folder: str, about: Sequence[str], where: str, findings: Findings
) -> list[Decision]:
    """Return the records of a folder, by file name; a folder that is not there is a warning at `where`."""
    below = f"{clean_path(folder)}/" if clean_path(folder) else ""
    inside = sorted(path for path in paths if path.startswith(below))
    if not inside:
        findings.warn(where, f"there is no folder {folder} with decision records")
    found: list[Decision] = []
    for path in inside:
        if "/" in path.removeprefix(below) or not path.lower().endswith((".md", ".markdown")):
            continue
        decision = _read(tree, path, about, findings)
        if decision is not None:
            found.append(decision)
    return found


def _read(tree: FileTree, path: str, about: Sequence[str], findings: Findings) -> Decision | None:
    stem = posixpath.splitext(posixpath.basename(path))[0]
    dated, numbered = _DATED.match(stem), _NUMBERED.match(stem)
    if not dated and not (numbered and int(numbered[1])) and _PAGES.intersection(re.split(r"[-_. ]+", stem.lower())):
        return None
    try:
        text, is_latin1 = decode(tree.read(path))
    except (Unknown, OSError):
        return None
    if is_latin1:
        findings.warn(f"{path}:1", "the file is not UTF-8; it was read as Latin-1")
    front, lines = _front_matter(text)
    lines = _without_code(lines)
    headings = [heading for heading, _ in _headings(lines)]
    fields = {**_sections(lines), **_fields(lines), **front}
    if not (dated or numbered) and not ("status" in fields or any(_is_typical(heading) for heading in headings)):
        return None
    title = next(iter(headings), "") or front.get("title", "")
    slug = stem[numbered.end() :] if numbered and not dated else stem
    return Decision(
        ref=f"ADR-{numbered[1]}" if numbered and not dated else f"ADR-{stem}",
        title=_LINK.sub(r"\1", _LEADING_NUMBER.sub("", title, count=1) or title)
        or slug.strip("-_. ").replace("-", " "),
        status=_plain(fields.get("status", "")),
        date=_plain(fields.get("date", "")) or (_DASHED.sub(r"\1-\2-\3", dated[1]) if dated else ""),
        content=text,
        about=tuple(about),
        file=path,
    )


def _is_typical(heading: str) -> bool:
    return heading.lower().startswith(("decision", "context", "considered options", "consequences"))


def _front_matter(text: str) -> tuple[dict[str, str], list[str]]:
    """Split off a YAML front matter; of it only the plain `key: value` lines count."""
    lines = [line[:_LONGEST_LINE] for line in _without_comments(text).splitlines()]
    if not lines or lines[0].strip() != "---":
        return {}, lines
    end = next((i for i, line in enumerate(lines[1:], start=1) if line.strip() in ("---", "...")), 0)
    found = {}
    for line in lines[1:end]:
        key, colon, value = line.partition(":")
        if colon and key.strip().lower() in ("status", "date", "title") and key == key.strip():
            found[key.lower()] = value.split(" #")[0].strip().strip("\"'")
    return {key: value for key, value in found.items() if value}, lines[end + 1 if end else 0 :]


def _without_comments(text: str) -> str:
    kept: list[str] = []
    while (start := text.find("<!--")) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[:start])
        text = text[end + len("-->") :]
    return "".join((*kept, text))


def _without_code(lines: Sequence[str]) -> list[str]:
    """Return the lines with those of fenced code emptied: an example in it is no field and no heading."""
    in_code = False
    kept: list[str] = []
    for line in lines:
        is_fence = _FENCE.match(line) is not None
        kept.append("" if in_code or is_fence else line)
        in_code ^= is_fence
    return kept


def _headings(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the text of each heading, `#` or underlined, and its line."""
    for number, line in enumerate(lines):
        if heading := _HEADING.fullmatch(line.strip()):
            yield heading[1], number
        elif number and lines[number - 1].strip() and _UNDERLINE.fullmatch(line.strip()):
            yield lines[number - 1].strip(), number


def _sections(lines: Sequence[str]) -> dict[str, str]:
    """Return the first line below a heading `Status` or `Date`."""
    found: dict[str, str] = {}
    for heading, number in _headings(lines):
        name = heading.lower().rstrip(":")
        if name in ("status", "date") and name not in found:
            below = next((line.strip() for line in lines[number + 1 :] if line.strip()), "")
            if below and not below.startswith("#"):
                found[name] = below
    return found


def _fields(lines: Sequence[str]) -> dict[str, str]:
    """Return `Status: …` and `Date: …` as a line, a list item, bold, or a row of a table; the first of each counts."""
    found: dict[str, str] = {}
    for line in lines[:40]:
        match = _FIELD.fullmatch(line)
        if match and match[1].lower() not in found:
            found[match[1].lower()] = match[2].strip().strip("|")
    return found


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).strip().strip("*_`|").removeprefix("- ").strip()
