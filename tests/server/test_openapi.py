"""What the OpenAPI description says about every route."""

from typing import Any

import httpx
import pytest


@pytest.fixture
def description(url: str) -> dict[str, Any]:
    assert "swagger" in httpx.get(f"{url}/docs").text
    found: dict[str, Any] = httpx.get(f"{url}/openapi.json").json()
    return found


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/api/")
    ]


def test_every_route_documents_its_problems(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        for status in ("401", "403", "404", "409", "422", "429", "503"):
            content = operation["responses"][status]["content"]
            assert content == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}, (
                path,
                method,
            )
    assert {"code", "next_step", "faults", "candidates"} <= description["components"]["schemas"]["Problem"][
        "properties"
    ].keys()


def test_every_route_about_a_project_names_it_in_the_query(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        named = {one["name"]: one for one in operation.get("parameters", ())}
        if path == "/api/projects" or path.startswith("/api/access-keys"):
            assert "project" not in named
        else:
            assert named["project"]["in"] == "query", (path, method)
            assert named["project"]["required"], (path, method)


def test_every_route_says_what_it_does_and_what_it_answers(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        assert operation["description"].endswith("."), (path, method)
        done = next(answer for status, answer in sorted(operation["responses"].items()) if status < "300")
        schema = done["content"]["application/json"]["schema"]
        assert schema["$ref"].startswith("#/components/schemas/"), (path, method)


def test_every_reference_leads_somewhere(description: dict[str, Any]) -> None:
    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [one for below in value.values() for one in references(below)]
        return [one for below in value for one in references(below)] if isinstance(value, list) else []

    known = {f"#/components/schemas/{name}" for name in description["components"]["schemas"]}
    assert set(references(description)) <= known
