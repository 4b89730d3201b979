"""The one room where git is spoken: objects in, values out; never the work tree, never a smudge filter."""

import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from drift.changes import Change, Commit
from drift.raw import LOG_FORMAT, parse_log, parse_raw, parse_tree
from drift.remotes import normalised_remote
from drift.trees import GitTree
from graph.errors import CannotDecide, InvalidInput, Unavailable, Unknown

if TYPE_CHECKING:
    import git

_CONFIG = (
    *("-c", "core.quotepath=false", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"),
    *("-c", "log.showRoot=true", "-c", "color.ui=false"),
)
_RAW = ("-O/dev/null", "-r", "-z", "--raw", "--no-abbrev", "--no-color", "--no-relative", "--ignore-submodules=none")
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "0", "GIT_PAGER": "cat"}
_TREES_KEPT = 32
_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Repository:
    """A git repository, bare or not; close it, or use it in a `with`. Safe to share between threads."""

    def __init__(self, repo: "git.Repo", root: Path) -> None:
        self._repo = repo
        self.root = root
        self._git_dir = str(repo.git_dir)
        self._lock = threading.Lock()
        self._reader: Any = None
        self._go_on: Callable[[], None] = lambda: None
        self._tree = lru_cache(maxsize=_TREES_KEPT)(self._read_tree)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the repository around a folder.

        Raise Unknown when there is none, Unavailable when git is missing or refuses a folder of another owner.
        """
        try:
            import git
        except ImportError as error:  # GitPython looks for the git command when it is imported
            raise Unavailable("git cannot be used", next_step="install git and see that it is on PATH") from error
        place = path.parent if path.is_file() else path
        try:
            repo = git.Repo(place, search_parent_directories=True)
        except (git.exc.InvalidGitRepositoryError, git.exc.NoSuchPathError) as error:
            raise Unknown(
                f"{path} lies in no git repository", id=str(path), next_step="give a folder of a git checkout"
            ) from error
        found = cls(repo, Path(repo.working_tree_dir or repo.git_dir))
        try:
            found._refuse_foreign_owner()
        except BaseException:
            found.close()
            raise
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that read objects."""
        with self._lock:
            self._end_reader()
        self._repo.close()

    @contextmanager
    def asking(self, go_on: Callable[[], None]) -> Iterator[None]:
        """Call `go_on` before each question to git meanwhile: what it raises ends the work that asks."""
        before, self._go_on = self._go_on, go_on
        try:
            yield
        finally:
            self._go_on = before

    # commits

    def head(self) -> str:
        """Return the commit that HEAD leads to; raise CannotDecide in a repository without commits."""
        found = self._verified("HEAD^{commit}")
        if not found:
            raise CannotDecide(
                "the repository has no commit yet", id=str(self.root), next_step="commit something, then check again"
            )
        return found

    def is_empty(self) -> bool:
        """Say whether HEAD leads to no commit."""
        return not self._verified("HEAD^{commit}")

    def resolve(self, rev: str) -> str:
        """Return the commit that a revision (a branch, `HEAD~3`, an id) names; raise InvalidInput naming it."""
        if rev == "HEAD":
            return self.head()
        return self._named(rev, "commit")

    def resolve_target(self, rev: str) -> tuple[str, bool]:
        """Return the object that a revision names and whether it is a commit; else it is a tree."""
        if rev == "HEAD":
            return self.head(), True
        commit = self._verified(f"{rev}^{{commit}}") if _is_askable(rev) else ""
        return (commit, True) if commit else (self._named(rev, "tree"), False)

    def has_commit(self, oid: str) -> bool:
        """Say whether a commit's object is here (it may be reachable from nowhere); only a full id names one."""
        return bool(_OID.fullmatch(oid)) and self._verified(f"{oid}^{{commit}}") == oid

    def committed_at(self, rev: str) -> datetime:
        """Return the committer time of a commit, in UTC."""
        return datetime.fromtimestamp(int(self._show(rev, "%ct")), UTC)

    def author(self, rev: str) -> str:
        """Return the author's name of a commit, as `.mailmap` corrects it."""
        return self._show(rev, "%aN")

    def count_beyond(self, base: str, target: str) -> int:
        """Count the first-parent commits of target that base does not reach."""
        return int(self._run("rev-list", "--first-parent", "--count", target, f"^{base}", "--"))

    def merge_base(self, one: str, other: str) -> str:
        """Return the best common ancestor of two commits; empty when none is known here."""
        return self._run("merge-base", one, other, ok=(0, 1)).decode("ascii").strip()

    def staged_tree(self) -> str:
        """Return the tree that a commit of the index would have; raise InvalidInput while it cannot be committed."""
        status, output, errors = self._execute(self._command("write-tree"))
        if status:
            raise InvalidInput(
                f"the index cannot be written as a tree: {errors.strip()}",
                id=str(self.root),
                next_step="resolve the conflicts that `git status` lists",
            )
        return output.decode("ascii").strip()

    def first_parents(self, target: str) -> list[str]:
        """Return the first-parent commits of target, newest first."""
        return self._run("rev-list", "--first-parent", target, "--").decode("ascii").split()

    def branch(self, target: str) -> list[tuple[str, datetime]]:
        """Return the first-parent commits of target with their committer times, newest first."""
        lines = self._run("log", "--first-parent", "--no-patch", "--format=tformat:%H %ct", target, "--")
        pairs = (line.split() for line in lines.decode("ascii").splitlines())
        return [(oid, datetime.fromtimestamp(int(seconds), UTC)) for oid, seconds in pairs]

    def log(self, start: str, count: int) -> tuple[Commit, ...]:
        """Return first-parent commits from `start` on, newest first, each with its changes; renames are not paired."""
        options = (*_RAW, "--no-renames", "--first-parent", "-m", "--root", "--encoding=UTF-8", "--no-notes")
        return parse_log(self._run("log", *options, f"--format=tformat:{LOG_FORMAT}", f"-n{count}", start, "--"))

    @cached_property
    def shallow_commits(self) -> frozenset[str]:
        """The commits whose parents a shallow clone left out."""
        place = self._run("rev-parse", "--git-path", "shallow").decode("utf-8", "surrogateescape").rstrip("\n")
        file = self.root / place
        return frozenset(file.read_text("ascii").split()) if file.is_file() else frozenset()

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when the repository was cloned."""
        return bool(self.shallow_commits)

    @cached_property
    def is_partial(self) -> bool:
        """Whether objects may be missing here and fetched when asked for."""
        return b".promisor" in self._run("config", "--name-only", "--get-regexp", r"^remote\..*\.promisor$", ok=(0, 1))

    # who the repository is

    def remotes(self) -> tuple[str, ...]:
        """Return what the remotes name, `origin` first, normalised; file paths are left out."""
        names = [remote for _, remote in sorted(self._remotes(), key=lambda pair: pair[0] != "origin")]
        return tuple(dict.fromkeys(name for name in names if name))

    def origin(self) -> str:
        """Return what `origin` names, normalised; empty without one."""
        return dict(reversed(self._remotes())).get("origin", "")

    def root_commit(self) -> str:
        """Return the oldest commit without parents; empty when that is not known."""
        if self.is_shallow or self.is_empty():
            return ""
        roots = self._run("rev-list", "--max-parents=0", "--timestamp", "HEAD").decode("ascii").splitlines()
        return min((int(line.split()[0]), line.split()[1]) for line in roots)[1]

    def identity(self) -> str:
        """Return what tells this repository from others: its origin, else its root commit; else raise CannotDecide."""
        origin = self.origin()
        if origin:
            return origin
        root = self.root_commit()
        if root:
            return f"root:{root}"
        raise CannotDecide(
            "the repository has neither an origin nor a known first commit",
            id=str(self.root),
            next_step="set `id` under [project] in archmem.toml",
        )

    # trees and blobs

    def tree(self, rev: str) -> GitTree:
        """Return the tree of a commit's or tree's full id, or of HEAD; raise InvalidInput when there is none.

        Anchors are recorded elsewhere: a branch that one named would compare the code with itself.
        """
        oid = self.head() if rev == "HEAD" else rev
        if not _OID.fullmatch(oid):
            raise InvalidInput(
                f"{rev!r} is no full object id", id=rev, next_step="give the id that git rev-parse prints"
            )
        return self._tree(oid)

    def diff(self, old: str, new: str, rename_limit: int) -> tuple[tuple[Change, ...], str]:
        """Return the changes between two trees with renames, and why some renames were not looked for, if so."""
        trees = (f"-l{rename_limit}", f"{old}^{{tree}}", f"{new}^{{tree}}", "--")
        try:
            output, errors = self._answer("diff-tree", *_RAW, "-M", *trees)
        except Unavailable as failure:
            if "unable to read" not in failure.what:
                raise
            # Moves without an edit are known by their ids alone.
            return parse_raw(self._run("diff-tree", *_RAW, "-M100%", *trees)), "files are missing in this clone"
        return parse_raw(output), "too many files changed" if "rename detection was skipped" in errors else ""

    def read_blob(self, oid: str) -> bytes | None:
        """Return an object's content as committed; None when it is not here, or the id is no full one."""
        if not _OID.fullmatch(oid):  # a line break in it would be two questions, and every later answer be shifted
            return None
        self._go_on()
        with self._lock:
            try:
                return self._ask_reader(oid)
            except OSError as error:
                self._end_reader()
                raise Unavailable(
                    "git ended while objects were read", id=str(self.root), next_step="try again, then run `git fsck`"
                ) from error

    def _ask_reader(self, oid: str) -> bytes | None:
        if self._reader is None:
            self._reader = self._repo.git.execute(
                self._command("cat-file", "--batch"), as_process=True, istream=subprocess.PIPE, env=_ENVIRONMENT
            )
        self._reader.stdin.write(f"{oid}\n".encode())
        self._reader.stdin.flush()
        line: bytes = self._reader.stdout.readline()
        head = line.split()
        if line and len(head) != 3:
            return None
        size = int(head[2]) if head else 0
        content: bytes = self._reader.stdout.read(size + 1)
        if len(content) != size + 1:  # an answer that breaks off is none: a blob that is not here compares otherwise
            raise BrokenPipeError(oid)
        return content[:-1] if head[0].decode("ascii") == oid else None

    def _end_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with suppress(OSError):  # what it was not told any more
                reader.stdin.close()
            reader.stdout.close()
            reader.proc.wait()

    def _read_tree(self, rev: str) -> GitTree:
        oid = self._named(rev, "tree")
        return GitTree(parse_tree(self._run("ls-tree", "-r", "-z", "--full-tree", oid)), self.read_blob)

    # how git is asked

    def _remotes(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for line in self._run("remote", "-v").decode("utf-8", "replace").splitlines():
            name, _, rest = line.partition("\t")
            url, fetch, _ = rest.rpartition(" (fetch)")
            if fetch:
                found.append((name, normalised_remote(url)))
        return found

    def _named(self, rev: str, kind: str) -> str:
        found = self._verified(f"{rev}^{{{kind}}}") if _is_askable(rev) else ""
        if not found:
            hint = "; this is a shallow clone, fetch more of it" if self.is_shallow else ""
            raise InvalidInput(f"{rev!r} names no {kind}", id=rev, next_step=f"give a revision of the repository{hint}")
        return found

    def _verified(self, expression: str) -> str:
        return (
            self._run("rev-parse", "--verify", "--quiet", expression, ok=(0, 1, 128)).decode("ascii", "replace").strip()
        )

    def _show(self, rev: str, form: str) -> str:
        answer = self._run(
            "log", "-1", "--no-patch", "--encoding=UTF-8", f"--format=tformat:{form}", self.resolve(rev), "--"
        )
        return answer.decode("utf-8", "replace").strip()

    def _refuse_foreign_owner(self) -> None:
        _, _, errors = self._execute(["git", *_CONFIG, "rev-parse", "--git-dir"])
        if "dubious ownership" in errors:
            raise Unavailable(
                f"git refuses {self.root}, because another user owns it",
                id=str(self.root),
                next_step=f"run `git config --global --add safe.directory {self.root}` if you trust its owner",
            )

    def _command(self, *arguments: str) -> list[str]:
        # A hook's GIT_DIR may point to another repository, hence an explicit one.
        return ["git", "--no-pager", f"--git-dir={self._git_dir}", *_CONFIG, *arguments]

    def _run(self, *arguments: str, ok: Sequence[int] = (0,)) -> bytes:
        return self._answer(*arguments, ok=ok)[0]

    def _answer(self, *arguments: str, ok: Sequence[int] = (0,)) -> tuple[bytes, str]:
        self._go_on()
        status, output, errors = self._execute(self._command(*arguments))
        if status not in ok:
            raise Unavailable(
                f"git {arguments[0]} failed: {errors.strip() or f'status {status}'}",
                id=str(self.root),
                next_step="run `git fsck` in the repository",
            )
        return (output if status == 0 else b""), errors

    def _execute(self, command: list[str]) -> tuple[int, bytes, str]:
        answer: Any = self._repo.git.execute(
            command,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            with_extended_output=True,
            with_exceptions=False,
            env=_ENVIRONMENT,
        )
        status, output, errors = answer
        return status, output, errors if isinstance(errors, str) else errors.decode("utf-8", "replace")


def _is_askable(rev: str) -> bool:
    """Say whether git can be asked for a revision: not an option, and nothing that no argument can hold."""
    return bool(rev.strip()) and not rev.startswith("-") and "\0" not in rev and "\n" not in rev
