from graph.c4 import find_models
from tests.graph.c4.files import Files, workspace

OWN = workspace('s = softwareSystem "S"')


def test_models_are_known_by_content_and_the_best_comes_first() -> None:
    tree = Files(
        {
            "examples/workspace.dsl": OWN,
            "deep/er/docs/workspace.dsl": OWN,
            "docs/workspace.dsl": OWN,
            "docs/other.c4": OWN.replace("\n", "\r\n"),
            "likec4.c4": "specification {\n}\nmodel {\n  person x\n}\n",
            "jobs.dsl": "job('x') {\n}\n",
            "bare.dsl": 'model {\n  person "P"\n}\n',
            "workspace.json": "{}",
        }
    )
    assert find_models(tree) == (
        "docs/workspace.dsl",
        "deep/er/docs/workspace.dsl",
        "bare.dsl",
        "docs/other.c4",
        "likec4.c4",
        "examples/workspace.dsl",
    )


def test_a_file_that_another_includes_or_extends_comes_with_that_one() -> None:
    tree = Files(
        {
            "docs/workspace.dsl": "workspace extends base.dsl {\nmodel {\n!include parts\n}\n}",
            "docs/base.dsl": OWN,
            "docs/parts/model.dsl": 'model {\nperson "P"\n}',
        }
    )
    assert find_models(tree) == ("docs/workspace.dsl",)


def test_other_peoples_files_and_test_data_are_left_out() -> None:
    folders = ("node_modules/x", "vendor", "a/testdata", "__tests__/fixtures", "src/test/resources", "tests")
    assert find_models(Files({f"{folder}/workspace.dsl": OWN for folder in folders})) == ()
