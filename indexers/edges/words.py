"""The words of a text as BM25 counts them: two letters or more, no English stop words, stemmed."""

import re
from collections.abc import Callable, Iterator

import Stemmer
from bm25s.stopwords import STOPWORDS_EN  # type: ignore[import-untyped]  # the library has no types

_WORD = re.compile(r"(?u)\b\w\w+\b")
_STOP_WORDS = frozenset(STOPWORDS_EN)

Words = Callable[[str], Iterator[str]]


def stemming() -> Words:
    """Return a function from texts to stems that remembers each word's; it belongs to one thread."""
    stem, known = Stemmer.Stemmer("english").stemWord, dict[str, str]()

    def words(text: str) -> Iterator[str]:
        for word in _WORD.findall(text.lower()):
            if word in _STOP_WORDS:
                continue
            if word not in known:
                known[word] = stem(word)
            yield known[word]

    return words
