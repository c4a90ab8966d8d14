"""The tools: each asks Heliograph, tells its progress, and gives typed data back; our errors are errors of the tool."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from agent.answer_parts import hedge
from agent.api import Agent
from heliograph.errors import HeliographError, UnknownName
from heliograph.types import Answer, Answered, Document, FoundEdge, FoundEvidence, Leaf, Progressed, modality_of
from indexers.render import render
from prompts.harmless import harmless
from web.mcp.framing import Result, framed
from web.mcp.results import (
    AnswerCitation,
    AnswerClaim,
    CheckedAnswer,
    FoundPage,
    GraphEdge,
    Piece,
    RankedPiece,
    ReadDocument,
    RetrievedEvidence,
    SearchedDocuments,
    SourceState,
    TableTextGraph,
)
from web.mcp.turns import Turns

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

Question = Annotated[str, Field(description="A question in natural language.", min_length=1, max_length=4000)]
Titles = Annotated[
    tuple[str, ...], Field(description="Read these pages alone; leave empty to have pages searched for.", max_length=50)
]
Limit = Annotated[int, Field(ge=1, le=50)]


def told(tool: Callable[P, Awaitable[Result]]) -> Callable[P, Awaitable[CallToolResult]]:
    """Give a result as structured data and as framed text; an error of ours is the tool's, in our words."""

    @wraps(tool)
    async def telling(*args: P.args, **named: P.kwargs) -> CallToolResult:
        try:
            result = await tool(*args, **named)
        except HeliographError as err:
            return CallToolResult(content=[TextContent(type="text", text=harmless(str(err)))], is_error=True)
        text = TextContent(type="text", text=framed(result))
        return CallToolResult(content=[text], structured_content=result.model_dump(mode="json"))

    return telling


@asynccontextmanager
async def progress_of(context: Context[Any, Any]) -> AsyncIterator[Callable[[str], None]]:
    """Give what takes steps in words and sends them to the client in their order; all are sent when the block ends.

    Where they cannot be sent, the client being gone say, the rest is left unsaid: the work is worth its result.
    """
    steps: asyncio.Queue[str | None] = asyncio.Queue()

    async def send() -> None:
        number = 0
        while (step := await steps.get()) is not None:
            number += 1
            await context.report_progress(number, None, step)

    sending = asyncio.create_task(send())
    try:
        yield steps.put_nowait
        steps.put_nowait(None)
        await asyncio.wait({sending})
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Tools:
    """The five tools over one Heliograph; calls run side by side, those that research as many as `turns` lets."""

    agent: Agent
    turns: Turns

    async def search_documents(
        self,
        query: Annotated[str, Field(description="A few rare words; all should stand on the page.", max_length=300)],
        limit: Limit = 10,
    ) -> SearchedDocuments:
        """Search the configured wikis and archives for pages; read_document reads one."""
        found = await self.agent.search(query, limit)
        pages = [FoundPage(title=hit.title, wiki=hit.wiki, rank=hit.rank) for hit in found.hits]
        sources = [SourceState(name=each.name, status=each.status, detail=each.detail) for each in found.sources]
        return SearchedDocuments(query=query, pages=pages, sources=sources)

    async def read_document(
        self,
        title: Annotated[str, Field(description="Title of the page, as search_documents gives it.", max_length=300)],
        wiki: Annotated[str, Field(description="Whose page; the first source's if empty.")] = "",
        section: Annotated[str, Field(description="Only this section and those below it; empty for all.")] = "",
        offset: Annotated[int, Field(ge=0, description="Pieces to leave out in front.")] = 0,
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
    ) -> ReadDocument:
        """Read a page as paragraphs, lists, tables and pictures, each with the id by which it is cited."""
        return page_of(await self.agent.read(title, wiki), section, offset, limit)

    async def retrieve_evidence(
        self,
        question: Question,
        context: Context[Any, Any],
        titles: Titles = (),
        limit: Limit = 20,
    ) -> RetrievedEvidence:
        """Find the evidence that a question needs, in up to three rounds of searching and reading; no answer."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            found = await self.agent.retrieve(question, titles, progress=progress)
        return RetrievedEvidence(question=question, evidence=list(map(ranked, found[:limit])))

    async def table_text_graph(
        self,
        question: Question,
        context: Context[Any, Any],
        titles: Titles = (),
        limit: Limit = 20,
    ) -> TableTextGraph:
        """Find table rows together with the passages that their cells link to, ranked as pairs for a question."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            found = await self.agent.retrieve_graph(question, titles, limit=limit, progress=progress)
        return TableTextGraph(question=question, edges=list(map(edge, found)))

    async def ask(self, question: Question, context: Context[Any, Any]) -> CheckedAnswer:
        """Answer a question from text, tables and images; every claim is cited and checked, or there is no answer."""
        answer: Answer | None = None
        async with (
            progress_of(context) as progress,
            self.turns.turn(progress),
            aclosing(self.agent.stream(question)) as events,
        ):
            async for event in events:
                if isinstance(event, Progressed):
                    progress(event.text)
                elif isinstance(event, Answered):
                    answer = event.answer
        assert answer is not None, "a stream ends in its answer or raises"
        return checked(answer)


def page_of(document: Document, section: str, offset: int, limit: int) -> ReadDocument:
    """Return some pieces of a page.

    Raises:
        UnknownName: it has no such section.
    """
    leaves = [leaf for leaf in document.leaves if not section or _within(leaf, section)]
    if section and section not in {each.title for each in document.sections}:
        titles = "; ".join(each.title for each in document.sections)
        raise UnknownName(f"{document.title} has no section {section!r}; it has {titles}")
    shown = leaves[offset : offset + limit]
    return ReadDocument(
        title=document.title,
        wiki=document.wiki,
        revision=document.revision,
        url=document.url,
        licence=document.licence,
        attribution=document.attribution,
        sections=[each.title for each in document.sections],
        pieces=[_piece(leaf) for leaf in shown],
        next_offset=offset + limit if offset + limit < len(leaves) else None,
    )


def ranked(found: FoundEvidence) -> RankedPiece:
    """Return a piece of evidence with its place and score."""
    return RankedPiece(
        id=found.id,
        modality=found.modality,
        section=" > ".join(found.place.path),
        text=found.text,
        title=found.place.title,
        url=found.url,
        score=found.score,
        round=found.round,
    )


def edge(found: FoundEdge) -> GraphEdge:
    """Return an edge."""
    return GraphEdge(
        row=found.row,
        row_text=found.row_text,
        passage=found.passage,
        passage_text=found.passage_text,
        score=found.score,
    )


def checked(answer: Answer) -> CheckedAnswer:
    """Return an answer record as the tool gives it."""
    return CheckedAnswer(
        run=answer.run,
        question=answer.question,
        answer=_marked(answer),
        abstained=answer.abstained,
        stop_reason=answer.stop_reason,
        claims=[
            AnswerClaim(text=each.text, verdict=each.verdict, markers=[cited.marker for cited in each.citations])
            for each in answer.claims
        ],
        citations=[
            AnswerCitation(
                marker=each.marker,
                evidence=each.evidence,
                modality=each.modality,
                title=each.title,
                section=each.section,
                url=each.url,
                quote=each.quote,
                licence=each.licence,
                attribution=each.attribution,
            )
            for each in answer.citations
        ],
        sources=[SourceState(name=each.name, status=each.status, detail=each.detail) for each in answer.sources],
        notes=list(answer.notes),
        seconds=answer.seconds,
    )


def _marked(answer: Answer) -> str:
    """Return the answer made harmless, with its markers in square brackets, which nothing of a page keeps."""
    if answer.abstained:
        return harmless(answer.answer)
    said = " ".join(
        f"{harmless(claim.text)} {''.join(f'[{cited.marker}]' for cited in claim.citations)}".rstrip()
        for claim in answer.claims
    )
    return f"{hedge(answer)}{said}"


def _within(leaf: Leaf, section: str) -> bool:
    return section in leaf.place.path or (not leaf.place.path and section == leaf.place.title)


def _piece(leaf: Leaf) -> Piece:
    return Piece(id=leaf.id, modality=modality_of(leaf), section=" > ".join(leaf.place.path), text=render(leaf))
