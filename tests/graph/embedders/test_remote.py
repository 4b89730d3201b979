"""Embedders over HTTP against a real server: the protocol, batches, long texts, faults, and the key never told."""

import logging
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest

from graph.embedders.dialects import Ollama, OpenAI
from graph.embedders.posting import Refused
from graph.embedders.remote import RemoteEmbedder
from graph.errors import Unavailable
from tests.graph.embedders.provider import (
    KEY,
    Fault,
    Provider,
    answers,
    breaks_off,
    drips,
    hangs_up,
    meaning,
    nan,
    reverses,
    rows,
    sleeps,
    status,
    vectors_of,
)

TEXTS = ["a gateway", "an invoice", "a basket"]


def openai(provider: Provider, model: str = "small", timeout: float = 10, **more: int) -> RemoteEmbedder:
    return RemoteEmbedder(OpenAI(), model, f"{provider.url}/v1", key=KEY, timeout=timeout, **more)


def ollama(provider: Provider, model: str = "small") -> RemoteEmbedder:
    return RemoteEmbedder(Ollama(), model, provider.url, timeout=10)


def expected(text: str) -> list[float]:
    vector = meaning(text, 64)
    length = sum(number * number for number in vector) ** 0.5
    return [number / length for number in vector]


def is_right(embedder: RemoteEmbedder) -> bool:
    return all(np.allclose(v, expected(t), atol=1e-6) for t, v in zip(TEXTS, embedder.embed(TEXTS), strict=True))


# The protocol
def test_openai_is_asked_as_it_says_with_the_key_as_bearer(provider: Provider) -> None:
    embedder = openai(provider)
    assert is_right(embedder)
    asked = provider.asked[0]
    assert (asked.path, asked.body) == ("/v1/embeddings", {"model": "small", "input": TEXTS})
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert embedder.identity == "openai:small:64"
    assert len(provider.asked) == 1


def test_ollama_is_asked_as_it_says_without_a_key_and_never_truncates(provider: Provider) -> None:
    provider.sizes["small:latest"] = 64
    assert is_right(ollama(provider))
    asked = provider.asked[0]
    assert (asked.path, asked.body) == ("/api/embed", {"model": "small", "input": TEXTS, "truncate": False})
    assert "authorization" not in asked.headers
    assert ollama(provider, "small:latest").identity == "ollama:small:64"


def test_vectors_have_unit_length(provider: Provider) -> None:
    assert all(abs(np.linalg.norm(vector) - 1) < 1e-6 for vector in openai(provider).embed(TEXTS))


def test_the_identity_asks_once_and_the_name_never(provider: Provider) -> None:
    embedder = openai(provider)
    assert embedder.name == "openai:small"
    assert provider.asked == []
    assert [embedder.identity for _ in range(3)] == ["openai:small:64"] * 3
    assert embedder.name == "openai:small:64"
    assert len(provider.asked) == 1


def test_given_dimensions_are_asked_for_and_need_no_probe(provider: Provider) -> None:
    embedder = openai(provider, dimensions=32)
    assert (embedder.identity, provider.asked) == ("openai:small:32", [])
    assert embedder.embed(["a gateway"])[0].shape == (32,)
    assert provider.asked[0].body["dimensions"] == 32


def test_vectors_go_by_index_not_by_place(provider: Provider) -> None:
    provider.then(reverses)
    assert is_right(openai(provider))


def test_batches_are_bounded_by_count_and_by_characters(provider: Provider) -> None:
    embedder = openai(provider)
    assert len(embedder.embed([f"memory {i}" for i in range(70)])) == 70
    assert [len(asked.texts) for asked in provider.asked] == [32, 32, 6]
    provider.asked.clear()
    embedder.embed(["word " * 400] * 40)
    assert [sum(map(len, asked.texts)) <= 48_000 for asked in provider.asked] == [True, True]


def test_no_text_is_no_request(provider: Provider) -> None:
    assert openai(provider).embed([]) == []
    assert provider.asked == []


@pytest.mark.parametrize("text", ["", " \n", "\x00", "half \ud800"])
def test_a_text_that_a_provider_would_refuse_has_a_vector_too(provider: Provider, text: str) -> None:
    assert openai(provider).embed([text])[0].shape == (64,)


# Long texts
def test_what_stands_late_in_a_long_text_still_counts(provider: Provider) -> None:
    filler = "the quick brown fox jumps over the lazy dog " * 100
    plain, told, asked = openai(provider).embed([filler, f"{filler} {'refunds ' * 200}", "refunds"])
    assert float(told @ asked) > float(plain @ asked) + 0.1


def test_a_text_too_long_for_the_model_is_cut_smaller_and_no_part_is_lost(provider: Provider) -> None:
    provider.longest = 600
    embedder = ollama(provider)
    text = f"{'the quick brown fox ' * 150}{'refunds ' * 20}"
    told, asked = embedder.embed([text, "refunds"])
    assert float(told @ asked) > 0.05
    sent = [piece for one in provider.asked[-1:] for piece in one.texts]
    assert max(map(len, sent)) <= 600
    assert "".join(sent[:-1]) == text
    provider.asked.clear()
    embedder.embed([text])
    assert len(provider.asked) == 1


def test_a_refusal_that_is_not_about_length_is_told(provider: Provider) -> None:
    provider.then(status(400), status(400))
    with pytest.raises(Refused, match="answers 400"):
        openai(provider).embed(["word " * 1_000])
    assert len(provider.asked) == 2


# Faults that pass
@pytest.mark.parametrize(
    "fault",
    [
        status(429),
        status(429, Retry_After="0"),
        status(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
        status(429, Retry_After="soon"),
        status(500),
        status(503),
        hangs_up,
        breaks_off,
    ],
    ids=["429", "429-0", "429-date", "429-odd", "500", "503", "hangs-up", "breaks-off"],
)
def test_a_fault_that_passes_is_tried_again(provider: Provider, fault: Fault) -> None:
    provider.then(fault, fault)
    assert is_right(openai(provider))
    assert len(provider.asked) == 3


@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_honoured(provider: Provider, as_date: bool) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=2)
    provider.then(status(429, Retry_After=format_datetime(moment, usegmt=True) if as_date else "1"))
    begun = time.monotonic()
    assert is_right(openai(provider))
    assert 0.9 <= time.monotonic() - begun < 4


def test_a_wait_beyond_the_deadline_is_not_waited(provider: Provider) -> None:
    provider.then(status(429, Retry_After="3600"))
    begun = time.monotonic()
    with pytest.raises(Unavailable, match="asks to wait 3600 s"):
        openai(provider).embed(TEXTS)
    assert time.monotonic() - begun < 1


@pytest.mark.parametrize("fault", [sleeps(1), drips], ids=["silent", "drips"])
def test_a_time_out_is_tried_again_and_the_deadline_holds(provider: Provider, fault: Fault) -> None:
    provider.then(fault)
    assert is_right(openai(provider, timeout=1))
    provider.then(*[fault] * 5)
    begun = time.monotonic()
    with pytest.raises(Unavailable, match=r"in time|within"):
        openai(provider, timeout=0.6).embed(TEXTS)
    assert time.monotonic() - begun < 1.2


def test_attempts_have_an_end_and_the_next_caller_is_not_kept_waiting(provider: Provider) -> None:
    provider.then(*[status(500, Retry_After="0")] * 10)
    embedder = openai(provider)
    with pytest.raises(Unavailable, match="after 5 attempts") as caught:
        embedder.embed(TEXTS)
    assert "archmem reindex" in caught.value.next_step
    begun = time.monotonic()
    with pytest.raises(Unavailable, match="asked again in"):
        embedder.embed(TEXTS)
    assert time.monotonic() - begun < 0.1
    assert len(provider.asked) == 5


def test_nobody_there_is_told_in_words() -> None:
    embedder = RemoteEmbedder(OpenAI(), "small", "http://127.0.0.1:9/v1", key=KEY, timeout=2)
    with pytest.raises(Unavailable, match="cannot be reached"):
        embedder.embed(TEXTS)
    with pytest.raises(Unavailable, match="cannot be reached"):
        _ = embedder.identity


# Faults that do not pass
@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (status(400), "answers 400"),
        (status(401), "refuses the key"),
        (status(403), "refuses the key"),
        (status(404), "answers 404"),
        (status(307, Location="http://127.0.0.1:9/v1/embeddings"), "redirects"),
        (answers(b'{"data": [{"index": 0, "embedd'), "cut off"),
        (answers(b"[" * 100_000), "cut off"),
        (answers(b"\xff\xfe"), "cut off"),
        (answers(b"<html>", "text/html"), "text/html"),
        (answers({"error": "no"}), "without `data`"),
        (answers([]), "without `data`"),
        (answers({"data": [1, 2, 3]}), "without `data`"),
        (answers({"data": [{"embedding": [1.0]}] * 3}), "`index`"),
        (answers({"data": [{"index": 0, "embedding": [1.0]}] * 3}), "`index`"),
        (answers(rows([[1.0] * 64] * 2)), "2 vectors for 3 texts"),
        (answers(rows([[1.0] * 64] * 4)), "4 vectors for 3 texts"),
        (answers(rows([[1.0] * 64, [1.0] * 64, [1.0] * 63])), "63 and 64 numbers"),
        (vectors_of(nan), "not finite"),
        (vectors_of(lambda n: [[0.0] * 64] * n), "zero"),
        (vectors_of(lambda n: [["1.0"] * 64] * n), "no list of numbers"),
        (vectors_of(lambda n: [[[1.0], [2.0, 3.0]]] * n), "no list of numbers"),
        (vectors_of(lambda n: [None] * n), "no list of numbers"),
        (vectors_of(lambda n: [[]] * n), "no list of numbers"),
        (vectors_of(lambda n: [[10**400] * 64] * n), "no list of numbers"),
    ],
)
def test_a_fault_that_stays_is_told_at_once(provider: Provider, fault: Fault, what: str) -> None:
    provider.then(fault)
    with pytest.raises(Unavailable, match=what) as caught:
        openai(provider).embed(TEXTS)
    assert caught.value.next_step
    assert caught.value.id == "openai:small"
    assert len(provider.asked) == 1
    assert is_right(openai(provider))


def test_another_size_than_before_is_refused(provider: Provider) -> None:
    embedder = openai(provider)
    assert is_right(embedder)
    provider.sizes["small"] = 80
    with pytest.raises(Unavailable, match="80 numbers, not of 64"):
        embedder.embed(TEXTS)


def test_another_size_than_asked_for_is_refused(provider: Provider) -> None:
    provider.then(vectors_of(lambda n: [[1.0] * 64] * n))
    with pytest.raises(Unavailable, match="64 numbers, not of 32"):
        openai(provider, dimensions=32).embed(TEXTS)


def test_ollamas_answers_are_checked_too(provider: Provider) -> None:
    provider.then(answers({"embeddings": [[1.0] * 64]}), answers({"embedding": [1.0]}))
    for what in ("1 vectors for 3 texts", "without `embeddings`"):
        with pytest.raises(Unavailable, match=what):
            ollama(provider).embed(TEXTS)


@pytest.mark.parametrize("code", [302, 400, 401, 404, 418, 429, 500])
def test_the_key_is_in_no_error_and_no_log(provider: Provider, code: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    provider.then(*[status(code, Retry_After="0", Location=f"{provider.url}/elsewhere")] * 5)
    embedder = openai(provider)
    with pytest.raises(Unavailable) as caught:
        embedder.embed(TEXTS)
    told = f"{caught.value} {caught.value!r} {caught.value.id} {embedder!r} {vars(caught.value)}"
    assert KEY not in told
    assert KEY not in caplog.text
    assert {asked.path for asked in provider.asked} == {"/v1/embeddings"}


def test_the_providers_own_words_are_told(provider: Provider) -> None:
    with pytest.raises(Unavailable, match="model 'tiny' not found"):
        openai(provider, "tiny").embed(TEXTS)
