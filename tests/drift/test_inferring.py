"""A first model: what is deployed, what is in it and beside it, from manifests alone."""

from collections.abc import Mapping

import pytest

from tests.drift.conftest import Checkout
from tests.drift.inferred import FASTAPI, WEB, containers, inferred, npm, one, uses

JAVA = "class A {}\n"


# what is deployed


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": WEB, "pages/index.tsx": ""},
        {"package.json": '{"scripts": {"start": "node ."}, "dependencies": {"express": "4"}}', "index.js": ""},
        {"package.json": '{"devDependencies": {"vite": "6"}}', "index.html": "", "src/main.ts": ""},
        {"package.json": "{}", "manifest.json": '{"manifest_version": 3}', "src/worker.js": ""},
        {"pyproject.toml": FASTAPI, "api/main.py": ""},
        {"pyproject.toml": '[project]\nname = "x"\n[project.scripts]\nx = "x:main"\n', "x/__init__.py": ""},
        {"requirements.txt": "Django==5\n", "manage.py": ""},
        {"setup.py": 'setup(name="x", entry_points={"console_scripts": ["x=x:main"]})', "x/a.py": ""},
        {"go.mod": "module example.org/x\n", "cmd/x/main.go": "package main\n"},
        {"pom.xml": "<project><artifactId>x</artifactId></project>", "src/main/java/o/ShopApplication.java": JAVA},
        {"pom.xml": "<project><packaging>war</packaging></project>", "src/main/java/o/A.java": JAVA},
        {"build.gradle.kts": 'plugins { id("org.springframework.boot") version "3" }', "src/main/kotlin/A.kt": ""},
        {"Cargo.toml": '[package]\nname = "x"\n', "src/main.rs": "fn main() {}\n"},
        {"Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>', "Program.cs": ""},
        {"mix.exs": "mod: {X.Application, []}\napp: :x\n", "lib/x.ex": ""},
        {"composer.json": "{}", "artisan": "", "app/A.php": "<?php\n"},
        {"Gemfile": 'gem "rails"\n', "config.ru": "", "app/a.rb": ""},
        {"pubspec.yaml": "name: x\n", "lib/main.dart": ""},
        {"project.json": '{"name": "x", "projectType": "application"}', "src/main.ts": ""},
        {"Dockerfile": "FROM python:3.12\nCOPY . .\n", "worker.py": ""},
        {"Dockerfile": "FROM python:3.12\nCOPY . .\n", "jobs/nightly/a.py": ""},
    ],
    ids=lambda files: " ".join(files),
)
def test_each_kind_of_manifest_tells_a_deployable(empty: Checkout, files: Mapping[str, str]) -> None:
    folder = {f"apps-of-ours/one/{path}": content for path, content in files.items()}
    assert containers(inferred(empty, folder)) == {"One": ("apps-of-ours/one",)}


def test_several_manifests_of_one_thing_are_one_container(empty: Checkout) -> None:
    found = inferred(
        empty,
        {
            "docker-compose.yml": "services:\n  checkout-api:\n    build: ./checkout\n",
            "checkout/Dockerfile": "FROM node:22\n",
            "checkout/package.json": '{"scripts": {"start": "node ."}}',
            "checkout/src/a.ts": "",
        },
    )
    assert containers(found) == {"Checkout": ("checkout",)}
    assert one(found, "Checkout").evidence == ("checkout/package.json", "checkout/Dockerfile", "docker-compose.yml")


def test_a_dockerfile_elsewhere_builds_what_it_names(empty: Checkout) -> None:
    found = inferred(
        empty,
        {
            "go.mod": "module example.org/shop\n",
            "cmd/api/main.go": "package main\n",
            "cmd/worker/main.go": "package main\n",
            "internal/cart/cart.go": "package cart\n",
            "internal/cart/main.go": "package cart\n",
            "cmd/make-keys/main.go": "package main\n",
            "docker/worker/Dockerfile": "FROM scratch\nCOPY cmd/worker/w /w\n",
            "docker/api/Dockerfile": "FROM golang:1 AS b\nRUN go build ./cmd/api\nFROM alpine\nCOPY --from=b /a /a\n",
        },
    )
    assert containers(found) == {"API": ("cmd/api",), "Worker": ("cmd/worker",)}
    assert "docker/api/Dockerfile" in one(found, "API").evidence
    assert [(library.name, library.source) for library in found.sketch.libraries] == [
        ("Shop (library)", ("cmd/make-keys", "internal"))
    ]


def test_one_image_started_in_two_ways_is_two_containers(empty: Checkout) -> None:
    compose = """services:
      web: {build: ., command: gunicorn}
      jobs: {build: ., command: [celery, worker], depends_on: [redis]}
      migrate: {build: ., command: alembic upgrade head}
      redis: {image: "redis:7"}
    """
    files = {"compose.yaml": compose, "Dockerfile": "FROM python:3\n", "requirements.txt": "flask\n", "app.py": ""}
    found = inferred(empty, files)
    assert set(containers(found)) == {"Web", "Jobs", "Redis"}
    assert uses(found) == {("Jobs", "Redis")}


def test_libraries_are_no_containers_beside_what_is_deployed(empty: Checkout) -> None:
    found = inferred(
        empty,
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/web/package.json": npm("web", "next", "@shop/ui", "@shop/core"),
            "packages/web/a.ts": "",
            "packages/api/package.json": npm("api", "next", "@shop/core"),
            "packages/api/a.ts": "",
            "packages/ui/package.json": '{"name": "@shop/ui"}',
            "packages/ui/a.ts": "",
            "packages/core/package.json": '{"name": "@shop/core", "description": "Rules"}',
            "packages/core/a.ts": "",
            "packages/cli/package.json": '{"name": "@shop/cli", "bin": "a.js"}',
            "packages/cli/a.ts": "",
        },
    )
    assert containers(found) == {"API": ("packages/api",), "Web": ("packages/web",)}
    assert [(part.name, part.source) for part in one(found, "Web").components] == [("UI", ("packages/ui",))]
    assert {(library.name, library.description) for library in found.sketch.libraries} == {
        ("Core", "Rules"),
        ("CLI", ""),
    }
    assert uses(found) == {("API", "Core"), ("Web", "Core")}


def test_libraries_are_the_containers_where_nothing_is_deployed(empty: Checkout) -> None:
    files = {f"packages/{name}/{file}": "{}" for name in ("client", "server") for file in ("package.json", "a.ts")}
    assert set(containers(inferred(empty, files))) == {"Client", "Server"}


def test_the_packages_of_the_only_distribution_are_its_containers(empty: Checkout) -> None:
    manifest = """[project]
name = "shop"
scripts = {shop = "server:main"}
[tool.hatch.build.targets.wheel]
packages = ["core", "server"]
"""
    files = {"pyproject.toml": manifest, "core/__init__.py": "", "server/__init__.py": "from core import a\n"}
    found = inferred(empty, files)
    assert containers(found) == {"Core": ("core",), "Server": ("server",)}
    assert uses(found) == {("Server", "Core")}


def test_tests_samples_tools_and_vendored_folders_are_left_out(empty: Checkout) -> None:
    places = (
        "tests/app",
        "examples/app",
        "vendor/app",
        "tools/app",
        "shop-e2e",
        "docs/app",
        "fixtures/app",
        "mock-bank",
    )
    files = {f"{place}/{name}": content for place in places for name, content in (("package.json", WEB), ("a.ts", ""))}
    assert containers(inferred(empty, {**files, "web/package.json": WEB, "web/a.ts": ""})) == {"Web": ("web",)}


def test_only_what_is_tracked_counts(empty: Checkout) -> None:
    empty.write("other/package.json", WEB)
    empty.write(".gitignore", "other\n")
    assert set(containers(inferred(empty, {"web/package.json": WEB, "web/a.ts": ""}))) == {"Web"}


def test_a_gradle_build_of_many_projects(empty: Checkout) -> None:
    spring = (
        'plugins { id "org.springframework.boot" version "3.4" }\ndependencies { implementation project(":common") }\n'
    )
    found = inferred(
        empty,
        {
            "settings.gradle": "include 'orders', 'billing', 'common'\n",
            "build.gradle": "plugins { id 'org.springframework.boot' version '3.4' apply false }\n",
            "orders/build.gradle": spring + "dependencies { testImplementation 'org.mongodb:mongodb-driver-sync:5' }\n",
            "orders/src/main/java/shop/OrdersApplication.java": JAVA,
            "billing/build.gradle": spring + "dependencies { runtimeOnly 'org.postgresql:postgresql:42' }\n",
            "billing/src/main/java/shop/BillingApplication.java": JAVA,
            "common/build.gradle": "plugins { id 'java-library' }\n",
            "common/src/main/java/shop/Money.java": JAVA,
        },
    )
    assert set(containers(found)) == {"Orders", "Billing", "PostgreSQL"}
    assert uses(found) == {("Orders", "Common"), ("Billing", "Common"), ("Billing", "PostgreSQL")}


# what stands beside it


def test_images_are_data_stores_brokers_systems_of_others_or_tools(empty: Checkout) -> None:
    compose = """services:
      api: {build: api, environment: {DB: "postgres://orders-db:5432/x"}, depends_on: {kafka: {condition: x}}}
      orders-db: {image: "postgres:16-alpine"}
      cache: {image: "docker.io/library/redis:7@sha256:1234"}
      kafka: {image: "confluentinc/cp-kafka:7.5"}
      kafka-ui: {image: "provectuslabs/kafka-ui"}
      mail: {image: axllent/mailpit}
      keycloak: {image: "quay.io/keycloak/keycloak:26"}
      pricing: {image: "shop-pricing:latest"}
      oracle-of-others: {image: "someone/forecasts:2"}
    """
    found = inferred(empty, {"docker-compose.yml": compose, "api/Dockerfile": "FROM node\n", "api/a.js": ""})
    tags = {container.name: container.tags for container in found.sketch.containers}
    assert tags == {
        "API": (),
        "Orders DB": ("Database",),
        "Redis": ("Database",),
        "Kafka": ("Queue",),
        "Pricing": ("Image",),
    }
    assert {system.name for system in found.sketch.systems} == {"Keycloak", "Oracle Of Others"}
    assert uses(found) == {("API", "Orders DB"), ("API", "Kafka")}


def test_client_libraries_tell_what_no_image_does(empty: Checkout) -> None:
    manifest = (
        '[project]\nname = "api"\ndependencies = ["fastapi", "psycopg", "redis>=5", "stripe", "openai", "mariadb"]\n'
    )
    compose = "services:\n  db: {image: 'mysql:8'}\n"
    found = inferred(empty, {"api/pyproject.toml": manifest, "api/main.py": "", "compose.yml": compose})
    assert set(containers(found)) == {"API", "PostgreSQL", "Redis", "MySQL"}
    assert {system.name for system in found.sketch.systems} == {"OpenAI", "Stripe"}
    assert ("API", "MySQL") in uses(found)


def test_a_dockerfile_on_a_data_store_is_the_data_store(empty: Checkout) -> None:
    files = {
        "deploy/postgres/Dockerfile": "FROM postgres:16\nCOPY init.sql /\n",
        "deploy/postgres/init.sql": "",
        "web/a.ts": "",
    }
    found = inferred(empty, {**files, "web/package.json": WEB})
    assert containers(found) == {"PostgreSQL": ("deploy/postgres",), "Web": ("web",)}


def test_workloads_tell_where_there_is_no_compose_file(empty: Checkout) -> None:
    workload = "kind: {}\nmetadata: {{name: {}}}\nspec: {{template: {{spec: {{containers: [{{image: '{}'}}]}}}}}}\n"
    manifests = "---\n".join(
        [
            workload.format("Deployment", "orders-deployment", "registry.example.org/orders"),
            workload.format("StatefulSet", "orders-db", "mongo:7"),
        ]
    )
    files = {
        "orders/package.json": WEB,
        "orders/a.ts": "",
        "orders/k8s/all.yaml": manifests,
        "k8s/chart.yaml": "kind: Deployment\n{{ x }}",
    }
    found = inferred(empty, files)
    assert set(containers(found)) == {"Orders", "Orders DB"}
    assert found.warnings == ()


def test_an_included_compose_file_counts_and_one_further_down_does_not(empty: Checkout) -> None:
    found = inferred(
        empty,
        {
            "compose.yaml": "include: [infra/compose.yaml]\nservices:\n  web: {build: web}\n",
            "infra/compose.yaml": "services:\n  db: {image: mysql}\n",
            "web/compose.yaml": "services:\n  db: {image: 'mongo:7'}\n",
            "web/Dockerfile": "FROM node\n",
            "web/a.js": "",
        },
    )
    assert set(containers(found)) == {"Web", "MySQL"}


# what is inside


def test_components_are_package_folders_below_those_that_only_lead_there(empty: Checkout) -> None:
    root = "orders/src/main/java/org/shop/orders"
    found = inferred(
        empty,
        {
            "orders/pom.xml": "<project/>",
            f"{root}/OrdersApplication.java": JAVA,
            f"{root}/cart/Cart.java": "import org.shop.orders.pricing.Price;\n",
            f"{root}/pricing/Price.java": JAVA,
            "orders/src/test/java/org/shop/orders/cart/CartTest.java": JAVA,
            "orders/src/main/resources/db/a.sql": "",
        },
    )
    parts = one(found, "Orders").components
    assert [(part.name, part.source) for part in parts] == [
        ("Cart", (f"{root}/cart",)),
        ("Pricing", (f"{root}/pricing",)),
    ]
    assert uses(found) == {("Orders/Cart", "Orders/Pricing")}


@pytest.mark.parametrize(
    ("manifest", "one_file", "line"),
    [
        ({"pyproject.toml": FASTAPI, "app/main.py": ""}, "app/cart/a.py", "from ..pricing import price"),
        ({"pyproject.toml": FASTAPI, "app/main.py": ""}, "app/cart/a.py", "from app.pricing.b import price"),
        ({"package.json": WEB}, "src/cart/a.ts", 'import { price } from "../pricing/b"'),
        ({"package.json": WEB}, "src/cart/a.ts", 'import price from "@/pricing"'),
        ({"go.mod": "module x\n", "main.go": "package main\n"}, "internal/cart/a.go", 'import "x/internal/pricing"'),
        ({"Cargo.toml": '[package]\nname = "x"\n', "src/main.rs": ""}, "src/cart/mod.rs", "use crate::pricing::Price;"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)  # fmt: skip
def test_imports_between_components_are_read(
    empty: Checkout, manifest: Mapping[str, str], one_file: str, line: str
) -> None:
    files = {**manifest, one_file: f"{line}\n", one_file.replace("cart", "pricing"): ""}
    found = inferred(empty, {f"shop/{path}": content for path, content in files.items()})
    name = found.sketch.containers[0].name
    assert (f"{name}/Cart", f"{name}/Pricing") in uses(found)


def test_a_units_source_leaves_out_the_units_inside_it(empty: Checkout) -> None:
    files = {
        "pyproject.toml": FASTAPI,
        "api/main.py": "",
        "worker.py": "",
        "frontend/package.json": WEB,
        "frontend/a.ts": "",
    }
    assert containers(inferred(empty, files))["API"] == ("api", "worker.py")
