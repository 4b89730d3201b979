"""Names for people, from the names of folders, packages and services."""

import re

_ACRONYMS = frozenset(
    """
    api bff cdn ci cli cms cpu crm cron css csv db dns dto erp etl faq ftp gis grpc gui html http https iam id io iot ip
    jwt kpi llm mcp ml mq ocr os pdf php poc pwa qr rag rest rpc sdk seo sftp sms smtp soap spa sql sso ssh ssl tcp
    tls tui ui url ux vpn wasm ws xml yaml
    """.split()
)
_SPELLED = {
    "oauth": "OAuth",
    "oauth2": "OAuth2",
    "graphql": "GraphQL",
    "ios": "iOS",
    "mongodb": "MongoDB",
    "grpc": "gRPC",
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VERSION = re.compile(r"v\d+|")
_SEPARATOR = re.compile(r"[\W_]+")


def title(name: str) -> str:
    """Return `order_service`, `order-service` or `OrderService` as `Order Service`: letters, digits, spaces."""
    parts = [part for part in name.split("/") if not _VERSION.fullmatch(part)]
    own = parts[-1] if parts else name  # of `@shop/web`, `acme/web` or `example.org/acme/web/v2`
    words = [word for part in _SEPARATOR.split(own) for word in _HUMP.split(part) if word]
    return " ".join(map(_spelled, words)) or "Unnamed"


def _spelled(word: str) -> str:
    known = _SPELLED.get(word.lower())
    return known or (word.upper() if word.lower() in _ACRONYMS else word[:1].upper() + word[1:])


def unique(name: str, taken: set[str], hint: str = "") -> str:
    """Return the name, or one like it that nobody has yet, and take it."""
    hint = re.sub(r"[^\w./-]", "?", hint)
    candidates = [name, f"{name} ({hint})"] if hint else [name]
    candidates += [f"{name} {number}" for number in range(2, len(taken) + 3)]
    found = next(one for one in candidates if one.casefold() not in taken)
    taken.add(found.casefold())
    return found
