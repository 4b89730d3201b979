"""An inferred model before it is written down."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Component:
    """A folder or a module inside a container."""

    name: str
    source: tuple[str, ...]
    description: str = ""
    technology: str = ""


@dataclass(slots=True)
class Container:
    """Something that is deployed on its own, or a data store; `evidence` are the files that say so.

    `aliases` are its other names: of its folder, its package, its composed service.
    """

    key: str
    name: str
    source: tuple[str, ...] = ()
    description: str = ""
    technology: str = ""
    tags: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    components: list[Component] = field(default_factory=list)


@dataclass(slots=True)
class Outside:
    """A system of others, or a library that several containers share."""

    key: str
    name: str
    source: tuple[str, ...] = ()
    description: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One uses another, by their keys; a component's key is its container's with its name."""

    source: str
    target: str
    description: str = ""


@dataclass(slots=True)
class Sketch:
    """The whole: one system, what is in it, and what is outside."""

    name: str
    containers: list[Container] = field(default_factory=list)
    systems: list[Outside] = field(default_factory=list)
    libraries: list[Outside] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
