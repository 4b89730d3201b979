"""The GitHub Action: its shell steps, run in real checkouts, and its comment, posted to a real HTTP server."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.server.shop import commit, git, make_shop

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
INSTALL, FETCH, CHECK, COMMENT, END = STEPS
CHANGED = {"src/api/limits.py": "LIMIT = 200\n"}


class Runner:
    """What GitHub's runner gives a step: the files it writes to, and the environment that expressions become."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.folder, self.checkout = folder, checkout
        (folder / "temp").mkdir(parents=True)
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")}
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("ARCHMEM_", "GIT"))
        }
        self.environment |= {"HOME": str(folder), "GIT_CONFIG_GLOBAL": os.devnull, "RUNNER_TEMP": str(folder / "temp")}
        self.environment |= {name: str(path) for name, path in self.files.items()}
        for path in self.files.values():
            path.touch()

    def run(self, name: str, code: int = 0, **values: str) -> str:
        """Run a step with these values of its expressions, others being empty; return what it printed."""
        step = STEPS[name]
        values = dict.fromkeys(step["env"], "") | values
        assert set(values) == set(step["env"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.checkout,
            env={**self.environment, **values},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def outputs(self) -> dict[str, str]:
        lines = self.files["GITHUB_OUTPUT"].read_text("utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def summary(self) -> str:
        return self.files["GITHUB_STEP_SUMMARY"].read_text("utf-8")

    @property
    def comment(self) -> Path:
        return self.folder / "temp" / "archmem-drift" / "comment.md"


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner at the shop, in which archmem of this environment is installed."""
    found = Runner(tmp_path / "runner", make_shop(tmp_path / "shop"))
    found.environment["ARCHMEM_BIN"] = str(Path(sys.executable).parent)
    return found


class Issues(BaseHTTPRequestHandler):
    """GitHub's comments of one pull request, kept in a list; it refuses a wrong token."""

    comments: list[dict[str, Any]]

    def do_GET(self) -> None:
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1])  # type: ignore[index]
        self._answer(200, self.comments[100 * (page - 1) : 100 * page])

    def do_POST(self) -> None:
        assert self.path == "/api/repos/acme/shop/issues/17/comments"
        self.comments.append(
            {"id": len(self.comments), "html_url": f"https://x.example/{len(self.comments)}", **self._body()}
        )
        self._answer(201, self.comments[-1])

    def do_PATCH(self) -> None:
        number = int(self.path.removeprefix("/api/repos/acme/shop/issues/comments/"))
        self.comments[number] |= self._body()
        self._answer(200, self.comments[number])

    def log_message(self, *_: object) -> None:
        return

    def _body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, status: int, value: object) -> None:
        allowed = self.headers["Authorization"] == "Bearer secret"
        self.send_response(status if allowed else 403)
        self.end_headers()
        self.wfile.write(json.dumps(value if allowed else {"message": "no"}).encode())


@pytest.fixture
def issues(runner: Runner) -> Iterator[list[dict[str, Any]]]:
    """The comments of pull request 17, at a real server to which the runner's API address points."""
    comments: list[dict[str, Any]] = []
    handler = type("Handler", (Issues,), {"comments": comments})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        runner.environment |= {
            "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}/api",
            "GITHUB_REPOSITORY": "acme/shop",
        }
        yield comments
        server.shutdown()
        thread.join()


def test_no_expression_stands_inside_a_script() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"], step["name"]
        assert step["shell"] == "bash"


def test_every_input_is_used_and_every_output_is_one_of_the_check() -> None:
    told = json.dumps(ACTION["runs"])
    assert all(f"inputs.{name}" in told for name in ACTION["inputs"])
    assert set(ACTION["outputs"]) == {"score", "matched", "moved", "drifted", "missing", "new", "status"}
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.check.outputs.{name} }}}}"


def test_the_check_gives_outputs_a_summary_annotations_and_sarif(runner: Runner) -> None:
    commit(runner.checkout, {**CHANGED, "src/extra/new.py": "x = 1\n"})
    sarif = runner.folder / "drift.sarif"
    out = runner.run(CHECK, BASE="HEAD~1", SARIF=str(sarif), FAIL_ON="any")
    assert {name: runner.outputs[name] for name in ACTION["outputs"]} == {
        **{"score": "60", "matched": "3", "moved": "0", "drifted": "1", "missing": "0", "new": "1"},
        "status": "violated",
    }
    assert "::error title=drifted%3A Shop.API,file=workspace.dsl," in out
    assert "Drift score **100 → 60**" in runner.summary
    assert json.loads(sarif.read_text("utf-8"))["version"] == "2.1.0"
    assert "1 element touched" in runner.comment.read_text("utf-8")
    assert runner.outputs["code"] == "1"
    runner.run(END, code=1, CODE=runner.outputs["code"])


def test_a_kept_check_passes(runner: Runner) -> None:
    runner.run(CHECK)
    assert (runner.outputs["status"], runner.outputs["code"]) == ("kept", "0")
    runner.run(END, CODE="0")


def test_a_model_that_cannot_be_read_is_invalid_and_fails(runner: Runner) -> None:
    commit(runner.checkout, {"workspace.dsl": "workspace {\n model {\n"})
    out = runner.run(CHECK)
    assert "workspace.dsl:" in out
    assert runner.outputs == {"status": "invalid", "code": "2"}
    assert "could not run" in runner.summary


def test_nothing_in_an_input_is_run(runner: Runner) -> None:
    hostile = '"; touch pwned; echo "$(touch pwned)`touch pwned`'
    for name in ("BASE", "MIN_SCORE", "FAIL_ON", "STORE", "SERVER"):
        runner.run(CHECK, 0, **{name: hostile})
    runner.run(FETCH, BASE=hostile)
    assert not list(runner.folder.rglob("pwned")) + list(runner.checkout.rglob("pwned"))


def test_a_shallow_checkout_is_fetched_whole(runner: Runner, tmp_path: Path) -> None:
    base = git(runner.checkout, "rev-parse", "HEAD")
    commit(runner.checkout, CHANGED)
    git(tmp_path, "clone", "-q", "--depth", "1", runner.checkout.as_uri(), "shallow")
    runner.checkout = tmp_path / "shallow"
    runner.run(FETCH, BASE=base)
    assert git(runner.checkout, "rev-parse", "--is-shallow-repository") == "false"
    runner.run(CHECK, BASE=base)
    assert runner.outputs["drifted"] == "1"


def test_a_checkout_that_cannot_be_deepened_is_undecided_never_clean(runner: Runner, tmp_path: Path) -> None:
    commit(runner.checkout, CHANGED)
    git(tmp_path, "clone", "-q", "--depth", "1", runner.checkout.as_uri(), "shallow")
    runner.checkout = tmp_path / "shallow"
    git(runner.checkout, "remote", "set-url", "origin", (tmp_path / "gone").as_uri())
    assert "::warning::the history could not be fetched" in runner.run(FETCH)
    runner.run(CHECK)
    assert (runner.outputs["status"], runner.outputs["code"]) == ("undecided", "3")


def test_the_first_run_comments_and_the_next_ones_update(runner: Runner, issues: list[dict[str, Any]]) -> None:
    issues.extend({"id": i, "html_url": "", "body": f"> <!-- archmem drift -->\n{i}"} for i in range(120))
    commit(runner.checkout, CHANGED)
    for _ in range(2):
        runner.run(CHECK, BASE="HEAD~1")
        runner.run(COMMENT, GITHUB_TOKEN="secret", NUMBER="17")
        assert len(issues) == 121
        assert "Drift score **100 → 75**" in issues[120]["body"]
    runner.run(CHECK, BASE="HEAD")
    assert "updated https://x.example/120" in runner.run(COMMENT, GITHUB_TOKEN="secret", NUMBER="17")
    assert len(issues) == 121
    assert "touches no documented element any more" in issues[120]["body"]


def test_there_is_no_comment_where_no_element_is_touched(runner: Runner, issues: list[dict[str, Any]]) -> None:
    runner.run(CHECK, BASE="HEAD")
    assert "skipped" in runner.run(COMMENT, GITHUB_TOKEN="secret", NUMBER="17")
    assert issues == []


def test_a_token_that_may_not_comment_fails_no_check(runner: Runner, issues: list[dict[str, Any]]) -> None:
    commit(runner.checkout, CHANGED)
    runner.run(CHECK, BASE="HEAD~1")
    out = runner.run(COMMENT, GITHUB_TOKEN="none", NUMBER="17")
    assert "refused with 403" in out
    assert "::warning::the comment could not be posted" in out
    assert "GITHUB_TOKEN cannot be used" in runner.run(COMMENT, NUMBER="17")
    assert issues == []


def test_it_installs_itself_in_an_environment_of_its_own(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "runner", tmp_path)
    wheel = ["pip", "download", "--quiet", "--no-deps", "--dest", str(tmp_path / "reached"), "hatchling"]
    if subprocess.run([sys.executable, "-m", *wheel], capture_output=True, check=False).returncode:
        pytest.skip("no package index can be reached")
    runner.run(INSTALL, ARCHMEM_SOURCE=str(ROOT))
    bin_folder = runner.files["GITHUB_ENV"].read_text("utf-8").strip().removeprefix("ARCHMEM_BIN=")
    shop = make_shop(tmp_path / "shop")
    command = [f"{bin_folder}/archmem", "drift", "check", "--json"]
    told = subprocess.run(command, cwd=shop, env=runner.environment, stdout=subprocess.PIPE, check=True)
    assert json.loads(told.stdout)["status"] == "kept"


def test_the_hook_checks_what_is_staged(runner: Runner) -> None:
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))[0]
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
    commit(runner.checkout, {"archmem.toml": '[drift]\nfail_on = "any"\n'})
    entry = hook["entry"].split()
    command = [f"{runner.environment['ARCHMEM_BIN']}/{entry[0]}", *entry[1:]]

    def hooked() -> int:
        return subprocess.run(command, cwd=runner.checkout, env=runner.environment, check=False).returncode

    assert hooked() == 0
    (runner.checkout / "src/api/limits.py").write_text("LIMIT = 200\n", "utf-8")
    assert hooked() == 0
    git(runner.checkout, "add", "-A")
    assert hooked() == 1
