"""The answer for a person: text, references and the rounds that led to it."""

from collections.abc import Iterator

from heliograph.types import Answer, Citation, RoundRecord
from indexers.parser import page_name

VERDICTS = {
    "quoted": "quoted from its sources",
    "supported": "supported by its sources",
    "computed": "computed from the table and checked",
    "partial": "supported in part",
    "unsupported": "not supported",
    "unchecked": "not checked",
}


def render_answer(answer: Answer) -> str:
    """Return the answer with its numbered references, as plain text."""
    parts = [answer.answer]
    if answer.citations:
        parts.append("\n".join(_reference(citation) for citation in answer.citations))
    parts.append("\n".join(_footer(answer)))
    return "\n\n".join(parts)


def render_rounds(answer: Answer) -> str:
    """Return one block a round: what was asked, read, found and missing."""
    return "\n".join(line for record in answer.rounds for line in _round(record))


def _reference(citation: Citation) -> str:
    place = " > ".join(part for part in (citation.title, citation.section) if part)
    return f'[{citation.marker}] {place} ({citation.evidence})\n    "{citation.quote}"'


def _footer(answer: Answer) -> Iterator[str]:
    verdicts = {claim.verdict for claim in answer.claims}
    checked = "; ".join(VERDICTS[verdict] for verdict in sorted(verdicts))
    yield f"{counted(len(answer.claims), 'claim')}{': ' + checked if checked else ''}"
    reason = answer.stop_reason.replace("_", " ")
    yield f"{counted(len(answer.rounds), 'round')}, stopped: {reason}; {answer.seconds:.1f} s"
    last = answer.rounds[-1].verdict if answer.rounds else None
    if last and last.missing and not (last.sufficient or answer.abstained):
        yield f"asked for and perhaps not answered: {', '.join(last.missing)}"
    for source in answer.sources:
        if source.status in ("failed", "rate_limited"):
            yield f"source {source.name} {source.status.replace('_', ' ')}: {source.detail}"
    yield from answer.notes
    yield f"run {answer.run}"


def _round(record: RoundRecord) -> Iterator[str]:
    yield f"round {record.number}"
    yield f"  asked    {'; '.join(record.queries)}"
    yield f"  read     {', '.join(page_name(key).title for key in record.documents) or 'nothing new'}"
    yield f"  evidence {len(record.evidence)} pieces"
    if record.verdict.missing and not record.verdict.sufficient:
        yield f"  missing  {', '.join(record.verdict.missing)}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural but for 1."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
