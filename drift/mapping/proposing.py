"""Propose where the elements without source are: by name, file suffix and class name, inside what their parents own."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, commonpath, dirname, splitext
from typing import NamedTuple

from drift.manifests.finding import read_packages
from drift.manifests.reading import ManifestFiles
from drift.mapping.classes import find_classes
from drift.mapping.languages import is_store, suffixes_of
from drift.mapping.names import Name, name_of
from drift.mapping.places import Fit, Places
from drift.mapping.proposals import Place, Proposal
from drift.policy import DriftPolicy
from drift.product import is_code, product_files
from drift.trees import GitTree
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.paths import matcher

SURE = 0.75
"""From here on a proposal is taken unless somebody says otherwise, and narrows where its parts are looked for."""

_LEVELS = (ElementKind.CONTAINER, ElementKind.COMPONENT, ElementKind.CODE, ElementKind.CUSTOM)
_NEAR = 0.12
"""Two places whose confidences are nearer than this cannot be told apart by name."""
_DOUBT = 0.6
_MOST = 0.8
_ENOUGH = 3
_AROUND = 0.9
"""How sure the folder of a container is in which this many of its parts are found, and nobody else's."""
_MOST_OTHERS = 5


def propose_sources(
    model: ArchitectureModel, tree: GitTree, *, mapped: Collection[str] = (), policy: DriftPolicy | None = None
) -> tuple[Proposal, ...]:
    """Return the likeliest place of each element without source, doubtful ones too, in the order of the model.

    `mapped` are the refs that the project file speaks about already. People, external elements, software systems, and
    data stores and queues have no code here.
    """
    policy = policy or DriftPolicy()
    files = product_files(tree, policy)
    places = Places(files, (path for path in files if is_code(path, policy)), read_packages(ManifestFiles(tree), files))
    wanted = [one for one in model.elements if one.ref not in mapped and may_have_code(one) and not one.source]
    flats = {name.flat for name in (name_of(element.name) for element in wanted) if name.is_compound}
    classes = find_classes(tree, places.code, flats)
    return _Proposing(model, places, classes).propose(wanted)


def may_have_code(element: Element) -> bool:
    """Say whether a path of the repository can implement the element."""
    return element.kind in _LEVELS and not element.external and not is_store(element)


@dataclass(frozen=True, slots=True)
class _Weighed:
    fit: Fit
    confidence: float
    reasons: tuple[str, ...]

    def raised(self, share: float, reason: str) -> "_Weighed":
        """Return it with this share of the doubt taken away."""
        return replace(self, confidence=1 - (1 - self.confidence) * (1 - share), reasons=(*self.reasons, reason))

    def lowered(self, factor: float, *reasons: str) -> "_Weighed":
        return replace(self, confidence=self.confidence * factor, reasons=(*self.reasons, *reasons))


class _Choice(NamedTuple):
    element: Element
    best: _Weighed
    near: list[_Weighed]


class _Proposing:
    def __init__(self, model: ArchitectureModel, places: Places, classes: Mapping[str, list[str]]) -> None:
        self.places, self.classes = places, classes
        self.elements = {element.ref: element for element in model.elements}
        self.sources = {element.ref: element.source for element in model.elements if element.source}
        self.first: dict[str, tuple[str, ...]] = {}
        self.around: dict[str, str] = {}
        self.beside: Counter[tuple[str, str]] = Counter()
        self.parts: dict[str, set[str]] = {}

    def propose(self, wanted: Sequence[Element]) -> tuple[Proposal, ...]:
        """Return the proposals; where most parts of a container are found, there it is too, and its other parts."""
        given = dict(self.sources)
        first = self._choose(wanted)
        self.first = dict(self.sources)
        self.around = self._around_parts(wanted)
        self.beside = Counter((one.element.parent, dirname(one.best.fit.path)) for one in first)
        self.parts = self._parts()
        self.sources = given
        chosen = self._choose(wanted)
        claims = Counter(one.best.fit.path for one in chosen)
        return tuple(self._told(one, rivals=claims[one.best.fit.path] - 1) for one in chosen)

    def _choose(self, wanted: Iterable[Element]) -> list[_Choice]:
        chosen: list[_Choice] = []
        for element in wanted:  # a parent stands before its parts
            weighed = self._without_parts(self._weighed(element))
            if not weighed:
                continue
            best, near = weighed[0], [one for one in weighed[1:] if weighed[0].confidence - one.confidence < _NEAR]
            if near:
                best = best.lowered(_DOUBT, f"so does {near[0].fit.path}" if len(near) == 1 else "so do others")
            if best.confidence >= SURE:
                self.sources[element.ref] = self._source(best.fit)
            chosen.append(_Choice(element, best, near))
        return chosen

    def _around_parts(self, wanted: Iterable[Element]) -> dict[str, str]:
        """Return the folder of its own that the parts of a container lie in, where enough are known."""
        parts = self._parts()
        found: dict[str, str] = {}
        for element in wanted:
            own = parts.get(element.ref, set())
            if element.kind is not ElementKind.CONTAINER or element.ref in self.sources or len(own) < _ENOUGH:
                continue
            folder = commonpath([dirname(path) for path in own])
            if folder and not self._is_shared(folder, element):
                found[element.ref] = self._outermost(folder, element)
        return found

    def _outermost(self, folder: str, element: Element) -> str:
        """Return the folder around it that has no other code, is named by a word of the name, or is a whole package."""
        words = set(name_of(element.name).words)
        folder = self.places.whole(folder)
        outer = dirname(folder)
        while outer and folder not in self.places.with_manifest and set(name_of(basename(outer)).words) <= words:
            folder, outer = outer, dirname(outer)
        return self._package(folder, element)

    def _package(self, folder: str, element: Element) -> str:
        """Return the package around a folder, where nothing else is known to lie in it; else the folder."""
        outer = folder
        while outer and outer not in self.places.with_manifest:
            outer = dirname(outer)
        return outer if outer and not self._is_shared(outer, element) else folder

    def _is_shared(self, folder: str, element: Element) -> bool:
        """Say whether something that is no part of the element lies in the folder, or around it."""
        others = (ref for ref in self.first if ref != element.ref and not ref.startswith(f"{element.ref}."))
        paths = (path for ref in others for path in self.first[ref] if ref != element.parent)
        return any(f"{path}/".startswith(f"{folder}/") or folder.startswith(f"{path}/") for path in paths)

    def _parts(self) -> dict[str, set[str]]:
        """Return the sources of the parts of each element."""
        parts: dict[str, set[str]] = {}
        for ref, source in self.sources.items():
            parts.setdefault(self.elements[ref].parent, set()).update(source)
        return parts

    def _told(self, choice: _Choice, rivals: int) -> Proposal:
        element, best, near = choice
        if rivals and not best.fit.by_class:  # a file may define many classes
            best = best.lowered(_DOUBT, "another element claims the same place")
        return Proposal(
            ref=element.ref,
            kind=element.kind,
            source=self._source(best.fit),
            confidence=round(best.confidence, 2),
            reason=", ".join(best.reasons),
            others=tuple(
                Place(source=self._source(one.fit), confidence=round(one.confidence, 2), reason=", ".join(one.reasons))
                for one in near[:_MOST_OTHERS]
            ),
        )

    def _weighed(self, element: Element) -> list[_Weighed]:
        """Return the places whose names fit, the likeliest first."""
        is_container = element.kind is ElementKind.CONTAINER
        name = name_of(element.name)
        fits = list(self.places.fits(name, self._system(element), self.classes, wants_folder=is_container))
        if is_container:
            fits = [*self._around(element), *map(self._grown, fits)]
        parent = self.sources.get(element.parent, ())
        covers = matcher(parent)
        suffixes = suffixes_of(element.technology)
        found: list[_Weighed] = []
        for fit in self._joined(fits):
            if not is_container and self._holds_siblings(fit, element):
                continue
            one = _Weighed(fit, fit.strength, (fit.reason,))
            if is_container:
                one = self._as_container(one)
            is_beside = not is_container and self.beside[element.parent, dirname(fit.path)] >= _ENOUGH
            if parent:
                inside = covers(fit.path) or covers(f"{fit.path}/x")
                is_beside = is_beside and inside
                what = "its parent's source"
                one = one.raised(0.5, f"it lies in {what}") if inside else one.lowered(0.6, f"it lies outside {what}")
            elif not is_container and not name.is_compound:
                one = one.lowered(0.6, "one word may mean many things")
            if is_beside:
                one = one.raised(0.5, "its siblings lie beside it")
            if suffixes:
                fitting = self._has_suffix(fit, suffixes)
                one = one.raised(0.2, "it is of the technology") if fitting else one.lowered(0.4, "not the technology")
            found.append(one)
        return sorted(found, key=lambda one: (-one.confidence, one.fit.path.count("/"), one.fit.path))

    def _holds_siblings(self, fit: Fit, element: Element) -> bool:
        """Say whether a folder is around most parts of the element's parent: then it is not one of them."""
        beside = self.parts.get(element.parent, set())
        inside = sum(path.startswith(f"{fit.path}/") for path in beside) if fit.is_folder else 0
        return inside >= _ENOUGH and inside * 2 > len(beside)

    def _as_container(self, one: _Weighed) -> _Weighed:
        if not one.fit.is_folder:
            return one.lowered(0.6, "a container is seldom one file")
        if one.fit.path in self.places.with_manifest:
            return one.raised(0.6, "it holds a manifest")
        if self.places.share(one.fit.path) > _MOST:
            return one.raised(0.3, "it holds most of the code")
        return one.lowered(0.8, "it holds no manifest")

    def _around(self, element: Element) -> Iterator[Fit]:
        if folder := self.around.get(element.ref):
            yield Fit(folder, True, _AROUND, "its parts lie there")

    def _grown(self, fit: Fit) -> Fit:
        """Return a container's folder as the whole package that it is."""
        return replace(fit, path=self.places.whole(fit.path)) if fit.is_folder else fit

    def _joined(self, fits: Iterable[Fit]) -> list[Fit]:
        """Return one fit for a folder and the file of the same name beside it, and for a header and its source."""
        kept: dict[str, Fit] = {}
        for fit in sorted(fits, key=lambda fit: (-fit.strength, not fit.is_folder, fit.path)):
            kept.setdefault(_stem(fit), fit)
        return list(kept.values())

    def _source(self, fit: Fit) -> tuple[str, ...]:
        stem = _stem(fit)
        beside = [path for path in self.places.siblings(fit.path) if splitext(path)[0] == stem]
        return (*([stem] if stem in self.places.folders else []), *beside)

    def _without_parts(self, weighed: Sequence[_Weighed]) -> list[_Weighed]:
        """Return the places without those that lie in another one: `cart/cart.py` is part of `cart`."""
        folders = [
            one.fit.path for one in weighed if one.fit.is_folder and one.confidence > weighed[0].confidence - _NEAR
        ]
        kept = [one for one in weighed if not any(one.fit.path.startswith(f"{folder}/") for folder in folders)]
        best = max((one.confidence for one in weighed), default=0)
        return [replace(one, confidence=best) if index == 0 else one for index, one in enumerate(kept)]

    def _has_suffix(self, fit: Fit, suffixes: tuple[str, ...]) -> bool:
        files = self.places.folders[fit.path] if fit.is_folder else [fit.path]
        return sum(path.endswith(suffixes) for path in files) * 3 >= len(files)

    def _system(self, element: Element) -> Name:
        while element.parent in self.elements:
            element = self.elements[element.parent]
        return name_of(element.name) if element.kind is ElementKind.SYSTEM else name_of("")


def _stem(fit: Fit) -> str:
    return fit.path if fit.is_folder else splitext(fit.path)[0]
