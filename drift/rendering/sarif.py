"""SARIF 2.1.0, for code scanning."""

import hashlib
import json
from typing import Any
from urllib.parse import quote

from drift.checked import Checked
from drift.results import RULES, Result, Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MOST_RELATED = 20


def render_sarif(checked: Checked) -> str:
    """Return one run; its fingerprints hold no line numbers, so that a finding stays the same one when lines move."""
    rules = list(RULES)
    run = {
        "tool": {"driver": {"name": "archmem", "rules": [_rule(rule) for rule in rules]}},
        "automationDetails": {"id": "archmem/drift/"},
        "results": [_result(one, rules.index(one.rule)) for one in checked.results],
        "properties": {
            "score": checked.report.score,
            "band": checked.report.band,
            "status": checked.status,
            "head": checked.report.head,
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    about = RULES[rule]
    return {
        "id": rule,
        "shortDescription": {"text": about.title},
        "fullDescription": {"text": f"{about.title}. {about.help}"},
        "help": {"text": about.help, "markdown": about.help},
        "defaultConfiguration": {"level": about.level},
    }


def _result(one: Result, index: int) -> dict[str, Any]:
    identity = hashlib.sha256(f"{one.rule}\n{one.subject}".encode()).hexdigest()
    found: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": index,
        "level": one.level,
        "message": {"text": f"{one.subject}: {one.message}" if one.message else one.subject},
        # The name is GitHub's, which tells by it whether two results are the same one.
        "partialFingerprints": {"primaryLocationLineHash": identity},
    }
    if one.file:
        found["locations"] = [_location(one.file, one.line)]
    if related := [path for path in one.related if path != one.file]:
        found["relatedLocations"] = [_location(path, 0) for path in related[:_MOST_RELATED]]
    if one.known:
        found["baselineState"] = "unchanged"
    return found


def _location(path: str, line: int) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"}}
    if line:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical}
