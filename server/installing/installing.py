"""The change itself: planned as whole texts first, then written, each file at once or not at all."""

import os
import tempfile
from difflib import unified_diff
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, Field

from graph.errors import Conflict, Fault, InvalidInput
from server.installing.clients import Client, Scope, Where
from server.installing.refusing import Refused

_BOM = "\ufeff"
_LONGEST_FILE = 64_000_000
_LONGEST_LINE = 200


class FileChange(BaseModel):
    """What becomes of one file, with the difference as people read it."""

    path: str
    change: Literal["create", "change", "delete", "keep"]
    diff: str = ""


class Installation(BaseModel):
    """What an install (or its removal) changes; `written` says whether it has been done."""

    client: str
    scope: Scope
    action: Literal["install", "remove"]
    command: tuple[str, ...] = Field(description="How the client starts archmem.")
    files: tuple[FileChange, ...]
    note: str = ""
    written: bool = False

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """The files that do not stay as they are."""
        return tuple(one for one in self.files if one.change != "keep")


class _Planned(NamedTuple):
    path: Path
    before: bytes | None
    after: bytes | None


class Plan(NamedTuple):
    """What would be done, and all that is needed to do it."""

    told: Installation
    files: tuple[_Planned, ...]
    root: Path


def plan(client: Client, where: Where, *, remove: bool = False) -> Plan:
    """Return what an install or a removal would do; raise InvalidInput with every file that cannot be edited."""
    files, faults = [], []
    for edit in client.edits(where):
        try:
            before = _read(edit.path)
            text, is_marked = _decoded(before or b"")
            after = edit.removed(text) if remove else edit.added(text)
        except Refused as error:
            faults.append(Fault(where=f"{edit.path}:{error.line}", what=error.what))
            continue
        kept = before is not None and after == text
        made = before if kept else ((_BOM if is_marked else "") + after).encode() if after else _nothing(edit.path)
        files.append(_Planned(edit.path, before, made))
    if faults:
        raise InvalidInput(
            f"{client.title}'s settings cannot be edited; nothing was changed",
            id=faults[0].where,
            faults=faults,
            next_step="correct each file named above, or move it away, and try again",
        )
    told = Installation(
        client=client.name,
        scope=where.scope,
        action="remove" if remove else "install",
        command=(*where.words, "mcp"),
        files=tuple(_told(one) for one in files),
        note="" if remove else client.note,
    )
    return Plan(told, tuple(files), where.root)


def apply_changes(planned: Plan) -> Installation:
    """Write what was planned; raise Conflict, before anything is written, where a file changed since."""
    todo = [one for one in planned.files if one.before != one.after]
    for one in todo:
        if _read(one.path) != one.before:
            raise Conflict(
                f"{one.path} changed while you looked at the difference; nothing was written",
                id=str(one.path),
                next_step="close the client, and try again",
            )
    for one in todo:
        try:
            if one.after is None:
                _delete(one.path, planned.root)
            else:
                _write(one.path, one.after)
        except OSError as error:
            raise InvalidInput(
                f"{one.path} cannot be written: {error.strerror}",
                id=str(one.path),
                next_step="make it writable, and try again; what was written already is written once only",
            ) from error
    return planned.told.model_copy(update={"written": bool(todo)})


def _nothing(path: Path) -> bytes | None:
    """Return what stays of a file in which nothing stays: where a link led to one, the link has to lead somewhere."""
    return b"" if path.is_symlink() else None


def _read(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise Refused("the file is too long for settings", 1)
        return path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise Refused("the link leads to no file", 1) from None
        return None
    except OSError as error:
        raise Refused(f"the file cannot be read: {error.strerror}", 1) from error


def _decoded(content: bytes) -> tuple[str, bool]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("this is no UTF-8", content.count(b"\n", 0, error.start) + 1) from error
    return text.removeprefix(_BOM), text.startswith(_BOM)


def _told(one: _Planned) -> FileChange:
    if one.before == one.after:
        return FileChange(path=str(one.path), change="keep")
    old, new = ((content or b"").decode().splitlines() for content in (one.before, one.after))
    lines = unified_diff(old, new, str(one.path), str(one.path), lineterm="")
    diff = "\n".join(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines)
    change = "create" if one.before is None else "delete" if one.after is None else "change"
    return FileChange.model_validate({"path": str(one.path), "change": change, "diff": diff})


def _write(path: Path, content: bytes) -> None:
    """Replace the file at once; a link stays one, and the mode stays as it is."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    handle, name = tempfile.mkstemp(prefix=".archmem-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644 if mode is None else mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _delete(path: Path, root: Path) -> None:
    """Delete the file, and the folders around it that it leaves empty, below the root."""
    path.unlink()
    for folder in path.parents:
        if folder == root or not folder.is_relative_to(root) or folder.is_symlink() or any(folder.iterdir()):
            return
        folder.rmdir()
