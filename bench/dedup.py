"""What confirms: labelled pairs of memories, by threshold, with a bare cosine and with the signs of a difference.

Run: python -m bench.dedup [--beside another/dedup.py] [--pairs other-pairs.jsonl]

`--beside` measures another version of graph/dedup.py too; `--pairs` reads lines of {"a", "b", "label": 1 same, 0 not}.
A third of the pairs, chosen by a hash of their first text, is held out: no rule was tuned on it.
"""

import argparse
import hashlib
import importlib.util
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.machine import machine
from graph.dedup import contradiction_signals
from graph.embedders.local import LocalEmbedder
from graph.policy import DedupPolicy

LABELS = ("restatement", "refinement", "contradiction", "unrelated")
THRESHOLDS = (0.80, 0.82, 0.84, 0.86, 0.88, 0.90, 0.92, 0.94, 0.96, 0.98)
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)

Signs = Callable[[str, str], tuple[str, ...]]


@dataclass(frozen=True)
class Pair:
    """Two texts, what the second is to the first, and the cosine of their content vectors."""

    label: str
    kind: str
    old: str
    new: str
    cosine: float = 0.0

    @property
    def is_held_out(self) -> bool:
        return int.from_bytes(hashlib.sha256(self.old.encode()).digest()[:4]) % 3 == 0


def own_pairs() -> list[Pair]:
    folder = Path(__file__).parent
    return [
        Pair(label, **json.loads(line))
        for label in LABELS
        for path in sorted(folder.glob(f"dedup_pairs_{label}*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def other_pairs(path: Path) -> list[Pair]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [Pair("restatement" if row["label"] else "unrelated", "other", row["a"], row["b"]) for row in rows]


def measured(pairs: Sequence[Pair]) -> list[Pair]:
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.old, pair.new)))
    vectors = dict(zip(texts, LocalEmbedder().embed(texts), strict=True))
    return [
        Pair(pair.label, pair.kind, pair.old, pair.new, float(vectors[pair.old] @ vectors[pair.new])) for pair in pairs
    ]


def no_signs(_new: str, _old: str) -> tuple[str, ...]:
    return ()


def signs_of(path: Path) -> Signs:
    spec = importlib.util.spec_from_file_location("another_dedup", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    signs: Signs = module.contradiction_signals
    return signs


def confirmed(pairs: Sequence[Pair], signs: Signs, threshold: float) -> list[Pair]:
    return [pair for pair in pairs if pair.cosine >= threshold and not signs(pair.new, pair.old)]


def print_quantiles(pairs: Sequence[Pair]) -> None:
    print("| label | kind | pairs | " + " | ".join(f"{q:.0%}" for q in QUANTILES) + " |")
    print("|---|---|---" + "|---" * len(QUANTILES) + "|")
    for label in LABELS:
        of_label = [pair for pair in pairs if pair.label == label]
        for kind in ("all", *dict.fromkeys(pair.kind for pair in of_label)):
            found = [pair.cosine for pair in of_label if kind in ("all", pair.kind)]
            if found:
                cells = " | ".join(f"{value:.3f}" for value in np.quantile(found, QUANTILES))
                print(f"| {label} | {kind} | {len(found)} | {cells} |")
    print()


def print_confirms(name: str, pairs: Sequence[Pair], signs: Signs) -> None:
    counts = {label: sum(pair.label == label for pair in pairs) for label in LABELS}
    heads = " | ".join(f"{label}s of {count}" for label, count in counts.items())
    print(f"{name}\n\n| from cosine | {heads} | precision | recall |")
    print("|---" * (3 + len(LABELS)) + "|")
    for threshold in THRESHOLDS:
        found = confirmed(pairs, signs, threshold)
        by_label = {label: sum(pair.label == label for pair in found) for label in LABELS}
        right = by_label["restatement"]
        precision = f"{right / len(found):.2f}" if found else "–"
        recall = f"{right / counts['restatement']:.2f}" if counts["restatement"] else "–"
        cells = " | ".join(str(count) for count in by_label.values())
        print(f"| {threshold:.2f} | {cells} | {precision} | {recall} |")
    print()


def print_wrong(pairs: Sequence[Pair], signs: Signs, threshold: float) -> None:
    """List each wrong confirm, with its two texts."""
    for pair in confirmed(pairs, signs, threshold):
        if pair.label != "restatement":
            print(f"- {pair.label} ({pair.kind}), cosine {pair.cosine:.3f}:\n  {pair.old}\n  {pair.new}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what confirms.")
    parser.add_argument("--beside", type=Path, help="another version of graph/dedup.py")
    parser.add_argument("--pairs", type=Path, help="other labelled pairs instead of archmem's own")
    options = parser.parse_args()
    pairs = measured(other_pairs(options.pairs) if options.pairs else own_pairs())
    rules: dict[str, Signs] = {"bare cosine": no_signs}
    if options.beside:
        rules[f"signs of {options.beside.name}"] = signs_of(options.beside)
    rules["no sign of a difference"] = contradiction_signals
    parts = {"all pairs": pairs}
    if not options.pairs:
        parts["tuned on"] = [pair for pair in pairs if not pair.is_held_out]
        parts["held out"] = [pair for pair in pairs if pair.is_held_out]
    print(f"{machine()}\n")
    print_quantiles(pairs)
    for part, chosen in parts.items():
        for name, signs in rules.items():
            print_confirms(f"**{part}, {name}**", chosen, signs)
    policy = DedupPolicy()
    print(f"Wrong confirms from {policy.similar_at} on:\n")
    print_wrong(pairs, contradiction_signals, policy.similar_at)


if __name__ == "__main__":
    main()
