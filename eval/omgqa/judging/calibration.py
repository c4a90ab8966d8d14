"""How far a judge of support agrees with experts on ExpertQA's claims (as OMG-QA, Table 7, for its own judge)."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.drawing import Part
from eval.omgqa.judging.agreement import Agreement, agreement_of, agreement_text
from eval.omgqa.judging.building import JudgeKind, judging_endpoint, opened_judge
from eval.omgqa.judging.cases import Judge
from eval.omgqa.judging.expertqa import Claims, HumanCase, read_claims
from eval.omgqa.judging.growing import folder_of
from eval.omgqa.judging.words import WordLog, judge_all, open_words
from heliograph.config import Settings
from indexers.pace import Say

FOLDER = Path("eval") / "omgqa"
"""Of the home folder: the words of calibration."""
PEOPLE = "experts"
STRICT, LENIENT = "Partial counts as no", "Partial counts as yes"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is asked for; `first` draws so many cases of the half by the sha256 of what is shown."""

    claims: Path
    judge: JudgeKind
    half: Part = "report"
    first: int | None = None
    words: Path | None = None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The agreement of experts, first, and a judge, second, under both readings of Partial; and what was left out."""

    judge: str
    prompt: str
    half: str
    strict: Agreement
    lenient: Agreement
    left_out: dict[str, int]

    def as_json(self) -> str:
        """Return it as one JSON object."""
        return json.dumps({**asdict(self), "strict": self.strict.record(), "lenient": self.lenient.record()})

    def text(self) -> str:
        """Return it for people."""
        tables = (
            agreement_text(f"support, {what}", found, PEOPLE, self.judge)
            for what, found in ((STRICT, self.strict), (LENIENT, self.lenient))
        )
        out = ", ".join(f"{count:,} {why}" for why, count in self.left_out.items())
        return "\n".join((f"half: {self.half}; left out of the file: {out}", *tables))


async def calibrate(asked: Calibration, settings: Settings, say: Say) -> Calibrated:
    """Have a judge decide the claims that it has not decided yet, and compare it with the experts.

    Raises:
        UsageError: the claims cannot be read, or no language model is set.
        ModelError: the judge cannot be asked; the words that it gave are kept.
        StoreError: words cannot be kept.
    """
    at_once = judging_endpoint(settings).at_once if asked.judge == "llm" else 1
    claims = await asyncio.to_thread(read_claims, asked.claims)
    drawn = drawn_cases(claims, asked.half, asked.first)
    path = asked.words or settings.home / FOLDER / "calibration.jsonl"
    with open_words(path) as log:
        say(f"words: {path}")
        async with opened_judge(asked.judge, settings, folder_of(path), say) as judge:
            await judge_all((each.case for each in drawn), judge, log, at_once, say)
            return compared(drawn, judge, log, claims, asked.half)


def drawn_cases(claims: Claims, half: Part, first: int | None) -> tuple[HumanCase, ...]:
    """Return the cases of a half, or `first` of them, in the order of their digests."""
    return tuple(sorted(claims.of(half), key=lambda each: each.case.digest)[:first])


def compared(drawn: Sequence[HumanCase], judge: Judge, log: WordLog, claims: Claims, half: str) -> Calibrated:
    """Compare the words that a judge has given with what the experts said; a case without a word does not count."""
    said = log.words_of(judge)
    pairs = [(each, word) for each in drawn if (word := said(each.case)) is not None]
    return Calibrated(
        judge=judge.name,
        prompt=judge.prompt("support"),
        half=half,
        strict=agreement_of((each.yes(), word.yes) for each, word in pairs),
        lenient=agreement_of((each.yes(partial=True), word.yes) for each, word in pairs),
        left_out={
            "without evidence": claims.without_evidence,
            "with an address for evidence": claims.address_only,
            "without a label": claims.not_labelled,
        },
    )
