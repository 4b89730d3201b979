"""The score, the counts and the status as `name=value` lines: for GITHUB_OUTPUT, and GitLab's dotenv reports."""

from drift.checked import Checked

_COUNTED = ("matched", "moved", "drifted", "missing", "new", "unverified")


def render_dotenv(checked: Checked) -> str:
    """Return a line each; the score is empty where there is none. No value is a text that anybody wrote."""
    score = "" if checked.report.score is None else f"{checked.report.score:g}"
    stale = len(checked.change.stale) if checked.change else 0
    lines = [f"score={score}", *(f"{name}={checked.counts[name]}" for name in _COUNTED)]
    return "\n".join([*lines, f"stale={stale}", f"status={checked.status}"]) + "\n"
