"""Postings of a corpus on disk: mapped when it is searched again, and built again where they are not whole."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.postings import OttPostings, Say
from indexers.edges.postings import Postings
from indexers.offline.filesets import whole, writing
from indexers.offline.postings import map_postings, write_postings

WORDS = "words"


def kept_postings(corpus: OttCorpus, folder: Path, say: Say) -> OttPostings:
    """Return the postings of a corpus, built unless the folder has them whole.

    Raises:
        StoreFull | StoreError: the folder cannot be written.
    """
    passages = len(corpus.passages.ids)
    sides = {"rows": (corpus.row_text, corpus.rows), "passages": (corpus.passage_text, passages)}
    kept = {
        side: _kept(folder / side, length, partial(map, text, range(length)), say)
        for side, (text, length) in sides.items()
    }
    return OttPostings(kept["rows"], kept["passages"])


def _kept(folder: Path, length: int, texts: Callable[[], Iterable[str]], say: Say) -> Postings:
    if not whole(folder, say):
        say(f"indexing the words of {length:,} {folder.name}")
        with writing(folder) as draft:
            write_postings(draft.path / WORDS, Postings.build(texts()))
    return map_postings(folder / WORDS)
