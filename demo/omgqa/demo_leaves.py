"""The leaves of the demo articles by the ids that an agent sees, and what each of them says."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from demo_labels import HERE, Piece, read_drawn

from eval.accepted import normal
from eval.offline.metrics import content_of
from heliograph.types import Document, ImageEvidence, Leaf, TableEvidence, modality_of
from indexers.parser import parse_page
from indexers.render import render
from tools.zim import ZimArchive, build_snapshot


@cache
def articles() -> tuple[Document, ...]:
    """Parse the demo articles from an archive made of them, as `make demo` makes it.

    A page key ends in the hash of the page, so that ids are those of every archive made of the same articles.
    """
    with TemporaryDirectory() as folder:
        archive = Path(folder) / "demo.zim"
        build_snapshot([HERE.parent / "articles"], archive)
        return asyncio.run(_read(ZimArchive(archive)))


async def _read(archive: ZimArchive) -> tuple[Document, ...]:
    return tuple([parse_page(await archive.fetch(title)) for title in sorted(await archive.titles())])


def leaves_of(documents: Iterable[Document]) -> tuple[Leaf, ...]:
    """Return all leaves of all documents."""
    return tuple(leaf for document in documents for leaf in document.leaves)


def named(piece: Piece, leaves: Iterable[Leaf]) -> tuple[Leaf, ...]:
    """Return the leaves that a piece names, which should be one."""
    wanted = normal(piece.contains)
    same = (leaf for leaf in leaves if leaf.place.title == piece.title and modality_of(leaf) == piece.modality)
    return tuple(leaf for leaf in same if wanted in normal(content_of(leaf)))


def said(leaf: Leaf, drawn: Mapping[str, str]) -> str:
    """Return all that a leaf says, normalised: its place, caption, words and figures, and those in the picture."""
    parts = [leaf.place.title, *leaf.place.path, content_of(leaf)]
    match leaf:
        case TableEvidence(caption=caption, header=header):
            parts += [caption, *header]
        case ImageEvidence(source=source):
            parts.append(drawn[_picture(source)])
    return normal("; ".join(parts))


def said_nearby(leaf: Leaf) -> str:
    """Return what is shown of a leaf, with the text around an image, normalised."""
    return normal(render(leaf))


def holds(text: str, words: Iterable[str]) -> bool:
    """Tell whether a normalised text holds all words, each in one of its forms."""
    return all(any(_stands(form, text) for form in word.split("|")) for word in words)


def _stands(form: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(normal(form))}(?!\w|\.\d)", text) is not None


def drawn_words() -> dict[str, str]:
    """Return the words in the pictures, by file name."""
    return read_drawn()


def _picture(source: str) -> str:
    """Return the name under which a picture was drawn; the archive adds a hash to it."""
    return Path(source).stem.rpartition("-")[0]
