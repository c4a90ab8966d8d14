"""Read a question over a table in every way that it may be meant, and score how much of it each way explains.

A reading is a named calculation: an operation over a column of the rows that the question's words pick. Its score is
the share of the question, by weight, that it explains: words that are a cell, the name of a column that is used, a
heading, a unit or an operation. A word that is left over costs UNKNOWN times what an explained one adds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from heliograph.text.units import header_words
from heliograph.text.words import stems
from heliograph.types import Calculation, Condition, Relation
from tools.arithmetic.grounds import (
    AROUND,
    BESIDE,
    GUESSED,
    LIKELY,
    MEANT,
    NAMED,
    ONLY,
    UNSAID,
    UNUSED,
    Grounds,
)
from tools.arithmetic.likeness import Pick, Selection, Target, alike
from tools.arithmetic.request import NAME, Order
from tools.arithmetic.sheet import Sheet

UNKNOWN, STRANGE = 1.6, 0.6
"""How much more an unexplained word takes than an explained one adds, and what each name or figure leaves of the score
that nothing of a table explains."""
READ = 0.6
"""Share of the rows that must hold a value that can be read for their order to be told."""
CROWDED = 0.6
"""What is left of a reading whose column no word says where the page tells of much besides."""
_PARTING = frozenset(stems("or than"))
"""Words that stand between the two that are compared."""
_RATES = frozenset(stems("per average mean rate share"))


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question over a table: what to calculate, which column's cells to tell, and how well it fits.

    `open`: the cell that is asked for is empty, so that the table leaves the question open.
    """

    sheet: Sheet
    calculation: Calculation
    score: float
    answer: int | None = None
    open: bool = False
    order: Order | None = None
    sure: bool = True
    """Whether a word of the question, and not what is left over, says which column is asked for."""
    unexplained: tuple[str, ...] = ()
    noun: str = ""
    """What is counted, in the question's words."""


@dataclass(frozen=True)
class Reader(Grounds):
    """Every reading of a question over one table."""

    def readings(self) -> Iterator[Reading]:
        """Yield every reading."""
        for chosen in self.selections:
            yield from self._looked_up(chosen)
            yield from self._counted(chosen)
            yield from self._added(chosen)
            yield from self._ordered(chosen)
            yield from self._confirmed(chosen)
        yield from self._chosen()

    def _looked_up(self, chosen: Selection) -> Iterator[Reading]:
        """Tell cells of the rows that are picked."""
        request = self.request
        if request.wanted in ("yes_no",) or not chosen.bound or self._orders(chosen) or request.mean or request.apart:
            return
        several = len(chosen.rows) > 1
        if several and (
            request.wanted in ("how many", "how much") or (request.total and request.wanted in ("what", "value"))
        ):
            return
        names = self._names(chosen) if request.wanted not in ("who", "where") else []
        asked = (each for each in self.targets(chosen) if names or each.tokens or each.index != self.sheet.label)
        for target in (*asked, *names):
            factor = target.strength
            if request.many and not target.tokens and target.index != self.sheet.label:
                factor *= BESIDE
            if several and not request.many:
                told = {self.sheet.cell(row, target.index) for row in chosen.rows}
                factor *= 1.0 if len(told) == 1 else 0.6
            if request.comparative or (request.either and several):
                factor *= 0.5
            if request.total and not several:
                factor *= 0.7
            if target.index not in chosen.columns and not several and self._said(chosen.rows[0], target.index):
                factor *= 0.4
            empty = all(self._empty(row, target.index) for row in chosen.rows)
            sure, named = bool(target.tokens), target.index != self.sheet.label
            factor *= 1.0 if sure or (self._alone and (named or not self._told_beside(chosen))) else CROWDED
            yield replace(self._reading("filter", chosen, target, factor, open=empty), sure=sure)

    def _told_beside(self, chosen: Selection) -> bool:
        """Say whether the page's text has a word of the question that no heading, name or cell has: it may answer."""
        around = self.meanings.around.get(self.sheet.table.place.page, frozenset())
        return any(
            token.weight >= 1
            and place not in chosen.tokens
            and self.base.get(place, 0.0) <= AROUND
            and any(alike(token.stem, word) for word in around)
            for place, token in enumerate(self.request.tokens)
        )

    def _orders(self, chosen: Selection) -> tuple[Order, ...]:
        """Return the superlatives that are no word of a cell: the `first rise` is none."""
        return tuple(order for order in self.request.orders if not order.tokens & chosen.tokens)

    def _said(self, row: int, index: int) -> bool:
        """Say whether the question itself says all that a cell does, so that the cell is no answer to it."""
        cell = [term for term in self.sheet.cells[index][self.sheet.rows.index(row)] if not term.light]
        return bool(cell) and all(any(alike(token.stem, term.stem) for token in self.request.tokens) for term in cell)

    def _names(self, chosen: Selection) -> list[Target]:
        """Return the column of names where it was not asked for by its name: rows are asked for by what they are."""
        label = self.sheet.label
        wanted = self.request.wanted
        if (
            label in chosen.columns
            or wanted in ("how many", "how much", "how")
            or (wanted in ("who", "when") and not self._fits(label))
        ):
            return []
        known = all(
            self.base.get(place, 0) > UNUSED or self.request.tokens[place].weight < 1 for place in self.request.asked
        )
        if any(
            self.request.asked & self.named[index]
            for index in range(len(self.named))
            if index not in chosen.columns | {label}
        ):
            return []
        if self.request.asked and known:
            return [Target(label, MEANT, self.request.asked)]
        header = header_words(self.sheet.table.header[label])
        near = tuple(
            (place, self.meanings.near(self.request.tokens[place].text, header)) for place in sorted(self.request.asked)
        )
        strength = GUESSED if wanted in ("who", "where") else 0.75 if not near else UNSAID
        return [Target(label, strength + (0.9 - strength) * (near[-1][1] if near else 0.0), frozenset(), near)]

    def _empty(self, row: int, index: int) -> bool:
        return row in self.sheet.columns[index].missing and self.sheet.cell(row, index).casefold() != "none"

    def _counted(self, chosen: Selection) -> Iterator[Reading]:
        """Count the rows that are picked."""
        request = self.request
        if request.wanted != "how many" or self._orders(chosen) or request.apart:
            return
        if self.sheet.named and self.sheet.label in chosen.columns and len(chosen.rows) == 1:
            return  # what a name picks is always one
        if not chosen.bound and not request.listed and not self._alone:
            return  # a page of much besides does not list all that it tells of
        measured = any(
            request.asked & named
            for index, named in enumerate(self.named)
            if "number" in self.sheet.answers[index] and index not in self.serials
        )
        factor = 0.4 if measured or any(self.units[place] for place in request.asked) else 1.0
        if not chosen.bound:
            factor *= 1.0 if request.listed else 0.5
        factor *= self._stated(chosen)
        nouns = frozenset(
            place for place in request.asked if place not in self.base and request.tokens[place].weight == 1
        )
        words = [
            request.tokens[place].text
            for place in sorted(request.asked)
            if place in self.base and place not in chosen.tokens
        ]
        found = self._reading("count", chosen, Target(self.sheet.label, 1.0), factor, partly=nouns)
        yield replace(found, noun=" ".join(words))

    def _stated(self, chosen: Selection) -> float:
        """Return what is left of a reading over rows whose number is not the one that the question states."""
        stated = set(self.request.stated) - {order.take for order in self.request.orders}
        return 1.0 if not stated or stated & {len(chosen.rows), len(self.sheet.rows)} else 0.55

    def _added(self, chosen: Selection) -> Iterator[Reading]:
        """Add up, or average, a column over the rows that are picked."""
        request = self.request
        if (
            self._orders(chosen)
            or request.apart
            or request.wanted in ("yes_no", "when", "who", "where")
            or len(chosen.rows) < 2
        ):
            return
        told = request.summed or request.mean or (request.total and request.wanted in ("how many", "how much"))
        cue = 1.0 if told else 0.75 if request.wanted in ("how many", "how much") else 0.0
        cue *= self._stated(chosen)
        for target in self.targets(chosen):
            column = self.sheet.columns[target.index]
            if not told and not (target.tokens & request.asked and (chosen.bound or self._alone)):
                continue  # what is asked for, and not what it is asked of, names the column
            if not target.tokens and max((near for _, near in target.likely), default=0.0) < 0.5:
                cue_of = cue * 0.6
            else:
                cue_of = cue
            if cue_of and column.kind in ("number", "duration") and not self._rate(target.index):
                read = self._readable(chosen, target.index)
                yield self._reading("mean" if request.mean else "sum", read, target, target.strength * cue_of)

    def _readable(self, chosen: Selection, index: int) -> Selection:
        """Leave out the rows whose cell of a column of figures is none: `gift` among prices."""
        column = self.sheet.columns[index]
        rows = tuple(row for row in chosen.rows if row not in column.unreadable)
        return chosen if rows == chosen.rows else replace(chosen, rows=rows, named=frozenset(rows))

    def _rate(self, index: int) -> bool:
        """Say whether a column's figures are per something, or means, which add up to nothing."""
        return any(term.stem in _RATES for term in self.sheet.headers[index]) or self.sheet.dimensions[index] in (
            "celsius",
            "fahrenheit",
            "kelvin",
            "share",
            "speed",
        )

    def _ordered(self, chosen: Selection) -> Iterator[Reading]:
        """Tell what stands at a place of an order of the rows that are picked."""
        request = self.request
        if len(chosen.rows) < 2 or request.wanted == "yes_no":
            return
        for order in self._orders(chosen):
            for by in self.measured(order, chosen):
                if by.index in chosen.columns:
                    continue
                read = self._readable(chosen, by.index)
                if len(read.rows) >= max(2.0, READ * len(chosen.rows)):
                    yield from (self._rank(order, by, answer, read) for answer in self._answers(order, by, chosen))

    def _answers(self, order: Order, by: Target, chosen: Selection) -> Iterator[Target]:
        """Yield what may be told of the rows at a place: a column that is asked for, their names, or their value."""
        request = self.request
        numeric = request.wanted in ("how many", "how much", "when")
        for target in self.targets(chosen):
            asked = request.asked & target.tokens and not by.tokens & target.tokens & request.asked
            if target.index == by.index:
                yield (
                    replace(target, strength=max(target.strength, 0.9))
                    if numeric or self._values(order)
                    else replace(target, strength=0.5)
                )
            elif asked or (target.strength > ONLY and numeric) or request.wanted in ("when", "who", "where"):
                yield (
                    target
                    if numeric or self.sheet.columns[target.index].kind == "text"
                    else replace(target, strength=target.strength * 0.8)
                )
        yield from (
            replace(target, strength=max(target.strength, MEANT) if not self._values(order) else 0.6)
            for target in self._names(chosen)
        )

    def _values(self, order: Order) -> bool:
        """Say whether the value itself is asked for: `the worst delay`, and not `the longest film`."""
        behind = [place for place in self.request.asked if place > max(order.tokens)]
        return (
            self.request.wanted == "what"
            and bool(behind)
            and not any(
                alike(self.request.tokens[place].stem, word)
                for place in behind
                for word in (
                    *self.sheet.subject,
                    *(
                        term.stem
                        for index in range(len(self.sheet.columns))
                        if self.sheet.columns[index].kind == "text"
                        for term in self.sheet.headers[index]
                    ),
                )
            )
            and any(
                place in self.named[index]
                for place in behind
                for index, each in enumerate(self.sheet.columns)
                if each.kind != "text"
            )
        )

    def _rank(self, order: Order, by: Target, answer: Target, chosen: Selection) -> Reading:
        descending = self.descending(order, by.index)
        operation = "ordinal" if order.position > 1 else "max" if descending else "min"
        tokens = by.tokens | order.tokens | answer.tokens
        said = bool(by.tokens or by.likely) or by.strength > ONLY or self._alone
        strength = by.strength * answer.strength * (1.0 if said else CROWDED)
        found = self._reading(
            operation, chosen, Target(answer.index, 1.0, tokens, (*by.likely, *answer.likely)), strength, order=order
        )
        column = self.sheet.columns[by.index]
        if order.take > 1:
            limit = self._place(order, by.index, chosen)
            where = Condition(column.name, "at_least" if descending else "at_most", limit)
            return replace(
                found, calculation=replace(found.calculation, operation="filter", where=(*chosen.where, where))
            )
        calculation = replace(found.calculation, column=column.name, position=order.position, descending=descending)
        return replace(found, calculation=calculation)

    def _place(self, order: Order, index: int, chosen: Selection) -> str:
        """Return the cell at the last place that an order takes."""
        values = ((value.low, row) for row in chosen.rows if (value := self.sheet.columns[index].values[row]))
        ranked = sorted(values, reverse=self.descending(order, index))
        return self.sheet.cell(ranked[min(order.take, len(ranked)) - 1][1], index) if ranked else ""

    def _chosen(self) -> Iterator[Reading]:
        """Compare two rows that a question names: which of them, or whether, or by how much."""
        request = self.request
        order = request.comparative or request.order
        if order is None and not request.apart:
            return
        for index, options in enumerate(self.picked):
            for first, second in self._pairs(options):
                rest = [
                    each
                    for each in self.selections
                    if index not in each.columns and not each.tokens & (first.tokens | second.tokens)
                ]
                for chosen in rest:
                    one = [row for row in chosen.rows if row in first.rows]
                    two = [row for row in chosen.rows if row in second.rows]
                    if len(one) == len(two) == 1 and one != two:
                        pair = Selection(
                            (one[0], two[0]), chosen.tokens | first.tokens | second.tokens, chosen.columns | {index},
                            frozenset((one[0], two[0])), (), chosen.quality * _fit(first, second),
                        )  # fmt: skip
                        yield from self._compared(pair, order, index)

    def _pairs(self, options: tuple[Pick, ...]) -> Iterator[tuple[Pick, Pick]]:
        ordered = sorted(options, key=lambda pick: min(pick.tokens))[:6]
        for place, first in enumerate(ordered):
            for second in ordered[place + 1 :]:
                parted = {token.stem for token in self.request.tokens[max(min(first.tokens), 0) : max(second.tokens)]}
                one, two = first.tokens - second.tokens, second.tokens - first.tokens
                if one and two and max(one) < min(two) and (not parted or parted & _PARTING or self.request.apart):
                    yield first, second

    def _compared(self, pair: Selection, order: Order | None, index: int) -> Iterator[Reading]:
        request = self.request
        by = (
            self.measured(order, pair)
            if order
            else [each for each in self.targets(pair) if self.sheet.columns[each.index].kind in ("number", "duration")]
        )
        for target in by:
            tokens = target.tokens | (order.tokens if order else frozenset())
            found = Target(target.index, 1.0, tokens, target.likely)
            if request.apart:
                yield self._reading("difference", pair, found, target.strength)
            elif request.wanted == "yes_no" and not request.either:
                reading = self._reading("comparison", pair, found, target.strength)
                relation: Relation = "above" if order and self.descending(order, target.index) else "below"
                yield replace(reading, calculation=replace(reading.calculation, relation=relation))
            elif request.either and order:
                descending = self.descending(order, target.index)
                operation = "max" if descending else "min"
                asked = replace(found, index=index, tokens=tokens | request.asked)
                reading = self._reading(operation, pair, asked, target.strength, order=order)
                yield replace(
                    reading,
                    calculation=replace(
                        reading.calculation, column=self.sheet.table.header[target.index], descending=descending
                    ),
                )

    def _confirmed(self, chosen: Selection) -> Iterator[Reading]:
        """Answer yes or no by a cell that says so, a condition on an amount, or a word that the cell should hold."""
        request = self.request
        if (
            request.wanted != "yes_no"
            or request.either
            or request.comparative
            or self._orders(chosen)
            or not chosen.bound
            or len(chosen.rows) != 1
        ):
            return
        row = chosen.rows[0]
        for each in self.sheet.columns:
            if each.index in chosen.columns:
                continue
            tokens = self.named[each.index] - chosen.tokens
            if "yes_no" in self.sheet.answers[each.index]:
                verdict = self.sheet.said(row, each.index)
                value = next(
                    (self.sheet.cell(one, each.index) for one in self.sheet.rows if self.sheet.said(one, each.index)),
                    "",
                )
                likely = () if tokens else self._likely(each.index, chosen)
                nearest = max((near for _, near in likely), default=0.0)
                strength = NAMED if tokens else GUESSED + (LIKELY - GUESSED) * nearest
                open_ = verdict is None or self._empty(row, each.index)
                yield self._asserted(chosen, Target(each.index, strength, tokens, likely), "is", value, open=open_)
            for pick in self.picked[each.index]:
                if not pick.tokens & chosen.tokens:
                    texts = {self.sheet.cell(one, each.index) for one in pick.rows}
                    if len(texts) == 1:
                        target = Target(each.index, 0.9 * (0.85 + 0.15 * pick.whole), pick.tokens | tokens)
                        yield self._asserted(chosen, target, "is", texts.pop(), open=self._empty(row, each.index))
        for bound in request.bounds:
            for target in self.bounded(bound):
                if target.index not in chosen.columns:
                    asserted = replace(target, tokens=target.tokens | bound.tokens)
                    yield self._asserted(chosen, asserted, bound.relation, self._limit(bound, target.index))

    def _asserted(
        self, chosen: Selection, target: Target, relation: Relation, value: str, *, open: bool = False
    ) -> Reading:
        found = self._reading("comparison", chosen, target, target.strength, open=open)
        return replace(found, calculation=replace(found.calculation, relation=relation, value=value))

    def _reading(
        self, operation: str, chosen: Selection, target: Target, factor: float, *, open: bool = False,
        order: Order | None = None, partly: frozenset[int] = frozenset(),
    ) -> Reading:  # fmt: skip
        sheet = self.sheet
        explained = dict(self.base)
        label = header_words(sheet.table.header[sheet.label])
        for place in partly:
            explained[place] = 0.25 + 0.5 * self.meanings.near(self.request.tokens[place].text, label)
        for place, near in target.likely:
            explained[place] = max(explained.get(place, 0), near)
        for place in chosen.tokens | target.tokens:
            explained[place] = 1.0
        held = sum(token.weight * explained.get(place, 0.0) for place, token in enumerate(self.request.tokens))
        total = sum(token.weight for token in self.request.tokens)
        score = held / (held + UNKNOWN * (total - held)) if total else 0.0
        strange = sum(
            token.weight == NAME and explained.get(place, 0.0) < UNUSED
            for place, token in enumerate(self.request.tokens)
        )
        score *= STRANGE**strange
        rows = (
            ()
            if chosen.named is None and operation not in ("comparison", "difference")
            else tuple(sheet.id(row) for row in chosen.rows)
        )
        column = "" if operation == "count" else sheet.table.header[target.index]
        calculation = Calculation(operation, sheet.table.id, column, rows, () if rows else chosen.where)  # type: ignore[arg-type]
        left = tuple(
            token.text
            for place, token in enumerate(self.request.tokens)
            if token.weight and explained.get(place, 0) < 0.5
        )
        return Reading(
            sheet, calculation, round(score * factor * chosen.quality, 4), target.index, open, order, unexplained=left
        )


def _fit(first: Pick, second: Pick) -> float:
    """Return how well two cells are said, by the one that is said less."""
    return 0.85 + 0.15 * min(first.whole, second.whole)
