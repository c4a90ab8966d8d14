"""A person's labels: kept key by key, undone, resumed, blind, of pairs and of cases."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.dataset import judgement_line, read_judgements
from eval.omgqa.judging.cases import Case, Shown
from eval.omgqa.judging.people import PASSED, Labelling, case_labelling, relevancy_labelling
from eval.omgqa.judging.words import open_words, read_words
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion, Pair
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

FOUND = {each.pair for each in POOL}
CASES = tuple(Case("completeness", f"What of q{n}?", f"It is {n}.") for n in range(5))


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(map(judgement_line, POOL)), encoding="utf8")
    return path


def pressed(pool: Path, keys: str, judge: str = "anna", first: int | None = None) -> list[str]:
    """Press keys until none is left, and return the pairs as they were shown."""
    seen: list[str] = []
    left: Iterator[str] = iter(keys)

    def ask(text: str) -> str:
        seen.extend([text] * (text != PASSED))
        return next(left, "q")

    with ExitStack() as stack:
        relevancy_labelling(pool, judge, QUESTIONS, FOUND, EVIDENCE.__getitem__, stack, first).run(ask)
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
    seen = pressed(pool, "yxsuunyy")
    pairs = shown_pairs(seen)
    # y, an unknown key, skip, undo the skip, undo the word, then n y y
    assert [pairs.index(pair) for pair in pairs] == [0, 1, 1, 3, 1, 0, 1, 3]
    assert [words(pool)[pair] for pair in (pairs[0], pairs[1], pairs[3])] == [False, True, True]


def test_the_last_word_can_be_undone_too_and_other_keys_do_nothing_behind_it(pool: Path) -> None:
    pairs = shown_pairs(pressed(pool, "yyyynsun"))
    assert pairs == [*pairs[:3], pairs[2]]
    assert words(pool) == {pairs[0]: True, pairs[1]: True, pairs[2]: False}


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
        labelling: Labelling = relevancy_labelling(path, "anna", QUESTIONS, FOUND, EVIDENCE.__getitem__, stack)
        left = iter(keys)
        labelling.run(lambda _: next(left, "q"))
        assert len(words(path)) == labelling.labelled
    assert read_judgements(path, ["q1", "q2"])[:4] == POOL


def test_a_folder_that_is_being_written_is_refused(pool: Path) -> None:
    with WriterLock(pool.parent), pytest.raises(StoreLocked, match="wait until it has ended, or work on a copy"):
        pressed(pool, "y")


def test_nobody_is_asked_about_labels_of_evidence_that_no_system_found(pool: Path) -> None:
    with ExitStack() as stack:
        found = {Pair("q1", UNITS[1]), Pair("q2", UNITS[0])}  # the second of these was judged by nobody
        labelling = relevancy_labelling(pool, "anna", QUESTIONS, found, EVIDENCE.__getitem__, stack)
    assert [each.case for each in labelling.cases] == [Case("relevancy", "What of q1?", evidence=(EVIDENCE[UNITS[1]],))]


def test_what_is_missing_is_named(pool: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no pool .*judge what was found first"):
        pressed(tmp_path / "none.jsonl", "y")
    with ExitStack() as stack, pytest.raises(UsageError, match="has no word on what the systems found"):
        relevancy_labelling(pool, "anna", QUESTIONS, set(), EVIDENCE.__getitem__, stack)


def decided(path: Path, keys: str, judge: str = "anna", first: int | None = None) -> list[str]:
    """Press keys on cases until none is left, and return the answers of those that were shown."""
    seen: list[str] = []
    left = iter(keys)

    def ask(text: str) -> str:
        seen.extend(text.partition("It is ")[2][:1])
        return next(left, "q")

    with open_words(path) as log:
        case_labelling(log, judge, (*CASES, *CASES[:2]), first).run(ask)
    return seen


def said_of(path: Path, judge: str = "anna") -> dict[str, bool]:
    answers = {case.digest: case.answer[-2] for case in CASES}
    return {
        answers[asked.case]: said.word.yes
        for asked, said in read_words(path).items()
        if (asked.judge, asked.prompt, said.task) == (judge, "", "completeness")
    }


def test_each_case_is_decided_once_in_an_order_that_is_the_same_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    anna = decided(path, "ynyny")
    assert sorted(anna) == ["0", "1", "2", "3", "4"]
    assert decided(path, "yyyyy", judge="bert") == anna
    assert said_of(path) == dict(zip(anna, (True, False, True, False, True), strict=True))
    assert decided(path, "y") == []


def test_the_first_cases_stay_the_same_when_some_are_decided(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    anna = decided(path, "yy", first=2)
    assert decided(path, "", first=2) == []
    assert decided(path, "q", judge="bert", first=2) == anna[:1]
    assert decided(path, "nn", judge="bert", first=2) == anna
    assert said_of(path, "bert") == dict.fromkeys(anna, False)


def test_cases_that_were_skipped_come_again(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    shown = decided(path, "ysynq")
    assert decided(path, "q") == [shown[1]]


@given(
    sessions=st.lists(st.tuples(st.sampled_from(["anna", "bert"]), st.text("ynsuxq", max_size=20)), max_size=4),
)
def test_whatever_is_pressed_in_whatever_sessions_the_last_word_on_a_case_is_the_only_one(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("words") / "words.jsonl"
    path.touch()
    for judge, keys in sessions:
        before = path.read_bytes()
        left = iter(keys)
        with open_words(path) as log:
            labelling = case_labelling(log, judge, CASES)
            labelling.run(lambda _, left=left: next(left, "q"))
        assert path.read_bytes().startswith(before)  # undoing never reaches behind this session
        assert len(read_words(path)) == len(before.splitlines()) + labelling.labelled


@given(keys=st.text("yn", min_size=1, max_size=5), at=st.integers(0, 4))
def test_a_word_undone_and_said_anew_leaves_the_file_as_if_it_had_been_said_at_first(
    tmp_path_factory: pytest.TempPathFactory, keys: str, at: int
) -> None:
    folder = tmp_path_factory.mktemp("words")
    at = min(at, len(keys) - 1)
    wrong = "n" if keys[at] == "y" else "y"
    decided(folder / "straight.jsonl", keys)
    decided(folder / "mended.jsonl", keys[:at] + wrong + "u" + keys[at:])
    assert (folder / "mended.jsonl").read_bytes() == (folder / "straight.jsonl").read_bytes()


def test_two_people_cannot_write_the_same_words_at_once(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    with open_words(path), pytest.raises(StoreLocked):
        decided(path, "y")
