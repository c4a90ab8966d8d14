"""Evidence by absolute relevance, graded by a language model (OMG-QA, section 3: multi-modal evidence reranker)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.language.framing import EvidenceFrames, question_part
from agent.language.replies import Grades
from heliograph.protocols import LLM, EvidenceReranker
from heliograph.types import Evidence, EvidenceId, Observation, Prompt, Scored
from indexers.fusion import ranked
from prompts import render_prompt

GRADED = 10
"""New pieces of one call that the model grades, in one list."""
HIGHEST = 3
"""The best grade: the piece states what is needed."""
MODEL_WEIGHT = 0.5
"""Share of the model's grade in a score; the embedding score has the rest."""
SCORE_DIGITS = 6


class LanguageEvidenceReranker:
    """Have the best pieces graded in a list on a described scale: the score is (1-w)·embedding + w·grade/HIGHEST.

    The first grade of a need and a piece stays for the run, and the same pair is never graded twice: so scores are
    absolute, and what a later round sees never changes what an earlier one scored. The order within a list is not used.
    A piece that `first` scored by way of a known piece u (`via`) is shown with u (HELIOS, equation 5).

    Pieces that were never graded score (1-w)·embedding, as if the grade were 0, so that none comes before a graded
    piece with a better embedding score. Where the model fails, its twin's scores stand unscaled: those are what they
    would be had the model agreed with the embedding, and lie between the lowest grade and the highest.
    """

    def __init__(
        self, llm: LLM, first: EvidenceReranker, *, graded: int = GRADED, weight: float = MODEL_WEIGHT
    ) -> None:
        self._llm = llm
        self._first = first
        self._most = graded
        self._weight = weight
        self._grades: dict[tuple[str, EvidenceId], int] = {}

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Return one observation per piece, best first, ties to the smaller id.

        Raises:
            ModelError: the model cannot be asked.
        """
        seen = ranked(await self._first.rerank(question, evidence, known, round))
        new = [each for each in seen if (question, each.evidence) not in self._grades][: self._most]
        if new:
            await self._grade(question, new, {piece.id: piece for piece in (*known, *evidence)})
        return ranked(replace(each, score=self._joined(question, each)) for each in seen)

    def _joined(self, question: str, seen: Observation) -> float:
        grade = self._grades.get((question, seen.evidence), 0) / HIGHEST
        return round((1 - self._weight) * seen.score + self._weight * grade, SCORE_DIGITS)

    async def _grade(self, question: str, new: Sequence[Observation], pieces: Mapping[EvidenceId, Evidence]) -> None:
        """Ask for the grades of pieces; one that the model passes over, or that does not fit, has the lowest."""
        read = [
            pieces[name] for each in new for name in (each.via, each.evidence) if name is not None and name in pieces
        ]
        system, asked = render_prompt("grade_relevance"), question_part(question)
        frame = EvidenceFrames(self._llm).frame([Scored(piece, 0.0) for piece in dict.fromkeys(read)], system, asked)
        wanted = {each.evidence for each in new}
        handles = [handle for handle, piece in frame.handles.items() if piece.id in wanted]
        told = render_prompt("pieces_to_grade", handles=", ".join(handles))
        reply = await self._llm.ask(Prompt("grade_relevance", system, (asked, frame.text, told)), Grades)
        grades = dict.fromkeys(((question, each.evidence) for each in new), 0)
        for given in reply.grades:
            piece = frame.piece(given.piece)
            if piece is not None and piece.id in wanted:
                grades[question, piece.id] = min(HIGHEST, max(0, given.grade))
        self._grades.update(grades)
