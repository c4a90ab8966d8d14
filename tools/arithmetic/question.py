"""Take a question apart: what may be computed, what is wanted, and the phrases that a table must explain.

Only cues are read here (`on average`, `altogether`, a superlative, `how many`), wherever they stand. A question may
bear several readings; which of them a table supports is decided in `tools.arithmetic.fitting`.
"""

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from heliograph.text.numbers import ORDINALS
from heliograph.text.words import STOP_WORDS, stems
from tools.arithmetic.comparisons import Comparison, split_comparisons
from tools.arithmetic.phrases import Phrase, phrases_of
from tools.arithmetic.rewording import LONGEST_QUESTION, one_line, plain_words
from tools.arithmetic.superlatives import ADJECTIVES, COUNTS, SUPERLATIVE, SUPERLATIVES, Superlative

Kind = Literal["rank", "sum", "mean", "count"]
Wanted = Literal["which", "who", "when", "where", "how many", "how", "value"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a question. `asked` are the words that say what is wanted, `lead` those that a superlative opens.

    `stated` are the numbers of items that the question gives and `numbered` the words for these, `dated` the year of
    `as of 2020`, `by` the words for what is ranked by, `past` the item after which the next is wanted. `opening` counts
    the phrases before the superlative. `timed`: a clause such as `before it landed` was set aside; `sole`: `only` is
    said; `loose`: words of comparison are left over; `either`: alternatives are joined by `or`; `predicative`: the
    superlative is said of its item (`which moon is the largest`); `partitive`: `of` follows it; `idle`: a total or a
    mean is spoken of, which a ranking does not need, and a count only where there may be more than one table lists.
    """

    kind: Kind
    wanted: Wanted
    asked: str
    phrases: tuple[Phrase, ...]
    clause: str
    text: str = ""
    comparisons: tuple[Comparison, ...] = ()
    stated: tuple[int, ...] = ()
    numbered: tuple[str, ...] = ()
    dated: str = ""
    timed: bool = False
    sole: bool = False
    listed: bool = False
    idle: bool = False
    loose: bool = False
    either: bool = False
    continues: bool = False
    superlative: Superlative | None = None
    shown: str = ""
    position: int = 1
    take: int = 1
    lead: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    opening: int = 0
    predicative: bool = False
    partitive: bool = False

    @property
    def descending(self) -> bool:
        """Whether the greatest value is the first."""
        return self.superlative is None or self.superlative.descending


_REFUSED = re.compile(
    r"\b(?:ratio|difference|(?<!which )one of (?:the|its|his|her|their)|(?:what|which) (?:percentage|proportion)|"
    r"fraction|every|each|both|if|either|would|could|should|will|compared?|how (?:much|many) more|"
    r"times (?:as|more|larger|bigger|longer)|"
    r"twice|more than (?:one|once|any|all)|than (?:the|any|all|every)|previous|best(?!-)|worst|median|"
    r"only (?:one|once|two|twice|three|thrice)|"
    r"per|even more|how much (?:larger|bigger|longer|heavier|older|taller|higher|faster|smaller|wider|deeper))\b|;",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"(?:is|are|was|were|did|does|do|has|have|had|can|compare)\b", re.IGNORECASE)
_LISTED = re.compile(r"\b(?:listed|tabulated|(?:in|of) (?:the|this) (?:list|table)|the (?:list|table))\b", re.I)
_SUM = re.compile(
    r",?\s*\b(?:in total|all together|altogether|in all|all told|(?:taken|put|added|add) together|between them|overall|"
    r"add(?:ed|ing|s)?(?: it| them| all)? up(?: to)?|in sum|combined|(?:sum|total) of(?: the| all)*|total|"
    r"summed(?: up)?|together|(?:over|across)(?= all\b))\b,?",
    re.IGNORECASE,
)
_MEAN = re.compile(r",?\s*\b(?:on (?:the )?average|average|averaged|mean|typically|typical)\b,?", re.IGNORECASE)
_STATED = re.compile(
    r"(?:\b(?:the|its|their|his|her|all|these|those|of|over|across|among|other|made|has|have|had|\w+'s?) (?:all )?"
    r"(?:the )?|^)"
    rf"(?P<number>{'|'.join(COUNTS)}|\d{{1,2}}) (?=[A-Za-z])",
    re.IGNORECASE,
)
_WH = re.compile(
    rf"\b(?P<wh>how many|how much|how (?P<adjective>{ADJECTIVES})|whose|whom|who|when|where|which|what)\b",
    re.IGNORECASE,
)
_TELL = re.compile(r"^(?:please )?(?:name|give|state|identify|find|tell me|pick(?: out)?)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"(?:^|[,¬] ?)(?:of|on|in|at|by|to|from|for|with|during|under|into|after)?(?: roughly)? ?$", re.I
)
_BE = r"(?:is|was|are|were)"
_DATED = re.compile(r"(?:date|year|day|month)s?\b", re.IGNORECASE)
_VALUE = re.compile(rf"{_BE} the (?P<attribute>[a-z][\w' -]*?) (?:of|for|on|in) ", re.IGNORECASE)
_OPEN_END = re.compile(r"\b(?:for|after|of|from|by|with|like|about|out of|called after)$|\bknown (?:for|as)\b", re.I)
_OBJECT = re.compile(r"(?:[a-z]+ )?what (?:did|does|do|has|have|can|makes?|made|caused?)\b", re.IGNORECASE)
_PLACES = "|".join(word for word, place in ORDINALS.items() if place > 1)
_PLACED = re.compile(
    r"\b(?:(?:comes?|came|ranks?|ranked|placed|finish(?:es|ed)?|is|was|stands?|sits?|lies|takes?|took|in|number)"
    r"(?: the| in)* )"
    rf"(?P<place>first|last|{_PLACES})(?: place| rank)?(?= (?:by|in|for|on|when|if|among|of)\b|\s*,|\s*$)",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:[Bb]y|in terms of|in order of|when it comes to|measured by|according to|sorted by) "
    r"(?:the |their |its )?(?P<by>[a-z]+(?: [a-z]+)?)|\bin (?P<order>[a-z]+)(?= ?(?:,|$))"
)
_FIXED = frozenset({"first", "last", "least", "most"})
_RANKED = re.compile(r"\b(?:ranked|ordered|sorted|arranged|ranking|put|lined up)\b", re.IGNORECASE)
_ORDER = re.compile(
    rf"\bfrom (?:the )?(?P<first>{'|'.join(SUPERLATIVES)})(?: (?:down|up|on)(?:wards?)?| to (?:the )?[a-z]+)?\b"
)
_AS_OF = re.compile(r"\b(?:as of|as at) (?:[a-z]+[- ])?(?P<year>\d{4}),?", re.IGNORECASE)
_SECOND = re.compile(
    r",? and (?P<second>(?:(?:in|by|for|on|to|at) )?(?:who|whom|when|where|how|which|what|why)\b)", re.IGNORECASE
)
MOST_SUPERLATIVES = 6
"""Superlatives of a question that are read, the first ones: each is a reading that every table is tried with."""
FIRST_WORDS = 4
"""Words of a question before which no second one hangs on it: "When and where …"."""
_TIMED = re.compile(r"\b(?:before|until|till) (?:it|he|she|they)\b[^,]*", re.IGNORECASE)
_PAST = re.compile(
    r"(?:^|, ?|\bright |\bdirectly |\bimmediately |\bnext )\b(?i:after|behind|following|(?:second|next) (?:only )?to) "
    r"(?P<past>(?:[A-Z][\w'-]*|\d+)(?: (?:[A-Z][\w'-]*|\d+))*)(?P<rest>, (?:which|who|that|itself)[^,]*,(?= ))?"
)


def split_questions(question: str) -> tuple[str, str]:
    """Split off a second question that hangs on the first: "Which is the largest, and who found it?"; empty if none."""
    found = _SECOND.search(question)
    if found is None or len(question[: found.start()].split()) < FIRST_WORDS:
        return question, ""
    return question[: found.start()], question[found.start("second") :]


def read_question(question: str) -> tuple[Reading, ...]:
    """Return the readings that the cues of a question allow; none where it weighs, supposes or asks for yes or no."""
    first, _ = split_questions(question)
    if len(first) > LONGEST_QUESTION:
        return ()
    text = plain_words(first)
    dated, timed = _AS_OF.search(text), _TIMED.search(text) is not None
    text = _TIMED.sub("", _AS_OF.sub("", text))
    if _REFUSED.search(text) or _YES_NO.match(text):
        return ()
    past = _PAST.search(text)
    text = f"{text[: past.start()]} , {text[past.end() :]}" if past else text
    text, comparisons, loose = split_comparisons(text)
    asked = _asked(text)
    if asked is None:
        return ()
    asked = replace(
        asked, text=one_line(first), dated=dated["year"] if dated else "", timed=timed,
        sole="only" in text.casefold().split(), comparisons=comparisons, loose=loose,
        either=bool(re.search(r"\bor\b", text)), listed=bool(_LISTED.search(text)),
        continues=first != question or bool(_OPEN_END.search(text) or _OBJECT.match(text)),
        past=stems(past["past"]) if past else (),
    )  # fmt: skip
    asked = replace(asked, idle=bool(_SUM.search(text) or _MEAN.search(text)))
    return (*_rankings(asked, text), *_aggregates(asked, text))


def _asked(text: str) -> Reading | None:
    """Find the word that asks; of several the one that opens the sentence, or its last part."""
    found = list(_WH.finditer(text))
    opening = next((each for each in found if _PREPOSITION.search(text[: each.start()])), found[0] if found else None)
    if told := _TELL.match(text):
        return Reading("rank", "which", "", (), text[told.end() :].strip())
    if opening is None:
        return None
    wh, rest = opening["wh"].casefold(), text[opening.end() :].strip()
    adjective = (opening["adjective"] or "").casefold()
    wanted: Wanted = "which"
    if adjective or wh in ("how many", "how much"):
        wanted = "how" if adjective else "how many"
    elif wh in ("who", "whose", "whom"):
        wanted = "who"
    elif wh in ("when", "where") or _DATED.match(lead_of(rest)):
        wanted = "where" if wh == "where" else "when"
    named = f"{text[: opening.start()]} {lead_of(rest)}" if wanted == "how many" else lead_of(rest)
    return Reading("rank", wanted, adjective or named, (), rest)


def _aggregates(asked: Reading, text: str) -> list[Reading]:
    """Return the readings as a mean, a sum and a count whose cues the question has."""
    found: list[Reading] = []
    if asked.wanted in ("who", "when", "where") or (asked.past and not asked.comparisons):
        return found
    if any(each["taken"] for each in re.finditer(SUPERLATIVE, text)):
        return found
    mean = _MEAN.search(text) is not None
    if mean:
        found.append(_bound(replace(asked, kind="mean"), _MEAN.sub(" ", text)))
    elif _SUM.search(text):
        found.append(_bound(replace(asked, kind="sum"), _SUM.sub(" ", text)))
    if asked.wanted == "how many" and (not mean or asked.comparisons):
        found.append(_bound(replace(asked, kind="count"), _SUM.sub(" ", text)))
    return found


def _rankings(asked: Reading, text: str) -> list[Reading]:
    """Return one reading for every superlative, and one for a bare place in an order (`comes third`)."""
    placed, ordered = _PLACED.search(text), _ORDER.search(text)
    text = _ORDER.sub(" ", text) if placed else text
    tops = re.finditer(rf"(?<![\w-]){SUPERLATIVE}", text)
    ordering = (each for each in tops if orders_something(each, text))
    found = [_ranking(asked, text, each) for each in islice(ordering, MOST_SUPERLATIVES)]
    if not found and placed and (by := _BY.search(text)):
        downwards = ordered is None or SUPERLATIVES[ordered["first"]].descending
        order = Superlative("stated", downwards != (placed["place"].casefold() == "last"))
        read = replace(
            asked, asked=lead_of(_PLACED.sub(" ", asked.clause)), superlative=order, shown=placed["place"].casefold(),
            predicative=True, by=stems(by[by.lastgroup or 0]), position=ORDINALS.get(placed["place"].casefold(), 1),
        )  # fmt: skip
        found.append(_bound(read, _PLACED.sub(" ", _RANKED.sub(" ", text))))
    return found


def orders_something(found: re.Match[str], text: str) -> bool:
    """Say whether a superlative orders anything: not `at least`, `for the first time`, `First Lady`, `last for`."""
    word, before, after = found["superlative"], text[: found.start()], text[found.end() :]
    if word != word.lower() or (word in _FIXED and re.search(r"\b(?:at|for the|set|name|known|of)$", before.rstrip())):
        return False
    if word == "last":
        verb = re.search(r"\b(?:did|do|does|can)\b", before) if not after else None
        return not verb and not re.match(r" (?:on|for|in|longer|until)\b| ,", after)
    return word not in _FIXED or not re.match(r" (?:of|name|set|known|half|ever to set)\b", after)


def _ranking(asked: Reading, text: str, found: re.Match[str]) -> Reading:
    word, several = found["superlative"], asked.asked if asked.asked in COUNTS else ""
    taken = (found["take"] or found["taken"] or several).casefold()
    text = re.sub(rf"\b{several} ", " " * (len(several) + 1), text, count=1) if several else text
    before, after = text[: found.start()].strip(), text[found.end() :].strip(" ,")
    partitive = re.match(r"(?:of|among)\b", after) is not None
    after = re.sub(r"^(?:of|among|one of)(?: all)? (?:the |its |their |these |those |his |her )?", "", after)
    after = re.sub(r"^(?:one|ones)\b ?", "", after)
    if SUPERLATIVES[word].idea == "distance":
        after = re.sub(r"^(?:from|to) (?:the|its) (?:centre|center|start)\b ?", "", after)
    if asked.wanted == "which" and (value := _VALUE.match(asked.clause)) and value.end() <= asked.clause.find(word):
        asked = replace(asked, wanted="value", asked=value["attribute"])
    noun = asked.asked if asked.wanted != "which" else re.sub(r"^ones?\b.*", "", asked.asked.split(word)[0].strip())
    noun = "" if several else noun
    asked, by = replace(asked, asked=noun), _BY.search(text)
    tail = re.sub(rf"^(?:{'|'.join(COUNTS)}) ", "", after)
    read = replace(
        asked, superlative=SUPERLATIVES[word], shown=" ".join(filter(None, (found["place"], taken, word))),
        position=ORDINALS.get((found["place"] or "").casefold(), 1),
        take=COUNTS.get(taken) or (int(taken) if taken.isdigit() else 1),
        lead=stems(lead_of(tail)), by=stems(by[by.lastgroup or 0]) if by else (),
        predicative=not lead_of(tail) and bool(re.search(rf"\b{_BE}(?: the)?$", before)),
        opening=len(phrases_of(_STATED.sub(_unstated, before))), partitive=partitive,
    )  # fmt: skip
    return _bound(read, f"{before} , the {after}")


def _bound(asked: Reading, text: str) -> Reading:
    """Add the phrases that a table must explain, and the numbers of items that are stated."""
    numbers = list(_STATED.finditer(text))
    stated = tuple(COUNTS.get(found["number"].casefold()) or int(found["number"]) for found in numbers)
    numbered = tuple(word for found in numbers for word in stems(lead_of(text[found.end() :])))
    return replace(asked, phrases=phrases_of(_STATED.sub(_unstated, text)), stated=stated, numbered=numbered)


def _unstated(found: re.Match[str]) -> str:
    return found[0][: found.start("number") - found.start()] + " "


def lead_of(text: str) -> str:
    """Return the words up to the first word of grammar."""
    lead: list[str] = []
    for word in re.sub(r"^(?:of|among) (?:all )?(?:the |its |these |those )?|^the ", "", text).split():
        if word.casefold().strip(",") in STOP_WORDS or word in (",", "¬"):
            break
        lead.append(word)
    return " ".join(lead)
