"""A word that an archive does not have is read as the one that it may be a slip of, where one stands out."""

import asyncio
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import Query
from tools.zim import ZimArchive
from tools.zim.spelling import LONGEST, SHORTEST, TWICE, dictionary, nearest

PAGES = {"messenger": 4, "jupiter": 18, "titan": 13, "triton": 5, "moons": 36, "moon": 36, "enceladus": 9, "rhea": 3}
WORDS = st.text("aeimnorst", min_size=1, max_size=LONGEST + 2)


def read(word: str, pages: Mapping[str, int] = PAGES, titles: Iterable[str] = ()) -> str:
    return nearest(word, lambda other: pages.get(other, 0), lambda _: titles)


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("mesenger", "messenger"),
        ("jupitor", "jupiter"),
        ("juptier", "jupiter"),
        ("jupiterr", "jupiter"),
        ("moosn", "moons"),
        ("rhae", ""),
        ("xyzzyx", ""),
        ("jüpiter", ""),
        ("юпитер", ""),
    ],
)
def test_one_slip_is_undone(word: str, instead: str) -> None:
    assert read(word) == instead


def test_a_word_that_is_near_to_two_is_neither() -> None:
    assert read("tritan") == ""
    assert read("tritan", {**PAGES, "triton": 1}) == "titan"


def test_a_word_of_the_language_is_no_slip() -> None:
    assert "funded" in dictionary() and read("funded", {"founded": 27}) == ""


def test_another_last_letter_is_another_form_of_a_word() -> None:
    assert read("jupitem", {"jupiter": 1}) == "" and read("emirati", {"emirate": 4}) == ""
    assert read("nebulosi", {"nebulosa": 4}, ["Nebulosa"]) == ""


def test_two_slips_of_a_long_word_are_undone_by_a_title() -> None:
    titles = ["Enceladus (moon)", "Encke Gap"]
    assert read("encelaads") == ""
    assert read("encelaads", titles=titles) == "enceladus"
    assert read("jupitrre", titles=["Jupiter"]) == "jupiter"
    assert read("jptiter"[: TWICE - 1], titles=["Jupiter"]) == ""


@given(WORDS, st.dictionaries(WORDS, st.integers(1, 99)))
def test_what_is_read_is_a_word_of_the_archive_and_short_or_long_words_stay(word: str, pages: dict[str, int]) -> None:
    instead = read(word, {other: pages[other] for other in pages if other != word})
    assert instead == "" or (instead in pages and SHORTEST <= len(word) <= LONGEST and word not in dictionary())
    assert abs(len(instead) - len(word)) <= 1 or not instead


def test_the_archive_is_asked_a_bounded_number_of_times() -> None:
    asked: list[str] = []

    def pages(other: str) -> int:
        asked.append(other)
        return 0

    assert nearest("q" * LONGEST, pages, lambda _: ()) == ""
    assert len(asked) < 60 * LONGEST
    asked.clear()
    assert nearest("q" * (LONGEST + 1), pages, lambda _: ()) == "" and not asked


@pytest.fixture(scope="module")
def varn(archive):
    return ZimArchive(archive)


async def test_an_archive_proposes_a_word_for_one_that_it_does_not_have(varn) -> None:
    assert (await varn.search(Query("lightouse"), 9)).instead == "lighthouse"
    assert (await varn.search(Query("lightouse tower"), 9)).instead == ""


@given(st.sampled_from(["lighthouse", "towers", "paraffin", "Torvik", "archipelago", "museum", "Brandt"]))
def test_a_word_that_an_archive_has_is_never_another(varn, word: str) -> None:
    found = asyncio.run(varn.search(Query(word), 9))
    assert found.hits and found.instead == ""
