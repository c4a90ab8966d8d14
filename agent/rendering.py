"""The answer for a person: text, references and the rounds that led to it."""

from collections import Counter
from collections.abc import Iterator

from heliograph.types import VERDICT_WORDS, Answer, Citation, RoundRecord, shown_verdict
from indexers.parser import page_name


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
    yield verdicts_line(answer)
    reason = answer.stop_reason.replace("_", " ")
    yield f"{counted(len(answer.rounds), 'round')}, stopped: {reason}; {answer.seconds:.1f} s"
    if missing := perhaps_unanswered(answer):
        yield f"asked for and perhaps not answered: {', '.join(missing)}"
    for source in answer.sources:
        if source.status in ("failed", "rate_limited"):
            yield f"source {source.name} {source.status.replace('_', ' ')}: {source.detail}"
    yield from answer.notes
    yield f"run {answer.run}"


def verdicts_line(answer: Answer) -> str:
    """Say how many claims an answer makes, and how many of them have each verdict."""
    tally = Counter(shown_verdict(claim, answer.citations, answer.mode) for claim in answer.claims)
    kinds = [
        f"{tally[verdict]} {words.word.lower()} ({words.says})"
        for verdict, words in VERDICT_WORDS.items()
        if tally[verdict]
    ]
    return ": ".join(filter(None, (counted(len(answer.claims), "claim"), ", ".join(kinds))))


def perhaps_unanswered(answer: Answer) -> tuple[str, ...]:
    """Return what the last round still missed of an answer that is given all the same."""
    last = answer.rounds[-1].verdict if answer.rounds else None
    return last.missing if last and not (last.sufficient or answer.abstained) else ()


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
