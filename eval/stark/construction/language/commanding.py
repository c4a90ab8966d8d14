"""`heliograph eval stark construct --by model`: from a base and the settings to queries, with a folder that keeps all.

The folder has the trace, the replies by model, and a line per draft; its replies serve any later run in it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.stark.construction.constructor import ConstructedQuery, construct
from eval.stark.construction.language.endpoints import ANOTHER, StepChoice, endpoints_of, opened_models
from eval.stark.construction.language.outcomes import (
    DraftFigures,
    draft_figures,
    draft_lines,
    figures_text,
    queries_of,
)
from eval.stark.construction.language.pipeline import ModelConstruction, construct_by_model
from eval.stark.construction.quality import SetQuality, quality_text, set_quality
from heliograph.config import Settings
from heliograph.errors import ModelMalformed, UsageError
from heliograph.protocols import EntityRetriever
from indexers.lock import WriterLock
from indexers.pace import Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from memory.trace.disk import write_lines

DRAFTS = "drafts.jsonl"


@dataclass(frozen=True, slots=True)
class ModelSet:
    """Queries by language models, the figures of their drafts, and those of a set by rule to hold them against.

    `by_rule` is of the same half, count and seed; None where the base yields no such set.
    """

    queries: Sequence[ConstructedQuery]
    figures: DraftFigures
    by_rule: SetQuality | None

    def text(self, quality: SetQuality) -> str:
        """Return all figures in words."""
        parts = [figures_text(self.figures), quality_text(quality)]
        if self.by_rule:
            parts.append(f"by rule, same half, count and seed:\n{quality_text(self.by_rule)}")
        return "\n\n".join(parts)

    def as_json(self, quality: SetQuality) -> str:
        """Return all figures as a JSON object: those of a set by rule, `drafts`, and `by_rule`."""
        rule = asdict(self.by_rule) if self.by_rule else None
        return json.dumps({**asdict(quality), "drafts": asdict(self.figures), "by_rule": rule}, indent=1)


async def make_by_model(
    base: BuiltKnowledgeBase,
    wanted: ModelConstruction,
    choice: StepChoice,
    settings: Settings,
    folder: Path,
    lexical: EntityRetriever,
    say: Say,
) -> ModelSet:
    """Make queries, go on where an earlier call was stopped, and take the figures of the drafts.

    Args:
        base: what they are of.
        wanted: what is to be made.
        choice: the models of the steps.
        settings: where their servers are.
        folder: for the trace, replies and drafts.
        lexical: BM25 with neighbours' names.
        say: how far it is.

    Raises:
        UsageError: no model is set, or no draft becomes a query.
        ModelError: a model cannot be asked, and what it replied to is kept; or no reply is usable.
        StoreLocked | StoreFull | StoreError: the folder cannot be written.
    """
    endpoints = endpoints_of(choice, settings)
    with WriterLock(folder, ANOTHER):
        async with opened_models(endpoints, settings, folder) as models:
            outcomes = await construct_by_model(base, wanted, models, say)
        write_lines(folder / DRAFTS, draft_lines(outcomes), ANOTHER)
    queries, figures = queries_of(outcomes), draft_figures(outcomes)
    if not queries and set(figures.dropped) == {"reply"}:
        raise ModelMalformed(
            f"none of {figures.drafts:,} drafts has a usable reply; {folder / DRAFTS} has what the model wrote; name a "
            "model that keeps to a JSON schema"
        )
    if not queries:
        raise UsageError(
            f"no draft became a query: {figures_text(figures)}; {folder / DRAFTS} has the reasons; "
            "try a stronger model, or another --seed"
        )
    if len(queries) < wanted.wanted.count:
        say(f"{len(queries):,} of {wanted.wanted.count:,} queries; {folder / DRAFTS} has what the other drafts lack")
    return ModelSet(queries, figures, await _by_rule(base, wanted, lexical))


async def _by_rule(base: BuiltKnowledgeBase, wanted: ModelConstruction, lexical: EntityRetriever) -> SetQuality | None:
    try:
        queries = await construct(base, wanted.wanted)
    except UsageError:
        return None
    return await set_quality(queries, base, lexical)
