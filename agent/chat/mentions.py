"""What a turn mentions: names, noun phrases and lists, each with its place in the text."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile, pairwise

from agent.extractive.keywords import QUESTION_WORDS
from agent.extractive.names import names_in
from tools.arithmetic.words import stem, word_list

AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|might|should"
PREPOSITION = (
    "in|on|at|of|for|by|to|from|with|without|under|during|after|before|since|near|around|against|between|into|through"
)
PLURAL = re.compile(r"[^sui]s$|\b(?:people|men|women|children)$")
GRAMMAR = {*QUESTION_WORDS, *PREPOSITION.split("|")} | set(
    word_list(
        "yes no yeah ok lol haha sorry well hardly sure even besides him her hers its dont doesnt isnt arent cant whats "
        "wheres theres thats time way thing one ones"
    )
)
_NO_NAMES = GRAMMAR | set(word_list("name list describe explain show compare say find define"))
_DATES = {name.casefold() for name in (*calendar.month_name, *calendar.day_name)}
_PEOPLES = re.compile(r"(?:ian|ean|ican|erman|ish|ese|Dutch|French|Greek|Swiss|Czech|Thai|Welsh)$")
_MARKER = re.compile(r"(?<!\s)\s*+\[\d+\]")
_LABEL = re.compile(r"\b[A-ZÀ-Þ][\w ()²³/%.-]*:(?=\s)")
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_RUN = r"[^\W\d_][\w'’.&-]*\b(?: [^\W\d_][\w'’.&-]*\b)"
_ITEM = rf"(?:(?:[Tt]he|[Aa]n?) )?{_RUN}{{0,3}}"
_LIST = re.compile(rf"{_ITEM}(?:, {_ITEM}){{0,11}},? (?:and|or) {_ITEM}")
_NAMED = r"(?:[Tt]he )?[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*"
_SUBJECT = re.compile(
    r"(?:\b(?:do|does|did|can|could|will|would|should|where|that)|^\W*(?:\w+ )?(?:is|are|was|were)) (?:(?:the|an?) )?$"
    r"|\b(?:which|what|how many|how much) $",
    re.I,
)
"""What stands before a subject, which a verb follows."""
_ACTS = re.compile(r"\b(?:i|you|we|he|she|it|they|to|who|how|has|have|had|do|does|did|can) $|^$", re.I)
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
        name = bare(place[0]) if place else ""
        grammar = name.casefold() in _NO_NAMES or name.casefold().removesuffix("s") in _DATES
        if place and not grammar and not _PEOPLES.search(name):
            yield Mention(f"the {name}" if place.start() == 0 and name != place[0] else place[0], *place.span())


def answer_names(answer: str, question: str) -> tuple[str, ...]:
    """Return the names that only the answer says: no labels of table rows, and those amid a sentence first."""
    said = frozenset(map(stem, re.findall(r"\w+", question)))
    found = []
    for sentence in sentences(answer):
        for name in names(_LABEL.sub(lambda label: " " * len(label[0]), sentence)):
            if not frozenset(map(stem, re.findall(r"\w+", bare(name.text)))) <= said:
                found.append((name.start == 0 and " " not in name.text, name.text))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def sentences(answer: str) -> tuple[str, ...]:
    """Return the sentences of an answer without markers."""
    plain = _MARKER.sub("", answer)
    ends = [0, *(found.end() for found in re.finditer(r"(?<=[\w)])[.!?]\s+(?=[A-Z])", plain)), len(plain)]
    return tuple(part for start, end in pairwise(ends) if (part := plain[start:end].strip()))


def nouns(question: str) -> tuple[Mention, ...]:
    """Return the phrases of a question that hold no name, first what a property is asked of: "an elephant"."""
    masked, found = question, []
    for name in names(question):
        masked = f"{masked[: name.start]}{'·' * (name.end - name.start)}{masked[name.end :]}"
    for run in re.finditer(f"{_RUN}*", _masked(masked)):
        before, start, end = question[max(0, run.start() - 30) : run.start()], *run.span()
        if _SUBJECT.search(before):
            end = start + len(_subject(run[0], question[end:]))
        elif _ACTS.search(before) or masked[max(0, start - 2) : start] == "· ":
            start += len(run[0].partition(" ")[0]) + 1
        if start < end:
            article = re.search(r"\b(?:the|an?) $|$", before, re.I)
            start -= len(article[0]) if article else 0
            end += len(re.match(r"(?: of \w[\w-]*)?", "" if article and article[0] == "the " else question[end:])[0])  # type: ignore[index]
            owner = re.search(r"\bthe [\w ]+ of (?:the |an? )?$", before)
            found.append((owner is None, Mention(question[start:end], start, end)))
    return tuple(phrase for _, phrase in sorted(found, key=lambda each: each[0]))


def _subject(run: str, after: str) -> str:
    """Return the words up to the first plural or an adverb, or all but the last, which acts, where they go on."""
    plural = re.match(r"(?:.*?[^sui\W]s|people|men|women|children)(?= |$)|[\w-]+(?: [\w-]+)*?(?= \w+ly\b)", run)
    if plural and (plural.end() < len(run) or " " not in run):
        return plural[0]
    return run if re.match(rf" (?:{AUXILIARY})\b", after) or " " not in run else run.rpartition(" ")[0]


def _masked(text: str, kept: str = "") -> str:
    """Return a text of the same length with dots for words of grammar; names may have some where others are kept."""

    def dots(word: re.Match[str]) -> str:
        named = kept and word[0][0].isupper() and text[max(0, word.start() - 2) : word.start()].strip().isalpha()
        content = named or word[0].casefold() not in GRAMMAR or word[0].casefold() in kept.split()
        return word[0] if content else "·" * len(word[0])

    return _WORD.sub(dots, text)


def class_noun(question: str) -> str:
    """Return the noun that the answer is an instance of: "moon" of "Which is the largest moon of …"; else nothing."""
    ranked = r"\b(?:which|what)\s+(?:is|was|are|were)\s+the\s+(?:\w+ )?\w+(?:est|st|nd|rd|th)\s+([a-z][\w-]+)"
    asked = rf"\b(?:which|what|how many)\s+((?!of\b|(?:{AUXILIARY})\b)[a-z][\w-]+)"
    found = (
        re.search(each, question, re.I)
        for each in (ranked, asked, r"\b(?:what|who)\s+(?:is|was)\s+the\s+([a-z][\w-]+)")
    )
    return next((each[1] for each in found if each), "")


def lists(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what a text lists, longest first: ("Kraków", "Gdańsk", "Wrocław")."""
    found = _LIST.finditer(_masked(_MARKER.sub("", text), kept="and or the a an"))
    listed = (_trimmed(re.split(r", (?:and |or )?| (?:and|or) ", each[0])) for each in found)
    return tuple(sorted(filter(None, listed), key=len, reverse=True))


def _trimmed(items: list[str]) -> tuple[str, ...]:
    """Cut what stands before the first thing and behind the last; nothing where two are of different kinds."""
    most = max((len(bare(item).split()) for item in items[1:-1]), default=4)
    for place, part, named in ((0, slice(-most, None), rf"{_NAMED}$"), (-1, slice(most), _NAMED)):
        name, item = (re.search if place == 0 else re.match)(named, items[place]), items[place]
        items[place] = name[0] if name else item if bare(item) != item else " ".join(item.split()[part])
    kinds = [(bare(item) == item, bare(item)[0].isupper()) for item in items]
    if len(items) > 2 and (kinds[0][0] != kinds[1][0] or kinds[0][1] < kinds[1][1]):
        return tuple(items[1:])
    return tuple(items) if len(items) > 2 or kinds[0][1] >= kinds[1][1] else ()
