"""OMG-QA's second pipeline: questions of several modalities from a page's table of contents (section 2.1, Figure 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.language.contents import contents_part
from agent.language.generative import section_places
from eval.omgqa.generation.candidates import LEAST_MODALITIES, Candidate
from eval.omgqa.generation.drafts import Draft, Refusal
from eval.omgqa.generation.replies import (
    ContentsQuestion,
    ContentsQuestions,
    NamedNode,
)
from eval.omgqa.generation.wording import question_fault
from heliograph.errors import ContextOverflow, ModelMalformed
from heliograph.protocols import LLM
from heliograph.types import (
    Document,
    ImageEvidence,
    Leaf,
    Prompt,
    Section,
    TableEvidence,
    TextEvidence,
    modality_of,
)
from indexers.toc import Node, nodes, table_of_contents
from prompts import render_prompt
from prompts.harmless import clipped, harmless

TITLE_CHARACTERS = 120
NUMBER = "-{}"
"""What follows the id of a candidate in those of its drafts."""


@dataclass(frozen=True, slots=True)
class ContentsWriter:
    """Makes some drafts of an article, in one asking."""

    llm: LLM

    async def drafts(self, candidate: Candidate, pages: Sequence[Document]) -> tuple[Draft, ...]:
        """Return the drafts, refused where their words or nodes will not do.

        Raises:
            ModelError: the model cannot be asked.
        """
        page, system = pages[0], render_prompt("draw_from_contents")
        try:
            prompt = Prompt(
                "draw_from_contents",
                system,
                (contents_part(self.llm, page.title, table_of_contents(_plain(page)), system),),
            )
            reply = await self.llm.ask(prompt, ContentsQuestions)
        except (ModelMalformed, ContextOverflow) as err:
            return (Draft(candidate.id, "", "", (), refused=Refusal("reply", str(err))),)
        if not reply.questions:
            return (Draft(candidate.id, "", "", (), refused=Refusal("reply", "the model wrote no question")),)
        numbered = enumerate(reply.questions, start=1)
        return tuple(draft_of(candidate.id + NUMBER.format(number), each, page) for number, each in numbered)


def draft_of(name: str, reply: ContentsQuestion, page: Document) -> Draft:
    """Turn a reply into a draft: numbers into leaves, and what its words and its nodes lack into a refusal."""
    question, listed = harmless(reply.question), nodes(page)
    found = {leaf.id for named in reply.nodes for leaf in leaves_of(named, listed, page)}
    leaves = tuple(leaf for leaf in page.leaves if leaf.id in found)
    faults = (fault for named in reply.nodes if (fault := _node_fault(named, listed, page)))
    refused = question_fault(question) or next(faults, None) or _modalities_fault(leaves)
    return Draft(name, question, "", leaves, refused=refused)


def leaves_of(named: NamedNode, listed: Sequence[Node], page: Document) -> tuple[Leaf, ...]:
    """Return what a number stands for: the leaf, or the texts of a section; nothing where it is of another modality."""
    if not 0 <= named.number < len(listed):
        return ()
    node = listed[named.number]
    if not isinstance(node, Section):
        return (node,) if modality_of(node) == named.modality else ()
    if named.modality != "text":
        return ()
    inside = section_places(page, (node.id,))
    return tuple(leaf for leaf in page.leaves if isinstance(leaf, TextEvidence) and leaf.place.section in inside)


def _node_fault(named: NamedNode, listed: Sequence[Node], page: Document) -> Refusal | None:
    if not 0 <= named.number < len(listed):
        return Refusal("nodes", f"there is no node {named.number}")
    if leaves_of(named, listed, page):
        return None
    node = listed[named.number]
    kind = "a section without texts" if isinstance(node, Section) else f"a node of modality {modality_of(node)}"
    if isinstance(node, Section) and named.modality != "text":
        kind = "a section"
    return Refusal("nodes", f"node {named.number} is {kind}, and is said to be {named.modality}")


def _modalities_fault(leaves: Sequence[Leaf]) -> Refusal | None:
    held = {modality_of(leaf) for leaf in leaves}
    if len(held) >= LEAST_MODALITIES:
        return None
    return Refusal("nodes", f"it names nodes of {' and '.join(sorted(held)) or 'no modality'} only")


def _plain(page: Document) -> Document:
    """Return a page whose titles and captions can stand in a prompt; the numbers of its nodes stay."""
    sections = tuple(replace(section, title=_words(section.title)) for section in page.sections)
    return replace(page, sections=sections, leaves=tuple(map(_plain_leaf, page.leaves)))


def _plain_leaf(leaf: Leaf) -> Leaf:
    match leaf:
        case TableEvidence():
            return replace(leaf, caption=_words(leaf.caption), header=(_words(", ".join(filter(None, leaf.header))),))
        case ImageEvidence():
            return replace(leaf, caption=_words(leaf.caption), alt=_words(leaf.alt))
        case TextEvidence():
            return leaf


def _words(text: str) -> str:
    return clipped(harmless(text), TITLE_CHARACTERS)
