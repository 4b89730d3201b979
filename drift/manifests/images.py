"""Dockerfiles and compose files: what is built, what is run, and who waits for whom."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from drift.manifests.reading import ManifestFiles, mapping, text_of, texts

_DOCKERFILE = re.compile(r"^(?:(?P<before>.+)\.)?(?:dockerfile|containerfile)(?:[.-](?P<after>.+))?$", re.IGNORECASE)
_COMPOSE = re.compile(r"^(?:docker-)?compose(?:[.-](?P<kind>.+))?\.ya?ml$", re.IGNORECASE)
_MAIN_KINDS = frozenset(("", "prod", "production", "deploy", "base"))
# What says where or how an image is built, and not what is in it.
_VARIANTS = frozenset(
    "dev development local prod production release debug base build builder ci test tests alpine slim debian ubuntu "
    "amd64 arm64 arm deploy multi multistage native jvm legacy-jar native-micro distroless in txt".split()
)
_WORKLOADS = frozenset(("Deployment", "StatefulSet", "DaemonSet"))
_WORKLOAD_SUFFIX = re.compile(r"-(?:deployment|deploy|statefulset|daemonset)$")
_WORKLOAD = re.compile(rf"^kind:\s*[\"']?(?:{'|'.join(sorted(_WORKLOADS))})\b", re.MULTILINE)
_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE | re.MULTILINE)
_PATHS = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*")
_STEP = re.compile(r"^\s*(?:COPY|ADD|RUN|WORKDIR|CMD|ENTRYPOINT|ENV|ARG)\s(.*)$", re.IGNORECASE | re.MULTILINE)
_HOST = re.compile(r"(?:^|//|@|=|,|\s)([A-Za-z][\w.-]*)(?=:\d|/|$|,)")


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """`variant` is the part of its name that tells it from others beside it; `base` the image of its last stage."""

    path: str
    variant: str
    base: str
    words: frozenset[str]

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)


@dataclass(frozen=True, slots=True)
class Service:
    """A composed service: built from a context, or run from an image; `hosts` are the names its settings mention."""

    name: str
    file: str
    image: str = ""
    context: str | None = None
    dockerfile: str = ""
    command: str = ""
    mounted: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    hosts: frozenset[str] = frozenset()


def is_dockerfile(path: str) -> bool:
    """Say whether the file builds an image."""
    found = _DOCKERFILE.match(posixpath.basename(path))
    return found is not None and (found["after"] or "").lower() not in ("dockerignore", "md")


def compose_kind(path: str) -> str | None:
    """Return what a compose file is for (`dev`, `override`), empty for the main one; None for another file."""
    found = _COMPOSE.match(posixpath.basename(path))
    if found is None:
        return None
    kind = (found["kind"] or "").lower()
    return "" if kind in _MAIN_KINDS else kind


def read_dockerfile(path: str, files: ManifestFiles) -> Dockerfile:
    """Read what a Dockerfile starts from and which paths it mentions."""
    text = re.sub(r"\\\s*\n", " ", files.text(path))
    stages: dict[str, str] = {}
    base = ""
    for image, alias in _FROM.findall(text):
        base = stages.get(image.lower(), image)
        if alias:
            stages[alias.lower()] = base
    mentioned = (posixpath.normpath(word) for step in _STEP.findall(text) for word in _PATHS.findall(step))
    found = _DOCKERFILE.match(posixpath.basename(path))
    parts = [part for part in (found["before"], found["after"]) if part] if found else []
    variant = next((part for part in parts if part.lower() not in _VARIANTS), "")
    return Dockerfile(path, variant, base, frozenset(mentioned))


def read_compose(path: str, files: ManifestFiles) -> list[Service]:
    """Read a compose file's services, in order."""
    folder = posixpath.dirname(path)
    services = mapping(files.yaml(path).get("services"))
    return [_service(name, mapping(raw), path, folder) for name, raw in services.items() if mapping(raw)]


def read_workloads(path: str, files: ManifestFiles) -> list[Service]:
    """Read what a Kubernetes manifest runs; none in a template, or in a file about anything else."""
    text = files.glance(path)
    if "{{" in text or not _WORKLOAD.search(text):
        return []
    found: list[Service] = []
    for document in files.yaml_documents(path):
        if document.get("kind") not in _WORKLOADS:
            continue
        name = _WORKLOAD_SUFFIX.sub("", text_of(mapping(document.get("metadata")).get("name")))
        pod = mapping(mapping(mapping(document.get("spec")).get("template")).get("spec"))
        listed = pod.get("containers")
        containers = [mapping(one) for one in listed] if isinstance(listed, list) else []
        if name and containers:  # the others stand beside the first and serve it
            first = containers[0]
            settings = [text_of(mapping(one).get("value")) for one in first.get("env") or () if isinstance(one, dict)]
            hosts = frozenset(_hosts(dict(enumerate(settings))))
            found.append(Service(name=name, file=path, image=text_of(first.get("image")), hosts=hosts))
    return found


def included_by(path: str, files: ManifestFiles) -> list[str]:
    """Return the compose files that a compose file includes."""
    listed = files.yaml(path).get("include")
    items = listed if isinstance(listed, list) else [listed]
    named = (name for item in items for name in texts(item) or texts(mapping(item).get("path")))
    return [inside for name in named if (inside := _inside(posixpath.dirname(path), name))]


def _service(name: str, raw: dict[str, Any], file: str, folder: str) -> Service:
    build = raw.get("build")
    context, dockerfile = None, ""
    if isinstance(build, str):
        context = build
    elif isinstance(build, dict):
        context = text_of(build.get("context")) or "."
        dockerfile = text_of(build.get("dockerfile"))
    if context is not None:
        context = _inside(folder, context)
        dockerfile = (
            posixpath.normpath(posixpath.join(context, dockerfile)) if context is not None and dockerfile else ""
        )
    command = raw.get("command")
    after = raw.get("depends_on")
    links = (link.partition(":")[0] for link in texts(raw.get("links")))
    return Service(
        name=name,
        file=file,
        image=_defaulted(text_of(raw.get("image"))),
        context=context,
        dockerfile=dockerfile,
        command=" ".join(texts(command)) if isinstance(command, list) else text_of(command),
        mounted=tuple(_mounted(raw.get("volumes"), folder)),
        after=tuple(dict.fromkeys((*(after if isinstance(after, dict) else texts(after)), *links))),
        hosts=frozenset(_hosts(raw.get("environment"))),
    )


def _inside(folder: str, path: str) -> str | None:
    """Return a path of the compose file from the repository's root; None for one outside, or elsewhere."""
    if "://" in path or path.startswith(("/", "~", "$", "git@")):
        return None
    found = posixpath.normpath(posixpath.join(folder, path))
    return None if found.startswith("..") else "" if found == "." else found


def _defaulted(text: str) -> str:
    """Return a text with each `${NAME:-default}` replaced by its default."""
    return re.sub(r"\$\{\w+:?-([^}]*)\}", r"\1", text)


def _mounted(volumes: object, folder: str) -> Iterator[str]:
    for volume in volumes if isinstance(volumes, list) else ():
        source = text_of(mapping(volume).get("source")) if isinstance(volume, dict) else text_of(volume).split(":")[0]
        if source.startswith(".") and (path := _inside(folder, source)):
            yield path


def _hosts(environment: object) -> Iterator[str]:
    listed = (line.partition("=")[2] for line in texts(environment))
    for value in environment.values() if isinstance(environment, dict) else listed:
        if isinstance(value, str):
            yield from (host.lower() for host in _HOST.findall(_defaulted(value)))
