"""What becomes of a memory whose claims the code leaves behind: from remember to VERIFY, confirm and revert."""

from pathlib import Path

from tests.server.shop import Cli, commit, git

PITFALL = "The gateway answers 429 above `LIMIT`, counted by `allow()`; see `src/api/limits.py::allow`"


def recalled(cli: Cli) -> str:
    return str(cli("recall", "gateway limit", "--json").json["text"])


def test_the_evidence_of_a_memory_from_remember_to_revert(cli: Cli, shop: Path) -> None:
    commit(shop, {})
    cli("remember", PITFALL, "--element", "Shop.API", "--kind", "pitfall", "--claim", "src/api/limits.py::LIMIT=100")
    cli("drift", "run")
    assert "VERIFY" not in recalled(cli)

    # What the memory claims still stands: a quiet note, although the element drifted.
    first = "LIMIT = 100\nBURST = 10\n\n\ndef allow(count):\n    return count < LIMIT\n"
    commit(shop, {"src/api/limits.py": first})
    ran = cli("drift", "run", "--json").json
    assert ran["stamped"]["flagged"] == []
    assert "[the element drifted; what this memory claims still stands]" in recalled(cli)

    commit(shop, {"src/api/limits.py": first.replace("100", "200").replace("allow", "admit")})
    ran = cli("drift", "run", "--json").json
    assert len(ran["stamped"]["flagged"]) == 1
    text = recalled(cli)
    assert "`src/api/limits.py::allow`, gone" in text
    assert "`src/api/limits.py::LIMIT=100`, 200 now" in text
    assert "VERIFY — the element drifted" in text

    known = cli("recall", "gateway limit", "--json").json["hits"][0]["id"]
    assert "archmem/drift" in cli("history", known).out
    cli("confirm", known)
    assert "VERIFY" not in recalled(cli)
    cli("drift", "run")
    assert "VERIFY" not in recalled(cli)


def test_a_revert_clears_and_an_older_commit_does_not(cli: Cli, shop: Path) -> None:
    commit(shop, {})
    start = git(shop, "rev-parse", "HEAD")
    cli("remember", "A page a minute: `src/api/limits.py::LIMIT=100`")
    cli("drift", "run")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n\n\ndef allow(count):\n    return count < LIMIT\n"})
    # A memory of the whole project has its claims alone.
    assert len(cli("drift", "run", "--json").json["stamped"]["flagged"]) == 1
    assert "[VERIFY — cites `src/api/limits.py::LIMIT=100`, 200 now]" in str(
        cli("recall", "page a minute", "--json").json["text"]
    )
    git(shop, "checkout", "-q", "--detach", start)
    assert cli("drift", "run", "--json").json["stamped"]["cleared"] == []
    git(shop, "checkout", "-q", "-")
    git(shop, "revert", "--no-edit", "HEAD")
    assert len(cli("drift", "run", "--json").json["stamped"]["cleared"]) == 1
    assert "VERIFY" not in str(cli("recall", "page a minute", "--json").json["text"])
