"""Pronouns of a question that lean on what was said before, told from those that do not."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from agent.chat.mentions import AUXILIARY, names
from heliograph.text.words import QUESTION_WORDS

Sort = Literal["person", "thing", "several", "place", "year"]

_SORTS: dict[str, Sort] = {
    **dict.fromkeys(("he", "him", "his", "she", "her", "hers"), "person"),
    **dict.fromkeys(("it", "its"), "thing"),
    **dict.fromkeys(("they", "them", "their", "theirs"), "several"),
}
_POSSESSIVE = frozenset(("his", "its", "their", "hers", "theirs"))
_PRONOUN = re.compile(r"\b(he|him|his|she|her|hers|it|its|they|them|their|theirs)\b(?!['’-])", re.I)
_NO_NOUN = r"of|in|on|at|from|to|by|for|with|under|near|around|than|during|after|before|since|into|about|like"
_JOINED = re.compile(r"[,;]|\b(?:and|when|while|that|who|before|after|until|because|since|as)\b")
MOST_LEANING = 8
"""Pronouns, and other words that may point back, of each sort that are read; a question has one or two."""
DESCRIBED = 4
"""Words with a meaning before a pronoun that describe what it stands for; a follow-up comes to its pronoun sooner."""

_IDLE_IT = re.compile(
    r"\b(?:(?:does|did|do|will|would|can) it (?:take|cost|matter|happen|rain|snow|get (?:dark|light|hot|cold))"
    r"|(?:is|was) it (?:true|possible|likely|certain|known|said|safe|legal|necessary|right|correct|\w+ (?:to|that))"
    r"|(?:make|makes|made|making|find|finds|found|thought) it \w+ (?:to|that|for)"
    r"|what time (?:is|was) it|(?:is|was) it (?:in|on|at|near|around) (?!there)"
    r"|it (?:is|was|takes|took|seems|rains))\b",
    re.I,
)
"""`it` that stands for nothing: "how long does it take", "is it true that", "how cold is it at the Pole"."""

_POINTING = re.compile(
    r"(?:^|\b(?:of|in|on|at|from|to|by|for|with|under|near|around|than|during|after|before|since|and|is|was|did|does|"
    r"owns?|own|visit(?:s|ed)?|rule[sd]?) )(?P<phrase>(?P<which>this|that|these|those) (?P<noun>[a-z]{3,}))\b"
    r"(?! (?:orbit|are|were)\b)",
    re.I,
)
_YEAR = re.compile(r"(?:\bin )?\b(?:that|the same) year\b|\bthen(?=[?.!]*$)|\bat (?:that|the) time(?=[?.!]*$)", re.I)
_THERE = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bhas)(?<!\bhave)(?<!\bcan) there\b"
    rf"(?! (?:{AUXILIARY}|been|be)\b)",
    re.I,
)
_AGENT = re.compile(
    r"\b(?:who|which (?:\w+ )?(?:king|queen|man|woman|president|emperor|\w+(?:er|or|ist|ect|ian)))\b", re.I
)


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A word, or two, that stands for something said before; `noun` is what it calls it, or what it has."""

    text: str
    start: int
    end: int
    sort: Sort
    possessive: bool = False
    noun: str = ""


def leaning(question: str) -> tuple[Pronoun, ...]:
    """Return what stands for something outside the question, in order."""
    found = [*_personal(question), *_pointing(question)]
    for match in islice(_YEAR.finditer(question), MOST_LEANING):
        found.append(Pronoun(match[0], match.start(), match.end(), "year"))
    for match in islice(_THERE.finditer(question), MOST_LEANING):
        found.append(Pronoun("there", match.end() - len("there"), match.end(), "place"))
    return tuple(sorted(found, key=lambda each: each.start))


def _personal(question: str) -> Iterator[Pronoun]:
    idle = [match.span() for match in _IDLE_IT.finditer(question)]
    for match in islice(_PRONOUN.finditer(question), MOST_LEANING):
        word = match[0].casefold()
        after = re.match(r" ([A-Za-z][\w-]*(?: [a-z][\w-]*)*)", question[match.end() :])
        possessive = word in _POSSESSIVE or (word == "her" and _has(after))
        idles = word == "it" and any(start <= match.start() < end for start, end in idle)
        sort = _SORTS[word]
        if not idles and not _answered_within(question, match, sort, possessive):
            noun = after[1] if possessive and after else ""
            yield Pronoun(match[0], match.start(), match.end(), sort, possessive, noun)


def _has(after: re.Match[str] | None) -> bool:
    """Tell `her mother` from `saw her in`."""
    return after is not None and not re.match(rf"(?:{_NO_NOUN}|and|or|{AUXILIARY}|first|again)\b", after[1], re.I)


def _answered_within(question: str, match: re.Match[str], sort: Sort, possessive: bool) -> bool:
    """Tell whether the question itself says what a pronoun of it stands for.

    A name before it is that, unless it acts on the pronoun ("did Lassell discover it"); so is a name after the comma of
    an opening phrase ("Because of its ridge, Iapetus …"), a long description before it, and the subject of "which king
    killed his wife", unless the pronoun is no word for such a subject ("which architect designed its tower").
    """
    before, after = question[: match.start()], question[match.end() :]
    if _described(before) or ("," in after and "," not in before and names(after.partition(",")[2])):
        return True
    if named := names(before):
        between = before[named[-1].end :]
        joined = _JOINED.search(between)
        return bool(joined or possessive or not re.fullmatch(r"(?:['’]s)?(?: \w+){1,3} ", between))
    own = re.match(r"(?:and |but )?(?:which|what) (\w+ \w+(?: \w+)*) $", before, re.I) if possessive else None
    if own is None or re.search(rf"\b(?:of|{AUXILIARY})\b", own[1]):
        return False
    return not (sort == "thing" and _AGENT.match(before))


def _described(before: str) -> bool:
    told = (word for word in re.findall(r"[\w'’-]+", before) if word.casefold() not in QUESTION_WORDS)
    return len(list(told)) >= DESCRIBED


def _pointing(question: str) -> Iterator[Pronoun]:
    for match in islice(_POINTING.finditer(question), MOST_LEANING):
        if match["noun"].casefold() not in {"year", "time"} and not _described(question[: match.start()]):
            sort: Sort = "several" if match["which"].casefold() in {"these", "those"} else "thing"
            yield Pronoun(match["phrase"], match.start("phrase"), match.end("phrase"), sort, noun=match["noun"])
    for match in re.finditer(
        r"\b(?:of|than|like|after|before|about|called) (this|that|these|those)(?=[?.!]*$|,)", question, re.I
    ):
        sort = "several" if match[1].casefold() in {"these", "those"} else "thing"
        yield Pronoun(match[1], match.start(1), match.end(1), sort)
    for match in re.finditer(r"\bof (these|those)(?= (?:is|are|was|were|has|have|did|does)\b)", question, re.I):
        yield Pronoun(match[1], match.start(1), match.end(1), "several")
