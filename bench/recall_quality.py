"""Recall on long conversations: archmem beside grep, BM25, vectors alone and rank fusion.

Run: python -m bench.recall_quality LOCOMO.json [--tuned N]

Reads a file in the shape of LoCoMo (snap-research/LoCoMo, data/locomo10.json; its licence forbids shipping it). Each
turn is one memory, "speaker: text"; a question's evidence is the turns that answer it; recall@k is the share of the
evidence among the first k. The first conversations were used to tune, the others only to check.
"""

import argparse
import json
import math
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np
import uuid_utils

from bench.machine import machine
from graph.embedders.local import LocalEmbedder
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.policy import GraphPolicy, RankingPolicy, RecallPolicy
from graph.ranking import fuse
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.terms import analyse
from graph.vectors import Vector

DEPTHS = (1, 5, 10)
FOREIGN_QUESTIONS = 100
BOUNDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
Rank = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class Conversation:
    """Turns by id, and questions with the ids that answer them."""

    name: str
    turns: dict[str, str]
    questions: list[tuple[str, frozenset[str]]]


def read_conversations(path: Path) -> list[Conversation]:
    """Return the conversations of a LoCoMo-shaped file; questions without evidence are left out."""
    return [_conversation(entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(entry: dict[str, Any]) -> Conversation:
    sessions = [value for key, value in entry["conversation"].items() if re.fullmatch(r"session_\d+", key)]
    turns = {turn["dia_id"]: f"{turn['speaker']}: {turn['text']}" for session in sessions for turn in session}
    questions = []
    for asked in entry["qa"]:
        evidence = frozenset(re.findall(r"D\d+:\d+", " ".join(asked.get("evidence", [])))) & turns.keys()
        if evidence:
            questions.append((str(asked["question"]), frozenset(evidence)))
    return Conversation(entry["sample_id"], turns, questions)


class Embedded(LocalEmbedder):
    """The local model, each text once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        for text in texts:
            if text not in self._known:
                self._known[text] = super().embed([text])[0]
        return [self._known[text] for text in texts]


def remember(graph: MemoryGraph, scope: Scope, conversation: Conversation) -> dict[str, str]:
    """Store every turn; return the memory of each (a repeated turn confirms the first)."""
    return {
        turn: graph.remember(scope, Draft(content=text), actor="bench").memory.id
        for turn, text in conversation.turns.items()
    }


def rank_by_grep(conversation: Conversation) -> Rank:
    """Order by how many of the question's words stand in the turn, as grep -c over alternatives would."""
    lowered = {turn: text.lower() for turn, text in conversation.turns.items()}

    def rank(question: str) -> list[str]:
        wanted = {word for word in re.findall(r"\w+", question.lower()) if len(word) > 2}
        count = {turn: sum(word in text for word in wanted) for turn, text in lowered.items()}
        return sorted((t for t in count if count[t]), key=lambda turn: -count[turn])

    return rank


def rank_by_bm25(conversation: Conversation, k1: float = 1.2, b: float = 0.75) -> Rank:
    """Order by Okapi BM25 over our own terms."""
    held = {turn: Counter(analyse(text)) for turn, text in conversation.turns.items()}
    length = {turn: sum(terms.values()) for turn, terms in held.items()}
    average = sum(length.values()) / len(length)
    holding = Counter(term for terms in held.values() for term in terms)

    def rank(question: str) -> list[str]:
        score: dict[str, float] = {}
        for term in analyse(question):
            idf = math.log(1 + (len(held) - holding[term] + 0.5) / (holding[term] + 0.5))
            for turn, terms in held.items():
                if terms[term]:
                    norm = k1 * (1 - b + b * length[turn] / average)
                    score[turn] = score.get(turn, 0.0) + idf * terms[term] * (k1 + 1) / (terms[term] + norm)
        return sorted(score, key=lambda turn: -score[turn])

    return rank


def rank_by_vectors(conversation: Conversation, embedder: Embedded) -> Rank:
    """Order by the cosine of question and turn."""
    names = list(conversation.turns)
    matrix = np.stack(embedder.embed(list(conversation.turns.values())))
    return lambda question: [names[i] for i in np.argsort(-(matrix @ embedder.embed([question])[0]), kind="stable")]


def rank_by_fusion(rankings: Sequence[Rank]) -> Rank:
    """Order by reciprocal rank fusion, k = 60."""

    def rank(question: str) -> list[str]:
        fused = fuse([ranking(question)[:200] for ranking in rankings], 60)
        return sorted(fused, key=lambda turn: -fused[turn])

    return rank


def recall_at(ranked: Sequence[str], evidence: frozenset[str]) -> list[float]:
    return [len(evidence & set(ranked[:depth])) / len(evidence) for depth in DEPTHS]


def measure(graph: MemoryGraph, conversation: Conversation, embedder: Embedded) -> dict[str, list[list[float]]]:
    """Return recall at each depth, by system, for each question."""
    scope = Scope(project=conversation.name)
    memory = remember(graph, scope, conversation)

    def ask(question: str) -> list[str]:
        return [hit.id for hit in graph.recall(scope, question, limit=10, budget=10**9).hits]

    bm25, vectors = rank_by_bm25(conversation), rank_by_vectors(conversation, embedder)
    systems = {
        "grep": rank_by_grep(conversation),
        "BM25": bm25,
        "vectors alone": vectors,
        "rank fusion": rank_by_fusion((bm25, vectors)),
    }
    found: dict[str, list[list[float]]] = {name: [] for name in (*systems, "archmem")}
    for question, evidence in conversation.questions:
        for name, rank in systems.items():
            found[name].append(recall_at(rank(question), evidence))
        found["archmem"].append(recall_at(ask(question), frozenset(memory[turn] for turn in evidence)))
    return found


def best_relevance(graph: MemoryGraph, scope: Scope, question: str, wanted: frozenset[str] | None = None) -> float:
    """Return the highest relevance of any hit, or of the wanted ones."""
    hits = graph.recall(scope, question, limit=100, budget=10**9, explain=True).hits
    return max(
        (hit.factors.relevance for hit in hits if hit.factors and (wanted is None or hit.id in wanted)), default=0.0
    )


def measure_silence(graph: MemoryGraph, conversations: Sequence[Conversation]) -> list[tuple[float, float, float]]:
    """Return, by bound of relevance, the share of answered questions kept and of unanswered ones silent.

    Unanswered are questions of the other conversations: the same everyday matters, about other people.
    """
    chance = random.Random(1)
    answered: list[float] = []
    unanswered: list[float] = []
    for conversation in conversations:
        scope = Scope(project=conversation.name)
        memory = remember(graph, scope, conversation)
        for question, evidence in chance.sample(conversation.questions, FOREIGN_QUESTIONS):
            wanted = frozenset(memory[turn] for turn in evidence)
            answered.append(best_relevance(graph, scope, question, wanted))
        foreign = [q for other in conversations if other is not conversation for q, _ in other.questions]
        unanswered.extend(best_relevance(graph, scope, q) for q in chance.sample(foreign, FOREIGN_QUESTIONS))
    return [
        (bound, float(np.mean(np.array(answered) >= bound)), float(np.mean(np.array(unanswered) < bound)))
        for bound in BOUNDS
    ]


def open_graph(folder: str, embedder: Embedded, policy: GraphPolicy) -> MemoryGraph:
    store = SqliteStore(Path(folder) / "archmem.db")
    return MemoryGraph(
        Parts(store, lambda: datetime(2026, 1, 1, tzinfo=UTC), lambda: str(uuid_utils.uuid7()), embedder, policy)
    )


def show(title: str, rows: dict[str, list[list[float]]]) -> None:
    count = len(next(iter(rows.values())))
    print(f"\n{title}: {count} questions\n\n| system | " + " | ".join(f"recall@{d}" for d in DEPTHS) + " |")
    print("|---|" + "---|" * len(DEPTHS))
    for name, values in rows.items():
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in np.mean(values, axis=0)) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Recall on a LoCoMo-shaped file, beside what people use instead.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--tuned", type=int, default=5, help="How many conversations were used to tune.")
    options = parser.parse_args()
    conversations = read_conversations(options.file)
    embedder = Embedded()
    with tempfile.TemporaryDirectory() as folder:
        graph = open_graph(folder, embedder, GraphPolicy())
        with click.progressbar(conversations, label="conversations", file=sys.stderr) as shown:
            measured = [measure(graph, conversation, embedder) for conversation in shown]
        print(machine())
        parts = {
            f"first {options.tuned} (tuned)": measured[: options.tuned],
            "others (held out)": measured[options.tuned :],
            "all": measured,
        }
        for title, part in parts.items():
            if part:
                show(title, {name: [row for one in part for row in one[name]] for name in part[0]})
        open_policy = GraphPolicy(
            ranking=RankingPolicy(min_relevance=0.0), recall=RecallPolicy(max_limit=100, pulling_hits=0)
        )
        silence = measure_silence(open_graph(folder, embedder, open_policy), conversations)
    print("\n| min_relevance | answered questions kept | unanswered questions silent |\n|---|---|---|")
    for bound, kept, silent in silence:
        print(f"| {bound:.2f} | {kept:.3f} | {silent:.3f} |")


if __name__ == "__main__":
    main()
