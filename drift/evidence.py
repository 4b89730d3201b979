"""What became of the claims of memories: each is compared between the state that it was last known true in and now."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from drift.changes import SUBMODULE, SYMLINK, Change
from drift.details import any_is, joined, listed, lost_quotes, misses, short
from drift.history import History
from drift.policy import DriftPolicy
from drift.repository import Repository
from drift.standing import State
from drift.symbols import Definition, Source, names_in, parts_of
from graph.claim_spans import looks_like_code
from graph.claims import AskedClaim, Claim
from graph.drift_report import ClaimFinding
from graph.errors import ArchmemError
from graph.memories import Evidence

_SOURCES_KEPT = 64
_BINARY_PROBE = 8000
_MOST_MOVES = 8
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_Told = tuple[Evidence, str]


def check_claims(
    repository: Repository,
    asked: Sequence[AskedClaim],
    target: str = "HEAD",
    *,
    sources: Mapping[str, tuple[str, ...]] | None = None,
    policy: DriftPolicy | None = None,
    history: History | None = None,
) -> tuple[ClaimFinding, ...]:
    """Return what became of each claim, in the order given.

    `target` is a revision or the id of a tree; `sources` maps an element's ref to its source, for claims without a
    path; `history` is that of the target, where it is read already. Only files that a claim names, or that changed, are
    read. Nothing about a claim raises: what cannot be decided is unchecked.
    """
    if not asked:
        return ()
    check = _Check(repository, asked, target, sources or {}, policy or DriftPolicy(), history)
    return tuple(check.finding(one) for one in asked)


class _Check:
    """One question about many claims: trees, differences and files are read once."""

    def __init__(
        self,
        repository: Repository,
        asked: Sequence[AskedClaim],
        target: str,
        sources: Mapping[str, tuple[str, ...]],
        policy: DriftPolicy,
        history: History | None,
    ) -> None:
        self._repository, self._sources, self._policy = repository, sources, policy
        self._target, is_commit = repository.resolve_target(target)
        self._now = State(repository.tree(self._target))
        self._start = self._target if is_commit else ("" if repository.is_empty() else repository.head())
        self._history = history or History(repository, self._start)
        self._branch: list[tuple[str, datetime]] | None = None
        self._states: dict[str, State | None] = {}
        self._diffs: dict[str, tuple[Change, ...]] = {}
        self._wanted = frozenset(_last_name(one.claim.symbol).encode() for one in asked)
        self._names: dict[str, frozenset[bytes]] = {}
        self._source = lru_cache(maxsize=_SOURCES_KEPT)(self._read_source)

    def finding(self, asked: AskedClaim) -> ClaimFinding:
        """Return what became of one claim."""
        commit = self._commit(asked)
        evidence, said = self._judge(asked, commit, self._state(commit))
        # What was asked for is long, and nobody asks a finding for it.
        return ClaimFinding(asked=asked.model_copy(update={"details": ()}), evidence=evidence, said=said)

    def _judge(self, asked: AskedClaim, commit: str, then: State | None) -> _Told:
        claim = asked.claim
        if not claim.path:
            return self._judge_anywhere(asked, then)
        path = then.called(claim.path) if then else claim.path
        if then is None:
            return self._judge_unanchored(claim)
        if not path:
            if self._now.stands(claim.path):
                path = claim.path
            else:
                return _unchecked(f"{claim.path} was not there when this was last known true")
        home, note = self._home(commit, then, path)
        if not claim.symbol:
            return self._judge_file(asked, then, path, home, note) if home else self._without_home(path)
        return self._judge_symbol(asked, commit, then.blob(path), path, home, note)

    def _judge_unanchored(self, claim: Claim) -> _Told:
        """Judge a claim of which nobody knows the state that it was true in: it can hold, but not be refuted."""
        path = self._now.called(claim.path)
        unknown = _unchecked("the state in which this was last known true is not in this repository")
        if not path:
            return unknown
        if not claim.symbol:
            return Evidence.INTACT, ""
        source = self._file(path, self._now)
        if source is None:
            return unknown
        if claim.value is not None:
            return (Evidence.INTACT, "") if _has_value(source, claim.symbol, claim.value) else unknown
        return (Evidence.INTACT, "") if source.definition(claim.symbol) or source.mentions(claim.symbol) else unknown

    # Paths

    def _home(self, commit: str, then: State, path: str) -> tuple[str, str]:
        """Return where a path stands now and, when that is elsewhere, a word on it; empty when nowhere."""
        if self._now.stands(path):
            return path, ""
        homes = {change.old: change.new for change in self._changes(commit) if change.renamed}
        home = homes.get(path) or self._followed(path)
        if home:
            return home, f"lives at {home} now"
        inside = then.below(path)
        if inside and all(one in homes for one in inside):
            folders = {homes[one].removesuffix(one[len(path) :]) for one in inside}
            home = folders.pop() if len(folders) == 1 else ""
            if home and home not in homes.values():
                return home, f"lives at {home} now"
            return homes[inside[0]], f"its files live elsewhere now, the first at {homes[inside[0]]}"
        return "", ""

    def _followed(self, path: str) -> str:
        """Return where a file went step by step, when it changed too much since to be known at once; else nothing."""
        for _ in range(_MOST_MOVES):
            removal = next((one for one in self._history.touches(path) if one.change.removed), None)
            commit = self._history.commit(removal.position) if removal else None
            if commit is None or not commit.parents:
                return ""
            changes, _ = self._repository.diff(commit.parents[0], commit.oid, self._policy.rename_limit)
            path = next((change.new for change in changes if change.renamed and change.old == path), "")
            if not path or self._now.stands(path):
                return path
        return ""

    def _without_home(self, path: str) -> _Told:
        if self._now.hides(path):
            return _unchecked(f"{path} lies in a submodule")
        return Evidence.GONE, f"{path} is gone"

    def _judge_file(self, asked: AskedClaim, then: State, path: str, home: str, note: str) -> _Told:
        """Judge a path that stands by what the memory quotes of the file."""
        if not asked.details or (home == path and then.blob(path) == self._now.blob(path)):
            return Evidence.INTACT, note
        before, after = self._file(path, then), self._file(home, self._now)
        if before is None or after is None:
            return Evidence.INTACT, note
        lost = lost_quotes(asked.details, before.text, after.text)
        return (Evidence.CHANGED, joined(note, f"{listed(lost)} no longer in it")) if lost else (Evidence.INTACT, note)

    # Symbols of a file

    def _judge_symbol(self, asked: AskedClaim, commit: str, blob: str, path: str, home: str, note: str) -> _Told:
        claim = asked.claim
        before = self._source(path, blob) if blob else None
        now_blob = self._now.blob(home) if home else ""
        if home == path and blob and blob == now_blob and self._stood(before, claim):
            return Evidence.INTACT, ""
        after = self._source(home, now_blob) if now_blob else None
        if before is None or not self._stood(before, claim):
            if after is not None and self._stood(after, claim):
                return Evidence.INTACT, note
            return _unchecked(f"{path} had no {_shown(claim)} when this was last known true")
        if home and after is None:
            return _unchecked(f"{home} cannot be read")
        if claim.value is not None:
            return self._judge_value(asked, commit, before, after, note)
        return self._judge_definition(asked, commit, before, after, note)

    def _judge_definition(
        self, asked: AskedClaim, commit: str, before: Source, after: Source | None, note: str
    ) -> _Told:
        symbol = asked.claim.symbol
        old = before.definition(symbol)
        if old is None:
            if after is not None and after.mentions(symbol):
                return Evidence.INTACT, note
            return Evidence.GONE, _nowhere(before, after, symbol)
        new = after.definition(symbol) if after is not None else None
        if new is not None:
            return self._compare(asked, old, new, note)
        moved = self._moved(asked, commit, before.path, old)
        if moved is not None:
            return self._compare(asked, old, moved[1], f"lives in {moved[0]} now")
        if after is not None and not after.is_whole and after.mentions(symbol):
            return _unchecked(f"{after.path} could not be parsed whole")
        return Evidence.GONE, _nowhere(before, after, symbol)

    def _compare(self, asked: AskedClaim, old: Definition, new: Definition, note: str) -> _Told:
        """Judge a symbol that stands in both states by what the memory names of it, and by how much of it is left."""
        if old.tokens == new.tokens:
            return Evidence.INTACT, note
        mentioned = [word for word in asked.details if word not in parts_of(asked.claim.symbol)]
        if broken := misses(mentioned, old, new):
            return Evidence.CHANGED, joined(note, broken)
        kept = old.kept_in(new)
        # Where nothing that the memory mentions stood in it, how much of it is left is all there is to go by.
        if asked.details and not any(word in old.words for word in mentioned) and kept < self._policy.rewritten_below:
            return Evidence.CHANGED, joined(note, f"rewritten, {round(100 * kept)} % of it is left")
        return Evidence.INTACT, joined(note, "changed inside")

    def _judge_value(self, asked: AskedClaim, commit: str, before: Source, after: Source | None, note: str) -> _Told:
        claim = asked.claim
        assert claim.value is not None
        symbol, wanted = claim.symbol, claim.value
        if after is not None and after.root is None:
            return self._judge_key(claim, after, note)
        # A constant is one thing, a default of the same name another: the claim means where it was true.
        is_weak = not any_is(before.values(symbol)[0], wanted)
        values = after.values(symbol)[is_weak] if after is not None else ()
        if not values:
            moved = self._moved(asked, commit, before.path, before.definition(symbol))
            if moved is None:
                is_used = after is not None and after.mentions(symbol)
                if is_used and (after is None or not after.is_whole or before.definition(symbol) is None):
                    return _unchecked(f"no value of {symbol} can be told")
                return Evidence.GONE, _nowhere(before, after, symbol)
            note, values = f"lives in {moved[0]} now", moved[1].values
        if any_is(values, wanted):
            return Evidence.INTACT, note
        spelled = [value.plain for value in values if value.is_constant]
        old_shapes = {value.shape for value in before.values(symbol)[is_weak]}
        spelled += [value.written for value in values if not value.is_constant and value.shape in old_shapes]
        if spelled:
            return Evidence.CHANGED, joined(note, f"{listed(spelled)} now")
        return _unchecked(f"{symbol} is computed now: {short(values[0].written)}" if values else "")

    def _judge_key(self, claim: Claim, after: Source, note: str) -> _Told:
        """Judge a value in a file without a grammar: configuration."""
        values = after.assigned(claim.symbol)
        if not values:
            return Evidence.GONE, _nowhere(after, after, claim.symbol)
        if claim.value is not None and any(value.is_like(claim.value) for value in values):
            return Evidence.INTACT, note
        return Evidence.CHANGED, joined(note, f"{listed([value.written for value in values])} now")

    def _stood(self, source: Source | None, claim: Claim) -> bool:
        """Say whether a version of the file bears the claim out."""
        if source is None:
            return False
        if claim.value is not None:
            return _has_value(source, claim.symbol, claim.value)
        return source.definition(claim.symbol) is not None or source.mentions(claim.symbol)

    def _moved(
        self, asked: AskedClaim, commit: str, path: str, old: Definition | None
    ) -> tuple[str, Definition] | None:
        """Return the file that gained the symbol since, with its definition there."""
        if old is None:
            return None
        symbol = asked.claim.symbol
        name = _last_name(symbol).encode()
        best: tuple[float, str, Definition] | None = None
        for change in self._changes(commit):
            if not change.new or change.new == path or change.new_mode in (SUBMODULE, SYMLINK):
                continue
            if name not in self._names_of(change.new_blob):
                continue
            source = self._source(change.new, change.new_blob)
            found = source.definition(symbol) if source else None
            earlier = self._source(change.old, change.old_blob) if found and change.old_blob else None
            if found is None or (earlier is not None and earlier.definition(symbol) is not None):
                continue
            kept = old.kept_in(found)
            if kept >= self._policy.moved_from and (best is None or kept > best[0]):
                best = kept, change.new, found
        return best[1:] if best else None

    # Symbols of a memory's elements

    def _judge_anywhere(self, asked: AskedClaim, then: State | None) -> _Told:
        symbol = asked.claim.symbol
        patterns = tuple(dict.fromkeys(one for ref in asked.elements for one in self._sources.get(ref, ())))
        if then is None or not patterns or not symbol:
            return _unchecked("no source is known in which it could stand")
        defining, spelling = self._bearing(asked.claim, then, patterns)
        commit = self._commit(asked)
        if defining:
            told = [
                self._judge_symbol(asked, commit, then.blob(path), path, *self._home(commit, then, path))
                for path in defining
            ]
            return min(told, key=lambda one: _KINDNESS.index(one[0]))
        if not spelling or not looks_like_code(symbol):
            return _unchecked(f"no {_shown(asked.claim)} in the element's source when this was last known true")
        if any(self._bearing(asked.claim, self._now, patterns)):
            return Evidence.INTACT, ""
        homes = [home for path in spelling if (home := self._home(commit, then, path)[0])]
        after = [source for home in homes if (source := self._file(home, self._now)) is not None]
        if len(after) < len(homes) or any(source.spells(symbol) for source in after):
            return Evidence.INTACT if len(after) == len(homes) else Evidence.UNCHECKED, ""
        return Evidence.GONE, f"nothing in the element's source says {symbol} any more"

    def _bearing(self, claim: Claim, state: State, patterns: tuple[str, ...]) -> tuple[list[str], list[str]]:
        """Return the files of a source that define a claim's symbol (with its value), and those that only use it."""
        name = _last_name(claim.symbol).encode()
        defining: list[str] = []
        spelling: list[str] = []
        for path, blob in state.coverage.blobs(patterns).items():
            if name not in self._names_of(blob) or (source := self._file(path, state)) is None:
                continue
            if claim.value is not None:
                if _has_value(source, claim.symbol, claim.value):
                    defining.append(path)
            elif source.definition(claim.symbol) is not None:
                defining.append(path)
            elif source.spells(claim.symbol):
                spelling.append(path)
        return defining, spelling

    # What is read

    def _commit(self, asked: AskedClaim) -> str:
        """Return the commit to compare with: the anchor's while it is here, else the branch's when last confirmed."""
        if asked.commit and self._state(asked.commit) is not None:
            return asked.commit
        if self._branch is None:
            self._branch = list(self._repository.branch(self._start)) if self._start else []
        return next((oid for oid, at in self._branch if at <= asked.confirmed_at), "")

    def _state(self, commit: str) -> State | None:
        if commit not in self._states:
            try:
                self._states[commit] = State(self._repository.tree(commit)) if commit else None
            except ArchmemError:
                self._states[commit] = None
        return self._states[commit]

    def _changes(self, commit: str) -> tuple[Change, ...]:
        if commit not in self._diffs:
            self._diffs[commit] = self._repository.diff(commit, self._target, self._policy.rename_limit)[0]
        return self._diffs[commit]

    def _file(self, path: str, state: State) -> Source | None:
        blob = state.blob(path)
        return self._source(path, blob) if blob else None

    def _read_source(self, path: str, blob: str) -> Source | None:
        content = self._repository.read_blob(blob)
        if content is None or len(content) > self._policy.longest_parsed or _is_opaque(content):
            return None
        return Source(path, content)

    def _names_of(self, blob: str) -> frozenset[bytes]:
        if blob not in self._names:
            self._names[blob] = names_in(self._repository.read_blob(blob) or b"") & self._wanted
        return self._names[blob]


def _is_opaque(content: bytes) -> bool:
    """Say whether content is not what it stands for: binary, or a pointer to what lies elsewhere."""
    return b"\0" in content[:_BINARY_PROBE] or content.startswith(_LFS_POINTER)


def _last_name(symbol: str) -> str:
    return (parts_of(symbol) or (symbol,))[-1]


_KINDNESS = (Evidence.INTACT, Evidence.UNCHECKED, Evidence.CHANGED, Evidence.GONE)


def _has_value(source: Source, symbol: str, wanted: str) -> bool:
    return any(any_is(values, wanted) for values in source.values(symbol))


def _unchecked(why: str) -> _Told:
    return Evidence.UNCHECKED, why


def _nowhere(before: Source, after: Source | None, symbol: str) -> str:
    return f"no {symbol} in {after.path} any more" if after is not None else f"{before.path} is gone"


def _shown(claim: Claim) -> str:
    return claim.symbol if claim.value is None else f"{claim.symbol}={claim.value}"
