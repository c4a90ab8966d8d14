"""Search queries without a language model: rare words in pairs, then the titles that the evidence leads to.

An engine that joins words by AND finds nothing for a whole question, and everything for one word. Pairs are between:
every pair names few pages, and the pages that many pairs name say much of the question. From the second round on the
pages just read are bridges: a page about one half of the question is linked from the page that holds the other half,
so its title, alone and with a word it does not say, is the query. Decision record 006 has the measurements.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise

from heliograph.protocols import DocumentSearch
from heliograph.text.names import phrases, plain_title
from heliograph.text.words import keywords, stems
from heliograph.turns import by_turns
from heliograph.types import Evidence, EvidenceId, Query, RoundRecord
from indexers.links import links_of
from indexers.parser import page_name
from indexers.render import render
from memory.episodic import unasked
from tools.search import DEPTH, word_totals

MOST_WORDS = 16
"""Words of a question that are looked at."""
SINGLE_WORDS = 12
PAIRED_WORDS = 5
"""The rarest words, of which every pair is asked; other words only with their neighbours."""
BRIDGES = 10
"""Pages of the last round whose titles are asked."""
LINKED = 30
"""Linked pages that nobody has read and that may be asked for, by turns over the pages that link to them."""
FIRST = (9, 4, 2)
"""Queries of a later round that are asked before others: for linked pages, for titles alone, and with a lacking word.

All linked pages first would leave none to the others, and a page that no evidence links to is found by those alone.
"""


class ExtractiveQueryRewriter:
    """Ask for the question's rare words first, then for what the evidence leads to; never the same twice.

    `evidence` looks up a piece that a past round found. How rare a word is, the sources say themselves.
    """

    def __init__(self, sources: Sequence[DocumentSearch], evidence: Callable[[EvidenceId], Evidence]) -> None:
        self._sources = sources
        self._evidence = evidence

    async def rewrite(self, question: str, memory: Sequence[RoundRecord]) -> tuple[Query, ...]:
        """Return the queries of the next round; none when everything that could be asked was asked."""
        words = keywords(question)[:MOST_WORDS]
        rare = await self._rarest_first(words)
        if not rare:
            new: Iterable[Query] = (Query(" ".join(words)),) if words else ()
        elif not memory:
            new = opening(question, tuple(rare))
        else:
            new = self._following(rare, memory)
        return unasked(new, memory)

    async def _rarest_first(self, words: Sequence[str]) -> Mapping[str, int]:
        """Return the words that pages hold with how many hold them; where nothing tells, all as they stand."""
        totals = await word_totals(words, self._sources)
        if not totals:
            return dict.fromkeys(words, 0)
        held = (word for word in words if totals[word])
        return {word: totals[word] for word in sorted(held, key=lambda word: (totals[word], word))}

    def _following(self, rare: Mapping[str, int], memory: Sequence[RoundRecord]) -> tuple[Query, ...]:
        """Return unread pages that the evidence links to, and what else may mention the pages that were read.

        A word of no more pages than a query names has named all of them by itself, and seldom stands beside a title.
        """
        wanted = [word for word, total in rare.items() if total > DEPTH] or list(rare)
        last = memory[-1]
        found = tuple(map(self._evidence, last.evidence))
        pages: dict[str, Evidence] = {}
        for piece in found:
            pages.setdefault(piece.place.title, piece)
        read = {page_name(key).title for record in memory for key in record.documents}
        by_page: dict[str, dict[str, None]] = {}
        for piece in found:
            new = (link.target for link in links_of(piece) if link.target not in read)
            by_page.setdefault(piece.place.title, {}).update(dict.fromkeys(new))
        titles = dict.fromkeys((*last.verdict.leads, *by_turns([tuple(linked) for linked in by_page.values()])))
        around = [bridge(piece, wanted) for piece in list(pages.values())[:BRIDGES]]
        unread = [Query(quoted(title)) for title in list(titles)[:LINKED]]
        alone = [title for title, *_ in around]
        beside = [query for _, *lacking in around for query in lacking]
        kinds = tuple(zip((unread, alone, beside), FIRST, strict=True))
        return (
            *chain(*(queries[:first] for queries, first in kinds)),
            *chain(*(queries[first:] for queries, first in kinds)),
        )


def opening(question: str, rare: Sequence[str]) -> tuple[Query, ...]:
    """Return the first round's queries: names, neighbours, pairs of the rarest words, single words."""
    told = [word for word in keywords(question) if word in rare]
    names = [quoted(phrase) for phrase in phrases(question)]
    pairs = [" ".join(pair) for pair in (*pairwise(told), *combinations(rare[:PAIRED_WORDS], 2))]
    return tuple(map(Query, (*names, *pairs, *rare[:SINGLE_WORDS])))


def bridge(piece: Evidence, rare: Sequence[str]) -> tuple[Query, ...]:
    """Return the queries for pages that mention a piece's page: its title, alone and with the rarest word it lacks."""
    title = quoted(plain_title(piece.place.title))
    said = frozenset(stems(render(piece)))
    lacking = [word for word in rare if not said.issuperset(stems(word))]
    return tuple(map(Query, (title, *(f"{title} {word}" for word in lacking[:1]))))


def quoted(phrase: str) -> str:
    """Return a phrase as engines take it: its words together where the engine knows phrases."""
    return f'"{" ".join(phrase.replace(chr(34), " ").split())}"'
