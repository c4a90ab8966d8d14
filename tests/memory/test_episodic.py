"""The memory of past rounds knows what was asked and read, whatever the words' dress."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import EvidenceId, PageKey, Query, RoundRecord, Verdict
from memory.episodic import RoundMemory, is_repeated, same_words, unasked


def a_round(
    number: int, queries: tuple[str, ...], documents: tuple[str, ...] = (), missing: tuple[str, ...] = ()
) -> RoundRecord:
    keys = tuple(map(PageKey, documents))
    return RoundRecord(number, queries, keys, (EvidenceId("wiki:Mars@1#s0/p1"),), Verdict(not missing, missing))


MEMORY = (
    RoundMemory()
    .after(a_round(1, ("moons of Mars", "red planet"), ("wiki:Mars@1", "wiki:Moon@1"), ("discoverer",)))
    .after(a_round(2, ("Red Planet", "Asaph Hall"), ("wiki:Hall@1", "wiki:Mars@1"), ("year of discovery",)))
)


def test_a_memory_lists_what_was_asked_and_read_once_in_order() -> None:
    assert MEMORY.asked == ("moons of Mars", "red planet", "Red Planet", "Asaph Hall")
    assert MEMORY.read_documents == ("wiki:Mars@1", "wiki:Moon@1", "wiki:Hall@1")
    assert MEMORY.missing == ("year of discovery",)
    assert [record.number for record in MEMORY.recall("anything")] == [1, 2]


def test_an_empty_memory_has_asked_read_and_missed_nothing() -> None:
    assert (RoundMemory().asked, RoundMemory().read_documents, RoundMemory().missing) == ((), (), ())
    assert not is_repeated(Query("Mars"), RoundMemory())


@pytest.mark.parametrize(
    "text", ["moons of Mars", "  MARS  of moons ", "Mars, moons of!", "Ｍars of moons", "moons of mars mars"]
)
def test_case_spaces_marks_repetition_and_word_order_make_no_new_query(text: str) -> None:
    assert is_repeated(Query(text), MEMORY)


@pytest.mark.parametrize("text", ["moons Mars", "moon of Mars", '"moons of Mars"', "moons of Mars discovery", ""])
def test_other_words_and_a_phrase_make_a_new_query(text: str) -> None:
    assert not is_repeated(Query(text), MEMORY)


def test_inside_quotation_marks_order_matters_and_one_word_needs_none() -> None:
    assert same_words('"red planet" Mars') == same_words("mars “Red  Planet”")
    assert same_words('"red planet"') != same_words('"planet red"')
    assert same_words('"Mars"') == same_words("mars")


def test_unasked_drops_what_was_asked_and_what_stands_twice() -> None:
    queries = (Query("planet RED"), Query("Deimos"), Query("deimos "), Query("Phobos"))
    assert unasked(queries, MEMORY) == (Query("Deimos"), Query("Phobos"))


@given(st.lists(st.text("ab cä'\"-", max_size=12), max_size=6))
def test_any_asked_query_is_repeated_in_any_dress(texts: list[str]) -> None:
    memory = RoundMemory((a_round(1, tuple(texts)),))
    assert all(is_repeated(Query(f" {text.upper()} "), memory) for text in texts)
    assert unasked(map(Query, texts), memory) == ()


@given(
    st.lists(st.text("abcä1", min_size=1, max_size=5), max_size=6).flatmap(
        lambda words: st.tuples(st.just(words), st.permutations(words))
    )
)
def test_word_order_never_makes_a_new_query(words: tuple[list[str], list[str]]) -> None:
    first, second = words
    assert same_words(" ".join(first)) == same_words(" ".join(second))
