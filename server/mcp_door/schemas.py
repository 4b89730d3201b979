"""A tool's input schema with nothing in it that an agent has no use for: each byte of it is read in each session."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

_LEFT_OUT = frozenset({"title", "default", "additionalProperties", "minLength", "maxLength", "maxItems"})


def schema_of(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema: no titles, bounds or defaults, which an error names when they are broken."""
    whole = arguments.model_json_schema()
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: _plain(field, whole.get("$defs", {})) for name, field in whole.get("properties", {}).items()
        },
    }
    if whole.get("required"):
        schema["required"] = whole["required"]
    return schema


def _plain(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in field:
        referred = definitions[field["$ref"].rpartition("/")[2]]
        return _plain({name: value for name, value in referred.items() if name != "description"}, definitions)
    if "anyOf" in field:  # a value or null
        (value,) = (one for one in field["anyOf"] if one != {"type": "null"})
        field = {**value, **{name: given for name, given in field.items() if name != "anyOf"}}
    plain = {name: value for name, value in field.items() if name not in _LEFT_OUT}
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions)
    return plain
