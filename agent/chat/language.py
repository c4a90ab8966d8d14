"""Follow-ups rewritten by a language model, from the questions and answers of the conversation and nothing else."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

from pydantic import Field

from agent.chat.understanding import StandAlone, Understanding
from agent.citations.numbering import without_markers
from agent.language.addresses import holds_address
from agent.language.framing import question_part
from agent.question import valid_question
from heliograph.errors import InvalidQuestion, ModelError
from heliograph.protocols import LLM
from heliograph.text.names import names_in
from heliograph.text.words import stem
from heliograph.types import Prompt
from memory.conversations import Turn
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from prompts.replies import Said

MOST_CHARACTERS = 500
ANSWER_CHARACTERS = 600
"""Characters of one answer that the model sees."""

_FIGURE = re.compile(r"\d[\d,.]*")


class WholeQuestion(Said):
    """A question that stands alone."""

    # refused and not cut: a part of a question asks something else
    question: Annotated[str, Field(max_length=MOST_CHARACTERS)]


class LanguageStandAlone:
    """Have a model rewrite; where it fails or writes what may not be asked, what `other` makes of it is asked, and
    `tell` hears why.

    What stands alone by the other is not shown to the model; without one every question is.

    A reply may be asked if it is one question of at most 500 characters, holds no web address, and names nothing and
    no figure that neither the question nor the conversation has: what an answer quotes may give orders to a model.
    """

    def __init__(self, llm: LLM, other: StandAlone | None = None, tell: Callable[[str], None] = lambda _: None) -> None:
        self._llm = llm
        self._other = other
        self._tell = tell

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> Understanding:
        """Return the question as it stands alone."""
        without = await self._other.rewrite(question, turns) if self._other else Understanding(question)
        if self._other and without == Understanding(question):
            return without
        told = render_prompt("past_turns", turns="\n".join(_lines(turns)))
        prompt = Prompt("stand_alone", render_prompt("stand_alone"), (told, question_part(question)))
        try:
            written = (await self._llm.ask(prompt, WholeQuestion)).question
            return Understanding(_checked(written, question, turns))
        except (ModelError, InvalidQuestion) as err:
            self._tell(f"the follow-up is understood without the language model: {err}")
            return without


def _lines(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns:
        answer = "no answer was found" if turn.abstained else without_markers(turn.answer)
        said = clipped(harmless(answer), ANSWER_CHARACTERS)
        yield f"[T{turn.number}] asked: {harmless(turn.asked)} answered: {said}"


def _checked(written: str, question: str, turns: Sequence[Turn]) -> str:
    """Return what a model wrote as a question.

    Raises:
        InvalidQuestion: it is none, or says what nobody said.
    """
    asked = valid_question(written)
    if holds_address(asked):
        raise InvalidQuestion("what the language model wrote holds an address")
    said = " ".join((question, *(f"{turn.asked} {turn.answer}" for turn in turns)))
    known = {stem(word) for word in re.findall(r"\w+", said)}
    named = {stem(word) for name in names_in(asked) for word in re.findall(r"\w+", name)}
    figures = set(_FIGURE.findall(asked)) - set(_FIGURE.findall(said))
    if not named <= known or figures:
        raise InvalidQuestion("what the language model wrote names what nobody said")
    return asked
