"""An answer as every rendering needs it: its parts and their claims, what markers name, what was not found or said."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heliograph.types import (
    VERDICT_WORDS,
    Answer,
    Block,
    BlockCell,
    Citation,
    Claim,
    Figure,
    UnsaidClaim,
    shown_verdict,
)

_UNSHOWN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
"""Codes of terminals, what no XML may hold, and what turns the direction of the text behind it; a line end stays."""
PASSED = frozenset({"quoted", "supported", "computed"})
"""Verdicts that need no word beside the claim: the others are told there, as a policy may keep such claims."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A claim as it is read: its words, the markers behind them, and what was computed for it ("" for most)."""

    text: str
    markers: tuple[int, ...]
    computed: str = ""


def shown(text: str) -> str:
    """Return a text without characters that no reader sees and that some program obeys."""
    return _UNSHOWN.sub("", text)


def one_line(text: str) -> str:
    """Return a text as one line of such characters."""
    return " ".join(shown(" ".join(text.split())).split())


def is_plain(answer: Answer) -> bool:
    """Tell whether an answer is one paragraph at most, as those of older records are."""
    return all(block.kind == "paragraph" for block in answer.blocks) and len(answer.blocks) < 2


def title_of(answer: Answer) -> str:
    """Return the title of an answer: the heading that it begins with, or its question."""
    heading = one_line(answer.blocks[0].text) if _is_titled(answer) else ""
    return heading or one_line(answer.question)


def asked_in(answer: Answer) -> str:
    """Return the question for the line below the title; "" where it is the title."""
    question = one_line(answer.question)
    return question if question.rstrip(".") != title_of(answer).rstrip(".") else ""


def body_of(answer: Answer) -> tuple[Block, ...]:
    """Return the parts below the title; claims of a record without parts are one paragraph."""
    if answer.blocks:
        return answer.blocks[1:] if _is_titled(answer) else answer.blocks
    return (Block("paragraph", tuple(range(len(answer.claims)))),) if answer.claims else ()


def summary_of(answer: Answer) -> tuple[Block, ...]:
    """Return the parts between the title of a report and its first section."""
    if answer.form != "report" or not _is_titled(answer):
        return ()
    body = body_of(answer)
    first = next((place for place, block in enumerate(body) if block.kind == "heading"), 0)
    return body[:first]


def sentences_of(answer: Answer, block: Block) -> list[Sentence]:
    """Return the claims of a part, in the order in which they are said."""
    known = (answer.claims[place] for place in block.claims if 0 <= place < len(answer.claims))
    return [_sentence(claim, answer) for claim in known]


def rows_of(block: Block) -> tuple[tuple[BlockCell, ...], ...]:
    """Return the rows of a table as they are read: what all cells of a row cite, its last cell alone is marked with."""
    return tuple(map(_cited_once, block.rows))


def computed_by(citation: Citation) -> str:
    """Return what a citation computes, of which rows, and its value; "" where it quotes."""
    return one_line(citation.quote) if citation.computation else ""


def place_of(citation: Citation) -> str:
    """Return the page of a citation and its section, in words."""
    return one_line(" › ".join(filter(None, (citation.title, citation.section))))


def owed_for(citation: Citation) -> str:
    """Return to whom the words of a citation are owed, and under which licence."""
    return one_line(", ".join(filter(None, (citation.attribution, citation.licence))))


def figure_owed(answer: Answer, figure: Figure) -> str:
    """Return to whom a picture is owed, and under which licence: what its source says, else its page."""
    cited = next((owed_for(each) for each in answer.citations if each.marker == figure.marker), "")
    return cited or one_line(figure.licence)


def unsaid_line(unsaid: UnsaidClaim) -> str:
    """Return a claim that is not part of the answer, with its verdict and the reason."""
    why = ": ".join(filter(None, (VERDICT_WORDS[unsaid.verdict].word.lower(), unsaid.reason)))
    return one_line(f"{unsaid.text} ({why})")


def hedge(answer: Answer) -> str:
    """Return what stands before an answer that is perhaps right; "" before others."""
    return "Perhaps: " if answer.unsure else ""


def not_found_line(answer: Answer) -> str:
    """Name what the answer should say and no evidence says; "" where that is nothing."""
    named = "; ".join(filter(None, map(one_line, answer.not_found)))
    return f"Not found: {named}" if named else ""


def cited_markers(answer: Answer) -> Iterator[int]:
    """Yield the markers that stand in an answer, in reading order."""
    for block in body_of(answer):
        for sentence in sentences_of(answer, block):
            yield from sentence.markers
        yield from (marker for row in rows_of(block) for cell in row for marker in cell.markers)
        if block.figure:
            yield block.figure.marker


def _cited_once(row: Sequence[BlockCell]) -> tuple[BlockCell, ...]:
    cited = [place for place, cell in enumerate(row) if cell.markers]
    if len({row[place].markers for place in cited}) != 1:
        return tuple(row)
    return tuple(cell if place == cited[-1] else replace(cell, markers=()) for place, cell in enumerate(row))


def _is_titled(answer: Answer) -> bool:
    return bool(answer.blocks) and answer.blocks[0].kind == "heading" and answer.blocks[0].level == 1


def _sentence(claim: Claim, answer: Answer) -> Sentence:
    verdict = shown_verdict(claim, answer.citations, answer.mode)
    flag = "" if verdict in PASSED else f" ({VERDICT_WORDS[verdict].word.lower()})"
    markers = tuple(cited.marker for cited in claim.citations)
    computed = [computed_by(citation) for citation in answer.citations if citation.marker in markers]
    return Sentence(f"{one_line(claim.text)}{flag}", markers, "; ".join(filter(None, computed)))
