"""Every question is asked once, whatever happens in between."""

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.ranking import Unit
from eval.ott.results import QuestionResult, read_results
from eval.ott.results_log import open_log
from eval.ott.runner import run
from eval.ott.scoring import Scorer
from tests.eval.ott.lights import BY_WHOM, WHEN
from tests.eval.ott.slowly import QUESTIONS, Slow

ROOT = Path(__file__).parents[3]


async def ran(path: Path, corpus: OttCorpus, retriever: Slow, said: list[str], questions=QUESTIONS) -> int:
    with ExitStack() as stack:
        return await run(questions, retriever, Scorer(corpus), open_log(path, "slow", {}, stack), said.append)


async def test_each_question_gets_its_ranking_measures_and_seconds(corpus: OttCorpus, tmp_path: Path) -> None:
    path, said = tmp_path / "run.jsonl", list[str]()
    assert await ran(path, corpus, Slow(), said, (BY_WHOM, WHEN)) == 0
    ranking, scorer = (Unit(1, (2,)),), Scorer(corpus)
    assert read_results(path) == tuple(
        QuestionResult(each.id, ranking, scorer.retrieval(each, ranking), {"retrieve": 0.0}) for each in (BY_WHOM, WHEN)
    )
    assert [line.partition(",")[0] for line in said] == ["questions: 2 of 2"]


async def test_what_has_a_result_is_not_asked_again(corpus: OttCorpus, tmp_path: Path) -> None:
    path, said, retriever = tmp_path / "run.jsonl", list[str](), Slow()
    await ran(path, corpus, retriever, [], QUESTIONS[:3])
    await ran(path, corpus, retriever, said, QUESTIONS[:5])
    assert retriever.asked == [question.question for question in QUESTIONS[:5]]
    assert said[0] == "3 of 5 questions have their results already"


async def test_what_was_not_done_is_said_and_counted(corpus: OttCorpus, tmp_path: Path) -> None:
    said: list[str] = []
    assert await ran(tmp_path / "run.jsonl", corpus, Slow(notes=("no model",)), said, QUESTIONS[:2]) == 2
    assert said[:2] == ["q0: no model", "q1: no model"]


async def test_a_run_that_was_killed_goes_on_where_it_was(corpus: OttCorpus, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "tests.eval.ott.slowly", str(tmp_path), str(path)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        while process.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < 5):
            time.sleep(0.005)
        process.kill()
    before = path.read_bytes().count(b"\n")
    assert 5 <= before < len(QUESTIONS)
    retriever = Slow()
    await ran(path, corpus, retriever, [])
    assert retriever.asked == [question.question for question in QUESTIONS[before:]]
    assert [result.id for result in read_results(path)] == [question.id for question in QUESTIONS]
