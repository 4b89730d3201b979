"""`archmem.toml`, the project file beside the code: its shape, its faults, and its published schema."""

import tomllib
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from graph.errors import Fault, InvalidInput
from graph.memories import Kind
from graph.paths import MOST_ALTERNATIVES, is_matchable

FILE_NAME = "archmem.toml"


def _matchable(pattern: str) -> str:
    if not is_matchable(pattern):
        raise ValueError(f"stands for more than {MOST_ALTERNATIVES} patterns")
    return pattern


Pattern = Annotated[str, AfterValidator(_matchable)]
"""A path or glob of the repository."""


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
            faults=[Fault(where=name, what=str(error))],
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
