"""Training of the model of plans from queries and their answers alone: no plan is labelled."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.drawing import Draw
from eval.stark.candidates import answers_in
from eval.stark.queries import StarkQuery, read_queries
from heliograph.errors import UsageError
from heliograph.storage import storage_error
from indexers.models.pytorch import loaded_torch
from indexers.pace import Pace, Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.skb.planning.model import FEATURES, SHIPPED_PLANNER, TEXTS, Floats, PlanModel, ScoredPlan
from tools.skb.planning.retrieval import PlanRetriever
from tools.skb.systems import SystemModels, plan_retriever

DECAY = 0.001
"""How dear a large weight is."""
STEPS = 60
"""Of L-BFGS, each with its line search."""
FIRST_TEXTS = (3.0, 2.0, 4.0)
"""Weights of texts to begin from: from nought the plans that lead to few entities would be learned first, and alone."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The plans of one query, and the entities that answer it, by number."""

    plans: tuple[ScoredPlan, ...]
    answers: tuple[int, ...]


async def learn_from(
    sets: Sequence[tuple[Path, Path]], first: int | None, start: Path | None, out: Path, say: Say
) -> str:
    """Train on queries over bases and write the weights; return what to say of it.

    Args:
        sets: folders of bases, each with the queries over it.
        first: queries of each that are learned from, by the sha256 of their ids; all if None.
        start: weights that choose which plans are tried; those that ship if None.
        out: where the weights go.
        say: hears progress.

    Raises:
        UsageError: a base or queries are not there, PyTorch is not, or no query has an answer in its base.
        ModelMissing: a model is not there.
        StoreFull | StoreError: the file cannot be written.
    """
    loaded_torch()
    lessons, learned = list[Lesson](), list[str]()
    for folder, path in sets:
        base = open_base(folder)
        queries = Draw(first=first).of(read_queries(path), lambda each: each.id)
        retriever = plan_retriever(base, SystemModels(planner=start or SHIPPED_PLANNER, say=say))
        lessons += await lessons_of(base, retriever, queries, say)
        learned.append(f"{len(queries):,} queries of {path.name} over {base.name}")
    if not lessons:
        raise UsageError("no query has an answer in its base; pair each --queries with the --skb that it was made for")
    model = await asyncio.to_thread(train_plan_model, lessons, say)
    write_plan_model(model, out, learned)
    return f"loss {mean_loss(model, lessons)[0]:.3f} over {len(lessons):,} plannings of {'; '.join(learned)}"


async def lessons_of(
    base: BuiltKnowledgeBase, retriever: PlanRetriever, queries: Sequence[StarkQuery], say: Say = lambda _said: None
) -> tuple[Lesson, ...]:
    """Plan queries, each with the type of its answers where it says one, and again without it.

    Queries whose answers the base does not have, and those without any plan, teach nothing.
    """
    found, pace = list[Lesson](), Pace("queries planned", len(queries), say)
    for number, query in enumerate(queries, start=1):
        answers = tuple(sorted((await answers_in(base, query)).numbers))
        known = query.answer_type if query.answer_type in base.entity_types else ""
        for type in dict.fromkeys((known, "")):
            planned = await retriever.plan(query.text, type)
            if answers and planned.plans:
                found.append(Lesson(tuple(each.scored for each in planned.plans), answers))
        pace.done(number)
    return tuple(found)


def train_plan_model(lessons: Sequence[Lesson], say: Say = lambda _said: None) -> PlanModel:
    """Return the weights that make answers most probable, each lesson counting alike.

    Raises:
        UsageError: PyTorch is not installed.
    """
    torch = loaded_torch()
    weights = torch.tensor([0.0] * len(FEATURES) + list(FIRST_TEXTS), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe")
    pace = Pace("steps", STEPS, say)

    def loss() -> object:
        own = weights.detach().numpy()
        total, slope = mean_loss(PlanModel(own[: len(FEATURES)], own[len(FEATURES) :]), lessons)
        weights.grad = torch.tensor(slope + 2 * DECAY * own)
        pace.done(min(STEPS, optimiser.state[weights].get("n_iter", 0)))
        return torch.tensor(total + DECAY * float(own @ own), dtype=torch.float64)

    optimiser.step(loss)
    own = weights.detach().numpy()
    return PlanModel(own[: len(FEATURES)], own[len(FEATURES) :])


def mean_loss(model: PlanModel, lessons: Sequence[Lesson]) -> tuple[float, Floats]:
    """Return the mean loss of lessons, and its gradient by the weights of plans and then of texts."""
    total, slope = 0.0, np.zeros(len(FEATURES) + len(TEXTS))
    for each in lessons:
        one, by_plan, by_text = model.loss(each.plans, each.answers)
        total += one / len(lessons)
        slope += np.concatenate((by_plan, by_text)) / len(lessons)
    return total, slope


def write_plan_model(model: PlanModel, path: Path, learned_from: Sequence[str]) -> None:
    """Write weights as JSON, with what they were learned from, in one move: a kill in the middle leaves those before.

    Raises:
        StoreFull | StoreError: the file cannot be written.
    """
    said = {
        "learned_from": list(learned_from),
        "plans": dict(zip(FEATURES, np.round(model.plans, 4).tolist(), strict=True)),
        "texts": dict(zip(TEXTS, np.round(model.texts, 4).tolist(), strict=True)),
    }
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(json.dumps(said, indent=1) + "\n", encoding="utf8")
        fresh.replace(path)
    except OSError as err:
        raise storage_error(err, path, "name another file with --out") from err
