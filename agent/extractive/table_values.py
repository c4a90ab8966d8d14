"""What a table gives in answer to a question, and how probable it is to be right beside what a reader says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.types import ReadAnswer
from indexers.links import says
from indexers.models.answer_choice import log_odds, logistic
from tools.arithmetic import Computed, TableAnswers

TOLD = 0.5
"""How probable it must be that an answer is right."""
SURELY, BY_SOURCE = 0.6, 0.33
"""Probability of a parse from which no reader is asked, but of a cell; and of a table that a source made for the
question, from which its rows answer."""
TABLED, CELL, UNREAD = (0.91, 1.06), (-0.97, 0.89, 2.76), (0.41, 1.06)
"""Logistic regressions of "the value of a table answers", of the log odds of its parse: over several rows, of which
values that the cells do not allow have a share; of one cell, with whether the reader's first answer says the same; and
of one cell where no reader has read (`python -m bench.evidence_choice`)."""
_FIGURE = re.compile(r"[-−]?\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class TableValue:
    """A value of a table.

    Attributes:
        computed: the value, with the probability of its parse, or that of its source.
        parsed: whether a parser made it out; else a source made the table for the question.
        is_cell: whether it is what one row says, in answer to a question that compares or counts no rows.
    """

    computed: Computed
    parsed: bool
    is_cell: bool

    @property
    def is_sure(self) -> bool:
        """Whether no reader need be asked."""
        return self.computed.confidence >= SURELY and not self.is_cell

    def probability(self, answers: Sequence[ReadAnswer] | None = None) -> float:
        """Return how probably it is right, given a reader's answers; None where no reader has read."""
        if not self.parsed:
            return self.computed.confidence
        odds = log_odds(self.computed.confidence)
        if not self.is_cell:
            return logistic(TABLED, odds)
        if answers is None:
            return logistic(UNREAD, odds)
        return logistic(CELL, odds, float(agree([self.computed], answers[:1])))

    @property
    def may_be_told(self) -> bool:
        """Whether it is probable enough if a reader says the same."""
        if self.is_cell:
            return logistic(CELL, log_odds(self.computed.confidence), 1.0) >= TOLD
        return self.is_told()

    def is_told(self, answers: Sequence[ReadAnswer] | None = None) -> bool:
        """Say whether it is probable enough."""
        return self.probability(answers) >= (TOLD if self.parsed else BY_SOURCE)


def table_value(computed: Computed | None, tabled: TableAnswers, *, whether: bool) -> TableValue | None:
    """Return a value with what is known of it; `whether` tells that the question asks for yes or no."""
    if computed is None:
        return None
    parsed = computed in tabled.results
    looked_up = computed.computation.operation == "filter" and len(computed.winners) == 1
    return TableValue(computed, parsed, parsed and looked_up and not whether)


def repeated_rival(tabled: TableAnswers, answers: Sequence[ReadAnswer], *, whether: bool) -> TableValue | None:
    """Return the one of several tables' values that a reader repeats, where these disagree."""
    rivals = (*tabled.results[:1], *tabled.rivals) if tabled.rivals else ()
    repeated = [each for each in rivals if agree([each], answers)]
    return table_value(repeated[0], tabled, whether=whether) if len(repeated) == 1 else None


def agree(computed: Sequence[Computed], answers: Sequence[ReadAnswer]) -> bool:
    """Tell whether a value of a table and an answer are the same: in their figures, or in words without figures."""
    return any(_same(value.answer.casefold(), each.text.casefold()) for value in computed for each in answers)


def _same(value: str, said: str) -> bool:
    figures = [{each.replace(",", "") for each in _FIGURE.findall(text)} for text in (value, said)]
    if all(figures):
        return figures[0] <= figures[1] or figures[1] <= figures[0]
    return says(value, said) or says(said, value)
