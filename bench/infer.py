"""An inferred model beside the hand-written one: `python -m bench.infer GIT_DIR COMMIT MODEL… [--same NAME=OTHER]…`.

Containers alone are compared, one with one: by name (as the drift mapping compares names, with folders, packages and
services as other names of an inferred one), by source (the model's own, or what `model map` finds), by technology
where both are the same data store or broker, and by what a person judged (`--same`, for names that do not show it).
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from drift import Repository
from drift.inferring import Container, infer_model
from drift.manifests.catalogue import product_of_image
from drift.mapping import Name, name_of, propose_sources
from graph.c4 import read_model
from graph.elements import Element, ElementKind

_SURE = 0.75
_KINDS = frozenset(name_of("service microservice server api web application app container worker").words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repository", type=Path, metavar="GIT_DIR")
    parser.add_argument("commit")
    parser.add_argument("model", nargs="+")
    parser.add_argument("--name", help="What the system is called; else what `origin` or the folder is called.")
    parser.add_argument("--same", action="append", default=[], metavar="HAND-WRITTEN=INFERRED")
    given = parser.parse_args()
    with Repository.open(given.repository) as repository:
        tree = repository.tree(repository.resolve(given.commit))
        model = read_model(tree, given.model, remotes=repository.remotes())
        sources = {one.ref: one.source for one in propose_sources(model, tree) if one.confidence >= _SURE}
        name = given.name or repository.origin().rpartition("/")[2] or given.repository.resolve().name
        inferred = infer_model(tree, name).sketch.containers
    written = [element for element in model.elements if element.kind is ElementKind.CONTAINER]
    systems = {element.ref: element.name for element in model.elements if element.kind is ElementKind.SYSTEM}
    sources.update({element.ref: element.source for element in model.elements if element.source})
    judged = dict(pair.split("=", 1) for pair in given.same)
    tests: list[tuple[str, Callable[[Element, Container], bool]]] = [
        ("judged", lambda hand, found: judged.get(hand.name) == found.name),
        ("name", lambda hand, found: name_of(hand.name).flat in {name_of(name).flat for name in _called(found)}),
        ("name", lambda hand, found: bool(_names(hand.name, systems.get(hand.parent, "")) & _own_names(found))),
        ("source", lambda hand, found: _overlap(sources.get(hand.ref, ()), found.source)),
        ("technology", lambda hand, found: bool(found.tags) and _mentions(hand, found.technology)),
    ]
    pairs: dict[str, tuple[Container, str]] = {}
    for how, test in tests:
        for hand in written:
            free = (one for one in inferred if all(one is not taken for taken, _ in pairs.values()))
            found = None if hand.ref in pairs else next((one for one in free if test(hand, one)), None)
            if found:
                pairs[hand.ref] = (found, how)
    _print(written, inferred, pairs)


def _names(name: str, system: str) -> set[str]:
    """Return the ways in which a name may be written: whole, without the system's name, without its kind."""
    whole, prefix = name_of(name), name_of(system)
    found = {whole.flat, "".join(sorted(whole.words))}
    for words in (whole.words, whole.words[len(prefix.words) :] if _begins(whole, prefix) else ()):
        found.add("".join(words))
        while len(words) > 1 and words[-1] in _KINDS:
            words = words[:-1]
            found.add("".join(words))
    return found - {""}


def _begins(name: Name, prefix: Name) -> bool:
    return bool(prefix.words) and name.words[: len(prefix.words)] == prefix.words


def _called(found: Container) -> list[str]:
    return [name.rpartition("/")[2] for name in (found.name, *found.aliases)]


def _own_names(found: Container) -> set[str]:
    return {key for name in _called(found) for key in _names(name, "")}


def _overlap(one: Iterable[str], other: Iterable[str]) -> bool:
    """Say whether a path of one is the same as, or lies in, a path of the other."""
    return any(f"{a}/".startswith(f"{b}/") or f"{b}/".startswith(f"{a}/") for a in one for b in other)


def _mentions(hand: Element, product: str) -> bool:
    text = f"{hand.name} {hand.technology} {' '.join(hand.tags)}".lower()
    named = {known.name for word in re.split(r"[^a-z0-9]+", text) if word and (known := product_of_image(word))}
    return product in named or (bool(product) and product.lower() in text)


def _print(written: list[Element], inferred: list[Container], pairs: dict[str, tuple[Container, str]]) -> None:
    for hand in written:
        found, how = pairs.get(hand.ref, (None, ""))
        print(f"  {hand.name:36} {f'{found.name} (by {how})' if found else '- missed'}")
    for extra in _extra(inferred, pairs.values()):
        print(f"  {'-':36} {extra.name} ({', '.join(extra.source) or ', '.join(extra.evidence)})")
    count = len(pairs)
    precision, recall = count / max(1, len(inferred)), count / max(1, len(written))
    print(f"hand-written {len(written)}, inferred {len(inferred)}, matched {count}: ", end="")
    print(f"precision {precision:.2f}, recall {recall:.2f}")


def _extra(inferred: list[Container], pairs: Iterable[tuple[Container, str]]) -> Iterator[Container]:
    taken = [found for found, _ in pairs]
    return (one for one in inferred if all(one is not other for other in taken))


if __name__ == "__main__":
    main()
