"""When each element's own definition last changed, found by reading older versions of the model."""

import json
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from drift.changes import Change
from drift.history import History
from drift.policy import DriftPolicy
from drift.trees import Entry, GitTree
from graph.elements import ArchitectureModel, Element
from graph.errors import ArchmemError, Fault
from graph.project_file import FILE_NAME
from graph.trees import FileTree

RULES = 2
"""Raised with every change of what redefines an element, or of how models are read."""

ReadVersion = Callable[[FileTree], ArchitectureModel]
"""Reads the model of an older tree; raises an ArchmemError when it cannot."""


@dataclass
class Definitions:
    """The commit in which each element got its present definition; a ref that is left out has none that is known."""

    since: dict[str, str] = field(default_factory=dict)
    warnings: list[Fault] = field(default_factory=list)


class Known:
    """What walks from earlier commits found, among `found`; `reader` tells how their models were read."""

    def __init__(self, found: MutableMapping[str, str], reader: str) -> None:
        self._found = found
        self._prefix = f"definitions {RULES} {_digest(reader)}"

    def at(self, commit: str) -> Definitions | None:
        """Return what a walk from this commit found, by the state of each element; None when there was none."""
        kept = self._found.get(f"{self._prefix} {commit}")
        if kept is None:
            return None
        said = json.loads(kept)
        return Definitions(said["since"], [Fault.model_validate(each) for each in said["warnings"]])

    def keep(self, commit: str, refs: Mapping[str, Element], definitions: Definitions) -> None:
        """Note what the walk from this commit found for the elements `refs`."""
        since = {_state(ref, (definition(refs[ref]), refs[ref].source)): oid for ref, oid in definitions.since.items()}
        said = {"since": since, "warnings": [each.model_dump(mode="json") for each in definitions.warnings]}
        self._found[f"{self._prefix} {commit}"] = json.dumps(said)

    def sources(self, commit: str) -> dict[str, tuple[str, ...]] | None:
        """Return the sources of a commit's model, as `sources_of` names them; None when they were not noted."""
        kept = self._found.get(f"{self._prefix} sources {commit}")
        return None if kept is None else {said: tuple(source) for said, source in json.loads(kept).items()}

    def keep_sources(self, commit: str, sources: Mapping[str, Sequence[str]]) -> None:
        """Note the sources of a commit's model."""
        self._found[f"{self._prefix} sources {commit}"] = json.dumps(sources)


def definition(element: Element) -> tuple[object, ...]:
    """Return what the model says of an element: two equal ones mean that nobody redefined it.

    Its source is left to the mapping in `archmem.toml`: what the model itself says is here already, and a reader that
    looks a name up in the tree finds another path when the code moves.
    """
    return (
        element.kind,
        element.name,
        element.description,
        element.technology,
        tuple(sorted(element.tags)),
        element.url,
        tuple(sorted(element.properties.items())),
    )


def name_of(element: Element) -> str:
    """Return a short name of an element with what the model says of it, its source left out."""
    return _state(element.ref, definition(element))


def sources_of(model: ArchitectureModel) -> dict[str, tuple[str, ...]]:
    """Return the source of each element that has one, by `name_of`."""
    return {name_of(element): element.source for element in model.elements if element.source}


def find_definitions(
    model: ArchitectureModel,
    tree: GitTree,
    history: History,
    read_version: ReadVersion,
    *,
    refs: Mapping[str, Element],
    policy: DriftPolicy,
    known: Known | None = None,
) -> Definitions:
    """Walk the branch back from the tree until each of the elements `refs` is found to differ.

    Versions that cannot be read are passed over with a warning. The walk ends early at a commit from which `known`
    tells an earlier one.
    """
    found = Definitions()
    files = {FILE_NAME, *model.files}
    wanted = {ref: (definition(element), element.source) for ref, element in refs.items()}
    states = {ref: _state(ref, said) for ref, said in wanted.items()} if known is not None else {}
    entries = dict(tree.entries)
    no_code = {path: entry for path, entry in entries.items() if not _is_code(path, policy)}
    candidate, versions = "", 0
    since_readable: set[str] = set()
    known_as = {ref: ref for ref in wanted}
    there = {element.ref for element in model.elements}
    for _, commit in history.walk():
        if not wanted:
            break
        if known is not None and not since_readable and (earlier := known.at(commit.oid)) is not None:
            found.since.update({ref: earlier.since[said] for ref, said in states.items() if said in earlier.since})
            wanted = {ref: said for ref, said in wanted.items() if ref not in found.since}
            if not wanted:
                found.warnings.extend(earlier.warnings)
                break
        touched = {path for change in commit.changes for path in change.paths if path in files}
        undo(entries, commit.changes)
        undo(no_code, [change for change in commit.changes if not all(_is_code(path, policy) for path in change.paths)])
        if not touched:
            continue
        if not since_readable:
            candidate = commit.oid
        since_readable |= touched
        versions += 1
        if versions > policy.model_versions:
            found.warnings.append(
                Fault(where="model", what=f"only {policy.model_versions} versions of the model were read")
            )
            break
        try:
            # Code matters to a definition only where a mapping is compared, and many paths are slow to read.
            shown = entries if FILE_NAME in since_readable else no_code
            before = read_version(GitTree(dict(shown), tree.read_object))
        except ArchmemError as error:
            what = f"the version of the model before {commit.oid[:12]} was passed over: {error.what}"
            found.warnings.append(Fault(where="model", what=what))
            continue
        files.update(before.files)
        then = {element.ref: element for element in before.elements}
        gone = [element for ref, element in then.items() if ref not in there]
        for ref, now in list(wanted.items()):
            old = then.get(known_as[ref]) or _moved(refs[ref], gone)
            remapped = FILE_NAME in since_readable and old is not None and old.source != now[1]
            if old is None or remapped or definition(old) != now[0]:
                found.since[ref] = candidate
                del wanted[ref]
            else:
                known_as[ref] = old.ref
        there = set(then)
        since_readable.clear()
    else:
        if history.truncated:
            return found
    if candidate:
        found.since.update(dict.fromkeys(wanted, candidate))
    return found


def _moved(element: Element, gone: Sequence[Element]) -> Element | None:
    """Return what the element was while an element around it had another name, or it stood elsewhere.

    Only the one that said just the same, and said more than a name.
    """
    said = definition(element)
    if not (element.description or element.technology or element.url or element.properties):
        return None
    same = [old for old in gone if old.name == element.name and definition(old) == said]
    return same[0] if len(same) == 1 else None


def _state(ref: str, said: tuple[object, ...]) -> str:
    return _digest(repr((ref, said)))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def undo(entries: dict[str, Entry], changes: Sequence[Change]) -> None:
    """Turn the entries of a tree into those before the changes."""
    for change in changes:
        if change.new:
            entries.pop(change.new, None)
    for change in changes:
        if change.old:
            entries[change.old] = Entry(change.old_mode, change.old_blob)


def _is_code(path: str, policy: DriftPolicy) -> bool:
    return path[path.rfind(".") :].lower() in policy.code_suffixes
