"""An inferred model is written so that our own reader and the official one take it, whatever things are called."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift import Repository
from drift.inferring import Component, Container, Outside, Sketch, Use, write_dsl
from drift.inferring.titles import title, unique
from graph.c4 import read_model
from graph.elements import ElementKind
from graph.paths import covered
from tests.drift.conftest import Checkout
from tests.drift.inferred import FASTAPI, WEB, inferred, reread
from tests.graph.c4.files import Files

_ROOT = Path(__file__).resolve().parents[2]
_ORACLE = Path(os.environ.get("ARCHMEM_SHARED") or _ROOT.parent / "shared") / "oracle/structurizr/run"
_MISSING = [name for name in ("java", "mvn") if shutil.which(name) is None]
HOSTILE = [
    'a"b',
    "a;b|c",
    "a,b",
    "${HOME}",
    "a b ",
    "  x",
    "[x]",
    "{y}",
    "a\\b",
    "*",
    "!x",
    "#1",
    "a:b",
    "ü",
    "-",
    "workspace",
    "a\nb",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_folder_of_any_name_is_written_and_found_again(empty: Checkout, name: str) -> None:
    files = {f"{name}/package.json": WEB, f"{name}/one/a.ts": "", f"{name}/two/b.ts": "", "other/c.ts": ""}
    found = inferred(empty, files, name=name)
    with Repository.open(empty.root) as repository:
        tree = repository.tree(repository.head())
        paths = dict.fromkeys(tree.paths(), "")
    read = reread(found, paths)
    assert not read.warnings
    source = next(element.source for element in read.elements if element.kind is ElementKind.CONTAINER)
    assert set(covered(source, paths)) == set(paths) - {"other/c.ts"}


texts = st.text(max_size=12)
paths = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3).map("/".join)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_whatever_things_are_called_our_own_reader_takes_the_model(data: st.DataObject) -> None:
    taken: set[str] = set()
    made = [
        Container(
            key=f"container:{number}",
            name=unique(title(data.draw(texts)), taken, data.draw(texts)),
            source=tuple(data.draw(st.lists(paths, max_size=2))),
            description=data.draw(texts),
            technology=data.draw(texts),
            evidence=(data.draw(paths),),
            components=[Component(title(data.draw(texts)), (data.draw(paths),))],
        )
        for number in range(data.draw(st.integers(0, 3)))
    ]
    sketch = Sketch(
        data.draw(texts) or "x",
        containers=made,
        systems=[Outside("system:a", "A system that nobody else is", description=data.draw(texts))],
        uses=[Use(container.key, "system:a", data.draw(texts)) for container in made],
    )
    read = read_model(Files({"w.dsl": write_dsl(sketch, (data.draw(texts),))}), ["w.dsl"])
    assert not read.warnings
    assert sum(element.kind is ElementKind.CONTAINER for element in read.elements) == len(made)
    assert len(read.relationships) == len(made)


@pytest.mark.skipif(not _ORACLE.exists(), reason=f"the official reader is not at {_ORACLE}; ARCHMEM_SHARED can name it")
@pytest.mark.skipif(bool(_MISSING), reason=f"the official reader needs {' and '.join(_MISSING)}")
def test_the_official_reader_takes_what_is_written(empty: Checkout, tmp_path: Path) -> None:
    files: dict[str, str] = {}
    for name in HOSTILE:
        files |= {f"{name}/package.json": WEB, f"{name}/one/a.ts": 'import "../two/b"\n', f"{name}/two/b.ts": ""}
    services = "\n".join(f"  {json.dumps(name)}: {{image: 'redis:7', depends_on: [api]}}" for name in HOSTILE)
    compose = f"services:\n  api: {{build: api}}\n  keycloak: {{image: keycloak}}\n{services}\n"
    found = inferred(
        empty, {**files, "compose.yml": compose, "api/a.py": "", "api/pyproject.toml": FASTAPI}, name='A "shop"'
    )
    written = tmp_path / "workspace.dsl"
    written.write_text(write_dsl(found.sketch, ("a note \\",)), encoding="utf-8")
    done = subprocess.run([_ORACLE, written], capture_output=True, text=True, timeout=300, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["ok"], answer
    system = next(one for one in answer["workspace"]["model"]["softwareSystems"] if one.get("containers"))
    assert len(system["containers"]) == len(found.sketch.containers)
