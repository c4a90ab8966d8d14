"""Questions that leave out what the question before them said: "And Saturn?", "the smallest?", "why?"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.chat.mentions import AUXILIARY, SUPERLATIVE, Mention, class_noun, names, noun_phrase, superlative
from agent.chat.pronouns import Pronoun
from agent.chat.referents import main_name, referent, subject
from heliograph.text.words import stem, stems
from memory.conversations import Turn

_LEAD = re.compile(
    r"^(?:(?:and|but|or|also|ok(?:ay)?|now|so|then|well)\b,? *)*(?:(?P<about>(?:what|how) about)\b *|(?:the )?same "
    r"(?:question )?(?=for\b|of\b))?",
    re.I,
)
_ASKING = r"why|when|where|how|who|whom|whose|what|which"
_BARE = re.compile(
    rf"(?:(?:by|to|for|with|from|since|until|in|at|on|of|through) )?(?:{_ASKING})"
    r"(?: (?:so|not|else|year|century|country|city|place|month))?"
    r"|how (?:many|much|long|far|often|come|so|big|old|high)|(?:which|what) others?",
    re.I,
)
_CLAUSE = re.compile(
    rf"^(?:(?:in|on|at|of|by|to|for|with|from|under|through) )?(?:{_ASKING}|{AUXILIARY}|tell|give|list|name|explain|"
    r"describe|show|compare|find|please|define)\b",
    re.I,
)
_POSSESSED = re.compile(r"^(?P<whose>its|his|her|their) (?P<what>.+)$", re.I)
_PLACED = re.compile(
    r"^(?P<prep>in|on|at|from|of|for|by|to|with|under|during|after|before|since|near|around) (?P<what>.+)$", re.I
)
_RANKED = re.compile(rf"^the (?P<rank>{SUPERLATIVE})(?: (?P<noun>.+))?$", re.I)
_DEFINITE = re.compile(r"^the (?P<what>[a-z][\w -]*)$")
_ATTRIBUTE = re.compile(r"\bthe (?P<what>(?:[a-z][\w-]* ){0,2}[a-z][\w-]*)(?= of\b)")
_COUNTED = re.compile(rf"\b(?:how many|how much|which|what) (?P<noun>(?!(?:{AUXILIARY})\b)[a-z][\w-]*)", re.I)
_AMOUNT = re.compile(r"\b(?:the (?:most|least|fewest)|how much) (?P<noun>[a-z][\w-]*)", re.I)
_ELIDED = re.compile(rf"^(?P<head>how many)(?: of them)? (?=(?:{AUXILIARY})\b)", re.I)
_UNNAMED = re.compile(rf"^(?:which|what|who) (?:is|was|are|were) the (?P<rank>{SUPERLATIVE})(?: ones?)?$", re.I)
_ADDED = re.compile(r", and (?:\w+ )?(?:" + _ASKING + r")\b[^,]*$")
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Fragment:
    """What is left of a question; `led` tells that a word such as "and" announced it."""

    text: str
    led: bool


def without_lead(question: str) -> str:
    """Return a question without the word that joins it to the one before."""
    return _LEAD.sub("", question, count=1)


def fragment_of(question: str) -> Fragment | None:
    """Return what is said where a question has no clause of its own; None where it has one."""
    text = question.rstrip(" ?.!…")
    rest = without_lead(text).strip(" ,")
    rest = re.sub(r"^(?:that|those|the one) (?=of\b|in\b|for\b)", "", re.sub(r" ones?$", "", rest))
    led = rest != text
    if not rest or len(rest.split()) > MOST_WORDS:
        return None
    if _BARE.fullmatch(rest) or _UNNAMED.match(rest):
        return Fragment(rest, led)
    if _CLAUSE.match(rest) or not (led or _announces_itself(rest, question)):
        return None
    return Fragment(rest, led)


def _announces_itself(text: str, question: str) -> bool:
    """Tell a fragment without "and" from words typed for a search engine: a name, a rank, a possessive, a place."""
    named = names(text)
    if len(named) == 1 and named[0].text == text:
        return question.rstrip().endswith("?")
    if re.search(rf"\b(?:{AUXILIARY})\b", text):
        return False
    return any(pattern.match(text) for pattern in (_POSSESSED, _RANKED)) or (
        question.rstrip().endswith("?") and any(pattern.match(text) for pattern in (_PLACED, _DEFINITE))
    )


def elided(question: str) -> bool:
    """Tell whether a question counts things that it does not name: "how many did Mahler compose?"."""
    return _ELIDED.match(without_lead(question)) is not None


def with_noun(question: str, turns: Sequence[Turn]) -> str:
    """Put in the noun that a question leaves out, as the last turns have it."""
    found = _ELIDED.match(question)
    if found is None:
        return question
    noun = next(filter(None, (class_noun(turn.asked) for turn in reversed(turns))), "")
    return f"{found['head']} {noun} {question[found.end() :]}" if noun else question


def completed(fragment: Fragment, turns: Sequence[Turn]) -> str:
    """Return the whole question that a fragment means, without its question mark; the last one with it in doubt."""
    before = turns[-1].asked.rstrip(" ?.!")
    text = fragment.text
    if _BARE.fullmatch(text):
        return f"{_ADDED.sub('', before)}, and {text[0].lower()}{text[1:]}"
    for pattern, fill in _FILLERS:
        if (found := pattern.match(text)) and (whole := fill(found, before, turns)):
            return whole
    return _renamed(text, before) or f"{before}, and {text}"


def _unnamed(found: re.Match[str], before: str, _turns: Sequence[Turn]) -> str:
    return _reranked(found["rank"], "", before)


def _owned(found: re.Match[str], before: str, turns: Sequence[Turn]) -> str:
    ranked = _RANKED.match(f"the {found['what']}")
    if ranked and (whole := _ranked(ranked, before, turns)):
        return whole
    sort = {"its": "thing", "their": "several"}.get(found["whose"].casefold(), "person")
    pronoun = Pronoun(found["whose"], 0, 0, sort, possessive=True, noun=found["what"])  # type: ignore[arg-type]
    owner = referent(pronoun, found["what"], turns)
    plural = re.search(r"[^su]s$", found["what"]) is not None
    return f"What {'are' if plural else 'is'} the {found['what']} of {owner}" if owner else ""


def _placed(found: re.Match[str], before: str, _turns: Sequence[Turn]) -> str:
    """Put a phrase in the place of the one with the same preposition, a year in that of a year, else at the end."""
    preposition, what = found["prep"].casefold(), found["what"]
    if _YEAR.fullmatch(what) and _YEAR.search(before):
        return _YEAR.sub(what, before, count=1)
    for name in names(before):
        if before[: name.start].casefold().endswith(f" {preposition} "):
            return _put(what, name, before)
    if said := re.search(rf"\b{preposition} (?:the )?[a-z][\w-]*(?: [a-z][\w-]*)?$", before):
        return f"{before[: said.start()]}{preposition} {what}"
    if preposition in {"of", "for", "with"} and names(what) and (main := main_name(before)):
        return _put(what, main, before)
    if preposition == "from" and (said := re.search(r" from .+$", before)):
        return f"{before[: said.start()]} from {what}"
    return f"{before} {preposition} {what}"


def _ranked(found: re.Match[str], before: str, turns: Sequence[Turn]) -> str:
    """Ask for another rank of the last question that ranked the same things; without one, in the last question."""
    noun = found["noun"] or ""
    asked = (turn.asked.rstrip(" ?.!") for turn in reversed(turns))
    alike = (each for each in asked if noun and superlative(each) and stem(_last(noun)) in stems(each))
    return _reranked(found["rank"], noun, next(alike, before))


def _definite(found: re.Match[str], before: str, _turns: Sequence[Turn]) -> str:
    """Ask for another attribute of what the last question asked an attribute of."""
    if said := _ATTRIBUTE.search(before):
        return f"{before[: said.start('what')]}{found['what']}{before[said.end() :]}"
    about = subject(before)
    return f"What is the {found['what']} of {about.text}" if about else ""


def _reranked(rank: str, noun: str, before: str) -> str:
    """Put a superlative, and a noun where another one is said, in the place of those of the question before."""
    said = superlative(before)
    if said is None:
        return _first_ranked(rank, noun, before)
    if _YEAR.fullmatch(rank):
        return ""
    after = before[said.end() :]
    head = re.match(r" ([a-z][\w-]*)", after)
    if noun and head and stem(_last(noun)) != stem(head[1]) and head[1] not in {"of", "in", "by", "at"}:
        after = f" {noun}{after[head.end() :]}"
    elif noun and stem(_last(noun)) not in {stem(word) for word in re.findall(r"\w+", before)}:
        after = f" {noun}{after}"
    return f"{before[: said.start()]}{rank}{after}"


def _first_ranked(rank: str, noun: str, before: str) -> str:
    """Ask for the one of a rank among what the question before counted or listed."""
    counted = _COUNTED.search(before)
    thing = noun or (counted["noun"] if counted else "")
    about = main_name(before)
    if not thing:
        return ""
    one = thing[:-1] if _plural(thing) else thing
    return f"What is the {rank} {one}{f' of {about.text}' if about else ''}"


def _renamed(text: str, before: str) -> str:
    """Put a name or a noun in the place of the one that has the same part in the question before."""
    named = names(text)
    if named or re.match(r"(?:the )?[A-ZÀ-Þ]", text):
        role = _same_role(text, before) or noun_phrase(before)
        return _put(text, role, before) if role else ""
    noun, counted, amount = noun_phrase(before), _COUNTED.search(before), _AMOUNT.search(before)
    article = re.match(r"(?:an?|the) ", text)
    if noun and not names(before) and (article or _plural(noun.text) == _plural(text)) and not (amount and not article):
        alike = article is not None or not re.match(r"(?:an?|the) ", noun.text)
        if alike:
            return _put(text, noun, before)
    if not article and (amount or counted):
        said = amount or counted
        assert said is not None
        return f"{before[: said.start('noun')]}{text}{before[said.end('noun') :]}"
    old = main_name(before) or noun
    return _put(text, old, before) if old else ""


def _same_role(text: str, before: str) -> Mention | None:
    """Return the name that a new one replaces: one with the same last word, else the main one."""
    last = _last(text)
    alike = [name for name in names(before) if _last(name.text) == last]
    return alike[0] if alike else main_name(before)


def _put(text: str, old: Mention, before: str) -> str:
    return f"{before[: old.start]}{text}{before[old.end :]}"


def _last(text: str) -> str:
    return text.rpartition(" ")[2].casefold()


def _plural(noun: str) -> bool:
    return re.search(r"[^su]s$", noun) is not None


Filler = Callable[[re.Match[str], str, Sequence[Turn]], str]
_FILLERS: tuple[tuple[re.Pattern[str], Filler], ...] = (
    (_UNNAMED, _unnamed),
    (_POSSESSED, _owned),
    (_PLACED, _placed),
    (_RANKED, _ranked),
    (_DEFINITE, _definite),
)
