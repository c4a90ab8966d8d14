"""An index over the titles and first sentences of passages: whole names, words of titles, words of leads."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

from heliograph.types import EvidenceId, Passage
from indexers.linking.leads import introduction
from indexers.linking.ragged import Flags, Floats, Ints, Ragged, sums
from indexers.linking.spelling import Spelling
from indexers.linking.vocabulary import Vocabulary
from indexers.linking.words import JOINERS, name_key, stems_of, words_of

NameKind = Literal["title", "base", "alias", "initials"]
NAME_KINDS: tuple[NameKind, ...] = ("title", "base", "alias", "initials")
"""The whole title; the title without what tells it from its namesakes; a name in the lead; first letters."""
TITLE, BASE, ALIAS, INITIALS = range(4)

DISAMBIGUATOR = re.compile(r"\s*\(([^()]*)\)\s*$")
ARTICLES = ("The ", "A ", "An ")
LEAD = 400
"""Characters of a lead whose words are compared with those of a table."""
NAMESAKES = 64
"""Passages that are kept of one name; as many again of the same first letters."""

Name = tuple[int, int]
"""A passage by its number, and the kind of name by its place in NAME_KINDS."""


@dataclass(frozen=True, slots=True)
class TitleIndex:
    """What is known of passages, which are numbered in the order given.

    `titles`, `leads` and `kinds` hold the distinct words of titles, of first sentences and of what the first sentence
    says that the subject is; `of_titles` and `of_leads` are the passages with a word in each. `bracketed`
    runs along `titles.values`: words that only tell a title from its namesakes. `masses` is the weight of all words of
    a title. `twins` is the same for passages of the same text, which are one page under several titles.
    """

    ids: tuple[EvidenceId, ...]
    written: tuple[str, ...]
    names: dict[str, tuple[Name, ...]]
    words: Vocabulary
    titles: Ragged
    leads: Ragged
    kinds: Ragged
    of_titles: Ragged
    of_leads: Ragged
    bracketed: Flags
    masses: Floats
    twins: Ints
    spelling: Spelling

    @staticmethod
    def build(passages: Iterable[Passage]) -> "TitleIndex":
        """Index passages; the text is read once and not kept."""
        draft = _Draft()
        for passage in passages:
            draft.add(passage)
        return draft.finished()

    def called(self, key: str) -> tuple[Name, ...]:
        """Return the passages of a name, given as its `name_key`: those of that title first."""
        return self.names.get(key, ())


class _Draft:
    """Lists that grow by a passage at a time."""

    def __init__(self) -> None:
        self._ids: list[EvidenceId] = []
        self._written: list[str] = []
        self._numbers: dict[str, int] = {}
        self._names: dict[str, list[Name]] = defaultdict(list)
        self._letters: dict[str, list[Name]] = defaultdict(list)
        self._titles: list[list[int]] = []
        self._bracketed: list[bool] = []
        self._leads: list[list[int]] = []
        self._kinds: list[list[int]] = []
        self._twins: list[int] = []

    def add(self, passage: Passage) -> None:
        base = DISAMBIGUATOR.sub("", passage.title) or passage.title
        bracket = passage.title[len(base) :]
        first = introduction(passage.text)
        for kind, names in enumerate(([passage.title], bases(base), first.names, first_letters(base))):
            for name in names:
                self._name(name_key(name), kind)
        self._title(base, bracket)
        self._leads.append(self._numbered(stems_of(passage.text[:LEAD])))
        said = stems_of(first.kind) + stems_of(bracket)
        self._kinds.append(self._numbered([word for word in said if word not in JOINERS]))
        self._twins.append(crc32(passage.text.encode("utf8", "replace")))
        self._ids.append(passage.id)
        self._written.append(passage.title)

    def _name(self, key: str, kind: int) -> None:
        if not key:
            return
        number = len(self._ids)
        known = (self._letters if kind == INITIALS else self._names)[key]
        if len(known) < NAMESAKES and all(other != number for other, _ in known):
            known.append((number, kind))

    def _title(self, base: str, bracket: str) -> None:
        title = self._numbered(stems_of(base))
        only = [word for word in self._numbered(stems_of(bracket)) if word not in title]
        self._titles.append(title + only)
        self._bracketed += [False] * len(title) + [True] * len(only)

    def _numbered(self, words: Sequence[str]) -> list[int]:
        numbers = self._numbers
        return list(dict.fromkeys(numbers.setdefault(word, len(numbers)) for word in words))

    def finished(self) -> TitleIndex:
        titles, leads, kinds = (Ragged.of(lists) for lists in (self._titles, self._leads, self._kinds))
        words, size = Vocabulary.of(self._numbers, titles, leads), len(self._numbers)
        return TitleIndex(
            ids=tuple(self._ids),
            written=tuple(self._written),
            names=self._all_names(),
            words=words,
            titles=titles,
            leads=leads,
            kinds=kinds,
            of_titles=titles.inverted(size),
            of_leads=leads.inverted(size),
            bracketed=np.array(self._bracketed, dtype=np.bool_),
            masses=sums(words.weights[titles.values], titles.owners(), len(titles)),
            twins=np.array(self._twins, dtype=np.int64),
            spelling=Spelling((word, number) for word, number in self._numbers.items() if words.in_titles[number]),
        )

    def _all_names(self) -> dict[str, tuple[Name, ...]]:
        for key, letters in self._letters.items():
            known = {number for number, _ in self._names[key]}
            self._names[key] += [name for name in letters if name[0] not in known]
        return {key: tuple(sorted(names, key=lambda name: name[1])) for key, names in self._names.items()}


def bases(title: str) -> list[str]:
    """Return a title that has no brackets, and what is left without its article or what follows its comma."""
    found = [title]
    if ", " in title:
        found.append(title.split(", ", 1)[0])
    if title.startswith(ARTICLES):
        found.append(title.split(" ", 1)[1])
    return found


def first_letters(title: str) -> list[str]:
    """Return the first letters of the words of a title, with and without its joining words."""
    words = words_of(title)
    if not 2 <= len(words) <= 6 or not all(word[0].isalpha() for word in words):
        return []
    telling = [word for word in words if word not in JOINERS]
    return ["".join(word[0] for word in each) for each in (words, telling) if len(each) > 1]
