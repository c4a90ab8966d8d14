"""Compute what cues ask for over a table that their words fit."""

from agent.arithmetic.binding import View, names_items, phrases_of, repeating
from agent.arithmetic.choice import measures
from agent.arithmetic.columns import Column, cell_text
from agent.arithmetic.cues import Cues, lead_of
from agent.arithmetic.derivation import Derived, derive, entering, joined, told
from agent.arithmetic.fitting import Fit, fit, is_item
from agent.arithmetic.lexicon import LIGHT, PLACES, alike
from agent.arithmetic.questions import Asked
from agent.arithmetic.result import Computed, computation_of, ranked_by, row_ids
from agent.arithmetic.superlatives import ADJECTIVE_IDEAS, Idea
from agent.arithmetic.units import header_words
from agent.arithmetic.wording import cued_count, cued_rank, cued_total
from agent.arithmetic.words import content_stems, stems
from heliograph.types import Operation

SHARED = 0.6
"""Doubt where some of the rows counted hold what is asked for beside something else (`ESA and Russia`)."""
_DERIVED = frozenset({"mean", "averag", "total", "sum", "cumul"})
_UNTOLD = frozenset({"discov", "discoveri", "born", "end", "die", "arriv"})
_DIMENSIONS: dict[Idea, str] = {"extent": "time", "mass": "mass", "speed": "speed"}


def compute_cued(cues: Cues, question: str, view: View) -> Computed | None:
    """Compute over one table; None where its words do not fit or its cells leave a doubt."""
    found = fit(cues, question, view)
    if found is None:
        return None
    if cues.cue == "rank":
        return _rank(cues, found)
    if cues.cue == "count" or (cues.cue == "sum" and cues.asks == "how many" and _leads_with_items(cues, view)):
        return _count(cues, found) if _leads_with_items(cues, view) else _total(cues, found, "sum")
    return _total(cues, found, "sum" if cues.cue == "sum" else "mean")


def _leads_with_items(cues: Cues, view: View) -> bool:
    return any(is_item(word, view) for word in content_stems(cues.asked))


def _count(cues: Cues, found: Fit) -> Computed | None:
    scope, view = found.scope, found.scope.view
    by_name = any(names_items(word, view) for word in content_stems(cues.asked))
    if not scope.restricted or not found.explained(frozenset()) or (repeating(view) and not by_name):
        return None
    column = view.columns[min(found.used)]
    derived = derive(view.table, column, scope.rows, "count", 1, 1, True)
    everything = derive(view.table, column, view.rows, "count", 1, 1, True)
    if derived is None or everything is None:
        return None
    names = tuple(dict.fromkeys(cell_text(view.table, row, view.label) for row in scope.rows)) if view.named else ()
    asked = Asked("count", "count")
    computation = computation_of(asked, scope, column, scope.rows, derived.figure)
    confidence = scope.confidence * (SHARED if shares(found, view) else 1.0)
    sentence = cued_count(found.spoken, int(derived.figure), names, int(everything.figure))
    return Computed(computation, sentence, names, row_ids(scope, scope.rows), round(confidence, 3))


def shares(found: Fit, view: View) -> bool:
    """Say whether a condition holds in some rows by the whole cell and in others by a part of it."""
    whole = [
        {len(content_stems(cell_text(view.table, row, index).split(";")[0])) for row in found.scope.rows}
        for index in found.used
        if view.columns[index].kind == "text"
    ]
    return any(len(lengths) > 1 for lengths in whole)


def _total(cues: Cues, found: Fit, operation: Operation) -> Computed | None:
    scope, view = found.scope, found.scope.view
    if not found.counts_items or (cues.cue == "count" and cues.stated != len(scope.rows)):
        return None
    column = _added(cues, found)
    if column is None or not found.explained(frozenset({column.index})):
        return None
    rows = entering(view.table, column, scope.rows)
    derived = derive(view.table, column, rows, operation, 1, 1, True)
    missing = len(set(scope.rows) & set(column.missing))
    if derived is None or missing * 2 > len(scope.rows) or (cues.stated not in (None, len(scope.rows))):
        return None
    confidence = scope.confidence * (1 - missing / len(scope.rows) if missing * 4 > len(scope.rows) else 1.0)
    sentence = cued_total(found.spoken, operation, derived.figure, header_words(column.name), len(rows), missing)
    computation = computation_of(Asked(operation, "value"), scope, column, rows, derived.figure)
    return Computed(computation, sentence, (), (), round(confidence, 3))


def _added(cues: Cues, found: Fit) -> Column | None:
    """Return the one column of amounts that the words name best by name, unit or verb."""
    view = found.scope.view
    ideas = {*found.ideas, *(idea for word, idea in ADJECTIVE_IDEAS.items() if word == cues.asked.split(" ")[0])}
    fitting: list[tuple[int, Column]] = []
    for column in view.columns:
        meant = any(means(column, idea, view) for idea in ideas)
        score = found.score(column) + (2 if meant else 0)
        dimension = column.measure.dimension
        if column.kind not in ("number", "duration") or not score or _DERIVED & set(view.headers[column.index]):
            continue
        if not found.dimensions or dimension in found.dimensions:
            fitting.append((score, column))
    best = max((score for score, _ in fitting), default=0)
    chosen = [column for score, column in fitting if score == best]
    return chosen[0] if len(chosen) == 1 and best >= 2 else None


def _rank(cues: Cues, found: Fit) -> Computed | None:
    scope, view = found.scope, found.scope.view
    columns = _measured(cues, found)
    superlative = cues.superlative
    if not columns or superlative is None or scope.rows == ():
        return None
    if not _opens(cues, columns, found):
        return None
    answer = _answer(cues, found, columns[0])
    if answer is None or not found.explained(frozenset({answer.index, *(column.index for column in columns)})):
        return None
    if cues.predicative and cues.asks == "which" and cues.asked and answer.index != view.label:
        return None
    asked = _asked(cues, columns[0])
    results = [(column, derived) for column in columns if (derived := ranked_by(asked, scope, column)) is not None]
    if len(results) < len(columns) or len({derived.winners for _, derived in results}) > 1:
        return None
    return _told(cues, found, asked, answer, *results[0])


def _opens(cues: Cues, columns: tuple[Column, ...], found: Fit) -> bool:
    """Say whether a superlative stands before an item, a cell or what is measured: no `heaviest astronaut`."""
    view = found.scope.view
    lead = [word for word in content_stems(lead_of(cues.after)) if word not in LIGHT]
    measured = [header for column in columns for header in view.headers[column.index]]
    cells = {word for phrase in found.filtered for word in phrase}
    return not lead or any(
        is_item(word, view) or word in cells or any(alike(word, other) for other in measured) for word in lead
    )


def _asked(cues: Cues, column: Column) -> Asked:
    descending = cues.superlative is not None and cues.superlative.descending
    operation: Operation = "max" if descending else "min"
    if column.kind == "date":
        operation = "latest" if descending else "earliest"
    if cues.position > 1 or cues.take > 1:
        operation = "ordinal"
    return Asked(operation, "name", position=cues.position, take=cues.take, descending=descending)


def _told(cues: Cues, found: Fit, asked: Asked, answer: Column, column: Column, derived: Derived) -> Computed | None:
    scope, view = found.scope, found.scope.view
    names = (
        tuple(dict.fromkeys(cell_text(view.table, row, view.label) for row in derived.winners)) if view.named else ()
    )
    repeated = len({cell_text(view.table, row, view.label) for row in scope.rows}) < len(scope.rows)
    if answer.index == view.label and repeated and cues.shown.split()[-1] in ("most", "fewest"):
        return None
    tellings = tuple(dict.fromkeys(told(view.table, answer, row) for row in derived.winners))
    if any(answer.index != view.label and row in answer.missing for row in derived.winners):
        return None
    value = derived.figure if answer.index == column.index else joined(tellings)
    rows = tuple(row for row in scope.rows if column.values[row] is not None)
    share = len(rows) / len(scope.rows)
    computation = computation_of(asked, scope, column, rows, value)
    place = f"{cues.shown} {header_words(column.name).lower()}"
    other = (
        "" if answer.index in (column.index, view.label if view.named else -1) else header_words(answer.name).lower()
    )
    sentence = cued_rank(place, names, derived.figure, other, value)
    winners = row_ids(scope, derived.winners)
    return Computed(computation, sentence, names or tellings, winners, round(scope.confidence * share, 3))


def _measured(cues: Cues, found: Fit) -> tuple[Column, ...]:
    """Return the columns to rank by: named after the superlative, or meant by it."""
    view, superlative = found.scope.view, cues.superlative
    if superlative is None:
        return ()
    idea = superlative.idea
    if idea == "date":
        dates = [column for column in view.columns if column.kind == "date"]
        named = _best(found, dates)
        return named or tuple(column for column in dates if not _UNTOLD & set(view.headers[column.index]))
    amounts = [column for column in view.columns if column.kind in ("number", "duration")]
    stated = _stated_after(cues, amounts, view)
    if stated:
        return _best(found, stated)
    if idea == "stated":
        return ()
    meant = [column for column in amounts if means(column, idea, view)]
    return _best(found, meant) or tuple(meant)


def _stated_after(cues: Cues, amounts: list[Column], view: View) -> list[Column]:
    """Return the columns that the words after the superlative name, before any word for the items."""
    for word in content_stems(cues.after):
        if is_item(word, view):
            return []
        named = [column for column in amounts if any(alike(word, other) for other in view.headers[column.index])]
        if named:
            return named
        if word not in LIGHT:
            return []
    return []


def _best(found: Fit, columns: list[Column]) -> tuple[Column, ...]:
    best = max((found.score(column) for column in columns), default=0)
    return tuple(column for column in columns if best and found.score(column) == best)


def means(column: Column, idea: Idea, view: View) -> bool:
    """Say whether a column measures an idea, by its name or by a unit that measures nothing else."""
    near = idea == "distance" and any(word.startswith("altitud") for word in view.headers[column.index])
    return near or measures(column, idea, view) or column.measure.dimension == _DIMENSIONS.get(idea, "-")


def _answer(cues: Cues, found: Fit, column: Column) -> Column | None:
    """Return the column that holds what is asked about the winning row; None where none or several may."""
    view = found.scope.view
    texts = [each for each in view.columns if each.kind == "text" and each.index != view.label]
    match cues.asks:
        case "who":
            return _named(cues.asked, texts, view)
        case "when":
            return _dated(found)
        case "where":
            return _only([each for each in texts if set(view.headers[each.index]) & set(PLACES)])
        case "how":
            return column if means(column, ADJECTIVE_IDEAS[cues.asked], view) else None
        case "value" | "how many":
            return _named(cues.asked, list(view.columns), view)
    return _asked_for(cues, column, view)


def _asked_for(cues: Cues, column: Column, view: View) -> Column | None:
    """Return the column of `which …`: that of the row names where it asks for the items, else the one it names."""
    label = view.columns[view.label] if view.named else None
    if not cues.asked:
        return column if _stated_after(cues, [column], view) else label
    title = stems(view.table.place.title)
    asked = content_stems(cues.asked)
    for word, following in zip(asked, (*asked[1:], ""), strict=True):
        if is_item(word, view):
            parts = [each for each in view.columns if following in view.headers[each.index]]
            if parts and all(each.kind == "text" for each in parts):
                return _only(parts)
            return label if names_items(word, view) or not repeating(view) else None
        if word in title:
            continue
        named = [each for each in view.columns if any(alike(word, other) for other in view.headers[each.index])]
        if named:
            return _only(named)
    return None


def _dated(found: Fit) -> Column | None:
    """Return the date that the words name or, where they name none, the only one."""
    dates = [each for each in found.scope.view.columns if each.kind == "date"]
    return _only(list(_best(found, dates))) or _only(dates)


def _only(columns: list[Column]) -> Column | None:
    return columns[0] if len(columns) == 1 else None


def _named(text: str, columns: list[Column], view: View) -> Column | None:
    """Return the one column that most words of a text name; of `who commanded the mission` only those of the verb."""
    wanted = [word for phrase in phrases_of(text) for word in phrase if not is_item(word, view)]
    scores = [
        (sum(any(alike(word, other) for other in view.headers[column.index]) for word in wanted), column)
        for column in columns
    ]
    best = max((score for score, _ in scores), default=0)
    chosen = [column for score, column in scores if score == best]
    return chosen[0] if best and len(chosen) == 1 else None
