"""The projects of a tree: a configuration file makes its folder one; other files are one where they lie together."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graph.c4.dialects import LIKEC4_ENDINGS, Dialect, dialect_of
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles, resolve
from graph.paths import matcher

_JSON_CONFIGS = (".likec4rc", ".likec4.config.json", "likec4.config.json")
_CODE_CONFIGS = tuple(f"likec4.config.{ending}" for ending in ("js", "cjs", "mjs", "ts", "cts", "mts"))
_CONFIGS = _JSON_CONFIGS + _CODE_CONFIGS
ENDINGS = LIKEC4_ENDINGS + _CONFIGS
_LARGEST_CONFIG = 20_000
# Files below these are no part of the project around them.
_APART = re.compile(r"(^|/)(node_modules|fixtures|__\w+__|tests?|examples?|samples?|demos?|templates?|archive)/")
_SPECIFICATION = re.compile(r"^[ \t]*specification\s*+\{", re.MULTILINE)
_MODEL = re.compile(r"^[ \t]*model\s*+\{", re.MULTILINE)


@dataclass(slots=True)
class Project:
    """A folder with its model files; `config` is the path of its configuration, if it has one."""

    root: str
    config: str = ""
    files: list[str] = field(default_factory=list)
    name: str = ""
    icons_tell_technology: bool = True


def is_likec4(path: str, text: str) -> bool:
    """Say whether a file is LikeC4; the configuration of a project stands for the project."""
    return posixpath.basename(path) in _CONFIGS or dialect_of(path, text) is Dialect.LIKEC4


def main_likec4(found: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """Return one file for each project that has a model: its configuration, else the model file furthest out."""
    known = {path: texts[path] for path in found if path.lower().endswith(ENDINGS)}

    def rank(project: Project) -> tuple[bool, bool, int, str]:
        has_kinds = any(_SPECIFICATION.search(known[path]) for path in project.files)
        return not project.config, not has_kinds, project.root.count("/"), project.root

    mains: list[str] = []
    for project in sorted(_projects(known), key=rank):
        models = sorted((path.count("/"), path) for path in project.files if _MODEL.search(known[path]))
        mains += [project.config or models[0][1]] if models else []
    return mains


def project_of(path: str, files: ModelFiles, findings: Findings) -> Project:
    """Return the project that a file or a configuration belongs to, with all of its files by path."""
    texts = {known: files.peek(known) for known in files.paths if known.lower().endswith(ENDINGS)}
    texts[path] = files.peek(path)
    found = {p: text for p, text in texts.items() if p == path or dialect_of(p, text) is not Dialect.STRUCTURIZR}
    project = next(one for one in _projects(found) if path == one.config or path in one.files)
    if project.config:
        _configure(project, found, files, findings)
        if path != project.config and path not in project.files:
            project.files.append(path)
    return project


def _projects(texts: Mapping[str, str]) -> Collection[Project]:
    configured: dict[str, Project] = {}
    for name in reversed(_CONFIGS):  # of several in a folder the first kind counts
        for path in texts:
            if posixpath.basename(path) == name:
                configured[posixpath.dirname(path)] = Project(posixpath.dirname(path), path)
    loose: list[str] = []
    for path in sorted(texts):
        if posixpath.basename(path) not in _CONFIGS:
            owner = next((folder for folder in _upwards(path) if folder in configured), None)
            if owner is None:
                loose.append(path)
            else:
                configured[owner].files.append(path)
    return [*configured.values(), *_together(loose, texts)]


def _together(paths: Collection[str], texts: Mapping[str, str]) -> Collection[Project]:
    """Group files without a configuration.

    From the inside out, a folder whose files hold both a specification and a model is a project, and takes in the
    projects inside it. What no such folder has is a project where it lies.
    """
    inside: dict[str, list[str]] = {}
    for path in paths:
        for folder in _upwards(path):
            if _takes(folder, path):
                inside.setdefault(folder, []).append(path)
    root_of: dict[str, str] = {}
    for folder in sorted(inside, key=lambda one: (-one.count("/") - bool(one), one)):
        free = [path for path in inside[folder] if path not in root_of]
        if all(any(block.search(texts[path]) for path in free) for block in (_SPECIFICATION, _MODEL)):
            root_of |= dict.fromkeys(inside[folder], folder)
    grouped: dict[str, Project] = {}
    for path in paths:
        root = root_of.get(path, posixpath.dirname(path))
        grouped.setdefault(root, Project(root)).files.append(path)
    return grouped.values()


def _upwards(path: str) -> Iterator[str]:
    """Yield the folder of a path, then the ones around it; the last is the tree itself."""
    folder = posixpath.dirname(path)
    yield folder
    while folder:
        folder = posixpath.dirname(folder)
        yield folder


def _takes(folder: str, path: str) -> bool:
    return not _APART.search(path[len(folder) + 1 :].lower() if folder else path.lower())


def _configure(project: Project, texts: Mapping[str, str], files: ModelFiles, findings: Findings) -> None:
    """Apply the configuration: its name, what it includes from other folders, what it excludes."""
    where = f"{project.config}:1"
    files.content(project.config, where)
    if posixpath.basename(project.config) in _CODE_CONFIGS:
        findings.warn(where, "a configuration in code is never run; what it includes and excludes is not known")
        return
    config = _json5(files.peek(project.config), where, findings)
    project.name = _text(config.get("title")) or _text(config.get("name"))
    project.icons_tell_technology = config.get("inferTechnologyFromIcon") is not False
    include = config.get("include")
    include = include if isinstance(include, dict) else {}
    depth = include.get("maxDepth")
    for source in _texts(include.get("paths")):
        folder = resolve(project.config, source)
        if folder is None:
            findings.warn(where, f"{source} is outside the repository; it was not read")
            continue
        below = f"{folder}/" if folder else ""
        for path in texts:
            inside = path.startswith(below) and posixpath.basename(path) not in _CONFIGS
            if (
                inside
                and path not in project.files
                and path.removeprefix(below).count("/") <= (depth if isinstance(depth, int) else 3)
            ):
                project.files.append(path)
    excluded = matcher(tuple(_patterns(_texts(config.get("exclude"))) or ("**/node_modules/**",)))
    below = f"{project.root}/" if project.root else ""
    project.files = sorted(path for path in project.files if not excluded(path.removeprefix(below)))


def _patterns(patterns: Collection[str]) -> list[str]:
    """Return the globs with the meaning that they have there: anywhere below the root, with all that lies inside."""
    anywhere = [p[2:] if p.startswith("./") else p if p.startswith("**") else f"**/{p}" for p in patterns]
    return [form for pattern in anywhere for form in (pattern, f"{pattern}/**")]


def _json5(text: str, where: str, findings: Findings) -> dict[str, Any]:
    import json5  # takes a while, and few repositories need it

    try:
        found = json5.loads(text if len(text) <= _LARGEST_CONFIG else "")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        findings.warn(where, "the configuration is no JSON5 object; it was left out")
        return {}
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
