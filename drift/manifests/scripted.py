"""Packages of scripting languages: npm, Python, PHP, Ruby, Elixir, Dart."""

import posixpath
import re
from collections.abc import Iterator

from drift.manifests.packages import Around, Package
from drift.manifests.reading import ManifestFiles, mapping, text_of, texts

_WEB_TOOLS = frozenset(
    """
    next nuxt astro gatsby @sveltejs/kit @remix-run/node @remix-run/react react-scripts @angular/cli
    @angular-devkit/build-angular @vue/cli-service @docusaurus/core expo react-native electron
    @tauri-apps/cli @ionic/angular
    """.split()
)
_SERVERS = frozenset(
    "express fastify koa hono @hapi/hapi @nestjs/core @nestjs/microservices @apollo/server graphql-yoga restify".split()
)
_INFRASTRUCTURE = frozenset("aws-cdk-lib @pulumi/pulumi cdktf".split())
_STARTS = ("start", "start:prod", "serve", "deploy", "dev", "develop")
_PAGES = ("index.html", "src/index.html", "public/index.html", "app/index.html")
_PYTHON_SERVERS = frozenset(
    """
    django djangorestframework flask fastapi starlette uvicorn gunicorn hypercorn aiohttp sanic tornado bottle falcon
    quart litestar streamlit gradio dash celery dramatiq rq faust-streaming grpcio connexion chalice mangum
    functions-framework azure-functions aws-lambda-powertools robyn blacksheep nameko prefect dagster
    """.split()
)
_PYTHON_STARTS = (
    *("manage.py", "app.py", "main.py", "wsgi.py", "asgi.py", "server.py", "run.py", "api.py", "worker.py"),
    *("__main__.py", "application.py", "lambda_function.py", "function_app.py", "handler.py"),
)
_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_NAME = re.compile(r"[-_.]+")
_SETUP = re.compile(r"""\bname\s*=\s*["']([^"']+)""")
_GEM = re.compile(r"""^\s*gem\s+["']([^"']+)""", re.MULTILINE)
_MIX_DEP = re.compile(r"\{:(\w+),")
_MIX_APP = re.compile(r"\bapp:\s*:(\w+)")


def read_npm(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `package.json`: a program has a server or a page to start, or a command."""
    data = files.json(path)
    declared = mapping(data.get("dependencies"))
    used = frozenset((*declared, *mapping(data.get("optionalDependencies"))))
    every = used | frozenset((*mapping(data.get("devDependencies")), *mapping(data.get("peerDependencies"))))
    scripts = mapping(data.get("scripts"))
    starts = [name for name in _STARTS if text_of(scripts.get(name))]
    is_list = "workspaces" in data or bool(around.has("pnpm-workspace.yaml", "lerna.json", "nx.json"))
    near = (v.partition(":")[2] for v in map(text_of, declared.values()) if v.startswith(("file:", "link:")))
    return Package(
        file=path,
        folder=around.folder,
        name=text_of(data.get("name")),
        description=text_of(data.get("description")),
        dependencies=used,
        near=frozenset(_joined(around.folder, near)),
        program="" if is_list else _npm_program(path, files, used, every, starts, around),
        command="it has a command" if data.get("bin") else "",
        is_list=is_list,
        is_test=bool(every & _INFRASTRUCTURE),
    )


def _npm_program(
    path: str, files: ManifestFiles, used: frozenset[str], every: frozenset[str], starts: list[str], around: Around
) -> str:
    if tool := min(every & _WEB_TOOLS, default=""):
        return f"it uses {tool}"
    if starts and (server := min(used & _SERVERS, default="")):
        return f"it uses {server} and has the script {starts[0]!r}"
    if page := around.has(*_PAGES) or ("vite" in every and around.find(("/index.html",), 1)):
        return f"it has the page {page}"
    manifest = around.has("manifest.json", "src/manifest.json", "public/manifest.json")
    if manifest and "manifest_version" in files.json(posixpath.join(around.folder, manifest)):
        return "it is a browser extension"
    if "wrangler" in every and starts:
        return "it is deployed by wrangler"
    if "start" in starts or "start:prod" in starts:
        return "it has the script 'start'"
    if "vscode" in mapping(files.json(path).get("engines")):
        return "it is an editor's extension"
    return ""


def read_nx(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `project.json` of an Nx workspace: an application is a program, another project has code of its own."""
    data = files.json(path)
    kind = text_of(data.get("projectType"))
    return Package(
        path,
        around.folder,
        text_of(data.get("name")),
        program="it is an application of the workspace" if kind == "application" else "",
        is_list=not kind,
        is_test=around.folder.endswith("-e2e"),
    )


def read_pyproject(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `pyproject.toml`: a program has scripts, or a server library and a file to start."""
    data = files.toml(path)
    project, tool = mapping(data.get("project")), mapping(data.get("tool"))
    poetry = mapping(tool.get("poetry"))
    required = [*texts(project.get("dependencies")), *mapping(poetry.get("dependencies"))]
    dependencies = frozenset(_python_names(required))
    scripts = (project.get("scripts"), project.get("gui-scripts"), poetry.get("scripts"))
    name = text_of(project.get("name")) or text_of(poetry.get("name"))
    sources = mapping(mapping(tool.get("uv")).get("sources"))
    local = (
        text_of(mapping(value).get("path"))
        for value in (*sources.values(), *mapping(poetry.get("dependencies")).values())
    )
    has_script = any(mapping(value) for value in scripts)
    return Package(
        file=path,
        folder=around.folder,
        name=name,
        description=text_of(project.get("description")) or text_of(poetry.get("description")),
        dependencies=dependencies,
        near=frozenset(_joined(around.folder, local)),
        program=_python_program(dependencies, around) or ("it declares a script" if has_script else ""),
        parts=_python_parts(tool, around),
        is_list="workspace" in mapping(tool.get("uv")) and not project.get("dependencies") and not has_script,
    )


def read_requirements(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `requirements.txt`, or what a `setup.py` beside it says."""
    text = files.text(path)
    is_setup = posixpath.basename(path) in ("setup.py", "setup.cfg")
    lines = re.findall(r"""["']([A-Za-z][\w.-]*)\s*(?:[<>=~!;\["'])""", text) if is_setup else text.splitlines()
    named = _SETUP.search(text) if is_setup else None
    has_script = is_setup and "console_scripts" in text
    dependencies = frozenset(_python_names(lines))
    return Package(
        path,
        around.folder,
        named[1] if named else "",
        dependencies=dependencies,
        program=_python_program(dependencies, around) or ("it declares a script" if has_script else ""),
    )


def _python_names(lines: list[str] | tuple[str, ...]) -> Iterator[str]:
    for line in lines:
        if (found := _REQUIREMENT.match(line)) and found[1].lower() != "python":
            yield _NAME.sub("-", found[1]).lower()


def _python_program(dependencies: frozenset[str], around: Around) -> str:
    server = min(dependencies & _PYTHON_SERVERS, default="")
    endings = tuple(f"/{name}" for name in _PYTHON_STARTS)
    start = around.has(*_PYTHON_STARTS) or (around.find(endings, deepest=3) if server else around.has("src/main.py"))
    if start:
        return f"it has {start}" + (f" and uses {server}" if server else "")
    return ""


def _python_parts(tool: dict[str, object], around: Around) -> tuple[str, ...]:
    """Return the top-level packages that the distribution declares, when it declares several."""
    wheel = tool.get("hatch")
    for key in ("build", "targets", "wheel"):
        wheel = mapping(wheel).get(key)
    setuptools = mapping(tool.get("setuptools"))
    included = mapping(tool.get("poetry")).get("packages")
    named = [text_of(mapping(one).get("include")) for one in included] if isinstance(included, list) else []
    declared = (*texts(mapping(wheel).get("packages")), *texts(setuptools.get("packages")), *named)
    parts = (posixpath.normpath(part.replace(".", "/") if "/" not in part else part) for part in declared if part)
    found = tuple(dict.fromkeys(part for part in parts if f"{part}/__init__.py" in around.files))
    return found if len(found) > 1 else ()


def read_composer(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `composer.json`: a program has a page, or a framework's command."""
    data = files.json(path)
    start = around.has("artisan", "bin/console", "public/index.php", "index.php", "web/index.php")
    dependencies = frozenset(mapping(data.get("require")))
    return Package(
        path, around.folder, text_of(data.get("name")), text_of(data.get("description")), dependencies,
        program=f"it has {start}" if start else "",
    )  # fmt: skip


def read_gemfile(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `Gemfile`: a program has a `config.ru` or is a Rails application."""
    start = around.has("config.ru", "config/application.rb", "app.rb")
    gems = frozenset(_GEM.findall(files.text(path)))
    return Package(path, around.folder, dependencies=gems, program=f"it has {start}" if start else "")


def read_mix(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `mix.exs`: a program starts an application of its own."""
    text = files.text(path)
    named = _MIX_APP.search(text)
    program = "it starts an application" if re.search(r"\bmod:\s*\{", text) else ""
    dependencies = frozenset(_MIX_DEP.findall(text))
    return Package(
        path, around.folder, named[1] if named else "", dependencies=dependencies, program=program,
        is_list="apps_path:" in text,
    )  # fmt: skip


def read_pubspec(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `pubspec.yaml`: a program has a `main.dart`."""
    data = files.yaml(path)
    start = around.has("lib/main.dart", "bin/main.dart", "bin/server.dart")
    return Package(
        path, around.folder, text_of(data.get("name")), text_of(data.get("description")),
        frozenset(mapping(data.get("dependencies"))), program=f"it has {start}" if start else "",
    )  # fmt: skip


def _joined(folder: str, relative: Iterator[str]) -> Iterator[str]:
    for path in relative:
        if path and not path.startswith("/"):
            yield posixpath.normpath(posixpath.join(folder, path))
