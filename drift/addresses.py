"""Where a repository may be had from: what git is never given stays out here, before it is kept anywhere."""

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.errors import Fault, InvalidInput

_SCP = re.compile(r"(?:(?P<user>[\w.][\w.+-]*)@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?P<path>[^-/:][^:]*|/[^:]+)")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*|[0-9a-fA-F:.]+")
_USER = re.compile(r"[\w.][\w.+-]*")
_BRANCH = re.compile(r"[^\s~^:?*\[\\\x00-\x20\x7f]+")
_NEXT = "give an https or ssh address without a password, git@host:path, or the path of a folder"


class Way(StrEnum):
    """How a repository is had: read in place, cloned from this machine's files, or cloned from another machine."""

    PATH = "path"
    FILE = "file"
    REMOTE = "remote"


class RepositoryAddress(NamedTuple):
    """A checked address; `folder` is the one that it names on this machine, if it does."""

    text: str
    way: Way
    folder: Path | None = None


def parse_address(text: str, branch: str = "") -> RepositoryAddress:
    """Return the checked address of a repository; raise InvalidInput with every fault of it and of the branch.

    Left are https, http, ssh, `git@host:path`, `file://` and absolute paths. A password or token in the address is
    refused: git's credential helpers and ssh keep those.
    """
    text = text.strip()
    faults = [Fault(where="branch", what=what) for what in _branch_faults(branch)]
    found: RepositoryAddress | None = None
    if any(not one.isprintable() for one in text):
        faults.append(Fault(where="repository", what="holds characters that no address has"))
    elif Path(text).is_absolute():
        found = RepositoryAddress(text, Way.PATH, Path(text))
    elif "://" in text:
        found, what = _url(text)
        faults.extend(Fault(where="repository", what=one) for one in what)
    elif (named := _SCP.fullmatch(text)) and "::" not in text:
        found = RepositoryAddress(named[0], Way.REMOTE)
    else:
        faults.append(Fault(where="repository", what="is neither an address that archmem fetches nor an absolute path"))
    if faults or found is None:
        raise InvalidInput("the repository cannot be used", id=faults[0].where, faults=faults, next_step=_NEXT)
    return found


def _url(text: str) -> tuple[RepositoryAddress | None, list[str]]:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None, ["is no address"]
    if parts.scheme not in ("https", "http", "ssh", "file"):
        return None, [f"has a way to fetch, {parts.scheme or 'none'}, that is not allowed: https, ssh or file"]
    faults = []
    if parts.password is not None or (parts.username and parts.scheme != "ssh"):
        faults.append("holds a user or password, which would be kept; use git's credential helpers, or ssh")
    if parts.username and not _USER.fullmatch(parts.username):
        faults.append("holds a user that no machine has")
    if parts.query or parts.fragment:
        faults.append("holds a query or a fragment")
    if parts.scheme == "file":
        if parts.hostname or not Path(parts.path).is_absolute():
            faults.append("names no absolute path: write file:///path")
        return RepositoryAddress(text, Way.FILE, Path(parts.path)), faults
    if not _HOST.fullmatch(parts.hostname or ""):
        faults.append("names no host")
    if not parts.path.strip("/"):
        faults.append("names no repository on its host")
    return RepositoryAddress(text, Way.REMOTE), faults


def _branch_faults(branch: str) -> list[str]:
    """Return what keeps a name from being a branch's, as `git check-ref-format --branch` would."""
    if not branch:
        return []
    parts = branch.split("/")
    is_bad = (
        not _BRANCH.fullmatch(branch)
        or branch.startswith("-")
        or branch.endswith((".", "/"))
        or any(one in branch for one in ("..", "@{", "//"))
        or any(part.startswith(".") or part.endswith(".lock") or not part for part in parts)
        or branch == "@"
    )
    return ["is no name of a branch"] if is_bad else []
