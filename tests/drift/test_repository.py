"""What the one room with git in it answers."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from drift import Repository, judge_report, normalised_remote, read_project
from graph.drift_report import Verdict
from graph.errors import CannotDecide, InvalidInput, Unavailable, Unknown
from tests.drift.conftest import Checkout, day, dsl, found


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@github.com:Acme/Shop.git", "github.com/acme/shop"),
        ("https://user:secret@GitHub.com/acme/shop", "github.com/acme/shop"),
        ("https://github.com/acme/shop.git/", "github.com/acme/shop"),
        ("ssh://git@gitlab.example.org:2222/group/sub/shop.git", "gitlab.example.org/group/sub/shop"),
        ("git://host.example/acme/shop.git", "host.example/acme/shop"),
        ("/srv/git/shop.git", ""),
        ("../shop", ""),
        ("file:///srv/git/shop.git", ""),
        ("C:\\git\\shop", ""),
        ("", ""),
    ],
)
def test_a_remote_is_known_by_host_owner_and_name(url: str, name: str) -> None:
    assert normalised_remote(url) == name


def test_any_folder_inside_opens_the_repository(shop: Checkout) -> None:
    with Repository.open(shop.root / "src/api") as repository:
        assert repository.root == shop.root
        assert repository.head() == shop.git("rev-parse", "HEAD")
        assert repository.committed_at("HEAD") == day(1)
        assert repository.author("HEAD") == "dev"


def test_a_folder_outside_any_repository_is_unknown(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(Unknown, match="no git repository"):
            Repository.open(place)


def test_a_folder_of_another_owner_is_refused_with_the_remedy(shop: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(Unavailable) as caught:
        Repository.open(shop.root)
    assert f"safe.directory {shop.root}" in caught.value.next_step


def test_an_empty_repository_cannot_be_decided(empty: Checkout) -> None:
    with Repository.open(empty.root) as repository:
        with pytest.raises(CannotDecide):
            repository.head()
        with pytest.raises(CannotDecide):
            repository.identity()
        assert repository.root_commit() == ""
    with pytest.raises(CannotDecide):
        empty.check()


@pytest.mark.parametrize("rev", ["nowhere", "", "--all", "HEAD:src"])
def test_a_revision_that_names_no_commit_is_invalid(shop: Checkout, rev: str) -> None:
    with Repository.open(shop.root) as repository, pytest.raises(InvalidInput) as caught:
        repository.resolve(rev)
    assert caught.value.id == rev


def test_the_identity_is_the_origin_else_the_first_commit(shop: Checkout) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit({"notes.txt": "1"})
    with Repository.open(shop.root) as repository:
        assert (repository.origin(), repository.identity()) == ("", f"root:{first}")
    shop.git("remote", "add", "backup", "https://example.org/other/shop")
    shop.git("remote", "add", "disk", str(shop.root))
    shop.git("remote", "add", "origin", "git@github.com:Acme/Shop.git")
    with Repository.open(shop.root) as repository:
        assert repository.remotes() == ("github.com/acme/shop", "example.org/other/shop")
        assert repository.identity() == "github.com/acme/shop"


def test_a_worktree_is_the_same_project(shop: Checkout) -> None:
    shop.git("worktree", "add", "--quiet", "-b", "other", str(shop.root.parent / "tree"))
    with Repository.open(shop.root) as one, Repository.open(shop.root.parent / "tree") as other:
        assert one.identity() == other.identity()
        assert other.root == shop.root.parent / "tree"
        assert other.head() == one.head()


def test_the_tree_is_read_from_objects_never_from_the_disk(shop: Checkout) -> None:
    (shop.root / "src/link").symlink_to("api/pay.js")
    (shop.root / "src/out").symlink_to("../../etc/passwd")
    shop.commit()
    shop.write("src/api/pay.js", "edited\n")
    with Repository.open(shop.root) as repository:
        tree = repository.tree("HEAD")
        assert "src/api/pay.js" in tree.paths()
        assert tree.read("src/link") == tree.read("src/api/pay.js") == b"function pay() {\n  return total();\n}\n"
        assert tree.blobs()["src/api/pay.js"] == shop.git("rev-parse", "HEAD:src/api/pay.js")
        for path in ("src/out", "src/none", "src"):
            with pytest.raises(Unknown):
                tree.read(path)


def test_a_detached_head_and_a_bare_clone_give_the_same_report(shop: Checkout, tmp_path: Path) -> None:
    shop.commit({"src/api/pay.js": "other();\n"})
    expected = shop.check()
    shop.git("checkout", "--quiet", "--detach")
    assert shop.check() == expected
    bare = Checkout(tmp_path / "bare.git")
    bare.git("clone", "--quiet", "--bare", str(shop.root), ".")
    assert bare.check() == expected
    assert found(expected).verdict is Verdict.DRIFTED


def test_the_users_settings_change_nothing(shop: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Checkout(tmp_path / "library")
    library.git("init", "--quiet")
    library.commit({"x": "1"})
    shop.git("submodule", "--quiet", "add", str(library.root), "src/api/lib")
    shop.commit({"src/api/grün.js": "1\n"})
    base = shop.git("rev-parse", "HEAD")
    library.commit({"x": "2"})
    shop.git("-C", "src/api/lib", "pull", "--quiet")
    shop.git("mv", "src/web/page.js", "src/web/renamed.js")
    shop.commit({"src/api/grün.js": "2\n"})
    expected = shop.check(base=base)
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[core]\nquotePath = true\npager = false\n[diff]\nrenames = false\nrenameLimit = 1\nignoreSubmodules = all\n"
        "noprefix = true\nrelative = true\norderFile = /nowhere\nexternal = false\n[color]\nui = always\n"
        "[log]\nshowSignature = true\nshowRoot = false\ndecorate = full\ndate = relative\nfollow = true\n"
        "[i18n]\nlogOutputEncoding = latin1\n[format]\npretty = oneline\n[status]\nsubmoduleSummary = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert shop.check(base=base) == expected
    assert found(expected).files == ("src/api/grün.js", "src/api/lib")
    assert found(expected, "Shop.Web").verdict is Verdict.MATCHED


def test_the_git_dir_of_a_hook_does_not_lead_elsewhere(
    make: Callable[[str], Checkout], shop: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make("other")
    other.commit({"a": "1"})
    head = shop.git("rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    with Repository.open(shop.root) as repository:
        assert repository.head() == head


def test_blobs_are_read_from_several_threads(shop: Checkout) -> None:
    for number in range(30):
        shop.write(f"many/{number}.txt", f"{number}\n" * 500)
    shop.commit()
    with Repository.open(shop.root) as repository:
        tree = repository.tree("HEAD")
        wrong: list[str] = []

        def read() -> None:
            wrong.extend(n for n in map(str, range(30)) if tree.read(f"many/{n}.txt") != f"{n}\n".encode() * 500)

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert repository.read_blob("0" * 39 + "1") is None
        assert repository.read_blob(tree.blobs()["many/1.txt"]) is not None


def test_a_commit_without_a_model_says_so(empty: Checkout) -> None:
    empty.commit({"a.js": "1\n"})
    with Repository.open(empty.root) as repository, pytest.raises(Unknown, match="no architecture model"):
        read_project(repository, "HEAD")


def test_the_project_file_names_the_model_and_maps_its_sources(empty: Checkout) -> None:
    empty.commit(
        {
            "archmem.toml": '[project]\nid = "shop"\n[model]\nfiles = ["arch/shop.dsl"]\n'
            '[sources]\n"Shop.API" = ["b.js"]\n',
            "arch/shop.dsl": dsl({"API": "a.js"}),
            "a.js": "1\n",
            "b.js": "1\n",
        }
    )
    with Repository.open(empty.root) as repository:
        project, model = read_project(repository, "HEAD")
    assert project.project.id == "shop"
    assert [element.source for element in model.elements] == [(), ("b.js",)]
    report = empty.check()
    assert [new.path for new in report.new] == ["."]
    assert judge_report(report, min_score=60).exit_code == 1
