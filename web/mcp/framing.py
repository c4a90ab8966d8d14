"""Results as text for a model: text of pages and knowledge bases inside a frame that none of it can end."""

from collections.abc import Iterable, Sequence
from secrets import token_hex

from prompts import render_prompt
from prompts.harmless import harmless
from web.mcp.results import (
    CheckedAnswer,
    FoundEntities,
    GraphEdge,
    KnownEntity,
    ReachedEntity,
    ReadDocument,
    RetrievedEvidence,
    SearchedDocuments,
    SearchedEntities,
    TableTextGraph,
)

PageResult = SearchedDocuments | ReadDocument | RetrievedEvidence | TableTextGraph | CheckedAnswer
KnowledgeResult = SearchedEntities | FoundEntities
Result = PageResult | KnowledgeResult


def framed(result: Result) -> str:
    """Return a result as text; the frame's boundary is new each time, and each line of it is one line of ours."""
    if isinstance(result, SearchedEntities | FoundEntities):
        lines = "\n".join(map(harmless, _knowledge_lines(result)))
        return render_prompt("framed_knowledge", boundary=f"KNOWLEDGE BASE {token_hex(8)}", lines=lines)
    lines = "\n".join(map(harmless, _page_lines(result)))
    return render_prompt("framed_pages", boundary=f"PAGE TEXT {token_hex(8)}", lines=lines)


def _knowledge_lines(result: KnowledgeResult) -> Sequence[str]:
    lines = [line for each in result.entities for line in _entity_lines(each)] or ["no entity was found"]
    beyond = result.total - len(result.entities) if isinstance(result, FoundEntities) else 0
    return [*lines, f"{beyond} more"] if beyond > 0 else lines


def _page_lines(result: PageResult) -> Sequence[str]:
    match result:
        case SearchedDocuments():
            found = [f"{page.rank}. {page.title} ({page.wiki})" for page in result.pages]
            return [
                *(found or ["no page was found"]),
                *(f"source {each.name}: {each.status}" for each in result.sources),
            ]
        case ReadDocument():
            more = [] if result.next_offset is None else [f"the page goes on at offset {result.next_offset}"]
            pieces = [f"{each.id} {each.section}: {each.text}" for each in result.pieces]
            return [f"{result.title}, revision {result.revision}, {result.url}", *pieces, *more]
        case RetrievedEvidence():
            return [f"{each.id} score {each.score:.2f}: {each.text}" for each in result.evidence] or [
                "nothing was found"
            ]
        case TableTextGraph():
            return [_edge(each) for each in result.edges] or ["the pages have no tables"]
        case CheckedAnswer():
            return [result.answer, *_cited(result), *result.notes]


def _edge(edge: GraphEdge) -> str:
    linked = f" => {edge.passage} {edge.passage_text}" if edge.passage else ""
    return f"{edge.row} {edge.row_text}{linked}"


def _entity_lines(entity: KnownEntity) -> Iterable[str]:
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    yield f"{entity.id}: {entity.name} ({entity.type}){also}{f': {entity.text}' if entity.text else ''}"
    if isinstance(entity, ReachedEntity):
        yield from (f"- {'; '.join(path)}" for path in entity.paths)


def _cited(result: CheckedAnswer) -> Iterable[str]:
    return (f"{each.marker}: {each.evidence} {each.title}: {each.quote}" for each in result.citations)
