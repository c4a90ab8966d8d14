"""A knowledge base is searched and read like a wiki, and each path is cited by rows."""

import gc
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extractive.table_values import BY_SOURCE
from heliograph.errors import PageUnavailable, SearchUnavailable, UsageError
from heliograph.types import Document, EntityRecord, Page, Query, TableEvidence, TextEvidence, TripleRecord
from indexers.parser import parse_page
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.tools.skb.sky import Records
from tests.tools.skb.sky import built as in_folder
from tools.skb import entity_pages
from tools.skb.entity_pages import KnowledgeBasePages
from tools.skb.lookup import title_of
from tools.skb.planning.answers import PlannedAnswer


@pytest.fixture(scope="module")
def pages(moons: BuiltKnowledgeBase) -> KnowledgeBasePages:
    return KnowledgeBasePages(moons.folder, now=lambda: "2026-01-01T00:00:00+00:00")


def table(document: Document, section: str) -> TableEvidence:
    (found,) = (
        leaf for leaf in document.leaves if isinstance(leaf, TableEvidence) and leaf.place.path[-1:] == (section,)
    )
    return found


async def answers(pages: KnowledgeBasePages, question: str) -> TableEvidence:
    """Return the table of the page of answers, whose title says no more of the question than the base does."""
    found = await pages.search(Query(question), 10)
    title = found.hits[0].title
    assert re.fullmatch(r"\w+: .+ \(answers [0-9a-f]{8}\)", title)
    return table(parse_page(await pages.fetch(title)), title.partition(":")[0])


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which moons were discovered by Gerard Kuiper?", "moon: Gerard Kuiper discovered it"),
        ("Which missions were launched on a Titan IIIE?", "mission: launched on Titan IIIE"),
        (
            "Which moons were found by somebody who studied Saturn?",
            "moon: person that studied Saturn discovered it",
        ),
    ],
)
async def test_the_title_of_a_page_of_answers_is_in_words(pages: KnowledgeBasePages, question: str, said: str) -> None:
    found = await pages.search(Query(question), 10)
    assert found.hits[0].title.partition(" (answers")[0] == said


def texts(page: Page) -> list[str]:
    return [leaf.text for leaf in parse_page(page).leaves if isinstance(leaf, TextEvidence)]


def cells(found: TableEvidence) -> list[list[str]]:
    return [[cell.text for cell in row] for row in found.rows]


async def test_a_page_has_the_document_the_attributes_and_a_row_for_each_triple(pages: KnowledgeBasePages) -> None:
    document = parse_page(await pages.fetch("Titan"))
    lead = next(leaf.text for leaf in document.leaves if isinstance(leaf, TextEvidence))
    assert lead.startswith("Titan (moon)")
    assert ["diameter (km)", "5150"] in cells(table(document, "Attributes"))
    relations = table(document, "Relations")
    assert relations.header == ("From", "Relation", "To", "What is said of it")
    assert ["Titan", "orbits", "Saturn"] in [row[:3] for row in cells(relations)]
    assert {link.target for row in relations.rows for link in row[2].links} >= {"Saturn"}


@pytest.mark.parametrize(
    ("question", "header", "rows"),
    [
        (
            "Which missions were launched on a Titan IIIE?",
            ("mission", "launched on"),
            {(mission, "Titan IIIE") for mission in ("Viking 1", "Viking 2", "Voyager 1", "Voyager 2")},
        ),
        (
            "Which moons were discovered by Gerard Kuiper?",
            ("moon", "discovered ← person"),
            {("Miranda", "Gerard Kuiper"), ("Nereid", "Gerard Kuiper")},
        ),
    ],
)
async def test_what_meets_a_question_is_a_table_whose_rows_are_paths(
    pages: KnowledgeBasePages, question: str, header: tuple[str, ...], rows: set[tuple[str, ...]]
) -> None:
    shown = await answers(pages, question)
    assert shown.header[: len(header)] == header
    assert {tuple(row[: len(header)]) for row in cells(shown)} == rows


async def test_what_an_answer_must_not_have_is_a_column_too(pages: KnowledgeBasePages) -> None:
    """Whether "discovered with" is a relation of finding or of visiting is as good as undecided."""
    shown = await answers(pages, "Which moons of Neptune were not discovered with Voyager 2?")
    assert shown.header[:2] == ("moon", "orbits") and shown.header[2] in ("not found with", "not visited ← mission")
    rows = [tuple(cell.text for cell in row[:3]) for row in shown.rows]
    assert ("Nereid", "Neptune", "Voyager 2") in rows and {row[1:] for row in rows} == {("Neptune", "Voyager 2")}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who discovered the moons of mars", True),
        ("what is the biggest moon of saturn", True),
        ("who found phobos", True),
        ("Who is the current head of ESA?", False),  # no relation says what a head is
        ("which rockets launched missions that landed on mars", False),  # the plan asks for missions
        ("Which mission launched on a Titan IIIE never landed anywhere?", False),
    ],
)
async def test_a_table_is_as_probable_an_answer_as_its_plan_says_of_the_question(
    pages: KnowledgeBasePages, question: str, told: bool
) -> None:
    found = await pages.search(Query(question), 10)
    assert (found.hits[0].answers >= BY_SOURCE) is told
    assert all(hit.answers == 0 for hit in found.hits[1:])


async def test_each_row_of_answers_holds_in_the_base(pages: KnowledgeBasePages, moons: BuiltKnowledgeBase) -> None:
    question = "Which moons of Pluto were found with the spacecraft named after Edwin Hubble?"
    shown = await answers(pages, question)
    assert shown.rows
    for row in shown.rows:
        (answer,) = await moons.named(row[0].text)
        for cell in row[1:3]:
            here = answer
            for name in cell.text.split(", "):
                (there,) = await moons.named(name)
                assert await moons.between(here.number, there.number)
                here = there


async def test_where_much_is_left_to_the_texts_only_what_they_speak_for_answers(pages: KnowledgeBasePages) -> None:
    question = "Which Mars lander dug up frozen water and saw it snow?"
    shown = await answers(pages, question)
    assert shown.header == ("mission", "landed on", "What is said of it")
    assert [row[0] for row in cells(shown)] == ["Phoenix"]
    assert "saw snow fall" in cells(shown)[0][2]


async def test_a_question_that_is_not_understood_has_no_page_of_answers(pages: KnowledgeBasePages) -> None:
    found = await pages.search(Query("Is Deimos bigger than Phobos?"), 10)
    titles = [hit.title for hit in found.hits]
    assert {"Deimos", "Phobos"} <= {*titles}
    assert not any("(answers " in title for title in titles)


async def test_a_page_of_answers_says_that_it_is_computed_and_how_many_answers_it_leaves_out(
    pages: KnowledgeBasePages, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = "Computed from the moons knowledge base; each row is a path of its relations."
    (whole, *_) = (await pages.search(Query("Which missions were launched on a Titan IIIE?"), 10)).hits
    assert texts(await pages.fetch(whole.title)) == [computed]
    monkeypatch.setattr(entity_pages, "MAX_ANSWERS", 3)
    (part, *_) = (await pages.search(Query("Which missions were launched on a Titan IIIE?"), 10)).hits
    assert texts(await pages.fetch(part.title)) == [f"{computed} The likeliest 3 of 4 are shown."]


async def test_answers_wait_without_their_plans_and_the_oldest_make_room(
    pages: KnowledgeBasePages, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked(planet: str) -> str:
        found = await pages.search(Query(f"Which moons orbit the planet {planet}?"), 10)
        return found.hits[0].title

    def planned() -> int:
        gc.collect()
        return sum(isinstance(each, PlannedAnswer) for each in gc.get_objects())

    monkeypatch.setattr(entity_pages, "MAX_KEPT", 2)
    before = planned()
    mars, neptune = await asked("Mars"), await asked("Neptune")
    assert planned() == before
    assert await asked("Mars") == mars
    uranus = await asked("Uranus")
    for title in (mars, uranus):
        assert (await pages.fetch(title)).title == title
    with pytest.raises(PageUnavailable, match="its answers are no longer kept, ask again"):
        await pages.fetch(neptune)


async def test_a_base_that_breaks_is_a_source_that_is_down(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    pages = KnowledgeBasePages(Path(shutil.copytree(moons.folder, tmp_path / "own.skb")))
    pages.open()
    (description,) = pages.path.glob("base.json")
    description.write_text("{}", encoding="utf8")
    with pytest.raises(SearchUnavailable, match=r"^skb:own cannot be searched: "):
        await pages.search(Query("Titan"), 10)
    with pytest.raises(PageUnavailable, match=r"^'Titan' of skb:own cannot be read: "):
        await pages.fetch("Titan")


async def test_each_question_that_waits_for_an_index_hears_how_far_it_is(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    base, said = built("m1,planet,Mars\nm2,moon,Phobos\n", "m2,orbits,m1\n"), list[str]()
    search = KnowledgeBasePages(base.folder).with_progress(said.append)
    assert (search.name, search.takes_questions) == ("skb:own", True)
    await search.search(Query("Which moons orbit the planet Mars?"), 10)
    assert [each.partition(",")[0] for each in said] == ["skb:own: entities embedded: 2 of 2"]


async def test_bases_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folders = [tmp_path / name / "own.skb" for name in ("one", "two")]
    for each, planet in zip(folders, ("Mars", "Venus"), strict=True):
        each.parent.mkdir()
        in_folder(Records([EntityRecord("p", "planet", planet)], name="own"), each)
    first, second = (KnowledgeBasePages(each, beside=[*{*folders} - {each}]) for each in folders)
    assert first.name != second.name and first.wiki != second.wiki
    assert re.fullmatch(r"skb:own \([0-9a-f]{8}\)", first.name)
    assert (await first.fetch("Mars")).wiki == first.wiki
    alone = KnowledgeBasePages(folders[0])
    assert (alone.name, alone.wiki) == ("skb:own", "own knowledge base")


@pytest.mark.parametrize("name", ["x" * 5_000, "x" * 250])
def test_a_path_that_no_file_system_has_room_for_is_no_base(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"^no knowledge base ") as refused:
        KnowledgeBasePages(tmp_path / name).open()
    assert len(str(refused.value)) < 800


async def test_long_texts_are_cut_and_the_page_says_so(tmp_path: Path) -> None:
    record = EntityRecord("t", "moon", "Titan", "word " * 1_000_000, attributes={"note": "long " * 1_000_000})
    base = in_folder(Records([record], [TripleRecord("t", "near", "t", "told " * 1_000_000)]), tmp_path / "own.skb")
    page = await KnowledgeBasePages(base.folder).fetch("Titan")
    assert len(page.html) < 55_000
    assert texts(page)[-1] == "The document is cut here, after 50,000 of 5,000,000 characters."
    document = parse_page(page)
    assert cells(table(document, "Attributes"))[0][1].endswith("long …")
    assert cells(table(document, "Relations"))[0][3].endswith("told …")


async def test_a_hub_shows_some_triples_of_each_relation_and_says_how_many_there_are(tmp_path: Path) -> None:
    others = [EntityRecord(f"e{number}", "moon", f"Moon {number}") for number in range(50)]
    triples = [TripleRecord("hub", f"relation {kind}", each.id) for kind in range(20) for each in others]
    records = [EntityRecord("hub", "planet", "Hub"), *others]
    own = TripleRecord("hub", "relation 0", "hub")
    base = in_folder(Records(records, [*triples, own]), tmp_path / "own.skb")
    page = await KnowledgeBasePages(base.folder).fetch("Hub")
    assert texts(page)[-1] == "400 of 1,001 rows are shown."
    shown = [row[1] for row in cells(table(parse_page(page), "Relations"))]
    assert {shown.count(f"relation {kind}") for kind in range(20)} == {20}


async def test_links_to_names_types_and_ids_with_underscores_lead_to_their_pages(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    base = built(
        "a_1,big_moon,Moon_One\na_2,moon,Moon Two\na_3,moon,Moon_Two\na_4,old_moon,Io_1 b\na_5,old_moon,Io_1 b\n",
        "a_1,near,a_2\na_1,near,a_3\na_1,near,a_4\na_1,near,a_5\na_1,near,a_1\n",
    )
    pages = KnowledgeBasePages(base.folder)
    document = parse_page(await pages.fetch("Moon_One"))
    targets = [link.target for row in table(document, "Relations").rows for link in row[2].links]
    found = [await pages.fetch(each) for each in targets]
    assert {"Moon Two", "Moon_Two (a_3)", "Io_1 b (a_4)", "Io_1 b (a_5)"} <= {page.title for page in found}
    assert (await pages.fetch("Moon One")).title == "Moon_One"


async def test_a_name_in_quotation_marks_finds_what_has_it_and_nothing_else(pages: KnowledgeBasePages) -> None:
    assert [hit.title for hit in (await pages.search(Query('"titan"'), 10)).hits] == ["Titan"]
    assert not (await pages.search(Query('""'), 10)).hits
    with pytest.raises(PageUnavailable, match="has no entity called 'Tatooine'"):
        await pages.fetch("Tatooine")


async def test_figures_stand_under_their_own_names_whatever_the_order_of_a_record(tmp_path: Path) -> None:
    moons = [
        EntityRecord("a", "moon", "Ann", attributes={"diameter km": 1100.0, "discovered": 1684.0}),
        EntityRecord("b", "moon", "Bea", attributes={"discovered": 1672.0, "diameter km": 1500.0}),
        EntityRecord("c", "moon", "Cea", attributes={"discovered": 1900.0, "diameter km": 30.0}),
    ]
    around = [TripleRecord(each.id, "orbits", "s") for each in moons]
    base = in_folder(Records([EntityRecord("s", "planet", "Saturn"), *moons], around), tmp_path / "own.skb")
    question = "Which moons discovered before 1700 have a diameter of more than 1,000 km?"
    shown = await answers(KnowledgeBasePages(base.folder), question)
    assert shown.header[:3] == ("moon", "discovered", "diameter (km)")
    assert {tuple(row[:3]) for row in cells(shown)} == {("Ann", "1684", "1100"), ("Bea", "1672", "1500")}


async def test_entities_of_one_name_are_told_apart(built: Callable[[str, str], BuiltKnowledgeBase]) -> None:
    base = built("m1,planet,Mercury\nm2,mission,Mercury\nm3,mission,Mercury\n", "m2,flew_by,m1\n")
    pages = KnowledgeBasePages(base.folder)
    titles = [await title_of(base, each) for each in await base.entities([0, 1, 2])]
    assert titles == ["Mercury (planet)", "Mercury (m2)", "Mercury (m3)"]
    assert [(await pages.fetch(title)).title for title in titles] == titles


async def test_a_name_that_looks_like_a_title_keeps_its_page(built: Callable[[str, str], BuiltKnowledgeBase]) -> None:
    base = built("m1,planet,Mercury\nm2,god (old),Mercury\nm3,page,Mercury (planet)\n", "m2,names,m1\n")
    pages = KnowledgeBasePages(base.folder)
    entities = await base.entities([0, 1, 2])
    titles = [await title_of(base, each) for each in entities]
    assert titles == ["Mercury (m1)", "Mercury (god (old))", "Mercury (planet)"]
    for each, title in zip(entities, titles, strict=True):
        assert f"({each.type})" in (await pages.fetch(title)).html


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4), st.text(max_size=60))
async def test_text_of_a_base_stays_text_and_titles_lead_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], text: str
) -> None:
    records = [EntityRecord(f"e{n}", "<b>kind</b>", name, f"own e{n}. <script>{text}") for n, name in enumerate(names)]
    triples = [TripleRecord("e0", "<i>is</i>", "e0", "a & b")]
    base = in_folder(Records(records, triples), tmp_path_factory.mktemp("base") / "own.skb")
    pages = KnowledgeBasePages(base.folder)
    entities = await base.entities(range(len(names)))
    titles = [await title_of(base, each) for each in entities]
    assert len({*titles}) == len(names)
    for each, title in zip(entities, titles, strict=True):
        html = (await pages.fetch(title)).html
        assert "<script" not in html and "<b>" not in html and "<i>" not in html
        assert f"own {each.id}." in html
