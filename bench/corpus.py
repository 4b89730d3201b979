"""Made-up facts about made-up services, as many as asked for, the same for the same seed."""

import random
from collections.abc import Iterator, Sequence

from graph.memories import Draft, Kind

_PARTS = (
    "gateway ledger catalogue basket checkout inventory pricing search mailer scheduler importer exporter archive "
    "session token invoice refund webhook report dashboard crawler indexer router proxy balancer cache queue broker "
    "worker planner resolver parser renderer uploader thumbnail audit consent profile tenant quota billing coupon "
    "shipment tracker warehouse supplier forecast ranking feed digest notifier"
).split()
_THINGS = (
    "retries requests timeouts connections batches rows records events messages locks leases cursors pages filters "
    "headers cookies certificates secrets migrations indexes partitions replicas snapshots backups dumps metrics "
    "traces logs alerts budgets limits deadlines heartbeats checksums payloads schemas versions flags fixtures mocks "
    "threads coroutines sockets buffers streams offsets watermarks"
).split()
_DOES = (
    "drops keeps rejects delays merges splits counts signs encrypts compresses validates rewrites replays buffers "
    "throttles samples rounds truncates copies locks releases flushes reorders retries ignores escalates archives"
).split()
_WHEN = (
    "under load|after a deploy|during the nightly job|when the region fails over|on the first start|for large tenants|"
    "behind the proxy|while a migration runs|after midnight UTC|when the disk is nearly full|in the test environment|"
    "for anonymous users|on a retry|when two writers meet|after the cache is cold"
).split("|")
_BECAUSE = (
    "the vendor counts them twice|the driver has no back-pressure|an outage taught us so|the contract says so|"
    "clocks on the nodes differ|the old clients never upgrade|the index would not fit in memory|"
    "auditors ask for it each quarter|the library swallows the error|ordering is not guaranteed"
).split("|")
_QUESTIONS = (
    "What happens to {thing} in the {part} {when}?",
    "Why does the {part} handle {thing} like that?",
    "{part} {thing} limit",
    "How are {thing} treated {when}?",
)


def facts(count: int, seed: int = 0) -> Iterator[Draft]:
    """Yield project-wide memories of 15 to 40 words, no two alike."""
    chance = random.Random(seed)
    for n in range(count):
        part, other, thing, also = chance.choice(_PARTS), chance.choice(_PARTS), *chance.sample(_THINGS, 2)
        content = (
            f"The {part} {chance.choice(_DOES)} {thing} {chance.choice(_WHEN)}: at most {chance.randint(2, 5000)} "
            f"{also} per {chance.choice(('second', 'minute', 'hour', 'tenant'))} reach the {other}, "
            f"because {chance.choice(_BECAUSE)}. See `{part}/{other}_{thing}.py` and ticket {n}."
        )
        yield Draft(content=content, kind=chance.choice((Kind.NOTE, Kind.PITFALL, Kind.CONVENTION)))


def questions(count: int, seed: int = 1) -> Sequence[str]:
    """Return questions about the same services, no two alike."""
    chance = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        told = chance.choice(_QUESTIONS)
        made[told.format(part=chance.choice(_PARTS), thing=chance.choice(_THINGS), when=chance.choice(_WHEN))] = None
    return list(made)
