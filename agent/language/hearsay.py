"""Notes that a model writes about evidence, and what of them may be remembered.

Episodic memory steers the queries of later rounds, so that a sentence of a page must not come to stand in it: a note
that repeats the words of a page is no note but hearsay. Words of the question, and titles of pages and links, may be
repeated; they are what a search goes by.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from agent.citations.quotes import quotable
from agent.language.addresses import holds_address
from heliograph.types import Evidence
from indexers.links import links_of
from prompts.harmless import clipped, harmless
from tools.arithmetic.words import STOP_WORDS, stems, words

_OWN = frozenset(stems("page evidence question answer missing needed unknown say said tell given named piece"))
"""Words in which notes speak of evidence itself."""


class Hearsay:
    """What the pages shown say in words that neither the question nor a title has.

    A note repeats a page where two successive words of it, such words left out, stand so in the page; or its only word.
    """

    def __init__(self, question: str, shown: Iterable[Evidence], titles: Iterable[str]) -> None:
        shown = tuple(shown)
        places = (" ".join((piece.place.title, *piece.place.path)) for piece in shown)
        self._known = _OWN.union(*(stems(text) for text in (question, *titles, *places)))
        texts = [source for piece in shown for _, source in quotable(piece)]
        texts += [link.text for piece in shown for link in links_of(piece)]
        told = [self._foreign(text) for text in texts]
        self._words = frozenset(word for text in told for word in text)
        self._pairs = frozenset(pair for text in told for pair in pairwise(text))

    def repeats(self, note: str) -> bool:
        """Tell whether a note repeats a page."""
        foreign = self._foreign(note)
        if len(foreign) == 1:
            return foreign[0] in self._words
        return any(pair in self._pairs for pair in pairwise(foreign))

    def kept(self, notes: Sequence[str], most: int, longest: int) -> tuple[str, ...]:
        """Return the notes that are notes, tidied, each once: without addresses and without repetitions of pages."""
        tidy = (harmless(note) for note in notes)
        own = (note for note in tidy if note and not holds_address(note) and not self.repeats(note))
        return tuple(dict.fromkeys(clipped(note, longest) for note in own))[:most]

    def _foreign(self, text: str) -> tuple[str, ...]:
        content = (word for word in words(harmless(text)) if word.casefold() not in STOP_WORDS)
        return tuple(stem for word in content for stem in stems(word) if stem not in self._known)
