"""What queries are like: their answers, lengths and words (STaRK, Tables 3 and 4, Figures 4 and 5)."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import fmean

from eval.drawing import Draw
from eval.stark.candidates import answers_in
from eval.stark.measures import RECALL_CUT
from eval.stark.queries import ALL, HUMAN, SPLITS, StarkQuery, of_split
from indexers.skb.knowledge_base import BuiltKnowledgeBase

TOKENS = 1_500
"""Words on which entropy and type-token ratio are taken: both change with the size of a text, so that only figures on
equally many words compare. The smallest set of STaRK, MAG's human one, has a few more."""

SYNTHESIZED = "synthesized"
LEARNING = ("train", "val", "test")
"""The splits whose shares Table 3 has."""


@dataclass(frozen=True, slots=True)
class QueryStatistics:
    """What the queries of one split are like; `test` has those of its part test-0.1 too.

    Attributes:
        several: queries that have more than one answer.
        answers: how many a query has on average, each counted once.
        many: share of queries that have more than 20, fractions of 1.
        best_recall: the mean R@20 of a perfect ranking.
        repeated: lists of answers that have an id more than once.
        duplicates: queries whose text an earlier one has, but for case and spacing.
        words: of a query on average, set apart by blanks.
        entropy: of words in bits, -sum of p log2 p, on the first TOKENS words in the order of the sha256 of ids; a
            word is a run of letters and figures, case folded. None where there are fewer.
        type_token_ratio: distinct words / words, on the same ones.
        outside: answers that are no candidates of the base; None without a base.
        unanswerable: queries that have no other answers; None without a base.
        word_counts: how many queries have each number of words (Figure 4).
        answer_counts: how many queries have each number of answers (Figure 4).
        composed: queries that say how their words divide into relational and textual ones.
        relational: the mean share of relational words in these (Figure 5); None where there are none.
    """

    split: str
    queries: int
    several: int
    answers: float
    many: float
    best_recall: float
    repeated: int
    duplicates: int
    words: float
    entropy: float | None
    type_token_ratio: float | None
    outside: int | None = None
    unanswerable: int | None = None
    word_counts: Mapping[int, int] = field(default_factory=dict)
    answer_counts: Mapping[int, int] = field(default_factory=dict)
    composed: int = 0
    relational: float | None = None


async def describe_queries(
    queries: Sequence[StarkQuery], base: BuiltKnowledgeBase | None = None
) -> tuple[QueryStatistics, ...]:
    """Describe all queries, then those of each split; answers are looked up where there is a base.

    Where some are written by people, those that are not come together behind all, as SYNTHESIZED (Table 3).
    """
    there = {each.split for each in queries}
    splits = [*(name for name in SPLITS if name in there or (name == "test" and "test-0.1" in there))]
    splits += sorted(name for name in there if name and name not in SPLITS)
    missing = {} if base is None else await _missing(queries, base)
    groups = {name: of_split(queries, name) for name in (ALL, *splits) if queries}
    synthesized = tuple(each for each in queries if each.split != HUMAN)
    if 0 < len(synthesized) < len(queries) and SYNTHESIZED not in groups:
        groups = {ALL: groups.pop(ALL), SYNTHESIZED: synthesized, **groups}
    return tuple(_described(name, several, missing if base else None) for name, several in groups.items())


def proportions(found: Sequence[QueryStatistics]) -> Mapping[str, float]:
    """Return the shares of train, val and test among their queries (Table 3); none where there is only one of them."""
    counts = {each.split: each.queries for each in found if each.split in LEARNING}
    whole = sum(counts.values())
    return {name: counts[name] / whole for name in LEARNING if name in counts} if len(counts) > 1 else {}


async def _missing(queries: Sequence[StarkQuery], base: BuiltKnowledgeBase) -> dict[str, tuple[int, bool]]:
    """Return for each query how many of its answers are no candidates, and whether others are."""
    found = {each.id: await answers_in(base, each) for each in queries}
    return {id: (answers.missing, bool(answers.numbers)) for id, answers in found.items()}


def _described(
    split: str, queries: Sequence[StarkQuery], missing: dict[str, tuple[int, bool]] | None
) -> QueryStatistics:
    counts = [len(set(each.answers)) for each in queries]
    lengths = [len(each.text.split()) for each in queries]
    shares = [share for each in queries if (share := _relational_share(each)) is not None]
    words = _first_words(queries)
    whole = len(words) == TOKENS
    texts = {" ".join(each.text.casefold().split()) for each in queries}
    return QueryStatistics(
        split,
        len(queries),
        several=sum(count > 1 for count in counts),
        answers=fmean(counts),
        many=fmean(count > RECALL_CUT for count in counts),
        best_recall=fmean(min(1.0, RECALL_CUT / count) if count else 0.0 for count in counts),
        repeated=sum(len(set(each.answers)) < len(each.answers) for each in queries),
        duplicates=len(queries) - len(texts),
        words=fmean(lengths),
        entropy=entropy(words) if whole else None,
        type_token_ratio=len(set(words)) / TOKENS if whole else None,
        outside=None if missing is None else sum(missing[each.id][0] for each in queries),
        unanswerable=None if missing is None else sum(not missing[each.id][1] for each in queries),
        word_counts=dict(sorted(Counter(lengths).items())),
        answer_counts=dict(sorted(Counter(counts).items())),
        composed=len(shares),
        relational=fmean(shares) if shares else None,
    )


def _relational_share(query: StarkQuery) -> float | None:
    found = query.composition
    words = found.relational + found.textual if found else 0
    return found.relational / words if found and words else None


def entropy(words: Sequence[str]) -> float:
    """Return Shannon's entropy of words in bits (STaRK, appendix B)."""
    shares = [count / len(words) for count in Counter(words).values()]
    return -sum(share * math.log2(share) for share in shares)


def _first_words(queries: Sequence[StarkQuery]) -> list[str]:
    drawn = Draw().of(queries, lambda each: each.id)
    return list(islice((word for each in drawn for word in re.findall(r"\w+", each.text.casefold())), TOKENS))
