"""Which languages and frameworks a unit is written in, in the words that people use."""

from collections import Counter
from collections.abc import Iterable
from posixpath import splitext

_LANGUAGES = {
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "TypeScript"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "JavaScript"),
    **dict.fromkeys((".vue", ".svelte"), "TypeScript"),
    **dict.fromkeys((".py", ".pyx"), "Python"),
    **dict.fromkeys((".kt", ".kts"), "Kotlin"),
    **dict.fromkeys((".ex", ".exs"), "Elixir"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp"), "C++"),
    **{".java": "Java", ".go": "Go", ".rs": "Rust", ".cs": "C#", ".fs": "F#", ".php": "PHP", ".rb": "Ruby"},
    **{".scala": "Scala", ".dart": "Dart", ".swift": "Swift", ".clj": "Clojure", ".erl": "Erlang", ".hs": "Haskell"},
    **{".razor": "C#", ".cshtml": "C#", ".sol": "Solidity", ".jl": "Julia", ".lua": "Lua", ".r": "R"},
}
_FRAMEWORKS = {
    package: name
    for name, packages in (
        ("Next.js", "next"),
        ("Nuxt", "nuxt"),
        ("Astro", "astro"),
        ("Gatsby", "gatsby"),
        ("SvelteKit", "@sveltejs/kit"),
        ("Svelte", "svelte"),
        ("Angular", "@angular/core"),
        ("Vue", "vue"),
        ("React", "react"),
        ("React Native", "react-native"),
        ("Expo", "expo"),
        ("Electron", "electron"),
        ("NestJS", "@nestjs/core"),
        ("Express", "express"),
        ("Fastify", "fastify"),
        ("Koa", "koa"),
        ("Hono", "hono"),
        ("Django", "django"),
        ("Flask", "flask"),
        ("FastAPI", "fastapi"),
        ("Streamlit", "streamlit"),
        ("Celery", "celery"),
        ("Spring Boot", "spring-boot-starter spring-boot-starter-web spring-boot-starter-webflux"),
        ("Quarkus", "quarkus-arc quarkus-core"),
        ("Ktor", "ktor-server-core"),
        ("Phoenix", "phoenix"),
        ("Rails", "rails"),
        ("Sinatra", "sinatra"),
        ("Laravel", "laravel/framework"),
        ("Symfony", "symfony/framework-bundle"),
        ("Axum", "axum"),
        ("Actix", "actix-web"),
        ("Rocket", "rocket"),
        ("Gin", "github.com/gin-gonic/gin"),
        ("Echo", "github.com/labstack/echo/v4"),
        ("Fiber", "github.com/gofiber/fiber/v2"),
        ("gRPC", "google.golang.org/grpc grpcio tonic"),
        ("Flutter", "flutter"),
        ("ASP.NET Core", "microsoft.aspnetcore.openapi swashbuckle.aspnetcore"),
    )
    for package in packages.split()
}
_MOST = 3


def technology_of(code: Iterable[str], dependencies: frozenset[str]) -> str:
    """Return the language of most files, and the frameworks among the dependencies."""
    languages = Counter(_LANGUAGES.get(splitext(path)[1].lower(), "") for path in code)
    del languages[""]
    language = [name for name, _ in languages.most_common(1)]
    known = {_FRAMEWORKS[name.lower()]: None for name in sorted(dependencies) if name.lower() in _FRAMEWORKS}
    return ", ".join([*language, *list(known)[:_MOST]])
