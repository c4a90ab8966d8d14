"""What the words of a question are in one table: rows that they pick, and columns that they ask for or order by."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from heliograph.text.units import BARE, header_words, leading_measure, parse_measure
from heliograph.text.words import stems
from heliograph.types import Condition
from tools.arithmetic.likeness import (
    Meanings,
    Pick,
    Selection,
    Target,
    alike,
    header_tokens,
    near_picks,
    phrases_of,
    picks,
)
from tools.arithmetic.request import COUNTED, Bound, Idea, Order, Request
from tools.arithmetic.resolution import bound_of, compared
from tools.arithmetic.sheet import Sheet

TITLED, LABELLED, AROUND, UNUSED = 0.9, 0.8, 0.6, 0.3
"""How far a word is explained that is of the heading, of the name of the column of names, of the page, of the name of
any unused column."""
NAMED, MEANT, LIKELY, ONLY, BESIDE, UNSAID, GUESSED = 1.0, 0.95, 0.92, 0.85, 0.85, 0.65, 0.55
"""How surely a column is meant: by its name, by what it measures, as the only one of its kind, as one of several."""
FEW = 40
"""Different words of a page up to which each of them speaks of its table; of a long page a word says little of it."""
NONE = Meanings()
MOST_SELECTIONS = 200
_MONEY = frozenset(("euro", "dollar", "pound", "yen"))
_LASTING = frozenset(stems("take took last"))
_JOINING = frozenset(stems("and or the by"))
_PAYING = frozenset(stems("cost pay paid price charge owe spend spent earn worth bill fee money cash make made"))


@dataclass(frozen=True)
class Grounds:
    """A question held against one table: what each of its words may be there."""

    request: Request
    sheet: Sheet
    meanings: Meanings = NONE

    @cached_property
    def named(self) -> tuple[frozenset[int], ...]:
        """The tokens that name each column."""
        return tuple(header_tokens(self.request, self.sheet, each.index) for each in self.sheet.columns)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The dimension of each token of a unit that the answer is wanted in, else nothing."""
        texts = [token.text for token in self.request.tokens]
        found = [""] * len(texts)
        for place, text in enumerate(texts):
            wanted = place in self.request.asked or (place > 0 and texts[place - 1].casefold() == "in")
            measure, width = leading_measure(texts[place : place + 3]) if wanted and len(text) > 1 else (BARE, 0)
            if measure.dimension and self.request.tokens[place].weight and not found[place]:
                found[place : place + width] = [measure.dimension] * width
        return tuple(found)

    @cached_property
    def base(self) -> dict[int, float]:
        """How far each token is explained whatever is asked of the table."""
        found: dict[int, float] = {}
        around = self.meanings.around.get(self.sheet.table.place.page, frozenset())
        for place, token in enumerate(self.request.tokens):
            stated = token.weight == COUNTED and len(self.sheet.rows) in self.request.stated
            if place in self.request.cues or token.weight == 0 or stated:
                found[place] = 1.0
            elif any(alike(token.stem, word) for word in self.sheet.subject):
                found[place] = TITLED
            elif place in self.named[self.sheet.label]:
                found[place] = LABELLED
            elif any(alike(token.stem, word) for word in around):
                found[place] = AROUND * min(1.0, FEW / len(around))
            elif any(place in named for named in self.named):
                found[place] = UNUSED
        return found

    @cached_property
    def picked(self) -> tuple[tuple[Pick, ...], ...]:
        """What each column's cells pick."""
        bound = frozenset[int]().union(*(each.tokens for each in self.request.bounds))
        free = frozenset(range(len(self.request.tokens))) - bound
        return tuple(picks(self.request, self.sheet, each.index, free) for each in self.sheet.columns)

    def _unions(self) -> Iterator[tuple[Selection, ...]]:
        """Yield the rows of any of several cells of one column: `by Wren or Stagg`."""
        for options in self.picked:
            apart = [
                pick
                for pick in options
                if not any(pick.tokens & other.tokens for other in options if other is not pick)
            ]
            apart.sort(key=lambda pick: min(pick.tokens))
            listed = all(self._joins(max(one.tokens), min(two.tokens)) for one, two in pairwise(apart))
            if len(apart) > 1 and listed and self.request.wanted != "yes_no" and not self.request.comparative:
                rows = frozenset[int]().union(*(pick.rows for pick in apart))
                tokens = frozenset[int]().union(*(pick.tokens for pick in apart))
                yield (self._of(Pick(apart[0].column, rows, tokens, min(pick.whole for pick in apart))),)

    def _joins(self, first: int, second: int) -> bool:
        """Say whether `and` or `or` alone stands between two tokens."""
        between = {token.stem for token in self.request.tokens[first + 1 : second]}
        return bool(between) and between <= _JOINING

    def _near(self) -> Iterator[tuple[Selection, ...]]:
        """Yield the rows whose names mean what words say that stand in no cell."""
        free = frozenset(range(len(self.request.tokens))) - frozenset(self.base)
        free -= frozenset[int]().union(*(pick.tokens for options in self.picked for pick in options))
        label = self.sheet.label
        near = near_picks(self.request, self.sheet, label, free, self.meanings)
        found = tuple(replace(self._of(pick), quality=0.6 + 0.35 * share) for pick, share in near)
        if found:
            yield found

    @cached_property
    def _alone(self) -> bool:
        """Whether the page is little more than its table, so that what is asked of it is likely in the table."""
        return 0 < len(self.meanings.around.get(self.sheet.table.place.page, ())) <= 2 * FEW

    @cached_property
    def per(self) -> bool:
        """Whether the question asks for one of something: `per night`, `for a night`, `one night`, `each`."""
        return re.search(r"\b(?:per|each|every|one|for an?)\b", self.request.text, re.IGNORECASE) is not None

    @cached_property
    def serials(self) -> frozenset[int]:
        """The columns of figures that only tell rows apart: running numbers, and names."""
        found = {self.sheet.label} if not self.sheet.named else set()
        for each in self.sheet.columns[:1]:
            values = [value.low for row in self.sheet.rows if (value := each.values[row])]
            steps = {later - earlier for earlier, later in pairwise(values)}
            if each.kind == "number" and steps == {1}:
                found.add(each.index)
        return frozenset(found)

    @cached_property
    def selections(self) -> tuple[Selection, ...]:
        """Every way in which the words pick rows, all rows first."""
        found = [Selection(self.sheet.rows)]
        for options in (self.picked, self._unions(), self._near(), self._flags(), self._bounds()):
            for alternatives in options:
                grown = [
                    one
                    for each in found[:MOST_SELECTIONS]
                    for option in alternatives
                    if (one := self._both(each, option))
                ]
                found += grown
        return tuple(found[:MOST_SELECTIONS])

    def _both(self, chosen: Selection, option: "Pick | Selection") -> Selection | None:
        added = option if isinstance(option, Selection) else self._of(option)
        if added.tokens & chosen.tokens or added.columns & chosen.columns:
            return None
        kept = set(added.rows)
        rows = tuple(row for row in chosen.rows if row in kept)
        if not rows:
            return None
        named = (
            added.named if chosen.named is None else chosen.named if added.named is None else chosen.named & added.named
        )
        return Selection(
            rows, chosen.tokens | added.tokens, chosen.columns | added.columns, named, chosen.where + added.where,
            chosen.quality * added.quality,
        )  # fmt: skip

    def _of(self, pick: Pick) -> Selection:
        sheet = self.sheet
        texts = {sheet.cell(row, pick.column) for row in pick.rows}
        denied = all(self.request.tokens[place].denied for place in pick.tokens)
        if denied:
            words = [self.request.tokens[place].stem for place in pick.tokens]
            held = zip(sheet.rows, sheet.cells[pick.column], strict=True)
            free = frozenset(
                row for row, cell in held if not any(alike(word, term.stem) for word in words for term in cell)
            )
            return (
                Selection(tuple(sorted(free)), pick.tokens, frozenset((pick.column,)), free)
                if free
                else Selection((), pick.tokens)
            )
        rows = tuple(row for row in sheet.rows if row in pick.rows)
        alone = len(texts) == 1 and sum(sheet.cell(row, pick.column) in texts for row in sheet.rows) == len(rows)
        quality = 0.85 + 0.15 * pick.whole
        if all(self.base.get(place, 0) >= TITLED for place in pick.tokens) and pick.whole < 1:
            quality *= 0.8
        if any(place in self.named[sheet.label] for place in pick.tokens):
            quality *= 0.8
        if self.request.many and pick.column == sheet.label and len(pick.rows) > 1 and pick.whole < 1:
            quality *= 0.7
        lead = {term.stem for term in sheet.headers[pick.column] if term.light}
        if lead and len(lead) == len(sheet.headers[pick.column]) and pick.column != sheet.label:
            first = next(place for place in sorted(pick.tokens) if self.request.tokens[place].stem not in lead)
            before = [token.stem for token in self.request.tokens[max(0, first - 2) : first]]
            quality *= 1.0 if lead & set(before) else 0.85
        column = frozenset((pick.column,))
        if alone:
            where = (Condition(sheet.table.header[pick.column], "is", texts.pop()),)
            return Selection(rows, pick.tokens, column, None, where, quality)
        return Selection(rows, pick.tokens, column, frozenset(rows), (), quality)

    def _flags(self) -> Iterator[tuple[Selection, ...]]:
        """Yield the rows of a column of yes and no that its name, or its denial, picks."""
        for each in self.sheet.columns:
            tokens = self.named[each.index]
            if "yes_no" not in self.sheet.answers[each.index] or not tokens:
                continue
            wanted = not any(self.request.tokens[place].denied for place in tokens)
            rows = tuple(row for row in self.sheet.rows if self.sheet.said(row, each.index) is wanted)
            texts = {self.sheet.cell(row, each.index) for row in rows}
            if len(texts) == 1:
                where = (Condition(each.name, "is", texts.pop()),)
                yield (Selection(rows, tokens, frozenset((each.index,)), None, where),)

    def _bounds(self) -> Iterator[tuple[Selection, ...]]:
        """Yield the rows that each condition on an amount or date leaves."""
        done: dict[frozenset[int], list[Bound]] = {}
        for bound in self.request.bounds:
            done.setdefault(bound.tokens, []).append(bound)
        for bounds in done.values():
            found = [one for target in self.bounded(bounds[0]) if (one := self._meeting(bounds, target))]
            if found:
                yield tuple(found)

    def bounded(self, bound: Bound) -> list[Target]:
        """Return the columns that a condition may be about, those that fit best."""
        found: list[Target] = []
        for each in self.sheet.columns:
            dimension = self.sheet.dimensions[each.index]
            dated = bound.dimension == "date"
            if each.kind == "text" or dated != (each.kind == "date") or not self._limit(bound, each.index):
                continue
            if not dated and bound.dimension and dimension and bound.dimension != dimension:
                continue
            tokens = self.named[each.index]
            strength = (
                0.5
                + (0.3 if tokens else 0)
                + (0.3 if bound.dimension and bound.dimension in (dimension, "date") else 0)
            )
            strength += 0.2 if bound.idea and self._measures(each.index, bound.idea) else 0
            near = min((abs(place - end) for place in tokens for end in bound.tokens), default=9)
            found.append(Target(each.index, strength + max(0, 4 - near) * 0.05, tokens | self._meant(each.index)))
        best = max((target.strength for target in found), default=0)
        likely = [target for target in found if target.strength == best]
        sure = 0.2 if len(likely) == 1 and best > 0.5 else 0.0
        return [replace(target, strength=min(1.0, target.strength + sure)) for target in likely]

    def _limit(self, bound: Bound, index: int) -> str:
        """Return the limit as a column's cells are written, without its unit where they have none; nothing in vain."""
        column = self.sheet.columns[index]
        bare = bound.value.split()[0]
        fitting = (value for value in (bound.value, bare) if bound_of(value, column))
        value = next(fitting, "")
        return value if value == bound.value or not self.sheet.dimensions[index] else ""

    def _meeting(self, bounds: Sequence[Bound], target: Target) -> Selection | None:
        column = self.sheet.columns[target.index]
        if column.unreadable:
            rows = tuple(row for row in self.sheet.rows if all(self._holds(row, target.index, each) for each in bounds))
            tokens = target.tokens | bounds[0].tokens
            return (
                Selection(rows, tokens, frozenset((target.index,)), frozenset(rows), (), target.strength)
                if rows
                else None
            )
        where = tuple(Condition(column.name, bound.relation, self._limit(bound, target.index)) for bound in bounds)
        rows = tuple(row for row in self.sheet.rows if all(self._holds(row, target.index, each) for each in bounds))
        tokens = target.tokens | bounds[0].tokens
        return Selection(rows, tokens, frozenset((target.index,)), None, where, target.strength) if rows else None

    def _holds(self, row: int, index: int, bound: Bound) -> bool:
        column = self.sheet.columns[index]
        held, limit = column.values[row], bound_of(self._limit(bound, index), column)
        if held is None or limit is None:
            return False
        if bound.relation == "contains":
            return limit.low <= held.low and held.high <= limit.high
        return compared(bound.relation, held, limit) is True

    def _called(self, index: int, idea: Idea) -> bool:
        """Say whether a column's name is that of an idea, or of a unit of it alone."""
        alone = self.sheet.dimensions[index] in idea.dimensions and not self.sheet.columns[index].measure.dimension
        return alone or any(alike(term.stem, word) for term in self.sheet.headers[index] for word in idea.headers)

    def _measures(self, index: int, idea: Idea) -> bool:
        """Say whether a column measures an idea, by its unit or by its name."""
        column = self.sheet.columns[index]
        if idea.name == "date":
            return column.kind == "date" or bool({"day", "clock"} & self.sheet.answers[index])
        by_name = self._called(index, idea)
        if (
            idea.name == "extent"
            and self.sheet.dimensions[index] != "time"
            and _LASTING & {token.stem for token in self.request.tokens}
        ):
            return False
        return column.kind in ("number", "duration") and (by_name or self.sheet.dimensions[index] in idea.dimensions)

    def targets(self, chosen: Selection) -> list[Target]:
        """Return the columns that may be asked for, with how surely."""
        wanted, request = self.request.wanted, self.request
        found: list[Target] = []
        fitting = [
            each.index for each in self.sheet.columns if each.index not in chosen.columns and self._fits(each.index)
        ]
        for index in fitting:
            tokens = self.named[index] - chosen.tokens
            meant = self._meant(index)
            if tokens:
                held = [term for term in self.sheet.headers[index] if not term.light]
                share = sum(
                    any(alike(request.tokens[place].stem, term.stem) for place in tokens) for term in held
                ) / len(held)
                strength = NAMED * (0.85 + 0.15 * share)
                if request.asked & tokens:
                    strength = NAMED
                elif all(self.base.get(place) == TITLED for place in tokens):
                    strength *= BESIDE
                if self._differs(index, tokens, chosen):
                    strength *= 0.5
                if any(term.stem == "per" for term in self.sheet.headers[index]) != self.per:
                    strength *= 0.85
            elif meant:
                strength = MEANT
            else:
                strength = ONLY if len(fitting) == 1 and wanted not in ("what", "which", "how") else GUESSED
                likely = self._likely(index, chosen)
                nearest = max((near for _, near in likely), default=0.0)
                strength = max(strength, GUESSED + (LIKELY - GUESSED) * nearest)
                if request.adjective:
                    strength *= 0.5
                if self._spoken - {self.sheet.dimensions[index], ""} and self.sheet.dimensions[index]:
                    strength *= 0.6
                found.append(Target(index, strength, frozenset(), likely))
                continue
            if self._spoken - {self.sheet.dimensions[index], ""} and self.sheet.dimensions[index]:
                strength *= 0.6
            if self._spoken and self.sheet.columns[index].measure.factor not in self._factors:
                strength *= 0.95
            found.append(Target(index, strength, tokens | meant))
        return found

    @cached_property
    def _factors(self) -> frozenset[Decimal]:
        """The factors of the units that the answer is wanted in."""
        named = (parse_measure(token.text) for place, token in enumerate(self.request.tokens) if self.units[place])
        return frozenset(measure.factor for measure in named if measure)

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The dimensions that the question names units of, apart from those of its conditions."""
        bound = frozenset[int]().union(*(each.tokens for each in self.request.bounds))
        return frozenset(unit for place, unit in enumerate(self.units) if unit and place not in bound)

    def _differs(self, index: int, tokens: frozenset[int], chosen: Selection) -> bool:
        """Say whether what is asked for and a column's name share a noun and differ in what stands before it."""
        asked = sorted(self.request.asked)
        if len(asked) < 2 or not tokens & self.request.asked:
            return False
        odd = [
            place
            for place in asked[:-1]
            if place not in self.base and place not in chosen.tokens and place + 1 in tokens
        ]
        held = [term for term in self.sheet.headers[index] if not term.light]
        return bool(odd) and any(
            not any(alike(self.request.tokens[place].stem, term.stem) for place in tokens) for term in held
        )

    def _likely(self, index: int, chosen: Selection) -> tuple[tuple[int, float], ...]:
        """Return the tokens that nothing else explains and that mean nearly what a column's name says: the nearest."""
        free = (
            frozenset(range(len(self.request.tokens)))
            - chosen.tokens
            - frozenset(place for place, share in self.base.items() if share > UNUSED)
        )
        name = header_words(self.sheet.table.header[index])
        found = [
            (self.meanings.near(" ".join(self.request.tokens[place].text for place in group), name), group)
            for group in phrases_of(self.request, free)
        ]
        near, group = max(found, default=(0.0, ()))
        return tuple((place, near) for place in group) if near > 0 else ()

    def _meant(self, index: int) -> frozenset[int]:
        """Return the tokens that speak of what a column measures: units, `how long`, paying."""
        dimension = self.sheet.dimensions[index]
        found = {place for place, unit in enumerate(self.units) if unit and unit == dimension}
        if self._paid(index):
            found |= {place for place, token in enumerate(self.request.tokens) if token.stem in _PAYING}
        idea = self.request.adjective
        if idea and self._measures(index, idea):
            found |= self.request.cues if self._called(index, idea) else set()
        return frozenset(found)

    def _paid(self, index: int) -> bool:
        """Say whether a column holds money, by its unit or by its name."""
        named = any(term.stem in _PAYING for term in self.sheet.headers[index])
        return self.sheet.dimensions[index] in _MONEY or (named and self.sheet.columns[index].kind == "number")

    def _fits(self, index: int) -> bool:
        """Say whether a column can hold what is wanted."""
        answers = self.sheet.answers[index]
        if "yes_no" in answers:
            return self.request.wanted in ("which", "what") and bool(self.request.asked & self.named[index])
        match self.request.wanted:
            case "how many" | "how much":
                return "number" in answers and index not in self.serials
            case "when":
                return bool({"date", "day", "clock"} & answers) or bool(self.request.asked & self.named[index])
            case "who" | "where":
                return answers == {"text"}
            case "how":
                return "text" in answers
            case _:
                return True

    def descending(self, order: Order, index: int) -> bool:
        """Say whether an order begins with the greatest value of a column: what is fast takes little time."""
        fast = order.idea is not None and order.idea.name == "speed" and self.sheet.dimensions[index] == "time"
        return order.idea is None or order.descending != fast

    def _lead(self, order: Order) -> frozenset[int]:
        """Return the words that a superlative is said of where nothing in the table explains any: `longest glacier`."""
        lead: set[int] = set()
        for place in range(max(order.tokens) + 1, len(self.request.tokens)):
            token = self.request.tokens[place]
            if token.weight == 0 or order.shown.endswith("ly"):
                break
            if token.weight >= 1:
                lead.add(place)
        picked = {place for options in self.picked for pick in options for place in pick.tokens}
        meant = {place for each in self.sheet.columns for place in self._meant(each.index)}
        return frozenset() if lead & (self.base.keys() | picked | meant) else frozenset(lead)

    def measured(self, order: Order, chosen: Selection) -> list[Target]:
        """Return the columns that an order may be measured by."""
        found: list[Target] = []
        ordered = [each for each in self.sheet.columns if each.kind != "text" and each.index not in self.serials]
        if order.idea is None:
            named = ((each.index, self.named[each.index] - order.tokens) for each in ordered)
            return [Target(index, 0.9, tokens) for index, tokens in named if tokens]
        behind = {each.kind for each in self.sheet.columns if max(order.tokens) + 1 in self.named[each.index]}
        if order.idea.name == "stated" and behind == {"text"}:
            return []  # "the most moons": by how many there are, and not by a column
        known = order.idea.name not in ("stated", "size", "level") and any(
            self._measures(each.index, order.idea) for each in ordered
        )
        counts = [each for each in ordered if each.kind == "number" and self.sheet.dimensions[each.index] not in _MONEY]
        for each in ordered:
            tokens = self.named[each.index] - chosen.tokens - order.tokens
            about = all(self.base.get(place) == TITLED for place in tokens)
            apart = min((abs(place - at) for place in tokens for at in order.tokens), default=99)
            meant, unit = self._measures(each.index, order.idea), self._meant(each.index)
            if (
                (known and not meant)
                or (order.idea.name == "date" and not meant)
                or (each.kind == "date" and order.idea.name != "date")
            ):
                continue
            likely: tuple[tuple[int, float], ...] = ()
            if meant:
                called = order.idea.name != "size" or self._called(each.index, order.idea)
                strength = NAMED if tokens else MEANT if called else BESIDE
            elif tokens:
                strength = NAMED - 0.05 * min(apart, 6)
            elif unit:
                strength = 0.9
            else:
                likely = self._likely(each.index, chosen)
                near = max((share for _, share in likely), default=0.0)
                base = 0.8 if len(ordered) == 1 else 0.7 if counts and counts[0] is each else 0.3
                base = base if order.idea.name in ("stated", "size") and not self._lead(order) else 0.2
                strength = max(base, (GUESSED + (LIKELY - GUESSED) * near) if near else 0.0)
            if tokens:
                held = [term for term in self.sheet.headers[each.index] if not term.light]
                strength *= 0.85 + 0.15 * sum(
                    any(alike(self.request.tokens[place].stem, term.stem) for place in tokens) for term in held
                ) / len(held)
            lead = self._lead(order)
            if lead and not lead & (tokens | {place for place, _ in likely}):
                strength *= 0.7
            if tokens and about:
                strength *= BESIDE
            if any(term.stem == "per" for term in self.sheet.headers[each.index]) != self.per:
                strength *= 0.9
            found.append(Target(each.index, strength, tokens | unit, likely))
        return found
