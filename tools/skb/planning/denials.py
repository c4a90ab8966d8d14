"""Which conditions a query denies: what is named, or a value.

A word of denial stands at what is named next behind it, or right before it, as in "that NASA did not operate". Which
of the two, the first word behind it tells: it is more like a relation of one than of the other.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, takewhile

from heliograph.text.words import LETTERS, STOP_WORDS, word_list
from indexers.skb.adjacency import Adjacency
from tools.skb.planning.conditions import PathCondition, spelled_hops
from tools.skb.planning.linking import EntityMention

REACH, BESIDE = 6, 2
"""Words between a denial and what it may deny behind it, and before it."""
MOST_SAID, FAR, NAMES = 4, 200, 12
"""Words of meaning behind a denial that may tell what is denied, the characters in which they stand, and how many names
either side of it are looked at."""
ALIKE, CLEARLY = 0.45, 0.1
"""The cosine from which a word says a relation, and how much more like it a relation of what stands before must be."""
_DENIALS = frozenset(
    word_list("not never no without except neither nor nothing none excluding besides lacks lack nobody outside cannot")
)
_SHORTENED = re.compile(r"\b[a-z]+(?=['’]t\b)", re.IGNORECASE)
"""What "not" is shortened behind: "didn't", "can’t"."""
_OF_TWO_WORDS = frozenset({("other", "than"), ("rather", "than"), ("apart", "from"), ("all", "but")})
"""Words that may negate what they stand at; whether they do is learned."""
_JOINING, _PARTING = frozenset(word_list("or nor and")), frozenset(word_list("or nor and but"))
"""Words that join names, and words that part a name from a denial behind it."""
_CLAUSE_END = re.compile(r"[.,:;?!](?=\s|$)|[–—()]")

Span = tuple[int, int]
"""Characters of a query, from one to before another."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A word of denial, or two.

    Attributes:
        end: the character behind it.
        said: the first words of meaning behind it, before anything is named or the clause ends.
        before: the names that stand right before it: the nearest one, and what is joined to that by "or".
        behind: the same of those behind it.
    """

    end: int
    said: tuple[str, ...]
    before: tuple[Span, ...]
    behind: tuple[Span, ...]


class Denials:
    """The denials of a query.

    Args:
        relations: of each name in the query by its place, in words: those that may join answers to it.
        likeness: the cosine of two of the phrases that `compared` yields.
    """

    def __init__(
        self, query: str, relations: Mapping[Span, Sequence[str]], likeness: Callable[[str, str], float]
    ) -> None:
        self._query, self._relations, self._likeness = query, relations, likeness
        self._denials = find_denials(query, sorted(relations))

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self._denials)

    def compared(self) -> Iterator[str]:
        """Yield the phrases that are compared, if any are."""
        for denial in self._denials:
            if denial.before:
                yield from denial.said
                for span in (*denial.before[:1], *denial.behind[:1]):
                    yield from self._relations[span]

    def deny(self, name: Span) -> bool:
        """Say whether a name is denied."""
        return any(name in spans for _, spans in self._denied)

    def deny_word(self, at: int) -> bool:
        """Say whether the word at a place is denied: a denial stands a little before it, and at no name before it."""
        return any(
            denial.end <= at
            and not any(end <= at for _, end in spans)
            and _words_between(self._query, denial.end, at) <= REACH
            for denial, spans in self._denied
        )

    @cached_property
    def _denied(self) -> list[tuple[Denial, tuple[Span, ...]]]:
        """Each denial with the names that it denies."""
        return [(each, self._names_denied(each)) for each in self._denials]

    def _names_denied(self, denial: Denial) -> tuple[Span, ...]:
        before, behind, said = denial.before, denial.behind, denial.said
        if not before or (behind and not said):
            return behind
        if not behind:
            return before if not said or max(self._alike(word, before[0]) for word in said) >= ALIKE else ()
        return before if self._alike(said[0], before[0]) > self._alike(said[0], behind[0]) + CLEARLY else behind

    def _alike(self, word: str, name: Span) -> float:
        return max(self._likeness(word, each) for each in self._relations[name])


def relations_of_names(paths: Sequence[PathCondition], graph: Adjacency) -> dict[Span, tuple[str, ...]]:
    """Return for each name by its place in a query the relations of the shortest paths from it, in words."""
    by_name = defaultdict[Span, list[PathCondition]](list)
    for each in paths:
        if not each.mention.is_described:
            by_name[span_of(each.mention)].append(each)
    return {place: tuple(dict.fromkeys(_shortest(several, graph))) for place, several in by_name.items()}


def _shortest(paths: Sequence[PathCondition], graph: Adjacency) -> Iterator[str]:
    least = min(len(each.requirement.hops) for each in paths)
    for each in paths:
        start, hops = each.requirement.start, each.requirement.hops
        if len(hops) == least:
            yield from (said.relation for said in spelled_hops(hops, graph.entity_types[graph.types[start[0]]]))


def span_of(mention: EntityMention) -> Span:
    """Return the characters of a mention."""
    return mention.start, mention.end


def find_denials(query: str, names: Sequence[Span]) -> tuple[Denial, ...]:
    """Return the denials of a query, given where its names stand, ascending and apart."""
    words = [(found.start(), found.end(), found[0].casefold()) for found in LETTERS.finditer(query)]
    denying = [(start, end) for start, end, word in words if word in _DENIALS]
    denying += [found.span() for found in _SHORTENED.finditer(query)]
    denying += [(one[0], two[1]) for one, two in pairwise(words) if (one[2], two[2]) in _OF_TWO_WORDS]
    starts = [start for start, _ in names]
    found = list[Denial]()
    for span in sorted(denying):
        at = bisect_right(starts, span[0])
        if at == 0 or names[at - 1][1] <= span[0]:
            found.append(_denial(query, span, names[max(0, at - NAMES) : at][::-1], names[at : at + NAMES]))
    return tuple(found)


def _denial(query: str, span: Span, before: Sequence[Span], behind: Sequence[Span]) -> Denial:
    start, end = span
    far = min(len(query), end + FAR)
    clause_end = _CLAUSE_END.search(query, end, far)
    last = min(clause_end.start() if clause_end else far, behind[0][0] if behind else far)
    said = [word for word in LETTERS.findall(query[end:last]) if word.casefold() not in STOP_WORDS]
    return Denial(
        end,
        tuple(said[:MOST_SAID]),
        _joined(query, before) if before and _stands_right_before(query[before[0][1] : start][: FAR + 1]) else (),
        _joined(query, behind) if behind and _words_between(query, end, behind[0][0]) <= REACH else (),
    )


def _stands_right_before(between: str) -> bool:
    """Say whether what stands between a name and a denial leaves them together."""
    words = [word.casefold() for word in LETTERS.findall(between)]
    return (
        len(between) <= FAR and len(words) <= BESIDE and _PARTING.isdisjoint(words) and not _CLAUSE_END.search(between)
    )


def _words_between(query: str, start: int, end: int) -> int:
    """Return how many words stand there; more than REACH are not counted."""
    return sum(1 for _ in islice(LETTERS.finditer(query, start, end), REACH + 1))


def _joined(query: str, names: Sequence[Span]) -> tuple[Span, ...]:
    """Return the first of some names, and those that follow one another joined by a word."""

    def are_joined(pair: tuple[Span, Span]) -> bool:
        first, last = sorted(pair)
        between = [word.casefold() for word in LETTERS.findall(query[first[1] : last[0]][:FAR])]
        return len(between) == 1 and between[0] in _JOINING

    return (*names[:1], *(each for _, each in takewhile(are_joined, pairwise(names))))
