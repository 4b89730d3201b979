"""The defaults of the drift check, in one frozen value."""

from typing import Literal

from pydantic import Field

from graph.frozen import Frozen

FailOn = Literal["new", "any", "none"]
"""Which findings fail a check: those that are not known, any, or none."""

_CODE = frozenset(
    """
    .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .java .kt .kts .groovy .gradle .go .rs .c .h .cc .cpp .cxx .hh
    .hpp .hxx .m .mm .cs .vb .swift .dart .php .rb .pl .pm .lua .r .jl .ex .exs .erl .hrl .clj .cljs .cljc .lisp .el
    .scm .rkt .zig .v .sv .vhd .vhdl .sol .ml .mli .d .pas .adb .ads .f90 .cu .cuh .glsl .hlsl .wgsl .sql .proto
    .thrift .graphql .gql .tf .hcl .json .jsonc .json5 .xml .xsd .xsl .xslt .xaml .csproj .fsproj .html .htm .cshtml
    .razor .jsp .ejs .hbs .css .scss .less .toml .dsl .c4
    .py .pyi .pyw .pyx .pxd .bzl .hs .lhs .fs .fsi .fsx .nim .nims .coffee .litcoffee .elm .purs .idr .agda .gd .scala
    .sc
    """.split()
)
_DATA = frozenset(
    """
    .tf .hcl .json .jsonc .json5 .xml .xsd .xsl .xslt .xaml .csproj .fsproj .html .htm .hbs .css .scss .less .toml .dsl
    .c4
    """.split()
)
_LOCK_FILES = frozenset(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock poetry.lock uv.lock
    pdm.lock pipfile.lock pixi.lock conda-lock.yml cargo.lock go.sum gemfile.lock composer.lock packages.lock.json
    gradle.lockfile mix.lock pubspec.lock podfile.lock package.resolved flake.lock .terraform.lock.hcl paket.lock
    """.split()
)
_NOT_PRODUCT = (
    # tests
    *("**/test/**", "**/tests/**", "**/spec/**", "**/specs/**", "**/__tests__/**", "**/__mocks__/**", "**/testdata/**"),
    *("**/fixtures/**", "**/e2e/**", "**/*.Tests/**", "**/test_*.py", "**/*_test.*", "**/*.test.*", "**/*.spec.*"),
    *("**/tests.*", "**/*_tests.*", "**/*.stories.*"),
    *("**/*_spec.rb", "**/*Test.java", "**/*Tests.cs", "**/conftest.py"),
    # docs
    *("**/docs/**", "**/doc/**", "**/documentation/**"),
    # code of others
    *("**/vendor/**", "**/third_party/**", "**/node_modules/**"),
    # what configures tools
    *("**/.*/**", "**/*.config.*", "**/setup.py", "**/noxfile.py", "**/.*"),
)


class DriftPolicy(Frozen):
    """What counts as a change, what is left out, and how a score is named.

    `ignore` and `not_product` are globs, suffixes carry their dot and are lower case.
    `share_sample` is how many unchanged files of an element are read to tell how long they are, `dependency_files` how
    many are at most read for their imports. Files of more than `longest_parsed` bytes are not looked into for claims; a
    symbol of which less than the share `rewritten_below` is left is no more the one that a claim meant, one of which
    `moved_from` is found in another file has moved there. `fail_on` of None is `new` where a baseline file is
    committed, else `none`.
    """

    ignore: tuple[str, ...] = ()
    not_product: tuple[str, ...] = _NOT_PRODUCT
    lock_files: frozenset[str] = _LOCK_FILES
    code_suffixes: frozenset[str] = (_CODE | {".sh", ".bash", ".ps1"}) - _DATA
    rename_limit: int = Field(default=2000, ge=1)
    model_versions: int = Field(default=1000, ge=1)
    share_sample: int = Field(default=50, ge=0)
    longest_parsed: int = Field(default=2_000_000, ge=1)
    rewritten_below: float = Field(default=1 / 3, ge=0, le=1)
    moved_from: float = Field(default=0.5, ge=0, le=1)
    bands: tuple[tuple[float, str], ...] = ((90, "excellent"), (70, "good"), (50, "fair"), (30, "poor"))
    lowest_band: str = "critical"
    min_score: float | None = Field(default=None, ge=0, le=100)
    fail_on: FailOn | None = None
    dependencies: bool = True
    dependency_files: int = Field(default=20_000, ge=1)
