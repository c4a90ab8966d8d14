"""A report: sections written side by side from the same evidence, then a summary of what they say."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from agent.citations.wording import coverage
from agent.language.framing import Frame
from agent.language.replies import NOTE_CHARACTERS
from agent.writing.blocks import BlockBuilder, Labels, Part, label
from agent.writing.calculations import Outcomes
from agent.writing.claims import ClaimReader, tidy
from agent.writing.replies import MOST_CITATIONS, MOST_CLAIMS, SummaryClaim, WrittenBlocks, WrittenSummary
from heliograph.types import Brief, DraftBlock, DraftClaim, Need, Prompt
from prompts import render_prompt
from prompts.harmless import harmless

MOST_SECTION_CALLS = 6
"""Calls that write sections; adjacent needs share one where there are more."""
SENTENCES_SHOWN = 80
"""Sentences of a report that its summary is made of."""


@dataclass(frozen=True, slots=True)
class Section:
    """Needs that one call writes about, by their places in the brief."""

    places: tuple[int, ...]


def sections_of(brief: Brief) -> tuple[Section, ...]:
    """Share the needs behind the question among calls, in order and as evenly as can be; without any it is the need."""
    places = tuple(place for place in written_needs(brief) if place) or (0,)
    calls = min(MOST_SECTION_CALLS, len(places))
    cuts = [round(number * len(places) / calls) for number in range(calls + 1)]
    return tuple(Section(places[start:end]) for start, end in pairwise(cuts))


def written_needs(brief: Brief) -> tuple[int, ...]:
    """Return the places of needs that a reader wants to hear of; a bridge only led from one page to the next."""
    return tuple(place for place, need in enumerate(brief.needs) if need.origin != "bridge")


def section_part(section: Section, needs: Sequence[Need]) -> str:
    """Return the part of a prompt that says which needs its reply is to write about; all before it is shared."""
    own = (f"[N{place + 1}] {harmless(needs[place].text)}" for place in section.places)
    return render_prompt("the_outline", needs="\n".join(own))


def section_blocks(
    section: Section, reply: WrittenBlocks, outcomes: Outcomes, frame: Frame, needs: Sequence[Need], labels: Labels
) -> tuple[Part, frozenset[int]]:
    """Return the part that a call wrote, each need under its heading, and the places of needs that it did not answer.

    A need without a single block is not answered, whatever the model says.
    """
    part = BlockBuilder(frame, ClaimReader(frame, outcomes), needs, labels).part(() if reply.abstain else reply.blocks)
    blocks: list[DraftBlock] = []
    answered: set[int] = set()
    for place in section.places:
        own = [block for block in part.blocks if _belongs(block, place, section)]
        said = [block for block in own if block.kind != "heading"]
        if said:
            answered.add(place)
            heading = next((block.text for block in own if block.kind == "heading"), "")
            blocks.append(_heading(labels, heading, place, said, part, needs))
            blocks += said
    part.blocks = blocks
    missing = {number - 1 for number in reply.not_answered} & set(section.places)
    return part, frozenset(set(section.places) - answered | missing)


def _belongs(block: DraftBlock, place: int, section: Section) -> bool:
    """Say whether a block is of a need; one that names none of the section's is of its first."""
    return block.need == place or (block.need not in section.places and place == section.places[0])


def _heading(
    labels: Labels, written: str, place: int, said: Sequence[DraftBlock], part: Part, needs: Sequence[Need]
) -> DraftBlock:
    """Return the heading of a section: the model's, if its words are those of the need or the claims, else the need."""
    claims = [part.claims[each].text for block in said for each in block.claims]
    text = labels.honest(written, claims) or _begun(label(needs[place].text))
    return DraftBlock("heading", text=text, level=2, need=place)


def _begun(text: str) -> str:
    """Return a need as a heading: the phrases of a plan begin small."""
    return text[:1].upper() + text[1:]


def summary_prompt(asked: str, claims: Sequence[DraftClaim]) -> Prompt:
    """Return the call for title and summary, over the sentences of all sections."""
    lines = (
        f"[S{number}]{' (calculated)' if claim.computation else ''} {harmless(claim.text)}"
        for number, claim in enumerate(claims[:SENTENCES_SHOWN], start=1)
    )
    told = render_prompt("the_sentences", sentences="\n".join(lines))
    return Prompt("write_summary", render_prompt("write_summary"), (asked, told))


def summary_part(reply: WrittenSummary, said: Sequence[DraftClaim], brief: Brief, labels: Labels) -> Part:
    """Return title and summary; each sentence of it cites what the sentences that it sums up cite."""
    part = Part()
    title = label(brief.title) or labels.honest(reply.title, [claim.text for claim in said])
    part.blocks.append(DraftBlock("heading", text=title or label(brief.question, NOTE_CHARACTERS), level=1))
    summed = (_summed(each, said[:SENTENCES_SHOWN]) for each in reply.claims[:MOST_CLAIMS])
    if places := part.say(summed):
        part.blocks.append(DraftBlock("paragraph", places))
    return part


def _summed(written: SummaryClaim, said: Sequence[DraftClaim]) -> DraftClaim | None:
    """Return a sentence with the quotes of those it sums up: by turns, those that it says most of first."""
    text = tidy(written.text)
    numbers = dict.fromkeys(number for number in written.sentences if 1 <= number <= len(said))
    sources = sorted((said[number - 1] for number in numbers), key=lambda claim: -coverage(text, [claim.text]))
    turns = zip_longest(*(claim.quotes for claim in sources))
    quotes = tuple(dict.fromkeys(quote for turn in turns for quote in turn if quote))[:MOST_CITATIONS]
    computed = next((claim.computation for claim in sources if claim.computation), None)
    return DraftClaim(text, quotes, computed) if text and (quotes or computed) else None
