"""Pages at hand as records of a knowledge base: what their rows and first paragraphs state, each with its words.

A row is about what its naming column names: the page that this cell links, or else a thing of its own that is known by
these words. Its other cells are relations to the pages that they link or name, and attributes. What a caption names,
all rows are joined to. A row of an infobox, of properties and values, or of properties by named columns is about the
page or what heads the column. Of first paragraphs the dates are taken that they tell with a verb: "launched it on 20
August 1977". A figure or a date of the one thing that a cell leads to is one of the row's as well: "ground opened" of a
club.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from heliograph.text.dates import parse_date
from heliograph.text.names import plain_title
from heliograph.text.numbers import without_marks
from heliograph.text.sentences import split_sentences
from heliograph.text.units import header_words, is_missing, parse_measure, parse_quantity
from heliograph.text.words import stems, word_list
from heliograph.types import Document, EntityRecord, EvidenceId, Quote, TableEvidence, TextEvidence, TripleRecord
from indexers.pieces import lead_of
from indexers.skb.entity_texts import folded
from tools.arithmetic.columns import body_rows, label_index, row_id, typed_column

PAGE = "page"
"""The type of what no column names or links."""
MOST_ROWS = 2_000
"""Rows of all pages that are read."""
MOST_JOINED = 12
"""Attributes of what a column leads to that are attributes of its rows."""
LONGEST_NAME = 60
"""Characters of a cell that may name something."""
LEAST_LETTERS = 3
_VALUES = frozenset(word_list("value values"))
_PROPERTIES = frozenset(stems("property quantity attribute characteristic parameter measure feature item"))
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"(?:\d{{1,2}} )?(?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}}|(?:1\d|20)\d\d"
_VERBS = (
    "launched|discovered|found|founded|opened|built|completed|established|born|released|published|inaugurated|"
    "landed|formed|erected|premiered|started|created|introduced|consecrated|demolished|closed|died"
)
_TOLD = re.compile(rf"\b({_VERBS})\b((?: [^.;]{{0,60}}?)?) (?:in|on|of) ({_DATE})\b")
_ITSELF = re.compile(r"\b(?:it|he|she|they)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value of an attribute, the words that state it, and of a joined one its column, what it leads to and where."""

    value: str
    quote: Quote
    is_figure: bool = True
    column: str = ""
    through: str = ""
    link: Quote | None = None


@dataclass(slots=True)
class _Thing:
    """What is known of an entity."""

    name: str
    text: str = ""
    aliases: dict[str, None] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    linked: Counter[str] = field(default_factory=Counter)
    values: dict[str, StatedValue | None] = field(default_factory=dict)
    targets: dict[str, dict[str, Quote]] = field(default_factory=lambda: defaultdict(dict))
    about: dict[str, Quote] = field(default_factory=dict)


class PageFacts:
    """What pages state, as a `RecordSource`.

    An entity has the type of the naming column, of all that name it, that names most: all probes of several tables are
    spacecraft where one table has many by this word.
    `stated` has for each entity its attributes by name. The same pages in the same order give the same records.
    """

    name = "pages"
    candidate_types: tuple[str, ...] = ()

    def __init__(self, documents: Sequence[Document]) -> None:
        self._things = dict[str, _Thing]()
        self._triples = dict[tuple[str, str, str], TripleRecord]()
        self._names = dict[str, str]()
        self._typed = dict[EvidenceId, dict[int, bool]]()
        self._titles = dict[EvidenceId, str]()
        self._left = MOST_ROWS
        for document in documents:  # a plain title or an alias takes no page's own
            self._call(document.title, document.title)
        for document in documents:
            self._add_page(document)
        self._pages = dict(self._names)
        for document in documents:
            self._add_paragraph(document)
            for leaf in document.leaves:
                if isinstance(leaf, TableEvidence):
                    self._add_table(leaf, document)
        self._types = self._known_types()
        self.stated: Mapping[str, Mapping[str, StatedValue]] = {
            id: {**_known(thing), **self._joined(thing, self._types[id])} for id, thing in self._things.items()
        }

    @cached_property
    def fingerprint(self) -> str:
        """What changes with the records."""
        return sha256(repr((list(self.entities()), list(self.triples()))).encode("utf-8", "replace")).hexdigest()

    def entities(self) -> Iterator[EntityRecord]:
        """Yield what pages tell of."""
        for id, thing in self._things.items():
            aliases = tuple(each for each in thing.aliases if each != thing.name)
            attributes = {name: each.value for name, each in self.stated[id].items()}
            yield EntityRecord(id, self._types[id], thing.name, thing.text, aliases, attributes)

    def triples(self) -> Iterator[TripleRecord]:
        """Yield what joins two entities, with the id of the row that states it."""
        yield from self._triples.values()

    def around(self, evidence: EvidenceId) -> str:
        """Return the title of the page, and the caption of the table, that a piece stands in."""
        return self._titles.get(EvidenceId(evidence.rpartition("/r")[0] or evidence), "")

    def kinds(self, id: str) -> tuple[str, ...]:
        """Return all that naming columns call an entity."""
        return tuple(filter(None, self._things[id].types))

    def _known_types(self) -> dict[str, str]:
        sizes = Counter(type for thing in self._things.values() for type in thing.types)
        found = dict[str, str]()
        for id, thing in self._things.items():
            linked = next((name for name, _ in thing.linked.most_common() if name), PAGE)
            found[id] = max(thing.types, key=lambda each: (sizes[each], each), default="") or linked
        return found

    def _add_page(self, document: Document) -> None:
        lead = lead_of(document)
        if not self._page_of(document) or document.title in self._things:
            return
        thing = self._thing(document.title, plain_title(document.title))
        thing.text = thing.text or (lead.text if lead else "")
        for each in (document.title, plain_title(document.title), *document.aliases):
            thing.aliases[each] = None
            self._call(each, document.title)

    def _call(self, text: str, id: str) -> None:
        """Know an entity by a text, unless another is known by it, or it has no letter and no figure."""
        if name := folded(text):
            self._names.setdefault(name, id)

    def _page_of(self, document: Document) -> str:
        """Return the entity of a page; none of one whose title is another's."""
        return document.title if self._names.get(folded(document.title)) == document.title else ""

    def _add_paragraph(self, document: Document) -> None:
        """Take the dates that the text before the first heading tells of its page."""
        thing = self._things.get(self._page_of(document))
        texts = (leaf for leaf in document.leaves if isinstance(leaf, TextEvidence) and not leaf.place.path)
        for leaf in texts:
            self._titles[leaf.id] = document.title
            for sentence in split_sentences(leaf.text):
                for found in _TOLD.finditer(sentence):
                    before = sentence[: found.end(2)]
                    own = thing and (thing.name.casefold() in before.casefold() or _ITSELF.search(before))
                    if thing and own and found[1] not in thing.values:
                        thing.values[found[1]] = StatedValue(found[3], Quote(leaf.id, sentence))

    def _add_table(self, table: TableEvidence, document: Document) -> None:
        page = self._page_of(document)
        self._titles[table.id] = f"{document.title} {table.caption}"
        rows = body_rows(table) if table.kind == "table" else tuple(range(len(table.rows)))
        rows, self._left = rows[: self._left], max(0, self._left - len(rows))
        subjects = self._heads(table, page)
        if subjects:
            for row in rows:
                name = without_marks(table.rows[row][0].text)
                for column, subject in subjects.items():
                    if name and len(name) <= LONGEST_NAME and column < len(table.rows[row]):
                        self._add_cell(table, row, column, subject, name)
        elif table.kind == "table" and len(table.header) > 1:
            self._add_rows(table, rows, page)

    def _heads(self, table: TableEvidence, page: str) -> dict[int, str]:
        """Return what the columns of properties are about; nothing for a table whose rows are about things."""
        if table.kind == "infobox":
            return {1: page} if page else {}
        words = [folded(header_words(each)) for each in table.header]
        if not words or not (set(stems(words[0])) <= _PROPERTIES or not words[0]):
            return {}
        named = {place: self._names[word] for place, word in enumerate(words[1:], start=1) if word in self._names}
        values = {place: page for place, word in enumerate(words[1:], start=1) if page and word in _VALUES}
        return named | values

    def _add_rows(self, table: TableEvidence, rows: Sequence[int], page: str) -> None:
        label = _label(table, rows)
        if typed_column(table, label).kind != "text":
            return
        type = header_words(table.header[label]).casefold()
        shared = Counter(link.target for row in rows for link in table.rows[row][label].links[:1])
        about, listed = self._about(table), table.caption or next(iter(table.place.path[-1:]), page)
        for row in rows:
            cells = table.rows[row]
            subject = self._subject(table, row, label, shared, type)
            if not subject:
                continue
            self._things[subject].types[type] += 1
            for other in about or filter(None, (page,)):
                self._join(subject, listed, other, table, row)
            self._things[subject].about |= {each: row_quote(table, row) for each in about if each != subject}
            for column in range(len(cells)):
                name = table.header[column].strip() if column < len(table.header) else ""
                if column != label and name:
                    self._add_cell(table, row, column, subject, name)

    def _about(self, table: TableEvidence) -> tuple[str, ...]:
        """Return the pages that the caption of a table names; without one its headings and its title do."""
        said = table.caption or " ".join((plain_title(table.place.title), *table.place.path))
        within = f" {folded(said)} "
        named = (id for name, id in self._pages.items() if len(name) >= LEAST_LETTERS and f" {name} " in within)
        return tuple(dict.fromkeys(named))

    def _subject(self, table: TableEvidence, row: int, label: int, shared: Mapping[str, int], type: str) -> str:
        """Return the entity that a row is about, empty where nothing names one."""
        cell = table.rows[row][label]
        text = " ".join(without_marks(cell.text).split())
        if is_missing(text) or len(text) > LONGEST_NAME or not any(map(str.isalpha, text)):
            return ""
        if cell.links:
            target, whole = cell.links[0].target, folded(cell.links[0].text) == folded(text)
            if (whole and shared[target] == 1) or self._is_called(target, text):
                return self._linked(target, text, "")
        return self._pages.get(folded(text)) or self._named(text, type)

    def _is_called(self, title: str, text: str) -> bool:
        return folded(text) in (folded(title), folded(plain_title(title))) or self._names.get(folded(text)) == title

    def _linked(self, target: str, text: str, column: str) -> str:
        """Return the entity of a linked page, read or not, that is called by the words of the link, too."""
        id = self._names.get(folded(target))
        if id is None:
            self._thing(target, plain_title(target))
            id = target
            self._call(target, id)
            self._call(plain_title(target), id)
        thing = self._things[id]
        thing.linked[column] += 1
        if any(map(str.isalpha, text)) and len(text) <= LONGEST_NAME:
            thing.aliases[text] = None
            self._call(text, id)
        return id

    def _named(self, text: str, type: str) -> str:
        """Return what is known by its words alone; of the same name, what columns name otherwise is another thing."""
        id = f"{text} [{type}]"
        self._thing(id, text)
        self._call(text, id)
        return id

    def _thing(self, id: str, name: str) -> _Thing:
        return self._things.setdefault(id, _Thing(name))

    def _add_cell(self, table: TableEvidence, row: int, column: int, subject: str, name: str) -> None:
        """Add what a cell says of an entity: relations to what it links or names, and else a value."""
        cell = table.rows[row][column]
        text = " ".join(without_marks(cell.text).split())
        if is_missing(text):
            return
        words = header_words(name).casefold()
        others = [self._linked(each.target, " ".join(each.text.split()), words) for each in cell.links]
        if not others and (known := self._names.get(folded(text))) not in (None, subject):
            others = [known] if known else []
        for other in others:
            self._join(subject, words, other, table, row)
            self._things[subject].targets[words][other] = row_quote(table, row)
        typed = self._is_typed(table, column)
        if not others or typed:
            values = self._things[subject].values
            key = next((each for each in values if each.casefold() == name.casefold()), name)
            figure = typed or parse_date(text) is not None or parse_quantity(text) is not None
            said = StatedValue(text, row_quote(table, row), figure)
            if key not in values:
                values[key] = said
            elif (before := values[key]) and before.value != text and _table_of(before.quote) == table.id:
                values[key] = None  # a table that says two things of one says nothing of it

    def _is_typed(self, table: TableEvidence, column: int) -> bool:
        """Tell whether a column has figures or dates; to hash a table for each of its cells takes quadratic time."""
        known = self._typed.setdefault(table.id, {})
        if column not in known:
            known[column] = table.kind == "table" and typed_column(table, column).kind != "text"
        return known[column]

    def _join(self, source: str, relation: str, target: str, table: TableEvidence, row: int) -> None:
        if source != target and relation:
            quote = row_quote(table, row)
            self._triples.setdefault(
                (source, relation, target), TripleRecord(source, relation, target, quote.text, quote.evidence)
            )

    def _joined(self, thing: _Thing, type: str) -> dict[str, StatedValue]:
        """Return the attributes of what each column leads to, where that is one thing."""
        found = dict[str, StatedValue]()
        about = defaultdict[str, dict[str, Quote]](dict)
        for id, link in thing.about.items():
            if self._types[id] not in (PAGE, type):
                about[self._types[id]][id] = link
        for column, targets in (*thing.targets.items(), *about.items()):
            if len(targets) != 1:
                continue
            ((id, link),) = targets.items()
            other = self._things[id]
            figures = [(name, each) for name, each in _known(other).items() if each.is_figure]
            for name, each in figures[:MOST_JOINED]:
                if (joined := _joined_name(column, name)) not in thing.values and joined not in found:
                    found[joined] = StatedValue(each.value, each.quote, True, column, other.name, link)
        return found


def _joined_name(column: str, name: str) -> str:
    """Return "ground opened"; what looks like a unit at the end stands before: "year of the planet"."""
    return f"{column} {name}" if name.endswith(")") or parse_measure(name) is None else f"{name} of the {column}"


def _label(table: TableEvidence, rows: Sequence[int]) -> int:
    """Return the column that says what rows are about: where their heads repeat, the first of texts that do not."""
    label = label_index(table)
    texts = [[folded(table.rows[row][column].text) for row in rows] for column in range(len(table.header))]
    if label is None or len(set(texts[label])) < len(rows):
        kinds = (typed_column(table, column).kind for column in range(len(table.header)))
        distinct = (
            column
            for column, kind in enumerate(kinds)
            if kind == "text" and len(set(texts[column])) == len(rows) and all(texts[column])
        )
        label = next(distinct, label or 0)
    return label


def _known(thing: _Thing) -> dict[str, StatedValue]:
    return {name: each for name, each in thing.values.items() if each}


def row_quote(table: TableEvidence, row: int) -> Quote:
    """Return a row as it is quoted: `Name: Rhea; Diameter (km): 1,527`."""
    header = (*table.header, *("",) * len(table.rows[row]))
    cells = ((name, cell.text) for name, cell in zip(header, table.rows[row], strict=False) if cell.text.strip())
    return Quote(row_id(table, row), "; ".join(f"{name}: {text}" if name else text for name, text in cells))


def _table_of(quote: Quote) -> str:
    return quote.evidence.rpartition("/r")[0]
