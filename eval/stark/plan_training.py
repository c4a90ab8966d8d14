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
from tools.skb.planning.model import FEATURES, TEXTS, Floats, PlanModel, ScoredPlan, read_plan_model
from tools.skb.planning.retrieval import PlanRetriever
from tools.skb.systems import SystemModels, plan_retriever

DECAY = 0.001
"""How dear a large weight is."""
NEAR_DECAY = 0.01
"""How dear a weight is that is far from that of a model to stay near."""
STEPS = 60
"""Of L-BFGS, each with its line search."""
FIRST_TEXTS = (3.0, 2.0, 1.0, 1.0, 4.0)
"""Weights of texts to begin from: from nought the plans that lead to few entities would be learned first, and alone."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The plans of one query, and the entities that answer it, by number."""

    plans: tuple[ScoredPlan, ...]
    answers: tuple[int, ...]


async def learn_from(
    sets: Sequence[tuple[Path, Path]],
    first: int | None,
    start: Path | None,
    out: Path,
    say: Say,
    near: Path | None = None,
) -> str:
    """Train on queries over bases and write the weights; return what to say of it.

    Args:
        sets: folders of bases, each with the queries over it.
        first: queries of each that are learned from, by the sha256 of their ids; all if None.
        start: weights that choose which plans are tried; those that ship for each base if None.
        out: where the weights go.
        say: hears progress.
        near: weights that the new ones stay near, where few queries over one base teach; none if None.

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
        retriever = plan_retriever(base, SystemModels(planner=start, say=say))
        lessons += await lessons_of(base, retriever, queries, say)
        learned.append(f"{len(queries):,} queries of {path.name} over {base.name}")
    if not lessons:
        raise UsageError("no query has an answer in its base; pair each --queries with the --skb that it was made for")
    model = await asyncio.to_thread(train_plan_model, lessons, say, read_plan_model(near) if near else None)
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


def train_plan_model(
    lessons: Sequence[Lesson], say: Say = lambda _said: None, near: PlanModel | None = None
) -> PlanModel:
    """Return the weights that make answers most probable, each lesson counting alike; near those of a model if given.

    Raises:
        UsageError: PyTorch is not installed.
    """
    torch = loaded_torch()
    first = np.concatenate((near.plans, near.texts)) if near else np.array([0.0] * len(FEATURES) + list(FIRST_TEXTS))
    middle, decay = (first, NEAR_DECAY) if near else (np.zeros_like(first), DECAY)
    weights = torch.tensor(first.tolist(), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe")
    pace = Pace("steps", STEPS, say)

    def loss() -> object:
        own = weights.detach().numpy()
        total, slope = mean_loss(PlanModel(own[: len(FEATURES)], own[len(FEATURES) :]), lessons)
        weights.grad = torch.tensor(slope + 2 * decay * (own - middle))
        pace.done(min(STEPS, optimiser.state[weights].get("n_iter", 0)))
        return torch.tensor(total + decay * float((own - middle) @ (own - middle)), dtype=torch.float64)

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
