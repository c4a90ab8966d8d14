"""Happenings, answers and conversations as the chat page reads them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from agent.answer_parts import figure_owed, hedge, is_plain, rows_of
from agent.markdown_answer import markdown_answer
from agent.path_citations import path_lines
from agent.rendering import NO_PATHS, Paths, perhaps_unanswered
from heliograph.types import Answer, Block, Citation, Claim, Observation, RoundRecord, SourceReport, shown_verdict
from heliograph.types.streaming import (
    Answered,
    Begun,
    Claimed,
    EvidenceFound,
    Planned,
    Progressed,
    Queried,
    Reflected,
    Searched,
    WasRead,
)
from indexers.parser import parse_id
from indexers.parser.ids import page_name, page_of
from tools.skb.row_paths import stated_rows
from web.happenings import Failed, Happening, Kept, Queued, Stopped, Understood
from web.markdown import nodes_json, nodes_of
from web.reply import Json
from web.sessions import sha_of

BEST = 6
"""Pieces of a round that are named; how many there are is told, too."""


@dataclass(slots=True)
class PageEvents:
    """Happenings of one job as server-sent events; what an event needs of earlier ones is remembered.

    The event of an answer reads the home folder, and bases whose paths it cites.
    """

    home: Path
    _understood: Understood = field(default_factory=lambda: Understood("", ""))
    _kept: Kept = field(default_factory=lambda: Kept("", 0))

    def event(self, happening: Happening) -> tuple[str, Json] | None:
        """Return the name and the data of an event; None for what the page is told with the next one."""
        match happening:
            case Understood():
                self._understood = happening
            case Kept():
                self._kept = happening
            case Planned():
                pass
            case Begun(run):
                return "started", {"run": run, **asdict(self._understood)}
            case Answered(answer):
                return "answer", {**asdict(self._kept), "answer": answer_json(answer, path_lines(answer, self.home))}
            case _:
                return _plain_json(happening)
        return None


def _plain_json(happening: Happening) -> tuple[str, Json]:
    match happening:
        case Queued(before):
            return "queued", {"before": before}
        case Progressed(text):
            return "progress", {"text": text}
        case Claimed(number, told):
            return "claim", claim_json(number, told.claim, told.citations)
        case Failed(message=message, code=code):
            return "failed", {"message": message, "code": code}
        case Queried() | Searched() | WasRead() | EvidenceFound() | Reflected():
            return _round_json(happening)
        case Stopped(by_server):
            return "stopped", {"by_server": by_server}
        case _:
            raise AssertionError(f"{happening} is told with another event")


def _round_json(event: Queried | Searched | WasRead | EvidenceFound | Reflected) -> tuple[str, Json]:
    match event:
        case Queried():
            return "queries", {"round": event.round, "queries": list(event.queries)}
        case Searched():
            return "sources", {"round": event.round, "sources": sources_json(event.sources)}
        case WasRead():
            titles = [{"title": page_name(key).title} for key in event.documents]
            return "documents", {"round": event.round, "documents": titles}
        case EvidenceFound():
            best = sorted(event.evidence, key=lambda each: -each.score)[:BEST]
            named = [_observed(each) for each in best]
            return "evidence", {"round": event.round, "count": len(event.evidence), "best": named}
        case Reflected():
            missing = list(event.verdict.missing)
            return "verdict", {"round": event.round, "sufficient": event.verdict.sufficient, "missing": missing}


def answer_json(answer: Answer, paths: Paths = NO_PATHS) -> Json:
    """Return an answer record as the page shows it, with the Markdown that it copies, which has the paths."""
    cited = {citation.marker: citation for citation in answer.citations}
    return {
        "run": answer.run,
        "question": answer.question,
        "abstained": answer.abstained,
        "mode": answer.mode,
        "text": answer.answer,
        "claims": [
            claim_json(number, claim, tuple(cited.values()), answer.mode)
            for number, claim in enumerate(answer.claims, start=1)
        ],
        "hedge": hedge(answer),
        "perhaps_unanswered": list(perhaps_unanswered(answer)),
        "stop_reason": answer.stop_reason,
        "rounds": [_record_json(each) for each in answer.rounds],
        "citations": [_citation_json(each) for each in answer.citations],
        "sources": sources_json(answer.sources),
        "notes": list(answer.notes),
        "usage": {
            "llm_calls": answer.usage.llm_calls,
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "http_requests": answer.usage.http_requests,
            "pages_read": answer.usage.pages_read,
            "embedded": answer.usage.embedded,
        },
        "seconds": answer.seconds,
        "markdown": markdown_answer(answer, paths),
        "form": answer.form,
        "blocks": [] if is_plain(answer) else [_block_json(each, answer) for each in answer.blocks],
        "needs": [{"text": each.text, "met": each.met} for each in answer.needs],
        "not_found": list(answer.not_found),
        "not_said": [asdict(each) for each in answer.not_said],
    }


def _block_json(block: Block, answer: Answer) -> Json:
    """Return a part of an answer; `claims` are places in the answer's claims, from 0."""
    cited = {citation.marker: citation for citation in answer.citations}
    figure = block.figure
    return {
        "kind": block.kind,
        "claims": list(block.claims),
        "text": block.text,
        "level": block.level,
        "header": list(block.header),
        "rows": [
            [{"text": cell.text, "citations": _chips(cell.markers, cited)} for cell in row] for row in rows_of(block)
        ],
        "figure": figure
        and {
            "src": f"/images/{sha_of(figure.evidence)}",
            "caption": figure.caption,
            "licence": figure_owed(answer, figure),
            "citations": _chips([figure.marker], cited),
        },
    }


def _chips(markers: Iterable[int], cited: Mapping[int, Citation]) -> list[Json]:
    return [{"marker": marker, **_chip(cited[marker])} for marker in markers if marker in cited]


def claim_json(
    number: int, claim: Claim, citations: Sequence[Citation], mode: Literal["llm", "extractive"] | None = None
) -> Json:
    """Return a claim, and of each citation what its chip tells; `mode` is None while its answer is being written."""
    cited = {citation.marker: citation for citation in citations}
    verdict = shown_verdict(claim, citations, mode)
    return {
        "number": number,
        "text": claim.text,
        "nodes": nodes_json(nodes_of(claim.text)),
        "verdict": verdict,
        "citations": [
            {
                "marker": each.marker,
                "verdict": verdict if each.verdict == claim.verdict else each.verdict,
                **_chip(cited[each.marker]),
            }
            for each in claim.citations
            if each.marker in cited
        ],
    }


def sources_json(reports: Sequence[SourceReport]) -> list[Json]:
    """Return how sources served."""
    return [{"name": each.name, "status": each.status, "detail": each.detail} for each in reports]


def _chip(citation: Citation) -> Json:
    """Return what opens a citation; `rows` are those of a base that it computes of, by their numbers."""
    computed = [parse_id(each).row for each in stated_rows(citation)] if citation.computation else []
    return {
        "evidence": sha_of(citation.evidence),
        "modality": citation.modality,
        "title": citation.title,
        "section": citation.section,
        "quote": citation.quote,
        "url": citation.url,
        **({"rows": computed} if computed else {}),
    }


def _citation_json(citation: Citation) -> Json:
    return {
        "marker": citation.marker,
        **_chip(citation),
        "revision": citation.revision,
        "licence": citation.licence,
        "attribution": citation.attribution,
        "computation": citation.quote if citation.computation else None,
    }


def _record_json(record: RoundRecord) -> Json:
    return {
        "number": record.number,
        "queries": list(record.queries),
        "documents": [page_name(key).title for key in record.documents],
        "evidence": len(record.evidence),
        "sufficient": record.verdict.sufficient,
        "missing": list(record.verdict.missing),
    }


def _observed(seen: Observation) -> Json:
    return {
        "id": sha_of(seen.evidence),
        "modality": seen.modality,
        "title": page_name(page_of(seen.evidence)).title,
        "section": parse_id(seen.evidence).section,
        "score": round(seen.score, 3),
    }
