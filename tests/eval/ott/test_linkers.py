"""The edges of each track: given, by equal titles, or by entity linking without a look at the given ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.entity_links import EDGES, entity_edges, kept_entity_edges
from eval.ott.linkers import edges_of_track
from eval.ott.recipe import Recipe
from eval.ott.title_links import title_edges
from heliograph.errors import StoreError
from indexers.offline.filesets import MANIFEST

UNLINKED = Recipe(track="unlinked")


def unsaid(_: str) -> None:
    raise AssertionError("links were drawn again")


def test_each_track_has_edges_of_its_own(corpus: OttCorpus, tmp_path: Path) -> None:
    said: list[str] = []
    found = [
        edges_of_track(corpus, "corpus", recipe, tmp_path, said.append).tolist()
        for recipe in (Recipe(), UNLINKED, replace(UNLINKED, linker="helios"))
    ]
    assert found == [corpus.edges.tolist(), title_edges(corpus).tolist(), entity_edges(corpus).tolist()]
    assert said == ["indexing the names of 4 passages", said[-1]]
    assert said[-1].startswith("tables linked: 2 of 2, ")


def test_entities_are_linked_by_their_names_whatever_the_given_links(corpus: OttCorpus) -> None:
    edges = entity_edges(corpus)
    assert {(0, 1), (1, 2), (3, 1)} <= set(map(tuple, edges.tolist()))
    assert set(edges[:, 0].tolist()) == set(range(corpus.rows))
    assert edges.dtype == np.int32
    unlinked = replace(corpus, links=corpus.links[:0], edges=corpus.edges[:0])
    assert entity_edges(unlinked).tolist() == edges.tolist()


def test_without_passages_every_row_stands_alone(corpus: OttCorpus) -> None:
    none = replace(corpus.passages, ids=(), titles=())
    alone = replace(corpus, passages=none, links=corpus.links[:0], edges=corpus.edges[:0])
    assert entity_edges(alone).tolist() == [[row, NO_PASSAGE] for row in range(corpus.rows)]


def test_edges_are_drawn_once_for_a_corpus(corpus: OttCorpus, tmp_path: Path) -> None:
    first = kept_entity_edges(corpus, tmp_path, "corpus", lambda _: None)
    assert kept_entity_edges(corpus, tmp_path, "corpus", unsaid).tolist() == first.tolist()
    with pytest.raises(AssertionError, match="drawn again"):
        kept_entity_edges(corpus, tmp_path, "another", unsaid)


@pytest.mark.parametrize("kind", ["altered", "cut", "no array", "gone"])
@pytest.mark.parametrize("name", [EDGES, MANIFEST])
def test_edges_that_were_altered_are_drawn_again_and_it_is_said(
    corpus: OttCorpus, tmp_path: Path, name: str, kind: str
) -> None:
    first = kept_entity_edges(corpus, tmp_path, "corpus", lambda _: None)
    (path,) = tmp_path.glob(f"*/{name}")
    content = path.read_bytes()
    altered = {"altered": content[:-1] + b"\x07", "cut": content[:-1], "no array": b"no array"}
    path.unlink() if kind == "gone" else path.write_bytes(altered[kind])
    said: list[str] = []
    assert kept_entity_edges(corpus, tmp_path, "corpus", said.append).tolist() == first.tolist()
    assert said[0].endswith("it is made again")
    assert kept_entity_edges(corpus, tmp_path, "corpus", unsaid).tolist() == first.tolist()


def test_a_folder_that_cannot_be_written_is_named(corpus: OttCorpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        kept_entity_edges(corpus, tmp_path / "file", "corpus", lambda _: None)
