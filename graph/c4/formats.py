"""The formats of model files: which one a file has is told by its content, since several formats share an ending."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from graph.c4.diagrams import DIAGRAM_ENDINGS, is_diagram, main_diagrams, read_diagrams
from graph.c4.draft import Draft
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.likec4 import ENDINGS, is_likec4, main_likec4, read_likec4
from graph.c4.workspaces import is_dsl, is_json, main_dsl, main_json, read_dsl, read_json
from graph.c4.yaml_models import is_archyl, is_pacta, main_archyl, main_pacta, read_archyl, read_pacta


@dataclass(frozen=True, slots=True)
class Format:
    """One format and its reader.

    `endings` say which files of a repository are looked into; a file that is named is always looked into.
    `is_one` takes a path and its text with `\\n` as line end.
    `read` gives the whole model that a file begins; whatever it reads on the way is marked read in `ModelFiles`, and
    is not read again. It raises nothing: what is wrong goes into the findings.
    `mains` takes the found files of this format and the texts of all files that were looked into; it returns those
    with which reading begins, best first, without those that come with another.
    """

    name: str
    endings: tuple[str, ...]
    is_one: Callable[[str, str], bool]
    read: Callable[[str, ModelFiles, Findings], Draft]
    mains: Callable[[Collection[str], Mapping[str, str]], Sequence[str]]


DIAGRAMS = Format("C4 diagrams in PlantUML or Mermaid", DIAGRAM_ENDINGS, is_diagram, read_diagrams, main_diagrams)
"""Pictures of a model: they are one where no file of another format is."""

FORMATS = (
    Format("Structurizr DSL", (".dsl", ".c4", ".structurizr"), is_dsl, read_dsl, main_dsl),
    Format("LikeC4", ENDINGS, is_likec4, read_likec4, main_likec4),
    Format("Structurizr workspace in JSON", ("workspace.json", "structurizr.json"), is_json, read_json, main_json),
    Format("archyl.yaml", ("archyl.yaml", "archyl.yml"), is_archyl, read_archyl, main_archyl),
    Format("pacta's architecture.yml", ("architecture.yaml", "architecture.yml"), is_pacta, read_pacta, main_pacta),
    DIAGRAMS,
)
"""In the order in which they are tried, and in which their models come; those that a file's ending speaks for first."""


def format_of(path: str, text: str) -> Format | None:
    """Return the format of a file; None when it has none that is known."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    by_ending = sorted(FORMATS, key=lambda known: not path.lower().endswith(known.endings))
    return next((known for known in by_ending if known.is_one(path, text)), None)


def known_formats() -> str:
    """Return the names of all formats."""
    return ", ".join(known.name for known in FORMATS)
