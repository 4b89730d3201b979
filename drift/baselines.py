"""Which state each element is compared with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from drift.repository import Repository
from graph.claims import Baseline
from graph.drift_report import Reason


@dataclass(frozen=True, slots=True)
class Base:
    """A state to compare with: a commit that is here, else recorded blobs, else the reason why there is none."""

    commit: str = ""
    blobs: Mapping[str, str] | None = None
    reason: Reason = Reason.NONE


def later(one: Mapping[str, Baseline], other: Mapping[str, Baseline]) -> dict[str, Baseline]:
    """Return the later acceptance of each element."""
    found = dict(one)
    for ref, baseline in other.items():
        if ref not in found or baseline.accepted_at > found[ref].accepted_at:
            found[ref] = baseline
    return found


def accepted_bases(accepted: Mapping[str, Baseline], refs: Iterable[str], repository: Repository) -> dict[str, Base]:
    """Return the base of each of the elements that was accepted.

    A commit that was rewritten away is not needed while the blobs are recorded.
    """
    here: dict[str, bool] = {}
    found: dict[str, Base] = {}
    for ref in refs:
        if ref not in accepted:
            continue
        anchor = accepted[ref].anchor
        if anchor.commit not in here:
            here[anchor.commit] = repository.has_commit(anchor.commit)
        if here[anchor.commit]:
            found[ref] = Base(commit=repository.resolve(anchor.commit))
        elif anchor.blobs:
            found[ref] = Base(blobs=anchor.blobs)
        else:
            found[ref] = Base(reason=Reason.SHALLOW_CLONE if repository.is_shallow else Reason.UNKNOWN_BASELINE)
    return found
