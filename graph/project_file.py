"""`archmem.toml`, the project file beside the code: its shape, its faults, and its published schema."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from graph.errors import Fault, InvalidInput
from graph.memories import Kind
from graph.paths import MOST_ALTERNATIVES, is_matchable

FILE_NAME = "archmem.toml"

_HEADER = re.compile(r"""^[ \t]*\[[ \t]*(?:sources|"sources"|'sources')[ \t]*\][ \t]*(?:#.*)?$""")
_ANY_HEADER = re.compile(r"^[ \t]*\[")
_AT_LINE = re.compile(r"line (\d+)")


def _matchable(pattern: str) -> str:
    if not is_matchable(pattern):
        raise ValueError(f"stands for more than {MOST_ALTERNATIVES} patterns")
    return pattern


Pattern = Annotated[str, AfterValidator(_matchable)]
"""A path or glob of the repository."""


EVERY = re.compile(r"@?every (\d{1,8}) ?([smhd])")
"""How an interval is written in place of five cron fields."""


def _schedule(text: str) -> str:
    if text.strip() and not EVERY.fullmatch(text.strip().lower()) and len(text.split()) != 5:
        raise ValueError("is neither five cron fields (`0 3 * * *`) nor an interval (`every 15m`)")
    return text.strip()


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProjectSection(_Section):
    """Who this project is."""

    id: str = Field(default="", description="Explicit identity; without one the `origin` remote decides.")
    name: str = Field(default="", description="The name that people read.")


class ModelSection(_Section):
    """Where the architecture model lives."""

    files: tuple[str, ...] = Field(default=(), description="Model files, relative to this file's folder.")
    decisions: tuple[str, ...] = Field(
        default=(), description="Folders with decision records, beside those the model names."
    )


class DriftSection(_Section):
    """What the drift check looks at and when it fails."""

    ignore: tuple[Pattern, ...] = Field(default=(), description="Globs of files whose changes never count.")
    min_score: float | None = Field(default=None, ge=0, le=100, description="Fail below this score.")
    fail_on: Literal["new", "any", "none"] | None = Field(
        default=None, description="Fail on findings that are not known, on any, or on none."
    )
    schedule: Annotated[str, AfterValidator(_schedule)] = Field(
        default="", description="When a server checks by itself: five cron fields (UTC), or `every 15m`."
    )
    dependencies: bool | None = Field(
        default=None, description="Compare the imports between elements with the relationships of the model."
    )


class RankingSection(_Section):
    """Changes to the ranking rules."""

    kind_weights: dict[Kind, float] = Field(default_factory=dict, description="Weight by kind of memory.")
    freshness_floor: float | None = Field(default=None, ge=0, le=1, description="The least freshness factor.")
    half_life_days: float | None = Field(default=None, gt=0, description="Days until freshness halves.")
    evidence: bool | None = Field(default=None, description="Let checked claims soften or sharpen a drift flag.")
    min_relevance: float | None = Field(default=None, ge=0, le=1, description="Below this relevance nothing is a hit.")
    ranking: Literal["blend", "rrf"] | None = Field(default=None, description="The blended score, or pure rank fusion.")


class ProjectFile(_Section):
    """The whole `archmem.toml`."""

    project: ProjectSection = ProjectSection()
    model: ModelSection = ModelSection()
    sources: dict[str, tuple[Pattern, ...]] = Field(
        default_factory=dict, description="Paths and globs by element ref; wins over what the model says."
    )
    drift: DriftSection = DriftSection()
    ranking: RankingSection = RankingSection()


def parse_project_file(content: bytes, name: str = FILE_NAME) -> ProjectFile:
    """Return the project file; raise InvalidInput with every fault, an unknown key with the nearest known one."""
    try:
        raw = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{name} is not TOML",
            id=name,
            faults=[Fault(where=f"{name}:{_line_of(error, content)}", what=str(error))],
            next_step="correct the line named above",
        ) from error
    try:
        return ProjectFile.model_validate(raw)
    except ValidationError as error:
        faults = [Fault(where=f"{name} [{_dotted(fault['loc'])}]", what=_say(fault)) for fault in error.errors()]
        raise InvalidInput(
            f"{name} has {len(faults)} fault(s)",
            id=name,
            faults=faults,
            next_step="correct them; docs/settings.md lists every key",
        ) from error


def add_sources(content: bytes, sources: Mapping[str, Sequence[str]], name: str = FILE_NAME) -> bytes:
    """Return the project file with these mappings at the end of `[sources]`, every other byte as it was.

    Raise InvalidInput for a faulty file, and for one whose sources are no table of their own.
    """
    before = parse_project_file(content, name)
    expected = {**before.sources, **{ref: tuple(paths) for ref, paths in sources.items()}}
    text = content.decode("utf-8")
    for place, is_new in _places(text):
        new = _inserted(text, place, sources, is_new=is_new).encode()
        try:
            after = parse_project_file(new, name)
        except InvalidInput:
            continue  # what looks like the table's header may stand in a text of several lines
        if after == before.model_copy(update={"sources": expected}):
            return new
    raise InvalidInput(
        f"{name} has no [sources] table that a mapping can be added to",
        id=name,
        next_step="write the mappings that are there under a line `[sources]`, or add these by hand",
    )


def quoted(text: str) -> str:
    """Return the text as a TOML string."""
    # JSON strings are TOML strings, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _places(text: str) -> Iterator[tuple[int, bool]]:
    """Yield where mappings may go, by offset: after the last line of a `[sources]` table, else at the end."""
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    for number, line in enumerate(lines):
        if not _HEADER.match(line.lstrip("\ufeff").rstrip("\r\n")):
            continue
        end = next((n for n in range(number + 1, len(lines)) if _ANY_HEADER.match(lines[n])), len(lines))
        while end > number + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        yield offsets[end], False
    yield len(text), True


def _inserted(text: str, place: int, sources: Mapping[str, Sequence[str]], *, is_new: bool) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{quoted(ref)} = [{', '.join(map(quoted, paths))}]" for ref, paths in sources.items()]
    head, tail = text[:place], text[place:]
    if head and not head.endswith("\n"):
        head += line_end
    if is_new:
        lines = [*([""] if head.strip("\ufeff") else []), "[sources]", *lines]
    return head + "".join(f"{line}{line_end}" for line in lines) + tail


def _line_of(error: Exception, content: bytes) -> int:
    found = _AT_LINE.search(str(error))
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    return int(found[1]) if found else content.count(b"\n") + 1


def project_file_schema() -> dict[str, Any]:
    """Return the JSON schema of `archmem.toml`, as it is published."""
    schema = ProjectFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FILE_NAME, **schema}


def _dotted(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _say(fault: Any) -> str:
    if fault["type"] != "extra_forbidden":
        return str(fault["msg"])
    section: Any = ProjectFile
    for part in fault["loc"][:-1]:
        section = section.model_fields[part].annotation
    near = get_close_matches(str(fault["loc"][-1]), list(section.model_fields), n=1, cutoff=0.0)
    return f"unknown key; the nearest known one is {near[0]!r}" if near else "unknown key"
