"""The models that a run names, looked for before anything slow begins."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

from agent.llm import ChatServers, RunModels
from agent.meter import Meter
from eval.ott.expansion_models import ExpansionRetrievers, expansion_retrievers, node_reranker
from eval.ott.recipe import FUSED_RERANKER, Recipe
from heliograph.config import NO_READER, Settings
from heliograph.errors import ModelMissing, UsageError
from heliograph.kept_settings import secrets
from heliograph.paths import expanded
from heliograph.protocols import LLM, Embedder, PairScorer, TokenEncoder
from heliograph.types import ModelRole
from indexers.database import ALONE
from indexers.edges.fusion import FusionWeights
from indexers.models.answer_choice import CHOICE_FILE, ChoiceWeights, read_choice
from indexers.models.cache import CachedEmbedder
from indexers.models.fingerprint import fingerprint
from indexers.models.onnx import OnnxEmbedder
from indexers.models.reader import SHIPPED_READER, Candidate, Piece, Reading
from indexers.models.rerankers import cross_encoder
from indexers.models.retrievers import fusion_weights, shipped_reader, token_encoder, weights_beside
from indexers.models.semantic_parser import question_parser
from memory.trace import SystemClock, TraceRecorder
from tools.arithmetic import TableReader

WEIGHTS = ".json"
"""How a file of weights of the fused reranker ends."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of the fused reranker, under a name that changes with them."""

    name: str
    weights: FusionWeights


class CandidateReader(Protocol):
    """Says what may answer a need in each of some candidates, in their order."""

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        """Return a reading for each candidate; blocks."""


@dataclass(frozen=True, slots=True)
class TrainedReader:
    """A trained reader and the weights of its choice, under a name that changes with either."""

    name: str
    reader: CandidateReader
    weights: ChoiceWeights


@dataclass(frozen=True, slots=True)
class Models:
    """What a recipe's method needs: token vectors for HELIOS, one vector a text for dense retrieval, a reranker.

    The reranker is a cross-encoder, `pairs`, or the weights of the fused one, or neither. `trained` is the trained
    reader. `nodes` picks the seeds of expansion and `expansion` finds what lies one edge on, where they are not left to
    the others.
    """

    encoder: TokenEncoder | None = None
    embedder: Embedder | None = None
    pairs: PairScorer | None = None
    fusion: Fusion | None = None
    nodes: PairScorer | None = None
    expansion: ExpansionRetrievers | None = None
    trained: TrainedReader | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models, which change when what they give would."""
        searching = (self.encoder, self.embedder, self.pairs, self.fusion)
        models = (*searching, self.nodes, self.expansion, self.trained)
        return tuple(model.name for model in models if model is not None)


def load_models(recipe: Recipe, folder: Path, reader: str = "") -> Models:
    """Find the models of a recipe; vectors of texts are kept in `folder`.

    `reader` is the folder of the trained reader, empty for the one that ships.

    Raises:
        ModelMissing: one is not there.
    """
    found = _retrieving(recipe, folder)
    if recipe.reader == "trained":
        return replace(found, trained=trained_reader(reader))
    return found


def _retrieving(recipe: Recipe, folder: Path) -> Models:
    match recipe.method:
        case "helios":
            return _expanding(recipe, _reranking(recipe, retriever_named(recipe.retriever)))
        case "dense":
            return Models(embedder=CachedEmbedder(OnnxEmbedder(), folder / "embeddings.sqlite", ALONE))
        case "bm25" | "late-fusion":
            return Models()


def _reranking(recipe: Recipe, encoder: TokenEncoder) -> Models:
    if not recipe.has("reranker"):
        return Models(encoder)
    if recipe.reranker == FUSED_RERANKER or recipe.reranker.endswith(WEIGHTS):
        return Models(encoder, fusion=fusion(recipe, encoder.name))
    return Models(encoder, pairs=cross_encoder(recipe.reranker, "--reranker", "edge-reranker"))


def _expanding(recipe: Recipe, others: Models) -> Models:
    """Add the models of node expansion that a recipe names."""
    if not recipe.has("expansion"):
        return others
    return replace(
        others,
        nodes=node_reranker(recipe.node_reranker) if recipe.node_reranker else None,
        expansion=expansion_retrievers(recipe.expansion_retrievers) if recipe.expansion_retrievers else None,
    )


def trained_reader(name: str) -> TrainedReader:
    """Return the reader of a folder, or the one that ships where the setting names none.

    One candidate is read, so that a damaged model is found before the first question, and no question's seconds have
    the loading of it.

    Raises:
        ModelMissing: it is not there, cannot be loaded, or has no weights that were chosen for it.
    """
    folder = SHIPPED_READER if name in ("", NO_READER) else expanded(name)
    choice = folder / CHOICE_FILE
    try:
        reader = shipped_reader(folder)
        reader.read("?", [Candidate(Piece("?"))])
        return TrainedReader(f"{reader.name}-{fingerprint([choice])}", reader, read_choice(choice, reader.name))
    except ModelMissing as err:
        raise ModelMissing(f"{err}; correct HELIOGRAPH_READER, or give another --reader") from err


def with_weights_beside(recipe: Recipe) -> Recipe:
    """Rerank by the weights that stand beside the retriever, where there are any and edges are ranked."""
    ranks_edges = recipe.method == "helios" and recipe.units == "edge"
    return (
        replace(recipe, reranker=FUSED_RERANKER)
        if ranks_edges and weights_beside(recipe.retriever).is_file()
        else recipe
    )


def retriever_named(name: str) -> TokenEncoder:
    """Return the edge retriever of a run or of a training.

    Raises:
        ModelMissing: it is not there.
    """
    return token_encoder(name, "--retriever", "try --method bm25")


def fusion(recipe: Recipe, retriever: str) -> Fusion:
    """Return the weights of a recipe's fused reranker: those of its file, or those that stand beside its retriever.

    Raises:
        ModelMissing: there are none, or they were fitted to another retriever.
    """
    named = recipe.reranker != FUSED_RERANKER
    path = expanded(recipe.reranker) if named else weights_beside(recipe.retriever)
    weights = fusion_weights(path, retriever)
    return Fusion(f"fusion-{fingerprint([path])}", weights)


@asynccontextmanager
async def language_models(
    settings: Settings, folder: Path, roles: Sequence[ModelRole]
) -> AsyncIterator[Mapping[ModelRole, LLM]]:
    """Open the language model of the settings in some roles; what it is asked is traced in `folder`.

    Raises:
        ModelUnreachable: nobody is there.
    """
    if not roles:
        yield {}
        return
    with TraceRecorder(folder, folder.name, SystemClock(), secrets(settings)) as recorder:
        async with ChatServers(secrets(settings)) as servers:
            models = RunModels(servers, recorder, Meter())
            llms = {role: models.llm(settings.llm, role) for role in roles}
            await models.prepare()
            yield llms


def language_model_named(settings: Settings) -> str:
    """Return the name of the model that `language_models` opens.

    Raises:
        UsageError: the settings have none.
    """
    if not settings.llm.base_url:
        raise UsageError("no language model is set; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL")
    return settings.llm.model


def reading_model_named(settings: Settings) -> str:
    """Return the name of the same model with its context, which decides how much of a ranking it reads.

    Raises:
        UsageError: the settings have none.
    """
    return f"{language_model_named(settings)}, context of {settings.llm.context_tokens} tokens"


@cache
def table_reader() -> TableReader:
    """Return the reader of tables with the parser that ships; one, for its model is loaded once."""
    return TableReader(question_parser(""))
