"""Whatever a model in YAML holds, reading it ends, with a model or with a refusal that says where."""

import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.c4.test_any_diagram import damaged, read_anything

ARCHYL = """version: "1.0"
project: {name: Shop}
systems:
  - &shop
    name: Shop
    type: software_system
    external: false
    tags: [a, "b"]
    owners: {teams: [x], users: [y]}
    containers:
      - name: API
        path: a.go
        technologies: &go [Go]
        components:
          - {name: Cart, code: [{name: C, type: class}]}
  - <<: *shop
    name: Other
    technologies: *go
  - name: Customer
    type: person
relationships:
  - from: Customer
    to: Shop.API
    label: |
      Buys
      in
    type: uses
adrs:
  folder: docs/adr
  records:
    - {title: One, number: 1}
docs: {folder: .}
include:
  - archyl.yaml
  - "*.yaml"
nodes:
  - {id: a, children: [b], path: a.go}
  - {id: b, children: [a]}
edges:
  - {from: a, to: b, label: x}
"""
PACTA = """version: 1
system:
  id: shop
containers:
  api:
    code:
      roots: [src]
      layers:
        ui: {patterns: ["src/**"]}
"""
PIECES = [
    "- name: Shop",
    "&a",
    "*a",
    "<<: *shop",
    "---",
    "...",
    "%YAML 9.9",
    "? x",
    "!!binary x",
    "\t- x",
    "[",
    "{",
    "|",
]


@settings(deadline=2_000, max_examples=100)
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_anything(f"version: {text}", "archyl.yaml")


@settings(deadline=4_000, max_examples=300)
@given(damaged(ARCHYL, PIECES))
def test_a_damaged_archyl_file_is_read_or_refused(text: str) -> None:
    read_anything(text, "archyl.yaml")


@settings(deadline=4_000, max_examples=100)
@given(damaged(PACTA, PIECES))
def test_a_damaged_pacta_file_is_read_or_refused(text: str) -> None:
    read_anything(text, "architecture.yml")


def _huge() -> dict[str, str]:
    n = 100_000
    return {
        "flow": "[" * n,
        "mappings": "{a: " * n,
        "depth": "".join(f"{' ' * i}a:\n" for i in range(1_500)),
        "dashes": "- " * n,
        "keys": "".join(f"a{i}: b\n" for i in range(n)),
        "text": f'"{"x" * n}',
        "anchors": "".join(f"a{i}: &a{i} x\n" for i in range(n // 4)),
        "bomb": "a: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)),
        "merges": "a: &a0 {x: y}\n" + "".join(f"a{i}: &a{i} {{<<: *a{i - 1}, b{i}: c}}\n" for i in range(1, 2_000)),
        "systems": "systems:\n" + "".join(f"  - {{name: A{i}}}\n" for i in range(10_000)),
        "one name": "systems:\n" + "  - {name: A}\n" * 10_000,
        "relationships": "systems: [{name: A}]\nrelationships:\n" + "  - {from: A, to: A}\n" * 10_000,
        "nodes": "nodes:\n" + "".join(f"  - {{id: n{i}, children: [n{i + 1}]}}\n" for i in range(5_000)),
        "labels": "nodes:\n" + "".join(f"  - {{id: n{i}, label: n}}\n" for i in range(5_000)),
        "escape": '"\\UFFFFFFFF"',
        "version": f"%YAML 1.{'9' * 5_000}\n---\na: b",
    }


@pytest.mark.parametrize("name", _huge())
def test_a_huge_file_is_read_or_refused_within_seconds(name: str) -> None:
    began = time.monotonic()
    read_anything(f'version: "1.0"\n{_huge()[name]}', "archyl.yaml")
    read_anything(_huge()[name], "archyl.yaml")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("text", [ARCHYL, *(_huge()[name] for name in ("flow", "depth", "bomb", "escape", "version"))])
def test_the_slower_parser_of_other_machines_serves_too(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    read_anything(text, "archyl.yaml")
