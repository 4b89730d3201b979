"""The bookshop that the demo plays with: its folder and what stands in its `memories.json`."""

from pathlib import Path

from pydantic import ValidationError

from graph.errors import Unavailable
from graph.frozen import Frozen
from graph.memories import Draft

MEMORIES = "memories.json"
_NAME = "bookshop"


class Variation(Frozen):
    """A fact that is near to the memory of that title: said again, or contradicting it."""

    draft: Draft
    title: str


class Pending(Frozen):
    """The memory that another one links to before it is written."""

    draft: Draft


class Paraphrase(Frozen):
    """A question that shares no stem with the memory which answers it."""

    question: str
    title: str


class Edit(Frozen):
    """A change of code."""

    path: str
    find: str
    replace: str


class Sample(Frozen):
    """What the team of the bookshop remembers, and what happens to its code."""

    memories: tuple[Draft, ...]
    restated: Variation
    contradicting: tuple[Variation, ...]
    pending: Pending
    paraphrases: tuple[Paraphrase, ...]
    unanswered: tuple[str, ...]
    changes: tuple[tuple[Edit, ...], ...]

    def draft(self, title: str) -> Draft:
        """Return the memory of this title."""
        return next(draft for draft in self.memories if draft.title == title)


def sample_folder() -> Path:
    """Return the sample's folder: beside the packages in a checkout, inside this package when installed."""
    here = Path(__file__).resolve().parent
    for folder in (here.parent.parent / "c4-samples" / _NAME, here / _NAME):
        if (folder / MEMORIES).is_file():
            return folder
    raise Unavailable("the sample of the demo is missing", id=_NAME, next_step="install archmem again")


def read_sample(folder: Path) -> Sample:
    """Return the sample; raise Unavailable when it is not the one that this version plays."""
    try:
        return Sample.model_validate_json((folder / MEMORIES).read_bytes())
    except ValidationError as error:
        raise Unavailable(
            f"the sample of the demo cannot be read: {error}", id=str(folder), next_step="install archmem again"
        ) from error
