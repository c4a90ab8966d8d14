"""What pages state becomes entities, relations and attributes, each with the words that state it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.numbers import without_marks
from heliograph.types import EntityRecord
from indexers.parser import find_evidence
from tests.tools.skb.league import document, league
from tools.skb.page_facts import PageFacts

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="<>&"), max_size=12)


def entities(facts: PageFacts) -> dict[str, EntityRecord]:
    return {each.name: each for each in facts.entities()}


def test_a_row_is_about_the_page_that_its_first_cell_links_or_a_thing_of_its_own() -> None:
    facts = PageFacts(league())
    assert {each.name for each in facts.entities() if each.type == "club"} == {
        "Leeford",
        "Oxley Town",
        "Harrow Bridge",
        "Stanmoor",
    }
    assert entities(facts)["Leeford"].id == "Leeford"
    assert {(each.source, each.relation, each.target) for each in facts.triples()} >= {
        ("Leeford", "ground", "Mill Lane"),
        ("Leeford", "Clubs of the Vale League", "Vale League"),
        ("Oxley Town [club]", "ground", "Priory Park"),
        ("Kiln Road", "owner", "Leeford"),
    }


def test_cells_infoboxes_and_dates_of_first_paragraphs_are_attributes() -> None:
    known = entities(PageFacts(league()))
    assert known["Leeford"].attributes["Joined"] == "1931"
    assert "Joined" not in known["Stanmoor"].attributes  # a dash says nothing
    assert known["Mill Lane"].attributes == {"opened": "1912"}
    assert known["Priory Park"].attributes == {"opened": "4 May 1968"}
    assert known["Kiln Road"].attributes["Opened"] == "1955"


def test_what_the_one_thing_that_a_cell_leads_to_has_is_an_attribute_with_both_pieces_that_state_it() -> None:
    documents = league()
    stated = PageFacts(documents).stated["Leeford"]["ground opened"]
    assert (stated.value, stated.through, stated.column) == ("1912", "Mill Lane", "ground")
    assert stated.quote.text == "It was opened in 1912."
    assert stated.link is not None
    assert stated.link.text == "Club: Leeford; Ground: Mill Lane; Joined: 1931"
    find_evidence(documents[0], stated.link.evidence)
    find_evidence(documents[2], stated.quote.evidence)


def test_a_table_that_says_two_things_of_one_says_nothing_of_it() -> None:
    rows = "".join(f"<tr><td>Orn</td><td>{year}</td></tr>" for year in (1901, 1902))
    table = f"<table><tr><th>Probe</th><th>Seen</th></tr>{rows}</table>"
    assert entities(PageFacts([document("Probes", table)]))["Orn"].attributes == {}


def test_columns_of_a_table_of_properties_are_about_what_heads_them() -> None:
    head = "<tr><th>Property</th><th>Value</th><th>Mill Lane</th></tr>"
    table = f"<table>{head}<tr><td>Seats</td><td>12</td><td>900</td></tr></table>"
    known = entities(PageFacts([document("Vale Park", table), document("Mill Lane", "<p>Mill Lane is a ground.</p>")]))
    assert (known["Vale Park"].attributes, known["Mill Lane"].attributes) == ({"Seats": "12"}, {"Seats": "900"})


def test_things_of_one_name_are_told_apart_by_what_columns_call_them() -> None:
    rows = "".join(
        f"<table><tr><th>{kind}</th><th>Size</th></tr><tr><td>Prometheus</td><td>{size}</td></tr></table>"
        for kind, size in (("Moon", 86), ("Volcano", 3))
    )
    found = [each for each in PageFacts([document("Names", rows)]).entities() if each.name == "Prometheus"]
    assert [(each.type, each.attributes) for each in found] == [("moon", {"Size": "86"}), ("volcano", {"Size": "3"})]


@pytest.mark.parametrize("titles", [("Rhea (moon)", "Rhea"), ("Rhea", "Rhea (moon)"), ("!!!", "???")])
def test_what_a_page_says_is_said_of_no_other_page_whatever_their_order(titles: tuple[str, str]) -> None:
    infobox = "<table class='infobox'><tr><th>{0}</th><td>{1}</td></tr></table>"
    pages = [
        document(title, f"<p>A page.</p>{infobox.format(key, title)}") for key, title in zip("AB", titles, strict=True)
    ]
    said = {each.id: dict(each.attributes) for each in PageFacts(pages).entities()}
    assert said in ({titles[0]: {"A": titles[0]}, titles[1]: {"B": titles[1]}}, {})


def test_the_same_pages_give_the_same_records() -> None:
    assert PageFacts(league()).fingerprint == PageFacts(league()).fingerprint
    assert PageFacts(league()[:3]).fingerprint != PageFacts(league()).fingerprint


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_whatever_rows_say_each_attribute_is_quoted_from_a_piece_that_is_there(rows: list[list[str]]) -> None:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    page = document("Any", f"<p>Any page.</p><table><tr><th>Thing</th><th>Size</th><th>Year</th></tr>{body}</table>")
    for known in PageFacts([page]).stated.values():
        for each in known.values():
            find_evidence(page, each.quote.evidence)
            assert each.value in without_marks(each.quote.text)
