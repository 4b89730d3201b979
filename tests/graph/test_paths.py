"""The path matcher takes any text that a model may hold, and refuses only what would cost too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.paths import MOST_ALTERNATIVES, covers, is_matchable, matcher


def test_braces_stand_for_a_bounded_number_of_patterns() -> None:
    most = f"src/{{1..{MOST_ALTERNATIVES}}}/*.py"
    assert is_matchable(most)
    assert covers(most, f"src/{MOST_ALTERNATIVES}/a.py")
    assert not covers(most, f"src/{MOST_ALTERNATIVES + 1}/a.py")


@pytest.mark.parametrize(
    "pattern", ["src/{1..257}/*.py", "{a,b}" * 9, "a{1..999999999}", "{" * 3000, "{a," * 3000], ids=lambda one: one[:9]
)
def test_a_pattern_of_too_many_or_too_deep_braces_matches_as_a_literal_alone(pattern: str) -> None:
    assert not is_matchable(pattern)
    assert not covers(pattern, "src/1/a.py")
    assert covers(pattern, pattern)
    assert covers(pattern, f"{pattern}/a.py")
    assert matcher((pattern, "src"))("src/1/a.py")


def test_the_bound_is_of_one_pattern_and_not_of_a_source() -> None:
    source = tuple(f"src/{folder}/{{1..200}}/*.py" for folder in range(20))
    assert all(map(is_matchable, source))
    assert matcher(source)("src/19/200/a.py")


@pytest.mark.parametrize("pattern", ["", ".", "src/", "src/**", "{}", "{,}", "app/[id]/page.tsx", "a/{b"])
def test_what_has_few_alternatives_is_matchable(pattern: str) -> None:
    assert is_matchable(pattern)


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
@given(st.text(st.sampled_from("ab1/\\{},.*?[]!-()|"), max_size=40), st.text(max_size=20))
def test_no_pattern_breaks_the_matcher(pattern: str, path: str) -> None:
    assert covers(pattern, path) in (True, False)
