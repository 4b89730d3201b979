"""Mermaid's C4 diagrams: in its own files and in the fences of Markdown."""

import textwrap

import pytest

from graph.c4 import find_models, read_model
from graph.elements import ArchitectureModel
from graph.errors import UnreadableModel
from tests.graph.c4.files import Files, arrows, element, refs, warned


def read(text: str, path: str = "docs/design.md") -> ArchitectureModel:
    return read_model(Files({path: textwrap.dedent(text).lstrip("\n")}), [path])


def test_the_c4_fences_of_a_page_are_its_model_and_lines_are_those_of_the_page() -> None:
    model = read("""
        # Design

        ```mermaid
        %%{init: {"theme": "dark"}}%%
        C4Context
            title Shop, in context
            accDescr: what surrounds the shop
            %% Person(nobody, "Nobody")
            Person(u, "User", "Buys #quot;books#quot;")
            Enterprise_Boundary(acme, "Acme")
            {
                System(shop, "Shop", "Sells", $link="https://example.org", $tags="v1")
            }
            SystemDb_Ext(crm, "CRM")

            Rel(u, shop, "Buys in", "HTTPS")
            BiRel(shop, crm, "Syncs")
            UpdateElementStyle(u, $fontColor="red")
            UpdateRelStyle(u, shop, $offsetX="5")
            UpdateLayoutConfig($c4ShapeInRow="3")
        ```

        ```mermaid
        graph TB
            Person(x) --> System(y, "Y"
        ```

        ~~~~ Mermaid
        C4Container
            Container_Boundary(shop, "Shop") {
                Container(api, "API", "Go", "Serves")
            }
        ~~~
        ~~~~

        Person(prose, "Prose")
    """)
    assert [(e.ref, e.group, e.external, e.line) for e in model.elements] == [
        ("User", "", False, 9),
        ("Shop", "Acme", False, 12),
        ("CRM", "", True, 14),
        ("Shop.API", "", False, 31),
    ]
    assert (element(model, "User").description, element(model, "Shop").url) == ('Buys "books"', "https://example.org")
    assert arrows(model) == ["User -> Shop: Buys in [HTTPS]", "Shop -> CRM: Syncs", "CRM -> Shop: Syncs"]
    assert (element(model, "Shop").tags, model.files) == (("v1",), ("docs/design.md",))
    assert not model.warnings


@pytest.mark.parametrize("path", ["shop.mmd", "shop.mermaid"])
def test_a_mermaid_file_is_one_diagram(path: str) -> None:
    model = read('---\ntitle: Shop\n---\n\nC4Component\nComponent(c, "C")\n', path)
    assert [(e.ref, e.line) for e in model.elements] == [("C", 6)]


def test_any_fence_of_mermaid_is_known() -> None:
    fences = ("```mermaid", "``` mermaid", "~~~mermaid", ":::mermaid", "```{.mermaid}", "   ```mermaid title")
    for fence in fences:
        end = fence.strip()[:3]
        assert refs(read(f"{fence}\nC4Context\nSystem(s, S)\n{end}\n")) == ["S"], fence
    other = "```\n```mermaid-example\nC4Context\nSystem(s, S)\n```\n"
    for text in (other, "```mermaid\nflowchart LR\n```\n", "    C4Context\n    System(s, S)\n"):
        assert find_models(Files({"a.md": text})) == ()


def test_steps_of_a_dynamic_and_nodes_of_a_deployment_diagram_are_left_out_and_told() -> None:
    model = read("""
        ```mermaid
        C4Dynamic
            Container(web, "Web")
            Container(api, "API")
            RelIndex(1, web, api, "Asks")
            Rel(api, web, "Answers")
        ```
        ```mermaid
        C4Deployment
            Deployment_Node(host, "Host") {
                Container(api, "API")
            }
            Rel(web, api, "Asks")
            Rel(host, web, "Runs")
        ```
    """)
    assert refs(model) == ["Web", "API"]
    assert arrows(model) == ["Web -> API: Asks"]
    assert warned(model) == [
        "docs/design.md:5 the relationships of a dynamic diagram are its steps; they were left out",
        "docs/design.md:10 deployment nodes are left out; the elements in them were read",
    ]


def test_pages_and_plantuml_of_one_folder_tree_are_one_model() -> None:
    tree = Files(
        {
            "README.md": "```mermaid\nC4Context\nSystem(shop, Shop)\n```\n",
            "docs/shop.puml": "@startuml\nSystem_Boundary(shop, Shop) {\nContainer(api, API)\n}\n@enduml\n",
            "docs/guide.md": "Nothing to see.\n",
        }
    )
    assert find_models(tree) == ("README.md", "docs/shop.puml")
    assert refs(read_model(tree, find_models(tree))) == ["Shop", "Shop.API"]


def test_faults_stand_at_the_lines_of_the_page() -> None:
    with pytest.raises(UnreadableModel) as caught:
        read("Text\n\n```mermaid\nC4Context\nSystem_Boundary(s, S) {\nSystem(\n```\n")
    assert [(fault.where, fault.what) for fault in caught.value.faults] == [
        ("docs/design.md:6", "nothing closes System("),
        ("docs/design.md:5", "this boundary is never closed"),
    ]
