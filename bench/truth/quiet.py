"""Commits that change no program: comments, format, names of files; found in real history, and made.

All by `ast` and `tokenize`: a file whose syntax tree is the same before and after says the same.
"""

import io
import os
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.truth.oracle import same_code
from bench.truth.plain_git import PlainGit, Point
from bench.truth.statements import Package

_AT_MOST = 6
_FORGOTTEN = re.compile(rb"'''.*?'''|\"\"\".*?\"\"\"|#[^\n]*|[\s'\"(),\\\\]+|\b[urbURB]{1,2}(?=['\"])", re.DOTALL)
_DIRECTIVE = re.compile(r"^#!|coding|type:|pragma|noqa|pylint|mypy|pyright|ruff|fmt|isort|yapf")
_LAYOUT = (tokenize.NL, tokenize.COMMENT)
_AUTHOR = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "bench"), ("EMAIL", "bench@example.org"))
}


@dataclass(frozen=True)
class Quiet:
    """A commit, the one before it, what it changes, and the files (by their names before) in which it does."""

    kind: str
    before: Point
    commit: Point
    paths: tuple[str, ...]


def found_in(git: PlainGit, package: Package) -> list[Quiet]:
    """Return such commits of a repository's history, at most six of a kind, the same ones each time."""
    kinds: dict[str, list[Quiet]] = defaultdict(list)
    for place, changes in _changes(git):
        ours = [change for change in changes if package.holds(change[2]) or package.holds(change[3])]
        kind = _kind_of(git, package, ours) if ours and place else ""
        if kind:
            paths = tuple(old for _, _, old, _ in ours)
            kinds[kind].append(Quiet(kind, git.points[place - 1], git.points[place], paths))
    random = Random(package.name)
    return [one for kind in sorted(kinds) for one in random.sample(kinds[kind], min(_AT_MOST, len(kinds[kind])))]


def made_in(folder: Path, package: Package) -> list[Quiet]:
    """Add such commits on top of a clone that may be changed: one for each way to change all modules."""
    with PlainGit(folder, package.at) as git:
        head = git.points[-1]
        ours = {path: oid for path, oid in git.tree(head.oid).items() if package.has(path)}
        found = []
        for kind, changed in (("made: no comments", _uncommented), ("made: other layout", _relaid)):
            content = {path: changed(git.blob(oid)) for path, oid in ours.items()}
            found.append(_committed(git, kind, head, content, ours))
        moved = {f"moved/{path}": git.blob(oid) for path, oid in ours.items()}
        found.append(_committed(git, "made: moved", head, moved, ours))
    return [one for one in found if one.paths]


def _changes(git: PlainGit) -> Iterator[tuple[int, list[tuple[str, str, str, str]]]]:
    """Yield each first-parent commit's place and its changes: old blob, new blob, old path, new path."""
    told = git.run(
        "log", "--first-parent", "-m", "--reverse", "-M", "--raw", "--no-abbrev", "--format=commit %H", git.at, "--"
    )
    for block in told.split("\ncommit ")[1:]:
        oid, *lines = block.split("\n")
        changes = []
        for line in lines:
            if line.startswith(":"):
                head, *paths = line.split("\t")
                _, _, old, new, _ = head.split()
                changes.append((old, new, paths[0], paths[-1]))
        yield git.point(oid).place, changes


def _kind_of(git: PlainGit, package: Package, changes: list[tuple[str, str, str, str]]) -> str:
    if any(set(old) == {"0"} or set(new) == {"0"} for old, new, _, _ in changes):
        return ""
    if not all(package.has(path) for _, _, *paths in changes for path in paths):
        return ""
    different = [(git.blob(old), git.blob(new)) for old, new, _, _ in changes if old != new]
    if any(_hint(old) != _hint(new) for old, new in different):
        return ""
    renamed = any(old != new for _, _, old, new in changes)
    if renamed:
        return "renamed" if all(same_code(old, new) for old, new in different) else ""
    if not all(same_code(old, new) for old, new in different):
        return "docstrings" if all(same_code(old, new, docstrings=False) for old, new in different) else ""
    if any(_directives(old) != _directives(new) for old, new in different):
        return "directive comments"
    if any(tokens(old) != tokens(new) for old, new in different):
        return "quotes, commas, brackets"
    has_other_comments = any(_comments(old) != _comments(new) for old, new in different)
    return "comments" if has_other_comments else "layout"


def _hint(content: bytes) -> bytes:
    """Return what no quiet change touches, cheaply: a first sieve, whose losses are commits that are not looked at."""
    return _FORGOTTEN.sub(b"", content)


def tokens(content: bytes) -> list[tuple[int, str]]:
    """Return the tokens that make the program, without comments and layout."""
    every = tokenize.tokenize(io.BytesIO(content).readline)
    named = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    return [(one.type, "" if one.type in named else one.string) for one in every if one.type not in _LAYOUT]


def _comments(content: bytes) -> list[str]:
    return [one.string for one in tokenize.tokenize(io.BytesIO(content).readline) if one.type is tokenize.COMMENT]


def _directives(content: bytes) -> list[str]:
    """Return the comments that tools and interpreters read; by archmem's contract they are code."""
    return [one for one in _comments(content) if _DIRECTIVE.search(one)]


def _uncommented(content: bytes) -> bytes:
    """Return a module without its comments, but for those that tools and interpreters read."""
    lines = content.splitlines(keepends=True)
    for one in tokenize.tokenize(io.BytesIO(content).readline):
        if one.type == tokenize.COMMENT and not _DIRECTIVE.search(one.string):
            row, column = one.start[0] - 1, one.start[1]
            text = lines[row].decode("utf-8")
            end = text[len(text.rstrip("\r\n")) :]
            lines[row] = (text[:column].rstrip() + end).encode()
    return _checked(content, b"".join(lines))


def _relaid(content: bytes) -> bytes:
    """Return a module with twice the indentation inside brackets, more blank lines and doubled spaces around `=`."""
    lines = content.splitlines(keepends=True)
    places = [one for one in tokenize.tokenize(io.BytesIO(content).readline) if one.type == tokenize.OP]
    for one in reversed([one for one in places if one.string in ("=", "==", "+", "->")]):
        row = one.start[0] - 1
        text = lines[row].decode("utf-8")
        lines[row] = f"{text[: one.start[1]]} {one.string} {text[one.end[1] :]}".encode()
    ends = {one.start[0] for one in tokenize.tokenize(io.BytesIO(content).readline) if one.type == tokenize.NEWLINE}
    spaced = (line + b"\n" if number in ends else line for number, line in enumerate(lines, 1))
    return _checked(content, b"".join(spaced))


def _checked(old: bytes, new: bytes) -> bytes:
    """Return the new content when it is the same program, else the old one."""
    return new if same_code(old, new) else old


def _committed(
    git: PlainGit, kind: str, head: Point, content: Mapping[str, bytes], replaced: Mapping[str, str]
) -> Quiet:
    index = {**os.environ, **_AUTHOR, "GIT_INDEX_FILE": str(git.folder / "bench-index")}
    index |= {f"GIT_{role}_DATE": f"{head.time + 86_400} +0000" for role in ("AUTHOR", "COMMITTER")}
    git.run("read-tree", head.oid, env=index)
    changed = [path for path, blob in replaced.items() if path not in content or git.blob(blob) != content[path]]
    gone = "".join(f"0 {'0' * 40}\t{path}\0" for path in changed)
    blobs = {
        path: git.run("hash-object", "-w", "--stdin", given=new).strip()
        for path, new in content.items()
        if path not in replaced or path in changed
    }
    added = "".join(f"100644 {blob}\t{path}\0" for path, blob in blobs.items())
    git.run("update-index", "-z", "--index-info", given=(gone + added).encode("utf-8", "surrogateescape"), env=index)
    tree = git.run("write-tree", env=index).strip()
    commit = git.run("commit-tree", tree, "-p", head.oid, "-m", kind, env=index).strip()
    return Quiet(kind, head, Point(head.place + 1, commit, head.time + 86_400), tuple(changed))
