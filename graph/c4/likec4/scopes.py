"""Which element a name means where it stands: names are seen from inside out, and rise as long as they are unique."""

from collections.abc import Iterator

from graph.c4.draft import DraftElement


class Scope:
    """A block of a file: its own names and those that rise from the blocks in it.

    The block of an extension has the extended element as `element` too, but that element's name is not its own.
    """

    def __init__(
        self, outer: "Scope | None" = None, element: DraftElement | None = None, extends: bool = False
    ) -> None:
        self.outer = outer
        self.element = element
        self.extends = extends
        self.own: dict[str, DraftElement] = {}
        self._inner: list[Scope] = []
        self._seen: dict[str, DraftElement] | None = None
        if outer is not None:
            outer._inner.append(self)

    def seen(self) -> dict[str, DraftElement]:
        """Return the names that this block gives, with their elements; the block must be whole by then."""
        if self._seen is None:
            risen: dict[str, DraftElement | None] = {}
            for scope in self._inner:
                for name, element in scope.seen().items():
                    risen[name] = None if name in risen else element
            self._seen = {name: element for name, element in risen.items() if element is not None} | self.own
        return self._seen

    def outwards(self) -> Iterator["Scope"]:
        """Yield the block itself, then the ones around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Names:
    """The elements of a project by their names."""

    def __init__(self) -> None:
        self.by_fqn: dict[str, DraftElement] = {}
        # What all files together say of the top level, and of each element.
        self._everywhere: dict[DraftElement | None, Scope] = {None: Scope()}

    def add(self, name: str, element: DraftElement, scope: Scope) -> None:
        """Make the element known by its name in the block where it is defined, and by its whole name everywhere."""
        self.by_fqn[element.key] = scope.own[name] = element
        around = self._everywhere[element.parent]
        around.own[name] = element
        self._everywhere[element] = Scope(around, element)

    def find(self, reference: str, scope: Scope) -> DraftElement | None:
        """Return what a dotted reference means in a block."""
        first, *rest = reference.split(".")
        element = self._find_first(first, scope)
        for name in rest:
            element = self._everywhere[element].seen().get(name) if element else None
        return element

    def _find_first(self, name: str, scope: Scope) -> DraftElement | None:
        for block in scope.outwards():
            if block.element and name in ("this", "it"):
                return block.element
            if found := block.seen().get(name):
                return found
            if block.extends and block.element:
                if block.element.key.rpartition(".")[2] == name:
                    return block.element
                if found := self._everywhere[block.element].seen().get(name):
                    return found
        if found := self._everywhere[None].own.get(name):
            return found
        # Other tools look no further than the file itself; where other files leave one meaning alone, it is meant.
        nearest = next((block.element for block in scope.outwards() if block.element), None)
        blocks = self._everywhere[nearest].outwards()
        return next((found for block in blocks if (found := block.seen().get(name))), None)
