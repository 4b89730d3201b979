"""The statements inside a block that change what the block is about: description, technology, tags, url, properties."""

from graph.c4.draft import DraftElement
from graph.c4.frames import Block, Frame
from graph.c4.lines import split_tags
from graph.c4.statements import Statement
from graph.elements import ElementKind

_WITH_TECHNOLOGY = (ElementKind.CONTAINER, ElementKind.COMPONENT)


def change(statement: Statement, frame: Frame) -> bool:
    """Apply the statement to the items of the block; say no when it is none of these or has no value."""
    if not frame.items or len(statement.words) < 2:
        return False
    for item in frame.items:
        match statement.keyword:
            case "tag" | "tags":
                for word in statement.words[1:]:
                    item.tags += split_tags(word)
            case "description":
                item.description = statement.word(1)
            case "technology" | "metadata":
                # Of what `!elements` and `!relationships` choose, only containers and components take it.
                if frame.block is not Block.ITEMS or (isinstance(item, DraftElement) and item.kind in _WITH_TECHNOLOGY):
                    item.technology = statement.word(1)
            case "url":
                item.url = statement.word(1)
            case _:
                return False
    return True


def change_archetype(statement: Statement, frame: Frame) -> bool:
    """Apply the statement to the archetype of the block; say no when it is none of these."""
    archetype = frame.archetype
    if archetype is None or len(statement.words) < 2:
        return False
    match statement.keyword:
        case "tag" | "tags":
            for word in statement.words[1:]:
                archetype.tags += split_tags(word)
        case "description":
            archetype.description = statement.word(1)
        case "technology" | "metadata":
            archetype.technology = statement.word(1)
        case _:
            return False
    return True


def add_property(statement: Statement, frame: Frame) -> bool:
    """Add a property to the items of the block; say no when it is no name and value."""
    words = statement.words
    if statement.opens:
        words = (*words, "{")  # a value like any other
    elif statement.identifier and len(words) == 1:
        words = (statement.identifier, *words)
    if len(words) != 2:
        return False
    for properties in frame.properties:
        properties[words[0]] = words[1]
    return True
