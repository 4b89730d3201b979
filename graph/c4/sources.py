"""Which paths implement an element: an ordered list of the ways in which teams write it into their models."""

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from graph.c4.including import resolve
from graph.c4.tree_paths import TreePaths, has_extension
from graph.c4.urls import path_of_url
from graph.elements import Element, ElementKind
from graph.paths import clean_path, is_glob

# Property names, compared without case. A value of the second group need not be a path at all.
_PATH_KEYS = frozenset(("path", "paths", "file", "files", "source.path", "sourcefile", "component.src"))
_LOOSE_KEYS = frozenset(("source", "sources", "src", "code"))
_PATH_ENDINGS = (".path", ".paths", ".modulepath", ".devpaths", ".sourcefile")
_SYMBOL_KEYS = ("component.type", "fqname")
_LINKS = "links"
_NO_CODE = (
    ".md",
    ".mdx",
    ".adoc",
    ".rst",
    ".txt",
    ".html",
    ".pdf",
    ".png",
    ".svg",
    ".jpg",
    ".c4",
    ".likec4",
    ".like-c4",
)
_BUILT_ROOT = "component.src"

_LONGEST = 5_000  # characters; longer values are prose
_LINES = re.compile(r"#[lL]?\d+.*$|:\d+([-:,]\d+)*$")
_SYMBOLS = re.compile(r"(::?|#)[A-Za-z_$~][^/\\]*$")
_WORD = re.compile(r"[A-Za-z_$][\w$]*(\(\))?")
_SPLIT = re.compile(r"[;|\n]")
_COMMA = re.compile(r",(?![^{\[]*[}\]])")
_IN_TEXT = re.compile(r"[\w@.\-+\[\]]+(?:/[\w@.\-+\[\]]+)*/?")
_IN_PARENTHESES = re.compile(r"\(\s*[`'\"]?([^()`'\"\s]+)[`'\"]?\s*\)")


@dataclass(frozen=True, slots=True)
class Repository:
    """What the extractors know besides the element: the tree's paths and the repository's own remotes."""

    paths: TreePaths
    remotes: Collection[str]


def find_source(element: Element, repository: Repository) -> tuple[str, ...]:
    """Return the paths and globs of the first extractor that finds any; a person has none."""
    if element.kind is ElementKind.PERSON:
        return ()
    for extract in _EXTRACTORS:
        if found := tuple(dict.fromkeys(extract(element, repository))):
            return found
    return ()


def find_symbol(element: Element) -> str:
    """Return the fully qualified name that the element's properties give."""
    for key, value in element.properties.items():
        if key.lower().rpartition(".")[2] == "fqname" or key.lower() in _SYMBOL_KEYS:
            return value.strip()
    return ""


def _from_properties(element: Element, repository: Repository) -> Iterator[str]:
    for key, value in element.properties.items():
        name = key.lower()
        if name in _PATH_KEYS or name in _LOOSE_KEYS or name.endswith(_PATH_ENDINGS):
            yield from _paths_of(name, value, element.file, repository)


def _from_links(element: Element, repository: Repository) -> Iterator[str]:
    found = tuple(_linked_to(element, repository))
    named = tuple(_from_technology(element, repository))
    # A url holds one address: a technology that names the same file beside others says the rest.
    yield from named if set(found) < set(named) else found


def _linked_to(element: Element, repository: Repository) -> Iterator[str]:
    links = [item.split(" ", 1)[0] for item in _items(element.properties.get(_LINKS, ""), repository.paths)]
    for link in dict.fromkeys((element.url, *links)):
        if link.startswith(("/", "./", "../")):
            path = _linked(link, element.file, repository.paths)
        else:
            path = path_of_url(link, repository.remotes, repository.paths)
        if path:
            yield path


def _linked(link: str, file: str, paths: TreePaths) -> str:
    """Return the code that a relative link leads to, from the model's folder or one around it; the nearest wins."""
    target = re.split(r"[#?]", link)[0].lstrip("/")
    while target and file and not target.lower().endswith(_NO_CODE):
        found = resolve(file, target)
        if found and paths.has(found):
            return found
        file = posixpath.dirname(file)
    return ""


def _from_class(element: Element, repository: Repository) -> Iterator[str]:
    if path := repository.paths.of_class(find_symbol(element)):
        yield path


def _from_technology(element: Element, repository: Repository) -> Iterator[str]:
    for found in _IN_TEXT.findall(element.technology[:_LONGEST]):
        yield from _mentioned(found, repository.paths)


def _from_description(element: Element, repository: Repository) -> Iterator[str]:
    # Prose mentions files for many reasons: only a text that is a path, or a path in parentheses, is its source.
    text = element.description[:_LONGEST].strip().strip("`'\"")
    whole = list(_mentioned(text, repository.paths)) if _IN_TEXT.fullmatch(text) else []
    yield from whole
    for found in () if whole else _IN_PARENTHESES.findall(text):
        yield from _mentioned(found, repository.paths)


_EXTRACTORS: tuple[Callable[[Element, Repository], Iterator[str]], ...] = (
    _from_properties,
    _from_links,
    _from_class,
    _from_technology,
    _from_description,
)


def _mentioned(text: str, paths: TreePaths) -> Iterator[str]:
    """Yield the path that a word of a text means: one that exists, or the only file whose path ends so."""
    path = clean_path(text.rstrip(".,:"))
    if "/" in path and paths.has(path):
        yield path
    elif has_extension(path) and (found := paths.ending_with(path)):
        yield found


def _paths_of(key: str, value: str, file: str, repository: Repository) -> Iterator[str]:
    first = ""
    for item in _items(value, repository.paths):
        if item.lower().startswith(("http://", "https://")):
            path = path_of_url(item, repository.remotes, repository.paths)
        else:
            path = _placed(_bare(item, repository.paths), first, file, repository.paths)
            if key == _BUILT_ROOT:
                path = repository.paths.located(path) or path
            path = path if repository.paths.has(path) or _may_be_path(path, key) else ""
        if path:
            first = first or path
            yield path


def _items(value: str, paths: TreePaths) -> Iterator[str]:
    """Yield the items of a list: split at `;`, `|` and line ends, at `,` only when that is no part of a name."""
    value = value.strip()
    if len(value) > _LONGEST:
        return
    if value.startswith("[") and value.endswith("]"):
        try:
            yield from (str(item).strip() for item in json.loads(value))
            return
        except (ValueError, RecursionError):
            value = value if paths.has(value) else value[1:-1].replace(",", ";")
    for part in (part.strip(" \t`'\"") for part in _SPLIT.split(value)):
        if "," not in part or paths.has(part) or paths.has(_bare(part, paths)):
            yield part
            continue
        for index, piece in enumerate(piece.strip(" \t`'\"") for piece in _COMMA.split(part)):
            # In `a/Gone.java:onTick,onDamage` the second is another symbol of the first.
            if index == 0 or ":" not in part or not _WORD.fullmatch(piece):
                yield piece


def _bare(item: str, paths: TreePaths) -> str:
    """Return the path without the lines or symbols that follow it (`#L1-L10`, `:55`, `:onTick,onDamage`, `::Cart`)."""
    for pattern in (_LINES, _SYMBOLS):
        if not paths.has(item):
            item = pattern.sub("", item)
    return item.strip()


def _placed(item: str, first: str, file: str, paths: TreePaths) -> str:
    """Return the item from the root, from the first item's folder, or from the model's: the first that exists."""
    path = clean_path(item)
    if is_glob(item) and item.endswith("/") and path not in paths.folders:
        path += "/"
    if not path or paths.has(path):
        return path
    beside = [f"{folder}/{path}" for folder in (posixpath.dirname(first), first) if folder]
    from_model = resolve(file, item) or "" if item.startswith(("./", "../")) else ""
    found = next((place for place in (*beside, from_model) if place and paths.has(place)), "")
    return found or (from_model if item.startswith("../") else path)


def _may_be_path(path: str, key: str) -> bool:
    """Say whether a path that does not exist is kept: the model claims it, and the drift check will say so."""
    if not path or ".." in path.split("/") or "${" in path:
        return False
    looks_like_one = "/" in path or has_extension(path)
    if key in _LOOSE_KEYS:
        return looks_like_one and not re.search(r"\s", path)
    return looks_like_one or not re.search(r"\s", path)
