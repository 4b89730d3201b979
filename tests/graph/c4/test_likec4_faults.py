import pytest

from graph.c4 import read_model
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files


def refused(text: str) -> list[str]:
    """Return the faults of `m.c4` with this text as `line what`."""
    with pytest.raises(UnreadableModel) as caught:
        read_model(Files({"m.c4": text}), ["m.c4"])
    return [f"{f.where.removeprefix('m.c4:')} {f.what}" for f in caught.value.faults]


def test_every_fault_is_listed_with_its_line() -> None:
    text = """specification {
  element
  elephant x
  element ok { colour red }
}
model {
  component 'No name' { inner = component 'I' { title } }
  a = component
  a = component
  b. = component
  c = component { link src/x.ts
    metadata { key; other 'x' }
    d = component { -> }
    this = component
  }
  a.b 'what'
  -> a
  1st = component
  e ->
}
}
models { }
model { a -[x-> b }
"""
    assert refused(text) == [
        "3 expected element, relationship, deploymentNode, tag or color, found `x`",
        "4 expected a property, found `colour`",
        "7 `component` needs a name before the title",
        "7 expected a name after `title`, or `=` and its kind, found `}`",
        "10 expected a name after `b.`, found `=`",
        "11 expected a URL, or a path that begins with `/`, `./`, `../` or `@`, found `src`",
        "12 expected a text in quotes, found `;`",
        "13 expected the element that the relationship leads to, found `}`",
        "14 `this` cannot name an element: it means the enclosing one",
        "16 expected a relationship (`->`) after `a.b`, found `what`",
        "18 expected an element, a relationship or a property, found `1st`",
        "20 expected the element that the relationship leads to, found `}`",
        "21 this `}` closes nothing",
        "22 expected one of deployment, global, likec4lib, model, specification, views, found `models`",
        "23 expected `]->` after `-[x`, found `->`",
        "9 a second element 'a'; the first is at m.c4:8",
        "17 a relationship that stands in no element needs a source",
    ]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("model {\n a = system {\n", ["2 this `{` is never closed", "1 this `{` is never closed"]),
        ("model {\n a = system {\n}\nviews {\n}", ["4 `views` inside another block: a `}` is missing before it"]),
        ("model {\n a = system 'x\n}", ["2 this string is never closed"]),
        ("model {\n a = system '''x'\n}", ["2 this string is never closed"]),
        ("model {\n/* a = system\n}", ["2 this comment is never closed"]),
        ("model { }\nviews {\n view x { include * '", ["3 this string is never closed"]),
        ("specification {\n element a\n}", ["1 no file of this LikeC4 project has a `model`"]),
        ("model {\n" + "a = b {" * 99, ["2 blocks are nested more than 30 deep; this one was left out"]),
        ("model {\n" + "a = b { " * 26 + "}" * 27, ["2 elements are nested more than 25 deep"]),
        ("model {\n" + "x" * 201 + " = b\n}", ["2 a name of more than 200 characters"]),
        (
            "model {\na = b {\n" + "".join(f"#x{i}\n" for i in range(100)) + "#y\n}\n}",
            ["104 expected no more than 100 tags"],
        ),
        ("model {\n" + "a = 1\n" * 101 + "}", ["102 more than 100 faults; the rest of the file was not read"]),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, faults: list[str]) -> None:
    found = refused(text)
    assert all(any(one.startswith(fault) for one in found) for fault in faults), found
