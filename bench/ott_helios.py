"""HELIOS over a corpus of OTT-QA, as the scripts that measure its stages need it: options, and what they are built to.

Vectors and postings are kept where `heliograph eval ott` keeps them, in the home folder.
"""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from eval.ott.building import HeliosParts, Searched, Workshop, build_helios
from eval.ott.evaluation import FOLDER
from eval.ott.linkers import edges_of_track
from eval.ott.models import Models, load_models, with_weights_beside
from eval.ott.reading import Scope, read_corpus
from eval.ott.recipe import Recipe, Track, digest_of_corpus
from eval.ott.scoring import Scorer
from heliograph.config import load_settings
from indexers.models.word_pieces import word_piece_ends

COLUMNS = ("AR@2", "AR@5", "AR@10", "AR@20", "AR@50", "nDCG@50", "HITS@4K")
"""Measures that are printed, in this order."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What questions are asked of, before anything is encoded."""

    searched: Searched
    models: Models
    folder: Path

    @property
    def scorer(self) -> Scorer:
        """What measures rankings of edges."""
        return Scorer(self.searched.corpus, "edge", word_piece_ends())

    async def parts(self, recipe: Recipe, stack: ExitStack) -> HeliosParts:
        """Build what HELIOS searches and scores with."""
        return await build_helios(recipe, self.searched, self.models, Workshop(self.folder, say, stack))


def options(first: int | None) -> argparse.ArgumentParser:
    """Return the options of both scripts; `first` is how many questions are asked where nothing is said."""
    ask = argparse.ArgumentParser()
    for name in ("data", "questions", "out"):
        ask.add_argument(f"--{name}", type=Path, required=True)
    ask.add_argument("--first", type=int, default=first)
    ask.add_argument("--scope", choices=get_args(Scope), default="full")
    ask.add_argument("--track", choices=get_args(Track), default="linked")
    ask.add_argument("--retriever", default="")
    return ask


def recipe_of(args: argparse.Namespace) -> Recipe:
    """Return HELIOS with all its stages; without links its own linker draws the edges."""
    return with_weights_beside(
        Recipe(
            scope=args.scope,
            track=args.track,
            linker="helios" if args.track == "unlinked" else "titles",
            tier="full",
            retriever=args.retriever,
        )
    )


def ground_of(data: Path, recipe: Recipe) -> Ground:
    """Read the corpus, link it, and find the models."""
    folder = load_settings({}).home / FOLDER
    models = load_models(recipe, folder)
    corpus = read_corpus(data, recipe.scope)
    digest = digest_of_corpus(corpus)
    edges = edges_of_track(corpus, digest, recipe, folder / "edges", say)
    return Ground(Searched(corpus, edges, digest), models, folder)


def say(words: str) -> None:
    """Tell how far it is."""
    print(words, file=sys.stderr)
