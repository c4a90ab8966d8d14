"""A person's labels: kept key by key, undone, resumed, blind; and judges of a pool compared."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.dataset import judgement_line, read_judgements
from eval.omgqa.judging.agreement import Agreement
from eval.omgqa.judging.cases import Shown
from eval.omgqa.judging.people import Labelling, Pair, open_labelling, pair_text, pool_agreement
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from heliograph.errors import StoreLocked, UsageError
from heliograph.types import EvidenceId
from indexers.lock import WriterLock

QUESTIONS = tuple(OmgQuestion(name, f"What of {name}?", (), (), (), "demo") for name in ("q1", "q2"))
UNITS = tuple(EvidenceId(f"w:Io@7#s0/p{number}") for number in (1, 2, 3))
EVIDENCE = {unit: Shown(unit, "text", ("Io",), f"words of {unit[-2:]}") for unit in UNITS}
POOL = (
    Judgement("q1", UNITS[0], True, AUTHORS),
    Judgement("q1", UNITS[1], False, AUTHORS),
    Judgement("q1", UNITS[0], False, "code", "hash"),
    Judgement("q2", UNITS[2], True, "code", "hash"),
)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(map(judgement_line, POOL)), encoding="utf8")
    return path


def pressed(pool: Path, keys: str, judge: str = "anna", first: int | None = None) -> list[str]:
    """Press keys until none is left, and return what was shown."""
    seen: list[str] = []
    left: Iterator[str] = iter(keys)

    def ask(text: str) -> str:
        seen.append(text)
        return next(left, "q")

    with ExitStack() as stack:
        open_labelling(pool, judge, QUESTIONS, EVIDENCE, stack, first).run(ask)
    return seen


def words(pool: Path, judge: str = "anna") -> dict[tuple[str, str], bool]:
    found = read_judgements(pool, ["q1", "q2"])
    return {(each.question, each.evidence[-2:]): each.relevant for each in found if each.judge == judge}


def shown_pairs(seen: Sequence[str]) -> list[tuple[str, str]]:
    return [(text.partition("What of ")[2][:2], text.partition("words of ")[2][:2]) for text in seen]


def test_every_pair_is_shown_once_and_every_word_is_in_the_pool(pool: Path) -> None:
    seen = pressed(pool, "yny")
    assert sorted(shown_pairs(seen)) == [("q1", "p1"), ("q1", "p2"), ("q2", "p3")]
    assert words(pool) == dict(zip(shown_pairs(seen), (True, False, True), strict=True))
    assert read_judgements(pool, ["q1", "q2"])[:4] == POOL


def test_the_text_is_blind_to_other_words_and_the_order_does_not_tell_them(pool: Path) -> None:
    seen = pressed(pool, "")
    assert not any(word in text for text in seen for word in ("authors", "code", "irrelevant", "hash"))
    reordered = (POOL[3], POOL[1], POOL[0])
    pool.write_text("".join(map(judgement_line, reordered)), encoding="utf8")
    assert pressed(pool, "sss") == pressed(pool, "sss")
    assert pressed(pool, "")[0] == seen[0]


def test_labelling_goes_on_where_it_stopped_and_what_was_skipped_comes_again(pool: Path) -> None:
    first = pressed(pool, "ysq")
    second = pressed(pool, "n")
    assert shown_pairs(second) == shown_pairs(first)[1:]
    assert len(words(pool)) == 2


def test_undo_takes_the_last_word_back_and_shows_its_pair_again(pool: Path) -> None:
    seen = pressed(pool, "yxsuunyyq")
    pairs = shown_pairs(seen)
    # y, an unknown key, skip, undo the skip, undo the word, then n y y
    assert [pairs.index(pair) for pair in pairs] == [0, 1, 1, 3, 1, 0, 1, 3]
    assert [words(pool)[pair] for pair in (pairs[0], pairs[1], pairs[3])] == [False, True, True]


def test_there_is_nothing_to_undo_before_this_session(pool: Path) -> None:
    pressed(pool, "y")
    assert len(pressed(pool, "uuq")) == 3
    assert len(words(pool)) == 1


def test_the_first_questions_are_the_same_for_everybody(pool: Path) -> None:
    anna = pressed(pool, "yyyy", first=1)
    assert len({question for question, _ in shown_pairs(anna)}) == 1
    assert pressed(pool, "yyyy", judge="bert", first=1) == anna
    assert pressed(pool, "", first=1) == []


def test_a_line_that_a_kill_cut_short_is_dropped(pool: Path) -> None:
    pressed(pool, "y")
    pool.write_bytes(pool.read_bytes()[:-20])
    assert len(pressed(pool, "yyy")) == 3
    assert len(words(pool)) == 3


@given(keys=st.text("ynsux", max_size=30))
def test_whatever_is_pressed_the_pool_reads_and_holds_one_word_a_pair(
    tmp_path_factory: pytest.TempPathFactory, keys: str
) -> None:
    path = tmp_path_factory.mktemp("pool") / "pool.jsonl"
    path.write_text("".join(map(judgement_line, POOL)), encoding="utf8")
    with ExitStack() as stack:
        labelling: Labelling = open_labelling(path, "anna", QUESTIONS, EVIDENCE, stack)
        left = iter(keys)
        labelling.run(lambda _: next(left, "q"))
        assert len(words(path)) == labelling.labelled
    assert read_judgements(path, ["q1", "q2"])[:4] == POOL


def test_a_folder_that_is_being_written_is_refused(pool: Path) -> None:
    with WriterLock(pool.parent), pytest.raises(StoreLocked, match="wait until it has ended, or stop it"):
        pressed(pool, "y")


@pytest.mark.parametrize("judge", ["code", AUTHORS])
def test_nobody_labels_under_the_name_of_a_model_or_of_the_authors(pool: Path, judge: str) -> None:
    with pytest.raises(UsageError, match=f"the words of '{judge}' are not a person's"):
        pressed(pool, "y", judge=judge)


def test_what_is_missing_is_named(pool: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no pool .*judge what was found first"):
        pressed(tmp_path / "none.jsonl", "y")
    with ExitStack() as stack, pytest.raises(UsageError, match="the evidence of the pool has no w:Io@7"):
        open_labelling(pool, "anna", QUESTIONS, {}, stack)


def test_a_table_is_shown_by_its_rows_with_its_header() -> None:
    whole = Shown(UNITS[0], "table", ("Io", "Plumes"), "Plumes of Io // Plume | Height // Pele | 300 // Loki | 200")
    assert pair_text(Pair(QUESTIONS[0], whole), 1, 1_200).splitlines()[2:] == [
        "Question: What of q1?",
        "",
        "table: Io > Plumes",
        "",
        "  Plumes of Io",
        "  Plume | Height",
        "  Pele | 300",
        "  Loki | 200",
    ]
    row = Shown(UNITS[0], "table", ("Io",), "Plume: Pele; Height: 300")
    assert pair_text(Pair(QUESTIONS[0], row), 1, 1).endswith("\n  Plume: Pele\n  Height: 300\n")


def test_pages_cannot_move_the_cursor() -> None:
    hostile = Shown(UNITS[0], "text", ("\x1b[2JIo",), "fine\x1b]0;title\x07 \x1b[31mred")
    assert "\x1b" not in pair_text(Pair(QUESTIONS[0], hostile), 1, 1)


def test_two_judges_of_a_pool_are_compared_where_both_have_a_word(pool: Path) -> None:
    pool_words = read_judgements(pool, ["q1", "q2"])
    assert pool_agreement(pool_words, AUTHORS, "code") == Agreement(only_first=1)
    assert pool_agreement(pool_words, "code", AUTHORS) == Agreement(only_second=1)
    with pytest.raises(UsageError, match="anna has no word in this pool; name one of its judges: authors, code"):
        pool_agreement(pool_words, "anna", AUTHORS)
