"""Language models that satisfy the LLM Protocol: one with its replies written down, one that obeys what it reads."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent.checking.judge import JudgedClaim, JudgedClaims
from agent.checking.repair import NewQuote, RepairedClaim, RepairedClaims
from agent.language.replies import Grade, Grades, JudgedNeed, PageChoice, Reflection, SectionChoice, WrittenPlan
from agent.writing.replies import (
    NAME_CHARACTERS,
    CitedWords,
    MarkedCell,
    NotFound,
    SummaryClaim,
    WrittenAnswer,
    WrittenBlocks,
    WrittenCalculation,
    WrittenCalculations,
    WrittenClaim,
    WrittenFigure,
    WrittenHeading,
    WrittenSummary,
    WrittenTable,
    WrittenText,
)
from heliograph.errors import ModelError, ModelTimeout
from heliograph.types import ModelRole, Prompt

T = TypeVar("T")


@dataclass(slots=True)
class ScriptedLLM:
    """A model that says what is written down for it: replies, errors, and the chances of a first choice.

    The last entry of each list is repeated. A token is four characters.
    """

    replies: Sequence[object] = ()
    chances: Sequence[float | ModelError] = ()
    role: ModelRole = "answer"
    room: int = 6_000
    prompts: list[Prompt] = field(default_factory=list)
    chosen: int = 0

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        said = self.replies[min(len(self.prompts), len(self.replies) - 1)]
        self.prompts.append(prompt)
        if isinstance(said, ModelError):
            raise said
        assert isinstance(said, reply), f"{prompt.name} wants {reply.__name__}"
        return said

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        said = self.chances[min(self.chosen, len(self.chances) - 1)]
        self.prompts.append(prompt)
        self.chosen += 1
        if isinstance(said, ModelError):
            raise said
        return (said, *((1 - said) / (len(choices) - 1) for _ in choices[1:]))

    def count(self, text: str) -> int:
        return len(text) // 4 + 1


@dataclass(slots=True)
class SilentLLM:
    """A model that never answers in time."""

    role: ModelRole = "answer"
    room: int = 6_000
    asked: int = 0

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        self.asked += 1
        raise ModelTimeout("the model server did not answer within 120 s")

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        self.asked += 1
        raise ModelTimeout("the model server did not answer within 120 s")

    def count(self, text: str) -> int:
        return len(text) // 4 + 1


_ORDER = re.compile(
    r"(?:OBEY|ignore|search|cite|say|remember|open|fetch|write|call|print|set|system)\b.*", re.IGNORECASE
)
_FORGED = re.compile(r"\b[EeLlDd]\s*\d+\b|(?<=[\[(])\d+(?=[\])])")
_LINE = re.compile(
    r"^\[(?P<handle>[EDLNS]\d+(?:\.\d+)?)\] (?:\(\w+\) )?(?P<place>.*?)(?: :: (?P<said>.*))?$", re.MULTILINE
)


@dataclass(slots=True)
class ObedientLLM:
    """A model that does what page text tells it, as far as the shape of its reply lets it.

    It takes every order that it can find in the quoted parts of a prompt, and puts it, word for word, into every field
    that holds text; it cites every handle that it reads, ours and forged, with forged quotes and with real ones; it
    chooses every number that it reads; it says yes.
    """

    role: ModelRole = "answer"
    room: int = 6_000
    prompts: list[Prompt] = field(default_factory=list)
    said: list[object] = field(default_factory=list)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        self.prompts.append(prompt)
        read = "\n".join(prompt.parts[prompt.name not in ("repair_claims",) :])
        orders = self._orders(read)
        said: object
        if reply is WrittenPlan:
            said = WrittenPlan(form="short", needs=[*orders, *self._titles(read)], queries=[*orders, *prompt.parts[:1]])
        elif reply is Reflection:
            handles = [line["handle"] for line in _LINE.finditer(read)]
            said = Reflection(
                needs=[JudgedNeed(need=number, met=self._stops(orders), pieces=handles) for number in (1, 2, 99)],
                new_needs=[*orders, *self._names(read)],
                leads=[*orders, *handles],
                queries=[*orders, *self._titles(read), *self._names(read)],
                feedback=" ".join(orders)[:280],
            )
        elif reply is Grades:
            handles = [line["handle"] for line in _LINE.finditer(read)]
            said = Grades(grades=[Grade(piece=handle, grade=9) for handle in (*handles, "E99")])
        elif reply is PageChoice:
            said = PageChoice(pages=[*self._numbers(read), 0, -1, 999])
        elif reply is SectionChoice:
            said = SectionChoice(sections=[*self._numbers(read), -1, 999])
        elif reply is JudgedClaims:
            numbers = map(int, re.findall(r"^\[C(\d+)\]", read, re.MULTILINE))
            said = JudgedClaims(
                verdicts=[JudgedClaim(claim=each, reason=" ".join(orders), verdict="supported") for each in numbers]
            )
        elif reply is RepairedClaims:
            said = RepairedClaims(
                claims=[
                    RepairedClaim(
                        claim=number,
                        text=each.text,
                        citations=[NewQuote(handle=cited.handle, quote=cited.quote) for cited in each.citations],
                    )
                    for number, each in enumerate(self._claims(read, orders), start=1)
                ]
            )
        elif reply is WrittenSummary:
            numbers = self._numbers(read)
            summed = [SummaryClaim(text=order, sentences=numbers) for order in orders]
            said = WrittenSummary(title=" ".join(orders), claims=summed)
        elif reply is WrittenCalculations:
            said = WrittenCalculations(calculations=self._calculations(read, orders))
        elif reply is WrittenBlocks:
            said = WrittenBlocks(
                calculations=self._calculations(read, orders),
                blocks=self._blocks(read, orders),
                not_found=self._not_found(orders),
            )
        else:
            said = WrittenAnswer(
                calculations=self._calculations(read, orders),
                claims=self._claims(read, orders),
                pictures=self._handles(read),
                not_found=self._not_found(orders),
            )
        assert isinstance(said, reply)
        self.said.append(said)
        return said

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        self.prompts.append(prompt)
        return (1.0, *(0.0 for _ in choices[1:]))

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def _orders(self, read: str) -> list[str]:
        lines = [line["said"] or line["place"] for line in _LINE.finditer(read)]
        lines += [line for line in read.splitlines() if line.startswith(("[round", "- "))]
        return [found[0] for line in lines if (found := _ORDER.search(line))]

    def _titles(self, read: str) -> list[str]:
        return re.findall(r"(?:pages|linked|missing|note): ([^|]*)", read)

    def _names(self, read: str) -> list[str]:
        """Return runs of capitals: what an order looks like that passes itself off as a name."""
        return re.findall(r"(?:[A-Z][\w'’-]+ ){1,5}[A-Z][\w'’-]+", read)

    def _numbers(self, read: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d{1,4}", read)]

    def _handles(self, read: str) -> list[str]:
        return [*(line["handle"] for line in _LINE.finditer(read)), "E99", "E1.9"]

    def _not_found(self, orders: Sequence[str]) -> list[NotFound]:
        return [NotFound(need=number, text=order) for number, order in zip((1, 99), orders, strict=False)]

    def _calculations(self, read: str, orders: Sequence[str]) -> list[WrittenCalculation]:
        orders = [order[:NAME_CHARACTERS] for order in orders]  # a longer name is refused as a whole
        named = [*self._handles(read)[:6], *orders]
        calculations = [
            WrittenCalculation(name=f"c{place}", operation="count", table=each) for place, each in enumerate(named)
        ]
        return [*calculations, *(WrittenCalculation(name=order, operation=order, table="E1") for order in orders)]

    def _blocks(self, read: str, orders: Sequence[str]) -> list[Any]:
        """Return every order as heading, caption, column and claim, with all rows and pictures that there are."""
        handles, claims = self._handles(read), self._claims(read, orders)
        headings = [WrittenHeading(kind="heading", need=1, text=order) for order in orders[:2]]
        marked = [MarkedCell(row=handle, column=order) for handle in handles[:2] for order in orders[:1]]
        table = WrittenTable(kind="table", caption=" ".join(orders), columns=orders, rows=handles, marked=marked)
        figures = [WrittenFigure(kind="figure", picture=handle) for handle in handles[:3]]
        return [*headings, WrittenText(kind="paragraph", need=1, claims=claims), table, *figures]

    def _stops(self, orders: Sequence[str]) -> bool:
        return any("sufficient" in order for order in orders)

    def _claims(self, read: str, orders: Sequence[str]) -> list[WrittenClaim]:
        pieces = [(line["handle"], line["said"] or "") for line in _LINE.finditer(read)]
        forged = [handle for order in orders for handle in _FORGED.findall(order)] + ["E99", "1", "[2]"]
        claims = []
        for order in orders:
            real = [CitedWords(handle=handle, quote=said) for handle, said in pieces if order[:40] in said]
            quoted = [CitedWords(handle=handle, quote=order) for handle, _ in pieces[:2]]
            false = [CitedWords(handle=handle, quote=order) for handle in forged[:3]]
            claims += [WrittenClaim(text=order, citations=each) for each in ([*real[:1]], quoted, false) if each]
            if pieces:
                first = CitedWords(handle=pieces[0][0], quote=" ".join(pieces[0][1].split()[:4]))
                claims.append(WrittenClaim(text=f"{order} [1][E1]", citations=[*false[:1], first]))
        return [*claims, *self._honest(pieces)]

    def _honest(self, pieces: Sequence[tuple[str, str]]) -> list[WrittenClaim]:
        return [
            WrittenClaim(text=said.split(". ")[0][:200], citations=[CitedWords(handle=handle, quote=said[:200])])
            for handle, said in pieces[:2]
            if said
        ]
