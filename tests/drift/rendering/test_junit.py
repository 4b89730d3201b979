"""JUnit XML."""

from xml.etree import ElementTree as Xml

from hypothesis import given, settings
from hypothesis import strategies as st

from drift import FORMATS, KnownFindings, judge_report, known_of, results_of
from graph.drift_report import Finding, Verdict
from graph.elements import ElementKind
from tests.drift.reports import DRIFTED, checked, report


def outcomes(text: str) -> dict[str, str]:
    suite = Xml.fromstring(text)[0]
    cases = {case.attrib["name"]: ",".join(child.tag for child in case) for case in suite}
    tags = list(cases.values())
    assert suite.attrib["tests"] == str(len(suite))
    assert suite.attrib["failures"] == str(tags.count("failure"))
    assert suite.attrib["skipped"] == str(tags.count("skipped"))
    return cases


def test_each_element_and_each_new_folder_is_a_test_case() -> None:
    assert outcomes(FORMATS["junit"](checked())) == {
        "Shop.Job": "system-out",
        "Shop.API": "failure",
        "Shop.Web": "failure",
        "Shop.Old": "failure",
        "Shop.Cut": "skipped",
        "0": "",
        "1": "",
        "src/new": "failure",
    }


def test_what_is_known_is_skipped() -> None:
    known = KnownFindings(findings=known_of(results_of(report(DRIFTED))), from_file=True)
    assert outcomes(FORMATS["junit"](checked(known=known)))["Shop.API"] == "skipped"


@settings(deadline=None)
@given(st.text(min_size=1))
def test_any_text_makes_xml_that_can_be_read(text: str) -> None:
    finding = Finding(ref=text, kind=ElementKind.CONTAINER, verdict=Verdict.DRIFTED, authors=(text,), files=(text,))
    suite = Xml.fromstring(FORMATS["junit"](judge_report(report(finding))))[0]
    assert suite[0][0].tag == "failure"
