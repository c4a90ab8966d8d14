"""Refinement by a language model in the harness: what it says counts, and what it fails at is said."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eval.ott.evaluation import Evaluated, Evaluation, evaluate
from eval.ott.models import Models
from eval.ott.ranking import Unit
from eval.ott.recipe import Recipe
from eval.ott.results import read_results
from heliograph.config import Endpoint, Settings
from heliograph.errors import ModelUnreachable
from tests.eval.ott.lights import BY_WHOM, write_folder, write_questions
from tests.eval.ott.words import WordEncoder
from tests.servers.openai_server import Call, Replies, Status, openai_server, unused_address

QUESTION = replace(BY_WHOM, question="By whom is the tower of Skerry Head among the Lights?")
RECIPE = Recipe(scope="mini", tier="full", beam_width=0, llm="test-model")


async def evaluated(folder: Path, address: str, said: list[str]) -> Evaluated:
    questions = write_questions(folder / "questions.jsonl", (QUESTION,))
    settings = Settings(home=folder / "home", llm=Endpoint(base_url=address, model="test-model", seconds=5))
    evaluation = Evaluation(write_folder(folder), questions, out=folder / "run.jsonl")
    return await evaluate(evaluation, RECIPE, settings, said.append, Models(WordEncoder()))


async def served(folder: Path, replies: Replies, said: list[str]) -> Evaluated:
    with openai_server(replies) as server:
        found = await evaluated(folder, server.url, said)
        assert server.calls
    return found


def refuse_passages(call: Call) -> str:
    return json.dumps({"aggregation": False} if "aggregates" in str(call.schema).lower() else {"passages": []})


async def test_edges_that_the_model_refuses_follow_the_others_and_calls_are_traced(tmp_path: Path) -> None:
    found = await served(tmp_path, refuse_passages, [])
    ((result,), incomplete) = read_results(found.results), found.incomplete
    assert incomplete == 0
    assert result.ranking[0] == Unit(2)
    assert all(unit.passages for unit in result.ranking[1:])
    assert len(result.ranking) == 5
    assert (tmp_path / "run.run" / "trace.jsonl").read_bytes().count(b'"LLM"') > 0
    assert json.loads((tmp_path / "run.run" / "made_by.json").read_text())["llm"] == "test-model"


async def test_a_model_that_fails_loses_no_edge_and_the_question_is_counted(tmp_path: Path) -> None:
    said: list[str] = []
    found = await served(tmp_path, Status(500), said)
    (result,) = read_results(found.results)
    assert (found.incomplete, result.ranking[0]) == (1, Unit(1, (2,)))
    assert any(line.startswith("by: ") and "(Model" in line for line in said)


async def test_a_server_that_is_not_there_ends_the_run_before_its_first_question(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreachable):
        await evaluated(tmp_path, unused_address(), [])
    assert (tmp_path / "run.jsonl").read_bytes() == b""
