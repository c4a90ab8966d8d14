"""Conversations that a rewriter learns from: each marks words that stand there, and a training of them reads."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from agent.chat.follow_ups import TrainedStandAlone, completed
from eval.ott.training.talks import TalkLists, is_development, read_talks
from heliograph.errors import UsageError
from indexers.models.follow_ups import FollowUp

FILE = Path(__file__).resolve().parents[4] / "eval/ott/training/talks.jsonl"
TALKS = read_talks(FILE)
HIGH = {"turns": ["Who lit Holm Light?", "Ada Brandt.", "how high is it"], "base": "last", "replace": "it"}
TOLD = {
    "last": HIGH | {"with": "Holm Light"},
    "previous": {"turns": [*HIGH["turns"][:2], "and Skerry?"], "base": "previous", "replace": "Holm Light"}
    | {"with": "Skerry"},
    "none": {"turns": [*HIGH["turns"][:2], "Who rules Torvik?"], "base": "none"},
}  # fmt: skip


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_there_are_conversations_of_every_kind_and_a_part_is_held_out() -> None:
    kinds = Counter(each.kind for each in TALKS)
    assert len(TALKS) > 2_000
    assert min(kinds.values()) > 200
    assert {len(each.exchanges) for each in TALKS} == {1, 2}
    assert 0.04 < sum(map(is_development, TALKS)) / len(TALKS) < 0.13


def test_what_is_completed_says_what_was_meant_and_leaves_the_rest_of_the_question() -> None:
    for talk in TALKS:
        if talk.kind != "alone":
            told = completed(talk.question, talk.exchanges[-1][0], FollowUp(talk.kind, 1.0, talk.replaced, talk.said))
            assert talk.said.casefold() in told.casefold()
            assert told != talk.question


def test_an_epoch_is_drawn_alike_and_teaches_what_changes_the_subject() -> None:
    lists = TalkLists(TALKS)
    assert lists.epoch(1, 0) == lists.epoch(1, 0) != lists.epoch(2, 0)
    alone = [each for each in lists.epoch(1, 0) if each.kind == "alone"]
    assert len(alone) > sum(each.kind == "alone" for each in TALKS) + len(TALKS) // 10
    assert len({lists.digest, TalkLists(TALKS[1:]).digest}) == 2


@pytest.mark.parametrize(
    "line",
    [
        TOLD["last"] | {"replace": "they"},
        TOLD["last"] | {"with": "Skerry"},
        TOLD["previous"] | {"with": "Holm"},
        TOLD["last"] | {"turns": HIGH["turns"][:2]},
        TOLD["last"] | {"base": "first"},
        TOLD["none"] | {"means": "more"},
    ],
    ids=["replaced", "said", "said anew", "two turns", "base", "another key"],
)
def test_a_line_whose_words_do_not_stand_there_is_named(line: object, tmp_path: Path) -> None:
    path = write(tmp_path / "talks.jsonl", TOLD["last"], line)
    with pytest.raises(UsageError, match=re.escape(f"{path}:2")):
        read_talks(path)


@pytest.mark.models
async def test_a_training_leaves_what_reads_follow_ups(cli: Callable[..., Result], tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from indexers.models.follow_ups import FollowUpReader
    from tests.agent.test_chat_followups import turn
    from tests.indexers.models.tiny import save_tiny_bert

    lines = [
        line | {"turns": [f"{line['turns'][0]} {number}", *line["turns"][1:]]}
        for line in TOLD.values()
        for number in range(12)
    ]
    words = re.findall(r"\w+", json.dumps(lines))
    start, out = save_tiny_bert(tmp_path / "start", tuple(dict.fromkeys(words)), longest=256), tmp_path / "rewriter"
    talks = write(tmp_path / "talks.jsonl", *lines)
    done = cli("train", "rewriter", "--talks", talks, "--start", start, "--out", out, "--epochs", 2, "--batch", 4)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{out / 'model'}: completed ")
    assert "heliograph train rewriter --talks talks.jsonl" in (out / "onnx" / "README.md").read_text(encoding="utf-8")
    rewriter = TrainedStandAlone(FollowUpReader(out / "onnx"))
    assert (await rewriter.rewrite("how high is it", [turn("Who lit Holm Light?", "Ada Brandt.")])).asked
    few = cli("train", "rewriter", "--talks", write(talks, TOLD["none"]), "--start", start, "--out", tmp_path / "few")
    assert (few.exit_code, "too few conversations" in few.stderr) == (2, True)
