"""Read a question by its cues, wherever they stand: what is computed, and which words are left to be bound.

The forms of `agent.arithmetic.questions` know the whole sentence; this reader knows only the cue (`on average`,
`altogether`, a superlative, `how many`) and the question words, and leaves every other word to the table.
"""

import re
from dataclasses import dataclass
from typing import Literal

from agent.arithmetic.comparisons import Comparison, split_comparisons
from agent.arithmetic.questions import REFUSED, turned
from agent.arithmetic.superlatives import ADJECTIVES, COUNTS, POSITIONS, SUPERLATIVE, SUPERLATIVES, Superlative
from agent.arithmetic.words import STOP_WORDS

Cue = Literal["rank", "sum", "mean", "count"]
Asks = Literal["which", "who", "when", "where", "how many", "how", "value"]


@dataclass(frozen=True, slots=True)
class Cues:
    """A question taken apart. `asked` are the words that say what is wanted, `after` those that the superlative opens.

    `text` is all that is left for a table to bind; `stated` is how many items the question says there are.
    """

    cue: Cue
    asks: Asks
    asked: str
    text: str
    comparisons: tuple[Comparison, ...] = ()
    superlative: Superlative | None = None
    shown: str = ""
    position: int = 1
    take: int = 1
    before: str = ""
    after: str = ""
    stated: int | None = None
    listed: bool = False
    predicative: bool = False


_NUMBERS = COUNTS | {"eleven": 11, "twelve": 12, "both": 2}
_LISTED = re.compile(r"\b(?:listed|tabulated|in (?:the|this) (?:list|table))\b", re.IGNORECASE)
_TOTAL = re.compile(
    r",?\s*\b(?:in total|altogether|all together|in all|all told|taken together|put together|between them|overall|"
    r"combined|total|sum of(?: the| all)*|summed)\b,?|,?\s+together$",
    re.IGNORECASE,
)
_MEAN = re.compile(r",?\s*\b(?:on average|on the average|average|mean)\b,?", re.IGNORECASE)
_STATED = re.compile(
    rf"(?:\b(?:the|its|their|his|her|all|these|those|\w+'s) (?:all )?|^)"
    rf"(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}}) (?=[A-Za-z])",
    re.IGNORECASE,
)
_WH = re.compile(
    r"(?:(?:on|in|at|by|to|from|for|with|of|during) )?"
    rf"(?P<wh>how many|how much|how (?P<adjective>{ADJECTIVES})|who|when|where|which|what)\b ?(?P<rest>.*)",
    re.IGNORECASE,
)
_BE = r"(?:is|was|are|were)"
_DATED = re.compile(r"(?:date|year|day|month)s?\b", re.IGNORECASE)
_VALUE = re.compile(rf"{_BE} the (?P<attribute>[a-z][\w' -]*?) (?:of|for) ", re.IGNORECASE)


def read_cues(question: str) -> Cues | None:
    """Take a question apart; None without exactly one cue, or where its words deny, weigh or compare."""
    text = turned(question)
    text = re.sub(r"(?<=[a-z])-lived\b", "", text)
    text = re.sub(r"\bper (?=[A-Za-z]+(?: [A-Za-z]+)?$)", "of the ", text) if _MEAN.search(text) else text
    if REFUSED.search(text):
        return None
    split = split_comparisons(text)
    found = _WH.fullmatch(split[0].strip(" ,")) if split else None
    if split is None or found is None:
        found = split and _WH.search(split[0])
        if (
            not split
            or not found
            or not re.fullmatch(
                r"\W*(?:on average|in total|altogether|overall|in all),? *", split[0][: found.start()], re.IGNORECASE
            )
        ):
            return None
    rest = (split[0][: found.start()] + " " + found["rest"]).strip(" ,") if found.start() else found["rest"]
    return _cue(found["wh"].casefold(), found["adjective"] or "", rest, split[1], bool(_LISTED.search(text)))


def _cue(wh: str, adjective: str, text: str, comparisons: tuple[Comparison, ...], listed: bool) -> Cues | None:
    superlatives = [
        found
        for found in re.finditer(rf"(?<![\w-]){SUPERLATIVE}", text)
        if not (found["superlative"] == "last" and re.match(r" (?:on|for|in)\b|$", text[found.end() :]))
    ]
    if len(superlatives) > 1:
        return None
    if superlatives:
        return _ranking(wh, adjective, text, superlatives[0], comparisons, listed)
    stated, text = _stated(text)
    cue: Cue
    if _MEAN.search(text):
        cue, text = "mean", _MEAN.sub(" ", text, count=1)
    elif _TOTAL.search(text):
        cue, text = "sum", _TOTAL.sub(" ", text)
    elif wh == "how many":
        cue = "count"
    else:
        return None
    if wh in ("who", "when", "where"):
        return None
    text = text.strip(" ,")
    asks: Asks = "how many" if wh in ("how many", "how much") else "value"
    if wh in ("what", "which"):
        text = re.sub(rf"^{_BE} ", "", text)
    return Cues(cue, asks, f"{adjective} {lead_of(text)}".strip(), f"{text}", comparisons, stated=stated, listed=listed)


def _ranking(
    wh: str, adjective: str, text: str, found: re.Match[str], comparisons: tuple[Comparison, ...], listed: bool
) -> Cues | None:
    word = found["superlative"]
    if word != word.lower():
        return None
    before, after = text[: found.start()].strip(), text[found.end() :].strip(" ,")
    after = re.sub(r"^(?:of|among)(?: all)? (?:the |its |their |these |those |his |her )?", "", after)
    after = re.sub(r"^(?:one|ones)\b ?", "", after)
    if SUPERLATIVES[word].idea == "distance":
        after = re.sub(r"^(?:from|to) (?:the|its) (?:planet|centre|center|start)\b ?", "", after)
    stated, tail = _stated("the " + after)
    stated_before, before = _stated(before)
    taken = (found["take"] or found["taken"] or "").casefold()
    take = COUNTS.get(taken) or (int(taken) if taken.isdigit() else 1)
    position = POSITIONS.get((found["place"] or "").casefold(), 1)
    if position > 1 and take > 1:
        return None
    tail = tail.removeprefix("the ")
    asks, asked, before = _wanted(wh, adjective, before)
    return Cues(
        "rank", asks, asked, f"{before} , {tail}", comparisons, SUPERLATIVES[word],
        " ".join(filter(None, (found["place"], taken, word))), position, take, before, tail,
        stated or stated_before, listed, bool(re.search(rf"\b{_BE}(?: the)?$", before)),
    )  # fmt: skip


def _wanted(wh: str, adjective: str, before: str) -> tuple[Asks, str, str]:
    """Say what is wanted and in which words; where an attribute is wanted, its words are not left to be bound twice."""
    if wh == "who":
        return "who", before, before
    if wh in ("when", "where"):
        return "when" if wh == "when" else "where", "", before
    if adjective:
        return "how", adjective, before
    if wh in ("how many", "how much"):
        return "how many", lead_of(before), before
    if found := _VALUE.match(before + " "):
        return "value", found["attribute"], before[found.end() - 1 :].strip()
    asked = lead_of(before)
    return ("when", "", _DATED.sub("", before, count=1)) if _DATED.match(asked) else ("which", asked, before)


def lead_of(text: str) -> str:
    """Return the words up to the first word of grammar."""
    lead: list[str] = []
    for word in re.sub(r"^of (?:the )?|^the ", "", text).split():
        if word.casefold() in STOP_WORDS or word == ",":
            break
        lead.append(word)
    return " ".join(lead)


def _stated(text: str) -> tuple[int | None, str]:
    """Return how many items the question says there are, and the text without that figure."""
    found = _STATED.search(text)
    if found is None:
        return None, text
    figure = found["number"].casefold()
    number = _NUMBERS.get(figure) or int(figure)
    return number, text[: found.start("number")] + text[found.end("number") + 1 :]
