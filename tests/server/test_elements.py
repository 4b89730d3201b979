"""Finding elements, over REST and on the command line."""

import httpx

from tests.server.shop import Cli


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
