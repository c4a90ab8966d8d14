"""The models that a run names, looked for before anything slow begins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from agent.llm import ChatServers, RunModels
from agent.meter import Meter
from eval.ott.recipe import FUSED_RERANKER, Recipe
from heliograph.config import Settings
from heliograph.errors import UsageError
from heliograph.kept_settings import secrets
from heliograph.protocols import LLM, Embedder, PairScorer, TokenEncoder
from indexers.edges.fusion import FusionWeights
from indexers.models.cache import CachedEmbedder
from indexers.models.fingerprint import fingerprint
from indexers.models.onnx import OnnxEmbedder
from indexers.models.pairs import CrossEncoderScorer
from indexers.models.retrievers import fusion_weights, refuse_missing_folder, token_encoder, weights_beside
from memory.trace import SystemClock, TraceRecorder

WEIGHTS = ".json"
"""How a file of weights of the fused reranker ends."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of the fused reranker, under a name that changes with them."""

    name: str
    weights: FusionWeights


@dataclass(frozen=True, slots=True)
class Models:
    """What a recipe's method needs: token vectors for HELIOS, one vector a text for dense retrieval, a reranker.

    The reranker is a cross-encoder, `pairs`, or the weights of the fused one, or neither.
    """

    encoder: TokenEncoder | None = None
    embedder: Embedder | None = None
    pairs: PairScorer | None = None
    fusion: Fusion | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models, which change when what they give would."""
        models = (self.encoder, self.embedder, self.pairs, self.fusion)
        return tuple(model.name for model in models if model is not None)


def load_models(recipe: Recipe, folder: Path) -> Models:
    """Find the models of a recipe; vectors of texts are kept in `folder`.

    Raises:
        ModelMissing: one is not there.
    """
    match recipe.method:
        case "helios":
            encoder = retriever_named(recipe.retriever)
            if not recipe.has("reranker"):
                return Models(encoder)
            if recipe.reranker == FUSED_RERANKER or recipe.reranker.endswith(WEIGHTS):
                return Models(encoder, fusion=fusion(recipe, encoder.name))
            refuse_missing_folder(recipe.reranker, "--reranker")
            return Models(encoder, pairs=CrossEncoderScorer(recipe.reranker))
        case "dense":
            return Models(embedder=CachedEmbedder(OnnxEmbedder(), folder / "embeddings.sqlite"))
        case "bm25" | "late-fusion":
            return Models()


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
    path = Path(recipe.reranker).expanduser() if named else weights_beside(recipe.retriever)
    weights = fusion_weights(path, retriever)
    return Fusion(f"fusion-{fingerprint([path])}", weights)


@asynccontextmanager
async def refining_model(settings: Settings, folder: Path) -> AsyncIterator[LLM]:
    """Open the language model of the settings for refinement; what it is asked is traced in `folder`.

    Raises:
        ModelUnreachable: nobody is there.
    """
    with TraceRecorder(folder, folder.name, SystemClock(), secrets(settings)) as recorder:
        async with ChatServers() as servers:
            models = RunModels(servers, recorder, Meter())
            llm = models.llm(settings.llm, "refine")
            await models.prepare()
            yield llm


def refining_name(settings: Settings) -> str:
    """Return the name of the model that `refining_model` opens.

    Raises:
        UsageError: the settings have none.
    """
    if not settings.llm.base_url:
        raise UsageError("no language model is set; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL")
    return settings.llm.model
