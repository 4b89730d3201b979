"""The one comment of a pull request: made by the first run, updated by the next ones."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from drift import MARKER
from graph.errors import InvalidInput, Unavailable
from server.answers import Commented

_GITHUB = "https://api.github.com"
_CALM = f"{MARKER}\nThis change touches no documented element any more.\n"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_SECONDS = 30
_PAGE = 100


def post_comment(file: str, number: int, environment: Mapping[str, str]) -> Commented:
    """Post the file's content to the pull request of this number, or update what is there.

    Raise InvalidInput for a file or an environment that cannot be used, Unavailable where the server refuses.
    """
    try:
        body = Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        step = "give the file that `archmem drift check --format comment=FILE` wrote"
        raise InvalidInput(f"{file} cannot be read", id=file, next_step=step) from error
    issues = _Issues(environment)
    there = next((one for one in issues.comments(number) if _is_ours(one)), None)
    if there is not None:
        made = issues.ask("PATCH", f"/issues/comments/{int(there['id'])}", {"body": body or _CALM})
        return Commented(outcome="updated", url=str(made["html_url"]))
    if not body:
        return Commented(outcome="skipped")
    made = issues.ask("POST", f"/issues/{number}/comments", {"body": body})
    return Commented(outcome="created", url=str(made["html_url"]))


def _is_ours(comment: Mapping[str, Any]) -> bool:
    # Who quotes it puts a `>` before it.
    return str(comment.get("body") or "").startswith(MARKER)


class _Issues:
    """A repository's comments at GitHub, or at an Enterprise Server."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        repository = environment.get("GITHUB_REPOSITORY", "")
        api = environment.get("GITHUB_API_URL", "").strip().rstrip("/") or _GITHUB
        self._token = environment.get("GITHUB_TOKEN", "").strip()
        self._url = f"{api}/repos/{repository}"
        faulty = [
            name
            for name, is_good in (
                ("GITHUB_REPOSITORY", _REPOSITORY.fullmatch(repository)),
                ("GITHUB_API_URL", urlsplit(api).scheme in ("http", "https")),
                ("GITHUB_TOKEN", self._token and self._token.isascii() and self._token.isprintable()),
            )
            if not is_good
        ]
        if faulty:
            raise InvalidInput(
                f"{', '.join(faulty)} cannot be used",
                id=faulty[0],
                next_step="set them as GitHub Actions does: owner/name, the API's address, a token",
            )

    def comments(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield the comments of an issue or pull request, page by page."""
        page = 1
        while found := self.ask("GET", f"/issues/{number}/comments?per_page={_PAGE}&page={page}"):
            yield from found
            if len(found) < _PAGE:
                return
            page += 1

    def ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        """Return the answer; raise Unavailable where there is none, or a refusal."""
        request = urllib.request.Request(
            f"{self._url}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "User-Agent": "archmem",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                step = "give the token `pull-requests: write`; a pull request from a fork has none"
                what = f"{method} {path} was refused with {error.code}"
            raise Unavailable(what, id=self._url, next_step=step) from error
        except (OSError, ValueError) as error:
            what = f"{self._url} does not answer: {error}"
            raise Unavailable(what, id=self._url, next_step="try again later") from error
