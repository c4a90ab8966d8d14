"""Examples for tuning: labels follow from gold, and where gold does not decide there are none."""

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.types import Edge, EvidenceId, Subgraph
from tests.tools.refinement.varn import CANDIDATES, PLAIN, QUESTION, READER, VARN, passage_of, row_of
from tools.refinement.examples import NOTHING, ChatExample, GoldQuestion, chat_examples
from tools.refinement.framing import PromptRoom
from tools.refinement.replies import Aggregates, PassageChoice, RowChoice

ROOM = PromptRoom(6_000, lambda text: len(text) // 4 + 1)
IDA = (row_of(3), passage_of("Ida Nord"))
GRAPH = Subgraph((*CANDIDATES.edges, Edge(*IDA, 0.4), Edge(row_of(3), passage_of("North Light"), 0.3)))


def replies(question: str, gold: set[tuple[EvidenceId, EvidenceId | None]]) -> list[tuple[str, object]]:
    """Return the tasks and replies of the examples of one question."""
    found = asyncio.run(chat_examples(GoldQuestion(question, GRAPH, frozenset(gold)), VARN, ROOM, READER))
    return [(each.task, each.reply) for each in found]


def test_a_question_whose_gold_row_code_picks_teaches_all_three_tasks() -> None:
    assert replies(QUESTION, {IDA}) == [
        ("detection", Aggregates(aggregation=True)),
        ("rows", RowChoice(reason="By Height (m), the question asks for the row with 38.", rows=[3])),
        ("rows", RowChoice(reason=NOTHING, rows=[])),
        ("passages", PassageChoice(passages=[1])),
        ("passages", PassageChoice(passages=[])),
        ("passages", PassageChoice(passages=[])),
    ]


def test_a_question_without_a_cue_is_no_aggregation() -> None:
    ada = (row_of(1), passage_of("Ada Holm"))
    assert replies(PLAIN, {ada})[:2] == [
        ("detection", Aggregates(aggregation=False)),
        ("passages", PassageChoice(passages=[1])),
    ]


def test_a_cue_that_gold_does_not_confirm_teaches_nothing_about_aggregation() -> None:
    ada = (row_of(1), passage_of("Ada Holm"))
    assert {task for task, _ in replies(QUESTION, {ada})} == {"passages"}


def test_a_star_whose_gold_is_a_cell_says_nothing_about_its_passages() -> None:
    found = asyncio.run(chat_examples(GoldQuestion(PLAIN, GRAPH, frozenset({(row_of(1), None)})), VARN, ROOM, READER))
    shown = [each.prompt.parts[1] for each in found if each.task == "passages"]
    assert all("Keeper: Ada Holm" not in text for text in shown)
    assert len(shown) == 2


def test_an_answer_that_many_rows_hold_teaches_nothing() -> None:
    assert replies(PLAIN, {(row_of(row), None) for row in range(1, 5)}) == []
    assert replies(PLAIN, set()) == []


def test_what_does_not_fit_is_left_out() -> None:
    small = PromptRoom(100, ROOM.count)
    found = asyncio.run(chat_examples(GoldQuestion(QUESTION, GRAPH, frozenset({IDA})), VARN, small, READER))
    assert [each.task for each in found] == ["detection"]


def test_a_line_is_a_conversation_in_the_form_of_the_chat_api() -> None:
    example = asyncio.run(chat_examples(GoldQuestion(QUESTION, GRAPH, frozenset({IDA})), VARN, ROOM, READER))[1]
    said = json.loads(example.line())["messages"]
    assert [each["role"] for each in said] == ["system", "user", "assistant"]
    assert said[0]["content"] == example.prompt.system
    assert said[1]["content"] == "\n\n".join(example.prompt.parts)
    assert json.loads(said[2]["content"])["rows"] == [3]


PAIRS = [(edge.segment, edge.passage) for edge in GRAPH.edges]


@settings(max_examples=40)
@given(st.frozensets(st.sampled_from(PAIRS), max_size=4), st.sampled_from((QUESTION, PLAIN)))
def test_no_example_names_a_passage_or_a_row_without_gold(
    gold: frozenset[tuple[EvidenceId, EvidenceId | None]], question: str
) -> None:
    titles = {VARN.passage(passage).title for _, passage in gold if passage is not None}
    for example in asyncio.run(chat_examples(GoldQuestion(question, GRAPH, gold), VARN, ROOM, READER)):
        named = {text.split(" ::")[0] for text in _named(example)}
        assert named <= (titles if example.task == "passages" else {"North Light | Ida Nord | 38"})


def _named(example: ChatExample) -> list[str]:
    numbers = getattr(example.reply, "passages", None) or getattr(example.reply, "rows", None) or []
    lines = dict(line.split("] ", 1) for line in example.prompt.parts[-1].splitlines() if line.startswith("[E"))
    return [lines[f"[E{number}"].split(") ", 1)[1].split(" // ")[0] for number in numbers]
