"""Which evidence of the ledger goes on: to expand a query, to reflect on, to answer from."""

from collections.abc import Sequence
from functools import lru_cache

from agent.library import Library
from agent.llm.counting import count_tokens
from agent.services import Services
from heliograph.types import Document, Evidence, Observation, PageKey, Scored, TableSegment, TextEvidence
from indexers.links import links_of
from indexers.parser import leaf_of
from indexers.pieces import lead_of
from indexers.render import render
from memory.ledger import choose, rank

KNOWN = 8
"""Pieces whose links are followed: HELIOS (section 4.2) expands from few seed nodes."""

EXPANSIONS = 4
"""Expanded queries per need and round; each asks every index once."""


def known_evidence(observations: Sequence[Observation], library: Library, need: int = 0) -> tuple[Evidence, ...]:
    """Return the best pieces of a need: the seed nodes of a second hop, along links in either direction."""
    return tuple(library.evidence(seen.evidence) for seen in rank(observations, need)[:KNOWN])


def expanded_queries(need: str, known: Sequence[Evidence], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the need, and [need; Γ(u)] for each known u that links to a document just read (HELIOS, 4.2)."""
    titles = {document.title for document in documents}
    linking = (piece for piece in known if titles & {link.target for link in links_of(piece)})
    expanded = [f"{need} {render(piece)}" for piece in linking]
    return (need, *expanded[:EXPANSIONS])


def final_ledger(observations: Sequence[Observation], services: Services) -> tuple[Observation, ...]:
    """Return the pieces that the answer is written from, by turns over the needs, with the leads of their pages.

    A lead says what its page is about. It comes behind the chosen pieces, at the score of the best of its page and by
    way of it, as far as the budget of tokens goes. Of the observations asked for last the choice is remembered.
    """
    made_of, last = (tuple(observations), services.limits, services.quotas), services.last_choice
    if last.made_of != made_of:
        last.made_of, last.chosen = made_of, _final_ledger(observations, services)
    return last.chosen


def _final_ledger(observations: Sequence[Observation], services: Services) -> tuple[Observation, ...]:
    limits = services.limits
    costs = {seen.evidence: tokens_of(services.library.evidence(seen.evidence)) for seen in observations}
    chosen = choose(observations, costs, limits.evidence_tokens, services.quotas, limits.evidence_k)
    left = limits.evidence_tokens - sum(costs[seen.evidence] for seen in chosen)
    known, leads = {seen.evidence for seen in chosen}, list[Observation]()
    for page, best in _best_of_pages(chosen, services.library).items():
        lead = lead_of(services.library.shelf[page])
        if lead is None or lead.id in known or tokens_of(lead) > left or len(known) + len(leads) >= limits.evidence_k:
            continue
        left -= tokens_of(lead)
        leads.append(Observation(lead.id, "text", best.score, best.round, best.evidence, best.need))
    return (*chosen, *leads)


def final_evidence(observations: Sequence[Observation], services: Services) -> tuple[Scored[Evidence], ...]:
    """Return the pieces of the final choice, and the whole table behind each row."""
    chosen = final_ledger(observations, services)
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


def _best_of_pages(chosen: Sequence[Observation], library: Library) -> dict[PageKey, Observation]:
    best: dict[PageKey, Observation] = {}
    for seen in chosen:
        best.setdefault(library.evidence(seen.evidence).place.page, seen)
    return best


def _is_lead(piece: Evidence, pages: set[PageKey]) -> bool:
    return isinstance(piece, TextEvidence) and piece.place.page in pages and not piece.place.path
