"""Reads the decision records that archyl.yaml holds itself."""

from graph.c4.draft import Draft
from graph.c4.yaml_models.values import Value, YamlFile
from graph.elements import Decision

_SECTIONS = ("context", "decision", "consequences")
_KEYS = ("title", "number", "status", "date", *_SECTIONS, "tags", "links")


def read_records(draft: Draft, file: YamlFile, records: Value | None) -> None:
    """Add the records as decisions, named by their number, or else by their place in the list."""
    for place, record in enumerate(file.items(records), start=1):
        entries = file.known_entries(record, _KEYS, "a decision record")
        texts = {key: file.text(entries.get(key)) for key in _KEYS[:-2]}
        ref = f"ADR-{texts['number'] or place}"
        if not texts["title"]:
            file.warn(record, "a decision record needs a title; it was left out")
        elif any(known.ref == ref for known in draft.decisions):
            file.warn(record, f"there is a record {ref} already; this one was left out")
        else:
            sections = [f"## {name.capitalize()}\n\n{texts[name]}" for name in _SECTIONS if texts[name]]
            content = "\n\n".join((f"# {texts['title']}", *sections))
            decision = Decision(
                ref=ref,
                title=texts["title"],
                status=texts["status"],
                date=texts["date"],
                content=f"{content}\n",
                file=file.path,
            )
            draft.decisions.append(decision)
