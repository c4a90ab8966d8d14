"""The gates that a model opens: it reads the nodes that a draft names, then those of all modalities but one."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.language.reader import LanguageReader
from eval.omgqa.generation.agreeing import agree
from eval.omgqa.generation.drafts import Draft, Passed, Refusal, Rejected
from eval.omgqa.generation.wording import answer_fault, told_fault
from eval.omgqa.records import OmgQuestion
from eval.omgqa.trees import omg_document
from heliograph.errors import ContextOverflow, ModelMalformed
from heliograph.protocols import LLM
from heliograph.types import MODALITIES, Document, Evidence, Leaf, Modality, Scored, TableEvidence, modality_of
from indexers.parser import segments

MOST_ROWS = 40
"""Rows of a table that are read beside those that the draft names."""


@dataclass(frozen=True, slots=True)
class Checker:
    """Has a model answer drafts; `source` names pipeline and model in the questions that pass."""

    llm: LLM
    source: str

    async def checked(self, draft: Draft, documents: Sequence[Document]) -> Passed | Rejected:
        """Return a draft as a question, or why it is none.

        Raises:
            ModelError: the model cannot be asked.
        """
        found = draft.refused or await self._read(draft)
        if isinstance(found, Refusal):
            return rejected(draft, found)
        evidence = tuple(leaf.id for leaf in draft.leaves)
        question = OmgQuestion(draft.id, draft.question, (found,), evidence, needed(draft.leaves), self.source)
        pages = {leaf.place.page for leaf in draft.leaves}
        return Passed(question, tuple(omg_document(each) for each in documents if each.key in pages))

    async def _read(self, draft: Draft) -> str | Refusal:
        """Return the answer, in the words of the draft if it has any."""
        try:
            return await self._answered(draft)
        except (ModelMalformed, ContextOverflow) as err:
            return Refusal("reply", f"a reader of its nodes gave none: {err}")

    async def _answered(self, draft: Draft) -> str | Refusal:
        pieces = pieces_of(draft)
        said = await self._said(draft.question, pieces)
        if not said:
            return Refusal("answerable", "a reader of its nodes finds no answer")
        if draft.answer and not agree(said, draft.answer):
            return Refusal("answerable", f"a reader of its nodes answers {said}, not {draft.answer}")
        if refused := answer_fault(said) or told_fault(draft.question, said):
            return refused
        again = await self._said(draft.question, pieces[::-1])
        if not agree(said, again):
            return Refusal("one answer", f"read in another order, its nodes answer {again or 'nothing'}, not {said}")
        return await self._without_each(draft, said) or draft.answer or said

    async def _without_each(self, draft: Draft, answer: str) -> Refusal | None:
        """Refuse a draft that is answered without one of its modalities, and so does not need it."""
        for modality in needed(draft.leaves):
            rest = tuple(piece for piece in pieces_of(draft) if modality_of(piece) != modality)
            if agree(await self._said(draft.question, rest), answer):
                return Refusal("modalities", f"it is answered without its {modality} nodes")
        return None

    async def _said(self, question: str, pieces: Sequence[Evidence]) -> str:
        return await LanguageReader(self.llm).read(question, [Scored(piece, 1.0) for piece in pieces])


def rejected(draft: Draft, refusal: Refusal) -> Rejected:
    """Return a draft with why it goes no further."""
    return Rejected(draft.id, draft.question, draft.answer, tuple(leaf.id for leaf in draft.leaves), refusal)


def needed(leaves: Sequence[Leaf]) -> tuple[Modality, ...]:
    """Return the modalities of leaves in the order of all."""
    held = {modality_of(leaf) for leaf in leaves}
    return tuple(modality for modality in MODALITIES if modality in held)


def pieces_of(draft: Draft) -> tuple[Evidence, ...]:
    """Return what a reader of a draft's nodes sees: tables row by row, what the draft names before the rest."""
    named: list[Evidence] = []
    others: list[Evidence] = []
    for leaf in draft.leaves:
        if isinstance(leaf, TableEvidence):
            rows = segments(leaf)
            named += [row for row in rows if row.id in draft.rows]
            others += [row for row in rows if row.id not in draft.rows][:MOST_ROWS]
        else:
            named.append(leaf)
    return (*named, *others)
