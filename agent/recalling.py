"""Evidence of earlier turns of a conversation, known by its ids and read from the page store."""

from dataclasses import dataclass

from agent.services import Services
from agent.state import State
from heliograph.errors import HostilePage, UnknownName
from heliograph.types import EvidenceId, Hit, Observation, PageKey
from indexers.parser import page_of


@dataclass(frozen=True, slots=True)
class Recalled:
    """The pages whose evidence was recalled, and its scores against the question of now."""

    documents: tuple[PageKey, ...]
    observations: tuple[Observation, ...]


async def recall_evidence(state: State, services: Services) -> Recalled:
    """Read the pages of the earlier evidence from the store and score it; what is not kept any more is passed over."""
    evidence = [piece for piece in dict.fromkeys(services.earlier) if await _kept(piece, services)]
    if not evidence:
        return Recalled((), ())
    documents = tuple(dict.fromkeys(map(page_of, evidence)))
    await services.index.add(services.library.documents(documents))
    pieces = tuple(map(services.library.evidence, evidence))
    observed = await services.evidence_reranker.rerank(state["question"], pieces, (), 0)
    return Recalled(documents, observed)


async def _kept(evidence: EvidenceId, services: Services) -> bool:
    """Put the page of a piece into the library, if the store has it and the piece stands on it."""
    try:
        key = page_of(evidence)
        if key not in services.library.shelf:
            page = await services.pages.kept(key)
            await services.library.add(page, Hit(page.title, 1, page.wiki))
        services.library.evidence(evidence)
    except (UnknownName, HostilePage):
        return False
    return True
