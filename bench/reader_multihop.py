"""EM and F1 of a reader over paragraphs of MuSiQue or HotpotQA: the supporting ones given, and BM25's best.

usage: python -m bench.reader_multihop MODEL DATA_SET --questions FILE --corpus FILE [--half report] [--k 20]
       [--choice evidence_choice.json]

MODEL is a folder as for bench/reader.py, DATA_SET musique or hotpotqa, and halves are those of `heliograph eval omgqa
convert`. A paragraph is one candidate, read by itself, so nothing is carried from one to the next. The supporting ones
have no order; among BM25's the place counts. EM and F1 are those of the accepted answer that fits best; the oracle is
right where the best span of some paragraph is. `--choice` names the weights beside MODEL; those over evidence were the
better ones on the development halves.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from bench.ott_helios import say
from eval.drawing import Draw, Half
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.entries import read_entries
from eval.omgqa.converting.gold import GoldText
from eval.omgqa.converting.multihop import convert_hotpotqa, convert_musique
from eval.omgqa.converting.multihop_lines import CorpusLine
from eval.omgqa.converting.titles import page_title
from eval.omgqa.converting.writing_pages import one_line
from eval.omgqa.records import OmgQuestion
from eval.ott.competitors.bm25 import BM25Units, bm25_units
from eval.ott.corpus import OttCorpus, Passages, make_corpus
from eval.ott.measures import exact_match, f1
from eval.ott.models import CandidateReader
from eval.ott.nodes import candidates_of
from eval.ott.postings import OttPostings
from eval.ott.ranking import Ranking, Unit
from eval.ott.readers import chosen_among
from eval.ott.texts import Texts
from indexers.models.answer_choice import EVIDENCE_CHOICE_FILE, ChoiceWeights, read_choice
from indexers.models.reader import Reader

DataSet = Literal["musique", "hotpotqa"]


@dataclass(frozen=True, slots=True, eq=False)
class Paragraphs:
    """The paragraphs of a corpus, as passages that no row links, and BM25 over them."""

    corpus: OttCorpus
    bm25: BM25Units

    @classmethod
    def of(cls, path: Path) -> "Paragraphs":
        """Read a corpus beside the questions; HotpotQA's has its titles in HTML."""
        lines = [line for _, line in read_entries(path, CorpusLine)]
        titles = tuple(page_title(line.title if line.sentences is None else unescape(line.title)) for line in lines)
        numbers = tuple(f"{number:09}" for number in range(len(lines)))
        corpus = make_corpus((), Passages(numbers, titles, Texts.pack(one_line(line.paragraph) for line in lines)), ())
        return cls(corpus, bm25_units("node", corpus, OttPostings.of(corpus, say), corpus.edges))

    def supporting(self, facts: Sequence[GoldText]) -> Ranking:
        """Return the paragraphs that hold some facts, in the order of the corpus."""
        passages = self.corpus.passages
        return tuple(
            Unit(None, (number,))
            for number, title in enumerate(passages.titles)
            if any(fact.title == title and fact.text in passages.texts[number] for fact in facts)
        )

    def best(self, question: str, k: int) -> Ranking:
        """Return the first k paragraphs of BM25's ranking."""
        return tuple(map(self.bm25.unit, self.bm25.ranked(question, k)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """EM and F1 of the answer to a question, EM of the best span of any paragraph, and CPU seconds."""

    exact: float
    shared: float
    oracle: float
    seconds: float


def outcome(
    reader: CandidateReader, weights: ChoiceWeights, corpus: OttCorpus, question: OmgQuestion, ranking: Ranking
) -> Outcome:
    """Read the paragraphs of a ranking, whose order counts as the weights' prior has it."""
    began = time.process_time()
    readings = reader.read(question.question, candidates_of(corpus, ranking))
    chosen = chosen_among(readings, (), weights)
    spent = time.process_time() - began
    said = chosen[0].text if chosen else ""
    spans = [reading.answers[0].text for reading in readings if reading.answers]
    return Outcome(
        max(exact_match(said, answer) for answer in question.answers),
        max(f1(said, answer) for answer in question.answers),
        max((exact_match(span, answer) for span in spans for answer in question.answers), default=0.0),
        spent,
    )


def figures(
    reader: CandidateReader, weights: ChoiceWeights, paragraphs: Paragraphs, asked: Conversion, k: int
) -> Iterator[str]:
    """Yield a line for the supporting paragraphs and one for BM25's best."""
    facts = [fact for fact in asked.gold if isinstance(fact, GoldText)]
    given = [paragraphs.supporting([fact for fact in facts if fact.question == each.id]) for each in asked.questions]
    best = [paragraphs.best(each.question, k) for each in asked.questions]
    without_order = replace(weights, prior=0.0)
    for name, rankings, by in (("supporting", given, without_order), (f"BM25's {k}", best, weights)):
        pairs = zip(asked.questions, rankings, strict=True)
        found = [outcome(reader, by, paragraphs.corpus, *pair) for pair in pairs]
        exact, shared, oracle = (
            100 * fmean(getattr(each, part) for each in found) for part in ("exact", "shared", "oracle")
        )
        seconds = fmean(each.seconds for each in found)
        yield f"{name}: EM {exact:.1f}, F1 {shared:.1f}, oracle {oracle:.1f}, {seconds:.2f} CPU s a question"
    whole = fmean(set(gold) <= set(ranked) for gold, ranked in zip(given, best, strict=True))
    yield f"all supporting paragraphs among BM25's {k}: {100 * whole:.1f}"


def main() -> None:
    """Print the figures."""
    ask = argparse.ArgumentParser()
    ask.add_argument("model", type=Path)
    ask.add_argument("data_set", choices=get_args(DataSet))
    ask.add_argument("--questions", type=Path, required=True)
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--half", choices=get_args(Half), default="report")
    ask.add_argument("--k", type=int, default=20)
    ask.add_argument("--choice", default=EVIDENCE_CHOICE_FILE)
    args = ask.parse_args()
    convert = convert_musique if args.data_set == "musique" else convert_hotpotqa
    asked = convert(args.questions, args.corpus, Draw(args.half))
    reader = Reader(args.model, threads=1)
    weights = read_choice(args.model / args.choice, reader.name)
    print(f"{args.data_set}, {args.half} half, {len(asked.questions)} questions, {args.choice}")
    for line in figures(reader, weights, Paragraphs.of(args.corpus), asked, args.k):
        print(line, flush=True)


if __name__ == "__main__":
    main()
