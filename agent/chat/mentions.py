"""What a turn mentions: names, noun phrases and lists, each with its place in the text."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

from agent.citations.numbering import without_markers
from heliograph.text.names import names_in
from heliograph.text.sentences import split_sentences
from heliograph.text.words import QUESTION_WORDS, stem, word_list

AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|might|should"
PREPOSITION = (
    "in|on|at|of|for|by|to|from|with|without|under|during|after|before|since|near|around|against|between|into|through"
)
PLURAL = re.compile(r"[^sui]s$|\b(?:people|men|women|children)$")
GRAMMAR = {*QUESTION_WORDS, *PREPOSITION.split("|")} - {"go", "list"} | set(
    word_list(
        "yes no yeah ok lol haha sorry well hardly sure even besides him her hers its dont doesnt isnt arent cant "
        "whats wheres theres thats time way thing one ones"
    )
)
_DATES = {name.casefold() + ending for name in (*calendar.month_name, *calendar.day_name) for ending in ("", "s")}
_NO_NAMES = GRAMMAR | _DATES | {"list"}
_LABEL = re.compile(r"\b[A-ZÀ-Þ][\w ()²³/%.-]*:(?=\s)")
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_RUN = r"[^\W\d_][\w'’.&-]*\b(?: \w[\w'’.&-]*\b)"
_ITEM = rf"(?:(?:[Tt]he|[Aa]n?) )?{_RUN}{{0,3}}"
_LIST = re.compile(rf"{_ITEM}(?:, {_ITEM}){{0,11}},? (?:and|or) {_ITEM}")
_NAME = r"(?:[Tt]he )?[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*"
_SUBJECT = re.compile(
    r"(?:\b(?:do|does|did|can|could|will|would|should|where|that)|^\W*(?:(?:and|so|but|why) )*(?:is|are|was|were)) "
    r"(?:(?:the|an?) )?$"
    r"|\b(?:which|what|how many|how much) $|^(?:the|an?) $",
    re.I,
)
"""What stands before a subject, which a verb follows."""
_ACTS = re.compile(r"(?:\b(?:i|you|we|he|she|it|they|to|who|how|has|have|had|do|does|did|can)|·) $|^$", re.I)
"""What stands before a verb or an adjective."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a noun phrase with its article, and its place in the text."""

    text: str
    start: int
    end: int


def bare(text: str) -> str:
    """Return a name or a noun without its article."""
    return re.sub(r"^(?:the|an?) ", "", text, flags=re.I)


def names(text: str) -> tuple[Mention, ...]:
    """Return the names of a text, each with the `the` before it and the figure behind it."""
    return tuple(_names(text))


def _names(text: str) -> Iterator[Mention]:
    for found in names_in(text):
        said = " ".join(dropwhile(lambda word: re.split(r"['’]", word.casefold())[0] in _NO_NAMES, found.split()))
        known = re.escape(re.sub(r"['’]s$", "", said or found))
        place = re.search(rf"(?:\b[Tt]he )?(?<!\w){known}\d*(?!\w)", text)
        if place and bare(place[0]).casefold() not in _NO_NAMES:
            yield Mention(re.sub("^The ", "the ", place[0]) if place.start() == 0 else place[0], *place.span())


def sentences(answer: str) -> tuple[str, ...]:
    """Return the sentences of an answer without markers."""
    return split_sentences(without_markers(answer))


def answer_names(answer: str, question: str) -> tuple[str, ...]:
    """Return the names that only the answer says, and no labels of table rows."""
    said = frozenset(map(stem, re.findall(r"\w+", question)))
    spoken = (_LABEL.sub(lambda label: "·" * len(label[0]), sentence) for sentence in sentences(answer))
    found = (name.text for sentence in spoken for name in names(sentence))
    return tuple(name for name in found if not frozenset(map(stem, re.findall(r"\w+", bare(name)))) <= said)


def nouns(question: str) -> tuple[Mention, ...]:
    """Return the phrases of a question that hold no name: "an elephant", and "mercury" of "the mass of mercury"."""
    masked = question
    for name in names(question):
        masked = f"{masked[: name.start]}{'·' * (name.end - name.start)}{masked[name.end :]}"
    return tuple(_nouns(question, masked))


def _nouns(question: str, masked: str) -> Iterator[Mention]:
    for run in re.finditer(f"{_RUN}*", _masked(masked, GRAMMAR)):
        before, start, end = masked[max(0, run.start() - 30) : run.start()], *run.span()
        article = re.search(r"\b(?:the|an?) $", before, re.I)
        if _SUBJECT.search(before):
            end = start + len(_subject(run[0], question[end:]))
        elif _ACTS.search(before):
            start += len(run[0].partition(" ")[0]) + 1
        owner = re.compile(r" of \w[\w-]*").match(question, end)
        if start < end and not (owner and article and article[0] == "the "):
            start -= len(article[0]) if article else 0
            end = owner.end() if owner else end
            yield Mention(question[start:end], start, end)


def _subject(run: str, after: str) -> str:
    """Return the words up to the first plural, or all but the last, which acts, where they go on."""
    plural = re.match(r"(?:.*?[^sui\W]s|people|men|women|children)(?= |$)", run)
    if plural and (plural.end() < len(run) or " " not in run):
        return plural[0]
    return run if re.match(rf" (?:{AUXILIARY})\b", after) or " " not in run else run.rpartition(" ")[0]


def _masked(text: str, words: set[str]) -> str:
    """Return a text of the same length with dots for some words."""
    return _WORD.sub(lambda word: "·" * len(word[0]) if word[0].casefold() in words else word[0], text)


def class_noun(question: str) -> str:
    """Return the noun that the answer is an instance of: "moon" of "Which is the largest moon of …"; else nothing."""
    ranked = r"(?:is|was|are|were) the (?:\w+ )?\w+(?:est|st|nd|rd|th) ([a-z][\w-]+)"
    asked = re.search(
        rf"\b(?:which|what|how many) (?:{ranked}|((?!of\b|(?:{AUXILIARY})\b)[a-z][\w-]+))", question, re.I
    )
    found = asked or re.search(r"\b(?:what|who) (?:is|was) the ([a-z][\w-]+)", question, re.I)
    return next(filter(None, found.groups()), "") if found else ""


def lists(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what a text lists, longest first: ("Kraków", "Gdańsk", "Wrocław")."""
    found = _LIST.finditer(_masked(without_markers(text), GRAMMAR - {"and", "or", "the", "a", "an"}))
    listed = (_trimmed(re.split(r", (?:and |or )?| (?:and|or) ", each[0])) for each in found)
    return tuple(sorted(filter(None, listed), key=len, reverse=True))


def _trimmed(items: list[str]) -> tuple[str, ...]:
    """Cut what stands before the first thing and behind the last; nothing where two are of different kinds."""
    most = max((len(bare(item).split()) for item in items[1:-1]), default=4)
    for place, part, pattern in ((0, slice(-most, None), rf".*?({_NAME})$"), (-1, slice(most), rf"({_NAME})")):
        item, name = items[place], re.match(pattern, items[place])
        items[place] = name[1] if name else item if bare(item) != item else " ".join(item.split()[part])
    kinds = [(bare(item) == item, bare(item)[0].isupper()) for item in items]
    unlike = kinds[0][0] != kinds[1][0] or kinds[0][1] < kinds[1][1] or (len(items) == 2 and kinds[0] != kinds[1])
    items[0] = re.sub("^(?:The|An?) ", lambda article: article[0].lower(), items[0])
    return tuple(items[1:] if unlike and len(items) > 2 else () if unlike else items)
