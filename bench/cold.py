"""The first recall of a new process, part by part in milliseconds: `python -m bench.cold STORE QUESTION STARTED`."""

import json
import sys
import time

_STARTED = float(sys.argv[3]) if len(sys.argv) == 4 else time.time()
_BEGAN = time.time()

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import server.cli.main  # noqa: F401  what the command imports
from graph import recalling
from graph.embedders.local import LocalEmbedder
from graph.scopes import Scope
from graph.vectors import Vector
from server.bootstrap import open_graph
from server.settings import load_settings

SPENT = {"start of Python": (_BEGAN - _STARTED) * 1e3}


def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return the work with its milliseconds added to a part."""

    def do(*given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return work(*given, **named)
        finally:
            SPENT[name] = SPENT.get(name, 0.0) + (time.perf_counter() - start) * 1e3

    return do


class Split(LocalEmbedder):
    """The local model, loading and embedding told apart."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        timed("model load", self._load)()
        made: list[Vector] = timed("embed", super().embed)(texts)
        return made


def main() -> None:
    SPENT["imports"] = (time.time() - _BEGAN) * 1e3
    graph = open_graph(load_settings({"store": Path(sys.argv[1]), "project": "bench"}, {}), Split())
    asking = recalling._Asking
    for name in ("_candidates", "_are_vectors_usable"):
        setattr(asking, name, timed("search", getattr(asking, name)))
    for name in ("_ranked", "_linked", "_say"):
        setattr(asking, name, timed("rank and say", getattr(asking, name)))
    timed("recall", graph.recall)(Scope(project="bench"), sys.argv[2])
    whole = SPENT.pop("recall")
    told = sum(SPENT[name] for name in ("model load", "embed", "search", "rank and say"))
    SPENT["open and read the words"] = whole - told
    print(json.dumps(SPENT))


if __name__ == "__main__":
    main()
