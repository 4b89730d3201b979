"""A package as its manifest declares it, whatever the language."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Package:
    """One manifest: its folder, its name, what it depends on, and why it can be run on its own (`program`).

    A `command` can be run too, but is often a tool of those who build the rest; what is `packed` to run is sometimes
    only a library of what runs.
    `near` are the folders of the repository that it names as dependencies, `parts` the top-level packages that it
    declares when there are several. One that only lists others (`is_list`) has no code of its own.
    """

    file: str
    folder: str
    name: str = ""
    description: str = ""
    dependencies: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    program: str = ""
    command: str = ""
    packed: str = ""
    parts: tuple[str, ...] = ()
    is_list: bool = False
    is_test: bool = False
    """Also true of what only builds infrastructure."""


@dataclass(slots=True)
class Around:
    """What a reader of a manifest may look at beside the manifest: the files below its folder, by relative path."""

    folder: str
    files: frozenset[str] = field(default_factory=frozenset)

    def has(self, *names: str) -> str:
        """Return the first of these files that is there."""
        return next((name for name in names if name in self.files), "")

    def find(self, endings: tuple[str, ...], deepest: int) -> str:
        """Return the first file with such an ending that lies no deeper."""
        found = (path for path in self.files if path.endswith(endings) and path.count("/") <= deepest)
        return min(found, key=lambda path: (path.count("/"), path), default="")
