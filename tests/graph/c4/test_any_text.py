"""Whatever a file holds, reading it ends, with a model or with a refusal that says where."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.c4 import find_models, read_model
from graph.errors import Fault, UnreadableModel
from tests.graph.c4.files import Files

MODEL = '''workspace "Shop" {
    !identifiers hierarchical
    !const NAME "Shop"
    !var TEXT """
        text ${NAME}
    """
    !adrs adr
    model {
        archetypes {
            app = container {
                technology "Go"
            }
            https = -> {
                tag "HTTPS"
            }
        }
        u = person "User" "Buys" "Human"
        group "Company" {
            s = softwareSystem "${NAME}" {
                api = app "API" {
                    properties {
                        path "src; a.go:55|b.go:x,y"
                    }
                    url "https://github.com/acme/shop/blob/main/a.go"
                    cart = component "Cart" "${TEXT}" "a.go" "External"
                }
                db = container "DB"
                api --https-> db "Reads" \\
                    "SQL"
            }
        }
        u -> s.api "Uses" {
            tags "Hot"
        }
        !elements "element.tag==Container && s.api->" {
            tags "Chosen"
        }
        !element s.db {
            -> this
        }
        !relationships "*->*" {
            tags "All"
        }
        !include part.dsl
        !script groovy {
            x
        }
        live = deploymentEnvironment "Live" {
            deploymentNode "N" {
                containerInstance s.api
            }
        }
        /* comment
        */
    }
    views {
        systemContext s {
            include *
        }
    }
}
'''
LINES = MODEL.splitlines()
PIECES = st.sampled_from(
    [*LINES, "}", "{", '"', "->", '"""', "/*", "*/", "\\", "!include w.dsl", "${A}", "!var A ${A}${A}"]
)
INSERTED = st.lists(st.tuples(st.integers(0, len(LINES)), PIECES), max_size=8)
DROPPED = st.sets(st.integers(0, len(LINES) - 1), max_size=6)


def read_anything(content: bytes) -> None:
    tree = Files(
        {"w.dsl": content, "part.dsl": content, "a.go": b"", "adr/0001-x.md": content, "archmem.toml": content}
    )
    find_models(tree)
    try:
        model = read_model(tree, ["w.dsl"], mapping={"Shop": ["x"]}, remotes=["github.com/acme/shop"])
    except UnreadableModel as refusal:
        assert_places(refusal.faults or [Fault(where="nowhere", what="a refusal without a fault")])
        return
    assert_places(model.warnings)
    refs = {element.ref for element in model.elements}
    assert all(element.parent in refs or not element.parent for element in model.elements)
    assert all(known.source in refs and known.target in refs for known in model.relationships)


def assert_places(findings: Sequence[Fault]) -> None:
    assert all(finding.where.rpartition(":")[2].isdigit() for finding in findings)


@settings(deadline=2_000, max_examples=150)
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_anything(text.encode("utf-8", errors="surrogatepass"))


@settings(deadline=2_000, max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    read_anything(content)


@settings(deadline=4_000, max_examples=300)
@given(DROPPED, INSERTED)
def test_a_damaged_model_is_read_or_refused(dropped: set[int], inserted: list[tuple[int, str]]) -> None:
    lines = [line for number, line in enumerate(LINES) if number not in dropped]
    for place, piece in inserted:
        lines.insert(place, piece)
    read_anything("\n".join(lines).encode())


@settings(deadline=4_000, max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, len(MODEL)), st.sampled_from('"{}\\\n ->=#/*$.,;|[')), min_size=1, max_size=10)
)
def test_a_model_with_stray_characters_is_read_or_refused(strays: list[tuple[int, str]]) -> None:
    text = MODEL
    for place, stray in strays:
        text = text[:place] + stray + text[place:]
    read_anything(text.encode())
