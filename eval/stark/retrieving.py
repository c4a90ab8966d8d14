"""The system that a run names, with the models of the settings."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from agent.assembly.backends import build_embedder
from eval.ott.models import language_models, reading_model_named
from heliograph.config import Endpoint, Settings
from heliograph.errors import UsageError
from heliograph.protocols.knowledge import EntityRetriever
from indexers.models.named import refuse_missing
from indexers.models.onnx import OnnxEmbedder
from indexers.models.retrievers import token_encoder
from indexers.pace import Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.dense_retrieval import instruction_beside
from tools.skb.llm_reranker import SCORED
from tools.skb.systems import ASKING, EMBEDDING, SystemModels, label_of, parts_of, retriever_named

ROLE: Literal["rerank"] = "rerank"


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """Which system is measured, and with which models in place of those of the settings.

    Attributes:
        embedding: a model by its folder, by its name on the hub, or by that of the server of the settings.
        query_instruction: what a query begins with when it is embedded.
        late_interaction: a late-interaction model by its folder or its name on the hub.
        scored: entities that a language model scores.
    """

    name: str
    embedding: str = ""
    query_instruction: str | None = None
    late_interaction: str = ""
    scored: int = SCORED


@dataclass(frozen=True, slots=True)
class OpenSystem:
    """A system under the name that its results have.

    `failures` counts entities that a language model failed at, `outcomes` queries that it planned.
    """

    label: str
    retriever: EntityRetriever
    failures: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)


@asynccontextmanager
async def open_system(
    choice: SystemChoice, base: BuiltKnowledgeBase, settings: Settings, trace: Path | None, say: Say
) -> AsyncIterator[OpenSystem]:
    """Open a system; calls of a language model are traced in the folder `trace`, if there is one.

    Raises:
        UnknownName: there is none of this name.
        UsageError: it has no use for an option, or needs a language model and none is set.
        ModelError: a model is not there.
    """
    parts = parts_of(choice.name)
    _refuse_idle(choice, parts)
    embed = _embedding(choice, settings)
    async with AsyncExitStack() as opened:
        models = SystemModels(
            embedder=partial(build_embedder, embed, OnnxEmbedder()),
            encoder=partial(token_encoder, choice.late_interaction, "--late-interaction-model", "another --system"),
            instruction=instruction_beside("" if embed.base_url else embed.model, choice.query_instruction),
            scored=choice.scored,
            say=say,
        )
        if not ASKING.isdisjoint(parts):
            models = await _with_language_model(models, settings, trace, opened)
        retriever = retriever_named(choice.name, base, models)
        yield OpenSystem(label_of(choice.name, models), retriever, models.failures, models.outcomes)


def _refuse_idle(choice: SystemChoice, parts: Sequence[str]) -> None:
    dense = not EMBEDDING.isdisjoint(parts)
    idle = {
        "--embedding": choice.embedding and not dense,
        "--query-instruction": choice.query_instruction is not None and not dense,
        "--late-interaction-model": choice.late_interaction and "late-interaction" not in parts,
        "--scored": choice.scored != SCORED and "llm" not in parts,
    }
    if named := [option for option, is_idle in idle.items() if is_idle]:
        raise UsageError(f"the system {choice.name} has no use for {' and '.join(named)}; leave it away")


def _embedding(choice: SystemChoice, settings: Settings) -> Endpoint:
    """Return where vectors come from: the settings, with the model that is named in place of theirs."""
    if not choice.embedding:
        return settings.embed
    if not settings.embed.base_url:
        refuse_missing(choice.embedding, "--embedding")
    return settings.embed.model_copy(update={"model": choice.embedding})


async def _with_language_model(
    models: SystemModels, settings: Settings, trace: Path | None, opened: AsyncExitStack
) -> SystemModels:
    asked = settings.model_copy(update={"llm": settings.endpoint(ROLE) or settings.llm})
    name = reading_model_named(asked)
    folder = trace or Path(opened.enter_context(TemporaryDirectory(prefix="heliograph-")))
    llms = await opened.enter_async_context(language_models(asked, folder, (ROLE,)))
    return replace(models, llm=llms[ROLE], llm_name=name)
