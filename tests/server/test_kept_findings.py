"""What drift runs found is kept between runs, whatever happens to the file."""

import multiprocessing
import random
from contextlib import suppress
from pathlib import Path

import pytest

from server import kept_findings as room
from server.kept_findings import kept_findings

ROOT = Path("/repository")


def add(folder: Path, pairs: dict[str, str]) -> None:
    with kept_findings(ROOT, folder=folder) as found:
        found.update(pairs)


def known(folder: Path) -> dict[str, str]:
    with kept_findings(ROOT, folder=folder) as found:
        return dict(found)


def test_what_was_found_is_known_to_the_next_run(tmp_path: Path) -> None:
    said = {"a": "yes", "b\n\t\\": "ä\n"}
    add(tmp_path, said)
    add(tmp_path, {"a": "no"})
    assert known(tmp_path) == said | {"a": "no"}


def test_repositories_know_nothing_of_each_other(tmp_path: Path) -> None:
    add(tmp_path, {"a": "yes"})
    with kept_findings(Path("/another"), folder=tmp_path) as found:
        assert not found


def test_a_run_that_fails_keeps_what_it_found(tmp_path: Path) -> None:
    with suppress(KeyError), kept_findings(ROOT, folder=tmp_path) as found:
        found["a"] = "yes"
        raise KeyError
    assert known(tmp_path) == {"a": "yes"}


def test_a_damaged_file_loses_only_what_was_damaged(tmp_path: Path) -> None:
    add(tmp_path, {str(number): "yes" for number in range(50)})
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    chance = random.Random(1)
    for _ in range(50):
        content = bytearray(whole[: chance.randrange(len(whole))])
        for _ in range(3):
            content[chance.randrange(len(content))] = chance.randrange(256)
        file.write_bytes(content)
        assert set(known(tmp_path).values()) <= {"yes"}
        add(tmp_path, {"more": "yes"})
        assert known(tmp_path)["more"] == "yes", "also after a line that was cut off"


def test_the_file_stays_bounded_and_keeps_what_came_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_BYTES", 4000)
    for number in range(300):
        add(tmp_path, {f"key {number}": "yes"})
    [file] = tmp_path.iterdir()
    assert file.stat().st_size <= 4000
    assert {f"key {number}" for number in range(290, 300)} <= known(tmp_path).keys()


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    add(tmp_path / "file" / "folder", {"a": "yes"})
    assert known(tmp_path / "file" / "folder") == {}


def _add_many(folder: Path, name: str) -> None:
    for number in range(40):
        add(folder, {f"{name} {number}": "yes" * 200})


def test_several_processes_share_a_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_many, args=(tmp_path, name)) for name in "ab"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(known(tmp_path)) == 80
