"""Settings: options win over `ARCHMEM_*`, those over `archmem.toml`, that over the defaults."""

import re
from collections.abc import Mapping
from os import pathsep
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator

from drift import DriftPolicy
from graph.errors import Fault, InvalidInput
from graph.frozen import Frozen
from graph.policy import KIND_WEIGHTS, GraphPolicy, RankingPolicy
from graph.project_file import ProjectFile
from graph.scopes import LOCAL_ORGANISATION
from server.schedules import parse_schedule

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
PROVIDER_URLS: Mapping[str, str] = {"openai": "https://api.openai.com/v1", "ollama": "http://localhost:11434"}
_PREFIX = "ARCHMEM_"
_MODELLED = frozenset({"sentence-transformers", *PROVIDER_URLS})
_UNSHOWN = frozenset({"embedder_key", "embedder_url", "neo4j_password"})
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:]+")
_SERVERS = ("neo4j", "neo4j+s", "bolt", "bolt+s")


class Variable(NamedTuple):
    """An environment variable that is read: its name, the option that wins over it, its default and its meaning."""

    name: str
    option: str
    default: str
    meaning: str


VARIABLES = (
    Variable(
        "ARCHMEM_STORE", "--store", "archmem.db in the user's data folder", "The store: a file, or Neo4j's address."
    ),
    Variable("ARCHMEM_NEO4J_USER", "", "neo4j", "Who opens a store in Neo4j."),
    Variable("ARCHMEM_NEO4J_PASSWORD", "", "none", "That user's password; never shown."),
    Variable("ARCHMEM_NEO4J_DATABASE", "", "the server's", "The database, where it is not the server's default one."),
    Variable("ARCHMEM_PROJECT", "--project", "the repository's", "The project's id; then no git is needed."),
    Variable("ARCHMEM_ORGANISATION", "", LOCAL_ORGANISATION, "The organisation that the project belongs to."),
    Variable("ARCHMEM_EMBEDDER", "", "auto", "`auto`, `none`, `local`, `sentence-transformers`, `openai` or `ollama`."),
    Variable("ARCHMEM_EMBEDDER_MODEL", "", "none", "The model's name, or its folder with `sentence-transformers`."),
    Variable("ARCHMEM_EMBEDDER_URL", "", "the provider's", "Where `openai` (up to `/v1`) or `ollama` is asked."),
    Variable("ARCHMEM_EMBEDDER_KEY", "", "none", "The provider's key; never shown."),
    Variable("ARCHMEM_EMBEDDER_DIMENSIONS", "", "the model's", "The size of the vectors, where the model has several."),
    Variable("ARCHMEM_EMBEDDER_TIMEOUT", "", "30", "Seconds until a request to the provider is given up, retries too."),
    Variable("ARCHMEM_ACTOR", "", "cli/ and the user's name", "Who writes, as history shows it."),
    Variable("ARCHMEM_SESSION", "--session", "none", "The id of the agent's session, for impressions and citations."),
    Variable("ARCHMEM_MCP_TOOLS", "mcp --tools", "default", "The tools that agents are offered over MCP."),
    Variable(
        "ARCHMEM_HOST",
        "serve --host",
        "127.0.0.1",
        "Where the server listens; elsewhere than on loopback by access keys.",
    ),
    Variable(
        "ARCHMEM_ALLOWED_HOSTS", "", "any", "Names (with commas) that a server answers to, beside this machine's."
    ),
    Variable("ARCHMEM_RATE_LIMIT", "", "1200", "Requests a minute for each access key; 0 for no limit."),
    Variable("ARCHMEM_PORT", "serve --port", "8765", "The server's port; 0 takes a free one."),
    Variable("ARCHMEM_CATCH_UP", "", "0.3", "Seconds that a command may take to check HEAD when it moved; 0 for none."),
    Variable("ARCHMEM_DRIFT_SCHEDULE", "", "none", "When projects are checked whose archmem.toml names no schedule."),
    Variable("ARCHMEM_REPOSITORIES", "", "none", "Folders (PATH-like list) that a server may read repositories from."),
    Variable("ARCHMEM_CLONES", "", "clones in the user's cache folder", "Where a server keeps its clones."),
    Variable("ARCHMEM_FETCH_TIMEOUT", "", "600", "Seconds until a clone or a fetch is given up."),
    Variable("ARCHMEM_DEBUG", "", "off", "Anything: show the traceback of an unexpected failure."),
)
"""Every variable that archmem reads, for the docs and for `archmem doctor`."""


class Settings(Frozen):
    """What the doors need to know; `project` is None when the repository decides, and empty for the organisation.

    `store` is a file, or a Neo4j server's address as text.
    """

    store: Path | str
    neo4j_user: str = Field(default="neo4j", min_length=1, max_length=200)
    neo4j_password: SecretStr = SecretStr("")
    neo4j_database: str = Field(default="", max_length=100)
    project: str | None = Field(default=None, max_length=300)
    organisation: str = Field(default=LOCAL_ORGANISATION, min_length=1, max_length=200)
    embedder: Literal["auto", "none", "local", "sentence-transformers", "openai", "ollama"] = "auto"
    embedder_model: str = Field(default="", max_length=1_000, validate_default=True)
    embedder_url: str = Field(default="", max_length=2_000)
    embedder_key: SecretStr = SecretStr("")
    embedder_dimensions: int | None = Field(default=None, ge=1, le=65_536)
    embedder_timeout: float = Field(default=30, gt=0, le=600)
    actor: str = Field(default="", max_length=200)
    session: str = Field(default="", max_length=200)
    mcp_tools: str = Field(default="", max_length=2_000)
    host: str = Field(default="127.0.0.1", min_length=1, max_length=200)
    allowed_hosts: tuple[str, ...] = ()
    rate_limit: int = Field(default=1_200, ge=0, le=1_000_000)
    port: int = Field(default=8765, ge=0, le=65535)
    catch_up: float = Field(default=0.3, ge=0, le=3_600)
    drift_schedule: str = Field(default="", max_length=200)
    repositories: tuple[Path, ...] = ()
    clones: Path = Field(default_factory=lambda: _user_folder("cache") / "clones")
    fetch_timeout: float = Field(default=600, gt=0, le=86_400)
    debug: bool = False
    graph: GraphPolicy = GraphPolicy()
    drift: DriftPolicy = DriftPolicy()

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _are_hosts(cls, given: object) -> object:
        hosts = [one.strip().lower() for one in given.split(",") if one.strip()] if isinstance(given, str) else given
        if isinstance(hosts, list) and not all(_HOST.fullmatch(one) for one in hosts):
            raise ValueError("holds what is no name of a host; write names without ports, with commas between them")
        return hosts

    @field_validator("drift_schedule")
    @classmethod
    def _is_schedule(cls, text: str) -> str:
        if text:
            try:
                parse_schedule(text)
            except InvalidInput as error:
                raise ValueError(error.faults[0].what) from error
        return text

    @field_validator("repositories", mode="before")
    @classmethod
    def _are_folders(cls, given: object) -> object:
        folders = [Path(one).expanduser() for one in given.split(pathsep) if one] if isinstance(given, str) else given
        if isinstance(folders, list) and not all(one.is_absolute() for one in folders):
            raise ValueError("holds a folder that is no absolute path")
        return folders

    @field_validator("embedder_model", "embedder_url", "embedder_dimensions")
    @classmethod
    def _is_used(cls, value: str | int | None, about: ValidationInfo) -> str | int | None:
        """Refuse what the chosen embedder does not take: a model that is named must never be another in fact."""
        chosen = about.data.get("embedder", "none")
        if value and chosen not in _takers(about.field_name):
            raise ValueError(f"means nothing to the embedder `{chosen}`; set ARCHMEM_EMBEDDER too")
        if not value and about.field_name == "embedder_model" and chosen in _MODELLED:
            raise ValueError(f"the embedder `{chosen}` needs a model's name")
        return value

    @field_validator("embedder_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0):
            raise ValueError("is no http or https address")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("may hold no user, password or query; the key goes into ARCHMEM_EMBEDDER_KEY")
        return url.rstrip("/")

    @field_validator("embedder_key")
    @classmethod
    def _fits_a_header(cls, key: SecretStr) -> SecretStr:
        if not all("!" <= one <= "~" for one in key.get_secret_value()):
            raise ValueError("has characters that no key has (white space, or beyond ASCII)")
        return key

    @field_validator("store")
    @classmethod
    def _is_store(cls, store: Path | str) -> Path | str:
        """Tell an address from a file: only an address has `://`."""
        if "://" not in str(store):
            if ":/" in Path(store).as_posix()[2:]:
                raise ValueError("is neither a file nor an address")
            return Path(store).expanduser()
        parts = urlsplit(str(store))
        if parts.scheme not in _SERVERS:
            raise ValueError(f"is no store that archmem knows: a file, or {', '.join(_SERVERS)} with ://")
        if parts.username or parts.password:
            raise ValueError("may hold no user or password; they go into ARCHMEM_NEO4J_USER and ARCHMEM_NEO4J_PASSWORD")
        if not _has_host(store) or parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError("is no address like neo4j://host:7687; a database goes into ARCHMEM_NEO4J_DATABASE")
        return str(store).rstrip("/")


def load_settings(
    options: Mapping[str, Any], environment: Mapping[str, str], file: ProjectFile | None = None
) -> Settings:
    """Return the settings; raise InvalidInput with every fault, named by its variable or option."""
    file = file or ProjectFile()
    given = {
        name[len(_PREFIX) :].lower(): value.strip()
        for name, *_ in VARIABLES
        if (value := environment.get(name, "")).strip()
    }
    origin = {name: f"{_PREFIX}{name.upper()}" for name in given}
    if "debug" in given:
        given["debug"] = "true"
    chosen = {name: value for name, value in options.items() if value is not None}
    origin |= {name: f"--{name}" for name in chosen}
    values: dict[str, Any] = {**given, **chosen}
    values.setdefault("store", _default_store())
    try:
        return Settings(**values, graph=graph_policy(file), drift=drift_policy(file))
    except ValidationError as error:
        faults = [Fault(where=_where(fault["loc"], origin), what=_said(fault)) for fault in error.errors()]
        raise InvalidInput(
            "the settings cannot be used",
            id=faults[0].where,
            faults=faults,
            next_step="correct each option or variable named above; `archmem --help` lists them",
        ) from error


def graph_policy(file: ProjectFile) -> GraphPolicy:
    """Return the graph's numbers with what the project file changes."""
    changes = file.ranking.model_dump(exclude_none=True, exclude={"kind_weights"})
    weights = {**KIND_WEIGHTS, **file.ranking.kind_weights}
    return GraphPolicy(ranking=RankingPolicy(**changes, kind_weights=weights))


def drift_policy(file: ProjectFile) -> DriftPolicy:
    """Return the drift check's numbers with what the project file changes."""
    return DriftPolicy(**file.drift.model_dump(exclude_none=True, include=set(DriftPolicy.model_fields)))


def unknown_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the `ARCHMEM_*` variables that mean nothing."""
    known = {variable.name for variable in VARIABLES}
    return tuple(sorted(name for name in environment if name.startswith(_PREFIX) and name not in known))


def _has_host(address: Path | str) -> bool:
    parts = urlsplit(str(address))
    try:
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _takers(field: str | None) -> frozenset[str]:
    return frozenset(PROVIDER_URLS if field == "embedder_url" else _MODELLED) | {"none"}


def _default_store() -> Path:
    return _user_folder("data") / "archmem.db"


def _user_folder(kind: Literal["data", "cache"]) -> Path:
    import platformdirs

    find = platformdirs.user_data_path if kind == "data" else platformdirs.user_cache_path
    return find("archmem", appauthor=False)


def _where(location: tuple[int | str, ...], origin: Mapping[str, str]) -> str:
    name = str(location[0]) if location else "settings"
    return origin.get(name, f"{_PREFIX}{name.upper()}" if name.startswith(("embedder", "neo4j")) else name)


def _said(fault: Any) -> str:
    what = str(fault.get("ctx", {}).get("error") or fault["msg"])
    # An address with a password in it is not repeated either.
    is_unshown = _UNSHOWN & set(fault["loc"]) or "@" in str(fault["input"])
    return what if is_unshown else f"{what} (it is {fault['input']!r})"
