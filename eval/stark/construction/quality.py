"""How good a constructed set is (STaRK, section 2.4), and whether it is too easy for BM25 to tell systems apart."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from eval.stark.candidates import answers_in
from eval.stark.construction.constructor import ConstructedQuery
from eval.stark.description import QueryStatistics, describe_queries
from eval.stark.evaluation import evaluate, summarise
from eval.stark.measures import RECALL_CUT
from eval.stark.queries import StarkQuery
from eval.stark.report import statistics_text
from heliograph.protocols import EntityRetriever
from indexers.skb.knowledge_base import BuiltKnowledgeBase

EASIEST = 0.6
"""R@20 of BM25 with neighbours' names above which a set is refused: with easy text the graph decides nothing."""
RECALL = f"R@{RECALL_CUT}"


@dataclass(frozen=True, slots=True)
class SetQuality:
    """The quality of a constructed set; shares are fractions of 1.

    Attributes:
        statistics: of all queries, as `describe_queries` has them.
        gold_answers: share of queries that have the gold entity among their answers.
        answerable: share of queries that have an answer among the base's candidates.
        relational_to_textual: words that state relations and attributes per word of what documents say; None without
            any of the latter.
        shapes: share of the queries by shape.
        several_hops: share of queries with a requirement of two hops or more.
        negated: share of queries with a negated requirement.
        numeric: share of queries that compare an attribute.
        textual: share of queries with words or properties of a document.
        lexical_recall: R@20 of BM25 with neighbours' names.
        typed_lexical_recall: the same where it knows the type of the answers.
        too_easy: lexical_recall is higher than a useful set allows.
    """

    statistics: QueryStatistics
    gold_answers: float
    answerable: float
    relational_to_textual: float | None
    shapes: Mapping[str, float]
    several_hops: float
    negated: float
    numeric: float
    textual: float
    lexical_recall: float
    typed_lexical_recall: float
    too_easy: bool

    def as_json(self) -> str:
        """Return the figures as a JSON object."""
        return json.dumps(asdict(self), indent=1)


async def set_quality(
    made: Sequence[ConstructedQuery], base: BuiltKnowledgeBase, lexical: EntityRetriever, easiest: float = EASIEST
) -> SetQuality:
    """Take the figures of a set that has at least one query.

    Args:
        made: the set.
        base: what it was made from.
        lexical: BM25 with neighbours' names.
        easiest: its R@20 above which the set is too easy, a fraction of 1.
    """
    recall = await _recall([each.query for each in made], base, lexical, typed=False)
    queries = [each.query for each in made]
    textual = sum(each.wording.textual_words for each in made)
    plans = [each.plan for each in queries if each.plan]
    shapes = Counter(each.kind for each in queries)
    found = [await answers_in(base, each) for each in queries]
    return SetQuality(
        statistics=(await describe_queries(queries, base))[0],
        gold_answers=fmean(bool(each.plan and each.plan.gold in each.answers) for each in queries),
        answerable=fmean(bool(each.numbers) for each in found),
        relational_to_textual=sum(each.wording.relational_words for each in made) / textual if textual else None,
        shapes={name: count / len(queries) for name, count in shapes.most_common()},
        several_hops=fmean(map(_has_several_hops, queries)),
        negated=fmean(any(each.negated for each in plan.requirements) for plan in plans),
        numeric=fmean(bool(plan.conditions) for plan in plans),
        textual=fmean(bool(plan.words or plan.properties) for plan in plans),
        lexical_recall=recall,
        typed_lexical_recall=await _recall(queries, base, lexical, typed=True),
        too_easy=recall > easiest,
    )


def quality_text(found: SetQuality) -> str:
    """Return the figures in words, shares in percent."""
    divided = found.relational_to_textual
    shares = {
        "gold entity answers": found.gold_answers,
        "an answer among the candidates": found.answerable,
        "two hops or more": found.several_hops,
        "negation": found.negated,
        "numbers or dates": found.numeric,
        "words or properties of documents": found.textual,
        f"{RECALL} of BM25 with neighbours' names": found.lexical_recall,
        f"{RECALL} of the same, answer type given": found.typed_lexical_recall,
    }
    width = max(map(len, (*shares, *found.shapes)))
    return "\n".join(
        (
            statistics_text([found.statistics]),
            "relational : textual words  " + (f"{divided:.2f} : 1" if divided is not None else "no textual words"),
            *(f"{name:{width}}  {100 * share:5.1f} %" for name, share in {**shares, **found.shapes}.items()),
        )
    )


def _has_several_hops(query: StarkQuery) -> bool:
    return any(len(each.hops) > 1 for each in query.plan.requirements) if query.plan else False


async def _recall(
    queries: Sequence[StarkQuery], base: BuiltKnowledgeBase, lexical: EntityRetriever, *, typed: bool
) -> float:
    return summarise(await evaluate(queries, base, lexical, typed=typed)).measures[RECALL]
