"""Heliograph for tests of evaluations: answers at once, and fails when it is told to."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eval.omgqa.records import OmgQuestion
from eval.omgqa.systems import System
from heliograph.errors import HeliographError
from heliograph.types import (
    ANSWER_SCHEMA,
    Answer,
    Citation,
    CitedMarker,
    Claim,
    EvidenceId,
    Observation,
    PageKey,
    RoundRecord,
    Usage,
    Verdict,
)

PAGE = PageKey("w:Io@7")
FIRST, SECOND = EvidenceId("w:Io@7#s0/p1"), EvidenceId("w:Io@7#s0/t1/r2")


def a_question(name: str) -> OmgQuestion:
    return OmgQuestion(name, f"What is {name}?", ("Pele",), (FIRST,), ("text",), "test")


def a_system(name: str, **settings: Any) -> System:
    return System("zim", "text-only", "dense", name, "none", "none", "single-round", "off", {"name": name, **settings})


def an_answer(question: str, run: str = "r1") -> Answer:
    """One claim that cites a paragraph twice and a row once; two rounds that read one page."""
    cited = tuple(
        Citation(marker, piece, "text", "Io", "", "7", "", "Pele", "CC0-1.0", "us")
        for marker, piece in enumerate((FIRST, SECOND, FIRST), start=1)
    )
    rounds = tuple(
        RoundRecord(number, ("io",), (PAGE,), (piece,), Verdict(number == 2))
        for number, piece in enumerate((FIRST, SECOND), start=1)
    )
    return Answer(
        schema=ANSWER_SCHEMA,
        run=run,
        question=question,
        answer="Pele [1][2][3].",
        abstained=False,
        mode="extractive",
        stop_reason="sufficient",
        citations=cited,
        claims=(Claim("Pele.", tuple(CitedMarker(each.marker, "supported") for each in cited), "supported"),),
        rounds=rounds,
        evidence=(Observation(SECOND, "table", 0.9, 2), Observation(FIRST, "text", 0.5, 1)),
        sources=(),
        notes=(),
        model_failures=(),
        usage=Usage(embedded=3),
        seconds=1.5,
    )


@dataclass
class FakeHeliograph:
    """Builds askers, and remembers what each system was asked; `failures` are errors by question text."""

    failures: Mapping[str, HeliographError] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    open: int = 0
    at_once: int = 0

    def build(self, settings: Mapping[str, Any]) -> "FakeAsker":
        if isinstance(refused := settings.get("refused"), HeliographError):
            raise refused
        self.open += 1
        assert self.open == 1, "two systems hold the home folder"
        return FakeAsker(self, settings["name"])


@dataclass
class FakeAsker:
    heliograph: FakeHeliograph
    name: str
    busy: int = 0

    async def ask(self, question: str) -> Answer:
        self.busy += 1
        self.heliograph.at_once = max(self.heliograph.at_once, self.busy)
        await asyncio.sleep(0)
        self.busy -= 1
        self.heliograph.asked.append((self.name, question))
        if question in self.heliograph.failures:
            raise self.heliograph.failures[question]
        return an_answer(question)

    def close(self) -> None:
        self.heliograph.open -= 1
