"""JUnit XML, which every CI server shows: a test case an element, and one a folder of new code."""

import re
from xml.etree import ElementTree as Xml

from drift.checked import Checked
from drift.results import Result, Rule, rule_of
from drift.wording import DriftWords
from graph.drift_report import Finding

_FOREIGN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(checked: Checked) -> str:
    """Return the suite; what is drifted, missing or new fails, what could not be checked or is known is skipped."""
    results = {(one.rule, one.subject): one for one in checked.results}
    suite = Xml.Element("testsuite", name="archmem drift", timestamp=f"{checked.report.at:%Y-%m-%dT%H:%M:%S}")
    for finding in checked.report.elements:
        rule = rule_of(finding)
        _add_case(suite, finding.ref, str(finding.kind), results.get((rule, finding.ref)) if rule else None, finding)
    for new in checked.report.new:
        _add_case(suite, new.path, "new", results.get((Rule.NEW, new.path)))
    for tag in ("failure", "skipped"):
        suite.set(f"{tag}s" if tag == "failure" else tag, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite)))
    suite.set("errors", "0")
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _add_case(suite: Xml.Element, name: str, kind: str, result: Result | None, finding: Finding | None = None) -> None:
    case = Xml.SubElement(suite, "testcase", name=_clean(name), classname=f"drift.{kind}")
    said = result.message if result else DriftWords().finding(finding) if finding else ""
    if result is None or result.rule is Rule.MOVED:
        if said:
            Xml.SubElement(case, "system-out").text = _clean(said)
        return
    if result.rule is Rule.UNVERIFIED or result.known:
        Xml.SubElement(case, "skipped", message=_clean(f"known: {said}" if result.known else f"unverified: {said}"))
        return
    failure = Xml.SubElement(case, "failure", type=result.rule, message=_clean(said))
    place = f"{result.file}:{result.line}\n" if result.line else f"{result.file}\n"
    failure.text = _clean("\n".join([place + result.about.help, *result.related]))


def _clean(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _FOREIGN.sub("", text)
