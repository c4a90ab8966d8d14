"""The edges of the two tracks: given links, or those that a linker draws without seeing them."""

from pathlib import Path

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.entity_links import kept_entity_edges
from eval.ott.recipe import Recipe
from eval.ott.title_links import title_edges
from indexers.pace import Say


def edges_of_track(corpus: OttCorpus, digest: str, recipe: Recipe, folder: Path, say: Say) -> Numbers:
    """Return the edges that retrieval may use; links that took long to draw are kept in `folder`.

    Raises:
        StoreError: they cannot be kept.
    """
    if recipe.track == "linked":
        return corpus.edges
    match recipe.linker:
        case "titles":
            return title_edges(corpus)
        case "helios":
            return kept_entity_edges(corpus, folder, digest, say)
