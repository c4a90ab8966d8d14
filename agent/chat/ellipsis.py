"""Questions that leave out what the one before them said: "And Saturn?", "in ruby?", "why?", "no, the river"."""

import re
from collections.abc import Iterator, Sequence

from agent.chat.mentions import AUXILIARY, PLURAL, PREPOSITION, names, nouns
from agent.chat.referents import candidates, given, names_of
from memory.conversations import Turn

LEAD = re.compile(
    r"^(?:(?:and|but|or|also|ok(?:ay)?|now|so|then|well)\b,? +)*(?:(?:what|how) about +|(?:the )?same (?:question )?"
    r"(?=for\b|of\b))?",
    re.I,
)
CORRECTION = re.compile(
    r"^(?:(?:lol|haha|oh|ah|hmm*|well|ok|sorry|actually|wait),? )*(?:no+(?:[,.!]+ ?| (?=the |an? |in |i ))(?:sorry,? )?"
    r"(?:i meant? )?|i meant? )(?P<what>.+)",
    re.I,
)
_WH = r"(?:why|when|where|how|who|whom|whose|what|which)(?:['’]?[sd]\b)?"
_PLACED = rf"(?P<prep>{PREPOSITION}) (?P<what>.+)"
_BARE = re.compile(
    rf"(?:(?:{PREPOSITION}) )?(?:{_WH}(?: (?:so|not|else))?|(?:how|which|what) \w+)(?: (?:{PREPOSITION}) \w+)?", re.I
)
_CLAUSE = re.compile(
    rf"^(?:(?:{PREPOSITION}) )?(?:{_WH}|tell|give|list|name|explain|describe|show|compare|find|please|define)\b"
    rf"|\b(?:{AUXILIARY})(?:n['’]?t)?\b|\b(?:i|we|you) (?!mean)",
    re.I,
)
_SUBORDINATE = re.compile(rf"(?:when|if|while|unless|because|although) (?!(?:{AUXILIARY})\b)\w+ \w+", re.I)
_RANK = (
    r"(?:(?:second|third|fourth|fifth|next)[ -])?(?:(?:most|least) \w+|\w{2,}(?<!for)(?<!inter)est|first|last|worst)"
)
_RANKED = re.compile(rf"(?:the|its|his|her|their) (?P<rank>{_RANK}|second|third|fourth|fifth)(?: (?P<noun>.+))?", re.I)
_ATTRIBUTE = re.compile(r"\bthe ((?:[a-z][\w-]* ){0,2}[a-z][\w-]*)(?= of\b)")
_COUNTED = re.compile(rf"\b(?:how many|how much|the (?:most|least)) ((?!(?:{AUXILIARY})\b)[a-z][\w-]*)", re.I)
_ADDED = re.compile(rf"(?:, and (?:(?:{PREPOSITION}) )?{_WH}\b|, (?:the|i mean) )[^,]*$", re.I)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
MOST_LED, MOST_ALONE = 7, 5
"""Words of what is left of a question, with a word such as "and" before it and without."""


def completed(question: str, turns: Sequence[Turn]) -> str:
    """Return the whole question that one without a clause of its own means; "" where it has one or nothing fits."""
    correction = CORRECTION.match(question)
    said = (correction["what"] if correction else question).strip(" ?.!…")
    text = re.sub(r"^(?:that|those|the one) (?=of\b|in\b|for\b)|(?<!other) ones?$", "", LEAD.sub("", said).strip(" ,"))
    led = correction is not None or LEAD.sub("", said) != said
    if not _is_fragment(text, led=led, asks="?" in question):
        return ""
    last = _ADDED.sub("", turns[-1].asked.rstrip(" ?.!"))
    ranked, other = _RANKED.fullmatch(text), " other " in text
    described = correction and re.match("the [a-z]", text) and not ranked and not _ATTRIBUTE.search(last)
    whole = "" if described or other else _filled(text, last, turns)
    if correction and not whole:
        whole = f"{last}, {text}{''.join(f', not {name}' for name in given(turns[-1])[:1] if other)}"
    return f"{whole[:1].upper()}{whole[1:]}?" if whole else ""


def _is_fragment(text: str, *, led: bool, asks: bool) -> bool:
    """Tell what is left of a question from one with a clause, and from words typed for a search engine."""
    if _BARE.fullmatch(text) or _SUBORDINATE.match(text):
        return led or len(text.split()) <= MOST_ALONE
    head, _, tail = re.sub(r"[?!:;.]+ ", ", ", text).partition(",")
    clause = _CLAUSE.search(head) or (_CLAUSE.match(tail.strip()) and not _BARE.fullmatch(tail.strip()))
    if clause or not head or len(head.split()) > MOST_LED:
        return False
    short = asks and len(text.split()) <= MOST_ALONE and " of " not in text
    return led or _RANKED.match(head) is not None or (short and (text.islower() or [text] == [name.text for name in names(text)]))


def _filled(text: str, last: str, turns: Sequence[Turn]) -> str:
    """Put a fragment in the place of what is like it in the question before."""
    if ranked := _RANKED.fullmatch(text):
        last = next((turn.asked.rstrip(" ?.!") for turn in reversed(turns) if re.search(_RANK, turn.asked)), last)
    for start, end, said in _slots(text, last, turns, ranked):
        return f"{last[:start]}{said}{last[end:]}"
    owned = re.match(r"(its|their|the|his|her) (?=[a-z])", text)
    sort = "person" if owned and owned[1] in ("his", "her") else "thing"
    owner = next(candidates(sort, text, turns), "") if owned else ""
    return f"What {'are' if PLURAL.search(text) else 'is'} the {text.partition(' ')[2]} of {owner}" if owner else ""


def _slots(text: str, last: str, turns: Sequence[Turn], ranked: re.Match[str] | None) -> Iterator[tuple[int, int, str]]:
    """Yield places of the question before that a fragment may take, the likeliest first, with what is said there."""
    head = re.split(r"[,?!:;.]", text)[0]
    named = [name for name in names_of(turns[-1]) if name.end <= len(last)]
    mentions = [*named, *nouns(last)]
    if _SUBORDINATE.match(text):
        yield len(last), len(last), f" {text}"
    if _BARE.fullmatch(text):
        yield len(last), len(last), f", and {text[0].lower()}{text[1:]}"
    if placed := re.match(_PLACED, _spelled(text), re.I):
        what = placed["what"]
        yield from ((*year.span(), what) for year in _YEAR.finditer(last) if _YEAR.fullmatch(what))
        for said in reversed(list(re.finditer(rf"\b{placed['prep']} (?:the )?", last, re.I))):
            yield from (
                (said.start(), each.end, _spelled(text)) for each in mentions if each.start <= said.end() < each.end
            )
        yield from (
            (each.start, each.end, what)
            for each in named[:1]
            if placed["prep"] in ("of", "for", "with") and names(what)
        )
        yield len(last), len(last), f" {_spelled(text)}"
    if ranked and (rank := re.search(_RANK, last)):
        noun = re.compile(r" [a-z][\w-]*").match(last, rank.end())
        new = noun and ranked["noun"] and ranked["noun"] not in last
        yield (
            rank.start(),
            noun.end() if new and noun else rank.end(),
            f"{ranked['rank']}{' ' + ranked['noun'] if new else ''}",
        )
    if re.match(r"(?:the|its|their|his|her) [a-z]", text):
        yield from ((*said.span(1), text.partition(" ")[2]) for said in _ATTRIBUTE.finditer(last))
        yield from (
            (each.start, each.end, text) for each in nouns(last) if not named and re.match("an? |the ", each.text)
        )
        return
    plural = PLURAL.search(head) is not None
    if not names(head):
        for counted in _COUNTED.finditer(last) if plural or not named else ():
            yield from ((*each.span(1), text) for each in (counted,) if plural == (PLURAL.search(each[1]) is not None))
        yield from ((*verb.span(), text) for verb in re.finditer(r"\b[a-z]+$", last) if re.fullmatch(r"\w+ed", head))
        yield from (
            (each.start, each.end, text) for each in mentions if re.match("an? ", head) and re.match("an? ", each.text)
        )
    alike = [name for name in named if name.text.rpartition(" ")[2] == head.rpartition(" ")[2]]
    yield from ((each.start, each.end, text) for each in (*alike, *mentions))


def _spelled(text: str) -> str:
    """Return a text whose first word, if its letters are those of a preposition, is that preposition."""
    word, _, rest = text.partition(" ")
    known = {"".join(sorted(each)): each for each in PREPOSITION.split("|") if len(each) > 4}
    return f"{known.get(''.join(sorted(word.casefold())), word)} {rest}"
