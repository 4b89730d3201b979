"""A small shop in a real git repository, and the real command line beside it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL = """workspace "Shop" {
  model {
    user = person "User"
    shop = softwareSystem "Shop" {
      api = container "API" {
        properties {
          path "src/api"
        }
      }
      web = container "Web" {
        properties {
          path "src/web"
        }
      }
      jobs = container "Jobs" {
        cart = component "Cart" {
          properties {
            path "src/jobs"
          }
        }
      }
      store = container "Store" {
        cart2 = component "Cart" {
          properties {
            path "src/store"
          }
        }
      }
    }
    user -> web "uses"
    web -> api "calls"
  }
}
"""
FILES = {
    "workspace.dsl": MODEL,
    "src/api/limits.py": "LIMIT = 100\n\n\ndef allow(count):\n    return count < LIMIT\n",
    "src/web/page.js": "export const page = () => 1\n",
    "src/jobs/cart.py": "CART = 1\n",
    "src/store/cart.py": "CART = 2\n",
}
ORIGIN = "git@github.com:Acme/Shop.git"
IDENTITY = "github.com/acme/shop"
LIMIT = "The gateway lets 100 requests a minute pass"


def git(folder: Path, *arguments: str) -> str:
    """Run git, in nobody's name, untouched by the machine's own configuration."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "author",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_COMMITTER_NAME": "author",
        "GIT_COMMITTER_EMAIL": "author@example.org",
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")


def commit(folder: Path, files: dict[str, str], message: str = "change") -> str:
    """Write and commit files; return the commit."""
    write(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def make_shop(folder: Path, origin: str = ORIGIN, files: dict[str, str] | None = None) -> Path:
    """Make a repository with the shop in it."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    commit(folder, FILES if files is None else files, "first")
    return folder


@dataclass
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Cli:
    """The real command line, with a store and a home of its own."""

    folder: Path
    environment: dict[str, str]
    prefix: tuple[str, ...] = ()

    def __call__(self, *arguments: str, code: int = 0, input: bytes | None = None, **environment: str) -> Done:
        """Run a command; the exit code is checked, and that no traceback is shown."""
        done = subprocess.run(
            [*self.prefix, sys.executable, "-m", "server.cli", *arguments],
            cwd=self.folder,
            env={**self.environment, **environment},
            input=input if input is not None else b"",
            capture_output=True,
            check=False,
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert "Traceback" not in err, err
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{out}\n{err}"
        return Done(done.returncode, out.replace("\r\n", "\n"), err.replace("\r\n", "\n"))

    def at(self, folder: Path) -> "Cli":
        """Return the same command line started elsewhere."""
        return Cli(folder, self.environment, self.prefix)

    def behind(self, *prefix: str) -> "Cli":
        """Return the same command line, started by another command."""
        return Cli(self.folder, self.environment, prefix)


def cli_with(folder: Path, home: Path, **more: str) -> Cli:
    """Return a command line started in a folder, whose store lies in `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ARCHMEM_", "GIT_"))}
    environment = {
        **kept,
        "HOME": str(home),
        "ARCHMEM_STORE": str(home / "store" / "archmem.db"),
        "ARCHMEM_EMBEDDER": "none",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **more,
    }
    return Cli(folder, environment)
