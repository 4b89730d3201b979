"""How relationships in YAML name their ends: in dot notation, with names that hold spaces and dots themselves."""

from graph.c4.draft import Draft, DraftElement, DraftRelationship, related_by_blood
from graph.c4.yaml_models.values import Value, YamlFile
from graph.naming import folded


class References:
    """The elements of a draft by their whole dotted names and by the ends of these, compared without case."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._named: dict[str, list[DraftElement]] = {}
        for element in draft.elements.values():
            name = ""
            for one in element.upwards():
                name = f"{one.name}.{name}" if name else one.name
                self._named.setdefault(folded(name), []).append(element)

    def find(self, name: str, file: YamlFile, value: Value) -> DraftElement | None:
        """Return the element with this name; None, with a warning, when there is none or more than one."""
        found = self._named.get(folded(name), [])
        whole = [element for element in found if folded(element.ref) == folded(name)]
        if len(whole or found) == 1:
            return (whole or found)[0]
        refs = ", ".join(element.ref for element in found[:5])
        what = f"{name[:100]!r} may be {refs}" if found else f"there is no element {name[:100]!r}"
        file.warn(value, f"{what}; the relationship was left out")
        return None


def relate(draft: Draft, relationship: DraftRelationship, file: YamlFile, value: Value) -> None:
    """Add the relationship, unless its ends are an element and its own part, or the draft has it already."""
    source, target = relationship.source, relationship.target
    if source is not target and related_by_blood(source, target):
        file.warn(value, "a relationship between an element and its own part was left out")
    elif not draft.relate(relationship):
        file.warn(value, "the relationship exists already; the first counts")
