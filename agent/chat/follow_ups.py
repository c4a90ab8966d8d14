"""Follow-ups by a trained reader: words that point back give way to what they mean, and the question stands alone."""

import asyncio
import re
from collections.abc import Sequence
from typing import Protocol

from agent.chat.understanding import Understanding
from agent.citations.numbering import without_markers
from indexers.models.follow_ups import Exchange, FollowUp
from memory.conversations import Turn

MOST_EDITS = 2
"""Words of one question that are completed, one after the other: "can it fly there"."""
LIKELY = 0.9
"""Probability below which a question is asked as it stands, and what is open in it is named."""
_LEAD = re.compile(r"^(?:(?:and|but|or|also|ok(?:ay)?|so|well|now),? +)+(?=\w)", re.I)
_END = " ?!."
_OWNERS = frozenset(("its", "his", "her", "their", "whose"))
_OBJECT = re.compile(r" *(?:$|[?.!,;]|(?:in|on|at|to|from|for|with|by|and|or|do|does|did|first|too|again)\b)", re.I)
_ARTICLE, _BEHIND_ARTICLE = re.compile(r"^(?:an?|the) ", re.I), re.compile(r"\b(?:an?|the) $", re.I)
_DETERMINED = re.compile(r"(?:an?|the|my|your|our|this|that|these|those|some|any|no|its|his|her|their)\b", re.I)
_BEHIND_WHICH = re.compile(r"\b(?:which|what|how many) +$", re.I)
_BEHIND_PREPOSITION = re.compile(r"\b(?:in|at|on|from|to|near|over|up|around|by|until|since|before|after) +$", re.I)


class ReadsFollowUps(Protocol):
    """Say what a question is to the exchanges before it; blocks."""

    def read(self, question: str, exchanges: Sequence[Exchange]) -> FollowUp:
        """Return what gives way in the question, or in the one before it, and what is said instead."""


class TrainedStandAlone:
    """Complete a question by what a trained reader points at; nothing is said that nobody has said."""

    def __init__(self, reader: ReadsFollowUps) -> None:
        self._reader = reader

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> Understanding:
        """Return the question as it stands alone, or as it is with the words that are open."""
        exchanges = [(turn.asked, "" if turn.abstained else without_markers(turn.answer)) for turn in turns]
        asked = question
        for _ in range(MOST_EDITS):
            found = await asyncio.to_thread(self._reader.read, asked, exchanges)
            if found.kind == "alone" or (asked != question and (found.kind == "previous" or found.replaced is None)):
                break
            if found.probability < LIKELY:
                start, end = found.replaced if found.kind == "last" and found.replaced else (0, len(asked))
                return Understanding(asked, asked[start:end])
            asked = completed(asked, turns[-1].asked, found)
            if found.replaced is None:
                break
        return Understanding(asked)


class AsTyped:
    """Take every question as it is."""

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> Understanding:  # noqa: ARG002 - it needs none
        """Return the question."""
        return Understanding(question)


def completed(question: str, before: str, found: FollowUp) -> str:
    """Return the question that is completed, or the one `before` it with what is new."""
    base = question if found.kind == "last" else before
    if found.replaced is None:
        told = f"{base.rstrip(_END)}{',' if found.kind == 'last' else ''} {found.said}?"
    else:
        start, end = found.replaced
        told = f"{base[:start]}{_in_place(found.said, base[:start], base[start:end], base[end:])}{base[end:]}"
    told = _LEAD.sub("", told)
    return f"{told[:1].upper()}{told[1:]}"


def _in_place(said: str, before: str, replaced: str, after: str) -> str:
    """Return words in the form that the place of others wants: an owner's, a place or a time, one of several."""
    word = replaced.casefold()
    if word in _OWNERS and not (word == "her" and _OBJECT.match(after)):
        return f"{said}'" if said.endswith("s") else f"{said}'s"
    if word in ("there", "then") and not _BEHIND_PREPOSITION.search(before):
        return f"in {said}"
    if word.startswith("of ") or (word in ("one", "ones") and _BEHIND_WHICH.search(before)):
        return f"of {said}"
    if (article := _ARTICLE.match(replaced)) and said[:1].islower() and not _DETERMINED.match(said):
        return f"{article[0]}{said}"
    return _ARTICLE.sub("", said) if _BEHIND_ARTICLE.search(before) else said
