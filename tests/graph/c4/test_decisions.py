import pytest

from graph.c4 import read_model
from graph.elements import Decision
from tests.graph.c4.files import Files, read, warned, workspace

NYGARD = (
    "# 17. Use SQLite\n\nDate: 2024-03-01\n\n## Status\n\nAccepted\n\nAmends [3. Store](3.md)\n\n## Decision\n\nYes."
)
MADR_4 = '---\nstatus: "accepted"\ndate: 2024-05-06\n---\n# Use Markdown\n\n## Context and Problem Statement\n\nWhy?\n'
MADR_2 = "# Use Markdown\n\n* Status: superseded by [ADR-5](0005-x.md)\n* Date: 2019-01-02\n\n## Decision Outcome\n"
BOLD = "# ADR-0004: Use Markdown\n\n**Status:** Proposed\n**Date:** 2020-02-03\n"
TABLE = "ADR 4 - Use Markdown\n====================\n\n| Status | Rejected |\n| Date | 2021-01-01 |\n"
IN_CODE = "# Use Markdown\n\n```yaml\n# Example\nstatus: rejected\n```\n<!-- status: no -->\n"


def one(name: str, text: str) -> Decision:
    (decision,) = read_model(Files({f"docs/adr/{name}": text}), []).decisions
    return decision


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("0017-use-sqlite.md", NYGARD, ("ADR-17", "Use SQLite", "Accepted", "2024-03-01")),
        ("0004-use-markdown.md", MADR_4, ("ADR-4", "Use Markdown", "accepted", "2024-05-06")),
        ("0004-use-markdown.md", MADR_2, ("ADR-4", "Use Markdown", "superseded by ADR-5", "2019-01-02")),
        ("ADR-004-use-markdown.md", BOLD, ("ADR-4", "Use Markdown", "Proposed", "2020-02-03")),
        ("adr_4.md", TABLE, ("ADR-4", "Use Markdown", "Rejected", "2021-01-01")),
        ("0000-use-markdown.md", IN_CODE, ("ADR-0", "Use Markdown", "", "")),
        ("20240111-use-x.md", "# Use X\n\n- Status: draft\n", ("ADR-20240111-use-x", "Use X", "draft", "2024-01-11")),
        ("use-x.md", "# Use X\n\n## Status\n\nAccepted\n", ("ADR-use-x", "Use X", "Accepted", "")),
        ("0009-3-tiers.md", "# 3 tiers are enough\n", ("ADR-9", "3 tiers are enough", "", "")),
        ("0010-no-heading.md", "Just text.\n", ("ADR-10", "no heading", "", "")),
    ],
)
def test_a_record_is_read_in_the_style_it_is_written_in(
    name: str, text: str, expected: tuple[str, str, str, str]
) -> None:
    decision = one(name, text)
    assert (decision.ref, decision.title, decision.status, decision.date) == expected
    assert (decision.content, decision.file, decision.about) == (text, f"docs/adr/{name}", ())


@pytest.mark.parametrize(
    "name", ["README.md", "index.md", "template.md", "0000-template.md", "adr-template.md", "a.png"]
)
def test_pages_about_the_records_are_no_records(name: str) -> None:
    assert read_model(Files({f"docs/adr/{name}": "# Status\n\nx", "docs/adr/notes.md": "# Notes"}), []).decisions == ()


def test_the_model_attaches_a_folder_to_an_element_and_the_conventional_one_is_not_looked_at() -> None:
    model = read(
        """
        s = softwareSystem "S" {
            !adrs decisions madr {
                exclude "x"
            }
            c = container "C" {
                !decisions decisions
            }
        }
        """,
        {"docs/decisions/0001-x.md": NYGARD, "docs/adr/0002-y.md": NYGARD},
    )
    assert [(d.ref, d.about) for d in model.decisions] == [("ADR-1", ("S", "S.C"))]


def test_folders_that_the_project_names_come_beside_those_of_the_model() -> None:
    tree = Files(
        {
            "w.dsl": "workspace {\n!adrs model-adr\n!adrs gone\n!adrs ../out\n}",
            "model-adr/0001-x.md": NYGARD,
            "own/0001-z.md": NYGARD,
            "own/deeper/0002-z.md": NYGARD,
        }
    )
    model = read_model(tree, ["w.dsl"], decisions=["own/", "nowhere"])
    assert [(d.ref, d.file) for d in model.decisions] == [
        ("ADR-1", "model-adr/0001-x.md"),
        ("own/ADR-1", "own/0001-z.md"),
    ]
    assert [w.split(" ")[0] for w in warned(model)] == ["w.dsl:4", "w.dsl:3", "archmem.toml:1", "own/0001-z.md:1"]


def test_a_record_in_latin_1_is_read_with_a_warning() -> None:
    tree = Files({"w.dsl": workspace(""), "adr/0001-k.md": "# Käse\n".encode("latin-1")})
    model = read_model(tree, ["w.dsl"])
    assert model.decisions[0].title == "Käse"
    assert warned(model) == ["adr/0001-k.md:1 the file is not UTF-8; it was read as Latin-1"]
