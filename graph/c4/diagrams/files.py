"""Files with C4 diagrams, in C4-PlantUML or Mermaid: known by their content, read together where they are one model."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from graph.c4.diagrams.aliases import DiagramModel
from graph.c4.diagrams.calls import read_calls
from graph.c4.diagrams.mermaid import MERMAID, mermaid_diagrams
from graph.c4.diagrams.preprocessor import Preprocessor, diagrams_in
from graph.c4.diagrams.reading import Diagram, DiagramReader
from graph.c4.draft import Draft
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles, resolve
from graph.c4.lines import Line, physical_lines

_PLANTUML = (".puml", ".plantuml", ".pu", ".wsd", ".iuml")
_WITH_MERMAID = (*MERMAID, ".md", ".markdown", ".mdx")
DIAGRAM_ENDINGS = (*_PLANTUML, *_WITH_MERMAID)

_FLAGS = re.MULTILINE
_PLANTUML_START = re.compile(r"^[ \t]*@startuml\b", _FLAGS)
_INCLUDE = re.compile(r"^[ \t]*!include(?:_\w+|sub)?[ \t]+\"?([^\s\"!]+)", _FLAGS)
_MERMAID_START = re.compile(r"^[ \t]*C4(Context|Container|Component|Dynamic|Deployment)\b", _FLAGS)
_MACRO = re.compile(
    r"^[ \t]*(?:(?:Person|(?:System|Container|Component)(?:Db|Queue)?)(?:_Ext)?"
    r"|(?:System_|Container_|Enterprise_)?Boundary|(?:Bi)?Rel(?:_\w+)?)[ \t]*\(",
    _FLAGS,
)


def is_diagram(path: str, text: str) -> bool:
    """Say whether something of C4 is drawn here; a file that only includes its macros, or defines them, is none."""
    if not _MACRO.search(text):
        return False
    if path.lower().endswith(_WITH_MERMAID):
        return bool(_MERMAID_START.search(text)) and any(mermaid_diagrams(path, list(physical_lines(path, text))))
    return path.lower().endswith(_PLANTUML) or bool(_PLANTUML_START.search(text))


def main_diagrams(found: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """Return all but the fragments that others include, model by model: each may show what no other does."""
    included = {resolve(path, source) for path in found for source in _INCLUDE.findall(texts[path])}
    whole = [path for path in found if path not in included or _PLANTUML_START.search(texts[path])]
    return [path for tree in folder_trees(whole) for path in tree]


def folder_trees(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Group the files of diagrams into models: a folder that holds one takes those of all folders below it too.

    So `docs/c4/context.puml` and `docs/c4/shop/api.puml` are one model, in which an alias is one element, and the
    diagrams of `services/a` and `services/b` are two.
    """
    found: dict[str, list[str]] = {}
    for folder, path in sorted((posixpath.dirname(path), path) for path in paths):
        above = (folder[:end] for end in (0, *(match.start() for match in re.finditer("/", folder)), len(folder)))
        tree = next((known for known in above if known in found), folder)
        found.setdefault(tree, []).append(path)
    return [tuple(tree) for tree in found.values()]


def read_diagrams(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read the model of this file's diagrams and of those of the other named files in its folder tree."""
    trees = folder_trees(named for named in files.named if named.lower().endswith(DIAGRAM_ENDINGS))
    together = next((tree for tree in trees if path in tree), (path,))
    diagrams = [diagram for named in together for diagram in _read(files, named, findings)]
    return DiagramModel(diagrams, findings).draft()


def _read(files: ModelFiles, path: str, findings: Findings) -> list[Diagram]:
    rows = files.lines(path, f"{path}:1", physical_lines)
    files.open.append(path)
    read = _mermaid if path.lower().endswith(_WITH_MERMAID) else _plantuml
    found = [diagram for diagram in read(files, path, rows, findings) if diagram.is_c4]
    files.open.pop()
    if not found:
        findings.fault(f"{path}:1", "there is no C4 diagram in it")
    return found


def _mermaid(_: ModelFiles, path: str, rows: Sequence[Line], findings: Findings) -> Iterator[Diagram]:
    for found in mermaid_diagrams(path, rows):
        yield DiagramReader(findings, dynamic=found.dynamic).read(read_calls(found.lines))


def _plantuml(files: ModelFiles, _: str, rows: Sequence[Line], findings: Findings) -> Iterator[Diagram]:
    for block in diagrams_in(rows).values() or [rows]:
        own = Findings()
        preprocessor = Preprocessor(files, own)
        lines = list(preprocessor.lines(block))
        reader = DiagramReader(own, dynamic=preprocessor.dynamic, sequence=preprocessor.sequence)
        diagram = reader.read(read_calls(lines))
        if diagram.is_c4:  # what another kind of diagram looks like here is no matter
            findings.add(own)
        yield diagram
