"""The folders and files of a tree by their names, and how well one fits an element's name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import basename, commonprefix, dirname, splitext

from drift.manifests.finding import is_manifest
from drift.manifests.images import is_dockerfile
from drift.manifests.packages import Package
from drift.mapping.names import Name, name_of, without_prefix

_CLASS = 0.85
_FEWEST_SIBLINGS = 3
"""So many folders beside each other must begin alike before their common words are no part of a name."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A path and how well its name says that it is the element's: `strength` from 0 to 1, before anything else."""

    path: str
    is_folder: bool
    strength: float
    reason: str
    by_class: bool = False


@dataclass(frozen=True, slots=True)
class _Named:
    path: str
    is_folder: bool
    own: str
    name: Name
    after: str = ""


class Places:
    """The product's folders with code and its files of code."""

    def __init__(self, files: Iterable[str], code: Iterable[str], packages: Iterable[Package]) -> None:
        self.code = tuple(code)
        self.with_manifest = {dirname(path) for path in files if is_manifest(path) or is_dockerfile(path)}
        self.folders: dict[str, list[str]] = {}
        self._beside: dict[str, list[str]] = {}
        for path in self.code:
            folder = dirname(path)
            self._beside.setdefault(folder, []).append(path)
            while folder:
                self.folders.setdefault(folder, []).append(path)
                folder = dirname(folder)
        self._by_key: dict[str | tuple[str, ...], list[_Named]] = {}
        for path in self.code:
            own = splitext(basename(path))[0]
            self._add(_Named(path, False, own, name_of(own)))
        for folder in self.folders:
            self._add(_Named(folder, True, basename(folder), name_of(basename(folder))))
        for folder, prefix in _common_prefixes(self.folders):
            if rest := without_prefix(name_of(basename(folder)), prefix):
                self._add(_Named(folder, True, basename(folder), rest, after=prefix.text))
        for package in packages:
            if package.name and package.folder in self.folders:
                name = package.name.rpartition("/")[2] if "." in package.name else package.name
                self._add(_Named(package.folder, True, package.name, name_of(name)))

    def siblings(self, path: str) -> list[str]:
        """Return the files of code in the folder of a path."""
        return self._beside.get(dirname(path), [])

    def whole(self, folder: str) -> str:
        """Return the package whose only code, or only command, the folder is; without one, the folder."""
        outer = folder
        while outer and len(self.folders[outer]) == len(self.folders[folder]):
            if outer in self.with_manifest:
                return outer
            if basename(outer) == "cmd" and dirname(outer) in self.with_manifest:
                return dirname(outer) or folder
            outer = dirname(outer)
        return folder

    def share(self, folder: str) -> float:
        """Return the share of the code that lies in a folder."""
        return len(self.folders[folder]) / len(self.code)

    def fits(self, name: Name, prefix: Name, classes: Mapping[str, list[str]], *, wants_folder: bool) -> Iterator[Fit]:
        """Yield the paths whose name fits, `prefix` being the name of the whole system."""
        short = without_prefix(name, prefix)
        defining = classes.get(name.flat, ()) if name.is_compound and not wants_folder else ()
        seen = dict.fromkeys(defining, _CLASS)
        keys = (
            name.flat,
            name.words,
            name.bare,
            prefix.flat + name.flat,
            *((short.flat, short.words) if short else ()),
        )
        for place in (place for key in keys for place in self._by_key.get(key, ())):
            fit = _fit(place, name, prefix, short)
            if fit and fit.strength > seen.get(place.path, 0):
                seen[place.path] = fit.strength
                yield fit
        for path in defining:
            if seen[path] == _CLASS:
                yield Fit(path, False, _CLASS, f"it defines {name.text.replace(' ', '')}", by_class=True)

    def _add(self, place: _Named) -> None:
        keys: set[str | tuple[str, ...]] = {place.name.flat, place.name.words, place.name.bare}
        for key in keys:
            if key:
                self._by_key.setdefault(key, []).append(place)


def _fit(place: _Named, name: Name, prefix: Name, short: Name | None) -> Fit | None:
    found, what = place.name, "folder" if place.is_folder else "file"

    def fit(strength: float, reason: str) -> Fit:
        return Fit(place.path, place.is_folder, strength, f"the {what} {reason}")

    if place.own == name.text and name.is_compound:
        return fit(0.95, "has exactly this name")
    if found.flat == name.flat or found.words == name.words:
        remark = f" after {place.after!r}" if place.after else ""
        return fit((0.9 if name.is_compound else 0.75) - (0.05 if remark else 0), f"has this name{remark}")
    if prefix.flat and found.flat == prefix.flat + name.flat:
        return fit(0.85, f"has this name after {prefix.text!r}")
    if short and (found.flat == short.flat or found.words == short.words):
        return fit(0.85 if short.is_compound else 0.7, f"has this name without {prefix.text!r}")
    if place.is_folder and found.bare == name.bare:
        outer = basename(dirname(place.path))
        if name.kind_word and name.kind_word in name_of(outer).words:
            return fit(0.85, f"has this name, in {outer!r}")
        return fit(0.6, "has this name but for the word that says its kind")
    return None


def _common_prefixes(folders: Iterable[str]) -> Iterator[tuple[str, Name]]:
    """Yield the folders whose siblings begin with the same words, and these words."""
    children: dict[str, list[str]] = {}
    for folder in folders:
        children.setdefault(dirname(folder), []).append(folder)
    for beside in children.values():
        by_first: dict[str, list[str]] = {}
        for folder in beside:
            words = name_of(basename(folder)).words
            if len(words) > 1:
                by_first.setdefault(words[0], []).append(folder)
        for alike in by_first.values():
            if len(alike) >= _FEWEST_SIBLINGS:
                common = tuple(commonprefix([name_of(basename(folder)).words for folder in alike]))
                yield from ((folder, Name(" ".join(common), common, "".join(common))) for folder in alike)
