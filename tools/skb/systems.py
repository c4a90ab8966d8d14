"""What ranks the entities of a base, by name: lexical, dense, late interaction, plans, and language models on top.

A name may say what finds entities for a reranker, as `llm:late-interaction:dense`. `plan:llm` is one system: its plans
are those of a language model.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from heliograph.errors import UnknownName, UsageError
from heliograph.protocols import LLM, Embedder, TokenEncoder
from heliograph.protocols.knowledge import EntityRetriever
from indexers.models.fingerprint import fingerprint
from indexers.models.onnx import OnnxEmbedder
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.semantic_parser import SHIPPED_PARSER
from indexers.pace import Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.candidates import Candidates
from tools.skb.dense_retrieval import DenseRetriever, Instruction, MultiVectorRetriever, instruction_of
from tools.skb.late_interaction_retrieval import LateInteractionRetriever
from tools.skb.llm_reranker import SCORED, LlmReranker
from tools.skb.planning.ablations import AS_SHIPPED, PARTS, PlanOptions
from tools.skb.planning.model import SHIPPED_LARGE_PLANNER, SHIPPED_PLANNER, read_plan_model
from tools.skb.planning.proposals import EMBEDDED_WHOLE

if TYPE_CHECKING:
    from tools.skb.planning.llm_planner import LlmPlanner
    from tools.skb.planning.retrieval import PlanRetriever

FIRST = "bm25-neighbours"
"""What finds entities for a reranker that no other system is named for."""


@dataclass(frozen=True)
class SystemModels:
    """The models that systems rank with; nothing is loaded before a system that needs it is named.

    Attributes:
        embedder, encoder: return the models of dense retrieval and of late interaction.
        instruction: what a query, or a document too, begins with when it is embedded; None is what its model was
            trained with.
        llm: scores entities; `llm_name` tells it from others.
        scored: entities that it scores.
        planner: weights of plans; None are those that ship for the size of a base.
        failures: counts the entities that it failed at, by the kind of error.
        outcomes: counts the queries that it planned, by what became of them.
        say: hears progress.
    """

    embedder: Callable[[], Embedder] = OnnxEmbedder
    encoder: Callable[[], TokenEncoder] = OnnxTokenEncoder
    instruction: str | Instruction | None = None
    llm: LLM | None = None
    llm_name: str = ""
    scored: int = SCORED
    planner: Path | None = None
    failures: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    say: Say = lambda _said: None

    @cached_property
    def embeds(self) -> Embedder:
        """Return the embedder, one for all systems."""
        return self.embedder()

    @cached_property
    def encodes(self) -> TokenEncoder:
        """Return the encoder, one for all systems."""
        return self.encoder()


VARIANTS: Mapping[str, PlanOptions] = {
    "plan-proposed": PlanOptions(embedded_whole=0),
    **{f"plan-without-{part}": PlanOptions(part) for part in PARTS},
}
"""The planner with vectors of proposed entities alone on a base of any size, and without one of its parts."""
PLANNING = frozenset({"plan", "plan:llm", *VARIANTS})
EMBEDDING = frozenset({"dense", "dense-max", "dense-top3", *PLANNING})
"""Systems that embed texts."""
ASKING = frozenset({"llm", "plan:llm"})
"""Systems that ask a language model."""

Builder = Callable[[BuiltKnowledgeBase, SystemModels], EntityRetriever]


def retriever_named(name: str, base: BuiltKnowledgeBase, models: SystemModels | None = None) -> EntityRetriever:
    """Return what ranks the entities of a base.

    Raises:
        UnknownName: there is no system of this name; the message names those there are.
        UsageError: it needs a language model, and none is set.
        ModelMissing: a model is not there.
    """
    models = models or SystemModels()
    *rerankers, last = parts_of(name)
    found = SYSTEMS[last](base, models)
    for each in reversed(rerankers):
        found = RERANKERS[each](base, found, models)
    return found


def label_of(name: str, models: SystemModels) -> str:
    """Return a system's name with those of its models, which changes when what it finds would.

    Raises:
        UnknownName: there is no system of this name.
    """
    parts = parts_of(name)
    told = []
    if any(each in EMBEDDING for each in parts):
        embedder = models.embeds.name
        own = instruction_of(embedder, models.instruction)
        told.append(f"{embedder}, queries after {own.query!r}" if own.query else embedder)
    if "late-interaction" in parts:
        told.append(models.encodes.name)
    if not PLANNING.isdisjoint(parts):
        weights = (models.planner,) if models.planner else (SHIPPED_PLANNER, SHIPPED_LARGE_PLANNER)
        told.append(f"plans {fingerprint((*weights, SHIPPED_PARSER / 'model.onnx'))}")
    if "llm" in parts:
        told.append(f"{models.llm_name}, {models.scored} scored")
    elif "plan:llm" in parts:
        told.append(models.llm_name)
    return f"{name} ({'; '.join(told)})" if told else name


def parts_of(name: str) -> tuple[str, ...]:
    """Return the rerankers that a name says, the one that has the last word first, and what finds entities for them.

    Raises:
        UnknownName: there is no system of this name; the message names those there are.
    """
    named = name.split(":")
    *rerankers, last = [*named[:-2], "plan:llm"] if named[-2:] == ["plan", "llm"] else named
    parts = (*rerankers, last, FIRST) if last in RERANKERS else (*rerankers, last)
    if last not in {*SYSTEMS, *RERANKERS} or not {*rerankers} <= {*RERANKERS}:
        raise UnknownName(
            f"no system {name!r} for a knowledge base; name one of {', '.join((*SYSTEMS, *RERANKERS))}, "
            f"or one on top of another such as llm:{FIRST}"
        )
    return parts


def _lexical(name: str) -> Builder:
    def build(base: BuiltKnowledgeBase, _models: SystemModels) -> EntityRetriever:
        from tools.skb.lexical_retrieval import RETRIEVERS  # bm25s takes 0.4 s to import

        return RETRIEVERS[name](base)

    return build


def _dense(base: BuiltKnowledgeBase, models: SystemModels) -> DenseRetriever:
    return DenseRetriever(base, models.embeds, models.instruction, models.say)


def _multi_vector(aggregation: Literal["max", "top3"]) -> Builder:
    return lambda base, models: MultiVectorRetriever(base, _dense(base, models), models.embeds, aggregation)


def plan_retriever(
    base: BuiltKnowledgeBase, models: SystemModels, options: PlanOptions = AS_SHIPPED
) -> "PlanRetriever":
    """Return retrieval by plans, with the parser that ships and weights of plans from `models.planner`.

    Raises:
        ModelMissing: a model is not there.
    """
    from indexers.models.semantic_parser import question_parser
    from tools.skb.lexical_retrieval import DocumentBm25, NeighbourBm25, TripleBm25  # bm25s takes 0.4 s to import
    from tools.skb.planning.retrieval import PlanRetriever, WordScorers

    return PlanRetriever(
        base,
        WordScorers(NeighbourBm25(base), DocumentBm25(base), TripleBm25(base)),
        vectors=_dense(base, models),
        embedder=models.embeds,
        parser=question_parser(""),
        model=read_plan_model(models.planner or planner_for(base)),
        options=options,
    )


def planner_for(base: BuiltKnowledgeBase) -> Path:
    """Return the weights that ship for bases of this size."""
    is_large = len(Candidates(base).numbers("")) > EMBEDDED_WHOLE
    return SHIPPED_LARGE_PLANNER if is_large else SHIPPED_PLANNER


def llm_planner(base: BuiltKnowledgeBase, models: SystemModels, *, required: bool = True) -> "LlmPlanner":
    """Return retrieval by plans of a language model, with learned ones behind them.

    Args:
        required: whether a server that does not answer ends a query.

    Raises:
        UsageError: no language model is set.
        ModelMissing: a model is not there.
    """
    from tools.skb.planning.llm_planner import LlmPlanner

    if models.llm is None:
        raise UsageError("plan:llm needs a language model; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL")
    learned = plan_retriever(base, models)
    return LlmPlanner(base, learned, models.llm, models.embeds, required=required, outcomes=models.outcomes)


def _late_interaction(base: BuiltKnowledgeBase, first: EntityRetriever, models: SystemModels) -> EntityRetriever:
    return LateInteractionRetriever(base, first, models.encodes)


def _llm(base: BuiltKnowledgeBase, first: EntityRetriever, models: SystemModels) -> EntityRetriever:
    if models.llm is None:
        raise UsageError("llm needs a language model; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL")
    return LlmReranker(base, first, models.llm, models.scored, models.failures)


SYSTEMS: Mapping[str, Builder] = {
    **{name: _lexical(name) for name in ("bm25", "bm25-neighbours", "bm25-fields")},
    "dense": _dense,
    "dense-max": _multi_vector("max"),
    "dense-top3": _multi_vector("top3"),
    "plan": plan_retriever,
    "plan:llm": llm_planner,
    **{name: partial(plan_retriever, options=options) for name, options in VARIANTS.items()},
}
RERANKERS: Mapping[str, Callable[[BuiltKnowledgeBase, EntityRetriever, SystemModels], EntityRetriever]] = {
    "late-interaction": _late_interaction,
    "llm": _llm,
}
