"""A citation of a row of a knowledge base shows its path; the base is explored from there."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.record_files import open_record_files
from tests.web.moons import MOONS, built, cited_rows, office_over
from tests.web.page.canary import LOOK
from tests.web.page.reading import answered, focused
from tests.web.researchers import served

ATTACK = "<img src=x onerror='globalThis.pwned=1'>"


@pytest.fixture(scope="module")
def moons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("skb"))


@pytest.fixture
def url(moons: Path, tmp_path: Path) -> Iterator[str]:
    """A server over the base of moons, whose answers cite a row of answers and a triple, and one of a hostile base."""
    if os.environ.get("PAGE_URL"):
        pytest.skip("needs a base of its own")
    hostile = hostile_base(tmp_path)
    sources = (f"skb:{moons}", f"skb:{hostile}")
    with served(office_over(moons, tmp_path / "home", cited_rows(moons, tmp_path / "home"), sources)) as address:
        yield address


def hostile_base(folder: Path) -> Path:
    """Build a base whose names, types, relations and texts are markup that calls the canary."""
    trap = {"id": f"trap/{ATTACK}?", "type": ATTACK, "name": ATTACK, "text": ATTACK, ATTACK: ATTACK}
    records = [trap, {"id": "..", "type": "thing", "name": "Bait"}]
    relations = [{"source": "..", "relation": ATTACK, "target": trap["id"], "text": ATTACK}]
    for name, lines in (("entities", records), ("relations", relations)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf8")
    files = [folder / "entities.jsonl", folder / "relations.jsonl"]
    build_base(open_record_files(files), folder / "hostile.skb", lambda _said: None)
    return folder / "hostile.skb"


def entity(page: Any, name: str) -> None:
    """Wait until an entity is shown."""
    page.locator(".explorer h2").get_by_text(name, exact=True).wait_for()


def test_a_cited_row_of_answers_is_a_picture_that_says_its_path(page: Any) -> None:
    turn = answered(page, MOONS)
    turn.locator(".chip").first.click()
    picture = page.locator("#panel").get_by_role("img", name="Path: ")
    picture.wait_for()
    assert picture.get_attribute("aria-label") == (
        "Path: Giovanni Domenico Cassini (person), discovered, Tethys (moon); "
        "Giovanni Domenico Cassini (person), studied, Saturn (planet)"
    )
    assert picture.locator(".path-name").all_text_contents() == ["Tethys", "Giovanni Domenico Cassini", "Saturn"]
    assert picture.locator(".path-relation").all_text_contents() == ["discovered", "studied"]
    assert picture.locator(".path-head").count() == 2 and picture.locator(".lost").count() == 0
    panel = page.locator("#panel").inner_text()
    assert "Computed by the plan over the base; each row is a path. The base has each of its relations." in panel
    assert "dark gap in the rings" in panel
    page.keyboard.press("]")
    page.get_by_role("img", name="Path: Titan (moon), orbits, Saturn (planet)").wait_for()


def test_a_node_leads_to_its_entity_and_on_to_its_neighbours(page: Any) -> None:
    answered(page, MOONS).locator(".chip").first.click()
    page.locator(".path-picture").get_by_role("link", name="Saturn").click()
    entity(page, "Saturn")
    orbits = page.locator(".relation", has=page.get_by_role("heading", name="orbits"))
    assert orbits.locator("li").count() == 10
    orbits.get_by_role("button", name="Show 5 more of 5").click()
    orbits.locator("li").nth(14).wait_for()
    assert focused(page) == orbits.locator("li a").nth(10).inner_text()
    orbits.get_by_role("link", name="Titan").click()
    entity(page, "Titan")
    assert "liquid methane" in page.locator(".explorer .prose").inner_text()
    page.go_back()
    entity(page, "Saturn")


def test_entities_are_searched_by_words_and_listed_by_type(page: Any) -> None:
    page.get_by_role("link", name="demo").click()
    page.get_by_role("searchbox").fill("lakes of liquid methane")
    page.keyboard.press("Enter")
    page.locator(".results li").first.wait_for()
    assert page.locator(".results li a").first.inner_text() == "Titan"
    page.get_by_role("button", name="moon 51", exact=True).click()
    page.get_by_role("button", name="Show more").click()
    page.locator(".results li").nth(39).wait_for()
    assert page.locator(".results [role=status]").inner_text() == "40 entities, and more"


def test_what_a_base_does_not_have_is_said(page: Any, url: str) -> None:
    for place in ("b/nowhere", "b/demo/Sputnik"):
        page.goto(f"{url}/#/{place}")
        page.get_by_role("heading", name="There is no such entity or knowledge base here").wait_for()


def test_what_stands_in_a_base_is_text_wherever_it_is_shown(page: Any, url: str) -> None:
    page.get_by_role("link", name="hostile").click()
    page.get_by_role("searchbox").fill("Bait")
    page.keyboard.press("Enter")
    page.locator(".results li a").first.click()
    page.locator(".relation li a").first.click()
    page.locator(".explorer .attributes").wait_for()
    assert page.locator(".explorer").inner_text().count(ATTACK) >= 4
    assert page.evaluate(LOOK) == []


def test_a_path_of_hostile_names_is_drawn_as_text(page: Any) -> None:
    page.evaluate(
        """async (attack) => {
          const { pathViews } = await import("/static/path.js");
          const node = { name: attack.repeat(9), type: attack, id: "../" + attack };
          const step = { relation: attack, forward: null, text: attack, found: false };
          const paths = [{ nodes: [node, node], steps: [step] }, { nodes: 3 }];
          const view = pathViews({ name: attack, served: "demo", computed: true, paths });
          document.getElementById("thread").replaceChildren(view);
        }""",
        ATTACK,
    )
    drawn = page.locator(".stated-paths")
    assert page.evaluate(LOOK) == []
    assert "not in the base now" in drawn.inner_text()
    assert drawn.get_by_role("link").first.get_attribute("href").startswith("#/b/demo/..%2F")
