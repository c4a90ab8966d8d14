"""The words of a question, in which those of cells and columns are looked up."""

import re

from heliograph.text.units import header_words
from heliograph.text.words import STOP_WORDS, WORD, akin, akin_to_any, stem, stems
from tools.arithmetic.columns import Column

SAID = 0.3
"""Share of the words of a column's name above which the question says it."""
LONGEST_CELL = 400
"""Characters of a cell in which words of the question are looked for."""
WORDS = re.compile(WORD)


class QuestionWords:
    """The stems of a question, each with the character at which it first stands; looked up as fast in a long one."""

    def __init__(self, question: str) -> None:
        self._positions: dict[str, int] = {}
        for found in WORDS.finditer(question):
            self._positions.setdefault(stem(found[0]), found.start())
        self._akin: dict[str, int | None] = {}

    def position(self, word: str) -> int | None:
        """Return where a stem, or one that is akin to it, stands."""
        if word in self._positions:
            return self._positions[word]
        if word not in self._akin:
            known = self._positions
            near = (at for other, at in known.items() if akin(word, other)) if akin_to_any(word, known.keys()) else ()
            self._akin[word] = next(iter(near), None)
        return self._akin[word]

    def overlap(self, text: str) -> tuple[float, tuple[int, ...]]:
        """Return the share of the words of a text that are said, and where; words that carry meaning, if it has any."""
        own = stems(text[:LONGEST_CELL])
        telling = [each for each in own if each not in STOP_WORDS] or own
        positions = [at for each in telling if (at := self.position(each)) is not None]
        return len(positions) / len(telling) if telling else 0.0, tuple(sorted(set(positions)))

    def names(self, column: Column) -> bool:
        """Say whether a word of a column's name is said."""
        return self.overlap(header_words(column.name))[0] > SAID
