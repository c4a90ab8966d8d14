"""What speaks for a passage as the one that a mention names, before its column is looked at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from indexers.linking.candidates import SEARCHED, Pairs
from indexers.linking.context import Context, Placed, Said
from indexers.linking.ragged import Flags, Floats, Ints, Ragged, Words, looked_up, sums
from indexers.linking.titles import ALIAS, BASE, DISAMBIGUATOR, INITIALS, TITLE, TitleIndex
from indexers.linking.vocabulary import initial
from indexers.linking.words import is_year, words_of

FEATURES = (
    "title", "base", "alias", "initials", "searched", "lone", "written", "first_twin", "taken", "whole_named",
    "part", "span", "respelt", "numeric", "year", "letters", "words",
    "cover", "filled", "filled_row", "filled_table", "filled_header", "open", "open_words", "bracket_open", "year_open",
    "begins", "own",
    "lead_mention", "lead_row", "lead_table", "lead_header", "kind_header", "bias",
)  # fmt: skip

BLOCK = 100
"""Rows whose mentions are compared at a time: what bounds memory for tables of any length."""

TINY = 1e-6

Columns = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Compared:
    """A row of FEATURES for each pair, and the words of its title that the mention leaves open, or mention and row."""

    features: Floats
    open: Ragged
    open_in_row: Ragged

    @staticmethod
    def joined(parts: Sequence["Compared"]) -> "Compared":
        """Put comparisons one after another."""
        return Compared(
            np.concatenate([np.zeros((0, len(FEATURES)), np.float32), *(part.features for part in parts)]),
            Ragged.joined([part.open for part in parts]),
            Ragged.joined([part.open_in_row for part in parts]),
        )


def compare(pairs: Pairs, placed: Sequence[Placed], context: Context, index: TitleIndex) -> Compared:
    """Compare the mentions of pairs, which come in the order of mentions, with their passages."""
    blocks = np.array([each.row // BLOCK for each in placed], dtype=np.int64)[pairs.mention]
    bounds = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(pairs)]
    parts = [pairs.part(start, stop) for start, stop in pairwise(bounds) if start < stop]
    return Compared.joined([_compared(part, placed, context, index) for part in parts])


def _compared(pairs: Pairs, placed: Sequence[Placed], context: Context, index: TitleIndex) -> Compared:
    low, high = int(pairs.mention[0]), int(pairs.mention[-1]) + 1
    pairs, placed = Pairs(pairs.mention - low, pairs.passage, pairs.source), placed[low:high]
    around = _Around(placed, context, index)
    titles, open_words, open_in_row = _of_titles(pairs, around, index)
    values = titles | _of_leads(pairs, around, index) | _of_names(pairs, placed, index) | _of_mentions(pairs, placed)
    return Compared(np.stack([values[name].astype(np.float32) for name in FEATURES], axis=1), open_words, open_in_row)


class _Around:
    """How surely each mention, its row, its column's name and its table say each word: words run along columns.

    Column 0 stands for all words that none of them says.
    """

    def __init__(self, placed: Sequence[Placed], context: Context, index: TitleIndex) -> None:
        first = placed[0].row
        said = [each.spoken.words for each in placed]
        rows = [dict.fromkeys(row, 1.0) for row in context.rows[first : placed[-1].row + 1]]
        header = [dict.fromkeys(name, 1.0) for name in context.header]
        title = dict.fromkeys(context.title, 1.0)
        known = np.unique(np.fromiter((word for each in (*said, *rows, *header, title) for word in each), np.int64))
        self.local = np.zeros(len(index.words.numbers), dtype=np.int32)
        self.local[known] = np.arange(1, len(known) + 1)
        self._width = len(known) + 1
        self.mention, self.row, self.header = (self._matrix(each) for each in (said, rows, header))
        self.title = self._matrix([title])[0]
        self.rows = np.array([each.row - first for each in placed], dtype=np.int64)
        self.columns = np.array([each.column for each in placed], dtype=np.int64)
        self.masses = np.array([each.spoken.mass for each in placed], dtype=np.float32)
        words = [words_of(each.mention.text) for each in placed]
        self.initials = np.array([_union(map(initial, each)) for each in words], dtype=np.int64)
        self.letters = np.array([_union(initial(word) for word in each if len(word) == 1) for each in words], np.int64)

    def _matrix(self, lists: Sequence[Said]) -> Floats:
        matrix = np.zeros((len(lists), self._width), dtype=np.float32)
        for row, words in enumerate(lists):
            matrix[row, self.local[list(words)]] = list(words.values())
        return matrix


def _union(bits: Iterable[int]) -> int:
    union = 0
    for bit in bits:
        union |= bit
    return union


def _of_mentions(pairs: Pairs, placed: Sequence[Placed]) -> Columns:
    names = ("part", "span", "respelt", "numeric", "year", "letters", "words")
    rows = np.array([_traits(each) for each in placed], dtype=np.float32)[pairs.mention]
    return {name: rows[:, place] for place, name in enumerate(names)}


def _traits(each: Placed) -> tuple[float, ...]:
    key = each.mention.key
    return (
        each.mention.kind == "part",
        each.mention.kind == "span",
        each.spoken.respelt,
        not any(sign.isalpha() for sign in key),
        is_year(key),
        min(len(key), 20) / 20,
        min(len(key.split()), 8) / 8,
    )


def _of_names(pairs: Pairs, placed: Sequence[Placed], index: TitleIndex) -> Columns:
    source, count = pairs.source, len(placed)
    named = source <= ALIAS
    namesakes = np.bincount(pairs.mention[named], minlength=count)[pairs.mention]
    texts = [placed[mention].mention.text for mention in pairs.mention.tolist()]
    titles = [index.written[passage] for passage in pairs.passage.tolist()]
    written = np.array(
        [DISAMBIGUATOR.sub("", title) == text for title, text in zip(titles, texts, strict=True)], np.bool_
    )
    return {
        "title": source == TITLE,
        "base": source == BASE,
        "alias": source == ALIAS,
        "initials": source == INITIALS,
        "searched": source == SEARCHED,
        "lone": np.where(named, 1 / np.maximum(namesakes, 1), 0.0),
        "written": written,
        "first_twin": _first_twins(pairs, written, np.array(list(map(len, titles))), index.twins[pairs.passage]),
        "taken": _taken(pairs, placed, len(index.ids)),
        "whole_named": _whole_named(pairs, placed),
        "bias": np.ones(len(pairs)),
    }


def _first_twins(pairs: Pairs, written: Flags, lengths: Ints, twins: Ints) -> Flags:
    """Tell, of the candidates of one mention that are one page, that of the nearest title."""
    order = np.lexsort((lengths, ~written, pairs.source, twins, pairs.mention))
    same = (np.diff(twins[order]) == 0) & (np.diff(pairs.mention[order]) == 0)
    first, later = np.zeros(len(pairs), dtype=np.bool_), np.zeros(len(pairs), dtype=np.bool_)
    first[order[:-1][same]] = True
    later[order[1:][same]] = True
    return first & ~later


def _whole_named(pairs: Pairs, placed: Sequence[Placed]) -> Flags:
    """Tell the parts of cells that are the name of a page as a whole."""
    width = max(each.column for each in placed) + 1
    cells = np.array([each.row * width + each.column for each in placed], dtype=np.int64)[pairs.mention]
    whole = np.array([each.mention.kind == "whole" for each in placed], dtype=np.bool_)[pairs.mention]
    return np.isin(cells, cells[whole & (pairs.source <= BASE)]) & ~whole


def _taken(pairs: Pairs, placed: Sequence[Placed], size: int) -> Flags:
    """Tell the passages found by words only that a cell of another column in the row calls by name."""
    rows = np.array([each.row for each in placed], dtype=np.int64)[pairs.mention] * size + pairs.passage
    columns = np.array([each.column for each in placed], dtype=np.int64)[pairs.mention]
    named = pairs.source <= BASE
    width = int(columns.max(initial=0)) + 1
    elsewhere = np.unique(rows[named] * width + columns[named]) // width
    keys, counts = np.unique(elsewhere, return_counts=True)
    here = np.isin(rows * width + columns, rows[named] * width + columns[named])
    return ~named & (looked_up(keys, counts.astype(np.float32), rows) > here)


def _of_titles(pairs: Pairs, around: _Around, index: TitleIndex) -> tuple[Columns, Ragged, Ragged]:
    count = len(pairs)
    titles = index.titles.take(pairs.passage)
    words, owners = titles.values, titles.owners()
    bracket, weight = index.bracketed[index.titles.places(pairs.passage)], index.words.weights[titles.values]
    plain = np.where(bracket, 0.0, weight)
    said, row, header, table = _sayers(words, pairs.mention[owners], around, index)
    left = np.maximum(1.0 - said - np.maximum(np.maximum(row, table), header), 0.0)

    def total(values: npt.NDArray[np.floating]) -> Floats:
        return sums(values, owners, count)

    mass, plain_mass = np.maximum(total(weight), TINY), np.maximum(total(plain), TINY)
    values: Columns = {
        "cover": np.minimum(total(weight * said) / around.masses[pairs.mention], 1.0),
        "filled": total(plain * said) / plain_mass,
        "filled_row": total(weight * row) / mass,
        "filled_table": total(weight * table) / mass,
        "filled_header": total(weight * header) / mass,
        "open": total(plain * left) / plain_mass,
        "open_words": np.minimum(total(np.where(bracket, 0.0, left)), 6.0) / 6.0,
        "bracket_open": total((weight - plain) * left) / np.maximum(total(weight - plain), TINY),
        "year_open": np.minimum(total(index.words.years[words] * left), 1.0),
        "begins": said_first(said, titles),
        "own": total(plain * around.title[around.local[words]]) / plain_mass > 0.999,
    }
    kept = (said < 0.5, np.maximum(said, row) < 0.5)
    plain_open, row_open = (Ragged.owned(words[keep], owners[keep], count) for keep in kept)
    return values, plain_open, row_open


def _sayers(words: Words, mentions: Ints, around: _Around, index: TitleIndex) -> tuple[Floats, Floats, Floats, Floats]:
    """Return how surely mention, row, header and table say each word; the latter without what the former do.

    An initial says half of a word that begins with it.
    """
    local, letters, initials = around.local[words], index.words.letters[words], index.words.initials[words]
    initial = (initials & around.letters[mentions] > 0) | (letters & around.initials[mentions] > 0)
    said = np.maximum(around.mention[mentions, local], 0.5 * initial).astype(np.float32)
    row = np.maximum(around.row[around.rows[mentions], local] - said, 0.0)
    header = np.maximum(around.header[around.columns[mentions], local] - said, 0.0)
    table = np.maximum(around.title[local] - np.maximum(said, row), 0.0)
    return said, row, header, table


def said_first(said: Floats, titles: Ragged) -> Floats:
    """Return how surely the first word of each title is said."""
    first = np.zeros(len(titles), dtype=np.float32)
    some = np.diff(titles.offsets) > 0
    first[some] = said[titles.offsets[:-1][some]]
    return first


def _of_leads(pairs: Pairs, around: _Around, index: TitleIndex) -> Columns:
    count = len(pairs)
    leads, kinds = index.leads.take(pairs.passage), index.kinds.take(pairs.passage)
    owners, weight, local = leads.owners(), index.words.lead_weights[leads.values], around.local[leads.values]
    mentions = pairs.mention[owners]
    own = around.mention[mentions, local]
    row = np.maximum(around.row[around.rows[mentions], local] - own, 0.0)
    table = np.maximum(around.title[local] - own, 0.0)
    named = pairs.mention[kinds.owners()]
    return {
        "lead_mention": sums(weight * own, owners, count) / around.masses[pairs.mention],
        "lead_row": np.log1p(sums(weight * row, owners, count)),
        "lead_table": np.log1p(sums(weight * table, owners, count)),
        "lead_header": np.minimum(sums(around.header[around.columns[mentions], local], owners, count), 2.0),
        "kind_header": np.minimum(
            sums(around.header[around.columns[named], around.local[kinds.values]], kinds.owners(), count), 2.0
        ),
    }
