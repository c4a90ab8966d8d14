"""Whether quotes entail a claim, judged by code first and by a language model where code leaves room.

    code says                                          P(yes) < 0.2   < 0.5      < 0.8      >= 0.8
    computed, unchecked                                the model is not asked: code's verdict
    unsupported (figure, negation, direction, sides,
      place of the quote, or under half of the words)  the model is not asked: unsupported
    partial, for a name or an added superlative        unsupported    partial    partial    partial
    partial, for its words alone (a paraphrase)        unsupported    partial    partial    supported
    supported, in the quote's own words                the model is not asked: supported
    supported                                          unsupported    partial    supported  supported

A model takes away from what words can show, and adds in one case: a paraphrase, of which every figure, name, negation
and direction is found in quotes that are found in the evidence. It never makes good what code can refute.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.citations import ExtractiveClaimVerifier
from agent.citations.grounds import Ground, context_of, ground_of
from agent.citations.quotes import find_words
from agent.citations.verdicts import worst
from agent.citations.wording import hard_words, names_of, uncovered, unknown_names
from agent.language.framing import kind_of
from heliograph.protocols import LLM, ClaimVerifier
from heliograph.types import CitedMarker, Claim, ClaimVerdict, DraftClaim, Evidence, EvidenceId, Prompt
from prompts import render_prompt
from prompts.harmless import harmless

REFUTED, DOUBTED, ENTAILED = 0.2, 0.5, 0.8
"""Probabilities of "yes" that part the columns above."""


class EntailmentClaimVerifier:
    """Check a claim by its words, then ask a model whether its quotes entail it (the table of this module).

    Names of the `question` may stand in a claim without standing in its evidence. It holds no state: claims may be
    checked side by side.
    """

    def __init__(self, llm: LLM, question: str = "") -> None:
        self._llm = llm
        self._question = question
        self._words: ClaimVerifier = ExtractiveClaimVerifier(question)

    async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
        """Check a claim; its markers count up from `first_marker`.

        Raises:
            ModelError: the model cannot be asked.
        """
        checked = await self._words.verify(claim, cited, first_marker)
        grounds = [ground_of(quote, cited) for quote in claim.quotes]
        if claim.computation is not None or not _is_open(claim.text, checked.verdict, grounds):
            return checked
        chance = await self._chance(claim.text, grounds)
        liftable = says_all_names(claim.text, grounds, self._question)
        markers = tuple(
            CitedMarker(cited.marker, combined(cited.verdict, chance, liftable)) for cited in checked.citations
        )
        return replace(checked, citations=markers, verdict=worst(*(each.verdict for each in markers)))

    async def _chance(self, text: str, grounds: Sequence[Ground]) -> float:
        told = render_prompt("the_claim", claim=harmless(text))
        lines = [line for number, ground in enumerate(grounds, start=1) if (line := _line(number, ground))]
        quotes = render_prompt("framed_evidence", pieces="\n".join(lines), rest="Judge the claim by these quotes.")
        prompt = Prompt("judge_claim", render_prompt("judge_claim"), (quotes, told))
        yes, _ = await self._llm.choose(prompt, ("yes", "no"))
        return yes


def combined(words: ClaimVerdict, chance: float, liftable: bool) -> ClaimVerdict:
    """Join the verdict of the words with the probability that the quotes entail the claim."""
    if words not in ("supported", "partial"):
        return words
    if chance < REFUTED:
        return "unsupported"
    if words == "partial":
        return "supported" if liftable and chance >= ENTAILED else "partial"
    return "supported" if chance >= DOUBTED else "partial"


def says_all_names(text: str, grounds: Sequence[Ground], question: str) -> bool:
    """Tell whether a claim adds no name, superlative or word of all or nothing to its quotes and their places."""
    located = [ground for ground in grounds if ground.located is not None]
    told = [context_of(ground.evidence) for ground in located if ground.evidence is not None]
    told += [ground.located.text for ground in located if ground.located is not None]
    told.append(names_of(question))
    return not unknown_names(text, told) and not hard_words(uncovered(text, told))


def _is_open(text: str, verdict: ClaimVerdict, grounds: Sequence[Ground]) -> bool:
    """Tell whether code leaves the verdict open: neither refuted nor in the very words of a quote."""
    if verdict not in ("supported", "partial") or any(ground.located is None for ground in grounds):
        return False
    said = text.rstrip(" .!?")
    verbatim = any(ground.located and find_words(said, ground.located.text) for ground in grounds)
    return not (verdict == "supported" and verbatim)


def _line(number: int, ground: Ground) -> str:
    if ground.located is None or ground.evidence is None:
        return ""
    piece = ground.evidence
    place = " > ".join(map(harmless, (piece.place.title, *piece.place.path)))
    return f"[E{number}] ({kind_of(piece)}) {place} :: {harmless(ground.located.text)}"
