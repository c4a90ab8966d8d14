"""Questions over tables with their plans: each is carried out and gives the answer that stands beside it."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from eval.lines import read_placed_lines
from eval.ott import training
from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.questions import read_questions
from eval.ott.reading import read_corpus
from eval.ott.training.planned import (
    NAMES,
    ParserLists,
    PlannedQuestion,
    PlannedTable,
    RowLists,
    conditions_of,
    evidence_of,
    example_of,
    named,
    needed_columns,
    of_columns,
    read_planned,
    read_planned_of_corpus,
    siblings_of,
    swapped,
)
from eval.ott.training.stages import PUBLIC
from heliograph.errors import Undecided, UsageError
from heliograph.text.units import header_measure
from heliograph.types import CONDITION_OPERATORS, TableEvidence
from tools.arithmetic.calculations import calculate
from tools.arithmetic.plans import LogicalForm, calculation_of, candidate_conditions
from tools.arithmetic.sheet import sheet_of
from tools.arithmetic.table_reader import answer_of

FOLDER = Path(training.__file__).parent
PLANNED = read_planned(FOLDER / "planned_tables.jsonl", FOLDER / "planned.jsonl")
OTT = Path(__file__).parents[5] / "shared" / "data" / "ott"
EVERY = 9
"""One question in so many is carried out here."""
LOANS = evidence_of(
    PlannedTable(
        id="t1",
        title="Things lent out",
        header=("Thing", "To", "Fee"),
        rows=(("Drill", "Ada", "4"), ("Ladder", "Jon", "6"), ("Sander", "Ada", "9")),
    )
)
SHELVES = PlannedTable(id="s9", title="Shelves", header=("Thing", "Shelf"), rows=(("Drill", "2"), ("Sander", "9")))
LENT = PlannedQuestion(
    table="t1",
    question="what did Ada pay for the sander",
    do="find",
    of="Fee",
    where=(("Thing", "is", "Sander"), ("To", "is", "Ada")),
    answer="9",
)


def carried_out(table: TableEvidence, line: PlannedQuestion) -> str:
    """Return what the plan of a line gives."""
    sheet = sheet_of(table)
    assert sheet is not None
    told = table.header.index(line.of) if line.of else sheet.label if line.do in NAMES else -1
    ordered = table.header.index(line.by) if line.by else -1
    form = LogicalForm(line.do, told, ordered, line.place, conditions_of(line, sheet), 0.0)
    found = calculate(calculation_of(form, sheet), [table])
    numbers = {sheet.id(row): row for row in sheet.rows}
    rows, winners = (tuple(numbers[row] for row in ids if row in numbers) for ids in (found.rows, found.winners))
    return answer_of(form, sheet, found, rows, winners)


def parts(answer: str) -> list[str]:
    return sorted(re.sub(r"[^\w.:]", "", part.casefold()) for part in re.split(r" \+ |, | and ", answer))


def figure(text: str) -> Decimal | None:
    found = re.search(r"\d+(?:\.\d+)?", text.replace(",", ""))
    return Decimal(found[0]) if found else None


def found_shares(planned: Iterable[tuple[TableEvidence, PlannedQuestion]]) -> Mapping[str, float]:
    """Return the share of conditions that are found among the possible ones, by relation."""
    asked, met = Counter[str](), Counter[str]()
    for table, line in planned:
        sheet = sheet_of(table)
        assert sheet is not None
        possible = [each for mention in candidate_conditions(line.question, sheet) for each in mention]
        for given, (each, relation) in zip(line.where, conditions_of(line, sheet, possible), strict=True):
            asked[relation] += 1
            met[relation] += each in possible
            assert relation == given[1]
    return {relation: met[relation] / count for relation, count in asked.items()}


def test_there_are_questions_of_every_kind_and_nearly_every_condition_is_found() -> None:
    assert len(PLANNED) > 6_000
    assert {line.do for _, line in PLANNED} == {
        "none", "find", "count", "sum", "mean", "most", "least", "difference", "more", "less", "is",
    }  # fmt: skip
    found = found_shares(PLANNED[::EVERY])
    assert found["is"] > 0.97
    assert min(found.values()) > 0.75


def is_right(table: TableEvidence, line: PlannedQuestion) -> bool:
    """Say whether the plan of a line gives its answer; of a cell that says nothing neither yes nor no can be said."""
    if line.do == "none":
        return line.answer == ""
    try:
        given = carried_out(table, line)
    except Undecided:
        return line.do == "is"
    if line.do not in ("sum", "mean", "difference", "count"):
        unit = header_measure(line.of).text  # the column states it, and the answer of the file does not
        bare = re.sub(rf"\s*{re.escape(unit)}(?!\w)", "", given)
        return parts(line.answer) in (parts(given), parts(bare), parts(given.replace(" min", "m")))
    wanted, found = figure(line.answer), figure(given)
    if wanted is None or found is None:
        return False
    return line.do == "difference" or abs(wanted - found) <= max(Decimal("0.06"), wanted / 1000)


def test_a_plan_gives_the_answer_that_stands_beside_it() -> None:
    assert [line.question for table, line in PLANNED[::EVERY] if not is_right(table, line)] == []


def test_a_question_over_the_corpus_stands_there_once() -> None:
    lines = [line for _, line in read_placed_lines(FOLDER / "planned_corpus.jsonl", PlannedQuestion)]
    assert len(lines) > 8_000
    assert len({(line.table, line.question.casefold()) for line in lines}) == len(lines)
    assert all(bool(line.answer) == (line.do != "none") for line in lines)


@pytest.mark.skipif(not OTT.is_dir(), reason="OTT-QA's corpus is not beside the checkout")
def test_a_plan_over_a_table_of_the_corpus_gives_the_answer_that_stands_beside_it() -> None:
    reported = {question.gold_table for question in read_questions(OTT / PUBLIC)}
    planned = read_planned_of_corpus(FOLDER / "planned_corpus.jsonl", read_corpus(OTT, "full"), reported)
    assert [line.question for table, line in planned[::EVERY] if not is_right(table, line)] == []


def test_an_example_has_the_slots_of_its_plan() -> None:
    example = example_of(LOANS, LENT)
    assert example is not None
    assert (example.operation, example.selected, example.ordering, example.place) == ("find", 2, None, 1)
    right = {
        mention[(number - 1) // len(CONDITION_OPERATORS)][2:]: CONDITION_OPERATORS[
            (number - 1) % len(CONDITION_OPERATORS)
        ]
        for mention, number in zip(example.given.conditions, example.mentions, strict=True)
        if number
    }
    assert right == {"Thing Sander": "is", "To Ada": "is"}


def test_a_question_is_seen_about_other_values_of_its_columns() -> None:
    chance = random.Random(1)
    seen = [swapped(LOANS, LENT, chance) for _ in range(20)]
    assert {each.question for each in seen} == {
        "what did Ada pay for the sander", "what did Ada pay for the drill", "what did Ada pay for the ladder",
    }  # fmt: skip
    assert all(each.where[0][2].casefold() in each.question for each in seen)
    dear = PlannedQuestion(table="t1", question="how many cost over 5", do="count", where=(("Fee", "above", "5"),))
    limits = {swapped(LOANS, dear, chance).question for _ in range(20)}
    assert 2 < len(limits) <= 10
    assert all(re.fullmatch(r"how many cost over \d", each) for each in limits)


def test_columns_that_a_plan_needs_stay_whatever_is_left_out() -> None:
    assert needed_columns(LOANS, LENT) == [0, 1, 2]
    assert of_columns(LOANS, [2, 0]).header == ("Fee", "Thing")
    lists = ParserLists([(LOANS, LENT)] * 40)
    first, again, other = lists.epoch(0, 1), lists.epoch(0, 1), lists.epoch(1, 1)
    assert first == again != other
    asked = [each.operation for each in first]
    assert asked.count("find") == 40
    assert 0 < asked.count("none") < 40
    assert all(len(each.given.columns) == 2 for each in first if each.operation == "none")


def test_a_line_over_no_table_is_refused_with_its_place(tmp_path: Path) -> None:
    tables, questions = tmp_path / "tables.jsonl", tmp_path / "questions.jsonl"
    tables.write_text('{"id": "t", "title": "T", "header": ["A", "B"], "rows": [["a", "1"], ["b", "2"]]}\n')
    for line in ('"table": "u", "question": "how many"', '"table": "t", "question": "how many", "of": "C"'):
        questions.write_text(f'{{{line}, "do": "count"}}\n')
        with pytest.raises(UsageError, match=r"questions\.jsonl:1: no such table"):
            read_planned(tables, questions)


def test_a_table_beside_none_or_beside_two_is_refused(tmp_path: Path) -> None:
    tables, questions = tmp_path / "tables.jsonl", tmp_path / "questions.jsonl"
    lines = ['{"id": "t", "title": "T", "header": ["A"], "rows": []}']
    lines += [f'{{"id": "{id}", "beside": "t", "title": "T", "header": ["B"], "rows": []}}' for id in "uv"]
    questions.write_text("")
    tables.write_text("\n".join(lines[:2]))
    assert read_planned(tables, questions) == ()
    for kept in (lines[1:2], lines):
        tables.write_text("\n".join(kept))
        with pytest.raises(UsageError, match=rf"tables\.jsonl:{len(kept)}: no earlier table t stands alone"):
            read_planned(tables, questions)


def test_a_line_over_the_corpus_names_its_table_by_the_id_of_that(corpus: OttCorpus, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    line = '{"table": "%s", "question": "when was Holm Light lit", "do": "find", "of": "%s"}'
    questions.write_text(line % ("Lights_0", "Lit"))
    ((table, planned),) = read_planned_of_corpus(questions, corpus)
    assert (table.place.title, table.header, len(table.rows), planned.of) == ("Lights", ("Name", "Lit"), 3, "Lit")
    for id, column, kept_out in (("Lamps_0", "Lit", ()), ("Lights_0", "Tall", ()), ("Lights_0", "Lit", ("Lights_0",))):
        questions.write_text(line % (id, column))
        with pytest.raises(UsageError, match=r"questions\.jsonl:1: no such table, or no such column"):
            read_planned_of_corpus(questions, corpus, kept_out)


def test_nothing_is_asked_of_another_table_of_the_corpus_with_the_same_title(corpus: OttCorpus) -> None:
    graph = OttGraph(corpus)
    lights, towers = (graph.whole(corpus.table_of(corpus.rows_of(id)[0])) for id in ("Lights_0", "Towers_0"))
    assert siblings_of((lights, towers), corpus) == {}
    renamed = replace(corpus, tables=tuple(replace(each, title="Lights") for each in corpus.tables))
    (beside,) = siblings_of((lights,), renamed)[lights.id]
    assert beside.header == towers.header
    assert siblings_of((lights,), renamed, ("Towers_0",)) == {}
    lists = ParserLists([], real=[(LOANS, LENT)] * 40, siblings={LOANS.id: (evidence_of(SHELVES),)})
    asked = [(each.given.about, each.operation) for each in lists.epoch(0, 1)]
    assert 5 < asked.count(("Shelves", "none")) < 25
    assert lists.digest != ParserLists([], real=[(LOANS, LENT)] * 40).digest


def test_an_epoch_draws_a_share_of_composed_questions_and_every_real_one() -> None:
    real = LENT.model_copy(update={"question": "the fee of the sander for Ada"})
    lists = ParserLists([(LOANS, LENT)] * 40, real=[(LOANS, real)] * 10, share=0.25)
    asked = [each.given.question.split()[0] for each in lists.epoch(0, 1) if each.operation == "find"]
    assert (asked.count("what"), asked.count("the")) == (10, 10)
    assert lists.digest != ParserLists([(LOANS, LENT)] * 40, real=[(LOANS, real)] * 10).digest


def test_a_question_is_asked_of_other_tables_that_say_its_words() -> None:
    fees, walks = (
        evidence_of(PlannedTable(id=id, title=title, header=("Name", "Fee"), rows=((name, "4"), ("Bo", "6"))))
        for id, title, name in (("t2", "Fees of the sander club", "Ada"), ("t3", "Walks", "Ida"))
    )
    other = PlannedQuestion(table="", question="who is the oldest", do="none")
    planned = [(LOANS, LENT), (fees, other), (walks, other)]
    about = {
        each.given.about for each in ParserLists(planned[:1] * 40 + planned[1:]).epoch(0, 1) if each.operation == "none"
    }
    assert "Fees of the sander club" in about
    assert [table.id for table in ParserLists(planned)._saying(LENT.question)][:2] == [LOANS.id, fees.id]


def test_nothing_is_asked_of_the_other_table_of_a_page() -> None:
    rooms = evidence_of(
        PlannedTable(
            id="s1", title=LOANS.place.title, beside="t1", text="Where.", header=("Thing", "Shelf"),
            rows=(("Drill", "2"), ("Sander", "9")),
        )
    )  # fmt: skip
    shelf = PlannedQuestion(table="s1", question="where is the drill", do="find", of="Shelf", answer="2")
    assert (rooms.place.page, rooms.id != LOANS.id) == (LOANS.place.page, True)
    lists = ParserLists([(LOANS, LENT), (rooms, shelf)] * 40)
    asked = [(each.given.question.split()[0], each.given.about, each.operation) for each in lists.epoch(0, 1)]
    assert {("what", "Things lent out ; Where.", "none"), ("where", "Things lent out", "none")} <= set(asked)
    assert ("what", "Things lent out ; Where.", "find") not in asked


def test_nothing_is_asked_of_a_table_that_only_names_what_a_text_is_about() -> None:
    question = "did anyone ever repair the sander of Oona"
    lists = ParserLists([(LOANS, LENT)] * 40, of_texts=[(question, "Oona")])
    asked = [each for each in lists.epoch(0, 1) if question in each.given.question]
    assert [each.operation for each in asked] == ["none"]
    assert lists.digest != ParserLists([(LOANS, LENT)] * 40).digest
    shown = named(LOANS, "Oona", random.Random(0))
    assert [row[0].text for row in shown.rows].count("Oona") == 1
    assert sum(one != other for one, other in zip(shown.rows, LOANS.rows, strict=True)) == 1
    assert named(LOANS, "", random.Random(0)) == LOANS


def test_a_reader_learns_the_cell_of_the_row_that_answers_and_of_no_other() -> None:
    for number in range(20):
        (example,) = RowLists([(LOANS, LENT)]).epoch(number, 0)
        own, *others = (each.first.text for each in example.candidates)
        assert [(mark.candidate, example.says(mark)) for mark in example.marks] == [(0, "9")]
        assert "Sander" in own
        assert all("9" not in other for other in others)
        assert {text for text in others if "Sander" not in text} == {
            text for text in others if "Drill" in text or "Ladder" in text
        }
    shown = {len(RowLists([(LOANS, LENT)]).epoch(number, 0)[0].candidates) for number in range(20)}
    assert shown == {3, 4}, "the own row without its fee is there now and then"


def test_a_row_is_looked_up_where_names_lead_to_one_cell() -> None:
    limit = LENT.model_copy(update={"where": (("Fee", "above", "6"),)})
    several = LENT.model_copy(update={"where": (("To", "is", "Ada"),), "answer": "4 + 9"})
    nobody = PlannedQuestion(table="t1", question="who lent me a saw", do="none")
    (example,) = RowLists([(LOANS, limit), (LOANS, several), (LOANS, nobody)]).epoch(0, 0)
    assert (example.choice, example.chosen, example.marks) == ("none", (0, 1, 2), ())
