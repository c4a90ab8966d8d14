"""The edges of each track: given, by equal titles, or by entity linking without a look at the given ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.entity_links import entity_edges, kept_entity_edges
from eval.ott.linkers import edges_of_track
from eval.ott.recipe import Recipe
from eval.ott.title_links import title_edges
from heliograph.errors import StoreDamaged, StoreError

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


@pytest.mark.parametrize("content", [b"", b"no array"])
def test_a_file_that_holds_no_edges_is_named(corpus: OttCorpus, tmp_path: Path, content: bytes) -> None:
    kept_entity_edges(corpus, tmp_path, "corpus", lambda _: None)
    (path,) = tmp_path.iterdir()
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="delete it"):
        kept_entity_edges(corpus, tmp_path, "corpus", unsaid)
    np.save(path, np.zeros(3))
    with pytest.raises(StoreDamaged, match="holds no edges"):
        kept_entity_edges(corpus, tmp_path, "corpus", unsaid)


def test_a_folder_that_cannot_be_written_is_named(corpus: OttCorpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        kept_entity_edges(corpus, tmp_path / "file", "corpus", lambda _: None)
