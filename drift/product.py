"""Which tracked files are the product's own code: no tests, samples, documents, generated or vendored files."""

import re
from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, splitext

from drift.attributes import not_written_here
from drift.changes import SUBMODULE, SYMLINK
from drift.manifests.finding import is_manifest
from drift.policy import DriftPolicy
from drift.trees import GitTree
from graph.paths import matcher

_TESTS = frozenset(
    """
    test tests testing tester e2e mock mocks mocked stub stubs fixture fixtures cypress playwright robot loadtest
    """.split()
)
_SAMPLES = frozenset(
    """
    example examples sample samples demo demos bench benchmark benchmarks playground tutorial tutorials prototype
    prototypes poc spike spikes emulator emulators simulator simulators archive archived deprecated
    """.split()
)
_BUILD_SCRIPTS = (".gradle", ".gradle.kts", "build.rs", "conanfile.py", "Rakefile")
_WORD = re.compile(r"[^\W_]+?(?=[\W_]|$|(?<=[a-z0-9])[A-Z])")
# Below it stand package names (`com.example.shop`), which say nothing about what the code is for.
_PACKAGE_ROOT = re.compile(r"(^|/)src/main/")


def is_aside(path: str) -> bool:
    """Say whether a folder of the path is named for tests, samples or what was given up."""
    folders = _PACKAGE_ROOT.split(path, maxsplit=1)[0] if _PACKAGE_ROOT.search(path) else path.rpartition("/")[0]
    below_source = False
    for name in folders.split("/"):
        words = _words(name)
        if words & _TESTS or (words & _SAMPLES and not below_source):
            return True
        # A product may well have an archive or a demo of its own, a source root has no samples.
        below_source = below_source or name == "src"
    return False


@lru_cache(maxsize=10_000)
def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name))


def product_files(tree: GitTree, policy: DriftPolicy) -> tuple[str, ...]:
    """Return the tree's own files, code or not, in order."""
    left_out = matcher((*policy.not_product, *policy.ignore)) if policy.not_product or policy.ignore else None
    foreign = not_written_here(tree)

    def own() -> Iterator[str]:
        for path in tree.paths():
            if tree.entries[path].mode in (SUBMODULE, SYMLINK) or is_aside(path) or foreign(path):
                continue
            # A manifest may be of the kind that configures tools; it counts as the folder that it describes.
            judged = f"{dirname(path)}/manifest" if is_manifest(path) else path
            if left_out is None or not left_out(judged):
                yield path

    return tuple(own())


def is_code(path: str, policy: DriftPolicy) -> bool:
    """Say whether the file is code by its suffix, and does not only say how to build."""
    if is_manifest(path) or path.endswith(_BUILD_SCRIPTS):
        return False
    return splitext(path)[1].lower() in policy.code_suffixes
