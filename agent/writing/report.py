"""A report: sections written side by side, none seeing the others, then a summary of what they say."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agent.citations.wording import claim_coverage, contradicts, uncovered, unknown_names
from agent.language.framing import MARGIN, Frame
from agent.language.replies import NOTE_CHARACTERS
from agent.writing.blocks import BlockBuilder, Labels, Part, label
from agent.writing.calculations import Outcomes
from agent.writing.claims import ClaimReader, tidy
from agent.writing.replies import MOST_CITATIONS, SummaryClaim, WrittenAnswer, WrittenBlocks, WrittenSummary
from heliograph.protocols import LLM
from heliograph.text.figures import missing_figures
from heliograph.text.words import content_stems
from heliograph.turns import by_turns
from heliograph.types import Brief, DraftBlock, DraftClaim, Evidence, Need, Prompt, Quote, Scored
from indexers.parser.ids import page_of, parse_id
from prompts import render_prompt
from prompts.harmless import harmless

MOST_SECTION_CALLS = 5
"""Calls that write sections; adjacent sections share one where there are more."""
BEST_OF_A_NEED = 12
"""Pieces of a need, those that met it first, around which its section is shown whole stretches of their pages."""
SAME = 0.9
"""Share of a sentence's words with which another one says it too."""
KIN = 0.7
"""Share of the words of a thing not found that names it already among others."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one call writes: groups of needs by their places in the brief, each group under one heading."""

    groups: tuple[tuple[int, ...], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The needs of all groups."""
        return tuple(place for group in self.groups for place in group)


def groups_of(brief: Brief) -> tuple[tuple[int, ...], ...]:
    """Group the needs behind the question in the order of the plan, each with those that were found to be part of it.

    Without any the question is the need.
    """
    groups: dict[int, list[int]] = {}
    for place in filter(None, written_needs(brief)):
        groups.setdefault(_root(brief.needs, place), []).append(place)
    return tuple(map(tuple, groups.values())) or ((0,),)


def _root(needs: Sequence[Need], place: int) -> int:
    """Return the need at the root of one: follow what each is a part of, up to a part of the question or a bridge."""
    while 0 < needs[place].of < place and needs[needs[place].of].origin != "bridge":
        place = needs[place].of
    return place


def sections_of(brief: Brief) -> tuple[Section, ...]:
    """Share the sections of a report among calls, in order and as evenly as can be."""
    groups = groups_of(brief)
    calls = min(MOST_SECTION_CALLS, len(groups))
    cuts = [round(number * len(groups) / calls) for number in range(calls + 1)]
    return tuple(Section(groups[start:end]) for start, end in pairwise(cuts))


def written_needs(brief: Brief) -> tuple[int, ...]:
    """Return the places of needs that a reader wants to hear of; a bridge only led from one page to the next."""
    return tuple(place for place, need in enumerate(brief.needs) if need.origin != "bridge")


def outline_part(brief: Brief) -> str:
    """Return the part of a prompt that says what all sections of a report are to tell."""
    return render_prompt("the_sections", sections="\n".join(_outline(groups_of(brief), brief)))


def section_part(section: Section, brief: Brief) -> str:
    """Return the part of a prompt that says which needs its reply is to write about; all before it is shared."""
    return render_prompt("the_outline", needs="\n".join(_outline(section.groups, brief)))


def _outline(groups: Iterable[Sequence[int]], brief: Brief) -> Iterator[str]:
    for group in groups:
        for place in group:
            yield need_line(brief, place, "" if place == group[0] else f"(in N{group[0] + 1}) ")


def need_line(brief: Brief, place: int, part_of: str = "") -> str:
    """Return the line that shows a need under its number; of a longer answer an open one is marked as such.

    The writer of a short answer sees all that there is, and a small model takes the mark for the answer.
    """
    lacking = " (little was found for it)" if place in brief.open and place and brief.form != "short" else ""
    return f"[N{place + 1}] {part_of}{harmless(brief.needs[place].text)}{lacking}"


def own_first(section: Section, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> tuple[Scored[Evidence], ...]:
    """Return all pieces: the best of a section's needs by turns, what stands around them on their pages, then others.

    What an index found far down for a need comes after the paragraphs beside its best pieces, which nobody scored.
    """
    pieces = {scored.item.id: scored for scored in evidence}
    found = [brief.found[place] for place in section.places if place < len(brief.found)]
    best = [name for name in by_turns([names[:BEST_OF_A_NEED] for names in found]) if name in pieces]
    around = {(pieces[name].item.place.page, pieces[name].item.place.section) for name in best}
    beside = [name for name, each in pieces.items() if (each.item.place.page, each.item.place.section) in around]
    others = [name for name in by_turns(found) if name in pieces]
    return tuple(pieces[name] for name in dict.fromkeys((*best, *beside, *others, *pieces)))


def reading_order(evidence: Sequence[Scored[Evidence]]) -> tuple[Scored[Evidence], ...]:
    """Return pieces as a reader of their pages meets them, the page of the first piece first."""
    pages = {page: number for number, page in enumerate(dict.fromkeys(page_of(each.item.id) for each in evidence))}

    def place(scored: Scored[Evidence]) -> tuple[int, int, bool, str, int, int]:
        name = parse_id(scored.item.id)
        kind, number = name.leaf.rpartition("/")[2][0], name.leaf.rpartition("/")[2][1:]
        return pages[name.page], int(name.section[1:]), kind != "p", kind, int(number), name.row or 0

    return tuple(sorted(evidence, key=place))


def section_blocks(
    section: Section, reply: WrittenBlocks, outcomes: Outcomes, frame: Frame, needs: Sequence[Need], labels: Labels
) -> tuple[Part, frozenset[int]]:
    """Return the part that a call wrote, each group under its heading, and the places of needs that it did not answer.

    What has a block is answered and what has none is not, whatever the model says.
    """
    part = BlockBuilder(frame, ClaimReader(frame, outcomes), needs, labels).part(() if reply.abstain else reply.blocks)
    blocks: list[DraftBlock] = []
    missing = unanswered_needs(reply, section.places)
    for group in section.groups:
        own = [block for block in part.blocks if _belongs(block, group, section)]
        said = [block for block in own if block.kind != "heading"]
        if not said:
            missing |= set(group)
            continue
        told = [place for place in group if any(block.need == place for block in said)] or [group[0]]
        missing -= set(told)
        claims = [part.claims[each].text for block in said for each in block.claims]
        lost = [*(needs[place].text for place in missing), *(each.text for each in reply.not_found)]
        written = labels.honest(next((block.text for block in own if block.kind == "heading"), ""), claims)
        if promises(written, lost, (*claims, *(needs[place].text for place in told))):
            written = ""
        text = written or _begun(label(needs[told[0]].text))
        blocks += [DraftBlock("heading", text=text, level=2, need=told[0]), *said]
    part.blocks = blocks
    return part, frozenset(missing)


def unanswered_needs(reply: WrittenAnswer | WrittenBlocks, places: Iterable[int]) -> set[int]:
    """Return those of some needs, by their places, of which a reply says that nothing of them was found."""
    return {each.need - 1 for each in reply.not_found if not each.text}.intersection(places)


def _belongs(block: DraftBlock, group: Sequence[int], section: Section) -> bool:
    """Tell whether a block is of a group of needs; one that names none of the section's is of its first."""
    return block.need in group or (block.need not in section.places and group == section.groups[0])


def promises(text: str, lost: Sequence[str], told: Sequence[str]) -> bool:
    """Tell whether a title or heading names what was not found: a word of it that is told nowhere."""
    return any(not uncovered(word, lost) for word in uncovered(text, told))


def _begun(text: str) -> str:
    """Return a need as a heading: the phrases of a plan begin small."""
    return text[:1].upper() + text[1:]


def without_repeats(parts: Sequence[Part], brief: Brief) -> tuple[Part, ...]:
    """Return sections without the sentences that another section says too: their writers do not see each other.

    Of two that say the same, that one stays whose pieces were found first for its need.
    """
    told = [
        _Sentence(part.claims[place], number, place, _rank(part.claims[place], block.need, brief))
        for number, part in enumerate(parts)
        for block in part.blocks
        for place in block.claims
    ]
    standing = list(told)
    for each in sorted(told, key=lambda sentence: (sentence.rank, sentence.part), reverse=True):
        if any(repeats(each.claim, other.claim) for other in standing if other.part != each.part):
            standing.remove(each)
    gone = set(told).difference(standing)
    return tuple(
        part.without({each.place for each in gone if each.part == number}) for number, part in enumerate(parts)
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A claim by its place in a part; `rank` is how far down its need's pieces the first that it cites was found."""

    claim: DraftClaim
    part: int
    place: int
    rank: int


def repeats(claim: DraftClaim, other: DraftClaim) -> bool:
    """Tell whether another claim says nearly all words of a claim, and rests on the quotes that it rests on."""
    if claim.computation or not all(any(_share(quote, own) for own in other.quotes) for quote in claim.quotes):
        return False
    said, known = _stems(claim.text), _stems(other.text)
    if len(said & known) < SAME * len(said):
        return False
    text, source = claim.text, [other.text]
    return not (unknown_names(text, source) or missing_figures(text, source) or contradicts(text, source))


@lru_cache(maxsize=1_024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(content_stems(text))


def _share(quote: Quote, other: Quote) -> bool:
    """Tell whether one of two quotes of a piece stands in the other."""
    return quote.evidence == other.evidence and (quote.text in other.text or other.text in quote.text)


def _rank(claim: DraftClaim, need: int | None, brief: Brief) -> int:
    found = brief.found[need] if need is not None and need < len(brief.found) else ()
    cited = {quote.evidence for quote in claim.quotes}
    return next((rank for rank, name in enumerate(found) if name in cited), len(found))


def summary_prompt(asked: str, parts: Sequence[Part], llm: LLM) -> Prompt:
    """Return the call for title and summary, over the sentences of all sections under their headings.

    Where they do not all fit, the first of each section do.
    """
    system = render_prompt("write_summary")
    room = llm.room - MARGIN - sum(map(llm.count, (system, asked, render_prompt("the_sentences", sentences=""))))
    sections = [(f"[H{number}] {text}", lines) for number, (text, lines) in enumerate(_told(parts), start=1)]
    for line, _ in sections:
        room -= llm.count(line) + 1
    shown: set[str] = set()
    for line in by_turns([lines for _, lines in sections]):
        room -= llm.count(line) + 1
        if room < 0:
            break
        shown.add(line)
    lines = [line for heading, own in sections for line in (heading, *(each for each in own if each in shown))]
    return Prompt("write_summary", system, (asked, render_prompt("the_sentences", sentences="\n".join(lines))))


def _told(parts: Sequence[Part]) -> Iterator[tuple[str, list[str]]]:
    """Yield each section as its heading and its sentences, these counted through all parts."""
    before = 0
    for part in parts:
        heading, lines = "", list[str]()
        for block in part.blocks:
            if block.kind == "heading":
                if heading or lines:
                    yield heading, lines
                heading, lines = harmless(block.text), []
            lines += (_numbered(before + place + 1, part.claims[place]) for place in block.claims)
        if heading or lines:
            yield heading, lines
        before += len(part.claims)


def _numbered(number: int, claim: DraftClaim) -> str:
    return f"[S{number}]{' (calculated)' if claim.computation else ''} {harmless(claim.text)}"


def summary_part(
    reply: WrittenSummary, said: Sequence[DraftClaim], brief: Brief, labels: Labels, lost: Sequence[str] = ()
) -> Part:
    """Return title and summary; each sentence of it cites what the sentences that it sums up cite.

    The title is of what was found: of one that promises more, what stands before its colon may do; the plan's, made
    before anything was read, stands in for the model's.

    Args:
        lost: what was not found, needs in their own words.
    """
    part, claims = Part(), [claim.text for claim in said]
    told = [*claims, *(need.text for need in brief.needs[1:] if need.text not in lost)]
    whole = (labels.honest(reply.title, claims), label(brief.title))
    titles = (text.strip() for title in whole for text in (title, title.partition(":")[0]))
    fitting = (title for title in titles if title and not promises(title, (*lost, *reply.not_found), told))
    title = next(fitting, label(brief.question, NOTE_CHARACTERS))
    part.blocks.append(DraftBlock("heading", text=title, level=1))
    summed = list(filter(None, (_summed(each, said) for each in reply.claims)))
    if places := part.say(each for each in summed if each is summed[0] or not _is_copy(each, said)):
        part.blocks.append(DraftBlock("paragraph", places))
    return part


def _is_copy(summed: DraftClaim, said: Sequence[DraftClaim]) -> bool:
    """Tell whether a sentence of a summary is one of the report's own."""
    return any(repeats(summed, each) and repeats(each, summed) for each in said)


def not_found_in(
    reply: WrittenAnswer | WrittenBlocks, needs: Sequence[Need], said: Sequence[str], labels: Labels
) -> Iterator[str]:
    """Yield parts of needs that a reply names as not found: in its words where these are a label's, else by the need.

    Nobody checks what is named here, so that it speaks in words of the needs, of titles and of what is said.
    """
    for each in filter(lambda named: named.text, reply.not_found):
        if text := labels.honest(each.text, said):
            yield text
        elif 1 < each.need <= len(needs):
            yield f"{needs[each.need - 1].text} (in part)"


def told_in_part(section: Section, reply: WrittenBlocks, missing: Set[int], needs: Sequence[Need]) -> Iterator[str]:
    """Yield the needs of a section that its reply calls not found, and writes about."""
    return (f"{needs[place].text} (in part)" for place in sorted(unanswered_needs(reply, section.places) - missing))


def without_kin(needs: Iterable[str], lacking: Iterable[str]) -> tuple[str, ...]:
    """Return needs, and what else is lacking where no thing before it names it in other words."""
    named = list(dict.fromkeys(needs))
    for text in lacking:
        if all(claim_coverage(text, [other]) < KIN for other in named):
            named.append(text)
    return tuple(named)


def _summed(written: SummaryClaim, said: Sequence[DraftClaim]) -> DraftClaim | None:
    """Return a sentence with the quotes of those it sums up.

    First come the quotes that say words of it which none before says, as a figure needs a quote that states it; then by
    turns those of the sentences that it says most of.
    """
    text = tidy(written.text)
    numbers = dict.fromkeys(number for number in written.sentences if 1 <= number <= len(said))
    sources = sorted((said[number - 1] for number in numbers), key=lambda claim: -claim_coverage(text, [claim.text]))
    every = by_turns(claim.quotes for claim in sources)
    told = _telling(text, every)
    quotes = tuple(dict.fromkeys((*told, *every)))[: max(MOST_CITATIONS, len(told))]
    computed = next((claim.computation for claim in sources if claim.computation), None)
    return DraftClaim(text, quotes, computed) if text and (quotes or computed) else None


def _telling(text: str, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """Return quotes that say between them what any quote says of a text, each more than those before it."""
    if not quotes:
        return ()
    lacking = {quote: frozenset(uncovered(text, [quote.text])) for quote in quotes}
    told: list[Quote] = []
    left = frozenset(uncovered(text, []))
    while len(left & lacking[best := min(quotes, key=lambda quote: len(left & lacking[quote]))]) < len(left):
        told.append(best)
        left &= lacking[best]
    return tuple(told)
