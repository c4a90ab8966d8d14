"""Follow-ups without a language model: gaps filled from the last question, words that point back by what they mean."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agent.chat.ellipsis import CORRECTION, LEAD, completed
from agent.chat.mentions import AUXILIARY, GRAMMAR, PLURAL, PREPOSITION, bare, names, nouns
from agent.chat.referents import NUMBERS, Sort, candidates
from memory.conversations import Turn

_ENDS = rf"(?=[?.!,]|$| (?:{AUXILIARY})\b)"
_POINTING: Sequence[tuple[Sort, str]] = (
    ("again", rf"\b(?:the|this|that) [a-z][\w-]*{_ENDS}"),
    ("ordinal", rf"\bthe (?:(?:former|latter){_ENDS}|(?:first|second|third|last|other) one\b(?! of\b))"),
    ("among", r"(?<=\bwhich )one\b(?! of\b)"
     rf"|\bof (?:them\b|(?:these|those)\b(?: [a-z]+s{_ENDS})?(?! (?-i:[A-Z]))"
     rf"|the (?:{'|'.join(NUMBERS)})(?: (?:ones )?you (?:named|mentioned|listed|said))?(?: first)?"
     rf"(?:{_ENDS}|(?=(?: (?-i:[a-z]+)){{1,2}}[?.!]*$)))"
     r"|^(?:and |but )?which(?= \w+ (?:more|less|\w+er)\b(?!.* than\b))"),
    ("counted", rf"^(?:and |but )?how many(?: of them)?(?= (?:{AUXILIARY})\b)"),
    ("person", r"\b(?:he|him|his|she|hers?)\b(?!['’-])"),
    ("thing", r"\b(?:its?\b(?!['’-])|(?:this|that) one\b(?! of\b)|(?<=of )(?:this|that)(?=[?.!]*$))"),
    ("one", r"(?:(?<=\b(?:has|had|got|get|use) )|(?<=\b(?:have|need|make|find) ))one(?=[?.!,]|$| too\b)"),
    ("several", r"\b(?:they|them|theirs?)\b(?!['’-])"),
    ("place", r"(?<!\b[ia]s)(?<!\bare)(?<!\b[wh]as)(?<!\bwere)(?<!\bhave)(?<!nt) (?:in )?there\b"
     r"(?! (?:is|are|was|were|be)\b)"),
    ("year", r"(?:\bin )?\b(?:that|the same) year\b|\bthen(?=[?.!]*$)|\bat (?:that|the) time(?=[?.!]*$)"),
)  # fmt: skip
_JOINER = re.compile(
    r"[,;:.?!]|\b(?:and|but|when|while|that|who|which|what|before|after|until|because|since|as|if)\b|(?: \w+){4}", re.I
)
_LOOSE = re.compile(rf"\W*(?:(?:{PREPOSITION}|is|are|was|were|the|and)\b\W*)*", re.I)
_IDLE = re.compile(
    r"\bit (?:takes?|took|costs? to|happens?|rains?|snows?|seems|is true)\b|\b(?:who|which \w+) (?:is|was) it\b"
    rf"|\b(?:{AUXILIARY}) it (?:true|possible|likely|\w+ (?:to|that)|(?:in|on|at|near) (?!there)"
    r"|(?:the|an?) [^?]*\bthat|(?:going to be |be )?(?:an? |the |already )?(?:\w+ )?(?:year|month|day|night)"
    r"|get (?:dark|light|hot|cold))\b"
    r"|\b(?:mak(?:es?|ing)|made|finds?|found) it (?:\w+ )?(?:to|that)\b|what time \w+ it|how it is|n['’]?t it\b"
    r"|\bthey (?:say|call)\b",
    re.I,
)
"""Pronouns that stand for nothing: "how long does it take", "is it true that", "how cold is it at the Pole"."""
DESCRIBED = 4
"""Words with a meaning before a pronoun that describe what it stands for; a follow-up comes to its pronoun sooner."""
MOST = 8
"""Words of each sort that are read; a question has one or two."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """Words that lean on earlier turns, their place, and what is said in their stead; "" where that is not known."""

    text: str
    start: int
    end: int
    meant: str = ""


class ExtractiveStandAlone:
    """Rewrite by rules; what is not understood keeps its words, and a question that leans on nothing all of them."""

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the question as it stands alone, or unchanged where nothing could be put in."""
        return await asyncio.to_thread(_rewritten, question, turns)


def _rewritten(question: str, turns: Sequence[Turn]) -> str:
    told = question
    for leaning in reversed(leanings(question, turns)):
        told = f"{told[: leaning.start]}{leaning.meant or leaning.text}{told[leaning.end :]}"
    if told == question:
        return question
    correction = CORRECTION.match(told)
    told = LEAD.sub("", correction["what"] if correction else told, count=1)
    return told[:1].upper() + told[1:]


def leanings(question: str, turns: Sequence[Turn]) -> tuple[Leaning, ...]:
    """Return what leans on earlier turns: all of a question without a clause, else the words that point back."""
    if (whole := completed(question, turns)) is not None:
        return (Leaning(question, 0, len(question), whole),)
    found: list[Leaning] = []
    used = {bare(name.text).casefold() for name in names(question)}
    for sort, match in _pointing(question):
        said, end, owner = match[0].strip(), match.end(), "'s" if _owns(question, match) else ""
        unused = (each for each in candidates(sort, said, turns) if _plain(each) not in used)
        meant, overlaps = next(unused, ""), any(each.start < end and match.start() < each.end for each in found)
        if not overlaps and sort not in used and (meant or sort not in ("again", "ordinal")):
            used |= {_plain(meant), sort}
            meant = f"{said} {meant}" if meant and said.casefold().endswith("which") else meant
            found.append(Leaning(said, end - len(said), end, f"{meant}{owner}" if meant else ""))
    return tuple(sorted(found, key=lambda each: each.start))


def _plain(text: str) -> str:
    return bare(text.removeprefix("in ")).casefold()


def _pointing(question: str) -> Iterator[tuple[Sort, re.Match[str]]]:
    """Yield the words that point back, unless the question itself says what they stand for."""
    idle = [match.span() for match in _IDLE.finditer(question)]
    for sort, pattern in _POINTING:
        for match in islice(re.finditer(pattern, question, re.I), MOST):
            idles = any(start <= match.start() < end for start, end in idle)
            named = sort in ("again", "place") and names(question)
            if not (idles or named or _is_bound(question, match, sort)):
                yield sort, match


def _owns(question: str, match: re.Match[str]) -> bool:
    after = re.match(
        rf" (?!(?:{PREPOSITION}|{AUXILIARY}|and|or|first|again|too|also)\b)\w", question[match.end() :], re.I
    )
    word = match[0].casefold()
    return word in {"his", "its", "their", "hers", "theirs"} or (word == "her" and after is not None)


def _is_bound(question: str, match: re.Match[str], sort: Sort) -> bool:
    """Tell whether the question itself says what a pronoun stands for.

    What is named before it is that if a new clause begins between them ("What did Ada Brandt do before she came") or,
    for a possessive, a verb stands between them ("Which king killed his wife"); "did Lassell discover it" has two.
    So is a name after an opening phrase: "Because of its ridge, Iapetus …". Who has much to say of "they" means people.
    """
    before, after = question[: match.start()], question[match.end() :]
    if _meaningful(before) >= DESCRIBED or sort not in ("person", "thing", "several"):
        return _meaningful(before) >= DESCRIBED
    if ("," in after and "," not in before and names(after.partition(",")[2])) or _names_people(match[0], after):
        return True
    for mention in (*names(before), *nouns(before)):
        between, named = before[mention.end :], not mention.text.islower()
        owned = _owns(question, match) and after[1:2].isalnum() and (named or not _LOOSE.fullmatch(between))
        if (named or sort != "thing" or not PLURAL.search(mention.text)) and (owned or _JOINER.search(between)):
            return True
    return False


def _names_people(word: str, after: str) -> bool:
    return word.casefold() == "they" and _meaningful(after) >= DESCRIBED


def _meaningful(text: str) -> int:
    return sum(word.casefold() not in GRAMMAR for word in re.findall(r"[\w'’-]+", text))
