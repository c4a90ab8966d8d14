"""What entities state of themselves, read from a base when it is first needed: values to compare, and telling words."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log
from random import Random

import Stemmer

from heliograph.types import Attribute
from indexers.lexical import FUNCTION_WORDS, stems
from indexers.skb.knowledge_base import BuiltKnowledgeBase

SAMPLED = 1_000
"""Documents of a type from which it is told how common a word is."""
RAREST, COMMONEST = 0.01, 0.25
"""Share of a type's documents that a telling word stands in: rarer ones are names, or find the answer by themselves."""
MOST_TELLING = 15
"""Words of a document that queries take."""
LEAST_DOCUMENTS = 3
"""That such a word stands in at least."""

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATE = re.compile(
    r"(?P<year>(?:1[5-9]|20)\d\d)-(?P<month>\d\d)(?:-\d\d.*)?|\d{1,2}[- ](?P<name>[A-Z][a-z]{2})[a-z]*[- ]"
    r"(?P<last>(?:1[5-9]|20)\d\d)"
)
_PLAIN_WORD = re.compile(r"(?<![\w./@-])[a-z]{5,14}(?![\w/@'’]|\.\w)")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]{4,}\b")


@dataclass(frozen=True, slots=True)
class ComparableValue:
    """A number, or a date as a year with its months as a fraction."""

    value: float
    is_date: bool


def comparable(value: Attribute) -> ComparableValue | None:
    """Return what an attribute compares by; None for a text that is no date, and for truth values.

    >>> comparable("01-Apr-2003")
    ComparableValue(value=2003.25, is_date=True)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return ComparableValue(float(value), False)
    found = _DATE.fullmatch(value.strip())
    if not found:
        return None
    year = int(found["year"] or found["last"])
    name = (found["name"] or "").casefold()
    month = int(found["month"]) if found["month"] else _MONTHS.index(name) + 1 if name in _MONTHS else 1
    return ComparableValue(year + (month - 1) / 12, True)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a type's documents: the share of documents by stem, and the inflections that stand there."""

    shares: Mapping[str, float]
    inflections: Mapping[str, tuple[str, ...]]


class EntityFacts:
    """Values and words of entities of one base; what was read stays in memory."""

    def __init__(self, base: BuiltKnowledgeBase, seed: int) -> None:
        self._base, self._seed = base, seed
        self._values = dict[int, Mapping[str, ComparableValue]]()
        self._stems = dict[int, frozenset[str]]()
        self._vocabularies = dict[str, Vocabulary]()

    async def values(self, number: int) -> Mapping[str, ComparableValue]:
        """Return the attributes of an entity that compare; amounts whose unit stands in another attribute do not."""
        if number not in self._values:
            attributes = await self._base.attributes(number)
            self._values[number] = {
                name: found
                for name, value in attributes.items()
                if f"{name.rpartition('.')[0]}.unit" not in attributes and (found := comparable(value))
            }
        return self._values[number]

    async def with_words(self, numbers: Iterable[int], wanted: Collection[str]) -> frozenset[int]:
        """Return those of some entities whose document has words of all these stems."""
        return frozenset([each for each in numbers if (await self._document_stems(each)).issuperset(wanted)])

    async def telling_words(self, number: int, type: str, avoided: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return words of a document, each with its stem, that neither many documents of its type have nor hardly any.

        They are the first by tf · idf: others, such as "seems", tell nothing of what a document is about.
        Words that also stand there with a capital are left out, as parts of names, and so are stems to be avoided.
        """
        text = await self._base.document(number)
        capitals = {each.casefold() for each in _CAPITALISED.findall(text)}
        counts = Counter(each for each in _PLAIN_WORD.findall(text) if each not in capitals | FUNCTION_WORDS)
        shares = (await self._vocabulary(type)).shares
        found = [(word, stem(word)) for word in sorted(counts) if not word.endswith("ly")]
        known = [each for each in found if each[1] not in avoided and RAREST <= shares.get(each[1], 0) <= COMMONEST]
        known.sort(key=lambda each: counts[each[0]] * log(shares[each[1]]))
        return tuple(known[:MOST_TELLING])

    async def inflections(self, stem_of_word: str, type: str) -> tuple[str, ...]:
        """Return the forms of a word that documents of a type have."""
        return (await self._vocabulary(type)).inflections.get(stem_of_word, ())

    async def _document_stems(self, number: int) -> frozenset[str]:
        if number not in self._stems:
            self._stems[number] = _stems_of(await self._base.document(number))
        return self._stems[number]

    async def _vocabulary(self, type: str) -> Vocabulary:
        if type not in self._vocabularies:
            numbers = list(await self._base.of_type(type))
            if len(numbers) > SAMPLED:
                numbers = Random(f"{self._seed} {type}").sample(numbers, SAMPLED)
            counts, forms = Counter[str](), defaultdict[str, set[str]](set)
            for number in numbers:
                text = await self._base.document(number)
                words = set(_PLAIN_WORD.findall(text))
                counts.update({stem(word) for word in words})
                for word in words:
                    if not word.endswith("ly"):
                        forms[stem(word)].add(word)
            least = LEAST_DOCUMENTS / max(1, len(numbers))
            shares = {each: count / len(numbers) for each, count in counts.items()}
            self._vocabularies[type] = Vocabulary(
                {each: share for each, share in shares.items() if share >= least},
                {each: tuple(sorted(several)) for each, several in forms.items()},
            )
        return self._vocabularies[type]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a word."""
    stemmed: str = Stemmer.Stemmer("english").stemWord(word)
    return stemmed


def _stems_of(text: str) -> frozenset[str]:
    return frozenset(map(stem, set(re.findall(r"[^\W\d_]+", text.casefold()))))


def name_stems(names: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words of names, which a textual requirement must not give away."""
    return frozenset(each for name in names for each in stems(name))
