"""Evidence by absolute relevance, judged by a language model (OMG-QA, section 3: multi-modal evidence reranker)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.language.at_once import all_at_once
from agent.language.framing import EvidenceFrames, question_part
from heliograph.protocols import LLM, EvidenceReranker
from heliograph.types import Evidence, EvidenceId, Observation, Prompt, Scored
from indexers.fusion import ranked
from prompts import render_prompt

SHOWN = 20
"""New pieces of one call that the model judges: as many as the final k."""
MODEL_WEIGHT = 0.5
"""Share of the model's judgement in a score; the embedding score has the rest."""
SCORE_DIGITS = 6

_Pair = tuple[str, EvidenceId, EvidenceId | None]
"""A question, a piece, and the piece through whose link it was scored."""


class LanguageEvidenceReranker:
    """Ask about each of the best pieces, by itself, whether it helps: the score is (1-w)·embedding + w·P(yes).

    Each judgement is of one pair alone, never of a piece among others, and a pair that was scored once keeps its score
    for the run: so scores are absolute, and what a later round sees never changes what an earlier one scored. A piece
    that `first` scored by way of a known piece u (`via`) is judged with u before it (HELIOS, equation 5).

    Pieces behind the best `shown` of a call are not judged. They score (1-w)·embedding, as if the model had said no, so
    that none comes before a judged piece with a better embedding score. Where the model fails, its twin's scores stand
    unscaled: those are what they would be had the model agreed with the embedding, and lie between a yes and a no.
    """

    def __init__(self, llm: LLM, first: EvidenceReranker, *, shown: int = SHOWN, weight: float = MODEL_WEIGHT) -> None:
        self._llm = llm
        self._first = first
        self._shown = shown
        self._weight = weight
        self._scores: dict[_Pair, float] = {}

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Return one observation a piece, best first, ties to the smaller id.

        Raises:
            ModelError: the model cannot be asked.
        """
        seen = ranked(await self._first.rerank(question, evidence, known, round))
        pieces = {piece.id: piece for piece in (*known, *evidence)}
        new = [each for each in seen if _pair(question, each) not in self._scores]
        judged = new[: self._shown]
        chances = await all_at_once(self._chance(question, each, pieces) for each in judged)
        for place, each in enumerate(new):
            agreed = chances[place] if place < len(chances) else 0.0
            self._scores[_pair(question, each)] = self._joined(each.score, agreed)
        return ranked(replace(each, score=self._scores[_pair(question, each)]) for each in seen)

    def _joined(self, embedding: float, chance: float) -> float:
        score = (1 - self._weight) * embedding + self._weight * chance
        return round(min(1.0, max(-1.0, score)), SCORE_DIGITS)

    async def _chance(self, question: str, seen: Observation, pieces: Mapping[EvidenceId, Evidence]) -> float:
        """Return the probability that the model says yes."""
        read = [pieces[name] for name in (seen.via, seen.evidence) if name is not None and name in pieces]
        system, asked = render_prompt("judge_relevance"), question_part(question)
        frame = EvidenceFrames(self._llm).frame([Scored(piece, 0.0) for piece in read], system, asked)
        yes, _ = await self._llm.choose(Prompt("judge_relevance", system, (asked, frame.text)), ("yes", "no"))
        return yes


def _pair(question: str, seen: Observation) -> _Pair:
    return question, seen.evidence, seen.via
