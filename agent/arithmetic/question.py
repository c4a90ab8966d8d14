"""Take a question apart: what may be computed, what is wanted, and the phrases that a table must explain.

Only cues are read here (`on average`, `altogether`, a superlative, `how many`), wherever they stand. A question may
bear several readings; which of them a table supports is decided in `agent.arithmetic.fitting`.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from agent.arithmetic.comparisons import Comparison, split_comparisons
from agent.arithmetic.phrases import Phrase, phrases_of
from agent.arithmetic.superlatives import ADJECTIVES, COUNTS, POSITIONS, SUPERLATIVE, SUPERLATIVES, Superlative
from agent.arithmetic.words import STOP_WORDS, stems

Kind = Literal["rank", "sum", "mean", "count"]
Wanted = Literal["which", "who", "when", "where", "how many", "how", "value"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One reading of a question. `asked` are the words that say what is wanted, `lead` those that a superlative opens.

    `stated` are the numbers of items that the question gives, `by` the words for what is ranked by, `past` the item
    after which the next is wanted. `opening` counts the phrases before the superlative. `loose`: words of comparison
    are left over; `either`: alternatives are joined by `or`; `predicative`: the superlative is said of its item (`which
    moon is the largest`); `partitive`: `of` follows it; `idle`: a total or a
    mean is spoken of, which a ranking does not need.
    """

    kind: Kind
    wanted: Wanted
    asked: str
    phrases: tuple[Phrase, ...]
    clause: str
    text: str = ""
    comparisons: tuple[Comparison, ...] = ()
    stated: tuple[int, ...] = ()
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
    r"\b(?:ratio|difference|(?<!which )one of (?:the|its|his|her|their)|percentage|proportion|fraction|every|each|both|"
    r"if|either|would|could|should|will|compared?|how much more|how many more|times (?:as|more|larger|bigger|longer)|"
    r"twice|more than (?:one|once|any|all)|than (?:the|any|all|every)|so far|previous|best(?!-)|worst|only|median|"
    r"per|even more|how much (?:larger|bigger|longer|heavier|older|taller|higher|faster|smaller|wider|deeper))\b|;",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"(?:is|are|was|were|did|does|do|has|have|had|can|compare)\b", re.IGNORECASE)
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for form, plain in (
        (r"\b(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)-(?=[a-z])", r"\1 "),
        (r"\bin one piece\b", "intact"),
        (r"\b(?:took|lifted|blasted) off\b", "launched"),
        (r"\b(fly|flying|flew|flown|pass|passed) by\b", r"\1 past"),
        (r"\b(?:highest|largest|greatest|biggest) (?:total )?(?:number|amount|quantity) of\b", "most"),
        (r"\b(?:lowest|smallest) (?:total )?(?:number|amount|quantity) of\b", "fewest"),
        (r"(?<=[a-z])-lived\b", ""),
        (r"\b(?!best|highest-gross)([a-z]+est)-(?=[a-z])", r"\1 "),
        (r"\bif (?:you|we|one) (?=add|sum|total|take|put|count)", " "),
        (r"\b(?:the|that) number of\b|\bwhat number of\b|^count the\b", "how many"),
        (r"^what (?:is|was) how many ", "how many "),
        (r"\b(average[^?]*) per (?=[a-z]+(?: [a-z]+)?$)", r"\1 of the "),
        (r"^(?:what|who) (?:is|was|are|were) the names? of ", "which is "),
        (r"\b(?:not even|rather than|instead of|leaving (?:out|aside)|other than|apart from|aside from|"
         r"except(?:ing)?(?: for)?|excluding|besides|(?:not|without) counting|ignoring|disregarding|neither|nor|"
         r"outside(?: of)?|never|without|not|no)\b"
         r"(?! (?:more|less|fewer|later|earlier) than)", " ¬ "),
        (r"n't\b", " ¬ "),
    )
)  # fmt: skip
_LISTED = re.compile(
    r"\b(?:listed|tabulated|(?:in|of) (?:the|this) (?:list|table)|the (?:list|table))\b", re.IGNORECASE
)
_SUM = re.compile(
    r",?\s*\b(?:in total|all together|altogether|in all|all told|(?:taken|put|added|add) together|between them|overall|"
    r"add(?:ed|ing|s)?(?: it| them| all)? up(?: to)?|in sum|combined|(?:sum|total) of(?: the| all)*|total|"
    r"summed(?: up)?|together|(?:over|across)(?= all\b))\b,?",
    re.IGNORECASE,
)
_MEAN = re.compile(r",?\s*\b(?:on (?:the )?average|average|averaged|mean|typically|typical)\b,?", re.IGNORECASE)
_NUMBERS = COUNTS | {"eleven": 11, "twelve": 12}
_STATED = re.compile(
    rf"(?:\b(?:the|its|their|his|her|all|these|those|of|over|across|among|other|\w+'s?) (?:all )?(?:the )?|^)"
    rf"(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}}) (?=[A-Za-z])",
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
_PLACES = "|".join(word for word, place in POSITIONS.items() if place > 1)
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
_UPWARDS = re.compile(r"\bfrom (?:the )?(?:smallest|shortest|lowest|lightest|least|nearest|earliest|oldest)\b", re.I)
_PAST = re.compile(
    r"(?:^|, ?|\bright |\bdirectly |\bimmediately |\bnext )\b(?i:after|behind|following|(?:second|next) (?:only )?to) "
    r"(?P<past>(?:[A-Z][\w'-]*|\d+)(?: (?:[A-Z][\w'-]*|\d+))*)(?P<rest>, (?:which|who|that|itself)[^,]*,(?= ))?"
)


def read_question(question: str) -> tuple[Asked, ...]:
    """Return the readings that the cues of a question allow; none where it weighs, supposes or asks for yes or no."""
    text = " ".join(question.split()).rstrip("?!. ").replace("’", "'")
    for form, plain in _PLAIN:
        text = form.sub(plain, text)
    if _REFUSED.search(text) or _YES_NO.match(text):
        return ()
    past = _PAST.search(text)
    text = f"{text[: past.start()]} , {text[past.end() :]}" if past else text
    text, comparisons, loose = split_comparisons(text)
    asked = _asked(text)
    if asked is None:
        return ()
    asked = replace(
        asked, text=" ".join(question.split()).rstrip("?!. "), comparisons=comparisons, loose=loose,
        either=bool(re.search(r"\bor\b", text)), listed=bool(_LISTED.search(text)),
        continues=bool(_OPEN_END.search(text) or _OBJECT.match(text)), past=stems(past["past"]) if past else (),
    )  # fmt: skip
    idle = bool(_SUM.search(text) or _MEAN.search(text))
    return (*_rankings(replace(asked, idle=idle), text), *_aggregates(asked, text))


def _asked(text: str) -> Asked | None:
    """Find the word that asks; of several the one that opens the sentence, or its last part."""
    found = list(_WH.finditer(text))
    opening = next((each for each in found if _PREPOSITION.search(text[: each.start()])), found[0] if found else None)
    if told := _TELL.match(text):
        return Asked("rank", "which", "", (), text[told.end() :].strip())
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
    return Asked("rank", wanted, adjective or named, (), rest)


def _aggregates(asked: Asked, text: str) -> list[Asked]:
    """Return the readings as a mean, a sum and a count whose cues the question has."""
    found: list[Asked] = []
    if asked.wanted in ("who", "when", "where") or (asked.past and not asked.comparisons):
        return found
    for kind, cue in (("mean", _MEAN), ("sum", _SUM)):
        if cue.search(text):
            found.append(_bound(replace(asked, kind="mean" if kind == "mean" else "sum"), cue.sub(" ", text)))
    if asked.wanted == "how many" and not _MEAN.search(text):
        found.append(_bound(replace(asked, kind="count"), _SUM.sub(" ", text)))
    return found


def _rankings(asked: Asked, text: str) -> list[Asked]:
    """Return one reading for every superlative, and one for a bare place in an order (`comes third`)."""
    found = [
        _ranking(asked, text, each) for each in re.finditer(rf"(?<![\w-]){SUPERLATIVE}", text) if _ranks(each, text)
    ]
    placed = _PLACED.search(text)
    if not found and placed and (by := _BY.search(text)):
        order = Superlative("stated", _UPWARDS.search(text) is None)
        last = placed["place"].casefold() == "last"
        order = Superlative("stated", not order.descending) if last else order
        read = replace(
            asked, superlative=order, shown=placed["place"].casefold(), predicative=True,
            by=stems(by[by.lastgroup or 0]),
            position=POSITIONS.get(placed["place"].casefold(), 1),
        )  # fmt: skip
        cut = _UPWARDS.sub(
            " ", _PLACED.sub(" ", re.sub(r"\b(?:ranked|ordered|sorted|arranged|ranking)\b", " ", text, flags=re.I))
        )
        found.append(_bound(read, cut))
    return found


def _ranks(found: re.Match[str], text: str) -> bool:
    """Say whether a superlative orders anything: not `at least`, `for the first time`, `First Lady`, `last for`."""
    word, before, after = found["superlative"], text[: found.start()], text[found.end() :]
    if word != word.lower() or (word in _FIXED and re.search(r"\b(?:at|for the|set|name|known|of)$", before.rstrip())):
        return False
    verb = re.match(r" (?:on|for|in|longer|until)\b| ,", after) or (
        not after and re.search(r"\b(?:did|do|does|can)\b", before)
    )
    return not (word == "last" and verb) and not (
        word in ("most", "least", "first") and re.match(r" (?:of|name|set|known|half|ever to set)\b", after)
    )


_FIXED = frozenset({"first", "last", "least", "most"})


def _ranking(asked: Asked, text: str, found: re.Match[str]) -> Asked:
    word, several = found["superlative"], asked.asked if asked.asked in COUNTS else ""
    taken = (found["take"] or found["taken"] or several).casefold()
    text = re.sub(rf"\b{several} ", " " * (len(several) + 1), text, count=1) if several else text
    before, after = text[: found.start()].strip(), text[found.end() :].strip(" ,")
    partitive = re.match(r"(?:of|among)\b", after) is not None
    after = re.sub(r"^(?:of|among|one of)(?: all)? (?:the |its |their |these |those |his |her )?", "", after)
    after = re.sub(r"^(?:one|ones)\b ?", "", after)
    if SUPERLATIVES[word].idea == "distance":
        after = re.sub(r"^(?:from|to) (?:the|its) (?:planet|centre|center|start)\b ?", "", after)
    if asked.wanted == "which" and (value := _VALUE.match(asked.clause)) and value.end() <= asked.clause.find(word):
        asked = replace(asked, wanted="value", asked=value["attribute"])
    noun = asked.asked if asked.wanted != "which" else re.sub(r"^ones?\b.*", "", asked.asked.split(word)[0].strip())
    noun = "" if several else noun
    asked, by = replace(asked, asked=noun), _BY.search(text)
    tail = re.sub(rf"^(?:{'|'.join(_NUMBERS)}) ", "", after)
    read = replace(
        asked, superlative=SUPERLATIVES[word], shown=" ".join(filter(None, (found["place"], taken, word))),
        position=POSITIONS.get((found["place"] or "").casefold(), 1),
        take=COUNTS.get(taken) or (int(taken) if taken.isdigit() else 1),
        lead=stems(lead_of(tail)), by=stems(by[by.lastgroup or 0]) if by else (),
        predicative=not lead_of(tail) and bool(re.search(rf"\b{_BE}(?: the)?$", before)),
        opening=len(phrases_of(_STATED.sub(_unstated, before))), partitive=partitive,
    )  # fmt: skip
    return _bound(read, f"{before} , the {after}")


def _bound(asked: Asked, text: str) -> Asked:
    """Add the phrases that a table must explain, and the numbers of items that are stated."""
    stated = tuple(_NUMBERS.get(found["number"].casefold()) or int(found["number"]) for found in _STATED.finditer(text))
    return replace(asked, phrases=phrases_of(_STATED.sub(_unstated, text)), stated=stated)


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
