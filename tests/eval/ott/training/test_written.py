"""Written articles teach a reader what is said in other words, and what is not said."""

import json
from collections import Counter
from pathlib import Path

import pytest

from eval.ott.training.reader_lists import ROOM, WIDE
from eval.ott.training.written import WrittenLists, read_written
from heliograph.errors import UsageError
from indexers.models.reader import Candidate, passage_piece
from indexers.models.training.examples import CombinedExamples
from indexers.models.training.reading import ReadingExample

TOWER = "The tower of Holm was built by Ada Brandt. Oil for its lamp came by boat. It was lit in 1889."
BRANDT = "Ada Brandt was born in Bergen. She kept bees."
SKERRY = "There has been light on Skerry since 1889, and none before."
ARTICLES = [
    {"id": "A", "title": "Holm", "paragraphs": [[["Holm"], TOWER], [["Holm", "Today"], "The lamp is gone."]]},
    {"id": "B", "title": "Brandt", "paragraphs": [[["Brandt"], BRANDT]]},
    {"id": "C", "title": "Skerry", "paragraphs": [[["Skerry"], SKERRY]]},
]
TEXT = {"question": "since when has there been light", "kind": "text", "article": "A", "paragraph": 0, "answer": "1889"}
NONE = {"question": "how high is the tower of holm", "kind": "none", "article": "A", "paragraph": 0}
TWO = {
    "question": "where does the builder of holm's tower come from",
    "kind": "two",
    "article": "B",
    "paragraph": 0,
    "answer": "Bergen",
    "by": 0,
    "by_article": "A",
}


def lists(folder: Path, *lines: dict[str, object]) -> WrittenLists:
    for name, rows in (("articles", ARTICLES), ("questions", lines)):
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return WrittenLists(*read_written(folder / "articles", folder / "questions"))


def pieces(*names: str) -> list[Candidate]:
    every = {
        "tower": passage_piece("Holm", TOWER),
        "today": passage_piece("Holm ; Today", "The lamp is gone."),
        "brandt": passage_piece("Brandt", BRANDT),
        "skerry": passage_piece("Skerry", SKERRY),
    }
    return [Candidate(every[name]) for name in names]


def lasts(example: ReadingExample) -> set[Candidate]:
    """Return all that candidates show, each by itself."""
    return {Candidate(piece) for each in example.candidates for piece in each.pieces}


def test_the_answer_stands_in_its_paragraph_and_in_no_other(tmp_path: Path) -> None:
    for number in range(20):
        (example,) = lists(tmp_path, TEXT).epoch(number, 0)
        assert [(mark.candidate, example.says(mark)) for mark in example.marks] == [(0, "1889")]
        lacking = Candidate(passage_piece("Holm", TOWER.removesuffix(" It was lit in 1889.")))
        assert lasts(example) <= {*pieces("tower", "today", "brandt"), lacking}
    assert {len(lists(tmp_path, TEXT).epoch(number, 0)[0].candidates) for number in range(20)} == {3, 4}


def test_what_is_not_said_is_answered_by_none_of_them(tmp_path: Path) -> None:
    (example,) = lists(tmp_path, NONE).epoch(0, 0)
    assert (example.choice, example.chosen, example.marks) == ("none", (0, 1, 2, 3), ())


def test_a_no_stands_beside_paragraphs_that_say_no(tmp_path: Path) -> None:
    line = {**NONE, "kind": "yes_no", "answer": "no", "question": "is the lamp of holm still there"}
    (example,) = lists(tmp_path, {**line, "paragraph": 1}).epoch(0, 0)
    assert (example.choice, example.chosen) == ("no", (0,))
    assert lasts(example) == set(pieces("tower", "today", "brandt", "skerry"))


def test_two_paragraphs_are_shown_together_and_the_one_that_leads_by_itself_is_wrong(tmp_path: Path) -> None:
    (example,) = lists(tmp_path, TWO).development()
    (tower,), (brandt,) = pieces("tower"), pieces("brandt")
    assert example.candidates[0] == Candidate(tower.first, brandt.first)
    assert [(mark.candidate, mark.piece, example.says(mark)) for mark in example.marks] == [(0, 1, "Bergen")]
    seen = {each for number in range(20) for each in lists(tmp_path, TWO).epoch(number, 0)[0].candidates[1:]}
    (today,), (skerry,) = pieces("today"), pieces("skerry")
    assert tower in seen
    assert {Candidate(tower.first, skerry.first), Candidate(skerry.first, tower.first)} <= seen
    assert {Candidate(each.first, brandt.first) for each in (today, skerry)} & seen
    firsts = {lists(tmp_path, TWO).epoch(number, 0)[0].candidates[0] for number in range(20)}
    assert firsts == {Candidate(tower.first, brandt.first), Candidate(brandt.first, tower.first)}


def test_a_paragraph_that_answers_by_itself_may_stand_behind_another_and_a_wrong_one_too(tmp_path: Path) -> None:
    examples = [lists(tmp_path, TEXT).epoch(number, 0)[0] for number in range(60)]
    for example in examples:
        right = example.candidates[0].pieces
        assert {right[mark.piece].text for mark in example.marks} == {f"Holm : {TOWER}"}
        assert example.room == (WIDE if len(right) > 1 else ROOM)
    assert {len(example.candidates[0].pieces) for example in examples} == {1, 2}
    assert {len(each.pieces) for example in examples for each in example.candidates[1:]} == {1, 2}


def test_sets_are_learned_as_one(tmp_path: Path) -> None:
    parts = [lists(tmp_path, TEXT), lists(tmp_path, NONE, TWO)]
    both = CombinedExamples(parts)
    assert Counter(both.epoch(2, 1)) == Counter([*parts[0].epoch(2, 1), *parts[1].epoch(2, 1)])
    assert both.epoch(2, 1) == CombinedExamples(parts).epoch(2, 1)
    assert both.digest not in {part.digest for part in parts}


def test_an_epoch_can_be_drawn_again(tmp_path: Path) -> None:
    drawn = lists(tmp_path, TEXT, NONE, TWO)
    assert drawn.epoch(1, 2) == drawn.epoch(1, 2)
    assert drawn.digest == lists(tmp_path, TEXT, NONE, TWO).digest != lists(tmp_path, TEXT, NONE).digest


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ({**TEXT, "article": "Z"}, "no such article"),
        ({**TEXT, "paragraph": 2}, "no such paragraph"),
        ({**TEXT, "answer": "1890"}, "does not fit kind and paragraph"),
        ({**TEXT, "kind": "two"}, "which paragraph leads to its own"),
        ({**NONE, "by": 1}, "which paragraph leads to its own"),
        ({**NONE, "answer": "31 m"}, "does not fit"),
        ({**NONE, "kind": "yes_no", "answer": "Yes"}, "does not fit"),
        ({**TEXT, "kind": "song"}, "kind"),
    ],
)
def test_a_line_that_the_articles_do_not_bear_out_is_refused(
    line: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=complaint):
        lists(tmp_path, line)


def test_every_line_of_the_articles_that_were_written_fits() -> None:
    folder = Path(__file__).parents[4] / "eval" / "ott" / "training"
    paragraphs, questions = read_written(folder / "articles.jsonl", folder / "written.jsonl")
    learned, held_out = (WrittenLists(paragraphs, questions, held_out=held) for held in (False, True))
    assert len(learned) > 10 * len(held_out) > 0
    assert {each.line.kind for each in questions} == {"text", "none", "two", "yes_no"}
    assert len({each.line.question.casefold() for each in questions}) == len(questions)
