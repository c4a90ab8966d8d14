"""The explorer of knowledge bases, and the paths of cited rows, over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from indexers.parser.ids import leaf_of, parse_id
from tests.web.moons import MOONS, built, cited_rows, office_over
from tests.web.readers import Readers, asked
from tests.web.researchers import served
from web.served_bases import ServedBases
from web.sessions import sha_of


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("skb"))


@pytest.fixture(scope="module")
def explorer(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A program that reads from a server over the base."""
    home = tmp_path_factory.mktemp("home")
    with served(office_over(base, home, ())) as address, httpx.Client(base_url=f"{address}/api", timeout=60) as client:
        yield client


def test_a_base_says_what_it_holds(explorer: httpx.Client) -> None:
    assert explorer.get("/bases").json() == {"bases": ["demo"]}
    told = explorer.get("/bases/demo").json()
    assert told["types"][0] == {"type": "moon", "entities": 51, "may_answer": True}
    assert {"source": "moon", "relation": "orbits", "target": "planet", "triples": 44} in told["schema"]
    assert told["left_out"] == 0 and told["remarks"]


def test_entities_are_found_by_name_then_by_words_and_listed_by_type(explorer: httpx.Client) -> None:
    named = explorer.get("/bases/demo/entities", params={"query": "titan", "limit": 2}).json()
    assert named["entities"][0]["id"] == "titan" and named["more"]
    worded = explorer.get("/bases/demo/entities", params={"query": "lakes of liquid methane", "type": "moon"}).json()
    assert worded["entities"][0]["id"] == "titan"
    planets = [
        explorer.get("/bases/demo/entities", params={"type": "planet", "limit": 5, "offset": at}).json()
        for at in (0, 5)
    ]
    assert [len(page["entities"]) for page in planets] == [5, 3]
    assert [page["more"] for page in planets] == [True, False]
    assert len({each["id"] for page in planets for each in page["entities"]}) == 8


def test_an_entity_is_shown_whole_and_its_neighbours_by_relation_and_page(explorer: httpx.Client) -> None:
    titan = explorer.get("/bases/demo/entity", params={"id": "titan"}).json()
    assert titan == explorer.get("/bases/demo/entity", params={"id": "Titan"}).json()
    assert {"name": "diameter (km)", "value": "5150"} in titan["attributes"] and "methane" in titan["text"]
    orbits = next(each for each in titan["relations"] if each["relation"] == "orbits")
    assert (orbits["direction"], orbits["total"]) == ("out", 1)
    assert orbits["neighbours"] == [
        {
            "id": "saturn",
            "type": "planet",
            "name": "Saturn",
            "said": "Titan goes around Saturn at 1,221,900 km in just under 16 days.",
        }
    ]
    asked_for = {"id": "saturn", "relation": "orbits", "direction": "in"}
    pages = [
        explorer.get("/bases/demo/neighbours", params={**asked_for, "offset": at, "limit": 8}).json()
        for at in (0, 8, 99)
    ]
    assert [page["total"] for page in pages] == [15, 15, 15]
    assert [len(page["neighbours"]) for page in pages] == [8, 7, 0]
    assert len({each["id"] for page in pages for each in page["neighbours"]}) == 15


@pytest.mark.parametrize(
    ("path", "params", "status", "said"),
    [
        ("/bases/other", {}, 404, "no knowledge base 'other' is served here; there are demo"),
        ("/bases/demo/entity", {"id": "Sputnik"}, 404, "no entity has the id or the name 'Sputnik'"),
        ("/bases/demo/entities", {"type": "comet"}, 404, "no type 'comet'"),
        ("/bases/demo/neighbours", {"id": "titan", "relation": "eats", "direction": "in"}, 404, "no relation 'eats'"),
        ("/bases/demo/neighbours", {"id": "titan", "relation": "orbits", "direction": "up"}, 400, "direction"),
        (
            "/bases/demo/neighbours",
            {"id": "titan", "relation": "orbits", "direction": "in", "limit": 101},
            400,
            "limit",
        ),
        ("/bases/demo/entities", {"query": "x" * 1001}, 400, "query"),
        ("/bases/demo/entities", {"offset": 10_001}, 400, "offset"),
        ("/bases/demo/entity", {}, 400, "id"),
    ],
)
def test_what_is_not_there_or_too_much_is_named(
    explorer: httpx.Client, path: str, params: dict[str, str], status: int, said: str
) -> None:
    reply = explorer.get(path, params=params)
    assert reply.status_code == status
    assert said in reply.json()["error"]["message"]


def test_cited_rows_are_shown_with_their_paths_as_the_base_has_them(
    base: Path, tmp_path: Path, reader: Readers
) -> None:
    rows = cited_rows(base, tmp_path)
    with served(office_over(base, tmp_path, rows)) as address:
        client = reader(address)
        assert client.get("/api/about").json()["bases"] == ["demo"]
        copied = asked(client, MOONS)[-1][2]["answer"]["markdown"]  # type: ignore[index]
        answers, triple = (client.get(f"/evidence/{sha_of(row)}").json()["base"] for row in rows)
    assert "\n   - Titan —orbits→ Saturn" in copied  # type: ignore[operator]
    (path,) = answers["paths"]
    assert (answers["served"], answers["computed"], triple["computed"]) == ("demo", True, False)
    assert [node["id"] for node in path["nodes"]] == ["tethys", "giovanni-cassini", "saturn"]
    assert [(step["relation"], step["forward"], step["found"]) for step in path["steps"]] == [
        ("discovered", False, True),
        ("studied", True, True),
    ]
    (path,) = triple["paths"]
    assert (path["nodes"][0]["name"], path["steps"][0]["forward"], path["steps"][0]["found"]) == ("Titan", True, True)


def test_of_two_served_bases_of_one_name_the_row_is_looked_up_in_its_own(
    base: Path, tmp_path: Path, reader: Readers
) -> None:
    (tmp_path / "other").mkdir()
    other = built(tmp_path / "other")
    rows = cited_rows(base, tmp_path, beside=(other,))
    with served(office_over(base, tmp_path, rows, [f"skb:{other}", f"skb:{base}"])) as address:
        client = reader(address)
        asked(client, MOONS)
        stated = client.get(f"/evidence/{sha_of(rows[0])}").json()["base"]
    assert (stated["name"], stated["served"]) == ("demo", "demo-2")
    assert [step["found"] for step in stated["paths"][0]["steps"]] == [True, True]


def test_of_a_base_that_is_not_served_the_row_alone_speaks(base: Path, tmp_path: Path, reader: Readers) -> None:
    rows = cited_rows(base, tmp_path)
    for sources in ([], [f"skb:{tmp_path / 'gone.skb'}"]):
        with served(office_over(base, tmp_path, rows, sources)) as address:
            client = reader(address)
            asked(client, MOONS)
            stated = client.get(f"/evidence/{sha_of(rows[0])}").json()["base"]
        (path,) = stated["paths"]
        assert stated["served"] is None
        assert [(step["forward"], step["found"]) for step in path["steps"]] == [(False, None), (True, None)]


async def test_bases_of_one_name_are_told_apart_and_other_sources_are_none() -> None:
    served_bases = ServedBases(["zim:a.zim", "skb:one/moons.skb", "skb:two/moons.skb", "skb:one/moons.skb", "demo"])
    assert served_bases.names == ("moons", "moons-2")


def test_a_table_that_is_computed_of_is_shown_with_the_paths_of_the_rows_that_entered(
    base: Path, tmp_path: Path, reader: Readers
) -> None:
    row, _ = cited_rows(base, tmp_path)
    table, number = leaf_of(row), parse_id(row).row
    with served(office_over(base, tmp_path, (table,), computed_of=(row,))) as address:
        client = reader(address)
        (cited,) = asked(client, MOONS)[-1][2]["answer"]["citations"]  # type: ignore[index]
        whole, of_rows = (
            client.get(f"/evidence/{cited['evidence']}{query}").json() for query in ("", f"?row={number}")
        )
        refused = [
            client.get(f"/evidence/{cited['evidence']}?{query}") for query in ("row=0", "&".join(21 * ["row=1"]))
        ]
    assert cited["rows"] == [number]
    assert (whole["base"]["computed"], whole["base"]["paths"]) == (True, [])
    assert all(each["cited"] for each in whole["table"]["rows"])
    assert [each["number"] for each in of_rows["table"]["rows"] if each["cited"]] == [number]
    assert [[node["name"] for node in path["nodes"]] for path in of_rows["base"]["paths"]] == [
        ["Tethys", "Giovanni Domenico Cassini", "Saturn"]
    ]
    assert [reply.status_code for reply in refused] == [400, 400]
