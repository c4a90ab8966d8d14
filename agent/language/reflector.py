"""The reflection by a language model (OMG-QA, section 3: the module that judges each round and gives feedback)."""

from collections.abc import Iterable, Sequence

from agent.language.framing import EvidenceFrames, Frame, framed_lines, question_part
from agent.language.hearsay import Hearsay
from agent.language.replies import FEEDBACK_CHARACTERS, MOST_NOTES, NOTE_CHARACTERS, Reflection
from heliograph.protocols import LLM
from heliograph.types import Evidence, Prompt, RoundRecord, Scored, Verdict
from indexers.links import links_of
from indexers.parser.ids import page_name
from prompts import render_prompt
from prompts.harmless import harmless

MOST_LEADS = 5
LISTED_LINKS = 30
"""Titles that a model may choose leads of: more would crowd the evidence out of a small context."""
LINKS_A_PIECE = 6


class LanguageReflector:
    """Have a model judge the evidence of all rounds.

    Leads are titles that the evidence shown links to, and nothing else; notes that repeat a page are not remembered
    (`agent.language.hearsay`). One reflector serves one run: it keeps the numbers of its evidence.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._frames = EvidenceFrames(llm)

    async def reflect(
        self, question: str, evidence: Sequence[Scored[Evidence]], memory: Sequence[RoundRecord]
    ) -> Verdict:
        """Return the model's verdict; without evidence it is not asked.

        A verdict that names nothing missing and is not sufficient stands: the feedback then says why.

        Raises:
            ModelError: the model cannot be asked, or not one piece fits its context.
        """
        if not evidence:
            return Verdict(False, feedback="nothing was found")
        titles = linked_titles(evidence, memory)
        prompt, frame = self._prompt(question, evidence, titles)
        return _verdict(question, await self._llm.ask(prompt, Reflection), frame, titles)

    def _prompt(
        self, question: str, evidence: Sequence[Scored[Evidence]], titles: Sequence[str]
    ) -> tuple[Prompt, Frame]:
        system, asked = render_prompt("reflect"), question_part(question)
        links = (render_prompt("linked_pages", titles="\n".join(framed_lines("L", titles))),) if titles else ()
        frame = self._frames.frame(evidence, system, asked, *links)
        return Prompt("reflect", system, (asked, frame.text, *links)), frame


def linked_titles(evidence: Sequence[Scored[Evidence]], memory: Sequence[RoundRecord]) -> tuple[str, ...]:
    """Return titles that the evidence links to and that no round has read, best piece first."""
    known = {page_name(key).title for record in memory for key in record.documents}
    known |= {scored.item.place.title for scored in evidence}
    found: dict[str, None] = {}
    for scored in evidence:
        targets = dict.fromkeys(link.target for link in links_of(scored.item))
        new = [title for title in targets if title not in known and harmless(title)]
        found.update(dict.fromkeys(new[:LINKS_A_PIECE]))
    return tuple(found)[:LISTED_LINKS]


def _verdict(question: str, reply: Reflection, frame: Frame, titles: Sequence[str]) -> Verdict:
    hearsay = Hearsay(question, frame.handles.values(), titles)
    feedback = hearsay.kept((reply.feedback,), 1, FEEDBACK_CHARACTERS)
    return Verdict(
        sufficient=reply.sufficient,
        missing=() if reply.sufficient else hearsay.kept(reply.missing, MOST_NOTES, NOTE_CHARACTERS),
        leads=() if reply.sufficient else _named(reply.leads, titles),
        feedback=feedback[0] if feedback else "",
    )


def _named(leads: Iterable[str], titles: Sequence[str]) -> tuple[str, ...]:
    """Return the titles that a model means, by handle or by name."""
    by_name = {_folded(title): title for title in titles}
    by_name |= {f"l{number}": title for number, title in enumerate(titles, start=1)}
    named = (by_name[folded] for lead in leads if (folded := _folded(lead).strip("() ")) in by_name)
    return tuple(dict.fromkeys(named))[:MOST_LEADS]


def _folded(title: str) -> str:
    return harmless(title).replace("_", " ").casefold()
