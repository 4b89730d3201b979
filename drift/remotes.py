"""What a remote's address names, whatever way it is spelled."""

import re

_URL = re.compile(
    r"^(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[^@/]*@)?(?P<host>\[[^\]]+\]|[^:/]+)(?::\d*)?/(?P<path>.+)$", re.I
)
_SCP = re.compile(r"^(?:[^@/:]+@)?(?P<host>\[[^\]]+\]|[^:/@]{2,}):(?P<path>.+)$")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")


def normalised_remote(url: str) -> str:
    """Return `host/owner/name` in lower case, without scheme, user, port and `.git`; empty for a path of files."""
    url = url.strip()
    if _DRIVE.match(url):
        return ""
    found = _URL.match(url) or (None if "://" in url else _SCP.match(url))
    if found is None or found.groupdict().get("scheme", "").lower() == "file":
        return ""
    path = re.sub(r"/{2,}", "/", found["path"].split("?")[0].split("#")[0]).strip("/")
    path = path.removesuffix(".git").strip("/")
    return f"{found['host']}/{path}".lower() if path else ""
