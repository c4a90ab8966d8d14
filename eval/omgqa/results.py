"""What a report is made of: every answer of every system, beside what one judge says of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.omgqa.judged import Judged
from eval.omgqa.records import Judgement, OmgQuestion
from eval.omgqa.runs import OmgRun
from eval.omgqa.systems import System


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """An answer, and its units with their labels."""

    run: OmgRun
    judged: Judged


@dataclass(frozen=True, slots=True)
class Results:
    """Answers of systems to the same questions under the words of one judge.

    `systems` are all of the grid, by name, those that lack something included; `runs` are of those that ran. A system
    may have answered a question several times, once a seed. `pool` is what was judged.
    """

    judge: str
    systems: Mapping[str, System]
    questions: Mapping[str, OmgQuestion]
    pool: tuple[Judgement, ...]
    runs: tuple[JudgedRun, ...]
