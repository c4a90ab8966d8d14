"""Rewrite the last question of every conversation without a language model, beside what the file says it means.

usage: python -m bench.conversations [--conversations FILE] [--reader FOLDER] [--wrong] [--alone FILE]…

The conversation is led as `heliograph chat` leads it: each question goes through `agent.chat.understanding.understand`
with the turns before it, and a turn has the question as typed and as it was understood. The answers are those of the
file, not the product's; they cite nothing, and none of them is an abstention. A rewriting

- *holds* if it has every phrase of `must`, whole words without case, and none of `must_not`: the file's own bar;
- is *strict* if it holds, has every content word of `means` (by stem), and no content word that neither `means` nor
  the last question has; a question that stands alone has to come back as it was typed, letter by letter.

`holds` decides; what holds and is not strict is to be read by eye, and so is what does neither. `--wrong` prints only
these. With `--alone` every question of a file, each asked without a conversation, is put behind the first turn of one
conversation after the other; what does not come back as it was is printed and counted.
"""

import argparse
import asyncio
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from agent.chat.follow_ups import TrainedStandAlone
from agent.chat.understanding import StandAlone, Understanding, understand
from agent.question import valid_question
from heliograph.text.words import content_stems, words
from indexers.models.follow_ups import follow_up_reader
from memory.conversations import Turn

Score = Literal["strict", "holds", "wrong"]


class Conversation(BaseModel):
    """Questions and answers in turn, the last question without one, and what that question means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: tuple[str, ...]
    kind: str
    means: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A conversation, its last question as it was understood, and how that compares with what it means."""

    conversation: Conversation
    asked: str
    score: Score


def read_conversations(path: Path) -> tuple[Conversation, ...]:
    """Return the conversations of a file, one a line."""
    return tuple(map(Conversation.model_validate_json, path.read_text(encoding="utf8").splitlines()))


async def rewritten(conversation: Conversation, rewriter: StandAlone) -> Rewriting:
    """Lead a conversation up to its last question, and score what becomes of that."""
    *before, last = conversation.turns
    turns: list[Turn] = []
    for number, (typed, answer) in enumerate(zip(before[::2], before[1::2], strict=True), start=1):
        asked = await _understood(typed, turns, rewriter)
        turns.append(Turn(number, typed, asked, f"run-{number}", answer, abstained=False))
    asked = await _understood(last, turns, rewriter)
    return Rewriting(conversation, asked, scored(asked, conversation))


async def _understood(typed: str, turns: list[Turn], rewriter: StandAlone) -> str:
    return (await understand(valid_question(typed), turns, rewriter)).asked


def scored(asked: str, conversation: Conversation) -> Score:
    """Compare a rewriting with what the question means."""
    typed = conversation.turns[-1]
    if conversation.kind == "alone":
        return "strict" if asked == typed else "wrong"
    if not all(_says(asked, each) for each in conversation.must):
        return "wrong"
    if any(_says(asked, each) for each in conversation.must_not):
        return "wrong"
    said, meant = set(content_stems(asked)), set(content_stems(conversation.means))
    foreign = said - meant - set(content_stems(typed))
    return "strict" if meant <= said and not foreign else "holds"


def _says(text: str, phrase: str) -> bool:
    return f" {_plain(phrase)} " in f" {_plain(text)} "


def _plain(text: str) -> str:
    return " ".join(word.casefold() for word in words(re.sub(r"['’]s\b", "", text.replace("-", " "))))


def _told(rewriting: Rewriting) -> Iterator[str]:
    conversation = rewriting.conversation
    yield f"{rewriting.score:6}  {conversation.kind:10}  {' | '.join(conversation.turns)}"
    yield f"{'':8}asked  {rewriting.asked}"
    yield f"{'':8}means  {conversation.means}"


async def measure(path: Path, rewriter: StandAlone) -> tuple[Rewriting, ...]:
    """Return the rewritings of a file's conversations, in its order."""
    return tuple([await rewritten(conversation, rewriter) for conversation in read_conversations(path)])


async def mixed(questions: Path, conversations: Sequence[Conversation], rewriter: StandAlone) -> None:
    """Print the questions of a file that do not pass unchanged behind the first turn of a conversation."""
    asked = [json.loads(line)["question"] for line in questions.read_text(encoding="utf8").splitlines()]
    changed = 0
    for question, conversation in zip(asked, itertools.cycle(conversations), strict=False):
        first = Turn(1, conversation.turns[0], conversation.turns[0], "run-1", conversation.turns[1], abstained=False)
        understood = await understand(question, [first], rewriter)
        if understood != Understanding(question):
            changed += 1
            print(f"{first.asked} | {question}\n{'':8}asked  {understood.asked}  {understood.open_words}")
    print(f"{questions}: {changed} of {len(asked)} do not pass unchanged")


def main() -> None:
    """Print every rewriting, then the figures by kind."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--conversations", type=Path, default=Path("demo/conversations/development.jsonl"))
    ask.add_argument("--reader", default="")
    ask.add_argument("--wrong", action="store_true")
    ask.add_argument("--alone", type=Path, action="append", default=[])
    args = ask.parse_args()
    rewriter = TrainedStandAlone(follow_up_reader(args.reader))
    for questions in args.alone:
        asyncio.run(mixed(questions, read_conversations(args.conversations), rewriter))
    if args.alone:
        return
    found = asyncio.run(measure(args.conversations, rewriter))
    for rewriting in found:
        if not args.wrong or rewriting.score != "strict":
            print("\n".join(_told(rewriting)))
    counted = Counter((each.conversation.kind, each.score) for each in found)
    for kind in dict.fromkeys(each.conversation.kind for each in found):
        strict, holds = counted[kind, "strict"], counted[kind, "holds"]
        print(f"{kind:10}  {strict + holds:2} of {strict + holds + counted[kind, 'wrong']:2} hold, {strict:2} strict")
    scores = Counter(each.score for each in found)
    right = scores["strict"] + scores["holds"]
    print(f"all         {right} of {len(found)} hold ({100 * right / len(found):.1f} %), {scores['strict']} strict")


if __name__ == "__main__":
    main()
