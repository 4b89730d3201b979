import json
from collections.abc import Mapping

import pytest

from graph.c4 import read_model
from graph.elements import ArchitectureModel, ElementKind
from tests.graph.c4.files import Files, element, warned

KINDS = """
specification {
  element actor
  element system { #shared; technology 'Several' }
  element container
  element component
  relationship async { technology: "Kafka"; }
  relationship sync
  tag shared
  tag hot
}
"""


def project(model: str, files: Mapping[str, str | bytes] | None = None) -> ArchitectureModel:
    """Read `arch/model.c4` with this model block, beside a specification and other files."""
    own = {"arch/spec.c4": KINDS, "arch/model.c4": f"model {{\n{model}\n}}"}
    return read_model(Files({**own, **(files or {})}), ["arch/model.c4"])


def ends(model: ArchitectureModel) -> list[tuple[str, str]]:
    """Return the identifiers of the ends of each relationship."""
    by_ref = {e.ref: e.identity for e in model.elements}
    return [(by_ref[r.source], by_ref[r.target]) for r in model.relationships]


def test_an_element_has_its_level_title_and_whole_name_in_either_form() -> None:
    model = project("""
      actor buyer 'Buyer'
      shop = system 'Shop' {
        container api 'Public API' 'Answers' 'Go, net/http' 'ignored'
        db = container
      }""")
    assert [(e.identity, e.ref, e.kind, e.parent) for e in model.elements] == [
        ("buyer", "Buyer", ElementKind.PERSON, ""),
        ("shop", "Shop", ElementKind.SYSTEM, ""),
        ("shop.api", "Shop.Public API", ElementKind.CONTAINER, "Shop"),
        ("shop.db", "Shop.db", ElementKind.CONTAINER, "Shop"),
    ]
    api = element(model, "Shop.Public API")
    assert (api.name, api.description, api.technology, api.file, api.line) == (
        "Public API",
        "Answers",
        "Go, net/http",
        "arch/model.c4",
        5,
    )


def test_properties_stand_in_the_body_with_or_without_colon_and_semicolon() -> None:
    model = project(r"""
      shop = system 'Positional wins' {
        #hot, #two #three;
        title: "Unused";
        summary 'Short'
        description '''
          Long
            and *indented*
        '''
        technology: "a \"quoted\"
           thing";
        icon: tech:go
        style { color: red; icon aws:rds; opacity 10% }
        metadata {
          cpu '2'; ram: '4'
          critical true
          list ['a', "b",]
          twice 'x'
          twice ['y', 'z']
          empty ''
        }
      }""")
    shop = element(model, "Positional wins")
    assert shop.description == "Long\n  and *indented*"
    assert shop.technology == 'a "quoted" thing'
    assert shop.tags == ("shared", "hot", "two", "three")
    assert shop.properties == {
        "kind": "system",
        "cpu": "2",
        "ram": "4",
        "critical": "true",
        "list": '["a", "b"]',
        "twice": '["x", "y", "z"]',
    }


def test_what_an_element_does_not_say_its_kind_does() -> None:
    kinds = """specification {
      element topic {
        title 'Topic'
        description 'Of the kind'
        link https://kind.example
        style { icon tech:apache-kafka-icon }
      }
    }"""
    model = project(
        "a = topic\nb = topic 'B' { summary 'Own'; technology 'Own'; link https://b.example }", {"arch/k.c4": kinds}
    )
    assert [(e.name, e.description, e.technology, e.url) for e in model.elements] == [
        ("Topic", "Of the kind", "Apache Kafka", "https://kind.example"),
        ("B", "Own", "Own", "https://b.example"),
    ]


def test_the_first_link_is_the_url_and_all_are_kept() -> None:
    model = project("""
      a = system 'A' { link https://one.example/x//y?z=%20 }
      b = system 'B' {
        link: ./src/b.ts#L3 'Code';
        link /view/7
        link @docs/b.html // no part of it
      }""")
    assert (element(model, "A").url, element(model, "A").properties) == (
        "https://one.example/x//y?z=%20",
        {"kind": "system"},
    )
    b = element(model, "B")
    assert (b.url, json.loads(b.properties["links"])) == (
        "./src/b.ts#L3",
        ["./src/b.ts#L3 Code", "/view/7", "@docs/b.html"],
    )


def test_two_elements_of_one_title_are_told_apart_by_their_names() -> None:
    model = project("s = system 'S' {\n a = container 'Same'\n b = container 'Same'\n}\nt = system 'S.Same'")
    assert [e.ref for e in model.elements] == ["S", "S.Same", "S.Same (b)", "S.Same (t)"]


@pytest.mark.parametrize(
    ("path", "levels"),
    [
        ("actor", "person"),
        ("softwareSystem service logicalComponent", "system container component"),
        ("external-system", "system"),
        ("dataStore", "container"),
        ("platform stage step bit", "system container component component"),
        ("service database", "container component"),
        ("system system", "system container"),
        ("component", "component"),
        ("domain actor", "system person"),
    ],
)
def test_the_level_is_told_by_the_name_of_the_kind_and_by_depth(path: str, levels: str) -> None:
    kinds = path.split()
    text = "".join(f"e{i} = {kind} {{\n" for i, kind in enumerate(kinds)) + "}" * len(kinds)
    assert [e.kind.value for e in project(text).elements] == levels.split()


def test_what_an_external_kind_holds_is_external() -> None:
    model = project("google = externalSystem { mail = container }\nown = system")
    assert [(e.name, e.external) for e in model.elements] == [("google", True), ("mail", True), ("own", False)]


def test_a_relationship_has_many_forms() -> None:
    model = project("""
      a = system {
        x = container {
          -> b 'one'
          this -> b "two" 'longer' 'HTTP' #hot, #shared
          b -> it { title 'three'; technology: 'gRPC' metadata { k 'v' } link https://x.example style { color red } }
        }
        .async b
      }
      b = system
      a.x -[async]-> b 'four' { #hot }
      a .sync b
    """)
    assert [
        (*pair, r.description, r.technology, r.tags) for pair, r in zip(ends(model), model.relationships, strict=True)
    ] == [
        ("a.x", "b", "one", "", ()),
        ("a.x", "b", "two", "HTTP", ("hot", "shared")),
        ("b", "a.x", "three", "gRPC", ()),
        ("a", "b", "", "Kafka", ("async",)),
        ("a.x", "b", "four", "Kafka", ("async", "hot")),
    ]
    assert warned(model) == ["arch/model.c4:13 the relationship exists already; the first counts"]


def test_names_rise_while_they_are_unique_and_the_nearest_wins() -> None:
    model = project(
        """
      a = system {
        one = container { db = component; only = component { deep = component } }
        two = container { db = component }
        one -> two
        deep -> db
        two -> db
        far -> deep
      }
      b = system { db = container; far = container }
      b -> deep
      b -> a.only.deep
      b -> db
      a -> db
    """.replace(";", "\n")
    )
    assert ends(model) == [
        ("a.one", "a.two"),
        ("a.one.only.deep", "b.db"),
        ("a.two", "b.db"),
        ("b.far", "a.one.only.deep"),
        ("b", "a.one.only.deep"),
        ("a", "b.db"),
    ]


def test_other_files_see_top_level_names_whole_names_and_what_is_unique_everywhere() -> None:
    model = project(
        "a = system { x = container\n y = container }\nb = system",
        {
            "arch/other.c4": "model { c = system { x = container } }",
            "arch/z.c4": "model {\n b -> a.x 'whole'\n b -> y 'unique'\n b -> x 'two'\n c -> x 'own part' }",
        },
    )
    assert ends(model) == [("b", "a.x"), ("b", "a.y")]
    assert warned(model) == [
        "arch/z.c4:4 there is no element 'x', or more than one; the relationship was left out",
        "arch/z.c4:5 there is no element 'x', or more than one; the relationship was left out",
    ]


def test_an_extension_adds_to_an_element_of_any_file() -> None:
    model = project(
        """
      extend a.x.deep {
        link https://deep.example
      }
      extend a {
        #hot
        metadata { k '1'; only 'here' }
        link https://more.example
        x = container {
          deep = component
        }
        this -> b 'this'
        a -> b 'own name'
        -> b 'no source'
        deep -> b 'deep'
      }
      extend a.gone { }
    """,
        {"arch/zz.c4": "model { a = system 'A' { metadata { k '2' } link https://a.example }\n b = system }"},
    )
    a = element(model, "A")
    assert (a.tags, a.url, a.properties["k"], a.properties["only"]) == (
        ("shared", "hot"),
        "https://a.example",
        '["2", "1"]',
        "here",
    )
    assert element(model, "A.x.deep").url == "https://deep.example"
    assert ends(model) == [("a", "b")] * 3 + [("a.x.deep", "b")]
    assert warned(model) == [
        "arch/model.c4:18 there is no element with the whole name 'a.gone' to extend; this was left out"
    ]


def test_an_extension_adds_to_the_relationship_of_its_ends_kind_and_title() -> None:
    model = project("""
      a = system
      b = system
      a -> b
      a -> b 'Reads'
      a -[async]-> b 'Reads'
      extend a -> b 'Reads' { #hot }
      extend a -[async]-> b 'Reads' { #slow; metadata { k 'v' } }
      extend b -> a { #hot }
    """)
    assert [(r.description, r.tags) for r in model.relationships] == [("", ()), ("Reads", ("hot",))]
    assert warned(model) == [
        "arch/model.c4:10 there is no such relationship to extend; it was left out",
        "arch/model.c4:7 the relationship exists already; the first counts",
    ]


def test_a_relationship_in_both_directions_is_two() -> None:
    model = project("a = system\nb = system\na <-> b 'Talk'")
    assert [(*pair, r.description) for pair, r in zip(ends(model), model.relationships, strict=True)] == [
        ("a", "b", "Talk"),
        ("b", "a", "Talk"),
    ]


def test_other_blocks_are_skipped_wherever_they_stand() -> None:
    model = project(
        "model = system 'Kept'",
        {
            "arch/views.likec4": """
              likec4lib { icons { tech:go } }
              views 'folder' { view index of model { include *, -> model.* where tag is #hot; style * { opacity 5% } } }
              deployment { node prod { instanceOf model } }
              global { style x * { color red } }
              /* model { no } */ // specification {
              import { elsewhere, other } from 'shop'
              import third from "bank"
            """,
            "arch/more.like-c4": "import { elsewhere } from 'shop'\nmodel { model -> elsewhere.api }",
        },
    )
    assert [e.ref for e in model.elements] == ["Kept"]
    assert warned(model) == [
        "arch/more.like-c4:2 'elsewhere.api' is an element of the project 'shop', which was not read; "
        "the relationship was left out"
    ]


def test_an_unknown_kind_is_told_once() -> None:
    model = project("a = thing\nb = thing { c = widget }")
    assert [e.kind.value for e in model.elements] == ["system", "system", "container"]
    assert warned(model) == [
        "arch/model.c4:2 no specification has the kind 'thing'; other tools leave its elements out",
        "arch/model.c4:3 no specification has the kind 'widget'; other tools leave its elements out",
    ]


def test_line_ends_and_byte_order_marks_change_nothing() -> None:
    text = "\ufeffmodel {\r\n  a = system 'A'\r  b = system '''\r\n    B\r\n  '''\r\n  a -> b\r\n}"
    model = read_model(Files({"m.c4": text}), ["m.c4"])
    assert [(e.ref, e.line) for e in model.elements] == [("A", 2), ("B", 3)]
    assert model.relationships[0].line == 6


def test_a_long_title_is_cut() -> None:
    model = project(f"a = system '{'x' * 300}'")
    assert [len(e.ref) for e in model.elements] == [201]
    assert warned(model) == ["arch/model.c4:2 a title of more than 200 characters was cut"]
