"""Whatever the files of a LikeC4 project hold, reading it ends, with a model or with a refusal that says where."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.c4 import find_models, read_model
from graph.errors import Fault, UnreadableModel
from tests.graph.c4.files import Files
from tests.graph.c4.test_any_text import assert_places

MODEL = """import { api } from 'other'
specification {
  element actor { style { shape person; color: rgb(1, 2, 3) } }
  element system {
    #shared
    title "A system"
    link https://kinds.example
  }
  relationship async { technology 'Kafka'; line dotted }
  deploymentNode node { style { color red } }
  tag shared
  color custom #F0f
}
model {
  buyer = actor 'Buyer' 'Buys'
  shop = system {
    #hot, #cold;
    title: 'Shop';
    description '''
      **Sells** \\''
    '''
    link ./src/a.py#L1-L3 "Code"
    icon tech:python
    metadata { path ['./src/', "a.py"]; critical true
      path 'more' }
    service cart "Cart" { -> db 'Reads' 'at length' 'SQL' #hot { title 'x' } }
    db = store
    it -> buyer
    buyer .async this
  }
  extend shop.cart {
    inner = part { shop -> it }
    #more
  }
  extend buyer -[async]-> shop { metadata { k 'v' } }
  buyer <-> cart.inner
}
/* a comment */ // another
views 'all' { view index of shop { include *, -> cart style * { color red } } }
deployment { node prod { instanceOf shop.cart } }
"""
LINES = MODEL.splitlines()
PIECES = st.sampled_from(
    [*LINES, "}", "{", "'", '"""', "/*", "->", "-[", "]->", "#", "metadata {", "x = y {", "a.b.c", "["]
)
INSERTED = st.lists(st.tuples(st.integers(0, len(LINES)), PIECES), max_size=8)
DROPPED = st.sets(st.integers(0, len(LINES) - 1), max_size=6)
STRAYS = st.lists(
    st.tuples(st.integers(0, len(MODEL)), st.sampled_from("'\"{}\\\n ->=#/*.,;|[]<@:")), min_size=1, max_size=10
)


def read_anything(content: bytes) -> None:
    tree = Files(
        {"m.c4": content, "x/more.likec4": content, "y/likec4.config.json": content, "y/m.c4": content, "a.py": b""}
    )
    find_models(tree)
    try:
        model = read_model(tree, ["y/likec4.config.json", "m.c4"])
    except UnreadableModel as refusal:
        assert_places(refusal.faults or [Fault(where="nowhere", what="a refusal without a fault")])
        return
    assert_places(model.warnings)
    refs = {element.ref for element in model.elements}
    assert len(refs) == len(model.elements)
    assert all(element.parent in refs or not element.parent for element in model.elements)
    assert all(known.source in refs and known.target in refs for known in model.relationships)


def test_the_sample_itself_is_read() -> None:
    model = read_model(Files({"m.c4": MODEL}), ["m.c4"])
    assert [e.identity for e in model.elements] == ["buyer", "shop", "shop.cart", "shop.db", "shop.cart.inner"]
    assert len(model.relationships) == 5


@settings(deadline=2_000, max_examples=100)
@given(st.text(max_size=300))
def test_any_text_in_a_model_block_is_read_or_refused(text: str) -> None:
    read_anything(f"specification {{ }}\nmodel {{\n{text}".encode("utf-8", errors="surrogatepass"))


@settings(deadline=2_000, max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_in_a_model_file_are_read_or_refused(content: bytes) -> None:
    read_anything(content)


@settings(deadline=4_000, max_examples=300)
@given(DROPPED, INSERTED)
def test_a_damaged_model_is_read_or_refused(dropped: set[int], inserted: list[tuple[int, str]]) -> None:
    lines = [line for number, line in enumerate(LINES) if number not in dropped]
    for place, piece in inserted:
        lines.insert(place, piece)
    read_anything("\n".join(lines).encode())


@settings(deadline=4_000, max_examples=200)
@given(STRAYS)
def test_a_model_with_stray_characters_is_read_or_refused(strays: list[tuple[int, str]]) -> None:
    text = MODEL
    for place, stray in strays:
        text = text[:place] + stray + text[place:]
    read_anything(text.encode())


@pytest.mark.parametrize(
    "lines",
    [
        "model {" * 20_000,
        "a = b {" * 20_000,
        "x" * 200_000,
        " " * 200_000,
        "/*" * 100_000,
        "'" * 200_001,
        "a." * 100_000,
        "a -" * 60_000,
        "#" * 200_000,
        "a = b\n" * 30_000,
        "a = b\n" + "a -> c\n" * 25_000,
        "".join(f"a{i} = b {{ c = d }}\n" for i in range(8_000)) + "a1 -> c\n" * 2_000 + "}",
        "a = b\n" + "extend a { c = d }\n" * 10_000 + "}",
        "a = b\nb = c\na -> b\n" + "extend a -> b { #x }\n" * 10_000 + "}",
        "a = b {\n title '" + "y" * 100_000 + "'\n" + "".join(f"c{i} = d\n" for i in range(9_000)) + "}\n}",
        "}\n" + "model { a -> b }\n" * 12_000,
    ],
    ids=range(16),
)
def test_endless_input_takes_seconds(lines: str) -> None:
    began = time.monotonic()
    read_anything(f"model {{\n{lines}".encode())
    assert time.monotonic() - began < 10


def test_a_project_of_more_than_a_million_characters_is_refused() -> None:
    tree = Files({f"m{i}.c4": f"model {{\n{' ' * 400_000}}}" for i in range(3)})
    with pytest.raises(UnreadableModel, match=r"m2\.c4:1: the project has more than 1000000 characters"):
        read_model(tree, ["m0.c4"])
