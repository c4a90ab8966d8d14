"""Names and nouns that a turn mentions, with the words around them that belong to them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from heliograph.text.names import names_in
from heliograph.text.words import QUESTION_WORDS, STOP_WORDS, stem, word_list

AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|might|should"
SUPERLATIVE = (
    r"(?:(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|\d+(?:st|nd|rd|th))[ -])?"
    r"(?:most \w+|least \w+|\w{2,}est|best|worst)"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|latest|next|\d+(?:st|nd|rd|th)"
)
_NO_SUPERLATIVE = frozenset(word_list("west forest interest harvest guest request contest protest test nest rest"))

_MARKER = re.compile(r"(?<!\s)\s*+\[\d+\]")
_LABEL = re.compile(r"\b[A-ZÀ-Þ][\w ()²³/%.-]*:(?=\s)")
_PEOPLES = re.compile(r"(?:ian|ean|ican|erman|ish|ese|Dutch|French|Greek|Swiss|Czech|Thai|Welsh)$")
_COUNTED = frozenset(
    word_list(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty thirty forty fifty hundred thousand january february march april may june july "
        "august september october november december monday tuesday wednesday thursday friday saturday sunday"
    )
)
_ORDERS = frozenset(word_list("name list describe explain tell give show compare say find define"))
_ADJECTIVE = re.compile(r"\w{2}(?:ing|ed|ous|ic|al|ful|ive|ern|ish|ble|ary)$")
_PREPOSITION = "of|in|on|at|from|to|by|for|with|under|near|around|than|during|after|before|since|into|through|over"
_SUBJECT = re.compile(rf"\b(?P<aux>{AUXILIARY})\s+(?P<phrase>(?:(?:an?|the)\s+)?[a-z][\w-]*(?:\s+[a-z][\w-]*)*)")
_OBJECT = re.compile(
    r"^(?:who|which \w+|what)\s+[a-z]\w+\s+(?P<phrase>(?:(?:an?|the)\s+)?[a-z][\w-]*(?:\s+[a-z][\w-]*)*)", re.I
)
_POSSESSED = re.compile(r"\bof\s+(?P<phrase>(?:(?:an?|the)\s+)?[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2})$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a noun phrase with its article, and its place in the text."""

    text: str
    start: int
    end: int

    @property
    def bare(self) -> str:
        """Return it without its article."""
        return re.sub(r"^(?:the|an?) ", "", self.text)


def names(text: str) -> tuple[Mention, ...]:
    """Return the names of a text, each with the `the` before it."""
    return tuple(_names(text))


def _names(text: str) -> Iterator[Mention]:
    for found in names_in(text):
        name = re.sub(r"['’]s$", "", found)
        start = text.find(name)
        folded = name.casefold()
        if start < 0 or {folded} & (QUESTION_WORDS | _COUNTED | _ORDERS) or _PEOPLES.search(name.split()[-1]):
            continue
        capital = text[max(0, start - 4) : start]
        article = 4 if capital.casefold() == "the " else 0
        begins = not text[: max(0, start - article)].strip(" \"'“(")
        said = text[start - article : start + len(name)]
        yield Mention(
            f"the {name}" if article and (capital == "the " or begins) else said, start - article, start + len(name)
        )


def answer_names(answer: str, question: str) -> tuple[Mention, ...]:
    """Return the names that only the answer says: no labels of table rows, and those amid a sentence first."""
    said = frozenset(map(stem, re.findall(r"\w+", question)))
    found = []
    for sentence in sentences(answer):
        spoken = _LABEL.sub(lambda label: " " * len(label[0]), sentence)
        for name in names(spoken):
            words = frozenset(map(stem, re.findall(r"\w+", name.bare)))
            if not words <= said:
                begins = name.start == 0 and " " not in name.text
                found.append((begins, name))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def sentences(answer: str) -> tuple[str, ...]:
    """Return the sentences of an answer without markers."""
    plain = _MARKER.sub("", answer)
    ends = [0, *(found.end() for found in re.finditer(r"(?<=[\w)])[.!?]\s+(?=[A-Z])", plain)), len(plain)]
    return tuple(part for start, end in pairwise(ends) if (part := plain[start:end].strip()))


def noun_phrase(question: str) -> Mention | None:
    """Return what a question without names is about: "an elephant", "koalas", "mercury", "the steam turbine"."""
    text = question.rstrip(" ?.!")
    if found := _POSSESSED.search(text):
        phrase = found["phrase"]
    elif found := _SUBJECT.search(text):
        phrase = _first_phrase(found["phrase"], verbs=int(found["aux"] in {"do", "does", "did"}))
    elif found := _OBJECT.search(text):
        phrase = re.split(rf" (?:{_PREPOSITION}) ", found["phrase"])[0]
    if found is None or not phrase:
        return None
    start = found.start("phrase")
    return Mention(phrase, start, start + len(phrase))


def _first_phrase(words: str, verbs: int) -> str:
    """Return article, adjectives and the first noun of words that end in so many verbs; nothing without a noun."""
    told = words.split()
    taken = [told.pop(0)] if told[0] in {"a", "an", "the"} else []
    while len(told) > verbs and told[0] not in STOP_WORDS:
        taken.append(told.pop(0))
        if not _ADJECTIVE.search(taken[-1]) or taken[-1].endswith("s"):
            break
    return " ".join(taken) if taken and taken[-1] not in {"a", "an", "the"} else ""


def class_noun(question: str) -> str:
    """Return the noun that the answer is an instance of: "moon" of "Which is the largest moon of …"; else nothing."""
    for pattern in (
        rf"\b(?:which|what)\s+(?:is|was|are|were)\s+the\s+(?:{SUPERLATIVE})\s+([a-z][\w-]+)",
        r"\b(?:which|what)\s+((?!of\b|is\b|was\b|are\b|were\b|did\b|does\b|do\b|has\b|have\b)[a-z][\w-]+)",
        r"\bhow\s+many\s+([a-z][\w-]+)",
        r"\b(?:what|who)\s+(?:is|was)\s+the\s+([a-z][\w-]+)",
    ):
        if found := re.search(pattern, question, re.I):
            return found[1]
    return ""


def superlative(text: str) -> re.Match[str] | None:
    """Find the superlative or ordinal of a text: "second largest", "most expensive", "first"."""
    for found in re.finditer(rf"\b(?:{SUPERLATIVE})\b", text, re.I):
        if found[0].casefold() not in _NO_SUPERLATIVE:
            return found
    return None
