"""Packages of compiled languages: Go, Maven, Gradle, Cargo, .NET."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from drift.manifests.packages import Around, Package
from drift.manifests.reading import ManifestFiles, mapping, text_of

_GO_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_GO_COMMAND = re.compile(r"^package\s+main\b", re.MULTILINE)
_GO_REQUIRED = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v\S+(?!.*// indirect)", re.MULTILINE)
_GO_REPLACED = re.compile(r"=>\s*(\.\S*)")
_MAIN_CLASS = re.compile(r"^src/main/.*(Application|Main|App)\.(java|kt|scala|groovy)$")
_RUNS_JVM = ("spring-boot-maven-plugin", "quarkus-maven-plugin", "jib-maven-plugin", "micronaut-maven-plugin")
_GRADLE_RUNS = re.compile(
    r"""(?:org\.springframework\.boot|io\.quarkus|io\.micronaut\.application|io\.ktor\.plugin|com\.android\.application"""
    r"""|com\.google\.cloud\.tools\.jib|\bid\s*\(?["']application["']|["']application["']|^\s*application\s*$"""
    r"""|\bid\s*\(?["']war["']|["']war["'])[^\n]*""",
    re.MULTILINE,
)
_GRADLE_DEPENDENCY = re.compile(r"""["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']""")
_GRADLE_UNUSED = re.compile(r"(?<!:)//[^\n]*|\b(?:test|androidTest)\w*[ \t(][^\n;}]*")
_GRADLE_PROJECT = re.compile(r"""project\s*\(\s*(?:path\s*[:=]\s*)?["']:([^"']+)["']""")
_GRADLE_ALIAS = re.compile(r"\blibs\.([\w.]+)")
_DOTNET_WEB = ("microsoft.net.sdk.web", "microsoft.net.sdk.worker", "microsoft.net.sdk.blazorwebassembly")
_DOTNET_TEST = ("microsoft.net.test.sdk", "xunit", "nunit", "mstest.testframework")


def read_go(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `go.mod`; its commands are found by their files."""
    text = files.text(path)
    module = _GO_MODULE.search(text)
    return Package(
        path,
        around.folder,
        module[1].strip('"') if module else "",
        dependencies=frozenset(_GO_REQUIRED.findall(text)),
        near=frozenset(_below(around.folder, _GO_REPLACED.findall(text))),
    )


def go_commands(files: ManifestFiles, around: Around) -> Iterator[str]:
    """Yield the folders, relative to the module, whose `main.go` is a command."""
    for path in sorted(around.files):
        if posixpath.basename(path) == "main.go" and _GO_COMMAND.search(
            files.glance(posixpath.join(around.folder, path))
        ):
            yield posixpath.dirname(path)


def read_pom(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `pom.xml`: a program has a plugin that packs one, a main class, or is a web archive."""
    root = files.xml(path)
    if root is None:
        return Package(path, around.folder)
    packing = _child(root, "packaging")
    plugins = [_child(node, "artifactId") for node in _all(root, "plugin")]
    is_list = packing == "pom"
    plugin = next((name for name in _RUNS_JVM if name in plugins), "")
    main = "" if is_list else min((name for name in around.files if _MAIN_CLASS.search(name)), default="")
    program = f"it has {main}" if main else f"it is packed as {packing}" if packing in ("war", "ear") else ""
    return Package(
        path,
        around.folder,
        _child(root, "artifactId"),
        _child(root, "description"),
        frozenset(_child(node, "artifactId") for node in _all(root, "dependency") if _child(node, "scope") != "test"),
        program=program,
        packed=f"it is packed by {plugin}" if plugin and not is_list else "",
        is_list=is_list,
    )


def read_gradle(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `build.gradle`: a program has a plugin that runs or packs one, or a main class."""
    text = _GRADLE_UNUSED.sub("", files.text(path))
    plugin = next(
        (one for one in _GRADLE_RUNS.finditer(text) if "apply false" not in one[0] and "apply(false)" not in one[0]),
        None,
    )
    main = min((name for name in around.files if _MAIN_CLASS.search(name)), default="")
    has_code = any(name.startswith("src/main/") for name in around.files)
    names = (name for _, name in _GRADLE_DEPENDENCY.findall(text))
    aliases = (alias.replace(".", "-") for alias in _GRADLE_ALIAS.findall(text))
    near = (project.replace(":", "/") for project in _GRADLE_PROJECT.findall(text))
    return Package(
        path,
        around.folder,
        dependencies=frozenset((*names, *aliases)),
        near=frozenset(near),  # from the root project, wherever that is
        program=f"it has {main}" if main else "",
        packed="a plugin runs or packs it" if plugin and has_code else "",
    )


def read_cargo(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `Cargo.toml`: a program has a `main.rs` or a binary."""
    data = files.toml(path)
    package = mapping(data.get("package"))
    dependencies = mapping(data.get("dependencies"))
    main = around.has("src/main.rs") or around.find(("src/bin/main.rs",), 3)
    binaries = data.get("bin") or [name for name in around.files if re.fullmatch(r"src/bin/[^/]+(/main)?\.rs", name)]
    near = (text_of(mapping(value).get("path")) for value in dependencies.values())
    return Package(
        path,
        around.folder,
        text_of(package.get("name")),
        text_of(package.get("description")),
        frozenset(dependencies),
        near=frozenset(_below(around.folder, near)),
        program=(f"it has {main}" if main else "it has a binary" if binaries else "") if package else "",
        is_list=not package,
    )


def read_dotnet(path: str, files: ManifestFiles, around: Around) -> Package:
    """Read a `.csproj`: a program is an executable, a web, worker or functions project."""
    root = files.xml(path)
    name = posixpath.splitext(posixpath.basename(path))[0]
    if root is None:
        return Package(path, around.folder, name)
    sdk = (root.get("Sdk") or "").lower()
    output = _deep(root, "OutputType").lower()
    packages = {(node.get("Include") or "").lower() for node in _all(root, "PackageReference")}
    references = ((node.get("Include") or "").replace("\\", "/") for node in _all(root, "ProjectReference"))
    program = ""
    if sdk.startswith(_DOTNET_WEB):
        program = f"its SDK is {root.get('Sdk')}"
    elif _deep(root, "AzureFunctionsVersion"):
        program = "it holds Azure Functions"
    elif output == "winexe" or (output == "exe" and any("hosting" in name for name in packages)):
        program = f"its output is {output}"
    return Package(
        path,
        around.folder,
        name,
        _deep(root, "Description"),
        frozenset(packages),
        near=frozenset(posixpath.dirname(one) for one in _below(around.folder, references)),
        program=program,
        command="its output is exe" if output == "exe" else "",
        is_test=bool(packages.intersection(_DOTNET_TEST)) or _deep(root, "IsTestProject").lower() == "true",
    )


def _below(folder: str, relative: Iterable[str]) -> Iterator[str]:
    for path in relative:
        if path and not path.startswith("/"):
            yield posixpath.normpath(posixpath.join(folder, path))


def _tag(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _child(root: ElementTree.Element, name: str) -> str:
    return next((text_of(node.text) for node in root if _tag(node) == name), "")


def _deep(root: ElementTree.Element, name: str) -> str:
    return next((text_of(node.text) for node in root.iter() if _tag(node) == name), "")


def _all(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (node for node in root.iter() if _tag(node) == name)
