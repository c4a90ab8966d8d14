"""The reflection by a language model (OMG-QA, section 3: the module that judges each round and gives feedback)."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence

from agent.language.copied_text import CopiedTextFilter
from agent.language.framing import EvidenceFrames, Frame, framed_lines, question_part
from agent.language.queries import plain_query
from agent.language.replies import NewNeed, Reflection
from heliograph.protocols import LLM
from heliograph.types import Evidence, Need, NeedVerdict, PageKey, Prompt, RoundRecord, Scored, Verdict
from indexers.links import links_of
from indexers.parser.ids import page_name
from prompts import render_prompt
from prompts.harmless import harmless

LISTED_LINKS = 30
"""Titles that a model may choose leads of: more would crowd the evidence out of a small context."""
LINKS_A_PIECE = 6
TITLES_A_ROUND = 12


class LanguageReflector:
    """Have a model judge the evidence of all rounds against each need, and say in the same reply what to search for.

    Leads are titles that the evidence shown links to and nobody has read. Needs, queries and feedback that copy a page
    are left out (`agent.language.copied_text`). One reflector serves one run: it keeps the numbers of its evidence.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._frames = EvidenceFrames(llm)

    async def reflect(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],
        read: Collection[PageKey],
        queries: Sequence[str],
    ) -> Verdict:
        """Return the model's verdict; without evidence it is not asked.

        A need that the model passes over stands as the last reflection left it.

        Raises:
            ModelError: the model cannot be asked, or not one piece fits its context.
        """
        if not evidence:
            return Verdict(False, feedback="nothing was found")
        titles = await asyncio.to_thread(linked_titles, evidence, read)
        prompt, frame = await asyncio.to_thread(self._prompt, needs, evidence, memory, titles, read, queries)
        reply = await self._llm.ask(prompt, Reflection)
        before = memory[-1].verdict.needs if memory else ()
        return await asyncio.to_thread(_verdict, needs, reply, frame, titles, before)

    def _prompt(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],
        titles: Sequence[str],
        read: Collection[PageKey],
        queries: Sequence[str],
    ) -> tuple[Prompt, Frame]:
        system, asked = render_prompt("reflect"), question_part(needs[0].text)
        wanted = render_prompt("the_needs", needs="\n".join(framed_lines("N", [need.text for need in needs])))
        rounds = (rounds_so_far(memory, read, queries),) if memory or read or queries else ()
        links = (render_prompt("linked_pages", titles="\n".join(framed_lines("L", titles))),) if titles else ()
        frame = self._frames.frame(evidence, system, asked, wanted, *rounds, *links)
        return Prompt("reflect", system, (asked, frame.text, wanted, *rounds, *links)), frame


def linked_titles(evidence: Sequence[Scored[Evidence]], read: Collection[PageKey]) -> tuple[str, ...]:
    """Return titles that the evidence links to and that are not among the pages read, best piece first."""
    known = {page_name(key).title for key in read} | {scored.item.place.title for scored in evidence}
    found: dict[str, None] = {}
    for scored in evidence:
        targets = dict.fromkeys(link.target for link in links_of(scored.item))
        new = [title for title in targets if title not in known and harmless(title)]
        found.update(dict.fromkeys(new[:LINKS_A_PIECE]))
    return tuple(found)[:LISTED_LINKS]


def rounds_so_far(memory: Sequence[RoundRecord], read: Collection[PageKey], queries: Sequence[str]) -> str:
    """Return what each round did, a line each, so that the next prompt begins with this one; this one stands last."""
    known = {key for record in memory for key in record.documents}
    now = {"asked": queries, "pages": _titles(sorted(set(read) - known))}
    lines = [*map(_line, memory), *([_listed(len(memory) + 1, now)] if any(now.values()) else [])]
    return render_prompt("rounds_so_far", rounds="\n".join(lines))


def _line(record: RoundRecord) -> str:
    verdict = record.verdict
    told = {
        "asked": record.queries,
        "pages": _titles(record.documents),
        "missing": verdict.missing,
        "linked": verdict.leads,
        "note": (verdict.feedback,) if verdict.feedback else (),
    }
    return _listed(record.number, told)


def _titles(keys: Sequence[PageKey]) -> tuple[str, ...]:
    return tuple(page_name(key).title for key in keys[:TITLES_A_ROUND])


def _listed(number: int, told: Mapping[str, Sequence[str]]) -> str:
    parts = (f"{name}: {'; '.join(map(harmless, texts))}" for name, texts in told.items() if texts)
    return f"[round {number}] {' | '.join(parts)}"


def _verdict(
    needs: Sequence[Need], reply: Reflection, frame: Frame, titles: Sequence[str], before: Sequence[NeedVerdict]
) -> Verdict:
    judged = {each.need: each for each in before} | {each.need: each for each in _judged(reply, len(needs), frame)}
    verdicts = tuple(judged.get(place, NeedVerdict(place, False)) for place in range(len(needs)))
    copied = CopiedTextFilter(" ".join(need.text for need in needs), frame.handles.values(), titles)
    if all(each.met for each in verdicts):
        return Verdict(True, needs=verdicts)
    born = _born(reply.new_needs, len(needs), copied)
    feedback = copied.kept((reply.feedback,))
    queries = (plain_query(text) for text in copied.kept(reply.queries))
    missing = dict.fromkeys(
        (*(needs[each.need].text for each in verdicts if not each.met), *(need.text for need in born))
    )
    if len(missing) > 1:
        missing.pop(needs[0].text, None)  # its unmet parts say what it lacks
    return Verdict(
        sufficient=False,
        missing=tuple(missing),
        leads=_named(reply.leads, titles),
        feedback=feedback[0] if feedback else "",
        needs=verdicts,
        born=born,
        queries=tuple(query.text for query in queries if query),
    )


def _born(written: Sequence[NewNeed], count: int, copied: CopiedTextFilter) -> tuple[Need, ...]:
    """Return new needs that copy no page, each once, with the place of the need that each is a part of."""
    born: dict[str, Need] = {}
    for each in written:
        for text in copied.kept((each.text,)):
            born.setdefault(text, Need(text, "reflection", each.of - 1 if 1 <= each.of <= count else 0))
    return tuple(born.values())


def _judged(reply: Reflection, count: int, frame: Frame) -> Iterable[NeedVerdict]:
    """Return the verdicts on needs that there are; a need that is met names pieces that were shown."""
    for each in reply.needs:
        if 1 <= each.need <= count:
            pieces = dict.fromkeys(piece.id for handle in each.pieces if (piece := frame.piece(handle)))
            yield NeedVerdict(each.need - 1, each.met, tuple(pieces) if each.met else ())


def _named(leads: Iterable[str], titles: Sequence[str]) -> tuple[str, ...]:
    """Return the titles that a model means, by handle or by name."""
    by_name = {_folded(title): title for title in titles}
    by_name |= {f"l{number}": title for number, title in enumerate(titles, start=1)}
    named = (by_name[folded] for lead in leads if (folded := _folded(lead).strip("() ")) in by_name)
    return tuple(dict.fromkeys(named))


def _folded(title: str) -> str:
    return harmless(title).replace("_", " ").casefold()
