"""A judge without a language model: code that compares words and figures, and embeddings where words differ.

relevancy      yes where a passage of the piece is NEAR to the question; and where the piece says an accepted answer, as
               words of their own, and a passage of it is at least AKIN to the question.
support        no where a figure of the claim stands in no piece; else yes where the claim check of agent/citations says
               `supported` of all pieces together, or a passage of them is so near to the claim that it is a PARAPHRASE.
correct use    yes where every sentence that cites is supported (as above) by what it cites; no where none cites, or a
               marker leads to nothing.
completeness   yes where every sentence that states a fact has a marker; no where none states one. A sentence states a
               fact where it has a figure, a name or three words of content, and is neither a question nor the head of
               what follows.
correctness    yes where the answer states an accepted answer as words of their own (eval/accepted.py).

How near a passage, two sentences on end under their place, is to a text is the cosine of their embeddings. A share of
common words in its place, or beside it, agreed less with people (decision record 025), and neither tells an opposite
from a paraphrase.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise

from agent.citations.grounds import Ground
from agent.citations.numbering import without_markers
from agent.citations.quotes import Located, find_words
from agent.citations.verifier import judge
from agent.citations.wording import names_of
from eval.accepted import states
from eval.omgqa.judging.cases import Case, Shown, Task, Word
from heliograph.protocols import Embedder
from heliograph.text.figures import figures_in, missing_figures
from heliograph.text.sentences import split_sentences
from heliograph.text.words import content_stems
from heliograph.types import Place, Quote, TextEvidence
from indexers.parser import page_of

RULES = 3
"""Goes up when the rules change, so that the words of other rules are not taken for those of these."""
PASSAGE = 2
"""Sentences of a passage."""
PASSAGE_WORDS = 120
"""Words of a passage at most, so that none of it is lost on an embedder of 256 tokens."""
FACT_WORDS = 3

_MARKERS = re.compile(r"\[(\d{1,4})\]")
_LEADING = re.compile(r"^(?:\s*\[\d{1,4}\])+")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the judge says yes. They were chosen on development halves alone (decision record 025)."""

    near: float = 0.6
    akin: float = 0.15
    paraphrase: float = 0.6


class ExtractiveJudge:
    """Judge by the rules of this module; it tells no confidence, since its figures are no probabilities."""

    name = "extractive"

    def __init__(self, embedder: Embedder, thresholds: Thresholds | None = None) -> None:
        self._embedder = embedder
        self._at = thresholds or Thresholds()

    def prompt(self, task: Task) -> str:
        """Return the sha256 of the rules, the thresholds and the embedder."""
        told = {"task": task, "rules": RULES, "embedder": self._embedder.name, **asdict(self._at)}
        return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    async def judge(self, case: Case) -> Word:
        """Decide a case.

        Raises:
            ModelError: the embedder cannot be used.
        """
        match case.task:
            case "relevancy":
                return Word(await self._is_relevant(case))
            case "support":
                return Word(await self._is_supported(case.answer, case.evidence, case.question))
            case "correct_use":
                return Word(await self._is_used_rightly(case))
            case "completeness":
                return Word(is_complete(case.answer))
            case "correctness":
                return Word(states(case.answer, case.accepted))

    async def _is_relevant(self, case: Case) -> bool:
        likeness = await self._likeness(case.question, case.evidence)
        texts = [_placed(piece).casefold() for piece in case.evidence]
        says = any(find_words(answer.casefold(), text) for answer in case.accepted for text in texts)
        return likeness >= self._at.near or (says and likeness >= self._at.akin)

    async def _is_supported(self, claim: str, evidence: Sequence[Shown], question: str) -> bool:
        claim = without_markers(claim)
        if not evidence or missing_figures(claim, list(map(_placed, evidence))):
            return False
        if judge(claim, list(map(_ground, evidence)), question) == "supported":
            return True
        return await self._likeness(claim, evidence) >= self._at.paraphrase

    async def _is_used_rightly(self, case: Case) -> bool:
        cited = [(text, markers) for text, markers in cited_sentences(case.answer) if markers]
        if not cited or any(not 1 <= marker <= len(case.evidence) for _, markers in cited for marker in markers):
            return False
        for text, markers in cited:
            pieces = [case.evidence[marker - 1] for marker in dict.fromkeys(markers)]
            if not await self._is_supported(text, pieces, case.question):
                return False
        return True

    async def _likeness(self, text: str, evidence: Sequence[Shown]) -> float:
        """Return the cosine of a text to the passage that is most like it; 0 where there is none."""
        read = list(dict.fromkeys(passage for piece in evidence for passage in _passages(piece)))
        if not read or not text.strip():
            return 0.0
        vectors = await self._embedder.embed([text, *read])
        return float((vectors[1:] @ vectors[0]).max())


def is_complete(answer: str) -> bool:
    """Tell whether every sentence that states a fact has a marker, and there is one."""
    facts = [markers for text, markers in cited_sentences(answer) if states_a_fact(text)]
    return bool(facts) and all(facts)


def states_a_fact(sentence: str) -> bool:
    """Tell whether a sentence says something that could be looked up."""
    said = sentence.rstrip("\"'”’) ")
    if said.endswith(("?", ":")):
        return False
    lowered = said[:1].lower() + said[1:]
    return bool(figures_in(said) or names_of(lowered) or len(content_stems(said)) >= FACT_WORDS)


def cited_sentences(answer: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the sentences of an answer without markers, each with its own, inside it or right behind it."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for sentence in split_sentences(answer):
        leading = _LEADING.match(sentence)
        behind = leading[0] if leading and found else ""
        if behind:
            text, markers = found.pop()
            found.append((text, (*markers, *_numbers(behind))))
        if rest := sentence[len(behind) :].strip():
            found.append((without_markers(rest), _numbers(rest)))
    return tuple(each for each in found if each[0])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in _MARKERS.findall(text))


def _placed(piece: Shown) -> str:
    return " ".join((*piece.place, piece.text))


def _ground(piece: Shown) -> Ground:
    """Return a whole piece as a quote of itself, so that the claim check reads all of it."""
    title, path = (piece.place[0] if piece.place else ""), piece.place[1:]
    evidence = TextEvidence(piece.id, Place(page_of(piece.id), title, "s0", path), "paragraph", piece.text)
    return Ground(Quote(piece.id, piece.text), evidence, Located(piece.text, piece.text, 0, len(piece.text)))


def _passages(piece: Shown) -> Iterator[str]:
    """Yield the passages of a piece, each under its place; what is long is cut."""
    head = " > ".join(piece.place)
    sentences = [part for sentence in split_sentences(piece.text) for part in _cut(sentence)]
    whole = [" ".join(pair) for pair in pairwise(sentences)] or sentences
    yield from (f"{head}: {passage}" if head else passage for passage in whole)


def _cut(sentence: str) -> Iterator[str]:
    words, most = sentence.split(), PASSAGE_WORDS // PASSAGE
    yield from (" ".join(words[start : start + most]) for start in range(0, len(words), most))
