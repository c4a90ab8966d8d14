"""The index over titles and leads."""

import pytest

from indexers.linking import TitleIndex
from indexers.linking.titles import NAME_KINDS, NAMESAKES, bases, first_letters
from tests.indexers.linking.collection import LEADS, passage


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("sound league", [("Sound League", "title")]),
        ("northern sound league", [("Sound League", "alias")]),
        ("herring league", [("Sound League", "alias")]),
        ("nsl", [("Sound League", "alias")]),
        ("john smith", [("John Smith (astronomer)", "base"), ("John Smith (handballer)", "base")]),
        ("springfield", [(f"Springfield, {state}", "base") for state in ("Illinois", "Massachusetts", "Oregon")]),
        ("mullers pass", [("Müller's Pass", "title")]),
        ("vh", [("Varn Herons", "initials")]),
        ("tokyo", [("東京", "alias")]),
        ("q", [("Q", "title")]),
        ("nobody", []),
    ],
)
def test_passages_are_found_by_all_their_names(titles, name, found):
    assert [(titles.written[number], NAME_KINDS[kind]) for number, kind in titles.called(name)] == found


def test_each_word_finds_the_titles_that_hold_it(titles):
    row = titles.of_titles.row(titles.words.numbers["heron"])
    assert [titles.written[number] for number in row] == [title for title in LEADS if "Herons" in title]


def test_duplicated_titles_are_passages_of_their_own_and_equal_texts_are_twins():
    index = TitleIndex.build(
        [passage("Rome", "Rome is a city ."), passage("Rome", "Rome is a city ."), passage("Rome", "A film .")]
    )
    assert index.called("rome") == ((0, 0), (1, 0), (2, 0))
    assert (index.twins == index.twins[0]).tolist() == [True, True, False]


def test_of_one_name_a_bounded_number_of_passages_is_kept():
    index = TitleIndex.build(passage(f"John Smith ({number})", "") for number in range(NAMESAKES + 10))
    assert len(index.called("john smith")) == NAMESAKES


def test_an_index_of_no_passages_knows_no_name():
    index = TitleIndex.build([])
    assert (index.ids, index.called("rome"), len(index.titles)) == ((), (), 0)


def test_titles_are_known_without_comma_and_article():
    assert bases("The Bronx, New York") == ["The Bronx, New York", "The Bronx", "Bronx, New York"]


@pytest.mark.parametrize(
    ("title", "letters"),
    [("Point guard", ["pg", "pg"]), ("Bank of Varn", ["bov", "bv"]), ("Varn", []), ("2004 Varn season", [])],
)
def test_first_letters_are_those_of_short_titles_without_figures(title, letters):
    assert first_letters(title) == letters
