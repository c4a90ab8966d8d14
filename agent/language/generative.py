"""Evidence by the table of contents (OMG-QA, section A.1: generative and hybrid retrievers; Figure 2)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from agent.language.at_once import all_at_once
from agent.language.contents import contents_part
from agent.language.framing import question_part
from agent.language.replies import SectionChoice
from heliograph.protocols import LLM, EvidenceIndex
from heliograph.types import (
    Document,
    EvidenceId,
    Indexed,
    Modality,
    PageKey,
    Prompt,
    Scored,
    Section,
    modality_of,
)
from indexers.parser import leaf_of
from indexers.toc import nodes, table_of_contents
from prompts import render_prompt
from prompts.harmless import clipped, harmless

MOST_SECTIONS = 5
"""Sections of one page that are read."""
DEPTH = 200
"""Dense candidates among which a hybrid looks for those of the sections named."""
TITLE_CHARACTERS = 120
GENERATIVE: frozenset[Modality] = frozenset(("text",))
"""The paper compares retrievers of text; tables and images keep their own indexes."""


class GenerativeEvidenceIndex:
    """Have a model name sections by number from each page's table of contents, and return what stands in them.

    A piece scores 1 / (1 + place) by the place at which its section was named, in (0, 1]; pieces of one place stand
    page by page in document order. A hybrid ranks the pieces of the named sections as the index does, with its scores;
    where no candidate of the index stands in them, the candidates stand as they are. Either score only chooses which
    pieces are reranked.

    The first query of a run is its question and is what models are asked. Other queries are expanded by evidence
    (HELIOS, section 4.2), which is the index's business, and go to it. Each page is asked about once a run.

    Args:
        index: keeps the evidence, and answers for modalities that are not in `modalities`.
        document: looks up a page that was added.
        hybrid: rank by the index within the sections named.
        modalities: with a text-only index all of them, since its text search answers for every modality.
    """

    def __init__(
        self,
        index: EvidenceIndex,
        llm: LLM,
        document: Callable[[PageKey], Document],
        *,
        hybrid: bool = False,
        modalities: Collection[Modality] = GENERATIVE,
    ) -> None:
        self._index = index
        self._llm = llm
        self._document = document
        self._hybrid = hybrid
        self._modalities = frozenset(modalities)
        self._question: str | None = None
        self._named: dict[PageKey, tuple[str, ...]] = {}

    async def add(self, documents: Sequence[Document]) -> Indexed:
        """Index what is new; images and rows are found by the index."""
        return await self._index.add(documents)

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        """Return at most k pieces, best first.

        Raises:
            ModelError: the model cannot be asked about a page.
        """
        self._question = self._question or query
        if query != self._question or modality not in self._modalities or k < 1:
            return await self._index.retrieve(query, modality, k, within)
        await self._read_contents(within)
        ranked = self._pieces(modality, within)
        if not self._hybrid:
            return ranked[:k]
        named = {scored.item for scored in ranked}
        dense = await self._index.retrieve(query, modality, max(k, DEPTH), within)
        inside = tuple(scored for scored in dense if leaf_of(scored.item) in named)
        return (inside or dense)[:k]

    async def _read_contents(self, within: Sequence[PageKey]) -> None:
        new = [key for key in dict.fromkeys(within) if key not in self._named]
        named = await all_at_once(self._sections(self._document(key)) for key in new)
        self._named.update(zip(new, named, strict=True))

    async def _sections(self, document: Document) -> tuple[str, ...]:
        """Return the ids of the sections that the model names; a page of one section has no contents to read."""
        if len(document.sections) == 1:
            return (document.sections[0].id,)
        system, asked = render_prompt("choose_sections"), question_part(self._question or "")
        prompt = Prompt("choose_sections", system, (asked, self._contents(document, system, asked)))
        reply = await self._llm.ask(prompt, SectionChoice)
        listed = nodes(document)
        numbers = dict.fromkeys(number for number in reply.sections if 0 <= number < len(listed))
        chosen = [node.id for number in numbers if isinstance(node := listed[number], Section)]
        return tuple(chosen)[:MOST_SECTIONS]

    def _contents(self, document: Document, *beside: str) -> str:
        """Return the table of contents as a part of a prompt, from the top as far as there is room."""
        plain = replace(document, sections=tuple(map(_plain, document.sections)))
        return contents_part(self._llm, document.title, table_of_contents(plain, listed=()), *beside)

    def _pieces(self, modality: Modality, within: Sequence[PageKey]) -> tuple[Scored[EvidenceId], ...]:
        found: list[Scored[EvidenceId]] = []
        for key in dict.fromkeys(within):
            document = self._document(key)
            places = section_places(document, self._named[key])
            found += [
                Scored(leaf.id, 1 / (1 + places[leaf.place.section]))
                for leaf in document.leaves
                if leaf.place.section in places and self._answers_for(modality_of(leaf), modality)
            ]
        return tuple(sorted(found, key=lambda scored: -scored.score))

    def _answers_for(self, held: Modality, asked: Modality) -> bool:
        return held == asked or (asked == "text" and held in self._modalities)


def section_places(document: Document, named: Sequence[str]) -> Mapping[str, int]:
    """Return at which place each section was named, from 0; one without leaves of its own stands for those inside."""
    with_leaves = {leaf.place.section for leaf in document.leaves}
    places: dict[str, int] = {}
    for place, section in enumerate(named):
        inside = (section,) if section in with_leaves else _inside(document, section)
        for each in inside:
            places.setdefault(each, place)
    return places


def _inside(document: Document, section: str) -> tuple[str, ...]:
    found = {section}
    for each in document.sections:
        if each.parent in found:
            found.add(each.id)
    return tuple(each.id for each in document.sections if each.id in found)


def _plain(section: Section) -> Section:
    return replace(section, title=clipped(harmless(section.title), TITLE_CHARACTERS))
