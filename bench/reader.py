"""EM and F1 of a reader over the edges of a ranking, and over the gold edge, and how well it knows when it is right.

usage: python -m bench.reader MODEL --data OTT --questions FILE --rankings RESULTS [--titled] [--first N] [--k K]
       [--keep FILE] [--room TOKENS] [--note] [--fit [--prior rank|score]]

MODEL holds model.onnx, tokenizer.json and, unless `--fit` makes it, choice.json. RESULTS are of `heliograph eval ott`
over edges, whose `--reader trained` answers by the same code.
`--titled` names the table in a question, as HybridQA's need it. `--fit` tries weights and rules of the choice on these
questions, which must be none that are reported on, and writes the best and what they make of a probability; figures of
it are those of one half with the weights of the other, too. `--prior score` takes the scores of RESULTS in place of
their order. With `--keep` everything is read once. `--note` and `--fit` put what is printed into MODEL's card, if it
has one. The oracle is right where the best span of some edge is.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from bench.reader_fit import (
    Outcome,
    Read,
    calibrated,
    calibration_error,
    coverage,
    crossed,
    fitted,
    keep,
    kept,
    kept_under,
)
from eval.ott.corpus import OttCorpus
from eval.ott.judging import Gold, gold_of
from eval.ott.measures import exact_match, f1
from eval.ott.models import CandidateReader
from eval.ott.nodes import candidates_of
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import Ranking, Unit
from eval.ott.readers import chosen_among
from eval.ott.reading import read_corpus
from eval.ott.results import QuestionResult, read_results
from eval.ott.training.edge_lists import DEVELOPMENT, decontextualised
from heliograph.errors import UsageError
from indexers.models.answer_choice import CHOICE_FILE, ChoiceWeights, read_choice, write_choice
from indexers.models.onnx import MAX_TOKENS
from indexers.models.reader import Reader
from indexers.models.training.card import CARD, note

DEPTHS = (1, 2, 3, 5, 10, 20)
UNRANKED = QuestionResult("", (), {}, {})
EXPERIMENT = (
    "a first experiment, tier light's edges, int8: 20 edges EM 25.3, F1 31.6; gold edge EM 39.3, F1 47.9; oracle 44.0"
)


def cut(result: QuestionResult, k: int) -> QuestionResult:
    """Return the first units of a result, with their scores."""
    return replace(result, ranking=result.ranking[:k], scores=result.scores[:k])


def answer_of(read: Read, weights: ChoiceWeights, first: int) -> Outcome:
    """Return the answer that is chosen among the first edges, and whether it is right."""
    chosen = chosen_among(read.readings[:first], read.scores[:first], weights)
    if not chosen:
        return Outcome("", 0.0, 0.0, 0.0, 0.0, 0.0)
    best = chosen[0]
    exact, shared = (measure(best.text, read.answer) for measure in (exact_match, f1))
    return Outcome(best.text, exact, shared, best.probability, best.confidence, read.readings[best.candidate].none)


def read_all(
    reader: CandidateReader,
    corpus: OttCorpus,
    questions: Sequence[OttQuestion],
    results: Mapping[str, QuestionResult],
    titled: bool,
) -> Iterator[Read]:
    """Read the edges of every question, and its gold edge; the time is that of the former."""
    spent = 0.0
    for number, question in enumerate(questions, start=1):
        need = decontextualised(question, corpus, section=True) if titled else question.question
        found, gold = results.get(question.id, UNRANKED), gold_of(question, corpus)
        edges, alone = (candidates_of(corpus, part) for part in (found.ranking, gold_edge(gold, corpus, found.ranking)))
        began = time.process_time()
        readings = reader.read(need, edges)
        spent += time.process_time() - began
        holds = tuple(map(gold.holds, found.ranking))
        yield Read(question.answer, readings, reader.read(need, alone), holds, found.scores)
        if number % 50 == 0:
            print(f"read {number}/{len(questions)}, {spent / number:.2f} CPU s a question", flush=True)


def gold_edge(gold: Gold, corpus: OttCorpus, ranked: Ranking) -> Ranking:
    """Return the gold edge that is ranked best, or the first where none is ranked."""
    edges = filter(gold.holds, (Unit.edge(*edge) for edge in corpus.edges_of(gold.table)))
    places = {unit: place for place, unit in enumerate(ranked)}
    return tuple(sorted(edges, key=lambda edge: places.get(edge, len(places)))[:1])


def scores(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """Return EM and F1 of chosen answers, in percent."""
    return 100 * fmean(each.exact for each in outcomes), 100 * fmean(each.shared for each in outcomes)


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


def figures(read: Sequence[Read], weights: ChoiceWeights, k: int) -> Iterator[str]:
    """Yield a line for the gold edge and for each depth, and how probabilities fit what was right."""
    exact, shared = on_gold(read)
    yield f"gold edge: EM {exact:.1f}, F1 {shared:.1f}"
    for depth in (depth for depth in DEPTHS if depth <= k):
        exact, shared = scores([answer_of(each, weights, depth) for each in read])
        yield f"first {depth:2}: EM {exact:.1f}, F1 {shared:.1f}, oracle {oracle(read, depth):.1f}"
    outcomes = [answer_of(each, weights, k) for each in read]
    right = [each.exact for each in outcomes]
    for name, sure in (("probability", [each.probability for each in outcomes]), ("confidence", confidences(outcomes))):
        at = ", ".join(f"{100 * share:.0f} % {100 * accuracy:.1f}" for share, accuracy in coverage(sure, right))
        yield f"{name}: calibration error {calibration_error(sure, right):.3f}; EM of the surest {at}"


def confidences(outcomes: Sequence[Outcome]) -> list[float]:
    """Return how sure each answer is."""
    return [each.confidence for each in outcomes]


def fit(read: Sequence[Read], weights: ChoiceWeights, path: Path) -> None:
    """Write the weights that do best, and print what they do on questions that they were not fitted to."""

    def whole(some: Sequence[Read]) -> ChoiceWeights:
        found = fitted(some, weights)
        return calibrated([answer_of(each, found, weights.first) for each in some], found)

    write_choice(path, whole(read))
    again = crossed(read, whole, lambda each, found: answer_of(each, found, weights.first))
    exact, shared = scores(again)
    error = calibration_error(confidences(again), [each.exact for each in again])
    print(f"each half with the weights of the other: EM {exact:.1f}, F1 {shared:.1f}, calibration error {error:.3f}")


def main() -> None:
    """Print the figures."""
    args = arguments()
    reader = Reader(args.model, threads=1, room=args.room)
    results = {result.id: cut(result, args.k) for result in read_results(args.rankings)}
    if args.prior == "score" and not all(each.scores for each in results.values()):
        raise UsageError(f"{args.rankings} has no scores; leave --prior score out")
    asked = f"{reader.name} {args.room} {args.k} {args.titled} {args.first}"
    under = kept_under(asked, (args.questions, args.rankings))
    read = kept(args.keep, under) if args.keep else None
    if read is None:
        questions = read_questions(args.questions)[: args.first]
        read = list(read_all(reader, read_corpus(args.data, "full"), questions, results, args.titled))
        if args.keep:
            keep(args.keep, under, read)
    if args.fit:
        fit(read, ChoiceWeights(first=args.k, model=reader.name, prior_of=args.prior), args.model / CHOICE_FILE)
    weights = read_choice(args.model / CHOICE_FILE, reader.name)
    lines = [f"{len(read)} questions, {weights}", *figures(read, weights, args.k)]
    print(*lines, EXPERIMENT, sep="\n")
    if (args.note or args.fit) and (args.model / CARD).exists():
        note(args.model, f"Figures on {args.questions.stem}", "\n".join(f"- {line}" for line in lines))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    ask = argparse.ArgumentParser()
    ask.add_argument("model", type=Path)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--questions", type=Path, required=True)
    ask.add_argument("--rankings", type=Path, required=True)
    ask.add_argument("--titled", action="store_true")
    ask.add_argument("--first", type=int, default=DEVELOPMENT)
    ask.add_argument("--k", type=int, default=20)
    ask.add_argument("--room", type=int, default=MAX_TOKENS)
    ask.add_argument("--keep", type=Path)
    ask.add_argument("--prior", choices=("rank", "score"), default="rank")
    ask.add_argument("--note", action="store_true")
    ask.add_argument("--fit", action="store_true")
    return ask.parse_args()


if __name__ == "__main__":
    main()
