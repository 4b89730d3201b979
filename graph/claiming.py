"""What the drift check is asked about a memory: its claims, given or found, and since when they are known to hold."""

from collections.abc import Mapping

from graph.claim_spans import find_claims, find_details
from graph.claims import AskedClaim
from graph.memories import Memory, State
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit

_PAGE = 500


def asked_claims(memory: Memory, refs: Mapping[str, str], commit: str = "") -> tuple[AskedClaim, ...]:
    """Return a memory's claims as the drift check takes them; `refs` maps ids of elements to refs.

    What is found in code spans is found anew each time: a better finder helps old memories too. Of several symbols the
    first is what the memory is about: what else it mentions is looked for there, and what it quotes in the files named.
    """
    texts = (memory.content, memory.why, memory.how_to_apply, memory.when_to_use)
    elements = tuple(refs[name] for name in memory.elements if name in refs)
    claims = dict.fromkeys((*memory.claims, *find_claims(texts, pinned=bool(elements))))
    placed = {claim.symbol for claim in claims if claim.path and claim.symbol}
    claims = {claim: None for claim in claims if claim.path or claim.symbol not in placed}
    if not claims:
        return ()
    details = find_details(texts)
    phrases = tuple(one for one in details if not one.isalnum())
    subject = next((claim for claim in claims if claim.symbol and claim.value is None), None)
    return tuple(
        AskedClaim(
            memory=memory.id,
            claim=claim,
            elements=elements,
            commit=commit,
            details=details if claim == subject else () if claim.symbol else phrases,
            confirmed_at=memory.confirmed_at,
        )
        for claim in claims
    )


def claims(parts: Parts, scope: Scope) -> tuple[AskedClaim, ...]:
    """Return the claims of the exact scope's live memories."""

    def work(unit: ReadUnit) -> tuple[AskedClaim, ...]:
        refs = {one.id: one.element.ref for one in unit.elements()}
        commits = {one.memory: one.anchor.commit for one in unit.anchors()}
        found: list[AskedClaim] = []
        after = ""
        while page := unit.listed((State.LIVE,), after=after, limit=_PAGE):
            for memory in map(parts.codec.open_memory, page):
                found.extend(asked_claims(memory, refs, commits.get(memory.id, "")))
            after = page[-1].id
        return tuple(found)

    return parts.store.read(scope, work)
