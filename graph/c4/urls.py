"""URLs of files and folders on a code host, as paths of this repository."""

import re
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

from graph.c4.tree_paths import TreePaths
from graph.paths import clean_path

# GitHub, Gitea and Bitbucket: /owner/name/<kind>/ref/path; GitLab: /group/sub/name/-/<kind>/ref/path.
_REPOSITORY = re.compile(r"/(?P<name>[^/]+(?:/[^/]+)+?)(?:/-)?/(?P<kind>blob|tree|src|raw|blame|edit)/(?P<rest>.+)")
_RAW_GITHUB = re.compile(r"/(?P<name>[^/]+/[^/]+)/(?P<rest>.+)")
# A branch of these names has no `/` in it, and a commit has none either.
_PLAIN_REF = re.compile(r"main|master|trunk|develop|dev|HEAD|[0-9a-f]{7,40}|v?\d+(\.\d+)*")


def path_of_url(url: str, remotes: Collection[str], paths: TreePaths) -> str:
    """Return the path of this repository that the URL shows; empty when it shows another, the whole, or none.

    A ref may contain `/`: the longest rest that exists in the tree is the path, else what follows the first part.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return ""
    location = parts.path
    match = _REPOSITORY.fullmatch(location)
    if host == "raw.githubusercontent.com":
        host, match = "github.com", _RAW_GITHUB.fullmatch(location)
    if parts.scheme not in ("http", "https") or match is None:
        return ""
    if f"{host}/{match['name'].removesuffix('.git')}".lower() not in {remote.lower() for remote in remotes}:
        return ""
    segments = [unquote(segment) for segment in match["rest"].strip("/").split("/")]
    if segments[:2] == ["refs", "heads"] or segments[:2] == ["refs", "tags"]:
        segments = segments[2:]
    elif match.groupdict().get("kind") in ("src", "raw") and segments[0] in ("branch", "commit", "tag"):
        segments = segments[1:]
    first = "/".join(segments[1:])
    if not segments or ".." in segments or _PLAIN_REF.fullmatch(segments[0]) or paths.has(first):
        return clean_path(first) if ".." not in segments else ""
    longer = ("/".join(segments[start:]) for start in range(2, len(segments)))
    return clean_path(next((path for path in longer if paths.has(path)), first))
