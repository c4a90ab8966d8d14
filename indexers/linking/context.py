"""What stands around the mentions of a table: the words of its title and header, and of each row."""

from collections.abc import Iterator
from dataclasses import dataclass

from heliograph.types import TableEvidence
from indexers.linking.mentions import Mention, Recogniser, mentions
from indexers.linking.titles import TitleIndex
from indexers.linking.words import JOINERS, near_years, stems_of

NEAR_YEAR = 0.5
"""How much of a year a season is that begins or ends in it."""
NEAR_SPELLING = 0.6
"""How much of a word another spelling of it is."""
CELL = 200
"""Characters of a cell that its row is known by."""

Said = dict[int, float]
"""Word numbers, and how surely each is said: 1, or less for what is only near."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The known words of a mention, the weight of all its words, and whether one had to be respelt."""

    words: Said
    mass: float
    respelt: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A mention and where it stands; `unit` numbers the different mentions of each column: cells that say the same."""

    mention: Mention
    row: int
    column: int
    unit: int
    spoken: Spoken


@dataclass(frozen=True, slots=True)
class Context:
    """Word numbers of a table's title with sections and caption, of its column names, and of each row."""

    title: tuple[int, ...]
    header: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[int, ...], ...]

    def table(self) -> set[int]:
        """Return the words of title and header."""
        return set(self.title).union(*self.header)


def context_of(table: TableEvidence, about: str, index: TitleIndex) -> Context:
    """Read the words around the cells; `about` is what the table's page begins with, or nothing."""
    spoken = " ".join((table.place.title, *table.place.path, table.caption, about))
    return Context(
        title=_words(spoken, index),
        header=tuple(_words(name, index) for name in table.header),
        rows=tuple(_words(" ".join(cell.text[:CELL] for cell in row), index) for row in table.rows),
    )


def placed_mentions(table: TableEvidence, index: TitleIndex, recognise: Recogniser | None) -> tuple[Placed, ...]:
    """Return the mentions of all cells, row by row."""
    return tuple(_placed(table, index, recognise))


def _placed(table: TableEvidence, index: TitleIndex, recognise: Recogniser | None) -> Iterator[Placed]:
    units: dict[tuple[int, str], int] = {}
    read: dict[str, tuple[Mention, ...]] = {}
    spoken: dict[str, Spoken] = {}
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells):
            if cell.text not in read:
                read[cell.text] = mentions(cell.text, index.names, recognise)
            for mention in read[cell.text]:
                if mention.key not in spoken:
                    spoken[mention.key] = spoken_by(mention, index)
                unit = units.setdefault((column, mention.key), len(units))
                yield Placed(mention, row, column, unit, spoken[mention.key])


def spoken_by(mention: Mention, index: TitleIndex) -> Spoken:
    """Look up the words of a mention, with seasons near its years and other spellings of words that no title holds."""
    words: Said = {}
    mass, respelt, vocabulary = 0.0, False, index.words
    for word in dict.fromkeys(stems_of(mention.text)):
        number = vocabulary.numbers.get(word)
        if number is not None:
            words[number] = 1.0
        for near in vocabulary.known(near_years(word)):
            words.setdefault(near, NEAR_YEAR)
        if number is not None and vocabulary.in_titles[number]:
            mass += float(vocabulary.weights[number])
            continue
        spellings = index.spelling.near(word)
        mass += float(vocabulary.weights[spellings[0]]) if spellings else vocabulary.unknown
        words |= {near: NEAR_SPELLING for near in spellings if near not in words}
        respelt |= bool(spellings)
    return Spoken(words, mass, respelt)


def _words(text: str, index: TitleIndex) -> tuple[int, ...]:
    words = [word for word in stems_of(text) if word not in JOINERS]
    return tuple(index.words.known([*words, *(near for word in words for near in near_years(word))]))
