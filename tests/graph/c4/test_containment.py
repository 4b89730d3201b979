"""Reading a model touches nothing but the files of its folder: no other file, network, process or variable."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.graph.c4.real import MISSING, REAL
from tests.graph.c4.real_workspaces import real_dsl, real_json

_HOSTILE = """
!const HOME_OF_NOBODY "kept"
workspace extends ../outside.json {
    !include ../outside.dsl
    !include link.dsl
    !include linked
    !include {outside}/outside.dsl
    !include file://{outside}/outside.dsl
    !include http://127.0.0.1:9/a.dsl
    !include https://127.0.0.1:9/a.dsl
    !plugin com.example.Evil {
        command "touch {outside}/ran"
    }
    !script groovy {
        new File("{outside}/ran").createNewFile()
    }
    !script ../outside.kts
    !docs ../outside
    !adrs ../outside
    !adrs {outside}
    model {
        s = softwareSystem "S ${ARCHMEM_TEST_SECRET}" "${HOME_OF_NOBODY}" {
            !components {
                classes ../outside
            }
            properties {
                path "../outside.dsl"
            }
        }
    }
    views {
        !include ../outside.dsl
        theme https://127.0.0.1:9/theme.json
        styles {
            element "Element" {
                icon ../outside.png
            }
        }
    }
}
"""
# Runs in a process of its own: a hook of Python's audit cannot be taken away again.
_READER = """
import json, sys
from pathlib import Path
from graph.c4 import find_models, read_model
from graph.errors import UnreadableModel
from graph.trees import FolderTree
from server.work_tree import WorkTree

told, texts = [], []
reading = False

def hook(event, arguments):
    if reading and event.split(".")[0] in ("socket", "subprocess", "os", "open", "shutil", "urllib", "ctypes"):
        told.append((event, str(arguments[0]) if arguments else ""))

sys.addaudithook(hook)
for name in json.loads(sys.argv[1]):
    folder, file = Path(name).parent, Path(name).name
    for tree in (FolderTree(folder), WorkTree(folder)):
        reading = True
        try:
            find_models(tree)
            model = read_model(tree, [file])
            texts.append(model.model_dump_json())
        except UnreadableModel as refused:
            texts.append(str(refused))
        reading = False
print(json.dumps({"told": told, "texts": texts}))
"""


def _read(files: list[Path], secret: str = "told") -> tuple[list[tuple[str, str]], list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _READER, json.dumps([str(file) for file in files])],
        env={**os.environ, "ARCHMEM_TEST_SECRET": secret},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return [(event, path) for event, path in answer["told"]], answer["texts"]


def _outside(events: list[tuple[str, str]], folder: Path) -> list[tuple[str, str]]:
    """Return what is neither a look at the folder nor Python's reading of its own code."""
    root = str(folder.resolve())
    code = (str(Path(sys.prefix).resolve()), str(Path(sys.base_prefix).resolve()), str(Path(__file__).parents[3]))
    looks = {"open": (root, *code), "os.scandir": (root, *code), "os.listdir": (root, *code), "os.walk": (root,)}
    return [
        (event, path)
        for event, path in events
        if not any(Path(os.path.realpath(path)).is_relative_to(place) for place in looks.get(event, ()))
    ]


def test_a_hostile_model_reaches_nothing_outside_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    (folder / "docs").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for name in ("outside.dsl", "outside.kts", "outside/0001-secret.md"):
        (tmp_path / name).write_text('stolen = person "Stolen"\n')
    (tmp_path / "outside.json").write_text('{"model": {"people": [{"name": "Stolen"}]}}')
    (folder / "link.dsl").symlink_to(tmp_path / "outside.dsl")
    (folder / "linked").symlink_to(tmp_path / "outside")
    hostile = _HOSTILE.replace("{outside}", str(tmp_path))
    (folder / "workspace.dsl").write_text(hostile)
    events, texts = _read([folder / "workspace.dsl"])
    assert _outside(events, folder) == []
    assert not (tmp_path / "ran").exists()
    for text in texts:
        model = json.loads(text)
        assert [(one["name"], one["description"]) for one in model["elements"]] == [
            ("S ${ARCHMEM_TEST_SECRET}", "kept")
        ]
        assert model["decisions"] == []
        warned = {warning["where"]: warning["what"] for warning in model["warnings"]}
        lines = hostile.splitlines()
        for number, line in enumerate(lines[: lines.index("    model {")], start=1):
            if line.strip().startswith(("workspace", "!include", "!plugin", "!script", "!adrs")):
                assert warned[f"workspace.dsl:{number}"]


@pytest.mark.skipif(not REAL.is_dir(), reason=MISSING)
def test_no_real_model_reaches_anything_outside_its_folder() -> None:
    events, texts = _read([REAL / name for name in (*real_dsl(), *real_json())])
    assert len(texts) > 80
    assert _outside(events, REAL) == []
