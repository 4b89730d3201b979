"""Reads model files and decision records into one architecture model."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from graph.c4.decisions import CONVENTIONAL, read_decisions
from graph.c4.draft import DEFAULT_TAGS, Draft, DraftElement, DraftRelationship
from graph.c4.findings import Findings
from graph.c4.formats import format_of, known_formats
from graph.c4.including import ModelFiles
from graph.c4.lines import decode
from graph.c4.sources import Repository, find_source, find_symbol
from graph.c4.tree_paths import TreePaths
from graph.elements import ArchitectureModel, Decision, Element, ElementKind, Relationship, find_element
from graph.errors import Ambiguous, ArchmemError, Unknown, UnreadableModel
from graph.paths import MOST_ALTERNATIVES, clean_path, is_matchable
from graph.trees import FileTree

_PROJECT_FILE = "archmem.toml"
_NO_MAPPING: Mapping[str, Sequence[str]] = MappingProxyType({})
_EXTERNAL = re.compile(r"(?<![a-z])external(?![a-z])", re.IGNORECASE)
_OUTSIDE_ENTERPRISE = (ElementKind.PERSON, ElementKind.SYSTEM)


def read_model(
    tree: FileTree,
    files: Sequence[str],
    *,
    mapping: Mapping[str, Sequence[str]] = _NO_MAPPING,
    remotes: Sequence[str] = (),
    decisions: Sequence[str] = (),
) -> ArchitectureModel:
    """Read the model files into one model; raise UnreadableModel with every fault when one is no model at all.

    `mapping` (element ref or unique name to paths and globs) wins over what the model says. `remotes` are the
    repository's own, as `host/owner/name`: only their URLs name its files. `decisions` are folders with records beside
    those the model names; when neither names one, the conventional folders are looked at. Only declared relationships
    are returned, none that are implied between the parents of their ends. What was left out is in `warnings`.
    """
    findings = Findings()
    known = frozenset(tree.paths())
    named = dict.fromkeys(clean_path(file) for file in files)
    model_files = ModelFiles(tree, known, findings, named)
    drafts: list[Draft] = []
    for path in named:
        if path not in known:
            findings.fault(f"{path}:1", "there is no such file in the repository")
        elif path not in model_files.read:
            drafts += _drafts(path, model_files, findings)
    if findings.faults:
        count = len(findings.faults)
        raise UnreadableModel(
            f"the model cannot be read: {count} fault{'s' if count > 1 else ''}",
            id=", ".join(files),
            faults=findings.faults,
            next_step="correct the lines named above; the official tools refuse most of them too",
        )
    elements = _elements(drafts, Repository(TreePaths(known), remotes), findings)
    return ArchitectureModel(
        name=next((draft.name for draft in drafts if draft.name), ""),
        elements=_matchable(_mapped(elements, mapping, tree, findings), findings),
        relationships=_relationships(drafts),
        decisions=_decisions(tree, known, drafts, decisions, findings),
        files=tuple(model_files.read),
        warnings=findings.warnings,
    )


def _drafts(path: str, files: ModelFiles, findings: Findings) -> Iterator[Draft]:
    format = format_of(path, files.peek(path))
    if format is None:
        findings.fault(f"{path}:1", f"this is no model; known formats are {known_formats()}")
    else:
        yield format.read(path, files, findings)


def _elements(drafts: Sequence[Draft], repository: Repository, findings: Findings) -> tuple[Element, ...]:
    found: dict[str, Element] = {}
    for draft in drafts:
        for ref, element in draft.elements.items():
            if ref in found:
                first = found[ref]
                where = f"{element.file}:{element.line}"
                findings.warn(where, f"{ref!r} is in another model file already: {first.file}:{first.line} counts")
                continue
            found[ref] = _element(element, draft, repository)
    return tuple(found.values())


def _element(draft: DraftElement, workspace: Draft, repository: Repository) -> Element:
    tags = _tags(draft.tags, {"Element", DEFAULT_TAGS.get(draft.kind, "")})
    location = next((value for key, value in draft.properties.items() if key.lower() == "location"), "")
    outside = workspace.enterprise and not draft.in_enterprise and draft.kind in _OUTSIDE_ENTERPRISE
    element = Element(
        ref=draft.ref,
        kind=draft.kind,
        name=draft.name,
        parent=draft.parent.ref if draft.parent else "",
        description=draft.description,
        technology=draft.technology,
        tags=tags,
        url=draft.url,
        properties=dict(draft.properties),
        owners=tuple(dict.fromkeys(draft.owners)),
        group=draft.group,
        external=draft.external or outside or any(map(_EXTERNAL.search, (*tags, location))),
        identity="" if "#" in draft.key else draft.key,
        file=draft.file,
        line=draft.line,
    )
    return element.model_copy(update={"source": find_source(element, repository), "symbol": find_symbol(element)})


def _relationships(drafts: Iterable[Draft]) -> tuple[Relationship, ...]:
    found: dict[tuple[str, str, str], DraftRelationship] = {}
    for draft in drafts:
        for known in draft.relationships:
            found.setdefault((known.source.ref, known.target.ref, known.description), known)
    return tuple(
        Relationship(
            source=source,
            target=target,
            description=description,
            technology=known.technology,
            tags=_tags(known.tags, {"Relationship"}),
            file=known.file,
            line=known.line,
        )
        for (source, target, description), known in found.items()
    )


def _tags(tags: Iterable[str], of_every_one: set[str]) -> tuple[str, ...]:
    explicit = dict.fromkeys(tag.strip() for tag in tags)
    return tuple(tag for tag in explicit if tag and tag not in of_every_one)


def _mapped(
    elements: tuple[Element, ...], mapping: Mapping[str, Sequence[str]], tree: FileTree, findings: Findings
) -> tuple[Element, ...]:
    sources: dict[str, tuple[str, ...]] = {}
    for name, paths in mapping.items():
        try:
            sources[find_element(elements, name).ref] = tuple(paths)
        except (Unknown, Ambiguous) as error:
            near = ", ".join(error.candidates)
            hint = f"; {'it may be' if isinstance(error, Ambiguous) else 'near ones are'} {near}" if near else ""
            findings.warn(_where_in_project_file(tree, name), f"[sources]: {error.what}{hint}")
    return tuple(
        element.model_copy(update={"source": sources[element.ref]}) if element.ref in sources else element
        for element in elements
    )


def _matchable(elements: tuple[Element, ...], findings: Findings) -> tuple[Element, ...]:
    """Return the elements without the patterns that no matcher takes."""
    found: list[Element] = []
    for element in elements:
        source = tuple(pattern for pattern in element.source if is_matchable(pattern))
        for pattern in element.source if len(source) < len(element.source) else ():
            if pattern not in source:
                what = f"{pattern!r} stands for more than {MOST_ALTERNATIVES} patterns; it was left out"
                findings.warn(f"{element.file}:{element.line}", what)
        found.append(element if source == element.source else element.model_copy(update={"source": source}))
    return tuple(found)


def _decisions(
    tree: FileTree, known: frozenset[str], drafts: Sequence[Draft], folders: Sequence[str], findings: Findings
) -> tuple[Decision, ...]:
    named: list[tuple[str, tuple[str, ...], str]] = [
        (folder, (element.ref,) if element else (), line.where)
        for draft in drafts
        for line, folder, element in draft.decision_folders
    ]
    named += [(folder, (), _where_in_project_file(tree, folder)) for folder in folders]
    within = [decision for draft in drafts for decision in draft.decisions]
    if not named and not within:
        named = [(f, (), f"{f}:1") for f in CONVENTIONAL if any(path.startswith(f"{f}/") for path in known)]
    by_file: dict[str, Decision] = {}
    for folder, about, where in named:
        for decision in read_decisions(tree, known, folder, about, where, findings):
            before = by_file.get(decision.file, decision)
            both = tuple(dict.fromkeys((*before.about, *about)))
            by_file[decision.file] = before.model_copy(update={"about": both})
    return tuple(_with_own_refs((*by_file.values(), *within), findings))


def _with_own_refs(decisions: Iterable[Decision], findings: Findings) -> Iterable[Decision]:
    taken: dict[str, Decision] = {}
    for decision in decisions:
        if decision.ref in taken:
            # Two folders count from one each: the second record says whose it is.
            whose = decision.about[0] if decision.about else decision.file.rpartition("/")[0]
            ref = f"{whose}/{decision.ref}"
            if ref in taken:
                ref = decision.file
            findings.warn(f"{decision.file}:1", f"{decision.ref} is {taken[decision.ref].file}; this one is {ref}")
            decision = decision.model_copy(update={"ref": ref})
        taken[decision.ref] = decision
    return taken.values()


def _where_in_project_file(tree: FileTree, name: str) -> str:
    try:
        text, _ = decode(tree.read(_PROJECT_FILE))
    except (ArchmemError, OSError):
        return f"{_PROJECT_FILE}:1"
    lines = text.splitlines()
    return f"{_PROJECT_FILE}:{next((number for number, line in enumerate(lines, start=1) if name in line), 1)}"
