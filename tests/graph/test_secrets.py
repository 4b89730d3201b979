"""Secrets: refused where somebody writes them, redacted where a machine captures them, and nothing else taken for one.

They are made while a test runs: written down here they would be found by those who look for leaked ones.
"""

import random
import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import ArchmemError, InvalidInput
from graph.memory_graph import MemoryGraph
from graph.secrets import find_secrets, redact, secret_faults
from tests.graph.conftest import ME, SHOP, draft, write

MIXED = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def made(chance: random.Random, count: int, of: str = MIXED) -> str:
    return "".join(chance.choice(of) for _ in range(count))


def random_looking(chance: random.Random, count: int) -> str:
    """Return a password as a machine makes one; what happens to spell words is made again."""
    while not find_secrets(f"password: {(value := made(chance, count))}"):
        pass
    return value


KINDS: dict[str, Callable[[random.Random], str]] = {
    "AWS access key": lambda c: "AKIA" + made(c, 16, string.ascii_uppercase + "234567"),
    "GitHub token": lambda c: "ghp_" + made(c, 36),
    "GitLab token": lambda c: "glpat-" + made(c, 20),
    "Slack token": lambda c: f"xoxb-{made(c, 12, string.digits)}-{made(c, 12, string.digits)}-{made(c, 24)}",
    "Slack webhook": lambda c: (
        f"https://hooks.slack.com/services/T{made(c, 8, HEX.upper())}/B{made(c, 8, HEX.upper())}/" + made(c, 24)
    ),
    "Stripe key": lambda c: "sk_live_" + made(c, 24),
    "Anthropic key": lambda c: "sk-ant-api03-" + made(c, 90),
    "OpenAI key": lambda c: "sk-proj-" + made(c, 48),
    "Google API key": lambda c: "AIza" + made(c, 35),
    "npm token": lambda c: "npm_" + made(c, 36),
    "PyPI token": lambda c: "pypi-AgE" + made(c, 120),
    "Hugging Face token": lambda c: "hf_" + made(c, 34),
    "SendGrid key": lambda c: f"SG.{made(c, 22)}.{made(c, 43)}",
    "DigitalOcean token": lambda c: "dop_v1_" + made(c, 64, HEX),
    "archmem access key": lambda c: f"archmem_{made(c, 12)}_{made(c, 43)}",
    "JSON web token": lambda c: f"eyJ{made(c, 20)}.eyJ{made(c, 80)}.{made(c, 43)}",
    "private key": lambda c: (
        "-----BEGIN PRIVATE KEY-----\n" + "\n".join(made(c, 64) for _ in range(4)) + "\n-----END PRIVATE KEY-----"
    ),
    "password in an address": lambda c: f"postgres://shop:{random_looking(c, 16)}@db.internal/shop",
    "password or key": lambda c: c.choice(("password = '{}'", "DB_PASSWORD: {}", '"clientSecret": "{}"')).format(
        random_looking(c, 20)
    ),
}
SHOWN = (
    "AKIAIOSFODNN7EXAMPLE",
    "the password is in the vault under payments/sandbox",
    "password: hunter2",
    "token = get_token(user1)",
    "secret: ${DB_SECRET_2}",
    'password=os.environ["DB_PASSWORD"]',
    "api_key = settings2.api_key3",
    "postgres://user:password@host/db",
    "private_key_path = ~/.ssh/shop/prod-key-v2.pem",
    "Authorization: Bearer <your token here>",
    "secret = 'xxxxxxxxxxxx1234'",
    "-----BEGIN PRIVATE KEY----- marks a key",
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
)


@pytest.mark.parametrize("kind", KINDS)
@given(
    seed=st.integers(0, 2**32),
    before=st.sampled_from(["", "see ", "(`", "é\n"]),
    after=st.sampled_from(["", "`)", " ."]),
)
def test_every_kind_is_found_in_any_surroundings(kind: str, seed: int, before: str, after: str) -> None:
    secret = KINDS[kind](random.Random(seed))
    # A value that spells one of the words that documents show in a secret's place passes: that is rare.
    found = find_secrets(f"{before}{secret}{after}")
    if not found:
        assert find_secrets(KINDS[kind](random.Random(seed + 1)))
        return
    assert [one.kind for one in found] == [kind]
    told = redact(f"{before}{secret}{after}")
    assert f"[redacted: {kind}]" in told
    assert told.startswith(before)
    assert told.endswith(after)
    assert find_secrets(told) == ()


@pytest.mark.parametrize("text", SHOWN)
def test_what_documents_show_in_a_secrets_place_passes(text: str) -> None:
    assert find_secrets(text) == ()
    assert redact(text) == text


@given(st.text())
def test_other_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def refused(work: Callable[[], object]) -> list[str]:
    with pytest.raises(InvalidInput) as refusal:
        work()
    assert TOKEN not in str(refusal.value)
    return [fault.where for fault in refusal.value.faults]


TOKEN = "ghp_" + made(random.Random(7), 36)


def test_whoever_writes_a_secret_is_refused_field_by_field(graph: MemoryGraph) -> None:
    write(graph, "Retries are capped at three", title="Retry cap")
    session = graph.start_session(SHOP, "Look at retries", agent=ME).session
    told = f"use {TOKEN}"
    assert refused(lambda: graph.remember(SHOP, draft(told, why=told, claims=[told]), actor=ME)) == [
        *("content", "why"),
        "claims.0",
    ]
    assert refused(lambda: graph.supersede(SHOP, "Retry cap", draft(told), actor=ME)) == ["content"]
    assert refused(lambda: graph.rename(SHOP, "Retry cap", told, actor=ME)) == ["title"]
    assert refused(lambda: graph.archive(SHOP, "Retry cap", actor=ME, reason=told)) == ["reason"]
    assert refused(lambda: graph.propose(SHOP, "Retry cap", draft=None, reason=told, actor=ME)) == ["reason"]
    assert refused(lambda: graph.propose(SHOP, "Retry cap", draft=draft(told), actor=ME)) == ["content"]
    assert refused(lambda: graph.start_session(SHOP, told, agent=ME)) == ["task"]
    assert refused(
        lambda: graph.finish_session(SHOP, session, summary=told, decisions=["no", told], follow_ups=[told], actor=ME)
    ) == ["summary", "decisions.1", "follow_ups.0"]
    (answer,) = graph.remember_all(SHOP, [draft(told)], actor=ME)
    assert isinstance(answer, ArchmemError)
    assert graph.memory(SHOP, "Retry cap").version == 1


def test_what_is_captured_is_redacted(graph: MemoryGraph) -> None:
    seen = write(graph, f"Deploy with {TOKEN} from the runner", why=f"because {TOKEN}", unreviewed=True)
    assert seen.content == "Deploy with [redacted: GitHub token] from the runner"
    assert seen.why == "because [redacted: GitHub token]"
    told = draft(f"Deploy from the new runner with {TOKEN}", unreviewed=True)
    made = graph.propose(SHOP, seen.id, draft=told, actor=ME)
    assert made.draft is not None
    assert made.draft.content == "Deploy from the new runner with [redacted: GitHub token]"


def test_a_question_is_noted_without_its_secret(graph: MemoryGraph) -> None:
    answer = graph.recall(SHOP, f"who may use {TOKEN}?")
    graph.note_recall(SHOP, answer)
    assert graph.coverage(SHOP).unanswered == ("who may use [redacted: GitHub token]?",)


def test_a_fault_names_field_and_kind_alone() -> None:
    (fault,) = secret_faults([("why", f"as {TOKEN} says")])
    assert (fault.where, fault.what) == ("why", "holds a secret (GitHub token); name where it is kept, not its value")
