"""Put a question in plainer words: what is said in many ways is written in the one way that is read.

A denial becomes `¬` before what it denies; it holds up to the next comma.
"""

import re

from heliograph.text.numbers import ORDINALS, SPELLED

LONGEST_QUESTION = 1_000
"""Characters of a question that is read for arithmetic; OMG-QA's have 37 words (Table 8), and what is longer tells of
more than one table can answer."""
_NUMBER = rf"(?:\d[\d,.]*|{SPELLED})"
_AMOUNT = rf"((?<!the )\b-?{_NUMBER}(?: (?:million|billion|thousand))?(?: ?[a-z°%/²³]+){{0,2}}?)"
_NAME = r"((?:the )?(?-i:[A-Z][\w'-]*)(?: (?-i:[A-Z\d][\w'-]*))*)"
_PLACES = "|".join(word for word, place in ORDINALS.items() if place > 1)
_ORDERED = r"(?:add|sum|total|take|put|count|rank|order|sort|arrange|line|list)"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for form, plain in (
        (r"n't\b", " not"),
        (rf"\b({_PLACES})-(?=[a-z])", r"\1 "),
        (rf"\b({_PLACES})((?: [a-z]+)?) to (?!none|last|the|be the)(?=[a-z]+)", r"\1 earliest\2 to "),
        (r"\b(?:turn(?:ed)? up|came to light)\b", "discovered"),
        (r"\b(?:highest|largest|greatest|biggest) (?:total )?(?:number|amount|quantity) of\b", "most"),
        (r"\b(?:lowest|smallest) (?:total )?(?:number|amount|quantity) of\b", "fewest"),
        (r"(?<=[a-z])-lived\b", ""),
        (r"\b(?!best|highest-gross)([a-z]+est)-(?=[a-z])", r"\1 "),
        (r"\b(?:so|thus) far\b(?! (?:away|from|as|out))|\b(?:up to now|to date)\b", ""),
        (rf"\bif (?:you|we|one) (?={_ORDERED})|^if (?=[^,]*\b{_ORDERED}(?:ed|ted|d)?\b)", ""),
        (r"^(?:going by|looking at|judging (?:by|from)|according to|based on|considering|counting|taking) (?=[^,]*,)",
         ""),
        (r"\b(?:leaving|setting|putting) ([^,]+?) (?:aside|out)\b", r"without counting \1"),
        (r"[,(] ?([^,()]+?) (?:not (?:counted|included)|excluded|left out|aside)(?:\)|(?=,|$))",
         r" , without counting \1 ,"),
        (r"[()]", " , "),
        (r"\bhow (?:often|frequently)\b", "how many times"),
        (r"\bminus (?=\d)", "-"),
        (r"\bdegrees? (c|f)(?:elsius|ahrenheit)?\b", r"°\1"),
        (r"\b(before|after|since|until|in|by|from) the year (?=\d)", r"\1 "),
        (r"\bup to (?:and including )?(?=\d{4}\b)", "until "),
        (r"\b(?:in )?(\d{4}) or (?:later|after(?:wards)?)\b", r"since \1"),
        (r"\b(?:in )?(\d{4}) or (?:earlier|before)\b", r"until \1"),
        (rf"{_AMOUNT} (?:or|and) (?:more|above|over|higher|longer|larger|upwards|taller|wider|heavier)\b",
         r"at least \1"),
        (rf"{_AMOUNT} (?:or|and) (?:less|fewer|below|under|lower|shorter|smaller)\b", r"at most \1"),
        (r"\b(?:the|that) number of\b|\bwhat number of\b|^count the\b", "how many"),
        (r"^what (?:is|was) how many ", "how many "),
        (r"\b(average[^?]*) per (?=[a-z]+(?: [a-z]+)?$)", r"\1 of the "),
        (r"^(?:what|who) (?:is|was|are|were) the names? of ", "which is "),
        (rf"\b(that|which|whom|did|does|do|has|have|had) {_NAME}"
         r" (?:(?:did|does|do|has|have|had|was|were|is|are) )?(?:have |had )?(?:not|no|never)\b", r"\1 ¬ \2"),
        (r"\b(?:not even|rather than|instead of|leaving (?:out|aside)|other than|apart from|aside from|"
         r"except(?:ing)?(?: for)?|excluding|besides|(?:not|without) counting|ignoring|disregarding|neither|nor|"
         r"outside(?: of)?|never|without|not|no)\b"
         r"(?! (?:more|less|fewer|later|earlier) than)", " ¬ "),
    )
)  # fmt: skip


def plain_words(question: str) -> str:
    """Return a question on one line, without its closing mark, in the words that the readers know."""
    text = one_line(question).replace("’", "'").replace("\u2212", "-")
    for form, plain in _FORMS:
        text = form.sub(plain, text)
    return " ".join(text.split())


def one_line(question: str) -> str:
    """Return a question as asked, on one line and without its closing mark."""
    return " ".join(question.split()).rstrip("?!. ")
