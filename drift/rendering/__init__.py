"""A judged report in each format: a module a format, and one table of them."""

from collections.abc import Callable, Mapping

from drift.checked import Checked
from drift.rendering.annotations import render_annotations
from drift.rendering.comment import MARKER, render_comment
from drift.rendering.dotenv import render_dotenv
from drift.rendering.junit import render_junit
from drift.rendering.markdown import render_markdown
from drift.rendering.plain import render_text
from drift.rendering.sarif import render_sarif
from drift.rendering.structured import render_json

FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": render_text,
    "json": render_json,
    "markdown": render_markdown,
    "github": render_annotations,
    "sarif": render_sarif,
    "junit": render_junit,
    "comment": render_comment,
    "dotenv": render_dotenv,
}
"""What renders a judged report, by the name that `--format` takes."""

__all__ = ["FORMATS", "MARKER", "render_text"]
