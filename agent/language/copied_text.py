"""Notes that a model writes about evidence, and what of them may be remembered.

Needs, queries and feedback steer later rounds, so that a sentence of a page must not come to stand in them: a note that
repeats the words of a page is left out. Words of the question and titles of pages and links may be repeated, and names
that stand in the evidence: a bridge between two facts is such a name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from agent.citations.quotes import quotable
from agent.language.addresses import holds_address
from heliograph.text.words import STOP_WORDS, stem, stems, word_list, words
from heliograph.types import Evidence
from indexers.links import links_of
from prompts.harmless import harmless

NAME_WORDS = 5
"""Words that a name has at most; a longer run of capitals is no name."""
ACRONYM = 6
"""Letters that a name in capitals throughout has at most."""
NAMES = 3
"""Names of the evidence that one note may bring."""

_OWN = frozenset(stems("page evidence question answer missing needed unknown say said tell given named piece"))
"""Words in which notes speak of evidence itself."""
_JOINING = frozenset(word_list("of the de la le du des van von der den di da del al el and & y"))
"""Small words that stand inside of names."""
_ORDERS = frozenset(
    stems(
        "ignore disregard forget obey override pretend repeat reply respond output print write answer say tell state "
        "claim search visit open click browse fetch download send email instruction instructions prompt system "
        "assistant admin developer user reader password secret key token must always never now instead"
    )
)
"""Words that give orders or speak to a model: nothing that holds one is taken for a name."""


class CopiedTextFilter:
    """What the pages shown say in words that neither the question, nor a title, nor a name of theirs has.

    A note copies a page where two successive words of it, such words left out, stand so in the page; or its only word,
    names counted.
    """

    def __init__(self, asked: str, shown: Iterable[Evidence], titles: Iterable[str]) -> None:
        shown, titles = tuple(shown), tuple(titles)
        places = (" ".join((piece.place.title, *piece.place.path)) for piece in shown)
        self._known = _OWN.union(*(stems(text) for text in (asked, *titles, *places)))
        texts = [source for piece in shown for _, source in quotable(piece)]
        texts += [link.text for piece in shown for link in links_of(piece)]
        self._names = frozenset(name for text in texts for name in _names(text))
        told = [self._foreign(text) for text in texts]
        self._words = frozenset(word for text in told for word in text)
        self._pairs = frozenset(pair for text in told for pair in pairwise(text))

    def copies(self, note: str) -> bool:
        """Tell whether a note copies a page."""
        foreign = self._foreign(self._without_names(note))
        alone = foreign == self._foreign(note) and len(foreign) == 1
        return foreign[0] in self._words if alone else self._holds_pair(foreign)

    def copies_run(self, note: str) -> bool:
        """Tell whether a note copies two successive words of a page; names count here, and one word alone does not."""
        return self._holds_pair(self._foreign(note))

    def kept(self, notes: Sequence[str]) -> tuple[str, ...]:
        """Return the notes that are notes, tidied, each once: without addresses and without copies of pages."""
        tidy = (harmless(note) for note in notes)
        own = (note for note in tidy if note and not holds_address(note) and not self.copies(note))
        return tuple(dict.fromkeys(own))

    def _holds_pair(self, foreign: Sequence[str]) -> bool:
        return any(pair in self._pairs for pair in pairwise(foreign))

    def _without_names(self, note: str) -> str:
        """Return a note without the first NAMES names of the evidence in it."""
        rest, taken = harmless(note), 0
        for name, spelled in sorted(_runs(rest), key=lambda run: -len(run[0])):
            if taken < NAMES and name in self._names:
                rest, taken = rest.replace(spelled, " , ", 1), taken + 1
        return rest

    def _foreign(self, text: str) -> tuple[str, ...]:
        content = (word for word in words(harmless(text)) if word.casefold() not in STOP_WORDS)
        return tuple(stem for word in content for stem in stems(word) if stem not in self._known)


_CAPITAL = re.compile(r"[^\W\d_]\.(?:[^\W\d_]\.)*|[^\W_][\w'’-]*|&")


def _names(text: str) -> Iterator[tuple[str, ...]]:
    return (name for name, _ in _runs(harmless(text)))


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the names of a text, folded, each with its spelling: short runs of words that begin with a capital.

    The first word of a sentence may begin one by accident, so that the run without it is yielded, too.
    """
    run: list[re.Match[str]] = []
    for found in (*_CAPITAL.finditer(text), None):
        joined = not run or found is None or not text[run[-1].end() : found.start()].strip(" ")
        if found is not None and joined and _may_continue(found[0], begun=bool(run)):
            run.append(found)
            continue
        yield from _name(run, text)
        run = [found] if found is not None and _may_continue(found[0], begun=False) else []


def _may_continue(word: str, *, begun: bool) -> bool:
    return word[0].isupper() or (begun and (word[0].isdigit() or word.casefold() in _JOINING))


def _name(run: list[re.Match[str]], text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    while run and run[-1][0].casefold() in _JOINING:
        run = run[:-1]
    for part in (run, run[1:]):
        folded = tuple(found[0].casefold() for found in part)
        if not folded or len(folded) > NAME_WORDS or not part[0][0][0].isupper() or _is_shouted(part):
            continue
        if not any(map(_is_no_name, folded)):
            yield folded, text[part[0].start() : part[-1].end()]


def _is_shouted(run: Sequence[re.Match[str]]) -> bool:
    """Tell whether a run is in capitals throughout: where all is, none tells a name; a short word is an acronym."""
    return all(found[0].isupper() for found in run) and sum(len(found[0]) for found in run) > ACRONYM


def _is_no_name(word: str) -> bool:
    return (word in STOP_WORDS and word not in _JOINING) or stem(word) in _ORDERS
