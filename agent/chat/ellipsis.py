"""Questions that leave out what the one before them said: "And Saturn?", "in Spain?", "why?", "no, the river"."""

import re
from collections.abc import Iterator, Sequence

from agent.chat.mentions import AUXILIARY, PLURAL, PREPOSITION, names, nouns
from agent.chat.referents import Sort, candidates, given, names_of
from memory.conversations import Turn

LEAD = re.compile(
    r"^(?:(?:and|but|or|also|ok(?:ay)?|now|so|then|well)\b,? +)*(?:(?:what|how) about +|(?:the )?same for +)?", re.I
)
CORRECTION = re.compile(
    r"^(?:(?:lol|haha|oh|ah|hmm*|well|ok|sorry|actually|wait),? )*(?:no+(?:[,.!]+ ?| (?=the |an? |in |i ))(?:sorry,? )?"
    r"(?:i meant? )?|i meant? )(?P<what>.+)",
    re.I,
)
_WH = r"(?:why|when|where|how|who|whom|whose|what|which)(?:['’]?[sd]\b)?"
_BARE = (
    rf"(?:(?:{PREPOSITION}) )?(?:{_WH}(?: (?:so|not|else))?(?: (?:{PREPOSITION}) \w+)?|(?:how|which|what) \w+(?<!ed))"
)
_SUBORDINATE = rf"(?:when|if|while|unless|because|although) (?!(?:{AUXILIARY})\b)\w+ \w+"
_CLAUSE = re.compile(
    rf"^(?:(?:{PREPOSITION}) )?(?:{_WH}|tell|give|list|name|explain|describe|show|compare|find|please|define)\b"
    rf"|\b(?:{AUXILIARY})(?:n['’]?t)?\b|\b(?:i|we|you) (?!mean)",
    re.I,
)
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


def completed(question: str, turns: Sequence[Turn]) -> str | None:
    """Return the whole question that one without a clause means, "" where nothing fits; None for one with a clause."""
    correction = CORRECTION.match(question)
    said = (correction["what"] if correction else question).strip(" ?.!…")
    text = re.sub(r"^(?:that|those) (?=of\b|in\b)|(?<!other) ones?$", "", LEAD.sub("", said).strip(" ,"))
    if not _is_fragment(text, led=correction is not None or LEAD.sub("", said) != said, asks="?" in question):
        return None
    last = _ADDED.sub("", turns[-1].asked.rstrip(" ?.!"))
    described = re.match("the [a-z]", text) and not _RANKED.fullmatch(text) and not _ATTRIBUTE.search(last)
    whole = "" if correction and (described or " other " in text) else _filled(text, last, turns)
    if correction and not whole:
        whole = f"{last}, {text}{''.join(f', not {name}' for name in given(turns[-1])[:1] if ' other ' in text)}"
    return f"{whole[:1].upper()}{whole[1:]}?" if whole else ""


def _is_fragment(text: str, *, led: bool, asks: bool) -> bool:
    """Tell what is left of a question from one with a clause, and from words typed for a search engine."""
    if re.fullmatch(_BARE, text, re.I) or re.match(_SUBORDINATE, text, re.I):
        return led or len(text.split()) <= MOST_ALONE
    head, *tail = re.split(r"[,?!:;.]+ ", text, maxsplit=1)
    clause = _CLAUSE.search(head) or (
        tail and _CLAUSE.match(LEAD.sub("", tail[0])) and not re.fullmatch(_BARE, tail[0], re.I)
    )
    if clause or not head or len(head.split()) > MOST_LED:
        return False
    named = text.islower() or [text] == [name.text for name in names(text)]
    return led or _RANKED.match(head) is not None or (asks and named and len(text.split()) <= MOST_ALONE)


def _filled(text: str, last: str, turns: Sequence[Turn]) -> str:
    """Put a fragment in the place of what is like it in the question before."""
    if _RANKED.fullmatch(text):
        last = next((turn.asked.rstrip(" ?.!") for turn in reversed(turns) if re.search(_RANK, turn.asked)), last)
    for start, end, said in _slots(text, last, turns):
        return f"{last[:start]}{said}{last[end:]}"
    owned = None if _RANKED.fullmatch(text) else re.match(r"(its|their|the|his|her) (?=[a-z])", text)
    sort: Sort = "person" if owned and owned[1] in ("his", "her") else "thing"
    owner = next(candidates(sort, text, turns), "") if owned else ""
    return f"What {'are' if PLURAL.search(text) else 'is'} the {text.partition(' ')[2]} of {owner}" if owner else ""


def _slots(text: str, last: str, turns: Sequence[Turn]) -> Iterator[tuple[int, int, str]]:
    """Yield places of the question before that a fragment may take, the likeliest first, with what is said there."""
    named = [name for name in names_of(turns[-1]) if name.end <= len(last)]
    mentions = [*named, *nouns(last)]
    if re.match(_SUBORDINATE, text, re.I) or re.fullmatch(_BARE, text, re.I):
        yield (
            len(last),
            len(last),
            f"{' ' if re.match(_SUBORDINATE, text, re.I) else ', and '}{text[0].lower()}{text[1:]}",
        )
    if placed := re.match(rf"(?P<prep>{PREPOSITION}) (?P<what>.+)", text, re.I):
        yield from ((*year.span(), placed["what"]) for year in _YEAR.finditer(last) if _YEAR.fullmatch(placed["what"]))
        for said in reversed(list(re.finditer(rf"\b{placed['prep']} (?:the )?", last, re.I))):
            yield from ((said.start(), each.end, text) for each in mentions if each.start <= said.end() < each.end)
        yield len(last), len(last), f" {text}"
    ranked = _RANKED.fullmatch(text)
    if ranked and (rank := re.search(rf"(?P<rank>{_RANK})(?P<noun> [a-z][\w-]*)?", last)):
        noun = f" {ranked['noun']}" if ranked["noun"] and ranked["noun"] not in last else rank["noun"] or ""
        yield *rank.span(), f"{ranked['rank']}{noun}"
    plural, lower = PLURAL.search(head := re.split(r"[,?!:;.]", text)[0]) is not None, not names(text.partition(",")[0])
    if re.match(r"(?:the|its|their|his|her) [a-z]", text):
        yield from ((*said.span(1), text.partition(" ")[2]) for said in _ATTRIBUTE.finditer(last))
        mentions = [each for each in nouns(last) if not named and re.match("an? |the ", each.text)]
    elif lower:
        counted = (each for each in _COUNTED.finditer(last) if plural or not named)
        yield from ((*each.span(1), text) for each in counted if plural == (PLURAL.search(each[1]) is not None))
        yield from ((*verb.span(), text) for verb in re.finditer(r"\b[a-z]+$", last) if re.fullmatch(r"\w+ed", head))
        mentions.sort(key=lambda each: re.match("an? ", each.text) is None and re.match("an? ", head) is not None)
    yield from ((each.start, each.end, text) for each in mentions)
