"""Manifests that are broken, or of a shape that nobody expects: told, and never a crash."""

import pytest

from tests.drift.conftest import Checkout
from tests.drift.inferred import WEB, containers, inferred, reread


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("x/package.json", "{"),
        ("x/package.json", "[" * 100_000),
        ("x/pyproject.toml", "[project"),
        ("x/Cargo.toml", b"\xff\xfe\x00"),
        ("x/pom.xml", "<project>"),
        ("x/pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><project>&b;</project>'),
        ("x/Shop.csproj", "no xml"),
        ("x/pubspec.yaml", "a: [\n"),
        ("compose.yml", "services: {a: {image: *nobody}}"),
        ("compose.yml", "{" * 5_000),
        ("x/package.json", '{"a": "' + "b" * 400_000 + '"}'),
    ],
)
def test_a_broken_manifest_is_a_warning_with_its_file(empty: Checkout, path: str, content: str | bytes) -> None:
    found = inferred(empty, {path: content, "web/package.json": WEB, "web/a.ts": "", "x/a.ts": ""})
    assert "Web" in containers(found)
    assert [warning.where for warning in found.warnings] == [path]


@pytest.mark.parametrize(
    "content",
    [
        "services: []",
        "services: {a: null, b: [], c: {build: 3, image: {}, depends_on: 4, volumes: {}, environment: 5}}",
        "services: {a: {build: {context: ../../..}}, b: {build: 'https://x.org/y.git'}, c: {build: /etc}}",
        "a: &a [*a]\nservices: {x: {image: !reset null}}",
        "services: {'': {image: redis}, '${X}': {build: '${Y}'}}",
        "include: [{path: [a, 3]}, 4, ../../x.yml]",
        "- 1",
    ],
)
def test_a_compose_file_of_any_shape_is_read(empty: Checkout, content: str) -> None:
    found = inferred(empty, {"compose.yml": content, "web/package.json": WEB, "web/a.ts": ""})
    assert "Web" in containers(found)
    read = reread(found, {"web/a.ts": ""})
    assert not read.warnings


@pytest.mark.parametrize(
    "content", ['{"name": 3, "scripts": [], "dependencies": "x", "workspaces": 1, "bin": {}}', "[]", "3"]
)
def test_a_package_of_any_shape_is_read(empty: Checkout, content: str) -> None:
    assert inferred(empty, {"x/package.json": content, "x/a.ts": ""}).warnings == ()
