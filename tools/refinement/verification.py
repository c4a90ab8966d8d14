"""Passage verification, star by star (HELIOS, section 4.3, second phase)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from heliograph.errors import ContextOverflow, ModelError
from heliograph.protocols import LLM, DataGraph
from heliograph.types import Edge, Prompt, Star
from prompts import render_prompt
from tools.refinement.framing import PromptRoom, framed, passage_line, question_part, segment_line
from tools.refinement.replies import PassageChoice
from tools.refinement.stars import batches, stars_of
from tools.refinement.waves import in_waves

PASSAGE_CHARACTERS = (1_200, 600, 300, 150)
"""Characters of each passage that are shown: as many as fit, the same for all of a star."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Edges by the model's word: `kept` are those that it did not refuse, or was not asked about."""

    kept: tuple[Edge, ...]
    refused: tuple[Edge, ...] = ()
    notes: tuple[str, ...] = ()


async def verify(question: str, edges: Sequence[Edge], data: DataGraph, llm: LLM, width: int) -> Verified:
    """Ask about every star which of its passages may help; a star about which the model fails is kept whole."""
    stars = batches(stars_of(edges))
    room = PromptRoom.of(llm)
    found = await in_waves([partial(_refused, question, star, data, llm, room) for star in stars], width)
    failures = [each for each in found if isinstance(each, ModelError)]
    refused = {edge for each in found if not isinstance(each, ModelError) for edge in each}
    return Verified(
        tuple(edge for edge in edges if edge not in refused),
        tuple(edge for edge in edges if edge in refused),
        _notes(failures, len(stars)),
    )


def passages_prompt(question: str, star: Star, data: DataGraph, room: PromptRoom) -> Prompt:
    """Return the prompt that shows a star: its segment, and its passages numbered from 1 in the order of its edges.

    Raises:
        ContextOverflow: the passages do not fit the model's context even when they are cut short.
    """
    system, asked = render_prompt("verify_passages"), question_part(question)
    segment = segment_line(data.segment(star.centre))
    passages = [data.passage(edge.passage) for edge in star.edges if edge.passage is not None]
    for longest in PASSAGE_CHARACTERS:
        lines = [segment, *(passage_line(number, each, longest) for number, each in enumerate(passages, start=1))]
        if room.cost(lines) <= room.beside(system, asked):
            return Prompt("verify_passages", system, (asked, framed(lines, f"Passages: E1 to E{len(passages)}.")))
    raise ContextOverflow("a star does not fit the prompt; set a larger context_tokens for the model")


async def _refused(question: str, star: Star, data: DataGraph, llm: LLM, room: PromptRoom) -> tuple[Edge, ...]:
    """Return the edges of a star that the model does not name; numbers that were not issued name nothing."""
    prompt = passages_prompt(question, star, data, room)
    named = set((await llm.ask(prompt, PassageChoice)).passages)
    return tuple(edge for number, edge in enumerate(star.edges, start=1) if number not in named)


def _notes(failures: Sequence[ModelError], asked: int) -> tuple[str, ...]:
    if not failures:
        return ()
    kinds = ", ".join(sorted({type(each).__name__ for each in failures}))
    return (f"passages of {len(failures)} of {asked} stars were not verified ({kinds}); their edges were kept",)
