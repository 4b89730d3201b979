"""Access keys made, listed, revoked, and taken for what they allow."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import datetime

from graph.access import Access, AccessKey, AccessKeyView, Right
from graph.bounds import LONGEST_NAME, count_faults, refuse, text_faults
from graph.errors import Ambiguous, Conflict, Fault, Unauthorised, Unknown
from graph.parts import Parts
from graph.upkeep import project

_TOKEN = re.compile(r"archmem_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})")
_SECRET_BYTES = 32


def create(
    parts: Parts,
    organisation: str,
    name: str,
    *,
    right: Right,
    projects: Sequence[str],
    expires_at: datetime | None,
    actor: str,
) -> AccessKeyView:
    """Make an access key; its token is in this answer alone."""
    now = parts.clock()
    refuse(
        "the access key cannot be made",
        text_faults("name", name, LONGEST_NAME),
        count_faults("projects", projects),
        [Fault(where="name", what="has characters that cannot be printed")] if not name.isprintable() else [],
        [Fault(where="expires_at", what="is past")] if expires_at is not None and expires_at <= now else [],
        # None named is the whole organisation, which an empty name must not become by accident.
        [Fault(where="projects", what="holds an empty name")] if not all(projects) else [],
    )
    ids = tuple(dict.fromkeys(project(parts, organisation, one).id for one in projects))
    if any(one.name == name and one.revoked_at is None for one in parts.store.access_keys(organisation)):
        raise Conflict(f"an access key {name!r} is there already", id=name, next_step="revoke it, or give another name")
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    key = AccessKey(
        id=parts.ids(),
        organisation=organisation,
        name=name,
        right=right,
        projects=ids,
        digest=_digest(secret),
        created_at=now,
        created_by=actor,
        expires_at=expires_at,
    )
    parts.store.put_access_key(key)
    return _view(key, f"archmem_{key.id}_{secret}")


def listed(parts: Parts, organisation: str) -> tuple[AccessKeyView, ...]:
    """Return the organisation's access keys, revoked ones too, in the order in which they were made."""
    return tuple(map(_view, parts.store.access_keys(organisation)))


def revoke(parts: Parts, organisation: str, name: str, *, actor: str) -> AccessKeyView:
    """End an access key, by its id or name; one that is revoked already stays as it is."""
    known = parts.store.access_keys(organisation)
    found = [one for one in known if one.id == name]
    found = found or [one for one in known if one.name == name and one.revoked_at is None]
    found = found or [one for one in known if one.name == name]
    if not found:
        raise Unknown(
            f"there is no access key {name!r}",
            id=name,
            next_step="give the name or id of one that is listed",
            candidates=[one.name for one in known if one.revoked_at is None],
        )
    if len(found) > 1:
        raise Ambiguous(
            f"{name!r} names {len(found)} access keys",
            id=name,
            next_step="give an id",
            candidates=[one.id for one in found],
        )
    key = found[0]
    if key.revoked_at is None:
        key = key.model_copy(update={"revoked_at": parts.clock(), "revoked_by": actor})
        parts.store.put_access_key(key)
    return _view(key)


def access_of(parts: Parts, organisation: str, token: str) -> Access:
    """Return what a token allows in an organisation; raise Unauthorised in the same words whatever is wrong."""
    match = _TOKEN.fullmatch(token)
    name, secret = match.groups() if match else ("", "")
    key = parts.store.access_key(name)
    # Compared also where there is no such key, so that an answer's time does not tell which ids there are.
    is_right = hmac.compare_digest(_digest(secret), key.digest if key else _digest(""))
    is_over = key is not None and (key.revoked_at or (key.expires_at and key.expires_at <= parts.clock()))
    if key is None or not is_right or is_over or key.organisation != organisation:
        raise Unauthorised(
            "the access key is not known, or not good any more",
            next_step="send `Authorization: Bearer` with a key that `archmem access create` made",
        )
    return Access(organisation=key.organisation, right=key.right, projects=key.projects, key=key.id, name=key.name)


def _digest(secret: str) -> str:
    # 256 random bits cannot be guessed, so nothing slower is needed.
    return hashlib.sha256(secret.encode()).hexdigest()


def _view(key: AccessKey, token: str = "") -> AccessKeyView:
    return AccessKeyView(**key.model_dump(include=set(AccessKeyView.model_fields) - {"token"}), token=token)
