"""When two texts say the same: restatements confirm, every contradiction is kept apart."""

from itertools import chain

import pytest

from bench.dedup import LABELS, own_pairs
from graph.dedup import contradiction_signals, normalised

GATEWAY = "The gateway strips custom headers longer than 8KB"


@pytest.mark.parametrize(
    "text",
    [
        "the gateway strips custom headers longer than 8KB.",
        "Gateway strips the custom headers that are longer than 8 KB!",
        "The gateway   strips\ncustom headers longer than 8kb",
        "Note that the gateway really strips custom headers which are longer than 8 kilobytes.",
        "**The gateway** strips custom headers (longer than 8KB)",
    ],
)
def test_a_restatement_shows_no_sign_of_a_difference(text: str) -> None:
    assert contradiction_signals(text, GATEWAY) == ()
    assert contradiction_signals(GATEWAY, text) == ()


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("It can't run, it isn't safe", "It cannot run; it is not safe"),
        ("We won't retry", "we will not retry"),
        ("You have to run it", "You must run it"),
        ("Don't forget to run `make proto`", "Run `make proto`"),
        ("Make sure to tag the release", "Tag the release"),
        ("Wait three seconds", "Wait 3 s"),
        ("WAIT 15 MINUTES", "Wait 15 minutes"),
        ("A 30-second timeout, at 12 percent", "A 30s timeout, at 12%"),
        ("Up to 10,000 rows", "Up to 10000 rows"),
        ("The colour serialiser was cancelled", "The color serializer was canceled"),
        ("The prod DB is in the repo", "The production database is in the repository"),
        ("State lives in `dp-state-eu`", "State lives in dp-state-eu"),
        ("Call `load()` from `api/orders.proto`", "Call load() from api/orders.proto"),
        ("Retries are turned off", "Retries are switched off"),
        ("Build, lint, and test", "Build, lint and test"),
        ("The log is append-only -- always", "The log is append only: always"),
    ],
)
def test_closed_equivalences_are_no_difference(new: str, old: str) -> None:
    assert contradiction_signals(new, old) == ()
    assert contradiction_signals(old, new) == ()


@pytest.mark.parametrize(
    ("new", "old", "sign"),
    [
        ("The gateway strips custom headers longer than 16KB", GATEWAY, "numbers"),
        ("Always retry the payment call", "Never retry the payment call", "polarity"),
        ("Retries are enabled", "Retries are disabled", "polarity"),
        ("Do retry the call", "Don't retry the call", "polarity"),
        ("It can be cached", "It can't be cached", "polarity"),
        ("The build must run as root", "The build may run as root", "polarity"),
        ("Call `open_session` first", "Call `close_session` first", "code"),
        ("Set maxRetries", "Set maxRetries and minRetries", "code"),
        ("Read src/a.py first", "Read src/b.py first", "code"),
        ("Needs version 1.2.3", "Needs version 1.2.4", "numbers"),
        ("Deploys from main", "Deploys from release", "words"),
        ("checkout calls billing", "billing calls checkout", "order"),
        ("The cache is warmed at start and flushed nightly", "The cache is warmed at start", "words"),
        ("Use it before commit", "Use it after commit", "polarity"),
        ("Timeout is 3 s", "Timeout is 30 s", "numbers"),
        ("Port 8080", "Port 8081", "numbers"),
        ("The limit is -5", "The limit is 5", "numbers"),
        ("The link carries 100 Mb", "The link carries 100 MB", "numbers"),
        ("It takes 5m", "It takes 5M", "words"),
        ("It takes 5 m", "It takes 5 M", "words"),
        ("Free from $50 on", "Free from €50 on", "words"),
        ("Alert at < 10%", "Alert at > 10%", "words"),
        ("Data flows a -> b", "Data flows a <- b", "words"),
        ("Written in C++", "Written in C", "words"),
        ("Use `x` ^2.31", "Use `x` ~2.31", "words"),
        ("Ignore .env", "Ignore env", "code"),
        ("Run it with --check", "Run it with check", "code"),
        ("Mounted at /etc/tls", "Mounted at etc/tls", "code"),
        ("`env` is set", "`environment` is set", "code"),
        ("Is the ledger append-only?", "The ledger is append-only", "words"),
        ("Approved by security and finance", "Approved by security or finance", "words"),
        ("Raise it to 512 MB", "Raise it by 512 MB", "words"),
        ("Copied from a to b", "Copied to a from b", "order"),
        ("Checkout calls billing", "Checkout is called by billing", "words"),
        ("It was served from Mongo", "It is served from Mongo", "words"),
        ("The custom header", "The customer header", "words"),
        ("The author endpoint", "The authorization endpoint", "words"),
        ("A few nodes have disks", "Few nodes have disks", "words"),
        ("Each worker opens a connection", "Each worker opens connections", "words"),
        ("You must not restart it", "You do not have to restart it", "words"),
        ("It is not really safe", "It is not safe", "words"),
        ("It takes over 5 nodes", "It takes more than 5 nodes", "polarity"),
        ("Only admins can read it", "Admins can only read it", "order"),
        ("Never cache. Responses are signed", "Never cache responses. Are signed", "order"),
        ("Make sure the cache is warm", "The cache is warm", "words"),
        ("Use plan A", "Use plan", "words"),
        ("```\nFoo(1)\n```", "```\nfoo(1)\n```", "code"),
    ],
)
def test_a_difference_is_seen_from_both_sides(new: str, old: str, sign: str) -> None:
    assert sign in contradiction_signals(new, old)
    assert sign in contradiction_signals(old, new)


def test_normalised_texts_are_equal_but_for_case_space_and_end_mark() -> None:
    assert normalised(" The  Gateway\nstrips. ") == normalised("the gateway strips")
    assert normalised("caf\u00e9") == normalised("cafe\u0301")
    assert normalised("8KB") != normalised("16KB")


@pytest.mark.parametrize("label", [label for label in LABELS if label != "restatement"])
def test_no_labelled_pair_that_differs_shows_no_sign(label: str) -> None:
    quiet = [
        (pair.old, pair.new)
        for pair in own_pairs()
        if pair.label == label
        and not (contradiction_signals(pair.new, pair.old) and contradiction_signals(pair.old, pair.new))
    ]
    assert quiet == []


def test_a_text_restates_itself_and_no_word_but_an_empty_one_can_be_left_out() -> None:
    empty = {"the", "please", "really", "currently", "basically", "actually"}
    for text in chain.from_iterable((pair.old, pair.new) for pair in own_pairs()):
        assert contradiction_signals(text, text) == ()
        words = text.split()
        for i, word in enumerate(words):
            shorter = " ".join(words[:i] + words[i + 1 :])
            is_said = word.casefold() not in empty and (words[i - 1 : i], word) != (["so"], "that")
            assert not is_said or word in "–--" or contradiction_signals(shorter, text), (word, text)
