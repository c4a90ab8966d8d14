"""Identifiers say where a piece stands, and can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import UnknownName
from heliograph.types import EvidenceId, PageKey
from indexers.parser import EvidencePlace, PageName, leaf_id, page_key, page_name, page_of, parse_id, row_id

_PARTS = st.text(st.characters(), max_size=30)
_WIKIS = st.text(st.characters(), min_size=1, max_size=30)
_SECTIONS = st.integers(0, 999).map("s{}".format)


def test_a_page_key_encodes_what_separates_its_parts():
    assert page_key("en.wikipedia.org", "C# @ 1/2: Zoë", "12") == "en.wikipedia.org:C%23%20%40%201%2F2%3A%20Zo%C3%AB@12"


def test_a_wiki_with_a_port_keeps_its_colon_to_itself():
    assert page_key("127.0.0.1:8765", "Io", "7") == "127.0.0.1%3A8765:Io@7"


def test_an_evidence_id_names_section_leaf_and_row():
    table = leaf_id(page_key("w", "Io", "7"), "s3", "t", 1)
    assert table == "w:Io@7#s3/t1"
    assert row_id(table, 7) == "w:Io@7#s3/t1/r7"
    assert parse_id(row_id(table, 7)) == EvidencePlace(PageKey("w:Io@7"), "s3", table, 7)
    assert parse_id(table) == EvidencePlace(PageKey("w:Io@7"), "s3", table, None)


@given(_WIKIS, _PARTS, _PARTS)
def test_any_page_key_reads_back(wiki, title, revision):
    assert page_name(page_key(wiki, title, revision)) == PageName(wiki, title, revision)


@given(_WIKIS, _PARTS, _PARTS, _SECTIONS, st.sampled_from("plti"), st.integers(1, 9999))
def test_any_leaf_id_reads_back(wiki, title, revision, section, letter, number):
    page = page_key(wiki, title, revision)
    name = leaf_id(page, section, letter, number)
    assert parse_id(name) == EvidencePlace(page, section, name, None)
    assert page_of(name) == page


@given(_WIKIS, _PARTS, _PARTS, _SECTIONS, st.integers(1, 9999), st.integers(1, 9999))
def test_any_row_id_reads_back(wiki, title, revision, section, number, row):
    page = page_key(wiki, title, revision)
    table = leaf_id(page, section, "t", number)
    assert parse_id(row_id(table, row)) == EvidencePlace(page, section, table, row)


@given(st.tuples(_WIKIS, _PARTS, _PARTS), st.tuples(_WIKIS, _PARTS, _PARTS))
def test_different_pages_have_different_keys(one, other):
    assert (page_key(*one) == page_key(*other)) == (one == other)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "Io",
        "w:Io@7",
        "w:Io@7#",
        "w:Io@7#s3",
        "w:Io@7#s3/x1",
        "w:Io@7#s3/p",
        "w:Io@7#s3/p1/r2",
        "w:Io@7#s3/t1/r",
        "#s1/p1",
    ],
)
def test_a_malformed_evidence_id_is_refused_by_name(broken):
    with pytest.raises(UnknownName) as error:
        parse_id(EvidenceId(broken))
    assert str(error.value) == (
        f'"{broken}" is no evidence id; its form is wiki:Title@revision#s3/p2, or #s3/t1/r7 for a row'
    )


@pytest.mark.parametrize("broken", ["", "Io", "w:Io", "Io@7", "w:I o@7", "w:Io@7#s1/p1"])
def test_a_malformed_page_key_is_refused_by_name(broken):
    with pytest.raises(UnknownName) as error:
        page_name(PageKey(broken))
    assert str(error.value) == f'"{broken}" is no page key; its form is wiki:Title@revision, percent-encoded'
