"""Ask every question of a set and measure the answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from eval.offline.dataset import GoldQuestion
from eval.offline.metrics import Outcome, outcome
from heliograph.protocols import PageStore
from heliograph.types import Answer, Document, Evidence, EvidenceId, PageKey
from indexers.parser import find_evidence, page_of, parse_page


async def measure(
    questions: Sequence[GoldQuestion],
    ask: Callable[[str], Awaitable[Answer]],
    store: PageStore,
    told: Callable[[GoldQuestion, Answer, Outcome], None],
) -> tuple[Outcome, ...]:
    """Ask one question after the other; `told` hears each result."""
    shelf: dict[PageKey, Document] = {}
    outcomes = []
    for question in questions:
        answer = await ask(question.question)
        result = outcome(question, answer, pieces_of_answer(answer, store, shelf))
        told(question, answer, result)
        outcomes.append(result)
    return tuple(outcomes)


def pieces_of_answer(
    answer: Answer, store: PageStore, shelf: dict[PageKey, Document] | None = None
) -> Mapping[EvidenceId, Evidence]:
    """Return the final evidence of an answer and what it cites; pages that are parsed go to the `shelf`."""
    shelf = {} if shelf is None else shelf
    wanted = [seen.evidence for seen in answer.evidence] + [citation.evidence for citation in answer.citations]
    for page in {page_of(evidence) for evidence in wanted} - shelf.keys():
        shelf[page] = parse_page(store.get(page))
    return {evidence: find_evidence(shelf[page_of(evidence)], evidence) for evidence in wanted}
