"""The tasks that the search for elements is measured by say what they claim to."""

from bench.finding.tasks import model_of, shared_words, tasks_of


def test_there_are_thirty_held_out_tasks_about_three_models() -> None:
    held_out = tasks_of("held_out.json")
    assert len(held_out) == 3
    assert sum(len(asked.tasks) for asked in held_out) == 30
    assert not {asked.name for asked in held_out} & {asked.name for asked in tasks_of("tuned.json")}


def test_a_task_about_the_bookshop_uses_no_word_of_its_right_elements() -> None:
    bookshop = tasks_of("held_out.json")[0]
    model = model_of(bookshop, None)
    assert model is not None
    elements = {element.ref: element for element in model.elements}
    assert {task.task: shared_words(task, elements) for task in bookshop.tasks if shared_words(task, elements)} == {}
