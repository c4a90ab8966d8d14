"""Which evidence of the ledger goes on: to expand a query, to reflect on, to answer from."""

from collections.abc import Sequence

from agent.library import Library
from agent.services import Services
from heliograph.types import Document, Evidence, Observation, PageKey, Scored, TableSegment
from indexers.fusion import select
from indexers.links import links_of
from indexers.pieces import lead_of
from indexers.render import render
from memory.ledger import rank

KNOWN = 8
"""Pieces whose links are followed: HELIOS (section 4.2) expands from few seed nodes."""

EXPANSIONS = 4
"""Expanded queries a round; each asks every index once."""


def known_evidence(observations: Sequence[Observation], library: Library) -> tuple[Evidence, ...]:
    """Return the best pieces of the ledger: the seed nodes of a second hop, along links in either direction."""
    return tuple(library.evidence(seen.evidence) for seen in rank(observations)[:KNOWN])


def expanded_queries(question: str, known: Sequence[Evidence], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the question, and [q; Γ(u)] for each known u that links to a document just read (HELIOS, 4.2)."""
    titles = {document.title for document in documents}
    linking = (piece for piece in known if titles & {link.target for link in links_of(piece)})
    expanded = [f"{question} {render(piece)}" for piece in linking]
    return (question, *expanded[:EXPANSIONS])


def final_ledger(observations: Sequence[Observation], services: Services) -> tuple[Observation, ...]:
    """Return the final k of all rounds, best first, of so many leaves, with a quota for each modality."""
    return select(observations, services.limits.evidence_k, services.limits.leaf_k, services.quotas)


def final_evidence(observations: Sequence[Observation], services: Services) -> tuple[Scored[Evidence], ...]:
    """Return the pieces of the final k with what they are read by: the table behind each row, the lead of each page."""
    chosen = final_ledger(observations, services)
    pieces = tuple(Scored(services.library.evidence(seen.evidence), seen.score) for seen in chosen)
    return with_leads(with_tables(pieces, services.library), services.library)


def with_tables(evidence: Sequence[Scored[Evidence]], library: Library) -> tuple[Scored[Evidence], ...]:
    """Add the whole table behind each row, at the row's score."""
    known = {scored.item.id for scored in evidence}
    tables: dict[str, Scored[Evidence]] = {}
    for scored in evidence:
        if isinstance(scored.item, TableSegment) and scored.item.table not in known | tables.keys():
            tables[scored.item.table] = Scored(library.evidence(scored.item.table), scored.score)
    return (*evidence, *tables.values())


def with_leads(evidence: tuple[Scored[Evidence], ...], library: Library) -> tuple[Scored[Evidence], ...]:
    """Add the first paragraph of each page, which says what the page is about, at the score of its best piece."""
    known = {scored.item.id for scored in evidence}
    leads: dict[PageKey, Scored[Evidence]] = {}
    for scored in evidence:
        page = scored.item.place.page
        lead = lead_of(library.shelf[page])
        if lead is not None and lead.id not in known and page not in leads:
            leads[page] = Scored(lead, scored.score)
    return (*evidence, *leads.values())
