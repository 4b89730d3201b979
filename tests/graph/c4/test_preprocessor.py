"""Includes, variables and conditions in C4-PlantUML files."""

import pytest

from tests.graph.c4.files import diagram, element, read_diagram, refs, warned


def test_variables_and_definitions_are_put_in() -> None:
    model = read_diagram("""
        !define SHOP shop
        !$name = "Order, " + "Entry"
        !$url ?= "https://example.org"
        !local $url ?= "https://example.com"
        System(SHOP, $name, "The $name system", $link=$url)
        System(t, "$unknown costs $5")
    """)
    shop = element(model, "Order, Entry")
    assert (shop.identity, shop.description, shop.url) == ("shop", "The Order, Entry system", "https://example.org")
    assert element(model, "$unknown costs $5").identity == "t"
    assert not model.warnings


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('!if %variable_exists("RELATIVE_INCLUDE")', False),
        ('!if (%variable_exists("detail"))', True),
        ('!if %not(%variable_exists("$detail"))', False),
        ("!if $detail == 2", True),
        ('!if ($detail != "2")', False),
        ("!if (%not($detail == 2))", False),
        ("!if %false()", False),
        ("!ifdef FULL", True),
        ("!ifndef FULL", False),
    ],
)
def test_conditions_about_what_is_defined_are_decided(condition: str, holds: bool) -> None:
    model = read_diagram(f"""
        !$detail = 2
        !define FULL
        {condition}
          System(yes, "Yes")
          !if %true()
            System(inner, "Inner")
          !endif
        !else
          System(no, "No")
        !endif
        System(after, "After")
    """)
    assert refs(model) == (["Yes", "Inner", "After"] if holds else ["No", "After"])
    assert not model.warnings


def test_of_several_branches_the_first_that_holds_is_read() -> None:
    model = read_diagram("""
        !$view = "b"
        !if $view == "a"
          System(a, "A")
        !elseif $view == "b"
          System(b, "B")
        !elseif %true()
          System(c, "C")
        !else
          System(d, "D")
        !endif
    """)
    assert refs(model) == ["B"]


def test_what_must_be_computed_is_told_and_the_rest_is_read() -> None:
    model = read_diagram("""
        !procedure $service($alias, $label)
          Container($alias, $label, "Java")
        !endprocedure
        !function $double($x) !return $x + $x
        !define Thing(a) System(a, "Thing")
        $service(a, "A")
        Thing(t)
        !if $service("x") == 1
          System(b, "B")
        !else
          System(c, "C")
        !endif
        !foreach $x in [1, 2]
          System($x, "Each")
          System(e, $x)
        !endfor
        System(d, "D", %string("text"))
        !include $where/more.puml
    """)
    assert refs(model) == ["B", "C", "$x", "D"]
    assert [warning.split(" ")[0].rpartition(":")[2] for warning in warned(model)] == [
        *("9", "14", "19"),  # the preprocessor's
        *("15", "16", "18"),  # arguments
        *("7", "8"),  # calls
    ]


@pytest.mark.parametrize(
    "include",
    [
        "!include <C4/C4_Container>",
        "!include <office/Servers/application_server>",
        "!include https://example.org/C4_Container.puml",
        "!includeurl https://example.org/icons.puml",
        "!include ./lib/C4_Context.puml",
        "!include C4.puml",
    ],
)
def test_the_library_and_what_lies_in_the_network_is_skipped_without_a_word(include: str) -> None:
    model = read_diagram(f'{include}\nSystem(s, "S")', {"docs/lib/C4_Context.puml": "System(x, "})
    assert refs(model) == ["S"]
    assert not model.warnings


def test_an_include_of_a_defined_folder_is_followed() -> None:
    model = read_diagram(
        "!define ICONS https://example.org/icons\n!define PARTS ./parts\n"
        "!include ICONS/a.puml\n!include PARTS/b.puml\nRel(b, c, Uses)",
        {"docs/parts/b.puml": 'System(b, "B")\n!include c.puml\n', "docs/parts/c.puml": diagram('System(c, "C")')},
    )
    assert [(e.ref, e.file, e.line) for e in model.elements] == [
        ("B", "docs/parts/b.puml", 1),
        ("C", "docs/parts/c.puml", 2),
    ]
    assert model.files == ("docs/shop.puml", "docs/parts/b.puml", "docs/parts/c.puml")
    assert not model.warnings


def test_a_part_of_a_file_can_be_included() -> None:
    parts = (
        '@startuml\nSystem(a, "A")\n@enduml\n@startuml(id=second)\nSystem(b, "B")\n@enduml\n'
        '@startuml\n!startsub LAST\nSystem(c, "C")\n!endsub\nSystem(d, "D")\n@enduml\n'
    )
    for include, found in (
        ("!include parts.puml", ["A"]),
        ("!include parts.puml!1", ["B"]),
        ("!include parts.puml!second", ["B"]),
        ("!includesub parts.puml!LAST", ["C"]),
        ("!include parts.puml!9", []),
    ):
        assert refs(read_diagram(f'{include}\nSystem(s, "S")', {"docs/parts.puml": parts})) == [*found, "S"]


@pytest.mark.parametrize("source", ["gone.puml", "../../etc/passwd", "/etc/passwd", "shop.puml"])
def test_an_include_that_cannot_be_read_is_a_warning(source: str) -> None:
    model = read_diagram(f'!include {source}\nSystem(s, "S")')
    assert refs(model) == ["S"]
    assert [warning.partition(" ")[0] for warning in warned(model)] == ["docs/shop.puml:2"]
