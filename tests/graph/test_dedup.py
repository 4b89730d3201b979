"""When two texts say the same: restatements confirm, every contradiction is kept apart."""

import pytest

from graph.dedup import contradiction_signals, normalised

GATEWAY = "The gateway strips custom headers longer than 8KB"


@pytest.mark.parametrize(
    "text",
    [
        "the gateway strips custom headers longer than 8KB.",
        "Gateway strips the custom headers that are longer than 8 KB!",
        "The gateway   strips\ncustom headers longer than 8kb",
        "The gateway stripped a custom header longer than 8KB",
    ],
)
def test_a_restatement_shows_no_sign_of_a_difference(text: str) -> None:
    assert contradiction_signals(text, GATEWAY) == ()


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
    ],
)
def test_a_difference_is_seen_from_both_sides(new: str, old: str, sign: str) -> None:
    assert sign in contradiction_signals(new, old)
    assert sign in contradiction_signals(old, new)


def test_normalised_texts_are_equal_but_for_case_space_and_end_mark() -> None:
    assert normalised(" The  Gateway\nstrips. ") == normalised("the gateway strips")
    assert normalised("caf\u00e9") == normalised("cafe\u0301")
    assert normalised("8KB") != normalised("16KB")
