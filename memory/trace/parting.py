"""Where two runs part, and what each has that the other lacks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import TypeVar

from heliograph.kept_settings import BESIDE
from heliograph.types import Answer, Claim, ClaimVerdict, Verdict, shown_verdict
from memory.trace.account import Account

T = TypeVar("T")
_MARKERS = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class Change:
    """What only the first has and what only the second has, each in its order."""

    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parting:
    """The first step that came to something else: the `time`-th of that name, and its spans; None where it is missing.

    Where the runs went to different steps, `step` is the first run's.
    """

    step: str
    time: int
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class OtherQuery:
    """The first query that differs: its round and place, both from 1; None where a run asked no such query."""

    round: int
    place: int
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class OtherRound:
    """A round that differs; `verdicts` are both, None where they are the same or a round is missing from one run."""

    number: int
    queries: Change
    documents: Change
    evidence: Change
    verdicts: tuple[Verdict | None, Verdict | None] | None


@dataclass(frozen=True, slots=True)
class OtherClaim:
    """A claim that differs; a verdict is None where the run does not claim it, `cited` is the evidence it rests on."""

    text: str
    first: ClaimVerdict | None
    second: ClaimVerdict | None
    cited: Change


@dataclass(frozen=True, slots=True)
class RunDiff:
    """Everything in which two runs differ; pairs are the first's and the second's, None where both are the same.

    `documents` and `evidence` are those of all rounds and of the final ledger. `settings` are dotted names.
    """

    first: str
    second: str
    questions: tuple[str, str] | None
    settings: Mapping[str, tuple[object, object]]
    parts: Parting | None
    query: OtherQuery | None
    rounds: tuple[OtherRound, ...]
    documents: Change
    evidence: Change
    claims: tuple[OtherClaim, ...]
    answers: tuple[str | None, str | None] | None
    stops: tuple[str | None, str | None] | None

    @property
    def same(self) -> bool:
        """Whether both were asked, found, judged and said the same; settings, time and cost do not count."""
        told = (
            getattr(self, field.name) for field in fields(self) if field.name not in ("first", "second", "settings")
        )
        return not any(value for value in told if value != Change())


def diff_runs(first: Account, second: Account) -> RunDiff:
    """Compare two runs."""
    one, other = first.answer, second.answer
    return RunDiff(
        first=first.manifest.run,
        second=second.manifest.run,
        questions=_pair(first.manifest.question, second.manifest.question),
        settings=_settings(first.settings, second.settings),
        parts=_parting(first, second),
        query=_query(first, second),
        rounds=tuple(_rounds(first, second)),
        documents=_change(_documents(first), _documents(second)),
        evidence=_change(_evidence(one), _evidence(other)),
        claims=tuple(_claims(one, other)),
        answers=_pair(one.answer if one else None, other.answer if other else None),
        stops=_pair(one.stop_reason if one else None, other.stop_reason if other else None),
    )


def _pair(one: T, other: T) -> tuple[T, T] | None:
    return None if one == other else (one, other)


def _change(one: Sequence[str], other: Sequence[str]) -> Change:
    """Return what each lacks; queries that come in another order are all in both, and so no change."""
    return Change(
        tuple(each for each in dict.fromkeys(one) if each not in other),
        tuple(each for each in dict.fromkeys(other) if each not in one),
    )


def _parting(first: Account, second: Account) -> Parting | None:
    for place, (one, other) in enumerate(zip_longest(first.steps, second.steps)):
        if one and other and (one.name, one.output) == (other.name, other.output):
            continue
        named = one or other
        assert named is not None, "zip_longest ends with the longer one"
        steps = first.steps if one else second.steps
        time = sum(step.name == named.name for step in steps[: place + 1])
        return Parting(named.name, time, one.span if one else None, other.span if other else None)
    return None


def _query(first: Account, second: Account) -> OtherQuery | None:
    for one, other in zip_longest(first.rounds, second.rounds):
        queries = zip_longest(one.queries if one else (), other.queries if other else ())
        for place, (asked, instead) in enumerate(queries, start=1):
            if asked != instead:
                number = (one or other).number
                return OtherQuery(number, place, asked, instead)
    return None


def _rounds(first: Account, second: Account) -> list[OtherRound]:
    found = []
    for one, other in zip_longest(first.rounds, second.rounds):
        queries = _change(one.queries if one else (), other.queries if other else ())
        documents = _change(one.documents if one else (), other.documents if other else ())
        evidence = _change(one.evidence if one else (), other.evidence if other else ())
        verdicts = _pair(one.verdict if one else None, other.verdict if other else None)
        if verdicts or any(change != Change() for change in (queries, documents, evidence)):
            found.append(OtherRound((one or other).number, queries, documents, evidence, verdicts))
    return found


def _documents(account: Account) -> tuple[str, ...]:
    return tuple(key for record in account.rounds for key in record.documents)


def _evidence(answer: Answer | None) -> tuple[str, ...]:
    return tuple(seen.evidence for seen in answer.evidence) if answer else ()


def _claims(one: Answer | None, other: Answer | None) -> list[OtherClaim]:
    """Compare claims by their words; markers count for what they stand for, not for their numbers."""
    first, second = _claimed(one), _claimed(other)
    found = []
    for text in dict.fromkeys((*first, *second)):
        mine, theirs = first.get(text), second.get(text)
        cited = _change(mine[1] if mine else (), theirs[1] if theirs else ())
        verdicts = (mine[0] if mine else None, theirs[0] if theirs else None)
        if verdicts[0] != verdicts[1] or cited != Change():
            found.append(OtherClaim(text, *verdicts, cited))
    return found


def _claimed(answer: Answer | None) -> dict[str, tuple[ClaimVerdict, tuple[str, ...]]]:
    if answer is None:
        return {}
    places = {citation.marker: citation.evidence for citation in answer.citations}
    shown = [(claim, shown_verdict(claim, answer.citations, answer.mode)) for claim in answer.claims]
    return {_bare(claim): (verdict, _cited(claim, places)) for claim, verdict in shown}


def _cited(claim: Claim, places: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(places[cited.marker] for cited in claim.citations if cited.marker in places)


def _bare(claim: Claim) -> str:
    return _MARKERS.sub("", claim.text).strip().rstrip(".")


def _settings(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, tuple[object, object]]:
    """Return the settings that differ; those of the machine say nothing of a run."""
    first, second = dict(dotted(one)), dict(dotted(other))
    names = dict.fromkeys((*first, *second))
    pairs = {name: (first.get(name), second.get(name)) for name in names if name not in BESIDE}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def dotted(settings: Mapping[str, object], before: str = "") -> list[tuple[str, object]]:
    """Return settings one level deep, by names such as llm.model."""
    found: list[tuple[str, object]] = []
    for name, value in settings.items():
        found += dotted(value, f"{before}{name}.") if isinstance(value, Mapping) else [(f"{before}{name}", value)]
    return found
