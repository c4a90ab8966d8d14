"""Results as text for a model: page text inside a frame that no page can end."""

from collections.abc import Iterable, Sequence
from secrets import token_hex

from prompts import render_prompt
from prompts.harmless import harmless
from web.mcp.results import (
    CheckedAnswer,
    FoundEntities,
    GraphEdge,
    KnownEntity,
    ReadDocument,
    RetrievedEvidence,
    SearchedDocuments,
    TableTextGraph,
)

Result = SearchedDocuments | ReadDocument | RetrievedEvidence | TableTextGraph | CheckedAnswer | FoundEntities


def framed(result: Result) -> str:
    """Return a result as text; the frame's boundary is new each time, and each line of it is one line of ours."""
    lines = map(harmless, _lines(result))
    return render_prompt("framed_pages", boundary=f"PAGE TEXT {token_hex(8)}", lines="\n".join(lines))


def _lines(result: Result) -> Sequence[str]:
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
        case FoundEntities():
            beyond = result.total - len(result.entities)
            lines = [line for each in result.entities for line in _entity_lines(each)] or ["no entity was found"]
            return [*lines, f"{beyond} more"] if beyond > 0 else lines
        case CheckedAnswer():
            return [result.answer, *_cited(result), *result.notes]


def _edge(edge: GraphEdge) -> str:
    linked = f" => {edge.passage} {edge.passage_text}" if edge.passage else ""
    return f"{edge.row} {edge.row_text}{linked}"


def _entity_lines(entity: KnownEntity) -> Iterable[str]:
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    yield f"{entity.id}: {entity.name} ({entity.type}){also}{f': {entity.text}' if entity.text else ''}"
    yield from (f"  {line}" for line in entity.shown_by)


def _cited(result: CheckedAnswer) -> Iterable[str]:
    return (f"{each.marker}: {each.evidence} {each.title}: {each.quote}" for each in result.citations)
