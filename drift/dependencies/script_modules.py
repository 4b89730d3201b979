"""Resolve the imports of TypeScript and JavaScript to files: relative, by `paths`, and by a workspace's name."""

import re
from functools import cached_property, lru_cache
from posixpath import basename, dirname, join, normpath, splitext
from typing import Any, NamedTuple

from drift.dependencies.files import Resolved, SourceFiles, upward
from drift.dependencies.statements import Import
from drift.manifests.reading import ManifestFiles, mapping, text_of, texts

_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".d.ts")
_WRITTEN_FOR = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_CONFIGS = ("tsconfig.json", "jsconfig.json")
_CONFIG_NAME = re.compile(r"[tj]sconfig(\.[\w.-]+)?\.json")
_ENTRIES = ("source", "types", "module", "main")
_DEEPEST = 8
_OWN = re.compile(r"[@~$#]?/|[~#$]")


class _Paths(NamedTuple):
    base: str
    has_base: bool
    by_pattern: dict[str, tuple[str, ...]]


class ScriptModules:
    """The modules of a tree as bundlers and the TypeScript compiler find them."""

    def __init__(self, files: SourceFiles, manifests: ManifestFiles) -> None:
        self._files = files
        self._manifests = manifests
        self._paths_around = lru_cache(maxsize=4096)(self._find_paths)

    def resolve(self, path: str, imported: Import) -> Resolved:
        """Return the file of the module; a package of the workspace whose entry is not there is its manifest."""
        written = imported.module.split("?", 1)[0]
        if written.startswith("."):
            return self._file(join(dirname(path), written)) or None
        for paths in self._paths_around(dirname(path)):
            if found := self._by_paths(paths, written):
                return found
        if found := self._in_workspace(written):
            return found
        return None if _OWN.match(written) else ()

    def _file(self, place: str) -> tuple[str, ...]:
        place = normpath(place)
        if place.startswith(".."):
            return ()
        stem, suffix = splitext(place)
        candidates = (
            *((place,) if place in self._files else ()),
            *(f"{stem}{other}" for other in _WRITTEN_FOR.get(suffix, ())),
            *(f"{place}{other}" for other in _SUFFIXES),
            *(join(place, f"index{other}") for other in _SUFFIXES),
        )
        return next(((normpath(one),) for one in candidates if normpath(one) in self._files), ())

    def _by_paths(self, paths: _Paths, written: str) -> tuple[str, ...]:
        for pattern, targets in sorted(paths.by_pattern.items(), key=lambda item: -len(item[0].split("*")[0])):
            before, star, after = pattern.partition("*")
            fits = written.startswith(before) and written.endswith(after) and len(written) >= len(before + after)
            if not fits or (not star and written != pattern):
                continue
            middle = written[len(before) : len(written) - len(after)]
            for target in targets:
                if found := self._file(join(paths.base, target.replace("*", middle, 1))):
                    return found
        return self._file(join(paths.base, written)) if paths.has_base else ()

    def _find_paths(self, folder: str) -> tuple[_Paths, ...]:
        """Return what the nearest configurations say; a folder may have one for its sources and one for its tools."""
        for place in upward(folder):
            configs = [path for path in self._configs.get(place, ()) if basename(path) in _CONFIGS]
            if configs:
                read = [self._read_paths(path, 0) for path in (*configs, *self._configs[place])]
                return tuple(one for one in read if one is not None)
        return ()

    @cached_property
    def _configs(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._files.sorted_paths:
            if _CONFIG_NAME.fullmatch(basename(path)):
                found.setdefault(dirname(path), []).append(path)
        return found

    def _read_paths(self, path: str, depth: int) -> _Paths | None:
        """Return the `paths` of a configuration, its own or the first that it extends has."""
        data = self._manifests.json(path)
        options = mapping(data.get("compilerOptions"))
        base = text_of(options.get("baseUrl"))
        by_pattern = {pattern: texts(targets) for pattern, targets in mapping(options.get("paths")).items()}
        if base or by_pattern:
            return _Paths(normpath(join(dirname(path), base)), bool(base), by_pattern)
        for extended in texts(data.get("extends")) if depth < _DEEPEST else ():
            if found := self._extended(path, extended):
                paths = self._read_paths(found, depth + 1)
                if paths is not None:
                    return paths
        return None

    def _extended(self, path: str, written: str) -> str:
        if written.startswith("."):
            place = normpath(join(dirname(path), written))
        else:
            name, rest = _split(written)
            folder = self._packages.get(name)
            if folder is None:
                return ""
            place = normpath(join(folder, rest))
        candidates = (place, f"{place}.json", join(place, "tsconfig.json"))
        return next((one for one in candidates if one in self._files), "")

    def _in_workspace(self, written: str) -> tuple[str, ...]:
        name, rest = _split(written)
        folder = self._packages.get(name)
        if folder is None:
            return ()
        manifest = join(folder, "package.json")
        if rest:
            places = [join(folder, rest), join(folder, "src", rest)]
        else:
            data = self._manifests.json(manifest)
            named = [text_of(data.get(key)) for key in _ENTRIES]
            exported = data.get("exports")
            named.extend(_texts_in(mapping(exported).get(".", exported)))
            named.extend(("src/index", "index", "lib/index", "src/main"))
            places = [join(folder, entry) for entry in named if entry]
        found = (file for place in places if (file := self._file(place)))
        return next(found, (manifest,))

    @cached_property
    def _packages(self) -> dict[str, str]:
        """The folder of each package of the tree by its name; a name that two have is nobody's."""
        found: dict[str, list[str]] = {}
        for path in self._files.named("package.json"):
            if name := text_of(self._manifests.json(path).get("name")):
                found.setdefault(name, []).append(dirname(path))
        return {name: folders[0] for name, folders in found.items() if len(folders) == 1}


def _split(written: str) -> tuple[str, str]:
    """Return a package's name and what is asked of it."""
    parts = written.split("/")
    size = 2 if written.startswith("@") else 1
    return "/".join(parts[:size]), "/".join(parts[size:])


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts_in(one)]
    return [value] if isinstance(value, str) else []
