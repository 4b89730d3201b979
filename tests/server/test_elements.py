"""Finding elements, over REST and on the command line."""

import httpx

from tests.server.shop import Cli
from tests.server.test_rest import remembered


def test_both_doors_find_the_same_elements(cli: Cli, rest: httpx.Client) -> None:
    found = rest.get("/api/elements/find", params={"question": "the cart of the jobs"}).json()
    assert found["elements"][0]["ref"] == "Shop.Jobs.Cart"
    assert found["text"].splitlines()[1].startswith("- Shop.Jobs.Cart [component]")
    assert cli("elements", "find", "the cart of the jobs").out.strip() == found["text"]
    assert cli("elements", "find", "the cart of the jobs", "--json").json == found


def test_what_cannot_be_asked_is_refused(cli: Cli, rest: httpx.Client) -> None:
    assert rest.get("/api/elements/find", params={"question": " "}).status_code == 422
    assert "question: is empty" in cli("elements", "find", " ", code=2).err


def test_both_doors_tell_the_same_impact(cli: Cli, rest: httpx.Client) -> None:
    told = rest.get("/api/elements/Shop.API/impact").json()
    assert [(one["ref"], one["distance"]) for one in told["dependants"]] == [("Shop.Web", 1), ("User", 2)]
    assert told["dependants"][1]["path"] == ["User", "Shop.Web", "Shop.API"]
    assert cli("impact", "src/api/limits.py", "--json").json == told
    assert "affects 1 element " in cli("impact", "API", "--depth", "1").out
    assert rest.get("/api/elements/Nothing/impact").status_code == 404
    assert "depth" in cli("impact", "API", "--depth", "0", code=2).err


def test_both_doors_plan_alike(cli: Cli, rest: httpx.Client) -> None:
    asked = {"task": "Raise the limit", "elements": ["Shop.Web", "API"]}
    made = rest.post("/api/plan", json=asked).json()
    assert [one["ref"] for one in made["elements"]] == ["Shop.API", "Shop.Web"]
    assert cli("plan", "Raise the limit", "--element", "Shop.Web", "--element", "API", "--json").json == made
    assert cli("plan", "Raise the limit", "--element", "Shop.Web", "--element", "API").out.strip() == made["text"]
    remembered(rest, "Limits are per client", kind="convention", title="Per client", elements=["API"])
    assert [one["title"] for one in rest.post("/api/plan", json=asked).json()["constraints"]] == ["Per client"]
    assert "task: is empty" in cli("plan", " ", code=2).err
    assert rest.post("/api/plan", json={"task": ""}).status_code == 422
