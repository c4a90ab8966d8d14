"""What a question asks to be computed, read from its form alone; None wherever the form leaves a doubt.

Words that are not understood are kept, as they stand, in `noun`, `measure` and `rest`: a computation needs every one of
them bound to a table (`agent.arithmetic.binding`), so that nothing said in the question is passed over.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from agent.arithmetic.comparisons import Comparison, split_comparisons
from agent.arithmetic.superlatives import ADJECTIVES, COUNTS, POSITIONS, SUPERLATIVE, SUPERLATIVES, Idea
from agent.arithmetic.units import BARE, parse_measure
from heliograph.types import Operation

Wanted = Literal["name", "value", "count"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as an operation: over `noun`s that `rest` restricts, by `measure` or what `idea` is measured by.

    `take` items from `position` on are wanted. `attribute` is what is asked about the item found; where it is not the
    measure itself, and where `continues`, the computed item only begins the answer.
    """

    operation: Operation
    wants: Wanted
    noun: str = ""
    measure: str = ""
    rest: str = ""
    idea: Idea | None = None
    position: int = 1
    take: int = 1
    descending: bool = True
    attribute: str = ""
    continues: bool = False
    comparisons: tuple[Comparison, ...] = ()
    superlative: str = ""
    """The superlative as asked: `second largest`."""
    clause: str = ""
    """What is asked, in the question's own words, after its question words."""


REFUSED = re.compile(
    r"\b(?:or|not|never|without|except|excluding|besides|other than|apart from|per|ratio|difference|one of|"
    r"among the|each|every|both|neither|if|would|could|should|will|compare[ds]?|percentage|proportion|fraction|"
    r"more than (?:one|once|any|all)|how much more|how many more|how many times|twice|times as|"
    r"than (?:the|any|all|every)|so far|next|previous|best|worst|only|rank(?:ed|ing)?)\b"
    r"|n't\b|;|\.\s+\w",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\b(?:known|famous|remembered|notable|noted|named|called|made|composed|used|built|located|situated) "
    r"(?:for|after|of|from|out|because)\b.*$"
    r"|\b(?:and|but)? ?(?:what|who|when|where|why|how|which)\b.*$|\blike$|\babout$",
    re.IGNORECASE,
)
_TURNED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form, re.IGNORECASE), turned)
    for form, turned in (
        (r"^(?:of|among|out of) (?:all )?(?:the |these )?([^,]+), how many (?:of them )?", r"how many \1 "),
        (r"^(?:of|among|out of) (?:all )?(?:the |these )?([^,]+), (?:which|what)(?: one)? ", r"which \1 "),
        (r"^(how many|which|what) of (?:all )?(?:the|these) ", r"\1 "),
        (r"^(?:what (?:is|was) the name of|name|give the name of) the ", "what is the "),
        (r"^(?:according to|in) the (?:table|list)(?: of [^,]+)?, ", ""),
    )
)
"""Ways of asking, turned into the plain one: `Of the moons listed, how many …` asks `How many moons listed …`."""
_LEAD = re.compile(r"^(?:how many|(?:what|which|who|how much) (?:is|was|are|were) the) ", re.IGNORECASE)
_BE = r"(?:is|was|are|were)"
_SPLIT = r"(?:of|for|by|in|among|across|from|at)"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(form, re.IGNORECASE))
    for name, form in (
        ("sum", rf"how many (?P<measure>.+?) (?:{_BE}|did|do|does|have|has) (?P<rest>.+?) "
                r"(?:in total|altogether|in all|combined)"),
        ("count", r"(?:how many|what (?:is|was) the (?:total )?number of|count the) (?P<noun>.+)"),
        ("sum", rf"(?:what|how much) {_BE} the (?:total|combined|sum of(?: the)?|overall) (?P<measure>.+?) "
                rf"{_SPLIT} (?P<rest>.+)"),
        ("mean", rf"what {_BE} the (?:average|mean) (?P<measure>.+?) {_SPLIT} (?P<rest>.+)"),
        ("attribute", rf"what {_BE} the (?P<attribute>[^,]+?) (?:of|for) the {SUPERLATIVE} (?P<noun>.+)"),
        ("attribute", rf"how (?P<attribute>{ADJECTIVES}) {_BE} the {SUPERLATIVE} (?P<noun>.+)"),
        ("attribute", rf"(?P<attribute>when) (?:{_BE}|did) the {SUPERLATIVE} (?P<noun>.+)"),
        ("named", rf"(?:what|which|who) {_BE} the {SUPERLATIVE} (?P<noun>.+)"),
        ("named", rf"(?:what|which) (?P<noun>.+?) {_BE} (?:the )?{SUPERLATIVE}(?: one)?(?P<rest>(?: .+)?)"),
        ("named", rf"(?:what|which) (?P<noun>.+?) {_BE} (?P<rest>\w+) (?:the )?{SUPERLATIVE}"),
        ("stated", rf"(?:what|which) (?P<noun>[\w' -]+?) (?:has|had|have|with|won|scored|received|got|holds|held|made|"
                   r"reached) the "
                   rf"{SUPERLATIVE} (?P<measure>.+)"),
        ("stated", r"who (?:has|had|won|scored|received|got|holds|held|made) the "
                   r"(?P<superlative>most|fewest|highest|lowest|largest) "
                   r"(?P<measure>.+)"),
        ("onward", rf"(?:(?:in|on|at|by|for|from) )?(?:who|where|when|why|how|what|which) .+? the "
                   rf"{SUPERLATIVE} (?P<noun>.+)"),
    )
)  # fmt: skip


def parse_operation(question: str) -> Asked | None:
    """Read the operation that a question asks for; None unless its form is understood to the last word."""
    text = turned(question)
    if REFUSED.search(text):
        return None
    split = split_comparisons(text)
    if split is None:
        return None
    whole, (text, comparisons) = text, split
    for name, form in _FORMS:
        if found := form.fullmatch(text.strip(" ,")):
            asked = _asked(name, found, comparisons)
            return None if asked is None else replace(asked, clause=_LEAD.sub("", whole))
    return None


def turned(question: str) -> str:
    """Return a question in the plainest way of asking that its words allow, without its mark."""
    text = " ".join(question.split()).rstrip("?!. ").replace("’", "'")
    text = re.sub(r"\b(second|third|fourth|fifth)-(?=[a-z])", r"\1 ", text)
    for form, plain in _TURNED:
        text = form.sub(plain, text)
    return text


def _asked(name: str, found: re.Match[str], comparisons: tuple[Comparison, ...]) -> Asked | None:
    part = {key: (value or "").strip() for key, value in found.groupdict().items()}
    match name:
        case "count":
            return _count(part["noun"], comparisons)
        case "sum" | "mean":
            operation: Operation = "sum" if name == "sum" else "mean"
            if _superlatives(part["measure"] + " " + part["rest"]):
                return None
            return Asked(operation, "value", measure=part["measure"], rest=part["rest"], comparisons=comparisons)
    return _ranked(name, part, comparisons)


def _count(noun: str, comparisons: tuple[Comparison, ...]) -> Asked | None:
    head = noun.split(maxsplit=1)[0]
    if (
        _superlatives(noun)
        or parse_measure(head) not in (None, BARE)
        or head.casefold() in {"people", "years", "months", "days", "percent"}
    ):
        return None
    return Asked("count", "count", noun=noun, comparisons=comparisons)


def _ranked(name: str, part: dict[str, str], comparisons: tuple[Comparison, ...]) -> Asked | None:
    word = part["superlative"]
    noun, continues = _cut_tail(part.get("noun", ""), name == "onward")
    rest, _ = _cut_tail(part.get("rest", ""), False)
    others = " ".join((noun, rest, part.get("measure", ""), part.get("attribute", "")))
    if word != word.lower() or _superlatives(others):
        return None
    superlative = SUPERLATIVES[word]
    position = POSITIONS.get((part.get("place") or "").casefold(), 1)
    taken = (part.get("take") or part.get("taken") or "").casefold()
    take = COUNTS.get(taken) or (int(taken) if taken.isdigit() else 1)
    measure, noun, idea = _by(noun, part.get("measure", ""), name, superlative.idea)
    if (position > 1 and take > 1) or (idea == "stated" and not measure):
        return None
    wants: Wanted = "value" if name == "attribute" or word in ("maximum", "minimum") else "name"
    return Asked(
        _operation(idea, superlative.descending, position, take), wants, noun, measure, rest, idea, position, take,
        superlative.descending, part.get("attribute", ""), continues, comparisons,
        " ".join(filter(None, (part.get("place"), taken, word))),
    )  # fmt: skip


def _by(noun: str, measure: str, name: str, idea: Idea) -> tuple[str, str, Idea]:
    """Find a measure that the question states: `the largest area`, `largest country by area`, `maximum depth of`."""
    if name == "stated":
        return measure, noun, "stated" if idea != "date" else idea
    if found := re.search(r" (?:by|in terms of) ([a-z]+)$", noun):
        return found[1], noun[: found.start()], "stated"
    if idea == "stated" and (found := re.match(r"(.+?) (?:of|in|for|among) (.+)", noun)):
        return found[1], found[2], "stated"
    return "", noun, idea


def _cut_tail(text: str, continues: bool) -> tuple[str, bool]:
    """Cut what is asked about the item once it is found; `called` at the end asks for no more than its name."""
    text = re.sub(r" (?:called|named)$", "", text)
    cut = _TAIL.sub("", text).strip()
    return cut, continues or cut != text


def _operation(idea: Idea, descending: bool, position: int, take: int) -> Operation:
    if position > 1 or take > 1:
        return "ordinal"
    if idea == "date":
        return "latest" if descending else "earliest"
    return "max" if descending else "min"


def _superlatives(text: str) -> bool:
    return re.search(rf"(?<![\w-]){SUPERLATIVE}", text) is not None
