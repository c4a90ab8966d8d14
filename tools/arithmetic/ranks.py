"""Rank the rows of a table, and tell what stands at the place asked for: as an answer, or as the first hop to one."""

import re
from collections.abc import Sequence

from heliograph.text.words import content_stems, stems
from heliograph.types import Computation, Operation
from tools.arithmetic.columns import Column, row_id
from tools.arithmetic.derivation import Derived, derive, joined, told
from tools.arithmetic.explanation import FATAL, NOUNS, Fit
from tools.arithmetic.fitting import fit
from tools.arithmetic.lexicon import LIGHT, PEOPLE, PEOPLE_ENDINGS, SITES, among
from tools.arithmetic.measuring import ranked_columns
from tools.arithmetic.question import Reading
from tools.arithmetic.ranking import rank
from tools.arithmetic.result import Computed
from tools.arithmetic.superlatives import ADJECTIVE_IDEAS
from tools.arithmetic.view import View, is_item, measures, named_rows, names_items
from tools.arithmetic.wording import tell_rank

_WHOM = re.compile(r"\bwhom\b|\bwhose\b", re.IGNORECASE)
_DIRECT = re.compile(r"(?:is|was|are|were) the\b")
COUNTING = ("most", "fewest", "least")
READABLE = 0.75
"""Share of the rows of a ranking that must hold a value that can be read."""
FURTHER = 0.6
"""Confidence left where a column's name says more than the question: `New moons` are not all moons."""
OPEN = 2.0
"""Doubt where the word before `the most` is unknown: who lost the most votes did not win them."""


def computed_rank(asked: Reading, question: str, view: View) -> list[Computed]:
    """Return the answer that a ranking gives, and the item from which the question may go on."""
    results: list[Computed] = []
    whole = fit(asked, view, question, asked.phrases)
    answer = _ranked(asked, whole, hop=False) if whole and whole.factor else None
    if answer:
        results.append(answer)
    onward = asked.take == 1 and not asked.predicative and not asked.comparisons
    if onward and not any(each.denied for each in asked.phrases) and (answer is None or answer.confidence < 0.6):
        part = fit(asked, view, question, asked.phrases[_start(asked, view) :])
        hop = _ranked(asked, part, hop=True) if part and part.factor and view.named else None
        results.extend([hop] if hop and part and (part.items or part.cells) else [])
    return results


def _start(asked: Reading, view: View) -> int:
    """Return where the phrase with the superlative begins: at its item, where that stands before what is measured."""
    items = [any(is_item(word, view) for word in phrase.words) for phrase in asked.phrases]
    before = [place for place, item in enumerate(items[: asked.opening]) if item]
    measured = asked.shown in COUNTING or any(set(asked.lead[:1]) & set(header) for header in view.headers)
    return before[-1] if before and measured and not any(items[asked.opening :]) else asked.opening


def _ranked(asked: Reading, found: Fit, *, hop: bool) -> Computed | None:
    view, columns = found.view, ranked_columns(asked, found)
    if not columns or (asked.position > 1 and asked.take > 1) or not _opens(asked, columns, found, hop):
        return None
    answer = view.columns[view.label] if hop else _answer(asked, found, columns[0])
    if answer is None or (asked.predicative and asked.wanted == "which" and asked.asked and answer.index != view.label):
        return None
    derived = [_derived(asked, found, column) for column in columns]
    winners = {each.winners for each in derived if each is not None}
    if None in derived or len(winners) > 1 or derived[0] is None:
        return None
    return _told(asked, found, answer, columns[0], derived[0], hop)


def _opens(asked: Reading, columns: tuple[Column, ...], found: Fit, hop: bool) -> bool:
    """Say whether a superlative stands before an item, a cell or what is measured: no `heaviest astronaut`."""
    view = found.view
    lead = [word for word in asked.lead if word not in LIGHT and word not in stems(" ".join(asked.by))]
    known = {*found.cells, *(word for column in columns for word in view.headers[column.index])}
    if not lead:
        return not hop or (found.items and asked.partitive)
    return any(is_item(word, view) or among(word, known) for word in lead[:3]) or _cyclic(asked)


def _cyclic(asked: Reading) -> bool:
    return asked.lead[:1] in (("year",), ("day",))


def _derived(asked: Reading, found: Fit, column: Column) -> Derived | None:
    """Rank by one column; None where a cell cannot be read, too few hold a value, or the place is not certain."""
    rows = tuple(row for row in found.rows if column.values[row] is not None)
    position = asked.position + (_place(asked, found, column, rows) if asked.past else 0)
    if set(column.unreadable) & set(found.rows) or (asked.past and position == asked.position):
        return None
    if len(rows) < max(2, position + asked.take - 1) or len(rows) < READABLE * len(found.rows):
        return None
    operation = _operation(asked, column, position)
    return derive(found.view.table, column, rows, operation, position, asked.take, asked.descending)


def _place(asked: Reading, found: Fit, column: Column, rows: Sequence[int]) -> int:
    """Return the place of the item after which the next is wanted; 0 where there is none."""
    known = named_rows(asked.past, found.view)
    ranked = rank(column, rows, asked.descending, len(rows)) if len(known) == 1 else None
    place = 0
    for group in ranked.groups if ranked else ():
        place += len(group)
        if known <= set(group):
            return place
    return 0


def _operation(asked: Reading, column: Column, position: int) -> Operation:
    if position > 1 or asked.take > 1:
        return "ordinal"
    if column.kind == "date":
        return "latest" if asked.descending else "earliest"
    return "max" if asked.descending else "min"


def _told(asked: Reading, found: Fit, answer: Column, column: Column, derived: Derived, hop: bool) -> Computed | None:
    view = found.view
    names = tuple(dict.fromkeys(view.name(row) for row in derived.winners)) if view.named else ()
    if answer.index == view.label and _repeats(found) and asked.shown.split()[-1] in COUNTING:
        return None
    if answer.index != view.label and set(derived.winners) & set(answer.missing):
        return None
    tellings = tuple(dict.fromkeys(told(view.table, answer, row) for row in derived.winners))
    value = derived.figure if answer.index == column.index else joined(tellings)
    rows = tuple(row for row in found.rows if column.values[row] is not None)
    _weigh(asked, found, column, derived)
    found.hits = [] if _cyclic(asked) and not hop else found.hits
    valued = len(rows) / len(found.rows)
    certain = found.confidence({column.index, answer.index}) * valued * _further(asked, found, column)
    position = asked.position + (_place(asked, found, column, rows) if asked.past else 0)
    computation = Computation(
        _operation(asked, column, position), view.table.id, column.name, tuple(row_id(view.table, row) for row in rows),
        value, position, asked.descending,
    )  # fmt: skip
    sentence = tell_rank(asked, view, column, answer, names, derived.figure, value, len(rows))
    winners = tuple(row_id(view.table, row) for row in derived.winners)
    return Computed(
        computation, sentence, names or tellings, winners, round(certain, 3), hop or asked.continues, found.scope
    )


def _weigh(asked: Reading, found: Fit, column: Column, derived: Derived) -> None:
    """Weigh what is only known with the winner: the item that the question itself names, and the verb before `most`."""
    if len(found.listed) == 1 and not found.listed[0][1] and set(derived.winners) == found.listed[0][0]:
        found.unexplained = max(0.0, found.unexplained - FATAL)
    if asked.idle and not {"total", "averag", "mean"} & set(found.view.headers[column.index]):
        found.doubt(1.0)
    verb = asked.phrases[asked.opening - 1].words if asked.opening else ()
    if asked.shown.split()[-1] in COUNTING and found.strange & set(verb):
        found.doubt(OPEN)


def _further(asked: Reading, found: Fit, column: Column) -> float:
    """Return 1 where a column's name says no more than the question does, or the superlative means its idea."""
    view = found.view
    if asked.superlative is None or asked.superlative.idea != "stated":
        return 1.0
    said = {*(word for phrase in asked.phrases for word in phrase.words), *asked.by, *(hit[0] for hit in found.hits)}
    spare = stems("number count total known mean average share percentage amount")
    meant = any(measures(column, idea, view) for idea in found.ideas)
    told = all(among(word, (*said, *view.subject, *spare)) for word in view.headers[column.index])
    return 1.0 if meant or told else FURTHER


def _repeats(found: Fit) -> bool:
    """Say whether an item has several rows, so that its best row is not its total."""
    names = [found.view.cell(row, found.view.label).casefold() for row in found.rows]
    return len(set(names)) < len(names)


def _answer(asked: Reading, found: Fit, column: Column) -> Column | None:
    """Return the column that holds what is asked about the winning row; None where none or several may."""
    view = found.view
    texts = [each for each in view.columns if each.kind == "text" and each.index != view.label]
    match asked.wanted:
        case "who":
            return _named(asked, texts, found) or _person(asked, view) or _object(asked, texts, found)
        case "when":
            dates = [each for each in view.columns if each.kind == "date"]
            return _only(found.best(dates)) or _only(dates)
        case "where":
            return _only([each for each in texts if set(view.headers[each.index]) & set(SITES)])
        case "how":
            return column if measures(column, ADJECTIVE_IDEAS[asked.asked], view) else None
        case "value" | "how many":
            return _named(asked, list(view.columns), found)
    return _asked_for(asked, column, found)


def _person(asked: Reading, view: View) -> Column | None:
    """Return the column of the row names where these are people."""
    if _WHOM.search(asked.text):
        return None
    people = any(word in PEOPLE or word.endswith(PEOPLE_ENDINGS) for word in view.headers[view.label])
    direct = _DIRECT.match(asked.clause) and asked.lead and names_items(asked.lead[0], view)
    return view.columns[view.label] if view.named and (people or direct) else None


def _object(asked: Reading, texts: list[Column], found: Fit) -> Column | None:
    """Return the column that the verb names where the item is not asked for (`to whom was … married`)."""
    return None if _DIRECT.match(asked.clause) and not _WHOM.search(asked.text) else _only(found.best(texts))


def _asked_for(asked: Reading, column: Column, found: Fit) -> Column | None:
    """Return the column of `which …`: that of the row names where it asks for the items, else the one it names."""
    view = found.view
    label = view.columns[view.label] if view.named else None
    nouns = [word for word in content_stems(asked.asked) if word not in LIGHT or is_item(word, view)]
    if not nouns:
        return label or column
    own = [] if label else [each for each in view.columns if set(nouns) & set(view.headers[each.index])]
    if len(own) == 1:
        return own[0]
    title = stems(view.table.place.title)
    for word, following in zip(nouns, (*nouns[1:], ""), strict=True):
        named = [each for each in view.columns if among(word, view.headers[each.index])]
        if is_item(word, view):
            return _part(word, following, view)
        if named and word not in title:
            return _only(named)
        if any(measures(column, idea, view) for idea in NOUNS.get(word, ())):
            return column
    return label if nouns[-1] in found.cells else None


def _part(word: str, following: str, view: View) -> Column | None:
    """Return the column of the row names, or of what belongs to an item: the `mission commander`."""
    parts = [each for each in view.columns if following in view.headers[each.index]]
    if parts and all(each.kind == "text" for each in parts):
        return _only(parts)
    return view.columns[view.label] if view.named and (names_items(word, view) or not view.repeating) else None


def _named(asked: Reading, columns: list[Column], found: Fit) -> Column | None:
    """Return the one column that most of the words before the superlative name, or the unit that is asked for."""
    view = found.view
    said = content_stems(asked.asked) or tuple(word for each in asked.phrases[: asked.opening] for word in each.words)
    wanted = [word for word in said if not is_item(word, view)]
    scores = [
        (
            sum(among(word, view.headers[each.index]) for word in wanted)
            + (each.measure.dimension in found.dimensions),
            each,
        )
        for each in columns
    ]
    best = max((score for score, _ in scores), default=0)
    return _only([each for score, each in scores if score == best]) if best else None


def _only(columns: Sequence[Column]) -> Column | None:
    return columns[0] if len(columns) == 1 else None
