"""Past questions in a run: what they propose before its rounds, and what is remembered of it when it has ended.

Nothing of this enters a prompt: proposals are queries that are searched for and pages among those that are found.
"""

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.queries import quoted
from agent.needs import read_question
from agent.rendering import counted
from agent.searching import ASKED, RoundQueries
from agent.services import Services
from agent.state import State
from heliograph.errors import StoreError
from heliograph.types import (
    Answer,
    AskedQuery,
    Episode,
    HeldPage,
    PageKey,
    Query,
    Recollection,
    RoundRecord,
    SearchResult,
)
from indexers.parser import leaf_of, page_name, page_of
from memory.episodic import unasked

PROPOSAL = Query("")
"""Stands for the query of pages that no search has named but past questions."""
WEIGHT = 2
"""As many lists as one proposal counts for, beside some 20 of a round's queries."""
LOOKED_AT = 10
"""Hits of a query among which pages with evidence count."""
HELD_LEAVES = 8
"""First leaves of the final evidence whose pages held it; behind them stand pieces of nearly every page read."""
NOTHING = Recollection()


async def recollect(state: State, services: Services) -> State:
    """Return what past questions propose, its pages as results that no search has found yet."""
    if services.memory is None:
        return State()
    try:
        found = await services.memory.recollect(state["question"])
    except StoreError as err:
        return State(notes=(f"past questions were not consulted: {err}",))
    if found.repeats and len(found.pages) > services.limits.pages_per_round:
        found = replace(found, repeats=False, queries=())  # more than one round may read
    if found.pages:
        services.progress(_told(found))
    results = (SearchResult(PROPOSAL, found.pages, len(found.pages)),) * WEIGHT if found.pages else ()
    return State(recollection=found, results=results)


async def next_queries(state: State, services: Services) -> RoundQueries:
    """Return the queries of the round that begins: the best one of a question known in full, or new ones.

    The first round asks what the plan says, a later one what the last reflection says, pages that it names included.
    What the rewriter makes is asked where they say nothing, and takes the place of what leads to no unread page.
    Queries that are known to find nothing are left out where others remain.
    """
    known, rounds = state.get("recollection", NOTHING), state.get("rounds", ())
    if known.repeats and not rounds:
        return RoundQueries(known.queries)
    asked_before = () if known.repeats and len(rounds) == 1 else rounds
    told = unasked(_told_queries(state, asked_before), asked_before)
    if not asked_before and told:
        return RoundQueries(told)
    made = unasked((*told, *await services.rewriter.rewrite(read_question(state), asked_before)), asked_before)
    promising = tuple(query for query in made if query not in known.barren)
    queries = unasked(promising or made, rounds) if known.like else made
    if not asked_before:
        return RoundQueries(queries)
    first = sum(query in told for query in queries) or ASKED
    return RoundQueries(queries[:first], queries[first:])


def _told_queries(state: State, rounds: Sequence[RoundRecord]) -> tuple[Query, ...]:
    """Return the queries of the plan or, in a later round, those of the last reflection."""
    if not rounds:
        plan = state.get("plan")
        return plan.queries if plan else ()
    verdict = rounds[-1].verdict
    return tuple(map(Query, (*verdict.queries, *map(quoted, verdict.leads if verdict.queries else ()))))


def to_choose_from(state: State) -> tuple[SearchResult, ...]:
    """Return the results of all rounds; of a question known in full, those that held or made its evidence."""
    results = state.get("results", ())
    if state.get("recollection", NOTHING).repeats and not state.get("rounds"):
        return tuple(each for each in results if each.query == PROPOSAL or any(hit.answers for hit in each.hits))
    return results


def nothing_else_to_seek(state: State) -> bool:
    """Tell whether every page that held the evidence of this very question before has been read again."""
    known = state.get("recollection", NOTHING)
    read = {_titled(key) for key in state.get("documents", ())}
    return state["round"] > 0 and known.repeats and all(hit.page in read for hit in known.pages)


async def remember(state: State, services: Services) -> None:
    """Keep what a run that has ended found; where that cannot be, the answer stands and the user is told."""
    if services.memory is None:
        return
    try:
        await services.memory.keep(episode_of(state, services))
    except StoreError as err:
        services.progress(f"this question is not remembered: {err}")


def episode_of(state: State, services: Services) -> Episode:
    """Return what is worth remembering of a run: queries, page titles, numbers and verdicts."""
    answer, known = state["answer"], state.get("recollection", NOTHING)
    pages = _held_pages(answer, state.get("results", ()))
    return Episode(
        run=services.recorder.run,
        question=answer.question,
        asked=state["started"],
        stop_reason=answer.stop_reason,
        abstained=answer.abstained,
        sufficient=tuple(record.verdict.sufficient for record in answer.rounds),
        verdicts=tuple(claim.verdict for claim in answer.claims),
        queries=_asked_queries(answer, state.get("results", ()), _names(pages, services)),
        pages=pages,
        complete=not known.repeats,
    )


def _held_pages(answer: Answer, results: Sequence[SearchResult]) -> tuple[HeldPage, ...]:
    """Return the pages of the first evidence; one that a source made for this question is of no use to another."""
    made = {hit.page for result in results for hit in result.hits if hit.answers}
    first = set(list(dict.fromkeys(leaf_of(seen.evidence) for seen in answer.evidence))[:HELD_LEAVES])
    final = [page_of(seen.evidence) for seen in answer.evidence if leaf_of(seen.evidence) in first]
    cited = [page_of(citation.evidence) for citation in answer.citations]
    kept = (key for key in dict.fromkeys((*cited, *final)) if _titled(key) not in made)
    return tuple(HeldPage(*_titled(key), final.count(key), cited.count(key)) for key in kept)


def _names(pages: Sequence[HeldPage], services: Services) -> frozenset[tuple[str, str]]:
    """Return wiki and title of the pages, and whatever other title each was found by."""
    held = {(page.wiki, page.title) for page in pages}
    shelf = services.library.shelf.values()
    aliases = {(one.wiki, alias) for one in shelf for alias in one.aliases if (one.wiki, one.title) in held}
    return frozenset(held | aliases)


def _asked_queries(
    answer: Answer, results: Sequence[SearchResult], held: frozenset[tuple[str, str]]
) -> tuple[AskedQuery, ...]:
    """Return every query with what it found; those without a result, where a source may have failed, are left out."""
    by_text: dict[str, list[SearchResult]] = {}
    for result in results:
        by_text.setdefault(result.query.text, []).append(result)
    certain = all(report.status in ("ok", "empty") and not report.detail for report in answer.sources)
    texts = dict.fromkeys(text for record in answer.rounds for text in record.queries)
    return tuple(_asked(text, by_text.get(text, ()), held) for text in texts if text in by_text or certain)


def _asked(text: str, found: Sequence[SearchResult], held: frozenset[tuple[str, str]]) -> AskedQuery:
    first = {hit.page for result in found for hit in result.hits[:LOOKED_AT]}
    return AskedQuery(text, max((result.total for result in found), default=0), len(first & held))


def _titled(key: PageKey) -> tuple[str, str]:
    name = page_name(key)
    return name.wiki, name.title


def _told(found: Recollection) -> str:
    asked = f"{counted(len(found.like), 'earlier question')} like this one"
    if found.repeats:
        return "this question was answered before: looking again where its evidence was"
    return f"{asked}: {counted(len(found.pages), 'page')} held evidence"
