"""What every command understands (`--json --store --project -C`), before its name and after it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from server.memory_sources import NamedBy
    from server.opening import Opened
    from server.settings import Settings
    from server.workplace import Workplace


@dataclass
class Options:
    """The options that were given, wherever they stood."""

    json: bool = False
    store: str | None = None
    project: str | None = None
    directory: str | None = None

    def settings(self, workplace: "Workplace | None" = None, **more: Any) -> "Settings":
        """Return the settings, with a command's own options on top."""
        from server.settings import load_settings

        file = workplace.file if workplace else None
        return load_settings({"store": self.store, "project": self.project, **more}, os.environ, file)

    @property
    def store_named_by(self) -> "NamedBy":
        """Who named the store."""
        if self.store is not None:
            return "option"
        return "variable" if os.environ.get("ARCHMEM_STORE", "").strip() else "nobody"

    @contextmanager
    def workplace(self) -> Iterator["Workplace"]:
        """Give the workplace around `-C` or the current folder."""
        from server.workplace import workplace_at

        with workplace_at(Path(self.directory or ".")) as found:
            yield found

    @contextmanager
    def opened(self, **more: Any) -> Iterator["Opened"]:
        """Give the project's part of the store."""
        from server.opening import open_store

        with self.workplace() as workplace, open_store(workplace, self.settings(workplace, **more)) as found:
            yield found


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None and value is not False and parameter.name:
        setattr(context.ensure_object(Options), parameter.name, value)


def _common() -> list[click.Parameter]:
    def option(*names: str, **more: Any) -> click.Option:
        return click.Option(names, expose_value=False, callback=_keep, is_eager=True, **more)

    return [
        option("--json", is_flag=True, help="Print the answer as JSON, in the shape that REST sends."),
        option("--store", metavar="STORE", help="The store: a file, or the address of a Neo4j server."),
        option("--project", metavar="ID", help="The project's id; an empty one is the whole organisation."),
        option("-C", "--directory", metavar="DIR", help="Work as if started in this folder."),
    ]


class Percent(click.FloatRange):
    """A number from 0 to 100; `nan`, which nothing is below, is none."""

    def __init__(self) -> None:
        super().__init__(0, 100)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fail when it is none."""
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Command(click.Command):
    """A command with the common options."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.params = [*self.params, *_common()]


class Group(click.Group):
    """A group with the common options, whose commands have them too."""

    command_class = Command
    group_class = type

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.params = [*self.params, *_common()]


pass_options = click.make_pass_decorator(Options, ensure=True)

if_version = click.option("--version", type=int, metavar="N", help="Refuse if the memory changed since this version.")
