"""How many elements have a source before and after `model map`: `python -m bench.sources GIT_DIR COMMIT MODEL…`.

Containers, components, code and custom elements count that are not external. `--verbose` lists each proposal with its
reason and each element that stays without one, to be judged by hand.
"""

import argparse
from pathlib import Path

from drift import Repository
from drift.mapping import SURE, may_have_code, propose_sources
from graph.c4 import read_model
from graph.elements import ElementKind

_COUNTED = (ElementKind.CONTAINER, ElementKind.COMPONENT, ElementKind.CODE, ElementKind.CUSTOM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repository", type=Path, metavar="GIT_DIR")
    parser.add_argument("commit")
    parser.add_argument("model", nargs="+")
    parser.add_argument(
        "--remote", action="append", default=[], help="host/owner/name, where the clone has no such remote"
    )
    parser.add_argument("--min-confidence", type=float, default=SURE)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    with Repository.open(given.repository) as repository:
        tree = repository.tree(repository.resolve(given.commit))
        model = read_model(tree, given.model, remotes=(*repository.remotes(), *given.remote))
        found = propose_sources(model, tree)
    counted = [element for element in model.elements if element.kind in _COUNTED and not element.external]
    before = {element.ref for element in counted if element.source}
    sure = {one.ref for one in found if one.confidence >= given.min_confidence}
    stores = sum(not may_have_code(element) and element.ref not in before for element in counted)
    if given.verbose:
        proposed = {one.ref: one for one in found}
        for element in counted:
            one = proposed.get(element.ref)
            if one:
                mark = "+" if one.ref in sure else "?"
                print(f"{mark} {one.confidence:.2f} {one.ref} -> {', '.join(one.source)} ({one.reason})")
            elif element.ref not in before:
                print(f"-      {element.ref} [{element.technology}]")
    total = len(counted)
    share = [f"{count} of {total} ({100 * count / max(1, total):.0f} %)" for count in (len(before), len(before | sure))]
    print(f"before {share[0]}, after {share[1]}; without code: {stores}; doubtful: {len(found) - len(sure)}")


if __name__ == "__main__":
    main()
