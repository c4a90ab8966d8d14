"""Answer matching by hand: accents, marks, case and whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.matching import matchable, says


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("José Ramírez", " jose ramirez "),
        ("1,250 m (4,101 ft)", " 1 , 250 m 4 , 101 ft "),
        ("Rock 'n' Roll?", " rock n roll ? "),
        ("2003–05", " 200305 "),
        ("2003-05", " 2003 - 05 "),
        ("Ада", "  "),
        ("", "  "),
    ],
)
def test_a_text_is_cut_into_plain_words_and_marks(text: str, form: str) -> None:
    assert matchable(text) == form


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("Lit in 1889 .", "1889", True),
        ("Lit in 1889.", "1889", True),
        ("18890", "1889", False),
        ("The Lion King (2019 film)", "the lion king", True),
        ("Lion, King", "Lion King", False),
        ("anything", "", False),
        ("anything", "¡", False),
        ("Ада", "Ада", False),
    ],
)
def test_an_answer_is_said_where_its_tokens_follow_one_another(text: str, answer: str, said: bool) -> None:
    assert says(matchable(text), matchable(answer)) == said


WORDS = st.lists(st.from_regex(r"[a-z0-9]{1,4}", fullmatch=True), min_size=1)


@given(WORDS, st.data())
def test_every_run_of_words_is_said_by_its_text(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assert says(matchable(" ".join(words)), matchable(" ".join(words[start:end]).upper()))
