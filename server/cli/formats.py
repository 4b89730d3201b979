"""The formats of a drift check: each to standard output or into a file of its own, from one run."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drift import Checked

_NAMES = ("text", "json", "markdown", "github", "sarif", "junit", "comment", "dotenv")


class Written(NamedTuple):
    """A format, and the file that it goes into; empty for standard output."""

    name: str
    file: str


def parse_formats(_: click.Context, __: click.Parameter, values: "Sequence[str]") -> tuple[Written, ...]:
    """Return the formats that were asked for; raise BadParameter for one that there is not, or two for one place."""
    found = []
    for value in values:
        name, equals, file = value.partition("=")
        if name not in _NAMES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(_NAMES)}.")
        if equals and not file:
            raise click.BadParameter(f"{value!r} names no file.")
        found.append(Written(name, file))
    on_stdout = [one.name for one in found if not one.file]
    if len(on_stdout) > 1:
        raise click.BadParameter(f"only one of {', '.join(on_stdout)} can go to standard output; give others =FILE.")
    return tuple(found)


def write_formats(checked: "Checked", formats: "Sequence[Written]", default: str) -> None:
    """Write each format where it goes, the default one to standard output where no other does.

    Raise Unavailable for a file that cannot be written.
    """
    from drift import FORMATS
    from graph.errors import Unavailable

    for one in formats:
        if one.file:
            try:
                Path(one.file).write_text(FORMATS[one.name](checked), encoding="utf-8", newline="\n")
            except OSError as error:
                step = "give a place that can be written to"
                raise Unavailable(
                    f"{one.file} cannot be written: {error.strerror}", id=one.file, next_step=step
                ) from error
    on_stdout = next((one.name for one in formats if not one.file), default)
    click.echo(FORMATS[on_stdout](checked).rstrip("\n"))
