"""What is judged of an answer, and what the measures take from a judge's words on it (OMG-QA, section 4.1; ALCE)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from agent.citations.numbering import without_markers
from eval.omgqa.judged import Judged, Labels, Statement, Unit, UnitKind, units
from eval.omgqa.judging.cases import Case, Shown, Task
from eval.omgqa.judging.words import Words
from eval.omgqa.records import OmgQuestion
from eval.omgqa.runs import CitedClaim, OmgRun
from heliograph.errors import UsageError
from heliograph.types import EvidenceId

Find = Callable[[EvidenceId], Shown]
"""Looks a piece of evidence up, a row that is cited as the row; raises a HeliographError where it is not at hand."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to be judged: what a system did with a question, the question's words, and where its evidence is.

    `accepted` are the answers known to be right, none where the question has no answer, None where that is not known.
    """

    run: OmgRun
    question: str
    find: Find
    kind: UnitKind = "leaf"
    accepted: tuple[str, ...] | None = None

    @property
    def retrieved(self) -> tuple[Unit, ...]:
        """The final evidence as units."""
        return units(self.run.retrieved, self.kind)

    @property
    def cited(self) -> tuple[Unit, ...]:
        """What the answer cites as units."""
        return units(self.run.cited, self.kind)


@dataclass(frozen=True, slots=True)
class AskedOf:
    """The task of a case, and the id of the question whose answer it is about."""

    task: Task
    question: str


def answered_of(
    runs: Iterable[OmgRun], questions: Mapping[str, OmgQuestion], find: Find, kind: UnitKind = "leaf"
) -> list[Answered]:
    """Put each answer beside its question."""
    asked = ((run, questions[run.question]) for run in runs)
    return [Answered(run, question.question, find, kind, question.answers) for run, question in asked]


def correct_use_case(answered: Answered) -> Case | None:
    """Return the case of CUE: None where nothing is cited, which needs no judge.

    Markers are issued anew, one a piece of evidence, in the order in which the pieces are shown.
    """
    cited = answered.run.cited
    if answered.run.abstained or not cited:
        return None
    return Case("correct_use", answered.question, _marked(answered.run), tuple(map(answered.find, cited)))


def completeness_case(answered: Answered) -> Case | None:
    """Return the case of CCM: None where the system abstained, or cites nothing, so that nothing is complete."""
    if answered.run.abstained or not answered.run.cited:
        return None
    return Case("completeness", answered.question, _marked(answered.run))


def correctness_case(run: OmgRun, question: str, accepted: tuple[str, ...] | None) -> Case | None:
    """Return the case of correctness: None where the system abstained, or no answer is known to be right."""
    if run.abstained or not accepted:
        return None
    return Case("correctness", question, without_markers(run.answer), accepted=accepted)


def support_cases(answered: Answered) -> tuple[Case, ...]:
    """Return the cases of ALCE, each once: of every claim all that it cites, each alone, and all but each.

    A single citation is all and alone at once. No evidence supports nothing, so that nobody is asked.
    """
    every = (case for claim in answered.run.claims for case in _support_cases(answered, claim))
    return tuple(dict.fromkeys(case for case in every if case is not None))


def answer_cases(answered: Answered) -> tuple[Case, ...]:
    """Return all that is judged of the answer itself: its citations together, its correctness, and each claim."""
    whole = (correct_use_case(answered), completeness_case(answered), _correctness_case(answered))
    return (*(case for case in whole if case is not None), *support_cases(answered))


def asked_of(answers: Iterable[Answered]) -> dict[str, AskedOf]:
    """Return the cases of answers by their sha256, each with the first question that it comes from."""
    every = ((each.run.question, case) for each in answers for case in answer_cases(each))
    found: dict[str, AskedOf] = {}
    for question, case in every:
        found.setdefault(case.digest, AskedOf(case.task, question))
    return found


def judged_of(answered: Answered, labels: Labels, words: Words, correctness: Words | None = None) -> Judged:
    """Put an answer beside its labels and a judge's words on it; `correctness` are those of whoever judged that.

    Raises:
        UsageError: the judge was not asked about a claim; answers that are half judged would be measured as worse.
    """
    run = answered.run
    statements = tuple(_statement(answered, claim, words) for claim in run.claims)
    supporting = (
        unit
        for claim, statement in zip(run.claims, statements, strict=True)
        if statement.supported
        for unit in units(claim.cited, answered.kind)
    )
    return Judged(
        labels=labels,
        documents=run.documents,
        retrieved=answered.retrieved,
        cited=answered.cited,
        supporting=frozenset(supporting),
        statements=statements,
        abstained=run.abstained,
        correct_use=_said(correct_use_case(answered), words),
        complete=_said(completeness_case(answered), words),
        answer=run.answer,
        accepted=answered.accepted,
        states_accepted=_said(_correctness_case(answered), correctness) if correctness else None,
        rounds=tuple(units(each, answered.kind) for each in run.rounds),
    )


def _correctness_case(answered: Answered) -> Case | None:
    return correctness_case(answered.run, answered.question, answered.accepted)


def _statement(answered: Answered, claim: CitedClaim, words: Words) -> Statement:
    whole, alone, rest = _claim_cases(answered, claim)
    said = [_heard(answered, case, words) for case in (whole, *alone, *rest)]
    count = len(alone)
    return Statement(said[0], tuple(said[1 : 1 + count]), tuple(said[1 + count :]))


def _heard(answered: Answered, case: Case | None, words: Words) -> bool:
    if case is None:
        return False
    word = words(case)
    if word is None:
        run = answered.run
        raise UsageError(
            f"a claim of {run.system} on question {run.question} was not judged: “{case.answer}”; "
            "judge the answers before they are measured"
        )
    return word.yes


def _said(case: Case | None, words: Words) -> bool | None:
    """Return a judge's word: no where there is no case to ask about, None where it was not asked."""
    if case is None:
        return False
    word = words(case)
    return None if word is None else word.yes


def _claim_cases(
    answered: Answered, claim: CitedClaim
) -> tuple[Case | None, tuple[Case | None, ...], tuple[Case | None, ...]]:
    """Return the cases of a claim: by all its citations, by each alone, and by all but each; None without evidence."""
    shown = tuple(map(answered.find, claim.cited))

    def case(pieces: tuple[Shown, ...]) -> Case | None:
        return Case("support", answered.question, claim.text, pieces) if pieces else None

    alone = tuple(case((piece,)) for piece in shown)
    rest = tuple(case((*shown[:place], *shown[place + 1 :])) for place in range(len(shown)))
    return case(shown), alone, rest


def _support_cases(answered: Answered, claim: CitedClaim) -> Iterator[Case | None]:
    whole, alone, rest = _claim_cases(answered, claim)
    yield from (whole, *alone, *rest)


def _marked(run: OmgRun) -> str:
    """Return the answer as its claims, each with markers of ours; nothing else in it can be taken for one."""
    number = {piece: place for place, piece in enumerate(run.cited, start=1)}
    said = (
        " ".join((without_markers(claim.text), "".join(f"[{number[piece]}]" for piece in claim.cited))).strip()
        for claim in run.claims
    )
    return " ".join(said)
