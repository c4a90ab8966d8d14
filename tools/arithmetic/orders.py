"""The orders that a question speaks of: every superlative and every place (`the second largest`, `finished third`).

Unlike `tools.arithmetic.question` this refuses nothing and reads no whole question: a question of several hops may hold
a superlative that picks a row and go on from there in any way.
"""

import re
from dataclasses import dataclass, replace
from itertools import islice

from heliograph.text.numbers import ORDINALS
from heliograph.text.words import STOP_WORDS, stems, words
from tools.arithmetic.question import MOST_SUPERLATIVES, lead_of, orders_something
from tools.arithmetic.rewording import LONGEST_QUESTION, plain_words
from tools.arithmetic.superlatives import COUNTS, SUPERLATIVE, SUPERLATIVES, Superlative

REACH = 6
"""Words of content after a superlative, or before it, among which what is measured is named."""


@dataclass(frozen=True, slots=True)
class Order:
    """One superlative or place of a question.

    `lead` are the stems up to the first word of grammar, that is the noun which is ordered or measured; `after` and
    `before` those of the words around, nearest first, `by` those that say by what is ordered. `shown` is how the
    question says it. A place without a superlative (`second place`) has none: it stands in a column of ranks.
    """

    shown: str
    superlative: Superlative | None
    position: int
    take: int
    lead: tuple[str, ...]
    after: tuple[str, ...]
    before: tuple[str, ...]
    by: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The superlative, without its place and number."""
        return self.shown.split()[-1]

    @property
    def descending(self) -> bool:
        """Whether the greatest value is the first."""
        return self.superlative is not None and self.superlative.descending


_PLACE = rf"({'|'.join(ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_PLACED = re.compile(
    rf"\b{_PLACE}[ -](?:place|placed|placing|ranked|ranking|position|seeded|finisher)\b"
    rf"|\b(?:finish(?:ed|es|ing)?|ranks?|ranked|ranking|placed|place|came|comes|coming|seeded)"
    rf"(?: (?:in|at|the|as|overall))* {_PLACE}\b(?! (?:season|year|edition|time|round))"
    r"|\b(?:rank(?:s|ed|ing)?|place[ds]?|position(?:ed)?|number|seed(?:ed)?)"
    r"(?: (?:of|in|at|number|no|was|is|#))* ?(\d{1,3})\b(?! ?(?:%|[,.]\d))",
    re.IGNORECASE,
)
_NTH = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)$")
_BY = re.compile(
    r"\b(?:by|in terms of|according to|with regard to|based on) (?:the |its |their |total )?(?P<by>[a-z ]+)"
)
_OF_AMOUNT = re.compile(r"^(?:(?:amount|number|quantity|total|count)s? (?:of )?)+")


def orders_of(question: str) -> tuple[Order, ...]:
    """Return the orders of a question, in the order of its words."""
    if len(question) > LONGEST_QUESTION:
        return ()
    text = re.sub(r"(?<=\dth)-", " ", plain_words(question))
    tops = islice(re.finditer(rf"(?<![\w-]){SUPERLATIVE}", text), MOST_SUPERLATIVES)
    found = [_order(text, each) for each in tops]
    placed = [_placed(text, each) for each in islice(_PLACED.finditer(text), MOST_SUPERLATIVES)]
    return (*(order for order in found if order is not None), *placed)


def _order(text: str, found: re.Match[str]) -> Order | None:
    if not orders_something(found, text):
        return None
    word = found["superlative"].casefold()
    taken = (found["take"] or found["taken"] or "").casefold()
    take = COUNTS.get(taken) or (int(taken) if taken.isdigit() else 1)
    nth = _NTH.search(text[: found.start()].rstrip())
    position = int(nth[1]) if nth else ORDINALS.get((found["place"] or "").casefold(), 1)
    order = Order(found[0].casefold(), SUPERLATIVES[word], position, take, (), (), ())
    return _placed_in(order, text, found.start(), found.end())


def _placed(text: str, found: re.Match[str]) -> Order:
    place = next(filter(None, found.groups())).casefold()
    position = ORDINALS.get(place) or int(re.sub(r"\D", "", place))
    return _placed_in(Order(found[0].casefold(), None, position, 1, (), (), ()), text, found.start(), found.end())


def _placed_in(order: Order, text: str, start: int, end: int) -> Order:
    """Add the words around an order."""
    after = _OF_AMOUNT.sub("", text[end:].strip(" ,"))
    by = _BY.search(text[end:])
    return replace(
        order,
        lead=stems(lead_of(after)),
        after=_content(words(after.split(" , ")[0])),
        before=_content(tuple(reversed(words(text[:start])))),
        by=stems(lead_of(by["by"])) if by else (),
    )


def _content(said: tuple[str, ...]) -> tuple[str, ...]:
    kept = [word for word in said if word.casefold() not in STOP_WORDS]
    return stems(" ".join(kept[:REACH]))
