"""Postings on disk: arrays that are mapped, not read, when a corpus is searched again.

The manifest is written last and has a checksum of every file, so what a killed process left is no index, and what was
altered since is found; either is built again.
"""

import json
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np

from eval.ott.corpus import OttCorpus
from eval.ott.postings import OttPostings, Say
from heliograph.errors import StoreDamaged
from heliograph.storage import storage_error
from indexers.edges.postings import Postings

SCHEMA = "heliograph.postings/1"
MANIFEST = "manifest.json"
ARRAYS = ("starts", "nodes", "counts", "lengths")
WORDS = "words"
PIECE = 1 << 24
"""Bytes of a file that are in memory while its checksum is reckoned."""


def kept_postings(corpus: OttCorpus, folder: Path, say: Say) -> OttPostings:
    """Return the postings of a corpus, built unless the folder has them whole.

    Raises:
        StoreFull | StoreError: the folder cannot be written.
    """
    passages = len(corpus.passages.ids)
    sides = {"rows": (corpus.row_text, corpus.rows), "passages": (corpus.passage_text, passages)}
    built = {
        side: _kept(folder / side, length, partial(map, text, range(length)), say)
        for side, (text, length) in sides.items()
    }
    return OttPostings(built["rows"], built["passages"])


def _kept(folder: Path, length: int, texts: Callable[[], Iterable[str]], say: Say) -> Postings:
    try:
        found = load_postings(folder)
        if found is not None:
            return found
    except StoreDamaged as err:
        say(f"{err}; it is built again")
    say(f"indexing the words of {length:,} {folder.name}")
    built = Postings.build(texts())
    save_postings(built, folder)
    return built


def save_postings(postings: Postings, folder: Path) -> None:
    """Write postings to a folder, over what is there.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    words = "\n".join(postings.numbers).encode("utf-8", "surrogatepass")
    arrays = {name: getattr(postings, name) for name in ARRAYS}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, array in {**arrays, WORDS: np.frombuffer(words, np.uint8)}.items():
            np.save(folder / f"{name}.npy", array)
        sums = {name: _checksum(folder / f"{name}.npy") for name in (*ARRAYS, WORDS)}
        fresh = folder / f"{MANIFEST}.new"
        fresh.write_text(json.dumps({"schema": SCHEMA, "checksums": sums}), encoding="ascii")
        fresh.replace(folder / MANIFEST)
    except OSError as err:
        raise storage_error(err, folder) from err


def load_postings(folder: Path) -> Postings | None:
    """Map the postings of a folder; None where it holds none, or none that were finished.

    Raises:
        StoreDamaged: a file is missing or is not what was written.
    """
    if not (folder / MANIFEST).exists():
        return None
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="ascii"))
        sums = {name: _checksum(folder / f"{name}.npy") for name in (*ARRAYS, WORDS)}
        if manifest != {"schema": SCHEMA, "checksums": sums}:
            raise StoreDamaged(f"the index of words in {folder} was altered")
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
        words = np.load(folder / f"{WORDS}.npy", allow_pickle=False).tobytes().decode("utf-8", "surrogatepass")
    except (OSError, ValueError) as err:
        raise StoreDamaged(f"the index of words in {folder} cannot be read ({type(err).__name__})") from err
    return Postings({word: number for number, word in enumerate(filter(None, words.split("\n")))}, **arrays)


def _checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            total = zlib.crc32(piece, total)
    return total
