"""Examples for a language model that refines, from gold: balanced, counted, the same for the same seed."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.judging import gold_of
from eval.ott.questions import OttQuestion
from eval.ott.training.edge_lists import Retrieved
from eval.ott.training.refiner_data import balanced, gold_question, label, refiner_examples
from heliograph.types import Prompt
from tests.eval.ott.learned import many_questions
from tests.eval.ott.lights import BY_WHOM, WHEN, write_folder, write_questions
from tools.refinement.examples import ChatExample
from tools.refinement.framing import PromptRoom
from tools.refinement.replies import Aggregates, PassageChoice, RowChoice

ROOM = PromptRoom(2000, lambda text: len(text) // 4 + 1)
PROMPT = Prompt("detect_aggregation", "Say whether.", ("Which?",))
YES, NO = (ChatExample("detection", PROMPT, Aggregates(aggregation=yes)) for yes in (True, False))
OTHER = ChatExample("passages", PROMPT, PassageChoice(passages=[]))


def asked(question: OttQuestion, corpus: OttCorpus) -> Retrieved:
    return Retrieved(question, gold_of(question, corpus), corpus.edges)


def test_a_question_carries_its_candidates_in_order_and_its_gold(corpus: OttCorpus) -> None:
    data = OttGraph(corpus)
    found = gold_question(asked(WHEN, corpus), corpus, data)
    assert found.question == "When in Lights List -- Sound ?"
    pairs = [(0, 1), (1, 2), (1, 0), (2, -1), (3, 1)]
    assert found.graph.edges == tuple(data.edge(*pair, 1 / place) for place, pair in enumerate(pairs, start=1))
    assert found.gold == {(data.segment_id(0), None), (data.segment_id(0), data.passage_id(1))}


def test_examples_say_what_gold_says(corpus: OttCorpus) -> None:
    found = refiner_examples([asked(BY_WHOM, corpus)], corpus, ROOM)
    assert [label(example) for example in found] == ["detection, no", "passages, yes", "passages, no", "passages, no"]
    assert found[1].reply == PassageChoice(passages=[1])


@given(st.lists(st.sampled_from([YES, NO, OTHER])), st.integers(0, 5))
def test_as_many_questions_aggregate_as_do_not_and_nothing_else_is_left_out(
    examples: list[ChatExample], seed: int
) -> None:
    kept = balanced(examples, seed)
    fewest = min(examples.count(YES), examples.count(NO))
    assert (kept.count(YES), kept.count(NO), kept.count(OTHER)) == (fewest, fewest, examples.count(OTHER))
    assert kept == balanced(examples, seed)


@pytest.mark.parametrize(("reply", "found"), [([], "no"), ([2], "yes")])
def test_rows_are_labelled_by_what_is_found_whatever_the_reason(reply: list[int], found: str) -> None:
    assert label(ChatExample("rows", PROMPT, RowChoice(reason="because", rows=reply))) == f"rows, {found}"


def test_the_command_writes_chat_lines_and_says_how_many(cli, tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "questions.jsonl", many_questions(learned=4))
    out = tmp_path / "refiner.jsonl"
    given = ("--data", write_folder(tmp_path), "--questions", questions, "--out", out)
    done = cli("train", "refiner-data", *given)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {tuple(said["role"] for said in line["messages"]) for line in lines} == {("system", "user", "assistant")}
    counted = [line.rsplit(": ", maxsplit=1) for line in done.stdout.splitlines()]
    assert sum(int(count) for _, count in counted) == len(lines) > 0
    first = out.read_bytes()
    refused = cli("train", "refiner-data", *given)
    assert (refused.exit_code, f"{out} is there already; add --force to replace it" in refused.stderr) == (2, True)
    none = cli("train", "refiner-data", *given, "--force", "--room", 1)
    assert (none.exit_code, "gives an example of 1 word pieces; name other" in none.stderr) == (2, True)
    assert out.read_bytes() == first
    assert cli("train", "refiner-data", *given, "--force").exit_code == 0
    assert out.read_bytes() == first


def test_a_file_that_cannot_be_written_is_refused_at_once(cli, tmp_path: Path) -> None:
    for out in (tmp_path, tmp_path / "none" / "refiner.jsonl"):
        done = cli("train", "refiner-data", "--data", tmp_path, "--questions", tmp_path / "q", "--out", out)
        assert (done.exit_code, "name one with --out in a folder that is there" in done.stderr) == (2, True)
