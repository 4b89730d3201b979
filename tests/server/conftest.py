"""Real repositories, a real store, the real command line and a real server."""

import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from graph.elements import ArchitectureModel
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from graph.trees import FolderTree
from server.bootstrap import bootstrap
from server.rest.app import create_app
from server.settings import Settings
from tests.server.shop import FILES, IDENTITY, Cli, cli_with, make_shop, write


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shop and with a home in whose store it is registered, to be copied."""
    folder = tmp_path_factory.mktemp("registered")
    cli_with(make_shop(folder / "shop"), folder / "home")("init")
    return folder


@pytest.fixture
def shop(tmp_path: Path, registered: Path) -> Path:
    """The shop's repository, with its archmem.toml not yet committed."""
    return shutil.copytree(registered / "shop", tmp_path / "shop")


@pytest.fixture
def cli(shop: Path, registered: Path, home: Path) -> Cli:
    """A command line in the shop, which is registered, without an embedder."""
    shutil.copytree(registered / "home", home, dirs_exist_ok=True)
    return cli_with(shop, home)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ArchitectureModel:
    from graph.c4 import read_model

    folder = tmp_path_factory.mktemp("model")
    write(folder, FILES)
    return read_model(FolderTree(folder), ("workspace.dsl",))


@pytest.fixture
def graph(tmp_path: Path, model: ArchitectureModel) -> Iterator[MemoryGraph]:
    """A graph without an embedder, in which the shop is registered."""
    made = bootstrap(Settings(store=tmp_path / "archmem.db", embedder="none"))
    made.add_project("local", IDENTITY, "Shop")
    made.import_model(Scope(project=IDENTITY), model)
    yield made
    made.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The server's settings: it may read repositories in one folder."""
    return Settings(
        store=tmp_path / "archmem.db",
        embedder="none",
        repositories=(tmp_path / "readable",),
        clones=tmp_path / "clones",
    )


@pytest.fixture
def url(graph: MemoryGraph, settings: Settings) -> Iterator[str]:
    """The address of a real server on a free port."""
    app = create_app(graph, settings)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def rest(url: str) -> Iterator[httpx.Client]:
    """A client whose requests are about the shop."""
    with httpx.Client(base_url=url, params={"project": IDENTITY}, timeout=30) as client:
        yield client
