"""Find the manifests of a tree and read each by its name."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from posixpath import basename, dirname

from drift.manifests.compiled import read_cargo, read_dotnet, read_go, read_gradle, read_pom
from drift.manifests.packages import Around, Package
from drift.manifests.reading import ManifestFiles
from drift.manifests.scripted import (
    read_composer,
    read_gemfile,
    read_mix,
    read_npm,
    read_nx,
    read_pubspec,
    read_pyproject,
    read_requirements,
)

Reader = Callable[[str, ManifestFiles, Around], Package]

_READERS: dict[str, Reader] = {
    "package.json": read_npm,
    "project.json": read_nx,
    "pyproject.toml": read_pyproject,
    "requirements.txt": read_requirements,
    "setup.py": read_requirements,
    "setup.cfg": read_requirements,
    "go.mod": read_go,
    "pom.xml": read_pom,
    "build.gradle": read_gradle,
    "build.gradle.kts": read_gradle,
    "cargo.toml": read_cargo,
    "mix.exs": read_mix,
    "composer.json": read_composer,
    "gemfile": read_gemfile,
    "pubspec.yaml": read_pubspec,
}
_DOTNET = (".csproj", ".fsproj", ".vbproj")
_AFTER_ALL = "\U0010ffff"


def is_manifest(path: str) -> bool:
    """Say whether the file declares a package."""
    name = basename(path).lower()
    return name in _READERS or name.endswith(_DOTNET)


def read_packages(files: ManifestFiles, paths: Sequence[str]) -> list[Package]:
    """Return every package that a manifest among the paths, which are sorted, declares."""
    found = []
    for path in paths:
        name = basename(path).lower()
        reader = _READERS.get(name) or (read_dotnet if name.endswith(_DOTNET) else None)
        if reader is not None:
            found.append(reader(path, files, around(dirname(path), paths)))
    return found


def around(folder: str, paths: Sequence[str]) -> Around:
    """Return the files below a folder."""
    prefix = f"{folder}/" if folder else ""
    start = bisect_left(paths, prefix)
    end = bisect_left(paths, prefix + _AFTER_ALL, start)
    return Around(folder, frozenset(path[len(prefix) :] for path in paths[start:end]))
