"""`heliograph eval stark collect`: queries without names, answers confirmed by hand, nothing lost on the way."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app import main
from eval.stark.people.collecting import QUIT, CollectionSession, open_collection, query_id
from eval.stark.queries import StarkQuery, read_queries
from heliograph.errors import UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase

Cli = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[4]
DARK = "a body of two faces"
TITAN, RHEA, IAPETUS = range(3)


async def collect(
    base: BuiltKnowledgeBase, out: Path, *lines: str, sampled: Sequence[int] = (IAPETUS, TITAN), filtering: bool = True
) -> list[str]:
    """Write lines at the prompts, and return what was shown before each."""
    shown, left = list[str](), list(lines)

    def ask(text: str) -> str:
        shown.append(text)
        return left.pop(0) if left else QUIT

    async def propose(_query: str, _type: str) -> Sequence[int]:
        return (RHEA, IAPETUS)

    with ExitStack() as stack:
        session = CollectionSession(base, open_collection(out, base, stack), ask, propose, filtering, shown.append)
        await session.run(sampled)
    assert left == []
    return shown


async def answer(base: BuiltKnowledgeBase, out: Path, *more: str) -> list[str]:
    """Say of two candidates, whose order is one of chance, whether they are Iapetus."""
    shown = await collect(base, out)
    first = "y" if "1 of 2: Iapetus (moon, iapetus)" in shown[0] else "n"
    return await collect(base, out, first, "n" if first == "y" else "y", *more)


async def test_a_query_is_kept_with_the_answers_that_were_confirmed(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    shown = await collect(moons, out, DARK)
    assert "One half is dark." in shown[0] and "Giovanni Cassini -discovered-> Iapetus" in shown[0]
    assert read_queries(out) == ()
    shown = await answer(moons, out, "Mars", "huygens", "titan", "", "/skip")
    assert read_queries(out) == (StarkQuery(query_id(DARK), DARK, ("iapetus", "titan"), "human", answer_type="moon"),)
    told = "\n".join(shown)
    assert "no entity has the id or the name 'Mars'" in told
    assert "Christiaan Huygens is of the type person, which may not answer in this base" in told
    assert await collect(moons, out) == []  # both entities have had their turn


async def test_a_query_that_says_the_name_is_refused(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    lines = ("Is Saturn VI large?", "", "/skpi", "bad\x1b[A", "a lake", "a  lake")
    shown = await collect(moons, tmp_path / "q.jsonl", *lines, sampled=(TITAN, RHEA), filtering=False)
    faults = [text.partition("\n")[0] for text in shown[1:5]]
    assert faults == [
        "Refused: the query says 'Saturn VI', which names the answer; describe it otherwise",
        "The query is empty",
        "'/skpi' is no query",
        "The query has characters that are no text",
    ]
    assert shown[6].startswith("This query is there already")


async def test_drafts_wait_for_somebody_to_filter_them(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    await collect(moons, out, DARK, "lakes", filtering=False)
    shown = await collect(moons, out, "x", "/document", "/show Cassini", "/show huygens", "/again", "/skip")
    assert shown[1].startswith("'x' is neither y nor n")
    assert shown[3].startswith("no entity has the id or the name 'Cassini'") and "maker of lenses" in shown[4]
    assert shown[-1].startswith("lakes")
    with ExitStack() as stack:
        assert open_collection(out, moons, stack).pending == {"titan": "lakes"}


async def test_it_is_said_that_a_query_does_not_fit_its_own_entity(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    shown = await collect(moons, tmp_path / "q.jsonl", DARK, "n", "n", "titan", "", sampled=(IAPETUS,))
    assert shown[-1] == "kept, answers: 1, without Iapetus, which it was written about"


async def test_a_query_that_nothing_answers_is_dropped(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    shown = await collect(moons, out, DARK, "n", "n", "", sampled=(IAPETUS,))
    assert shown[-1].startswith("nothing answers it")
    assert (read_queries(out), await collect(moons, out, sampled=(IAPETUS,))) == ((), [])


async def test_drafts_of_another_base_are_left_alone(
    moons: BuiltKnowledgeBase, base: BuiltKnowledgeBase, tmp_path: Path
) -> None:
    await collect(moons, tmp_path / "q.jsonl", "/skip")
    with pytest.raises(UsageError, match="drafts about another knowledge base"):
        await collect(base, tmp_path / "q.jsonl")


def test_answers_are_filtered_where_candidates_are_found(cli: Cli, moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    given = ("--skb", moons.folder, "--out", tmp_path / "q.jsonl", "--count", 1, "--system", "bm25")
    command = [str(each) for each in ("eval", "stark", "collect", *given)]
    done = CliRunner().invoke(main, command, input="the one with craters or lakes or a half\ny\ny\ny\n\n")
    assert done.exit_code == 0, done.stderr
    assert "kept, answers: 3\n" in done.stderr and done.stderr.endswith("q.jsonl: queries: 1\n")
    assert "no system 'none'" in cli(*command[:-1], "none").stderr


def test_ctrl_c_keeps_what_was_written(moons: BuiltKnowledgeBase, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "eval", "stark", "collect", "--later", "--skb", str(moons.folder)]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "q.jsonl")],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as collecting:
        assert collecting.stdin is not None and collecting.stdout is not None
        collecting.stdin.write("the one that I mean\n")
        collecting.stdin.flush()
        next(line for line in collecting.stdout if line.startswith("2 of 3"))
        next(line for line in collecting.stdout if line.startswith("/skip"))
        collecting.send_signal(signal.SIGINT)
        _, told = collecting.communicate(timeout=60)
    assert collecting.returncode == 130
    assert "heliograph: interrupted; give the same command again: what was written is kept" in told
    assert "the one that I mean" in (tmp_path / "q.run" / "drafts.jsonl").read_text()
