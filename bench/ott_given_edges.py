"""Count of gold edges only those that the corpus draws, beside the nDCG@50 that counts any edge of a gold row.

usage: python -m bench.ott_given_edges --data OTT --questions FILE RESULTS…

RESULTS are files of `heliograph eval ott`. Node expansion adds edges that no link draws; those of a gold row are gold
by the baselines' definition, and what there is to find does not count them. The last column leaves such edges out, so
that they neither gain nor stand in the way; what stood behind the fiftieth is not in the files and does not move up.
"""

import argparse
from pathlib import Path
from statistics import fmean

from eval.ott.corpus import OttCorpus
from eval.ott.judging import judge
from eval.ott.measures.ndcg import ndcg
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import CUT, Ranking, Unit
from eval.ott.reading import read_corpus
from eval.ott.results import read_results

HEADING = f"| results | questions | edges not given, of 50 | nDCG@50 | of given edges alone |\n|{' --- |' * 5}"


def main() -> None:
    """Print a line for each file."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--questions", type=Path, required=True)
    ask.add_argument("results", type=Path, nargs="+")
    args = ask.parse_args()
    corpus = read_corpus(args.data, "full")
    questions = {question.id: question for question in read_questions(args.questions, None)}
    print(HEADING)
    for path in args.results:
        results = read_results(path)
        rankings = [(questions[result.id], result.ranking) for result in results]
        drawn = fmean(sum(not given(unit, corpus) for unit in ranking) for _, ranking in rankings)
        every = fmean(gain(question, ranking, corpus) for question, ranking in rankings)
        alone = fmean(gain(question, only_given(ranking, corpus), corpus) for question, ranking in rankings)
        print(f"| {path.stem} | {len(results)} | {drawn:.1f} | {100 * every:.1f} | {100 * alone:.1f} |")


def gain(question: OttQuestion, ranking: Ranking, corpus: OttCorpus) -> float:
    """Return nDCG@50 of a ranking of edges."""
    return ndcg(judge(ranking, question, corpus, "edge"), CUT)


def only_given(ranking: Ranking, corpus: OttCorpus) -> Ranking:
    """Return the edges of a ranking that links draw."""
    return tuple(unit for unit in ranking if given(unit, corpus))


def given(unit: Unit, corpus: OttCorpus) -> bool:
    """Tell whether a link of the corpus draws an edge; a row by itself is given."""
    assert unit.row is not None, "edges have rows"
    linked = {passage for _, passage in corpus.edges_of(range(unit.row, unit.row + 1))}
    return linked.issuperset(unit.passages)


if __name__ == "__main__":
    main()
