"""What becomes of the drafts of a language model: a query, or a reason why there is none; and their figures."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from eval.stark.construction.constructor import ConstructedQuery
from eval.stark.construction.language.relational_drafts import RelationalDraft

Reason = Literal["reply", "properties", "words", "named", "gold", "answers", "twin"]
"""In the order in which a draft meets them: no usable reply; no property that its document states; a query that lacks
a name, a figure or every property; one that names an answer; its gold entity not accepted; too many answers; a query
that is there already."""
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class Dropped:
    """Why a draft becomes no query."""

    reason: Reason
    said: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """The candidates that every filter accepts.

    Attributes:
        accepted: their numbers, in ascending order.
        judged: candidates that were shown to a filter.
        unread: of these, how many a filter had no usable reply for; they are not accepted.
    """

    accepted: tuple[int, ...]
    judged: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A draft, how far it came, and the query or the reason why there is none."""

    draft: RelationalDraft
    properties: tuple[str, ...] = ()
    fused: str = ""
    text: str = ""
    filtered: Filtered | None = None
    query: ConstructedQuery | None = None
    dropped: Dropped | None = None


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """Figures of all drafts of a set.

    Attributes:
        drafts: how many were begun.
        queries: how many of them became queries.
        dropped: the others, by reason.
        gold_accepted: share of the filtered drafts whose gold entity every filter accepted (STaRK, section 2.4), a
            fraction of 1; None where none was filtered.
        judged: candidates that were shown to a filter.
        accepted: share of these that every filter accepted, a fraction of 1; None where none was shown.
        unread: candidates that were left out since a filter had no usable reply.
    """

    drafts: int
    queries: int
    dropped: Mapping[Reason, int]
    gold_accepted: float | None
    judged: int
    accepted: float | None
    unread: int


def queries_of(outcomes: Sequence[Outcome]) -> tuple[ConstructedQuery, ...]:
    """Return the queries of outcomes, in their order."""
    return tuple(each.query for each in outcomes if each.query)


def draft_figures(outcomes: Sequence[Outcome]) -> DraftFigures:
    """Take the figures of all drafts."""
    reasons = Counter(each.dropped.reason for each in outcomes if each.dropped)
    filtered = [(each.draft.draft.gold, each.filtered) for each in outcomes if each.filtered]
    judged = sum(each.judged for _, each in filtered)
    return DraftFigures(
        drafts=len(outcomes),
        queries=sum(each.query is not None for each in outcomes),
        dropped={reason: reasons[reason] for reason in REASONS if reasons[reason]},
        gold_accepted=sum(gold in each.accepted for gold, each in filtered) / len(filtered) if filtered else None,
        judged=judged,
        accepted=sum(len(each.accepted) for _, each in filtered) / judged if judged else None,
        unread=sum(each.unread for _, each in filtered),
    )


def figures_text(found: DraftFigures) -> str:
    """Return the figures in words, shares in percent."""
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in found.dropped.items())
    lines = [f"drafts: {found.drafts:,}, queries: {found.queries:,}" + (f", dropped: {reasons}" if reasons else "")]
    if found.gold_accepted is not None and found.accepted is not None:
        lines.append(f"gold entity accepted by the filters  {100 * found.gold_accepted:5.1f} %")
        lines.append(f"candidates accepted by the filters   {100 * found.accepted:5.1f} % of {found.judged:,} judged")
    if found.unread:
        lines.append(f"candidates left out without a usable reply of a filter: {found.unread:,}")
    return "\n".join(lines)


def draft_lines(outcomes: Iterable[Outcome]) -> Iterable[str]:
    """Yield a line of JSON for each draft, with all that a person needs to check it."""
    for each in outcomes:
        record = {
            "id": each.query.query.id if each.query else "",
            "kind": each.draft.draft.shape.name,
            "role": each.draft.role.name,
            "gold": each.draft.gold.id,
            "requirements": each.draft.requirements,
            "properties": each.properties,
            "fused": each.fused,
            "query": each.text,
            "candidates": len(each.draft.draft.candidates),
            "judged": each.filtered.judged if each.filtered else 0,
            "answers": each.query.query.answers if each.query else (),
            "dropped": asdict(each.dropped) if each.dropped else None,
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"
