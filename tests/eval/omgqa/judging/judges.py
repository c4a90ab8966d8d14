"""Judges with their words written down."""

import asyncio
from dataclasses import dataclass, field

from eval.omgqa.judging.cases import Case, Task, Word
from heliograph.errors import ModelUnreachable


@dataclass(slots=True)
class WrittenJudge:
    """A judge that says yes to what holds `sought`, fails at the case `broken`, and remembers what it was asked."""

    name: str = "written"
    told: str = "p1"
    sought: str = "yes"
    broken: Case | None = None
    asked: list[Case] = field(default_factory=list)
    most: int = 0
    _out: int = 0

    def prompt(self, task: Task) -> str:
        return f"{self.told}-{task}"

    async def judge(self, case: Case) -> Word:
        self.asked.append(case)
        self._out += 1
        self.most = max(self.most, self._out)
        if case == self.broken:
            raise ModelUnreachable("nobody is there; start the server")
        await asyncio.sleep(0)
        self._out -= 1
        return Word(self.sought in case.question, 0.75)
