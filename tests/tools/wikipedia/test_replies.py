"""What the API sends becomes Heliograph's nouns, or a typed error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable, SearchUnavailable
from heliograph.types import Hit, Query, SearchResult
from tools.wikipedia.replies import plain_text, read_file, read_parsed, read_rights, read_search

QUERY = Query("q")


def test_hits_keep_their_order_and_each_title_counts_once() -> None:
    found = {"query": {"searchinfo": {"totalhits": 9}, "search": [{"title": "B"}, {"title": "A"}, {"title": "B"}]}}
    assert read_search(found, QUERY, "w") == SearchResult(QUERY, (Hit("B", 1, "w"), Hit("A", 2, "w")), 9)


def test_an_engine_that_counts_nothing_is_counted_for() -> None:
    assert read_search({"query": {"search": [{"title": "A"}]}}, QUERY, "w").total == 1


@pytest.mark.parametrize(
    ("asked", "suggestion", "titles", "instead"),
    [
        ("mesenger", "messenger", [], "messenger"),
        ("mesenger", "Messenger", ["Courier"], "messenger"),
        ("mesenger", "messenger", ["Ida Mesenger"], ""),
        ("mesenger probe", "messenger probe", [], ""),
        ("mesenger", "mess enger", [], ""),
        ("mesenger", "", [], ""),
    ],
)
def test_a_suggestion_counts_for_a_word_that_no_title_has(
    asked: str, suggestion: str, titles: list[str], instead: str
) -> None:
    info = {"totalhits": len(titles), **({"suggestion": suggestion} if suggestion else {})}
    reply = {"query": {"searchinfo": info, "search": [{"title": title} for title in titles]}}
    assert read_search(reply, Query(asked), "w").instead == instead


def test_a_licence_is_named_by_its_words_or_its_address() -> None:
    def rights(**said: str) -> str:
        return read_rights({"query": {"general": {"sitename": "Wikipedia"}, "rightsinfo": said}}, "w").licence

    assert [rights(text="CC BY-SA 4.0", url="u"), rights(text="", url="u"), rights()] == ["CC BY-SA 4.0", "u", ""]


def test_a_shared_file_is_described_by_its_maker_and_licence() -> None:
    metadata = {
        "Artist": {"value": '<a href="//x">Ada <b>Brandt</b></a><br>Torvik'},
        "LicenseShortName": {"value": "CC BY-SA 4.0"},
        "LicenseUrl": {"value": "https://l"},
        "Credit": {"value": "<span>Own work</span>"},
    }
    info = {"thumburl": "https://t", "descriptionurl": "https://d", "extmetadata": metadata}
    facts = read_file({"query": {"pages": [{"missing": True, "known": True, "imageinfo": [info]}]}}, "X.png", "w")
    assert (facts.licence, facts.attribution) == ("CC BY-SA 4.0 (https://l)", "Ada Brandt Torvik")


def test_a_file_of_which_nothing_is_said_has_no_licence() -> None:
    info = {"thumburl": "https://t", "extmetadata": []}
    facts = read_file({"query": {"pages": [{"imageinfo": [info]}]}}, "X.png", "w")
    assert (facts.licence, facts.attribution) == ("", "")


@pytest.mark.parametrize(
    "reply", [{}, {"query": {"pages": [{"missing": True}]}}, {"query": {"pages": [{"imageinfo": [{}]}]}}]
)
def test_a_file_without_a_thumbnail_is_no_picture(reply: object) -> None:
    with pytest.raises(PageUnavailable, match=r'w has no picture "X\.png"'):
        read_file(reply, "X.png", "w")


@pytest.mark.parametrize("page", [{"revid": 0, "text": "x"}, {"revid": 5, "text": " "}])
def test_a_page_without_text_or_revision_is_empty(page: dict[str, object]) -> None:
    with pytest.raises(PageUnavailable, match='page "A" of w is empty'):
        read_parsed({"parse": {"title": "A", **page}}, "w")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["query", "parse", "search", "title", "pages", "imageinfo", "text"]), inner)
    ),
    max_leaves=8,
)


@given(json_values)
def test_a_reply_of_another_shape_is_a_typed_error(reply: object) -> None:
    for read in (lambda: read_search(reply, QUERY, "w"), lambda: read_parsed(reply, "w"),
                 lambda: read_rights(reply, "w"), lambda: read_file(reply, "X.png", "w")):  # fmt: skip
        try:
            read()
        except SearchUnavailable:
            continue


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Ada <i>Brandt</i> &amp; Co.", "Ada Brandt & Co."),
        ("a<br>b<script>c</script><style>d</style>", "a b"),
        ('&lt;a onclick="alert(1)"&gt;Joakim &amp;amp; Co.&lt;/a&gt;', "Joakim & Co."),
        ("1 < 2", "1 < 2"),
        ("", ""),
    ],
)
def test_markup_becomes_words(markup: str, text: str) -> None:
    assert plain_text(markup) == text
