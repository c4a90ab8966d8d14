"""A person labels the relevancy of pooled evidence: blind to other words, key by key, kept at once, resumed at will."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from eval.omgqa.dataset import judgement_line, labels_by, read_judgements
from eval.omgqa.judged import Unit
from eval.omgqa.judging.agreement import Agreement, agreement_of
from eval.omgqa.judging.cases import Shown
from eval.omgqa.judging.growing import GrowingLines, open_growing
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from heliograph.errors import UsageError
from prompts.harmless import harmless

BEGINNING = b'{"question": '
"""How every line of a pool begins."""
OTHERWISE = "stop it"
KEYS = "y relevant   n not relevant   s skip   u undo   q quit"

Ask = Callable[[str], str]
"""Shows a text and returns the key that was pressed after it; "q" where there is nobody left to press one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A piece of evidence to be judged for a question."""

    question: OmgQuestion
    evidence: Shown


@dataclass(slots=True)
class Labelling:
    """One person's way through pairs: what was done can be undone, back to where this session began."""

    pool: GrowingLines
    judge: str
    pairs: Sequence[Pair]
    _ways: list[int | None] = field(default_factory=list)

    @property
    def place(self) -> int:
        """How many pairs were passed, and so the number of the pair at hand, from 0."""
        return len(self._ways)

    @property
    def labelled(self) -> int:
        """How many words were written and not undone."""
        return sum(start is not None for start in self._ways)

    def run(self, ask: Ask) -> None:
        """Ask for keys until all pairs are passed or somebody quits.

        Raises:
            StoreFull | StoreError: a word cannot be written; those before it are there.
        """
        while self.place < len(self.pairs):
            key = ask(pair_text(self.pairs[self.place], self.place + 1, len(self.pairs))).casefold()
            if key == "q":
                return
            self.press(key)

    def press(self, key: str) -> None:
        """Do what a key says; keys without a meaning do nothing."""
        match key:
            case "y" | "n":
                pair = self.pairs[self.place]
                word = Judgement(pair.question.id, pair.evidence.id, key == "y", self.judge)
                self._ways.append(self.pool.append(judgement_line(word)))
            case "s":
                self._ways.append(None)
            case "u" if self._ways:
                start = self._ways.pop()
                if start is not None:
                    self.pool.cut(start)


def open_labelling(
    pool: Path,
    judge: str,
    questions: Sequence[OmgQuestion],
    evidence: Mapping[Unit, Shown],
    stack: ExitStack,
    first: int | None = None,
) -> Labelling:
    """Open a pool for one person: the pairs that anybody judged and this person has not.

    Questions come by the sha256 of their ids, and so does the evidence of each, so that neither ranks nor labels show
    through, and `first` questions are drawn by chance, the same ones for everybody.

    Raises:
        UsageError: the pool cannot be read, evidence of it is not at hand, or the name is one of a model's.
        StoreLocked: another process writes the folder.
        StoreFull | StoreError: the pool cannot be written.
    """
    if not pool.exists():
        raise UsageError(f"there is no pool {pool}; judge what was found first: heliograph eval omgqa judge")
    lines = open_growing(pool, BEGINNING, stack, OTHERWISE, pool.parent)
    known = {question.id: question for question in questions}
    judgements = read_judgements(pool, known)
    _refuse_model(judge, judgements)
    done = {(each.question, each.evidence) for each in judgements if each.judge == judge}
    pooled = dict.fromkeys((each.question, each.evidence) for each in judgements)
    drawn = set(sorted({question for question, _ in pooled}, key=_by_chance)[:first])
    todo = sorted(pooled.keys() - done, key=lambda pair: (_by_chance(pair[0]), _by_chance("\n".join(pair))))
    pairs = [Pair(known[asked], _at_hand(unit, evidence)) for asked, unit in todo if asked in drawn]
    return Labelling(lines, judge, pairs)


def pool_agreement(judgements: Iterable[Judgement], first: str, second: str) -> Agreement:
    """Compare two judges on the pairs of a pool that both judged.

    Raises:
        UsageError: one of them judged nothing.
    """
    judgements = tuple(judgements)
    words = {name: _words_of(name, judgements) for name in (first, second)}
    return agreement_of(
        (relevant, words[second][pair]) for pair, relevant in words[first].items() if pair in words[second]
    )


def pair_text(pair: Pair, number: int, of: int) -> str:
    """Return what a person sees: how far they are, the question, and the piece with its place; a table by its rows."""
    piece = pair.evidence
    place = " > ".join(map(harmless, piece.place))
    said = harmless(piece.text)
    if piece.modality == "table":
        said = said.replace(" // ", "\n  ") if " // " in said else said.replace("; ", "\n  ")
    head = f"{number:,} of {of:,}   {KEYS}"
    return f"{head}\n\nQuestion: {harmless(pair.question.question)}\n\n{piece.modality}: {place}\n\n  {said}\n"


def _words_of(judge: str, judgements: Sequence[Judgement]) -> dict[tuple[str, Unit], bool]:
    labels = labels_by(judge, judgements)
    if not labels:
        judges = ", ".join(sorted({each.judge for each in judgements}))
        raise UsageError(f"{judge} has no word in this pool; name one of its judges: {judges}")
    return {
        (question, unit): relevant
        for question, found in labels.items()
        for relevant, units in ((True, found.relevant), (False, found.irrelevant))
        for unit in units
    }


def _refuse_model(judge: str, judgements: Iterable[Judgement]) -> None:
    if judge == AUTHORS or any(each.judge == judge and each.prompt for each in judgements):
        raise UsageError(f"the words of {judge!r} are not a person's; label under another --judge")


def _at_hand(unit: Unit, evidence: Mapping[Unit, Shown]) -> Shown:
    if unit not in evidence:
        raise UsageError(f"the evidence of the pool has no {unit}; pool anew: heliograph eval omgqa judge")
    return evidence[unit]


def _by_chance(name: str) -> str:
    return sha256(name.encode()).hexdigest()
