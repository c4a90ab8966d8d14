"""What a question asks of a table: what is wanted, in what order, over how many rows, within which bounds.

Only the grammar of a question is read here. What its words name is for a table to say (`tools.arithmetic.likeness`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from heliograph.text.dates import DATE_FORM, MONTH, MONTHS
from heliograph.text.numbers import NUMBER_WORDS, ORDINALS, SPELLED, spelled_number
from heliograph.text.units import BARE, leading_measure
from heliograph.text.words import QUESTION_WORDS, WORD, stem, word_list
from heliograph.types import Relation

LONGEST_QUESTION = 1_000
"""Characters of a question that is read for arithmetic; OMG-QA's have 37 words (Table 8), and what is longer tells of
more than one table can answer."""
MOST_ORDERS = 6
"""Superlatives of a question that are looked at."""

Wanted = Literal["yes_no", "how many", "how much", "how", "when", "where", "who", "which", "what", "value"]

_IDEAS = """
size|area length volume|size area diameter radius width population dimension capacity|large big great|small little
mass|mass|mass weight|heavy massive|light
extent|time length|length duration time runtime period|long|short brief
height|length|height elevation altitude peak|tall|
level|length|height elevation altitude level|high|low
depth|length|depth|deep|shallow
speed|speed|speed velocity pace time lap result|fast quick|slow
distance|length|distance|far distant remote|near close
heat|celsius fahrenheit kelvin|temperature heat|hot warm|cold cool
cost|euro dollar pound yen|cost price budget fee sum bill paid|expensive dear costly pricey|cheap
density||density|dense|
width|length|width span diameter|wide broad|narrow
wet|share|rain water moisture humidity precipitation|wet|dry
strength|power|power strength magnitude thrust|strong powerful|weak
wealth||wealth income|rich wealthy|poor
crowd||visitors passengers attendance guests|busy popular populous|quiet
date|date|year date born built opened founded completed released launched|late new recent young|early old
stated|||many much good top|few bad
"""
"""An idea; the dimensions, and the words of column names, that it is measured by; adjectives of more and of less of it.

`stated` orders name their column in the question.
"""
_IRREGULAR = {
    "most": "many", "more": "many", "fewest": "few", "fewer": "few", "least": "few", "less": "few", "best": "good",
    "better": "good", "worst": "good", "worse": "good", "farthest": "far", "furthest": "far", "farther": "far",
    "further": "far", "last": "late", "latest": "late", "first": "early", "maximum": "many", "minimum": "few",
    "costliest": "costly", "outermost": "far", "innermost": "near", "top": "top",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Idea:
    """What an adjective measures: the dimensions of units, and stems that columns are called by; `more`: its sense."""

    name: str
    dimensions: frozenset[str]
    headers: frozenset[str]
    more: bool


def _adjectives() -> dict[str, Idea]:
    found: dict[str, Idea] = {}
    for line in _IDEAS.strip().splitlines():
        name, dimensions, headers, *senses = line.split("|")
        for more, adjectives in zip((True, False), senses, strict=True):
            for adjective in word_list(adjectives):
                named = frozenset(map(stem, word_list(headers)))
                found[adjective] = Idea(name, frozenset(word_list(dimensions)), named, more)
    return found


ADJECTIVES = _adjectives()


def _inflected(ending: str) -> dict[str, str]:
    """Return `larger` or `largest`, and its like, with the adjective it is of."""
    found: dict[str, str] = {}
    for adjective in ADJECTIVES:
        base = adjective[:-1] + "i" if adjective.endswith("y") and len(adjective) > 3 else adjective.removesuffix("e")
        doubled = base + base[-1] if re.fullmatch("[^aeiou]+[aeiou][^aeiouwy]", base) else base
        found |= {base + ending: adjective, doubled + ending: adjective}
    return found


SUPERLATIVES = _inflected("est") | {
    word: base for word, base in _IRREGULAR.items() if word.endswith(("st", "um", "most", "top"))
}
_COMPARATIVES = _inflected("er") | {word: base for word, base in _IRREGULAR.items() if word not in SUPERLATIVES}
_PLACES = "|".join((*ORDINALS, r"\d{1,3}(?:st|nd|rd|th)"))
COUNTS = "|".join((*(word for word, number in NUMBER_WORDS.items() if number > 1), r"\d{1,2}"))
_LONG = "|".join(word for word in ADJECTIVES if len(word) > 5)


def _any(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


SUPERLATIVE = re.compile(
    rf"(?<![\w-])(?:(?P<place>{_PLACES})[ -])?(?:(?P<take>{COUNTS})[ ])?"
    rf"(?:(?P<side>most|least) (?P<adjective>(?:{_LONG}|recent|dense|quick)(?:ly)?)|(?P<word>{_any(SUPERLATIVES)}))"
    rf"(?: (?P<taken>{COUNTS})(?= ))?(?![\w-]|-\w)",
    re.IGNORECASE,
)
_PLACED = re.compile(
    rf"\b(?P<place>{_PLACES})[ -](?:place|placed|placing|ranked|ranking|position|seeded|finisher)\b"
    rf"|\b(?:finish(?:ed|es|ing)?|ranks?|ranked|ranking|placed|came|comes|coming|seeded)"
    rf"(?: (?:in|at|the|as|overall))* (?P<behind>{_PLACES})\b(?! (?:season|year|edition|time|round))",
    re.IGNORECASE,
)
COMPARATIVE = re.compile(
    rf"(?<![\w-])(?:(?P<side>more|less) (?P<adjective>{_LONG}|often)|(?P<word>{_any(_COMPARATIVES)}))(?![\w-])",
    re.IGNORECASE,
)
MONTH_WORDS = frozenset(month.capitalize() for month in MONTHS)
"""Months, of which `May` would pass for a word of grammar."""

_FIGURE = r"(?:[$€£¥]\s?)?\d[\d,]*(?:\.\d+)?(?: (?:million|billion|thousand)\b)?(?:\s?[%€$£])?"
_AMOUNT = rf"{_FIGURE}|(?:{SPELLED})|half an?|an?(?= )"
_WHEN = rf"(?:{DATE_FORM})|\d{{1,2}} {MONTH}|{MONTH} \d{{1,2}}|\d{{4}}(?:-\d\d)?"
_RELATIONS: dict[str, Relation] = {
    "more than": "above", "over": "above", "above": "above", "greater than": "above", "exceeding": "above",
    "less than": "below", "fewer than": "below", "under": "below", "below": "below", "at least": "at_least",
    "no less than": "at_least", "at most": "at_most", "no more than": "at_most", "up to": "at_most",
}  # fmt: skip
_TIMES: dict[str, Relation] = {
    "after": "above", "since": "at_least", "before": "below", "until": "at_most", "later than": "above",
    "earlier than": "below", "prior to": "below", "in": "contains", "during": "contains",
}  # fmt: skip
_BOUND = re.compile(
    rf"\b(?P<relation>{'|'.join(sorted(_RELATIONS, key=len, reverse=True))}|(?:{_any(_COMPARATIVES)}) than) "
    rf"(?:about |only )?(?P<amount>{_AMOUNT})(?P<unit>(?: [a-z°%/²³]+){{0,2}})",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"\b(?P<amount>{_AMOUNT})(?P<unit>(?: [a-z°%/²³]+){{0,2}}?) or (?P<relation>more|less|fewer|longer|over|under)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"\b(?P<relation>{'|'.join(_TIMES)}) (?:the (?:year )?)?(?P<amount>{_WHEN}|\d{{3}}0s)(?![\w-])", re.IGNORECASE
)
_BETWEEN = re.compile(
    rf"\b(?:between|from) (?P<low>{_WHEN}|{_AMOUNT}) (?:and|to|until) (?P<high>{_WHEN}|{_AMOUNT})"
    r"(?P<unit>(?: [a-z°%/²³]+){0,2})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a question: its stem, what leaving it unexplained costs, and whether it stands in a denial."""

    text: str
    stem: str
    weight: float
    start: int
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A superlative, comparative or place: by what, which way, and the tokens that say it; `idea` None is a rank."""

    idea: Idea | None
    descending: bool
    position: int
    take: int
    tokens: frozenset[int]
    shown: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A condition on an amount or a date: `above` `10 min`; `idea` is that of `longer than`."""

    relation: Relation
    value: str
    dimension: str
    tokens: frozenset[int]
    idea: Idea | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A question, read.

    `asked` are the tokens of the noun that is wanted (`which customers`, `how many sacks`) and `many` says that it is
    plural; `opening` those of the words that only open the question; `adjective` is that of `how long`. `order` is the
    superlative, `comparative` the comparison of two. `either`: alternatives are joined by `or`. `whole`: all rows are
    taken together, as `total` or `mean`.
    """

    text: str
    tokens: tuple[Token, ...]
    wanted: Wanted
    asked: frozenset[int] = frozenset()
    many: bool = False
    adjective: Idea | None = None
    orders: tuple[Order, ...] = ()
    comparative: Order | None = None
    bounds: tuple[Bound, ...] = ()
    either: bool = False
    total: bool = False
    summed: bool = False
    mean: bool = False
    apart: bool = False
    cues: frozenset[int] = frozenset()
    listed: bool = False

    @property
    def stated(self) -> tuple[int, ...]:
        """The numbers of items that the question speaks of: `the six concerts`."""
        return tuple(NUMBER_WORDS[token.text.casefold()] for token in self.tokens if token.weight == COUNTED)

    @property
    def order(self) -> Order | None:
        """The first superlative."""
        return self.orders[0] if self.orders else None


_LIGHT = frozenset(
    map(
        stem,
        word_list(
            "go come get take make give keep put let want need like know tell find bring look do be have say call "
            "still yet already ever never actually really just even last list listed table show sit stand run turn up "
            "down out in off on all whole every each entire only single together thing one ones kind sort much many "
            "more most less least few please currently now moment mean use work left over name called happen stay "
            "there here you i we they many number amount total sum average overall today ago us"
        ),
    )
)
"""Words that name nothing a table could hold: they cost little where nothing explains them."""
NAME, COUNTED, LIGHT = 2.0, 0.3, 0.15
"""What a name or figure weighs, a number in words, and a light word; any other word weighs 1."""
_TOTAL = re.compile(
    r"\b(?:in total|altogether|all together|in all|all in all|all told|(?:taken|put|added|add) together|"
    r"add(?:ed|ing)? (?:them |it |these )?(?:all )?up|combined|(?:the )?(?:sum|total) (?:of|for|number|amount)?|"
    r"total|overall|summed|together|between them|all (?:of )?(?:the|its|these|those)|whole|entire|everything|"
    r"from one end to the other|in sum|come to)\b",
    re.IGNORECASE,
)
_SUMMED = re.compile(
    r"\b(?:in total|altogether|all together|in all|all told|(?:taken|put|added|add) together|add(?:s|ed|ing)?\b.*\bup|"
    r"combined|sum|total|overall|summed|between them|come to)\b",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:on (?:the )?average|averages?|mean(?! by\b))\b", re.IGNORECASE)
_APART = re.compile(
    r"\b(?:difference|by how (?:much|many)|how (?:much|many) (?:\w+ )?(?:more|less|fewer|longer|\w+er)\b.* than|"
    r"how much (?:more|less|fewer|\w+er)\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\bhow (?P<how>many|much|often|[a-z]+)\b|\b(?P<word>which|whichever|what|whats|who|whom|whose|when|where)\b"
    r"(?:'s)?(?: (?P<time>time|date|day|year|month)s?\b)?",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?:^|[.:;,!?]\s+(?:and |but |so )?)(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|may|must|"
    r"should|isn't|aren't|wasn't|didn't|doesn't|don't|hasn't|haven't)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|without|cannot|neither|nor|except|excluding|other than|\w+n't)\b", re.IGNORECASE
)
_LISTED = re.compile(r"\b(?:listed|tabulated|(?:in|of|on) (?:the|this) (?:list|table))\b", re.IGNORECASE)
_TIME_WORDS = frozenset(map(stem, word_list("time date day weekday year month week")))
_PERSON = frozenset(word_list("who whom whose"))


def read_request(question: str) -> Request | None:
    """Read a question; None for one that is empty or longer than any table answers."""
    if len(question) > LONGEST_QUESTION:
        return None
    first, _, rest = question.partition("?")
    text = (
        " ".join((question if "?" in rest else first).split()).rstrip("?!. ").replace("’", "'").replace("\u2212", "-")
    )
    tokens = tuple(_tokens(text))
    if not tokens:
        return None
    bounds = tuple(_bounds(text, tokens))
    bound = frozenset[int]().union(*(each.tokens for each in bounds))
    asks, yes_no = _ASKS.search(text), _YES_NO.search(text)
    if (yes_no and (not asks or yes_no.start() < asks.start())) or not asks:
        asks = None
    orders = tuple(order for order in _orders(text, tokens) if not order.tokens & bound)
    comparative = next((each for each in _comparatives(text, tokens) if not each.tokens & bound), None)
    cues = frozenset[int]().union(
        *(_within(found, tokens) for form in (_TOTAL, _MEAN, _APART, _LISTED) for found in form.finditer(text))
    )
    wanted: Wanted = "yes_no" if yes_no else "value"
    adjective: Idea | None = None
    asked = frozenset[int]()
    if asks:
        wanted, adjective, asked, opening = _asked(asks, text, tokens)
        cues |= opening
    total, summed, mean, apart, listed = (
        form.search(text) is not None for form in (_TOTAL, _SUMMED, _MEAN, _APART, _LISTED)
    )
    many = any(_is_plural(tokens[index].text) for index in asked)
    either = re.search(r"\bor\b", text) is not None
    return Request(
        text, tokens, wanted, asked, many, adjective, orders, comparative, bounds, either, total, summed, mean, apart,
        cues, listed,
    )  # fmt: skip


def _asked(
    asks: re.Match[str], text: str, tokens: tuple[Token, ...]
) -> tuple[Wanted, Idea | None, frozenset[int], frozenset[int]]:
    """Return what is wanted, the adjective of `how long`, the noun that is asked for, and the tokens that ask."""
    wanted, adjective = _wanted(asks)
    named = wanted not in ("who", "where") and (asks["word"] or "").casefold() != "when"
    asked = _noun(asks, text, tokens) if named else frozenset[int]()
    timed = frozenset(place for place in asked if tokens[place].stem in _TIME_WORDS)
    if timed and wanted in ("which", "what"):
        return "when", adjective, asked, _within(asks, tokens) | timed
    return wanted, adjective, asked, _within(asks, tokens)


def _tokens(text: str) -> Iterator[Token]:
    """Yield the words of a question; a denial holds to the next comma."""
    denials = [(found.end(), _clause_end(text, found.end())) for found in _DENIAL.finditer(text)]
    for number, found in enumerate(re.finditer(WORD, text)):
        word = found[0]
        folded, root = word.casefold(), stem(word)
        figure = word[0].isdigit()
        name = (
            number > 0 and word[:1].isupper() and folded not in QUESTION_WORDS and text[found.start() - 2] not in ".:?"
        )
        name = name or word in MONTH_WORDS
        weight = NAME if figure or name else 0.0 if folded in QUESTION_WORDS else LIGHT if root in _LIGHT else 1.0
        weight = COUNTED if weight == 1.0 and NUMBER_WORDS.get(folded, 0) > 1 else weight
        denied = any(start <= found.start() < end for start, end in denials)
        yield Token(word, root, 0.0 if re.fullmatch(r"\w+n't", folded) else weight, found.start(), denied)


def _clause_end(text: str, start: int) -> int:
    found = re.compile(r"[,;:]| (?:and|but|or) ").search(text, start)
    return found.start() if found else len(text)


def _within(found: re.Match[str], tokens: tuple[Token, ...]) -> frozenset[int]:
    return frozenset(
        index for index, token in enumerate(tokens) if found.start() <= token.start < max(found.end(), found.start())
    )


def _wanted(asks: re.Match[str]) -> tuple[Wanted, Idea | None]:
    how, word, time = ((asks[name] or "").casefold() for name in ("how", "word", "time"))
    if how:
        idea = None if how == "many" else ADJECTIVES.get(how)
        wanted: Wanted = "how many" if how in ("many", "often") else "how much" if idea or how == "much" else "how"
        return wanted, None if how == "much" else idea
    if word in _PERSON:
        return "who", None
    if word in ("when", "where"):
        return ("when" if word == "when" else "where"), None
    if time:
        return "when", None
    return ("which" if word.startswith("which") else "what"), None


def _noun(asks: re.Match[str], text: str, tokens: tuple[Token, ...]) -> frozenset[int]:
    """Return the tokens of what is asked for: those up to the first word of grammar, after `of the` if that follows."""
    rest = text[asks.end() :]
    skipped = re.match(
        r"(?:'s)?(?: (?:is|are|was|were))?(?: (?:of|the|a|an|all|these|those|this|that|his|her|its|their))*\s*", rest
    )
    place = asks.end() + (skipped.end() if skipped else 0)
    if asks["time"]:
        place = asks.start("time")
    found: list[int] = []
    for index, token in enumerate(tokens):
        if token.start < place:
            continue
        if token.weight == 0 or (found and "," in text[tokens[index - 1].start : token.start]):
            break
        found.append(index)
    return frozenset(found[:4])


def _is_plural(word: str) -> bool:
    return bool(re.search(r"[^s]s$|(?:children|people|men|women)$", word.casefold()))


def _orders(text: str, tokens: tuple[Token, ...]) -> Iterator[Order]:
    for found in list(SUPERLATIVE.finditer(text))[:MOST_ORDERS]:
        if re.search(r"\b(?:at|last)$", text[: found.start()].rstrip(), re.IGNORECASE):
            continue
        word = (found["word"] or found["adjective"]).casefold()
        idea = ADJECTIVES.get(SUPERLATIVES.get(word, "") or word) or ADJECTIVES.get(word.removesuffix("ly"))
        taken = (found["take"] or found["taken"] or "").casefold()
        take = int(taken) if taken.isdigit() else NUMBER_WORDS.get(taken, 1)
        descending = bool(idea and idea.more) != ((found["side"] or "").casefold() == "least")
        position = _position(found["place"])
        if word in ("first", "last") and not found["place"] and not _orders_time(found, text):
            continue
        yield Order(idea, descending, position, take, _within(found, tokens), found[0])
    for found in list(_PLACED.finditer(text))[:MOST_ORDERS]:
        yield Order(None, False, _position(found["place"] or found["behind"]), 1, _within(found, tokens), found[0])


def _orders_time(found: re.Match[str], text: str) -> bool:
    """Say whether `first` and `last` order rows: after an article, and before a noun, or behind a verb."""
    before = text[: found.start()].rstrip().casefold()
    behind = text[found.end() :]
    return bool(re.search(r"\b(?:the|was|were|came|'s|her|his|its|their)$", before)) or not behind.strip(" ,")


def _position(place: str | None) -> int:
    if not place:
        return 1
    return ORDINALS.get(place.casefold()) or int(re.sub(r"\D", "", place) or 1)


def _comparatives(text: str, tokens: tuple[Token, ...]) -> Iterator[Order]:
    for found in COMPARATIVE.finditer(text):
        word = (found["word"] or found["adjective"]).casefold()
        idea = ADJECTIVES.get(_COMPARATIVES.get(word, word)) or ADJECTIVES["many"]
        descending = idea.more != ((found["side"] or "").casefold() == "less")
        yield Order(idea, descending, 1, 1, _within(found, tokens), found[0])


def _bounds(text: str, tokens: tuple[Token, ...]) -> Iterator[Bound]:
    taken: set[int] = set()
    for form in (_BETWEEN, _DATED, _BOUND, _BEHIND):
        for found in form.finditer(text):
            for bound in _read_bound(form, found, tokens):
                if not bound.tokens & taken or form is _BETWEEN:
                    taken |= bound.tokens
                    yield bound


def _read_bound(form: re.Pattern[str], found: re.Match[str], tokens: tuple[Token, ...]) -> Iterator[Bound]:
    within = frozenset(
        index
        for index, token in enumerate(tokens)
        if found.start() <= token.start < found.end() and token.start < _end(found)
    )
    if form is _DATED:
        yield Bound(_TIMES[found["relation"].casefold()], found["amount"], "date", within)
    elif form is _BETWEEN:
        ends: tuple[tuple[Relation, str], ...] = (("at_least", "low"), ("at_most", "high"))
        for relation, end in ends:
            if re.fullmatch(_WHEN, found[end], re.IGNORECASE) and not _unit(found)[0]:
                yield Bound(relation, found[end], "date", within)
            elif re.search(r"\d", found[end]):
                value, dimension = _amount(found[end], found)
                yield Bound(relation, value, dimension, within)
    else:
        word = found["relation"].casefold()
        adjective = word.removesuffix(" than")
        idea = ADJECTIVES.get(_COMPARATIVES.get(adjective, "")) if adjective not in ("more", "less", "fewer") else None
        if form is _BEHIND:
            relation = "at_most" if word in ("less", "fewer", "under") else "at_least"
        else:
            relation = _RELATIONS.get(word) or ("above" if idea is None or idea.more else "below")
        value, dimension = _amount(found["amount"], found)
        if dimension or found["amount"].casefold() not in ("a", "an"):
            yield Bound(relation, value, dimension, within, idea)


def _unit(found: re.Match[str]) -> tuple[str, int, str]:
    words = found["unit"].split()
    measure, width = leading_measure(words)
    return " ".join(words[:width]), width, measure.dimension if measure != BARE else ""


def _end(found: re.Match[str]) -> int:
    """Return where a bound ends: behind its unit, and before other words."""
    if "unit" not in found.groupdict():
        return found.end()
    if found.re is _BEHIND:
        return found.end()
    unit, _, _ = _unit(found)
    return found.start("unit") + (len(unit) + 1 if unit else 0)


def _amount(amount: str, found: re.Match[str]) -> tuple[str, str]:
    """Return an amount in digits with its unit, and the dimension of that."""
    unit, _, dimension = _unit(found)
    folded = amount.casefold().strip()
    if folded in ("a", "an"):
        amount = "1"
    elif folded.startswith("half"):
        amount = "0.5"
    elif not any(sign.isdigit() for sign in folded):
        amount = str(spelled_number(folded))
    sign = next((sign for sign in "$€£¥%" if sign in amount), "")
    if sign:
        dimension = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "share"}[sign]
    return f"{amount} {unit}".strip(), dimension
