"""Which evidence of the ledger goes on: to expand a query, to reflect on, to answer from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from agent.library import Library
from agent.llm.counting import count_tokens
from agent.services import Services
from heliograph.types import (
    Document,
    Evidence,
    Form,
    Leaf,
    Observation,
    PageKey,
    Scored,
    TableSegment,
    TextEvidence,
    modality_of,
)
from indexers.links import links_of
from indexers.parser import leaf_of
from indexers.pieces import lead_of
from indexers.render import render
from memory.ledger import choose, rank

KNOWN = 8
"""Pieces whose links are followed: HELIOS (section 4.2) expands from few seed nodes."""

EXPANSIONS = 4
"""Expanded queries per need and round; each asks every index once."""

BEST = 5
"""Pieces of each need that tell which sections and pages a report is about."""
OF_A_PAGE = 0.2
"""Share of these pieces that a page holds of which a report may tell anything."""
REPORT_BUDGET = 1.5
"""Tokens of a report's evidence, in budgets of a single answer: up to five calls write from it, each a part."""
CHOSEN_SHARE = 1 / 3
"""Share of a report's evidence that scores choose; the rest is what stands around it."""


def known_evidence(observations: Sequence[Observation], library: Library, need: int = 0) -> tuple[Evidence, ...]:
    """Return the best pieces of a need: the seed nodes of a second hop, along links in either direction."""
    return tuple(library.evidence(seen.evidence) for seen in rank(observations, need)[:KNOWN])


def expanded_queries(need: str, known: Sequence[Evidence], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the need, and [need; Γ(u)] for each known u that links to a document just read (HELIOS, 4.2)."""
    titles = {document.title for document in documents}
    linking = (piece for piece in known if titles & {link.target for link in links_of(piece)})
    expanded = [f"{need} {render(piece)}" for piece in linking]
    return (need, *expanded[:EXPANSIONS])


def final_ledger(
    observations: Sequence[Observation], services: Services, form: Form = "short"
) -> tuple[Observation, ...]:
    """Return the pieces that the answer is written from, by turns over the needs, with the leads of their pages.

    A lead says what its page is about. It comes behind the chosen pieces, at the score of the best of its page and by
    way of it, as far as the budget of tokens goes. A report tells what whole sections say, and an index returns the
    pieces most like a need, so that most of its evidence is what stands around them (`_around`). Of the observations
    asked for last the choice is remembered.
    """
    made_of = (tuple(observations), services.limits, services.quotas, form)
    last, chosen = services.last_choice.made
    if last != made_of:
        chosen = _final_ledger(observations, services, form)
        services.last_choice.made = (made_of, chosen)
    return chosen


def _final_ledger(observations: Sequence[Observation], services: Services, form: Form) -> tuple[Observation, ...]:
    library, limits = services.library, services.limits
    costs = {seen.evidence: tokens_of(library.evidence(seen.evidence)) for seen in observations}
    budget = int(limits.evidence_tokens * (REPORT_BUDGET if form == "report" else 1))
    by_score = int(budget * CHOSEN_SHARE) if form == "report" else budget
    chosen = choose(observations, costs, by_score, services.quotas, limits.evidence_k)
    others = _around(observations, chosen, library) if form == "report" else _leads(chosen, library)
    return _with_those_that_fit(chosen, others, budget, services)


def final_evidence(
    observations: Sequence[Observation], services: Services, form: Form = "short"
) -> tuple[Scored[Evidence], ...]:
    """Return the pieces of the final choice, and the whole table behind each row."""
    chosen = final_ledger(observations, services, form)
    pieces = tuple(Scored(services.library.evidence(seen.evidence), seen.score) for seen in chosen)
    return with_tables(pieces, services.library)


def with_tables(evidence: Sequence[Scored[Evidence]], library: Library) -> tuple[Scored[Evidence], ...]:
    """Add the whole table behind each row, at the row's score."""
    known = {scored.item.id for scored in evidence}
    tables: dict[str, Scored[Evidence]] = {}
    for scored in evidence:
        if isinstance(scored.item, TableSegment) and scored.item.table not in known | tables.keys():
            tables[scored.item.table] = Scored(library.evidence(scored.item.table), scored.score)
    return (*evidence, *tables.values())


def first_leaves(evidence: Sequence[Scored[Evidence]], leaves: int) -> tuple[Scored[Evidence], ...]:
    """Return the evidence of the first leaves, rows of one table being of one leaf, with the leads of their pages."""
    first = list(dict.fromkeys(leaf_of(scored.item.id) for scored in evidence))[:leaves]
    pages = {scored.item.place.page for scored in evidence if leaf_of(scored.item.id) in first}
    return tuple(scored for scored in evidence if leaf_of(scored.item.id) in first or _is_lead(scored.item, pages))


def tokens_of(piece: Evidence) -> int:
    """Return how many tokens a piece takes in a prompt."""
    return _tokens(render(piece))


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> int:
    return count_tokens(text)


def _with_those_that_fit(
    chosen: Sequence[Observation], others: Iterable[Observation], budget: int, services: Services
) -> tuple[Observation, ...]:
    """Add others in their order, each once, as far as the budget of tokens and the limit of pieces go."""
    library, limits = services.library, services.limits
    kept = {seen.evidence: seen for seen in chosen}
    left = budget - sum(tokens_of(library.evidence(name)) for name in kept)
    for seen in others:
        cost = tokens_of(library.evidence(seen.evidence))
        if seen.evidence not in kept and cost <= left and len(kept) < limits.evidence_k:
            kept[seen.evidence] = seen
            left -= cost
    return tuple(kept.values())


def _leads(chosen: Iterable[Observation], library: Library) -> Iterator[Observation]:
    for page, best in _best_of_pages(chosen, library).items():
        if lead := lead_of(library.shelf[page]):
            yield _by_way_of(best, lead)


def _around(
    observations: Sequence[Observation], chosen: Sequence[Observation], library: Library
) -> Iterator[Observation]:
    """Yield the leads of the pages that hold the needs' best pieces, the leaves of their sections, then main pages.

    Each has the score of the best chosen piece of its page, by way of it. A section stands in its own order.
    """
    needs = sorted({seen.need for seen in observations})
    first = [library.evidence(seen.evidence).place for need in needs for seen in rank(observations, need)[:BEST]]
    pages = {place.page for place in first}
    known = {leaf_of(seen.evidence) for seen in chosen}
    best = {page: seen for page, seen in _best_of_pages(chosen, library).items() if page in pages}
    yield from _leads(best.values(), library)
    for (page, section), _ in Counter((place.page, place.section) for place in first).most_common():
        if page in best:
            own = (leaf for leaf in library.shelf[page].leaves if leaf.place.section == section)
            yield from (_by_way_of(best[page], leaf) for leaf in own if leaf.id not in known)
    for page, count in Counter(place.page for place in first).most_common():
        if page in best and count >= OF_A_PAGE * len(first):
            rest = library.shelf[page].leaves
            yield from (_by_way_of(best[page], leaf) for leaf in rest if leaf.id not in known)


def _by_way_of(best: Observation, leaf: Leaf) -> Observation:
    """Return a leaf that nobody scored, at the score of the piece that led to it."""
    return Observation(leaf.id, modality_of(leaf), best.score, best.round, best.evidence, best.need)


def _best_of_pages(chosen: Iterable[Observation], library: Library) -> dict[PageKey, Observation]:
    best: dict[PageKey, Observation] = {}
    for seen in chosen:
        best.setdefault(library.evidence(seen.evidence).place.page, seen)
    return best


def _is_lead(piece: Evidence, pages: set[PageKey]) -> bool:
    return isinstance(piece, TextEvidence) and piece.place.page in pages and not piece.place.path
