"""Whatever a file with diagrams holds, reading it ends, with a model or with a refusal that says where."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.c4 import find_models, read_model
from graph.checking import refuse_faulty
from graph.errors import Fault, UnreadableModel
from tests.graph.c4.files import Files
from tests.graph.c4.test_any_text import assert_places

PLANTUML = """@startuml
!include <C4/C4_Container>
!include part.puml
!define SHOP shop
!$name = "Shop" + "!"
!procedure $more($alias)
Container($alias, "More")
!endprocedure
/' a
comment '/
SetPropertyHeader("Key", "Value", "Note")
AddProperty("path", "src", "x")
Person_Ext(u, "User", $tags="a+b", $link="https://github.com/acme/shop/blob/main/a.go")
Enterprise_Boundary(e, "Acme") {
System_Boundary(SHOP, $name) {
Container(api, "API", "Go, gRPC", 'Serves')
ContainerDb(db, "DB" , $techn = "SQL") ' db
Boundary(g, "Group", "container") {
Component(cart, "Cart",
"a.go")
}
}
System(SHOP, "Shop", "Sells <b>all</b>")
}
!if %variable_exists("X")
System(x, "X")
!elseif $name == "Shop!"
System(y, "Shop")
!else
System(z, "Z")
!endif
Deployment_Node(n, "N") {
Container(api, "API")
}
Rel_D(u, api, "Uses", "HTTPS")
BiRel(api, db, "Reads", $descr="often")
Rel_Back(g, cart, "Is")
RelIndex(1, u, api, "x")
$more(m)
@enduml
@startuml(id=two)
Container(cart, "Cart")
Rel(cart, n, "")
@enduml
"""
MERMAID = """# Page

```mermaid
%% comment
C4Container
title Shop
Person(u, "User #quot;x#quot;")
System_Boundary(s, "Shop")
{
Container(api, "API", "Go", "Serves", $tags="v1")
}
Rel(u, api, "Uses")
UpdateRelStyle(u, api, $offsetX="1")
```

~~~mermaid
C4Dynamic
RelIndex(1, u, api, "x")
~~~
"""
MARKS = "\"'(){}<>,$+=!@#%/\\*`~:;| \n"


def read_anything(text: str, path: str) -> None:
    tree = Files({path: text.encode("utf-8", errors="surrogatepass"), "part.puml": text, "a.go": b""})
    for files in ([path], find_models(tree)):
        try:
            model = read_model(tree, files, remotes=["github.com/acme/shop"])
        except UnreadableModel as refusal:
            assert_places(refusal.faults or [Fault(where="nowhere", what="a refusal without a fault")])
        else:
            assert_places(model.warnings)
            refuse_faulty(model)


def damaged(text: str, pieces: list[str]) -> st.SearchStrategy[str]:
    """Leave out lines and put others in, then put marks anywhere."""
    lines = text.splitlines()
    dropped = st.sets(st.integers(0, len(lines) - 1), max_size=6)
    inserted = st.lists(st.tuples(st.integers(0, len(lines)), st.sampled_from([*lines, *pieces])), max_size=6)
    strays = st.lists(st.tuples(st.integers(0, len(text)), st.sampled_from(MARKS)), max_size=6)

    def damage(drawn: tuple[set[int], list[tuple[int, str]], list[tuple[int, str]]]) -> str:
        kept = [line for number, line in enumerate(lines) if number not in drawn[0]]
        for place, piece in drawn[1]:
            kept.insert(place, piece)
        result = "\n".join(kept)
        for place, mark in drawn[2]:
            result = result[:place] + mark + result[place:]
        return result

    return st.tuples(dropped, inserted, strays).map(damage)


@settings(deadline=2_000, max_examples=100)
@given(st.text(max_size=300), st.sampled_from(["a.puml", "a.md", "a.mmd"]))
def test_any_text_is_read_or_refused(text: str, path: str) -> None:
    read_anything(text, path)


@settings(deadline=4_000, max_examples=300)
@given(
    damaged(PLANTUML, ["}", "{", "@enduml", "@startuml", "!include a.puml", "!$a = $a + $a", "/'", "!endif", "System("])
)
def test_a_damaged_plantuml_file_is_read_or_refused(text: str) -> None:
    read_anything(text, "a.puml")


@settings(deadline=4_000, max_examples=150)
@given(damaged(MERMAID, ["}", "{", "```", "```mermaid", "C4Context", "---", "System("]))
def test_a_damaged_page_is_read_or_refused(text: str) -> None:
    read_anything(text, "a.md")


def _huge() -> list[str]:
    n = 100_000
    return [
        "System(" * n,
        "(" * n,
        "{" * n,
        "}" * n,
        f"System(a, {'(' * n}",
        f"System(a, {',' * n})",
        f"System(a, {chr(34) * n})",
        f"System(a, {chr(39) * n})",
        f"System(a, {' ' * n}'",
        f"System(a, {'<' * n})",
        f"System(a, {'<$a' * n})",
        f"System(a, {'** ' * n})",
        f"System(a, {'a + ' * n})",
        f"System(a, x, {'$k=' * n})",
        "/'" * n,
        "/''/" * n,
        "'/" * n,
        "a\\\n" * 5_000,
        f"!if {'(' * n}{')' * n}\n!endif",
        f"!if {'%not(' * 5_000}{')' * 5_000}\n!endif",
        "!if %true()\n" * 5_000,
        f'!$a = "{"x" * 1_000}"\n' + '!$a = "$a$a"\n' * 100 + 'System(a, "$a$a$a")\n' * 1_000,
        "!define A A A\n" + "System(a, A A A)\n" * 1_000 + "A " * n,
        "System_Boundary(a, a) {\n" * 5_000,
        "System_Boundary(a, a)\n" * 5_000,
        "".join(f"System_Boundary(b{i}, B{i}) {{\nContainer(a, A)\n}}\n" for i in range(3_000)),
        "".join(f"System(a, N{i})\n" for i in range(3_000)),
        "Rel(a\n" * 5_000,
        "```mermaid\n" * 5_000,
        "~" * n,
        "```mermaid\nC4Context\n" + "System(a, #a;)\n" * 5_000,
    ]


@pytest.mark.parametrize("index", range(len(_huge())))
def test_a_huge_file_is_read_or_refused_within_seconds(index: int) -> None:
    text = _huge()[index]
    began = time.monotonic()
    read_anything(f"@startuml\nSystem(s, S)\n{text}\n@enduml\n", "a.puml")
    read_anything(f"C4Context\nSystem(s, S)\n{text}\n", "a.mmd")
    assert time.monotonic() - began < 20
