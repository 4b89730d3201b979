"""Read what git's plumbing prints with `-z`."""

from collections.abc import Iterator

from drift.changes import Change, Commit
from drift.trees import Entry

LOG_FORMAT = "%x01%H%x02%P%x02%ct%x02%aN"
"""A commit's header: a byte that no raw line starts with, then its fields."""


def text(raw: bytes) -> str:
    """Return a name as text; bytes that are no UTF-8 stay visible as `\\xff`, so that every report can hold them."""
    return raw.decode("utf-8", "backslashreplace")


def parse_tree(output: bytes) -> dict[str, Entry]:
    """Return the entries by path of `ls-tree -r -z`."""
    entries: dict[str, Entry] = {}
    for record in output.split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, _, oid = head.decode("ascii").split(" ", 2)
            entries[text(path)] = Entry(mode, oid)
    return entries


def parse_raw(output: bytes) -> tuple[Change, ...]:
    """Return the changes of `diff-tree --raw -z`."""
    tokens = iter(output.split(b"\0"))
    return tuple(_change(token, tokens) for token in tokens if token.startswith(b":"))


def parse_log(output: bytes) -> tuple[Commit, ...]:
    """Return the commits of `log --raw -z` with LOG_FORMAT, as they stand."""
    commits: list[Commit] = []
    header: bytes | None = None
    changes: list[Change] = []
    tokens = iter(output.split(b"\0"))
    for token in tokens:
        token = token.lstrip(b"\n")
        if token.startswith(b"\x01"):
            if header is not None:
                commits.append(_commit(header, changes))
            header, changes = token, []
        elif token.startswith(b":"):
            changes.append(_change(token, tokens))
    if header is not None:
        commits.append(_commit(header, changes))
    return tuple(commits)


def _commit(header: bytes, changes: list[Change]) -> Commit:
    oid, parents, committed, author = text(header[1:]).split("\x02", 3)
    return Commit(oid, tuple(parents.split()), int(committed), author, tuple(changes))


def _change(head: bytes, tokens: Iterator[bytes]) -> Change:
    old_mode, new_mode, old_blob, new_blob, status = head[1:].decode("ascii").split(" ")
    path = text(next(tokens))
    if status[0] in "RC":
        return Change(path, text(next(tokens)), old_blob, new_blob, old_mode, new_mode)
    if status[0] == "A":
        return Change("", path, "", new_blob, "", new_mode)
    if status[0] == "D":
        return Change(path, "", old_blob, "", old_mode, "")
    return Change(path, path, old_blob, new_blob, old_mode, new_mode)
