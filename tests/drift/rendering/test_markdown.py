"""The job summary and the pull request's comment."""

import html
import re
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from drift import FORMATS, MARKER, KnownFindings, judge_report, known_of, results_of
from drift.rendering.quoting import code, link
from graph.drift_report import Finding, Verdict
from graph.elements import ElementKind
from tests.drift.reports import DRIFTED, change, checked, note, report

BREAKS_OUT = (
    "</details><script>x</script> `` @acme/team #1 ![i](https://x.example/i.png)\n# head\n| `b` | https://x.example"
)


def test_the_summary_tells_all_worst_first() -> None:
    known = KnownFindings(findings=known_of(results_of(report(DRIFTED))), from_file=True)
    text = FORMATS["markdown"](checked(known=known, fail_on="new", notices=["no memories"]))
    assert "Drift score **50** (fair)" in text
    assert "- **violated**: 3 drifted, missing or new findings" in text
    assert "- **drifted** (known) `Shop.API`: 2 commits, 1 file, 25% of lines" in text
    assert "- **missing** `Shop.Web`: `src/web` never existed" in text
    assert "- **new** `src/new`: 1 file that no element covers" in text
    assert "- note: `no memories`" in text
    assert text.index("**missing**") < text.index("**drifted**") < text.index("**moved**") < text.index("**new**")


def test_the_comment_tells_the_stale_with_the_command_that_confirms() -> None:
    text = FORMATS["comment"](
        checked(change=change(note("It's so", stale=True, verify=True), note("Other", verify=True), note("Calm")))
    )
    assert text.startswith(MARKER)
    assert "Drift score **60 → 50**" in text
    assert "**This change makes this memory stale.**" in text
    assert "`archmem confirm 'It'\"'\"'s so'`" in text
    assert "2 memories apply:" in text
    assert "- `Other` (pitfall about `Shop.API`) **VERIFY**: `Strips headers`" in text
    assert "- `Calm` (pitfall about `Shop.API`): `Strips headers`" in text
    assert "- `Shop.API`: 1 file, drifted" in text


def test_the_comment_links_to_the_server_where_one_is_named() -> None:
    text = FORMATS["comment"](
        checked(change=change(note(stale=True, link="https://x.example/api/memories/1?project=a")))
    )
    assert "[open](<https://x.example/api/memories/1?project=a>)" in text


def test_there_is_no_comment_where_nothing_is_touched() -> None:
    assert FORMATS["comment"](checked(change=change(touched={}))) == ""
    assert "could not be told.\n\n- `shallow`" in FORMATS["comment"](checked(notices=["shallow"]))
    assert "No memory is about" in FORMATS["comment"](checked(change=change()))
    assert "No memories were at hand" in FORMATS["comment"](checked(change=change(memories=None)))


def test_the_longest_comment_fits() -> None:
    stale = [note(f"{i} {'t' * 150}", stale=True, content="x" * 5_000) for i in range(300)]
    others = [note(f"{i} {'t' * 150}", content="`" * 5_000) for i in range(300)]
    touched = {f"Shop.{'e' * 200}{i}": ("a",) for i in range(500)}
    text = FORMATS["comment"](checked(change=change(*stale, *others, touched=touched)))
    assert len(text) <= 65_536  # what GitHub takes
    assert len(re.findall(r"^- … and \d+ more$", text, re.MULTILINE)) == 3
    assert text.endswith("</details>\n")


@pytest.mark.parametrize("form", ["comment", "markdown"])
def test_nothing_that_people_wrote_breaks_out(form: str) -> None:
    finding = DRIFTED.model_copy(
        update={"ref": BREAKS_OUT, "authors": (BREAKS_OUT,), "note": BREAKS_OUT, "repair": {BREAKS_OUT: BREAKS_OUT}}
    )
    changed = change(
        note(BREAKS_OUT, stale=True, content=BREAKS_OUT, elements=(BREAKS_OUT,)), touched={BREAKS_OUT: ("a",)}
    )
    text = FORMATS[form](judge_report(report(finding), change=changed, notices=[BREAKS_OUT]))
    shown = MarkdownIt("commonmark").enable("table").render(text)
    outside = re.sub(r"<code>.*?</code>", "", shown, flags=re.DOTALL)
    for forbidden in ("script", "@acme", "#1", "img", "x.example", "# head", "<h1"):
        assert forbidden not in outside
    assert outside.count("</details>") == (form == "comment")


@settings(deadline=None)
@given(st.text())
@example("`")
@example("`` a ` b ```")
@example("\u202egpj.exe")
@example("\\`")
@example("0 \x1b\x850")
def test_a_code_span_shows_the_text_and_nothing_else(text: str) -> None:
    shown = MarkdownIt("commonmark").renderInline(f"a {code(text)} b")
    found = re.fullmatch(r"a (?:<code>(.*)</code>)? b", shown)
    assert found is not None, shown
    if found[1]:
        shown_text = " ".join(html.unescape(found[1]).split())
        kept = "".join(one for one in " ".join(text.split()) if category(one) != "Cc")
        assert shown_text in (" ".join(kept.split()), html.unescape(found[1]).strip())


def test_a_text_is_cut_and_a_link_cannot_be_ended() -> None:
    assert len(code("x" * 1_000, 100)) <= 102
    assert link("open", "https://x.example/> [a](b) <") == "[open](<https://x.example/[a](b)>)"


def test_an_element_without_anything_to_say_has_no_colon() -> None:
    finding = Finding(ref="Shop.API", kind=ElementKind.CONTAINER, verdict=Verdict.MOVED)
    assert "- **moved** `Shop.API`\n" in FORMATS["markdown"](judge_report(report(finding)))
