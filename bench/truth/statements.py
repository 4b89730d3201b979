"""Statements written at an early commit, and by the oracle whether each is true at a later one."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bench.truth.kinds import KIND, KINDS, Said, text_of, words
from bench.truth.oracle import Definition, Module, bases, read_module
from bench.truth.plain_git import PlainGit, Point

SPANS = ((3, 20), (20, 80), (80, 300), (300, 1000))
"""How many first-parent commits lie between writing and judging, from and below."""
_LATE = (0.55, 0.7, 0.85, 1.0)
_JITTER = 0.05
_CITED, _PROSE = 2, 2

Chosen = tuple[str, str, str, Said, int]
"""Kind, path, name, what is said, and in which form of text."""


@dataclass(frozen=True)
class Statement:
    """A memory: its text, where it was written, the path and name it is about (its own words need not say them).

    `truth` is what holds at the late commit, None when the oracle cannot say; `source` is that of the element to which
    the memory is pinned.
    """

    repository: str
    early: Point
    late: Point
    group: str
    kind: str
    path: str
    name: str
    said: Said
    text: str
    truth: bool | None
    source: tuple[str, ...]
    why: str = ""

    @property
    def cites(self) -> bool:
        """Whether the text names code in code spans."""
        return "`" in self.text

    @property
    def days(self) -> float:
        """How old it is when it is judged."""
        return (self.late.time - self.early.time) / 86_400

    @property
    def id(self) -> str:
        """A name of it that no other statement of one repository and late commit has."""
        return f"{self.early.oid[:12]}:{self.path}:{self.name}:{self.text}"


@dataclass(frozen=True)
class Package:
    """A repository as of a commit: the folders below which its modules lay over the years, and what is not its own."""

    name: str
    at: str
    roots: tuple[str, ...]
    foreign: tuple[str, ...] = ()

    def has(self, path: str) -> bool:
        """Say whether a file is a module of the product."""
        return path.endswith(".py") and self.holds(path)

    def holds(self, path: str) -> bool:
        """Say whether a file of any kind is the product's."""
        return self._starts(path, self.roots) and not self._starts(path, self.foreign)

    def part(self, path: str) -> str:
        """Return the top-level module or package to which a file of the product belongs."""
        root = max((root for root in self.roots if self._starts(path, (root,))), key=len)
        return path[len(root) + 1 :].partition("/")[0].removesuffix(".py")

    def source(self, path: str) -> tuple[str, ...]:
        """Return the source of the element for a file: its top-level module or package, wherever it lay."""
        part = self.part(path)
        return tuple(f"{root}/{part}{end}" for root in self.roots for end in (".py", "/**"))

    @staticmethod
    def _starts(path: str, folders: tuple[str, ...]) -> bool:
        return path.startswith(tuple(f"{folder}/" for folder in folders))


def pairs(git: PlainGit, seed: str) -> Iterator[tuple[Point, Point]]:
    """Yield early and late commits: four late ones over the younger half of history, each with four distances."""
    random = Random(seed)
    last = len(git.points) - 1
    for share in _LATE:
        late = git.points[min(last, round(last * (share - _JITTER * random.random())))]
        for nearest, furthest in SPANS:
            yield git.points[max(0, late.place - random.randrange(nearest, furthest))], late


class Oracle:
    """Says which statements can be made at one commit, and which hold at another."""

    def __init__(self, git: PlainGit, package: Package) -> None:
        self._git = git
        self._package = package

    def modules(self, point: Point) -> dict[str, Module | None]:
        """Return the product's modules by path; None for what does not parse."""
        tree = self._git.tree(point.oid)
        return {path: read_module(self._git.blob(oid)) for path, oid in tree.items() if self._package.has(path)}

    def truth(self, kind: str, path: str, name: str, said: Said, early: Point, late: Point) -> tuple[bool | None, str]:
        """Return whether what was said still holds at the late commit, and why.

        A file is followed where git says it was renamed to. A definition that left its file for another one, or its
        class for a base class: what is said of it is neither plainly true nor plainly false, hence None.
        """
        home = self._git.follow(path, early, late)
        module = read_module(self._git.blob(self._git.tree(late.oid)[home])) if home else {}
        if module is None:
            return None, "the file does not parse"
        if found := module.get(name):
            holds = any(KIND[kind].holds(one, said) for one in found)
            return holds, "" if holds else "it is defined, and otherwise"
        if self._elsewhere(name, early, late):
            return None, "the definition moved to another file, or to a base class"
        return False, "the definition is gone" if home else "the file is gone"

    def truth_in_prose(
        self, kind: str, path: str, name: str, said: Said, early: Point, late: Point
    ) -> tuple[bool | None, str]:
        """Return the same of a statement that names no place: a definition that moved is judged where it is now."""
        truth, why = self.truth(kind, path, name, said, early, late)
        moved = self._elsewhere(name, early, late) if truth is None else []
        if not moved:
            return truth, why
        holds = any(KIND[kind].holds(one, said) for one in moved)
        return holds, "" if holds else "it moved, and is otherwise"

    def _elsewhere(self, name: str, early: Point, late: Point) -> list[Definition]:
        """Return the definitions of that name in files that had none, and those that its class inherits."""
        had = (path for path, one in self.modules(early).items() if one and name in one)
        before = {self._git.follow(path, early, late) for path in had}
        now = self.modules(late)
        moved = [one for path, found in now.items() if found and path not in before for one in found.get(name, ())]
        return moved or list(self._inherited(name, [found for found in now.values() if found]))

    @staticmethod
    def _inherited(name: str, modules: Sequence[Module]) -> Iterator[Definition]:
        owner, _, member = name.rpartition(".")
        seen, left = {owner}, [owner] if member != "__init__" else []
        while left:
            child = left.pop()
            classes = [one for found in modules for one in found.get(child, ())]
            for base in (base for one in classes for base in bases(one) if base not in seen):
                seen.add(base)
                left.append(base)
                yield from (one for found in modules for one in found.get(f"{base}.{member}", ()))


def sample(git: PlainGit, package: Package, seed: str = "truth") -> list[Statement]:
    """Return statements of every kind for every pair of commits of a repository, the same ones each time."""
    oracle = Oracle(git, package)
    found: list[Statement] = []
    for early, late in pairs(git, f"{seed} {package.name}"):
        random = Random(f"{seed} {package.name} {early.oid} {late.oid}")
        for kind, path, name, said, form in _chosen(oracle.modules(early), random):
            judge = oracle.truth_in_prose if form == 3 else oracle.truth
            truth, why = judge(kind, path, name, said, early, late)
            found.append(_statement(package, early, late, (kind, path, name, said, form), truth, why))
    return found


def sample_within(
    git: PlainGit, package: Package, early: Point, late: Point, paths: Collection[str], group: str, count: int
) -> list[Statement]:
    """Return some statements about these files that are as true at the late commit as they were at the early one."""
    oracle = Oracle(git, package)
    modules = {path: module for path, module in oracle.modules(early).items() if path in paths}
    random = Random(f"{package.name} {early.oid} {late.oid}")
    chosen = [one for one in _chosen(modules, random) if one[-1] != 3]
    kept = random.sample(chosen, min(count, len(chosen)))
    return [_statement(package, early, late, one, True, "", group) for one in kept]


def _statement(
    package: Package, early: Point, late: Point, chosen: Chosen, truth: bool | None, why: str, group: str = ""
) -> Statement:
    kind, path, name, said, form = chosen
    text = text_of(KIND[kind], form, path, name, said)
    group = group or ("cites none" if form == 3 else "cites code")
    source = package.source(path)
    return Statement(package.name, early, late, group, kind, path, name, said, text, truth, source, why)


def _chosen(modules: Mapping[str, Module | None], random: Random) -> Iterator[Chosen]:
    """Choose definitions fairly among those of which a kind can say something, and one thing to say of each."""
    subjects: dict[str, list[tuple[str, Definition, Sequence[Said]]]] = defaultdict(list)
    for path, module in sorted(modules.items()):
        for one in (found[0] for found in (module or {}).values() if len(found) == 1):
            for kind in KINDS:
                if _is_sayable(kind.name, one) and (said := kind.sayable(one)):
                    subjects[kind.name].append((path, one, said))
    for kind in KINDS:
        forms = [random.randrange(3) for _ in range(_CITED)] + [3] * (_PROSE if kind.prose else 0)
        at_hand = subjects[kind.name]
        for form, (path, one, said) in zip(forms, random.sample(at_hand, min(len(at_hand), len(forms))), strict=False):
            if form == 3 and not words(one.name):
                continue
            yield kind.name, path, one.name, random.choice(said), form


def _is_sayable(kind: str, one: Definition) -> bool:
    """Leave out what nobody would write down: magic methods (but constructors' parameters), plain names as such."""
    last = one.name.rpartition(".")[2]
    if last.startswith("__"):
        return last == "__init__" and kind != "defined"
    return kind != "defined" or not one.source
