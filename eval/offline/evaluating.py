"""A question set from its file to what was measured."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.metrics import Outcome
from eval.offline.report import render_report
from eval.offline.runner import measure
from heliograph.errors import UsageError
from heliograph.protocols import PageStore
from heliograph.types import Answer


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured of each question, in their order."""

    outcomes: tuple[Outcome, ...]

    @property
    def expected(self) -> float:
        """The share of questions that were answered as expected, or that expect no answer and got none."""
        return sum(outcome.expected for outcome in self.outcomes) / len(self.outcomes)

    @property
    def table(self) -> str:
        """All measures as a Markdown table, one row a kind of question and one for all; shares in %."""
        return render_report(self.outcomes)


async def evaluate(
    questions: Path | Sequence[GoldQuestion],
    ask: Callable[[str], Awaitable[Answer]],
    store: PageStore,
    progress: Callable[[str], None],
) -> Evaluation:
    """Ask one question after the other and measure the answers against what is expected.

    Args:
        questions: or the file of JSON lines that has them, in the form of demo/questions.jsonl.

    Raises:
        UsageError: the file cannot be read, or there are no questions.
        HeliographError: a question cannot be answered.
    """
    asked = _read(questions) if isinstance(questions, Path) else tuple(questions)
    if not asked:
        raise UsageError(f"there are no questions in {questions}; give at least one to evaluate")

    def told(question: GoldQuestion, _answer: Answer, outcome: Outcome) -> None:
        progress(f"{question.id}: {'as expected' if outcome.expected else 'not as expected'}")

    return Evaluation(await measure(asked, ask, store, told))


def _read(path: Path) -> tuple[GoldQuestion, ...]:
    try:
        return read_gold(path)
    except (OSError, UnicodeDecodeError) as err:
        raise UsageError(f"cannot read questions from {path}: {err}; name a readable file of JSON lines") from err
