"""Explain a reading of a question by one table, and hold what is left of its rows against what it states."""

import re
from dataclasses import replace

from heliograph.text.units import parse_measure
from heliograph.text.words import content_stems, stem, stems, words
from tools.arithmetic.comparisons import Comparison
from tools.arithmetic.conditions import tested
from tools.arithmetic.explanation import DASHES, FATAL, FORGIVEN, NAME, NOUNS, Fit
from tools.arithmetic.lexicon import LIGHT, VERBS, among
from tools.arithmetic.phrases import Phrase
from tools.arithmetic.question import Reading
from tools.arithmetic.scope import is_titled, restriction_of, scope_of
from tools.arithmetic.superlatives import ADJECTIVE_IDEAS
from tools.arithmetic.view import View, in_left_out, in_subject, is_item, named_rows, names_items, naming, picks

_YES, _NO = frozenset({"yes", "y", "true", "✓", "✔"}), frozenset({"no", "n", "false", "✗", "✘"})


def fit(asked: Reading, view: View, question: str, phrases: tuple[Phrase, ...]) -> Fit | None:
    """Explain the phrases of a reading; None where no row is left or a condition cannot be tested."""
    found = Fit(asked, view, view.rows)
    units, hinted = _units(asked), _hinted(phrases, view)
    for phrase in _merged(phrases, view):
        _bind(phrase, found, units, hinted)
    _settle(found, phrases)
    conditions = tested(_untitled(asked.comparisons, found), found.rows, view)
    if conditions is None or not conditions[0]:
        return None
    before, found.rows = found.rows, conditions[0]
    found.titled = is_titled(view, stems(question))
    found.used |= {*found.picked, *conditions[2], *found.excluded.values()}
    found.explained += NAME * len(asked.comparisons) + asked.listed
    _agree(found, before)
    found.factor *= restriction_of(asked, view, stems(question), named=len(found.listed) > 1)
    found.scope = scope_of(asked, view, stems(question), named=len(found.listed) > 1)
    found.factor *= 1 - conditions[1] / len(view.rows)
    return found


def _untitled(comparisons: tuple[Comparison, ...], found: Fit) -> tuple[Comparison, ...]:
    """Return the conditions without years that only name the table or a column: `visitors in 2019`."""
    for each in comparisons:
        if each.year and (held := naming((each.year,), found.view)):
            found.hits.append((each.year, held, NAME))
    told = {each.year for each in comparisons if found.about(each.year) or naming((each.year,), found.view)} - {""}
    return tuple(each for each in comparisons if each.year not in told)


def _bind(phrase: Phrase, found: Fit, units: dict[str, str], hinted: frozenset[int]) -> None:
    """Note what one phrase says."""
    view, said, weight = found.view, phrase.words, NAME if phrase.name else 1.0
    light, held, known = set(said) <= LIGHT, _held(said, view), in_subject(said, view)
    cells = _cells(said, found, hinted, whole=light or bool(held) or said[0] in VERBS or said[0] in units)
    rows = named_rows(said, view) if phrase.name else frozenset()
    if phrase.denied and in_left_out(said, view):
        found.spared.add(phrase.denied)
        found.explained += weight
    elif phrase.denied and (cells or rows):
        _exclude(phrase, found, cells, rows)
    elif phrase.denied and (lacking := _lacking(held, found)):
        found.picked[min(held)] = (lacking,)
        found.excluded[phrase.denied] = min(held)
        found.explained += weight
    elif cells and said[0] not in units:
        _filter(phrase, found, cells)
        found.explained += weight
    elif rows:
        found.listed.append((rows, known))
    elif affirmed := _affirmed(held, found):
        _filter(phrase, found, {min(held): affirmed})
        found.explained += weight
    elif held and not is_item(said[-1], view) and not (known and held == {view.label}):
        found.hits.extend((word, held, weight / len(said)) for word in said)
    elif len(said) == 1 and said[0] in units:
        found.dimensions.add(units[said[0]])
        found.explained += 1
        found.measured = found.measured or re.match(r"\w+(?: \w+)? of\b", found.asked.clause) is not None
        return
    elif known or (len(said) == 1 and _idea(said[0], found)):
        found.explained += weight
    elif phrase.name and len(said) > 1:
        for word in said:
            _bind(replace(phrase, words=(word,)), found, units, hinted)
    elif not light:
        _unknown(phrase, found)
    found.items = found.items or any(is_item(word, view) or word in view.heads for word in said)
    found.measured = found.measured and not (known and found.items)


def _held(said: tuple[str, ...], view: View) -> frozenset[int]:
    """Return the columns that a phrase names; words that add nothing name no column of text."""
    held = naming(said, view)
    return frozenset() if set(said) <= LIGHT and all(view.columns[index].kind == "text" for index in held) else held


def _cells(said: tuple[str, ...], found: Fit, hinted: frozenset[int], *, whole: bool) -> dict[int, frozenset[int]]:
    """Return the rows that cells leave, by column; a word for the items picks only cells that hold nothing else."""
    view = found.view
    cells = picks(said, view, whole=whole, strict=in_subject(said, view))
    cells = {index: rows for index, rows in cells.items() if index in hinted} or cells
    cells = (picks(said, view, strict=True) or cells) if len(cells) > 1 else cells
    items = len(said) == 1 and names_items(said[0], view)
    shared = (len(content_stems(view.cell(row, index))) > 1 for index, rows in cells.items() for row in rows)
    return {} if items and any(shared) else cells


def _affirmed(held: frozenset[int], found: Fit) -> frozenset[int]:
    """Return the rows of `yes` where the question says the whole name of one column, of nothing but yes and no."""
    view, said = found.view, [word for phrase in found.asked.phrases for word in phrase.words]
    if len(held) != 1 or not all(among(word, said) for word in view.headers[min(held)]):
        return frozenset()
    cells = {row: view.cell(row, min(held)).casefold() for row in view.rows}
    return frozenset(row for row, text in cells.items() if text in _YES and {*cells.values()} <= _YES | _NO)


def _lacking(held: frozenset[int], found: Fit) -> frozenset[int]:
    """Return the rows that have none of what one column counts, measures or affirms: `no rover`."""
    view = found.view
    column = view.columns[min(held)] if len(held) == 1 else None
    if _affirmed(held, found):
        return frozenset(row for row in view.rows if view.cell(row, min(held)).casefold() in _NO)
    if column is None or column.kind not in ("number", "duration"):
        return frozenset()
    values = {row: column.values[row] for row in view.rows}
    dashes = {row for row in column.missing if view.cell(row, column.index) in DASHES}
    return frozenset(row for row, value in values.items() if row in dashes or (value and value.high == 0))


def _unknown(phrase: Phrase, found: Fit) -> None:
    """Weigh a phrase that nothing explains; several for the stuff that a unit measures count once."""
    view = found.view
    measured = (word for each in view.columns if each.kind != "text" for word in view.headers[each.index])
    qualifies = among(phrase.before, measured)
    if phrase.figure or (phrase.name and not qualifies):
        found.doubt()
    elif found.measured and found.stuff:
        return
    elif found.measured:
        found.stuff = True
        found.unknown.append((1.0, False))
    else:
        found.strange.update(phrase.words)
        found.unknown.append((2.0 if found.asked.kind == "count" else 1.0, phrase.relative))


def _idea(word: str, found: Fit) -> bool:
    """Note what a verb, noun or adjective of measure says."""
    ideas = {*VERBS.get(word, ()), *NOUNS.get(word, ())}
    ideas |= {idea for adjective, idea in ADJECTIVE_IDEAS.items() if stem(adjective) == word}
    found.ideas |= ideas
    return bool(ideas)


def _filter(phrase: Phrase, found: Fit, cells: dict[int, frozenset[int]]) -> None:
    """Keep the rows that a phrase picks; those of phrases that are joined add up."""
    if len(cells) > 1 or not all(cells.values()):
        found.doubt()
    index, rows = next(iter(cells.items()))
    known = found.picked.get(index, ())
    joined = known[-1:] if phrase.joined else ()
    found.united = found.united or bool(joined)
    found.picked[index] = (*known[: len(known) - len(joined)], rows.union(*joined))
    found.cells.update(phrase.words)
    sizes = {len(content_stems(found.view.cell(row, index).split(";")[0])) for row in rows}
    found.shared = found.shared or len(sizes) > 1


def _exclude(phrase: Phrase, found: Fit, cells: dict[int, frozenset[int]], rows: frozenset[int]) -> None:
    """Drop the rows that a denial names; what follows in it restricts rows where it speaks of another column."""
    index, dropped = next(iter(cells.items())) if cells else (found.view.label, rows)
    done = found.excluded.get(phrase.denied)
    if done is not None and not phrase.joined and done != index:
        return _filter(phrase, found, cells) if cells else found.doubt()
    if len(cells) > 1 or not dropped:
        found.doubt()
    found.explained += NAME if phrase.name else 1.0
    if done is None or phrase.joined:
        found.rows = tuple(row for row in found.rows if row not in dropped)
        found.united = found.united or phrase.joined
    found.excluded[phrase.denied] = index
    return None


def _settle(found: Fit, phrases: tuple[Phrase, ...]) -> None:
    """Apply what the cells and the listed names leave, and weigh denials, comparisons and alternatives in the air."""
    if len(found.listed) > 1:
        rows = frozenset[int]().union(*(rows for rows, _ in found.listed))
        found.rows = tuple(row for row in found.rows if row in rows)
        found.explained += NAME * len(found.listed)
        found.items = True
    elif found.listed:
        found.explained += NAME if found.listed[0][1] else 0.0
        found.doubt(0.0 if found.listed[0][1] else FATAL)
    for picked in found.picked.values():
        found.rows = tuple(row for row in found.rows if all(row in rows for rows in picked))
    denials = {phrase.denied for phrase in phrases if phrase.denied}
    asked, open_denials = found.asked, denials - set(found.excluded) - found.spared
    if open_denials or asked.loose or (asked.sole and found.shared) or (asked.either and not found.united):
        found.doubt()


def _agree(found: Fit, before: tuple[int, ...]) -> None:
    """Hold the numbers of items that the question states against the rows, and weigh the words left unknown."""
    total = found.asked.kind in ("sum", "mean")
    sizes = {len(found.rows)} if total else {len(before), len(found.view.rows)}
    valued = {index for _, held, _ in found.hits for index in held if total}
    sizes |= {sum(found.view.columns[index].values[row] is not None for row in found.rows) for index in valued}
    asked, view = found.asked, found.view
    numbered = {*view.heads, *view.headers[view.label], *found.cells, *(hit[0] for hit in found.hits)}
    kin = any(is_item(word, view) or among(word, numbered) for word in asked.numbered)
    for number in asked.stated:
        if number in sizes and (kin or found.picked):
            found.explained += NAME
            found.items = True
        else:
            found.doubt()
    if asked.dated:
        told = (view.table.caption, *view.table.place.path, *view.table.header)
        found.doubt(0.0 if any(asked.dated in words(each) for each in told) else FATAL)
    found.doubt(1.0 if asked.timed else 0.0)
    stated = bool(found.asked.stated)
    found.doubt(sum(weight * (FORGIVEN if stated and relative else 1.0) for weight, relative in found.unknown))


def _hinted(phrases: tuple[Phrase, ...], view: View) -> frozenset[int]:
    """Return the columns of text that single words name."""
    named = (naming(phrase.words, view) for phrase in phrases if len(phrase.words) == 1)
    return frozenset(index for held in named for index in held if view.columns[index].kind == "text")


def _merged(phrases: tuple[Phrase, ...], view: View) -> tuple[Phrase, ...]:
    """Join two words to one phrase where whole cells hold both and no cell one of them: `iron and nickel`."""
    cells = {content_stems(view.cell(row, each.index)) for each in view.columns for row in view.rows}
    found: list[Phrase] = []
    for phrase in phrases:
        both = (*found[-1].words, *phrase.words) if found and phrase.joined and not phrase.name else ()
        if both and both in cells and not {found[-1].words, phrase.words} & cells:
            found[-1] = replace(found[-1], words=both)
        else:
            found.append(phrase)
    return tuple(found)


def _units(asked: Reading) -> dict[str, str]:
    """Return the dimensions of units in which the question wants its figure, by their stems."""
    text = asked.clause
    leads = (" ".join(words(text)[:2]), *words(text)[:1]) if asked.wanted == "how many" else ()
    named = (*leads, *re.findall(r"\bin ((?:square |cubic )?[a-z]+)\b", text))
    found = {name: parse_measure(name) for name in named if len(name) > 2 or name in ("km", "kg")}
    return {
        stem(word): measure.dimension
        for name, measure in found.items()
        if measure is not None and measure.dimension
        for word in name.split()
    }
