"""Facts become judgements of the pages that were read, and what is not found is told with the reason."""

import pytest

from eval.omgqa.converting.gold import GoldFact, GoldImage, GoldRow, GoldTable, GoldText
from eval.omgqa.converting.reading import gold_documents
from eval.omgqa.converting.resolving import Resolved, Unresolved, resolve
from eval.omgqa.dataset import labels_by
from eval.omgqa.judged import Labels, UnitKind
from eval.omgqa.records import AUTHORS, Judgement
from heliograph.errors import PageUnavailable
from heliograph.types import EvidenceId, Page
from tests.eval.omgqa.converting.documents import document

TABLE = "<table><tr><th>Name</th><th>Lit</th></tr>{}</table>"
ROWS = (
    "<tr><td>Holm Light</td><td>1889</td></tr><tr><td> </td><td></td></tr><tr><td>Skerry ( Head )</td><td>-</td></tr>"
)
LIGHTS = document(
    "Lights",
    f"<p>Holm is lit.</p><p>Holm is lit. It is old!</p><ul><li>Gull Rock</li></ul>{TABLE.format(ROWS)}"
    f"<h2>Sound</h2>{TABLE.format(ROWS)}<h2>Boats</h2><table><tr><th>Boat</th></tr><tr><td>Ferry</td></tr></table>"
    "<figure><img src='../I/a%20b.png'><figcaption>Holm</figcaption></figure>",
)


def found(fact: GoldFact, kind: UnitKind = "row") -> list[str]:
    resolved = resolve([fact], [LIGHTS], kind)
    assert len(resolved.unresolved) == (not resolved.judgements)
    return [each.evidence.partition("#")[2] for each in resolved.judgements]


def row(number: int, *cells: str, section: str = "Sound", header: tuple[str, ...] = ("Name", "Lit")) -> GoldRow:
    return GoldRow("q", "Lights", section, header, number, cells)


def table(*header: str, section: str = "", first: tuple[str, ...] = ()) -> GoldTable:
    return GoldTable("q", "Lights", section, header, first)


def text(words: str, title: str = "Lights") -> GoldText:
    return GoldText("q", title, words)


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("Holm  is lit.", ["s0/p1"]),  # the paragraph itself, not the one that says it among others
        ("holm is lit", ["s0/p1"]),
        ("It is old !", ["s0/p2"]),
        ("is lit", ["s0/p1", "s0/p2"]),
        ("Gull Rock", ["s0/l1"]),
        ("Holm is li", []),
        ("...", []),
        ("Ferry", []),  # said by a table
    ],
)
def test_a_text_is_its_paragraph_or_one_that_says_its_words(words: str, places: list[str]) -> None:
    assert found(text(words)) == places


@pytest.mark.parametrize(
    ("fact", "place"),
    [
        (row(1, "Holm Light", "1889"), ["s1/t1/r1"]),
        (row(3, "Skerry (Head)", "-", ""), ["s1/t1/r2"]),  # the page leaves a row without words out
        (row(1, "Holm Light", "1889", section=""), ["s0/t1/r1"]),
        (row(1, "Holm Light", "1889", section="Gone"), ["s0/t1/r1"]),
        (row(1, "Ferry", header=("Renamed",)), ["s2/t1/r1"]),
        (row(1, "Holm Light", "1890"), []),
    ],
)
def test_a_row_is_found_by_its_cells_then_by_its_table_and_number(fact: GoldRow, place: list[str]) -> None:
    assert found(fact) == place
    assert found(fact, "leaf") == [each.rpartition("/")[0] for each in place]


def test_of_rows_that_differ_in_signs_the_exact_one_is_found() -> None:
    rows = "".join(f"<tr><td>{cell}</td></tr>" for cell in ("C#", "C++", "C"))
    page = document("Lights", f"<table><tr><th>Name</th></tr>{rows}</table>")
    facts = [row(9, cell, header=("Name",), section="") for cell in ("C++", "C", "C #")]
    places = [resolve([fact], [page], "row").judgements[0].evidence[-2:] for fact in facts]
    assert places == ["r2", "r3", "r3"]  # no exact one for the last: the nearest number


@pytest.mark.parametrize(
    ("fact", "place"),
    [
        (table("Name", "Lit", section="Sound"), ["s1/t1"]),
        (table("Name", "Lit"), ["s0/t1"]),
        (table("boat", section="Gone"), ["s2/t1"]),
        (table("Plane"), []),
    ],
)
def test_a_table_is_found_by_its_column_names(fact: GoldTable, place: list[str]) -> None:
    assert found(fact, "leaf") == place


def test_of_tables_under_one_heading_the_one_with_the_first_row_is_found() -> None:
    page = document("Lights", TABLE.format("<tr><td>a</td><td>b</td></tr>") + TABLE.format(ROWS))
    (judgement,) = resolve([table("Name", "Lit", first=("Holm Light", "1889"))], [page], "leaf").judgements
    assert judgement.evidence == "w:Lights@1#s0/t2"


def test_an_image_is_found_by_its_file() -> None:
    assert found(GoldImage("q", "Lights", "a b.png")) == ["s2/i1"]
    assert found(GoldImage("q", "Lights", "b.png")) == []


def test_a_label_is_one_though_two_facts_name_it() -> None:
    facts = [text("Holm is lit."), text("holm is lit"), GoldText("r", "Lights", "Holm is lit.")]
    piece = EvidenceId("w:Lights@1#s0/p1")
    resolved = resolve(facts, [LIGHTS], "leaf")
    assert resolved == Resolved((Judgement("q", piece, True, AUTHORS), Judgement("r", piece, True, AUTHORS)), (), 3)
    assert labels_by(AUTHORS, resolved.judgements) == dict.fromkeys(("q", "r"), Labels(frozenset({piece})))


def test_every_state_of_a_page_is_labelled() -> None:
    later = document("lights", "<p>New.</p><p>Holm is lit.</p>", revision="2")
    resolved = resolve([text("Holm is lit.")], [LIGHTS, later], "leaf")
    assert [each.evidence for each in resolved.judgements] == ["w:Lights@1#s0/p1", "w:lights@2#s0/p2"]


def test_what_is_not_found_is_counted_by_its_reason_with_the_first_of_each() -> None:
    facts = [text("Holm is lit."), text("Gone."), text("Gone too."), text("x", "Towers"), table("Name", "Lit")]
    resolved = resolve(facts, [LIGHTS], "row")
    assert resolved.unresolved == (
        Unresolved(facts[1], "piece"),
        Unresolved(facts[2], "piece"),
        Unresolved(facts[3], "page"),
        Unresolved(facts[4], "unit"),
    )
    assert resolved.summary == (
        '1 of 5 supporting facts found; 1 on pages that were not read, the first being the text "x" of page "Towers" '
        '(question q); 2 not found on their pages, the first being the text "Gone." of page "Lights" (question q); '
        '1 whole tables, where rows are judged, the first being the table of "Name, Lit" of page "Lights" (question q)'
    )


class Wiki:
    """A source of one page, to which a redirect leads."""

    name = wiki = "w"
    edition = ""

    async def fetch(self, title: str) -> Page:
        if title not in ("Holm Light", "Holm"):
            raise PageUnavailable(f'no page "{title}"')
        return Page("w", "Holm Light", "7", "", "<p>A house.</p>", "2026-01-01T00:00:00Z")


async def test_the_pages_of_facts_are_read_once_each_with_the_titles_that_led_there() -> None:
    facts = [text("A house.", "Holm"), text("A house.", "Holm Light"), text("Gone.", "Towers")]
    (page,) = await gold_documents(facts, Wiki())
    assert (page.title, page.aliases) == ("Holm Light", ("Holm",))
    resolved = resolve(facts, [page], "leaf")
    assert [each.evidence for each in resolved.judgements] == ["w:Holm%20Light@7#s0/p1"]
    assert resolved.unresolved == (Unresolved(facts[2], "page"),)
