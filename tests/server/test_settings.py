"""Settings: what wins over what, and that no number stands twice."""

from pathlib import Path

import pytest

from drift import DriftPolicy
from graph.embedders.sentence_transformers import available
from graph.errors import InvalidInput, Unavailable
from graph.memories import Kind
from graph.policy import KIND_WEIGHTS, GraphPolicy
from graph.project_file import ProjectFile, parse_project_file
from server.bootstrap import choose_embedder
from server.settings import (
    PROVIDER_URLS,
    VARIABLES,
    Settings,
    drift_policy,
    graph_policy,
    load_settings,
    unknown_variables,
)


def test_the_default_store_lies_in_the_users_data_folder() -> None:
    store = load_settings({}, {}).store
    assert isinstance(store, Path)
    assert store.name == "archmem.db"
    assert store.is_absolute()


def test_options_win_over_the_environment() -> None:
    environment = {"ARCHMEM_STORE": "/env.db", "ARCHMEM_PROJECT": "env", "ARCHMEM_PORT": "1"}
    settings = load_settings({"store": "/option.db", "project": None, "port": 2}, environment)
    assert (settings.store, settings.project, settings.port) == (Path("/option.db"), "env", 2)


def test_an_empty_variable_is_none_but_an_empty_option_is_the_organisation() -> None:
    assert load_settings({}, {"ARCHMEM_PROJECT": " "}).project is None
    assert load_settings({"project": ""}, {"ARCHMEM_PROJECT": "env"}).project == ""


@pytest.mark.parametrize("scheme", ["neo4j", "neo4j+s", "bolt", "bolt+s"])
def test_a_store_may_be_a_servers_address(scheme: str) -> None:
    environment = {
        "ARCHMEM_STORE": f"{scheme}://graph.example.org:7687/",
        "ARCHMEM_NEO4J_USER": "archmem",
        "ARCHMEM_NEO4J_PASSWORD": "secret-word",
        "ARCHMEM_NEO4J_DATABASE": "memories",
    }
    settings = load_settings({}, environment)
    assert settings.store == f"{scheme}://graph.example.org:7687"
    assert (settings.neo4j_user, settings.neo4j_database) == ("archmem", "memories")
    assert settings.neo4j_password.get_secret_value() == "secret-word"
    assert "secret-word" not in f"{settings!r} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    "store", ["http://host", "mysql://host", "neo4j://", "bolt://host:0", "bolt://host:x", "neo4j://host/db", "file:/x"]
)
def test_an_address_that_is_none_is_refused(store: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings({"store": store}, {})
    assert [fault.where for fault in caught.value.faults] == ["--store"]
    assert store in str(caught.value)


def test_an_address_with_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings({}, {"ARCHMEM_STORE": "neo4j://me:secret-word@host"})
    assert "ARCHMEM_NEO4J_PASSWORD" in str(caught.value)
    assert "secret-word" not in str(caught.value)


def test_every_fault_is_named_by_its_variable() -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings(
            {"host": ""}, {"ARCHMEM_ALLOWED_HOSTS": "a b", "ARCHMEM_EMBEDDER": "cloud", "ARCHMEM_PORT": "99999"}
        )
    assert {fault.where for fault in caught.value.faults} == {
        "--host",
        "ARCHMEM_ALLOWED_HOSTS",
        "ARCHMEM_EMBEDDER",
        "ARCHMEM_PORT",
    }


def test_a_provider_is_set_by_variables() -> None:
    environment = {
        "ARCHMEM_EMBEDDER": "openai",
        "ARCHMEM_EMBEDDER_MODEL": "text-embedding-3-small",
        "ARCHMEM_EMBEDDER_URL": "https://models.example.org/v1/",
        "ARCHMEM_EMBEDDER_KEY": "sk-secret",
        "ARCHMEM_EMBEDDER_DIMENSIONS": "512",
        "ARCHMEM_EMBEDDER_TIMEOUT": "2.5",
    }
    settings = load_settings({}, environment)
    assert (settings.embedder_url, settings.embedder_dimensions) == ("https://models.example.org/v1", 512)
    assert (settings.embedder_timeout, settings.embedder_key.get_secret_value()) == (2.5, "sk-secret")
    assert "sk-secret" not in f"{settings!r} {settings.model_dump_json()}"
    embedder = choose_embedder(settings)
    assert embedder is not None
    assert embedder.identity == "openai:text-embedding-3-small:512"


@pytest.mark.parametrize(("provider", "host"), [("openai", "https://api.openai.com/v1"), ("ollama", "localhost:11434")])
def test_a_provider_has_its_usual_address(provider: str, host: str) -> None:
    assert host in PROVIDER_URLS[provider]
    settings = load_settings({}, {"ARCHMEM_EMBEDDER": provider, "ARCHMEM_EMBEDDER_MODEL": "m"})
    embedder = choose_embedder(settings)
    assert embedder is not None
    assert embedder.name == f"{provider}:m"


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"EMBEDDER": "openai"}, "_MODEL"),
        ({"EMBEDDER": "sentence-transformers"}, "_MODEL"),
        ({"EMBEDDER_MODEL": "m"}, "_MODEL"),
        ({"EMBEDDER": "local", "EMBEDDER_DIMENSIONS": "3"}, "_DIMENSIONS"),
        ({"EMBEDDER": "sentence-transformers", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "http://a"}, "_URL"),
        ({"EMBEDDER": "ollama", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "localhost:11434"}, "_URL"),
        ({"EMBEDDER": "ollama", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "http://a:99999"}, "_URL"),
        ({"EMBEDDER": "ollama", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "http://[a"}, "_URL"),
        ({"EMBEDDER": "openai", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "https://me:SECRET@a/v1"}, "_URL"),
        ({"EMBEDDER": "openai", "EMBEDDER_MODEL": "m", "EMBEDDER_URL": "https://a/v1?key=SECRET"}, "_URL"),
        ({"EMBEDDER": "openai", "EMBEDDER_MODEL": "m", "EMBEDDER_KEY": "SEC RET"}, "_KEY"),
        ({"EMBEDDER": "openai", "EMBEDDER_MODEL": "m", "EMBEDDER_KEY": "SECRET\r\nX: y"}, "_KEY"),
        ({"EMBEDDER": "openai", "EMBEDDER_MODEL": "m", "EMBEDDER_TIMEOUT": "0"}, "_TIMEOUT"),
    ],
)
def test_what_the_embedder_cannot_use_is_refused_by_its_variable_without_a_secret(
    given: dict[str, str], where: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings({}, {f"ARCHMEM_{name}": value for name, value in given.items()})
    assert [fault.where for fault in caught.value.faults] == [f"ARCHMEM_EMBEDDER{where}"]
    assert "SEC" not in str(caught.value)


def test_no_embedder_minds_no_setting_of_another() -> None:
    assert choose_embedder(load_settings({}, {"ARCHMEM_EMBEDDER": "none", "ARCHMEM_EMBEDDER_MODEL": "m"})) is None


@pytest.mark.skipif(available(), reason="the extra `sentence-transformers` is installed")
def test_an_extra_that_is_not_installed_is_told() -> None:
    with pytest.raises(Unavailable, match="not installed") as caught:
        choose_embedder(load_settings({}, {"ARCHMEM_EMBEDDER": "sentence-transformers", "ARCHMEM_EMBEDDER_MODEL": "m"}))
    assert "archmem[sentence-transformers]" in caught.value.next_step


def test_names_of_hosts_are_read_as_a_list() -> None:
    settings = load_settings({}, {"ARCHMEM_ALLOWED_HOSTS": "Shop.example.org, 10.0.0.7"})
    assert settings.allowed_hosts == ("shop.example.org", "10.0.0.7")


def test_a_file_that_says_nothing_changes_no_number() -> None:
    assert graph_policy(ProjectFile()) == GraphPolicy()
    assert drift_policy(ProjectFile()) == DriftPolicy()


def test_the_project_file_changes_the_numbers_it_names() -> None:
    content = b"""
[ranking]
half_life_days = 10
evidence = false
ranking = "rrf"
kind_weights = { note = 9.5 }
[drift]
ignore = ["gen/**"]
min_score = 70
"""
    settings = load_settings({}, {}, parse_project_file(content))
    ranking = settings.graph.ranking
    assert (ranking.half_life_days, ranking.evidence, ranking.ranking) == (10, False, "rrf")
    assert ranking.kind_weights == {**KIND_WEIGHTS, Kind.NOTE: 9.5}
    assert ranking.freshness_floor == GraphPolicy().ranking.freshness_floor
    assert (settings.drift.ignore, settings.drift.min_score) == (("gen/**",), 70)


def test_every_variable_is_a_setting_and_is_told() -> None:
    assert {variable.name.removeprefix("ARCHMEM_").lower() for variable in VARIABLES} <= Settings.model_fields.keys()
    assert all(variable.meaning.endswith((".", "`.")) for variable in VARIABLES)
    assert unknown_variables({"ARCHMEM_STORE": "x", "ARCHMEM_STROE": "x", "PATH": ""}) == ("ARCHMEM_STROE",)


def test_a_pattern_of_too_many_alternatives_is_a_fault_of_the_project_file() -> None:
    content = b'[sources]\nShop = ["src", "{1..257}/*.py"]\n\n[drift]\nignore = ["{1..257}.md"]\n'
    with pytest.raises(InvalidInput) as refused:
        parse_project_file(content)
    assert [fault.where for fault in refused.value.faults] == [
        "archmem.toml [sources.Shop.1]",
        "archmem.toml [drift.ignore.0]",
    ]
    assert all("stands for more than 256 patterns" in fault.what for fault in refused.value.faults)
