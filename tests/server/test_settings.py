"""Settings: what wins over what, and that no number stands twice."""

from pathlib import Path

import pytest

from drift import DriftPolicy
from graph.errors import InvalidInput
from graph.memories import Kind
from graph.policy import KIND_WEIGHTS, GraphPolicy
from graph.project_file import ProjectFile, parse_project_file
from server.settings import VARIABLES, Settings, drift_policy, graph_policy, load_settings, unknown_variables


def test_the_default_store_lies_in_the_users_data_folder() -> None:
    assert load_settings({}, {}).store.name == "archmem.db"
    assert load_settings({}, {}).store.is_absolute()


def test_options_win_over_the_environment() -> None:
    environment = {"ARCHMEM_STORE": "/env.db", "ARCHMEM_PROJECT": "env", "ARCHMEM_PORT": "1"}
    settings = load_settings({"store": "/option.db", "project": None, "port": 2}, environment)
    assert (settings.store, settings.project, settings.port) == (Path("/option.db"), "env", 2)


def test_an_empty_variable_is_none_but_an_empty_option_is_the_organisation() -> None:
    assert load_settings({}, {"ARCHMEM_PROJECT": " "}).project is None
    assert load_settings({"project": ""}, {"ARCHMEM_PROJECT": "env"}).project == ""


def test_every_fault_is_named_by_its_variable() -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings({"host": "0.0.0.0"}, {"ARCHMEM_EMBEDDER": "cloud", "ARCHMEM_PORT": "99999"})
    assert {fault.where for fault in caught.value.faults} == {"--host", "ARCHMEM_EMBEDDER", "ARCHMEM_PORT"}


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "::", "example.org"])
def test_only_loopback_is_served(host: str) -> None:
    with pytest.raises(InvalidInput, match="loopback"):
        load_settings({}, {"ARCHMEM_HOST": host})


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
