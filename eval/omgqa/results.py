"""What a report is made of: every answer of every system, beside what one judge says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eval.omgqa.judged import Judged
from eval.omgqa.judging.answers import AskedOf
from eval.omgqa.judging.words import Asked, Said
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
    may have answered a question several times, once a seed. `pool` is what was judged of relevancy, by every judge, and
    `said` of all else; `asked` are the cases of the answers by their sha256. `correctness` is who judged which answers
    are right, empty where nobody did. `unasked` are questions of the folder that no system has answered: they are in no
    figure.
    """

    judge: str
    systems: Mapping[str, System]
    questions: Mapping[str, OmgQuestion]
    pool: tuple[Judgement, ...]
    runs: tuple[JudgedRun, ...]
    said: Mapping[Asked, Said] = field(default_factory=dict)
    asked: Mapping[str, AskedOf] = field(default_factory=dict)
    correctness: str = ""
    unasked: Mapping[str, OmgQuestion] = field(default_factory=dict)
