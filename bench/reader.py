"""EM and F1 of a reader over the edges of a ranking, and over the gold edge.

usage: python -m bench.reader MODEL --data OTT --questions FILE --rankings RESULTS [--titled] [--first N] [--k K]
       [--fit]

MODEL holds model.onnx, tokenizer.json and, unless `--fit` makes it, choice.json. RESULTS are of `heliograph eval ott`.
`--titled` names the table in a question, as HybridQA's need it. `--fit` tries weights of the choice on these questions,
which must be none that are reported on, and writes the best. The oracle is right where the best span of some edge is.
"""

import argparse
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.measures import exact_match, f1
from eval.ott.nodes import edge_candidate
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import Unit, edges_in
from eval.ott.reading import read_corpus
from eval.ott.results import read_results
from eval.ott.training.edge_lists import DEVELOPMENT, Edge, decontextualised
from indexers.models.answer_choice import CHOICE_FILE, ChoiceWeights, choose, rank_priors, read_choice, write_choice
from indexers.models.reader import Reader, Reading

DEPTHS = (1, 2, 3, 5, 10, 20)
SHARES, PRIORS = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0, 1.5, 2.0)
"""Weights that are tried; only their relation to that of `within` counts, which is 1."""
EXPERIMENT = (
    "a first experiment, tier light's edges, int8: 20 edges EM 25.3, F1 31.6; gold edge EM 39.3, F1 47.9; oracle 44.0"
)


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: over the first edges of its ranking, and over the best ranked gold edge."""

    answer: str
    readings: tuple[Reading, ...]
    gold: tuple[Reading, ...]

    def says(self, weights: ChoiceWeights, first: int) -> str:
        """Return the answer that is chosen among the first edges."""
        readings = again_compared(self.readings[:first])
        chosen = choose(readings, rank_priors(len(readings)), weights)
        return chosen[0].text if chosen else ""


def again_compared(readings: Sequence[Reading]) -> list[Reading]:
    """Normalise the shares of some readings among themselves. Differences between them stay, and these choose."""
    most = max((reading.share for reading in readings), default=0.0)
    return [replace(reading, share=reading.share - most) for reading in readings]


def read_all(
    reader: Reader, corpus: OttCorpus, questions: Sequence[OttQuestion], rankings: dict[str, list[Edge]], titled: bool
) -> list[Read]:
    """Read the edges of every question, and its gold edge."""
    found, began = [], time.process_time()
    for number, question in enumerate(questions, start=1):
        need = decontextualised(question, corpus, section=True) if titled else question.question
        ranked = rankings.get(question.id, [])
        gold = gold_edge_of(question, corpus, ranked)
        edges, alone = ([edge_candidate(corpus, *edge) for edge in part] for part in (ranked, gold))
        found.append(Read(question.answer, reader.read(need, edges), reader.read(need, alone)))
        if number % 50 == 0:
            spent = (time.process_time() - began) / number
            print(f"read {number}/{len(questions)}, {spent:.2f} CPU s a question", flush=True)
    return found


def gold_edge_of(question: OttQuestion, corpus: OttCorpus, ranked: Sequence[Edge]) -> list[Edge]:
    """Return the gold edge that is ranked best, or the first where none is ranked."""
    gold = gold_of(question, corpus)
    edges = [(row, passage) for row, passage in corpus.edges_of(gold.table) if gold.holds(Unit.edge(row, passage))]
    places = {edge: place for place, edge in enumerate(ranked)}
    return sorted(edges, key=lambda edge: places.get(edge, len(places)))[:1]


def scores(read: Sequence[Read], weights: ChoiceWeights, first: int) -> tuple[float, float]:
    """Return EM and F1 of the chosen answers, in percent."""
    said = [(each.says(weights, first), each.answer) for each in read]
    return 100 * fmean(exact_match(*pair) for pair in said), 100 * fmean(f1(*pair) for pair in said)


def oracle(read: Sequence[Read], first: int) -> float:
    """Return for how many questions the best span of some edge is right, in percent."""
    return 100 * fmean(
        any(exact_match(reading.answers[0].text, each.answer) for reading in each.readings[:first] if reading.answers)
        for each in read
    )


def on_gold(read: Sequence[Read]) -> tuple[float, float]:
    """Return EM and F1 over the gold edge alone, in percent."""
    said = [(each.gold[0].answers[0].text if each.gold else "", each.answer) for each in read]
    return 100 * fmean(exact_match(*pair) for pair in said), 100 * fmean(f1(*pair) for pair in said)


def fitted(read: Sequence[Read], model: str, first: int) -> ChoiceWeights:
    """Return the weights whose EM and F1 together are highest."""
    tried = [ChoiceWeights(1.0, share, prior, first, model) for share, prior in itertools.product(SHARES, PRIORS)]
    return max(tried, key=lambda weights: sum(scores(read, weights, first)))


def main() -> None:
    """Print the figures."""
    ask = argparse.ArgumentParser()
    ask.add_argument("model", type=Path)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--questions", type=Path, required=True)
    ask.add_argument("--rankings", type=Path, required=True)
    ask.add_argument("--titled", action="store_true")
    ask.add_argument("--first", type=int, default=DEVELOPMENT)
    ask.add_argument("--k", type=int, default=20)
    ask.add_argument("--fit", action="store_true")
    args = ask.parse_args()
    reader, corpus = Reader(args.model), read_corpus(args.data, "full")
    rankings = {result.id: edges_in(result.ranking[: args.k]) for result in read_results(args.rankings)}
    read = read_all(reader, corpus, read_questions(args.questions, args.first), rankings, args.titled)
    if args.fit:
        write_choice(args.model / CHOICE_FILE, fitted(read, reader.name, args.k))
    weights = read_choice(args.model / CHOICE_FILE, reader.name)
    print(f"{len(read)} questions, {weights}\ngold edge: EM {on_gold(read)[0]:.1f}, F1 {on_gold(read)[1]:.1f}")
    for depth in (depth for depth in DEPTHS if depth <= args.k):
        exact, shared = scores(read, weights, depth)
        print(f"first {depth:2}: EM {exact:.1f}, F1 {shared:.1f}, oracle {oracle(read, depth):.1f}")
    print(EXPERIMENT)


if __name__ == "__main__":
    main()
