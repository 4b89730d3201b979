"""What a technology text says about files: the suffixes of a language, or that there is no code of ours at all."""

import re

from graph.elements import Element

_JAVA = (".java", ".kt", ".groovy")
_SCRIPT = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte", ".astro")
_NET = (".cs", ".fs", ".vb", ".razor", ".cshtml")
_C = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")
_SUFFIXES = {
    **dict.fromkeys("java spring springboot quarkus micronaut jakarta jvm thymeleaf".split(), _JAVA),
    **dict.fromkeys(("kotlin", "ktor"), (*_JAVA, ".kts")),
    "scala": (".scala", ".sc", ".java"),
    "groovy": _JAVA,
    "clojure": (".clj", ".cljs", ".cljc"),
    **dict.fromkeys("python django flask fastapi celery asyncio gobject dataclass pydantic".split(), (".py", ".pyx")),
    **dict.fromkeys(
        "typescript javascript node nodejs nestjs nextjs react vue angular svelte vite nuxt astro express fastify "
        "electron deno bun js ts".split(),
        _SCRIPT,
    ),
    **dict.fromkeys(("go", "golang"), (".go",)),
    "rust": (".rs",),
    **dict.fromkeys(("c#", ".net", "dotnet", "asp.net", "blazor", "csharp"), _NET),
    **dict.fromkeys(("php", "laravel", "symfony"), (".php",)),
    **dict.fromkeys(("ruby", "rails", "sinatra"), (".rb", ".erb")),
    **dict.fromkeys(("elixir", "phoenix", "ecto"), (".ex", ".exs", ".heex", ".eex")),
    "erlang": (".erl", ".hrl"),
    "swift": (".swift", ".m"),
    **dict.fromkeys(("dart", "flutter"), (".dart",)),
    **dict.fromkeys(("c++", "c11", "c99", "cpp"), _C),
    "haskell": (".hs",),
}
_STORES = frozenset(
    """
    database databases postgres postgresql mysql mariadb mongodb mongo redis valkey memcached sqlite dynamodb cassandra
    elasticsearch opensearch clickhouse neo4j influxdb cosmosdb firestore rds aurora mssql sqlserver s3 bucket blob
    minio kafka rabbitmq activemq nats sqs sns mosquitto pulsar redpanda indexeddb filesystem
    """.split()
)
_STORE_TAGS = frozenset(
    "database datastore cache queue messagequeue messagebus bucket storage filestore topic db s3 sns sqs".split()
)
_WORD = re.compile(r"\.net\b|c#|c\+\+|[a-z][a-z0-9]*(?:\.(?:js|net))?", re.IGNORECASE)


def suffixes_of(technology: str) -> tuple[str, ...]:
    """Return the suffixes of the languages that a technology text names; none when it names no language."""
    found: dict[str, None] = {}
    for word in _words(technology):
        found.update(dict.fromkeys(_SUFFIXES.get(word, ())))
    return tuple(found)


def is_store(element: Element) -> bool:
    """Say whether the element is a data store or a queue: what others wrote, so that no path implements it."""
    if any(re.sub(r"[\W_]", "", tag).lower() in _STORE_TAGS for tag in element.tags):
        return True
    return bool(_STORES.intersection(_words(element.technology))) and not suffixes_of(element.technology)


def _words(text: str) -> list[str]:
    return [word.lower().removesuffix(".js") for word in _WORD.findall(text)]
