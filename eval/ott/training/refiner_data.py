"""Chat examples for a language model that refines stars: labels come from gold, no model writes them (appendix B.4)."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.kept_postings import kept_postings
from eval.ott.models import table_reader
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus
from eval.ott.training.edge_lists import DEVELOPMENT, Retrieved, decontextualised, retrieved, told_questions
from heliograph.errors import UsageError
from heliograph.types import Subgraph
from indexers.models.word_pieces import word_piece_ends
from memory.trace.disk import write_lines
from tools.refinement.examples import ChatExample, GoldQuestion, chat_examples
from tools.refinement.framing import PromptRoom
from tools.refinement.replies import Aggregates
from tools.zim import refuse_present


@dataclass(frozen=True, slots=True)
class RefinerData:
    """A file of examples as the command line asks for it.

    `room` is how many word pieces a prompt may have; `force` replaces a file that is there.
    """

    data: Path
    questions: Path
    out: Path
    home: Path
    room: int
    held_out: int = 0
    seed: int = 0
    force: bool = False
    say: Callable[[str], None] = field(default=lambda _: None)


def write_refiner_data(asked: RefinerData) -> Counter[str]:
    """Write the examples of the questions that are learned from; return how many there are of each label.

    Raises:
        UsageError: data or questions cannot be used, no question gives an example, or `out` is a folder,
            stands in none or is there already.
        StoreFull | StoreError: the file cannot be written.
    """
    if asked.out.is_dir() or not asked.out.parent.is_dir():
        raise UsageError(f"{asked.out} cannot be a file; name one with --out in a folder that is there")
    refuse_present(asked.out, asked.force)
    questions = told_questions(asked.questions, asked.held_out)
    asked.say("reading the corpus")
    corpus = read_corpus(asked.data, "full")
    bm25 = kept_postings(corpus, asked.home / "postings" / digest_of_corpus(corpus), asked.say).over(corpus)
    learned = retrieved(questions[DEVELOPMENT + asked.held_out :], corpus, bm25, asked.say)
    ends = word_piece_ends()
    room = PromptRoom(asked.room, lambda text: len(ends(text)))
    examples = balanced(refiner_examples(learned, corpus, room), asked.seed)
    if not examples:
        raise UsageError(
            f"no question of {asked.questions} gives an example of {asked.room} word pieces; "
            "name other questions, or give more --room"
        )
    write_lines(asked.out, (f"{example.line()}\n" for example in examples), "name another file with --out")
    return Counter(map(label, examples))


def refiner_examples(questions: Sequence[Retrieved], corpus: OttCorpus, room: PromptRoom) -> tuple[ChatExample, ...]:
    """Return the examples of questions over the edges that BM25 finds for them."""
    data = OttGraph(corpus)
    reader = table_reader()

    async def every() -> tuple[ChatExample, ...]:
        given = (gold_question(asked, corpus, data) for asked in questions)
        return tuple([example for each in given for example in await chat_examples(each, data, room, reader)])

    return asyncio.run(every())


def gold_question(asked: Retrieved, corpus: OttCorpus, data: OttGraph) -> GoldQuestion:
    """Return a question as it is asked of all tables, with its candidates in BM25's order."""
    edges = tuple(data.edge(*edge, 1 / place) for place, edge in enumerate(asked.edges, start=1))
    pairs = (*sorted(asked.gold.edges), *((row, NO_PASSAGE) for row in sorted(asked.gold.rows)))
    gold = (data.edge(*pair) for pair in pairs)
    question = decontextualised(asked.question, corpus, section=True)
    return GoldQuestion(question, Subgraph(edges), frozenset((edge.segment, edge.passage) for edge in gold))


def balanced(examples: Sequence[ChatExample], seed: int) -> tuple[ChatExample, ...]:
    """Leave out detection examples of the commoner answer at random, until both answers are as many."""
    answers = [
        [at for at, example in enumerate(examples) if example.reply == Aggregates(aggregation=yes)]
        for yes in (True, False)
    ]
    draw, fewest = random.Random(seed), min(map(len, answers))
    kept = {at for each in answers for at in draw.sample(each, fewest)}
    return tuple(example for at, example in enumerate(examples) if example.task != "detection" or at in kept)


def label(example: ChatExample) -> str:
    """Say what an example teaches: its task, and whether the reply is yes or finds something."""
    found = any(bool(value) for name, value in example.reply if name != "reason")
    return f"{example.task}, {'yes' if found else 'no'}"
