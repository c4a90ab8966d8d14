"""What the first sentence of a page tells of its subject: the names it goes by, and what kind of thing it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from heliograph.text.dates import MONTH

HEAD = 500
"""Characters of a lead that are read."""

COPULA = re.compile(
    r"\s(?:is|was|are|were|refers? to|may refer to|has been|served as|consists? of|comprises?)\s"
    r"(?:(?:also|now|currently|formerly|the|an?|one of the)\s)*"
)
KIND_ENDS = re.compile(
    r"\s(?:who|which|that|where|whose|held|written|released|directed|located|situated|born|known)\s|\s[.;(]\s|\.$"
)
BRACKETS = re.compile(r"\s?\(([^()]*(?:\([^()]*\)[^()]*)*)\)")

ADVERBS = (
    "also|better|best|commonly|popularly|formerly|officially|previously|originally|professionally|usually|often|more|"
    "sometimes|generally|simply|less|later|now|and|is|was|formally|informally|colloquially|locally|historically|"
    "widely|mostly|otherwise|variously|frequently|typically|short"
)
CALLED = (
    r"known\s(?:\w+ly\s)?(?:as|by)|called|named|nicknamed|abbreviated(?:\s(?:as|to))?|styled(?:\sas)?|née|born|or|aka|"
    r"stylized(?:\sas)?|branded(?:\sas)?|titled|spelled|spelt|written(?:\sas)?|shortened\sto|referred\sto\sas|acronym|"
    r"marketed\sas|billed\sas|credited\sas|rendered(?:\sas)?|transliterated(?:\sas)?|romanized(?:\sas)?|a\.k\.a\s?\.?|"
    r"formerly|previously|originally"
)
ALSO = re.compile(
    rf"(?<!\w)(?:(?:{ADVERBS})\s)*(?:{CALLED})\s"
    r"(?:simply\s|just\s|the\s|by\s(?:his|her|its|their)\s(?:stage|pen|ring|birth)?\s?names?\s)*"
)
NAME_ENDS = re.compile(
    r"\s[,;:.()/]\s?|\s(?:is|was|are|were|and|or|but|in|because|since|by|of which|for short|from|due|among|to|born)\s|"
    r"''|``|\"|\s-\s"
)
DATE = re.compile(rf"(?:\d{{1,2}} )?(?i:{MONTH}) \d|\d{{4}}s?$")
ACRONYM = re.compile(r"[A-ZÀ-Þ][\w.&/-]{1,9}")
LEGAL_FORM = re.compile(
    r"\s(?:Football Club|F\.?C\s?\.?|Sporting Club|Club|Ltd\.?|Inc\.?|Limited|Corporation|Company|LLC|plc)$"
)
FOREWORDS = ("The ", "A ", "An ", "Sir ", "Dame ")
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Introduction:
    """The names in the first sentence of a lead, and the words after its verb."""

    names: tuple[str, ...]
    kind: str


def introduction(lead: str) -> Introduction:
    """Read the first sentence of a lead, which need not be one."""
    head = lead[:HEAD]
    verb = COPULA.search(BRACKETS.sub(lambda match: " " * len(match.group()), head))
    before, after = (head[: verb.start()], head[verb.end() :]) if verb else ("", head)
    kind = KIND_ENDS.split(after[:160], maxsplit=1)[0].strip()
    names = (_clean(name) for name in _names(before[:300], after[:200]))
    return Introduction(tuple(dict.fromkeys(name for name in names if name)), kind)


def _names(before: str, after: str) -> Iterator[str]:
    first = BRACKETS.sub("", before).strip(" ,").split(" , ", 1)[0]
    yield first
    for inside in BRACKETS.findall(before):
        yield from _bracketed(inside)
    yield from _also(BRACKETS.sub(" , ", before) + " ")
    yield from _also(after)
    yield LEGAL_FORM.sub("", first)


def _bracketed(text: str) -> Iterator[str]:
    for part in re.split(r"[;,]|\bor\b", text):
        if ACRONYM.fullmatch(part.strip()):
            yield part
        if " : " in part:
            yield part.rpartition(" : ")[2]
    yield from _also(f" {text} ")


def _also(text: str) -> Iterator[str]:
    for match in ALSO.finditer(text):
        name = NAME_ENDS.split(text[match.end() :].lstrip("`'\" "), maxsplit=1)[0]
        if (name[:1].isupper() or name[:1].isdigit()) and not DATE.match(name):
            yield name


def _clean(name: str) -> str:
    name = name.strip(" ,;:.`'\"")
    for word in FOREWORDS:
        name = name.removeprefix(word)
    return name if 1 < len(name) <= LONGEST_NAME else ""
