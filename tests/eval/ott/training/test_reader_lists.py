"""What a reader learns from: questions of people, composed ones, and needs made of the corpus alone."""

import json
from pathlib import Path

import pytest

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.judging import gold_of
from eval.ott.nodes import edge_candidate
from eval.ott.training.composed import read_composed
from eval.ott.training.marks import marked, stands_in, without_answer
from eval.ott.training.pretraining import NeedPretraining
from eval.ott.training.reader_lists import ReaderLists, lesson_of_composed, lesson_of_traced
from heliograph.errors import UsageError
from indexers.models.reader import Candidate, passage_piece, row_piece
from indexers.models.training.reading import ReadingExample
from tests.eval.ott.lights import BY_WHOM, WHEN

RANKED = [(2, -1), (0, 1), (1, 2), (3, 1), (1, 0)]
LINE = {
    "question": "who built the tower at skerry head",
    "kind": "passage",
    "style": "colloquial",
    "table": "Lights_0",
    "row": 1,
    "passage": "/wiki/Skerry_Head",
    "answer": "Ada Brandt",
}


def said(example: ReadingExample) -> set[str]:
    return {example.says(mark) for mark in example.marks}


def composed(folder: Path, **other: object) -> Path:
    path = folder / "composed.jsonl"
    path.write_text(json.dumps({**LINE, **other}) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("answer", "text", "stands"),
    [
        ("1,000 km", "It is 1 , 000 km long", True),
        ("Ada", "Adam came", False),
        ("ada brandt", "by Ada Brandt .", True),
        ("", "anything", False),
        ("-", "a - b", False),
    ],
)
def test_an_answer_stands_word_for_word(answer: str, text: str, stands: bool) -> None:
    assert stands_in(answer, text) is stands


def test_every_place_of_the_answer_is_marked_or_those_of_one_cell(corpus: OttCorpus) -> None:
    candidate = edge_candidate(corpus, 0, 1)
    assert [mark.piece for mark in marked("1889", candidate, 0)] == [0, 1]
    assert [mark.piece for mark in marked("1889", candidate, 0, cell=1, passage=False)] == [0]
    assert marked("1889", candidate, 0, cell=0, passage=False) == []


def test_an_edge_without_its_answer_has_all_else(corpus: OttCorpus) -> None:
    edge, row = edge_candidate(corpus, 1, 2), edge_candidate(corpus, 1, NO_PASSAGE)
    assert without_answer("Ada Brandt", edge) == row, "of the passage nothing is left"
    assert without_answer("1871", row) == Candidate(row_piece(("Lights", "List -- Sound"), ("Name",), ("Skerry Head",)))
    first = without_answer("Skerry Head", row)
    assert first == Candidate(row_piece(("Lights", "List -- Sound"), ("", "Lit"), ("", "1871")))
    assert without_answer("Lights", edge) is None, "the title says it"
    told = Candidate(passage_piece("Holm", "Ada Brandt built it. It was lit in 1889. Bo Ek kept it."))
    assert without_answer("1889", told) == Candidate(passage_piece("Holm", "Ada Brandt built it. Bo Ek kept it."))


def test_a_traced_question_has_its_gold_edge_and_ranked_edges_that_do_not_say_it(corpus: OttCorpus) -> None:
    lesson = lesson_of_traced(BY_WHOM, gold_of(BY_WHOM, corpus), RANKED, corpus)
    assert lesson is not None
    assert (lesson.right, lesson.wrong) == (((1, 2),), ((2, -1), (0, 1), (3, 1), (1, 0)))
    (example,) = ReaderLists([lesson], corpus, 2).development()
    assert example.candidates == tuple(edge_candidate(corpus, *edge) for edge in ((1, 2), (2, -1), (0, 1)))
    assert example.need == "By whom? in Lights List -- Sound ?".replace("whom?", "whom")
    assert said(example) == {"Ada Brandt"}
    when = lesson_of_traced(WHEN, gold_of(WHEN, corpus), RANKED, corpus)
    assert when is not None and (0, 1) not in when.wrong


def test_an_epoch_can_be_drawn_again(corpus: OttCorpus) -> None:
    lesson = lesson_of_traced(BY_WHOM, gold_of(BY_WHOM, corpus), RANKED, corpus)
    assert lesson is not None
    lists = ReaderLists([lesson], corpus)
    assert lists.epoch(3, 1) == lists.epoch(3, 1)
    drawn = [lists.epoch(number, 0)[0] for number in range(200)]
    assert {example.choice for example in drawn} == {None, "none"}
    assert all(example.marks or example.choice == "none" for example in drawn)


def test_composed_questions_become_lessons_of_their_kind(corpus: OttCorpus, tmp_path: Path) -> None:
    def lesson(**other: object):
        (question,) = read_composed(composed(tmp_path, **other), corpus)
        return lesson_of_composed(question, RANKED, corpus)

    asked = lesson()
    assert (asked.right, asked.answer, asked.choice) == (((1, 2),), "Ada Brandt", None)
    cell = lesson(kind="cell", passage=None, answer="1871")
    assert set(cell.right) == {(1, 2), (1, 0)}
    unknown = lesson(kind="unanswerable", answer="")
    assert (unknown.choice, unknown.right) == ("none", ((1, 2),))
    assert lesson(kind="yes_no", answer="no").choice == "no"
    assert lesson(kind="comparison", answer="Skerry Head", rows=[0, 1]) is None


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (
            {"answer": "Karl Brandt"},
            "the answer 'Karl Brandt' does not stand where a question of kind 'passage' has it",
        ),
        ({"row": 7}, "the corpus has no such row"),
        ({"passage": "/wiki/Holm_Light"}, "the row does not link '/wiki/Holm_Light'"),
        ({"kind": "unanswerable"}, "does not stand where"),
        ({"kind": "yes_no", "answer": "maybe"}, "does not stand where"),
        ({"kind": "cell", "answer": "1889"}, "does not stand where"),
        ({"table": "Nowhere_0"}, "the corpus has no such row"),
    ],
)
def test_a_line_that_the_corpus_does_not_bear_out_is_refused(
    corpus: OttCorpus, tmp_path: Path, other: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UsageError, match=f"composed.jsonl:1: .*{complaint}"):
        read_composed(composed(tmp_path, **other), corpus)


def test_nothing_is_learned_from_tables_that_are_reported_on(corpus: OttCorpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing is learned from the table 'Lights_0'"):
        read_composed(composed(tmp_path), corpus, {"Lights_0"})


def test_a_question_that_stands_there_twice_is_refused(corpus: OttCorpus, tmp_path: Path) -> None:
    path = composed(tmp_path)
    path.write_text(path.read_text() * 2)
    with pytest.raises(UsageError, match="stands there twice"):
        read_composed(path, corpus)


def test_needs_made_of_the_corpus_have_their_answer_in_the_first_candidate_alone(corpus: OttCorpus) -> None:
    examples = NeedPretraining(corpus, (), 60).epoch(0, 7)
    assert len(examples) == 60
    assert examples[5] == examples[5:6][0] == NeedPretraining(corpus, (), 60).epoch(0, 7)[5]
    for example in examples:
        assert bool(example.marks) is (example.choice is None)
        assert {mark.candidate for mark in example.marks} <= {0}
        for text in said(example):
            assert not stands_in(text, example.need)
            assert not any(stands_in(text, piece.text) for piece in example.candidates[1].pieces)


def test_rows_of_reported_tables_ask_nothing(corpus: OttCorpus) -> None:
    for example in NeedPretraining(corpus, ("Towers_0",), 40).epoch(0, 0):
        assert not any(candidate.first.text.startswith("Towers") for candidate in example.candidates)
