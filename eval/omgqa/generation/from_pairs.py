"""OMG-QA's first pipeline: a question from rows of two tables, revised so that it needs a text too (section 2.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agent.language.framing import EvidenceFrames, Frame
from eval.omgqa.generation.articles import keys_of
from eval.omgqa.generation.candidates import Candidate
from eval.omgqa.generation.drafts import Draft, Refusal
from eval.omgqa.generation.replies import WrittenQuestion
from eval.omgqa.generation.wording import answer_fault, question_fault
from heliograph.errors import ContextOverflow, ModelMalformed
from heliograph.protocols import LLM
from heliograph.types import (
    Document,
    Evidence,
    EvidenceId,
    Leaf,
    Prompt,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
    modality_of,
)
from indexers.linking.words import name_key
from indexers.links import links_of, subject_of
from indexers.parser import find_evidence, page_of, segments
from prompts import render_prompt
from prompts.harmless import clipped, harmless

T = TypeVar("T")

MOST_ROWS = 12
"""Of each table, those with names that both share first."""
MOST_TEXTS = 6
"""Paragraphs of each article, those that say a shared name first."""


@dataclass(frozen=True, slots=True)
class PairWriter:
    """Makes one draft of a pair of tables, in two askings."""

    llm: LLM

    async def drafts(self, candidate: Candidate, pages: Sequence[Document]) -> tuple[Draft, ...]:
        """Return the draft, refused where the model wrote none that can be read on.

        Raises:
            ModelError: the model cannot be asked.
        """
        try:
            return (await self._written(candidate, pages),)
        except (ModelMalformed, ContextOverflow) as err:
            return (Draft(candidate.id, "", "", (), refused=Refusal("reply", str(err))),)

    async def _written(self, candidate: Candidate, pages: Sequence[Document]) -> Draft:
        frames = EvidenceFrames(self.llm)
        system, rows = render_prompt("draw_question"), rows_of(candidate, pages)
        frame = frames.frame(_scored(rows), system)
        first = await self.llm.ask(Prompt("draw_question", system, (frame.text,)), WrittenQuestion)
        system, so_far = render_prompt("revise_question"), _so_far(first)
        kept = [piece for piece in map(frame.piece, first.pieces) if piece is not None]
        frame = frames.frame(_scored([*kept, *texts_of(candidate, pages), *rows]), system, so_far)
        second = await self.llm.ask(Prompt("revise_question", system, (frame.text, so_far)), WrittenQuestion)
        return draft_of(candidate.id, second, frame, pages)


def rows_of(candidate: Candidate, pages: Sequence[Document]) -> tuple[TableSegment, ...]:
    """Return rows of both tables in turn, those with shared names before the others."""
    tables = [find_evidence(page, table) for page, table in zip(pages, candidate.tables, strict=True)]
    ranked = [_shared_first(segments(table), candidate) for table in tables if isinstance(table, TableEvidence)]
    return in_turn(ranked)


def texts_of(candidate: Candidate, pages: Sequence[Document]) -> tuple[TextEvidence, ...]:
    """Return paragraphs of both articles in turn, those that say a shared name before the others."""
    ranked = []
    for page in pages:
        texts = [leaf for leaf in page.leaves if isinstance(leaf, TextEvidence)]
        ranked.append(sorted(texts, key=lambda leaf: not _says_shared(leaf.text, candidate))[:MOST_TEXTS])
    return in_turn(ranked)


def draft_of(name: str, reply: WrittenQuestion, frame: Frame, pages: Sequence[Document]) -> Draft:
    """Turn a reply into a draft: handles into nodes, and what its words and its nodes lack into a refusal."""
    question, answer = harmless(reply.question), harmless(reply.answer)
    named = {handle: frame.piece(handle) for handle in reply.pieces}
    pieces = [piece for piece in named.values() if piece is not None]
    strange = [handle for handle, piece in named.items() if piece is None]
    refused = question_fault(question) or answer_fault(answer) or _nodes_fault(strange, pieces, len(pages))
    rows = tuple(piece.id for piece in pieces if isinstance(piece, TableSegment))
    return Draft(name, question, answer, _leaves(pieces, pages), rows, refused)


def in_turn(lists: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """Return the first of each list, then the second of each, as far as they go."""
    longest = max(map(len, lists), default=0)
    return tuple(each[place] for place in range(longest) for each in lists if place < len(each))


def _so_far(first: WrittenQuestion) -> str:
    question = harmless(first.question)
    return render_prompt("question_so_far", question=question, answer=harmless(first.answer))


def _shared_first(rows: Sequence[TableSegment], candidate: Candidate) -> list[TableSegment]:
    shared = frozenset(candidate.shared)

    def has_none(row: TableSegment) -> bool:
        names = [subject_of(row), *(link.target.partition("#")[0] for link in links_of(row))]
        return not keys_of(names) & shared

    return sorted(rows, key=has_none)[:MOST_ROWS]


def _says_shared(text: str, candidate: Candidate) -> bool:
    words = f" {name_key(text)} "
    return any(f" {name} " in words for name in candidate.shared)


def _nodes_fault(strange: Sequence[str], pieces: Sequence[Evidence], pages: int) -> Refusal | None:
    if strange:
        return Refusal("nodes", f"it names a piece that was not shown: {clipped(harmless(strange[0]), 40)}")
    if missing := {"text", "table"} - {modality_of(piece) for piece in pieces}:
        return Refusal("nodes", f"it names no {' and no '.join(sorted(missing))}")
    if len({page_of(piece.id) for piece in pieces}) < pages:
        return Refusal("nodes", "it names pieces of one article only")
    return None


def _leaves(pieces: Sequence[Evidence], pages: Sequence[Document]) -> tuple[Leaf, ...]:
    """Return the leaves that pieces are or stand in, in document order."""
    named: set[EvidenceId] = {piece.table if isinstance(piece, TableSegment) else piece.id for piece in pieces}
    return tuple(leaf for page in pages for leaf in page.leaves if leaf.id in named)


def _scored(pieces: Iterable[Evidence]) -> list[Scored[Evidence]]:
    return [Scored(piece, 1.0) for piece in pieces]
