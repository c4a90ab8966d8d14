"""Choose how a reader's answers are weighed over evidence, and fit how far the chosen one is trusted.

usage: python -m bench.evidence_choice READER [--questions FILE]… [--fit] [--keep FILE]

The demo questions are asked without a reader; READER (a folder) then reads what was found. Printed are questions
that it answers in a few words, accuracy at each coverage, and the expected calibration
error over five folds; the same of the sentences that its answers stand in, which are right where they hold an expected
one, and of the values of tables. TRUST, QUOTED, TABLED and CELL are for agent/extractive: logistic regressions over
what reader and parser say; the first two leave out what asks for arithmetic or for yes or no.
`--fit` tries weights and writes the best to READER/evidence_choice.json. `--keep` keeps what was asked, so that another
reader can read it.
"""

import argparse
import asyncio
import itertools
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.extractive.asked import asks_whether
from agent.extractive.composer import trust_features
from agent.extractive.context import runs_of_answer
from agent.extractive.hops import hops_of
from agent.extractive.table_values import agree, table_value
from agent.selection import first_leaves
from app import Heliograph
from bench.reader_fit import calibration_error, logistic
from eval.accepted import normal, states
from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.runner import pieces_of_answer
from heliograph.types import Evidence, EvidenceHop, EvidenceId, ReadAnswer, Scored, TableEvidence
from indexers.models.answer_choice import (
    EVIDENCE_CHOICE_FILE,
    ChoiceWeights,
    choose,
    log_odds,
    read_choice,
    write_choice,
)
from indexers.models.evidence_reader import ANSWERS, Placed, candidates, hop_candidates, priors
from indexers.models.reader import Candidate, Reader, Reading
from indexers.models.semantic_parser import question_parser
from memory.pages import FilePageStore
from tools.arithmetic import LIKELY, TableAnswers, TableReader

FIRST = 20
NOWHERE = EvidenceId("")
"""Where an answer stands that there is none of."""
SHARES, SCORES = (0.0, 0.25, 0.5, 1.0), (0.0, 2.0, 4.0, 8.0)
SLACK = 6
"""Words that a short answer may have beside the expected ones."""
FOLDS, DECAY = 5, 1.0
COVERAGES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what was found, what a reader is given of it, and what its tables give."""

    question: GoldQuestion
    evidence: tuple[Scored[Evidence], ...]
    hops: tuple[Scored[EvidenceHop], ...]
    placed: tuple[Placed, ...]
    tabled: TableAnswers

    @property
    def is_read(self) -> bool:
        """Whether it asks for what a reader finds: for no arithmetic, and not for yes or no."""
        return self.tabled.over_rows < LIKELY and not asks_whether(self.question.question)


@dataclass(frozen=True, slots=True)
class Read(Asked):
    """A question that was read."""

    readings: tuple[Reading, ...]

    def answers(self, weights: ChoiceWeights) -> tuple[ReadAnswer, ...]:
        """Return the answers that are handed on, the most probable first."""
        chosen = choose(self.readings, priors(self.placed, weights), weights)[:ANSWERS]
        return tuple(self.placed[each.candidate].answer(each, self.readings[each.candidate]) for each in chosen)

    def said(self, weights: ChoiceWeights) -> str:
        """Return the words of the first of them."""
        return next((each.text for each in self.answers(weights)), "")


def is_right(said: str, question: GoldQuestion) -> bool:
    """Tell whether a short answer is an expected one, or says it among few other words."""
    words = normal(said).split()
    for expected in map(normal, question.expected):
        count = len(expected.split())
        if f" {expected} " in f" {' '.join(words)} " and len(words) <= count + SLACK:
            return True
        if words and f" {' '.join(words)} " in f" {expected} " and 2 * len(words) >= count:
            return True
    return False


async def ask_all(heliograph: Heliograph, questions: Sequence[GoldQuestion]) -> list[Asked]:
    """Ask every question."""
    store = FilePageStore(heliograph.settings.home / "pages", heliograph.settings.store_bytes)
    tables = TableReader(question_parser(heliograph.settings.table_parser))
    found = []
    for number, question in enumerate(questions, start=1):
        answer = await heliograph.ask(question.question)
        pieces = pieces_of_answer(answer, store)
        evidence = tuple(Scored(pieces[seen.evidence], seen.score) for seen in answer.evidence)
        leaves = first_leaves(evidence, heliograph.settings.leaf_k)
        every = [each.item for each in leaves if isinstance(each.item, TableEvidence)]
        tabled = await tables.answers(question.question, every, {each.item.id: each.score for each in leaves})
        hops = hops_of(question.question, evidence)
        placed = (*hop_candidates(hops), *itertools.islice(candidates(evidence), FIRST))
        found.append(Asked(question, evidence, hops, placed, tabled))
        if number % 20 == 0:
            print(f"asked {number}/{len(questions)}", flush=True)
    return found


def given(asked: Asked) -> list[Candidate]:
    """Return the candidates that a reader is given."""
    return [each.candidate for each in asked.placed]


def right_answers(read: Sequence[Read], weights: ChoiceWeights) -> int:
    """Return how many questions that can be answered are answered in a few words."""
    return sum(is_right(each.said(weights), each.question) for each in read)


def fitted(read: Sequence[Read], model: str) -> ChoiceWeights:
    """Return the weights by which most answers are right."""
    tried = (
        ChoiceWeights(share=share, first=FIRST, model=model, score=score)
        for share, score in itertools.product(SHARES, SCORES)
    )
    return max(tried, key=lambda each: right_answers(read, each))


def of_answers(read: Sequence[Read], weights: ChoiceWeights, *, quoted: bool) -> tuple[Floats, Floats]:
    """Return of each question 1 and the features of its first answer, and whether that, or its sentence, is right."""
    rows, right = [], []
    for each in read:
        first = next(iter(each.answers(weights)), ReadAnswer("", 0.0, NOWHERE, none=1.0))
        runs = runs_of_answer(first, each.evidence, frozenset(), each.hops) if first.text else ()
        rows.append((1.0, *trust_features(first)))
        sentence = " ".join(run.quote for run in runs)
        right.append(float(states(sentence, each.question.expected) if quoted else is_right(first.text, each.question)))
    return np.array(rows), np.array(right)


def of_values(read: Sequence[Read], weights: ChoiceWeights, *, cells: bool) -> tuple[Floats, Floats]:
    """Return of each value of a table 1 and the features of TABLED, or of CELL; and whether it is right."""
    rows, right = [], []
    for each in read:
        for computed in each.tabled.results[:1]:
            value = table_value(computed, each.tabled, whether=asks_whether(each.question.question))
            if value and value.is_cell is cells:
                odds, said = log_odds(computed.confidence), float(agree([computed], each.answers(weights)[:1]))
                rows.append((1.0, odds, said) if cells else (1.0, odds))
                right.append(float(states(computed.sentence, each.question.expected)))
    return np.array(rows), np.array(right)


def trust(rows: Floats, right: Floats) -> Floats:
    """Return the weights by which the features of an answer say how often one like it is right."""
    return logistic(rows, right, np.zeros(rows.shape[1]), DECAY)


def told_apart(rows: Floats, right: Floats) -> Floats:
    """Return the trust in each answer, fitted on the other folds."""
    fold, sure = np.arange(len(right)) % FOLDS, np.zeros(len(right))
    for number in range(FOLDS):
        own = fold == number
        sure[own] = 1 / (1 + np.exp(-rows[own] @ trust(rows[~own], right[~own])))
    return sure


def report(read: Sequence[Read], weights: ChoiceWeights) -> None:
    """Print the figures."""
    values = of_values(read, weights, cells=False), of_values(read, weights, cells=True)
    read = [each for each in read if each.is_read]
    answerable = [each for each in read if each.question.answerable]
    said = right_answers(answerable, weights)
    print(f"{len(read)} questions, {len(answerable)} answerable, {said} of them answered rightly in a few words")
    for name, (rows, right) in (
        ("TRUST", of_answers(read, weights, quoted=False)),
        ("QUOTED", of_answers(read, weights, quoted=True)),
        ("TABLED", values[0]),
        ("CELL", values[1]),
    ):
        sure = told_apart(rows, right)
        order = np.argsort(-sure)
        for share in COVERAGES:
            first = order[: int(share * len(order))]
            told = f"{name} from {sure[first].min():.2f}: {100 * right[first].mean():.0f} % right"
            print(f"coverage {100 * share:.0f} %, {told}")
        error = calibration_error(sure.tolist(), right.tolist())
        print(f"{name} = {tuple(trust(rows, right).round(2).tolist())}, expected calibration error {error:.3f}")
    print(f"weights {weights}")


def main() -> None:
    """Print the figures, and write the weights with --fit."""
    ask = argparse.ArgumentParser()
    ask.add_argument("reader", type=Path)
    ask.add_argument("--questions", type=Path, action="append")
    ask.add_argument("--fit", action="store_true")
    ask.add_argument("--keep", type=Path)
    args = ask.parse_args()
    reader = Reader(args.reader)
    files = args.questions or [
        *sorted(Path("demo").glob("questions*.jsonl")),
        *sorted(Path("demo/development").glob("[01]*.jsonl")),
    ]
    if args.keep and args.keep.exists():
        asked: list[Asked] = pickle.loads(args.keep.read_bytes())
    else:
        questions = [question for path in files for question in read_gold(path)]
        asked = asyncio.run(ask_all(Heliograph("demo", reader="none"), questions))
    if args.keep:
        args.keep.write_bytes(pickle.dumps(asked))
    read = [
        Read(
            each.question,
            each.evidence,
            each.hops,
            each.placed,
            each.tabled,
            reader.read(each.question.question, given(each)),
        )
        for each in asked
    ]
    weights = fitted(read, reader.name) if args.fit else read_choice(args.reader / EVIDENCE_CHOICE_FILE, reader.name)
    if args.fit:
        write_choice(args.reader / EVIDENCE_CHOICE_FILE, weights)
    report(read, weights)


if __name__ == "__main__":
    main()
