"""A question as it is read where no source knows some of its words."""

from collections.abc import Mapping, Sequence

from agent.extractive.queries import MOST_WORDS
from heliograph.protocols import DocumentSearch
from heliograph.text.words import LETTERS, keywords
from heliograph.types import Respelling
from tools.search import misspelt


async def respellings(question: str, sources: Sequence[DocumentSearch]) -> tuple[Respelling, ...]:
    """Return the words of a question that no source knows and that one source proposes another word for.

    Those words are asked for that the first queries are made of, so that sources which remember are asked once.
    """
    found = await misspelt(keywords(question)[:MOST_WORDS], sources)
    return tuple(Respelling(word, read_as) for word, read_as in found.items() if word.isalpha())


def respelled(question: str, read: Sequence[Respelling]) -> str:
    """Return a question with words in place of others, capitals where they were."""
    instead = {each.word: each.read_as for each in read}
    return LETTERS.sub(lambda found: _as_written(found.group(), instead), question)


def _as_written(word: str, instead: Mapping[str, str]) -> str:
    other = instead.get(word.casefold(), word)
    if other == word or word.islower():
        return other
    return other.upper() if word.isupper() else other.capitalize()
