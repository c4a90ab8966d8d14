"""The answer for a person: text, references and the rounds that led to it."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

from agent.answer_parts import (
    Sentence,
    body_of,
    computed_by,
    figure_owed,
    hedge,
    is_plain,
    not_found_line,
    one_line,
    rows_of,
    sentences_of,
    shown,
    title_of,
    unsaid_line,
)
from heliograph.types import VERDICT_WORDS, Answer, Block, Citation, RoundRecord, shown_verdict
from indexers.parser import page_name

Paths = Mapping[int, Sequence[str]]
"""Paths of a knowledge base, a line each, by the marker of the citation that states them."""
NO_PATHS: Paths = MappingProxyType({})
WIDEST_TABLE = 78
"""Columns of a terminal that a table may take; a wider one is told row by row."""


def render_answer(answer: Answer, paths: Paths = NO_PATHS) -> str:
    """Return the answer with its numbered references, as plain text; `paths` stand below the markers that cite them."""
    parts = [f"{hedge(answer)}{answer.answer}"] if is_plain(answer) else list(_blocks(answer))
    if answer.citations:
        parts.append("\n".join(_reference(each, paths.get(each.marker, ())) for each in answer.citations))
    parts.append("\n".join(_footer(answer)))
    return shown("\n\n".join(parts))


def _blocks(answer: Answer) -> Iterator[str]:
    if answer.form != "short":
        yield underlined(title_of(answer), "=")
    if unsure := hedge(answer):
        yield unsure.strip()
    yield from (_block(answer, block, sentences_of(answer, block)) for block in body_of(answer))


def _block(answer: Answer, block: Block, said: Sequence[Sentence]) -> str:
    prose = " ".join(map(_sentence, said))
    match block.kind:
        case "heading":
            return underlined(one_line(block.text), "-" if block.level < 3 else "")
        case "list":
            return "\n".join(f"- {_sentence(sentence)}" for sentence in said)
        case "table":
            return "\n\n".join(filter(None, (prose, one_line(block.text), _table(block))))
        case "figure" if block.figure:
            owed = figure_owed(answer, block.figure)
            line = f"[picture] {one_line(block.figure.caption)} [{block.figure.marker}]{f' ({owed})' if owed else ''}"
            return "\n\n".join(filter(None, (prose, line)))
        case _:
            return prose


def underlined(text: str, line: str) -> str:
    """Return a heading over a line as long as it."""
    return f"{text}\n{line * min(width(text), 80)}".rstrip()


def _sentence(sentence: Sentence) -> str:
    return f"{sentence.text} {_markers(sentence.markers)}".rstrip()


def _markers(markers: Sequence[int]) -> str:
    return "".join(f"[{marker}]" for marker in markers)


def _table(block: Block) -> str:
    header = [one_line(name) for name in block.header]
    rows = [[f"{one_line(cell.text)} {_markers(cell.markers)}".strip() for cell in row] for row in rows_of(block)]
    columns = [*zip_longest(header, *rows, fillvalue="")]
    widths = [max(map(width, column)) for column in columns]
    if sum(widths) + 3 * len(widths) > WIDEST_TABLE:
        return "\n".join("- " + "; ".join(_told(header, row)) for row in rows)
    lines = [*zip(*columns, strict=True)]
    drawn = [" | ".join(map(_padded, line, widths)).rstrip() for line in lines]
    return "\n".join((drawn[0], "-+-".join("-" * each for each in widths), *drawn[1:]) if header else drawn[1:])


def _told(header: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for name, cell in zip_longest(header, row[: max(len(header), len(row))], fillvalue=""):
        if cell:
            yield f"{name}: {cell}" if name else cell


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def width(text: str) -> int:
    """Return the columns that a text takes in a terminal: wide characters take two, those that join none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def render_rounds(answer: Answer) -> str:
    """Return one block a round: what was asked, read, found and missing."""
    return "\n".join(line for record in answer.rounds for line in _round(record))


def _reference(citation: Citation, paths: Sequence[str]) -> str:
    place = " > ".join(part for part in (citation.title, citation.section) if part)
    computed = computed_by(citation)
    words = f"computed: {computed}" if computed else f'"{citation.quote}"'
    lines = (f"[{citation.marker}] {place} ({citation.evidence})", words, *map(one_line, paths))
    return "\n    ".join(lines)


def _footer(answer: Answer) -> Iterator[str]:
    yield verdicts_line(answer)
    reason = answer.stop_reason.replace("_", " ")
    yield f"{counted(len(answer.rounds), 'round')}, stopped: {reason}; {answer.seconds:.1f} s"
    if missing := perhaps_unanswered(answer):
        yield f"asked for and perhaps not answered: {', '.join(missing)}"
    if not_found := not_found_line(answer):
        yield not_found
    if answer.not_said:
        yield f"Not said: {counted(len(answer.not_said), 'claim')} did not pass the check"
        yield from (f"  - {unsaid_line(unsaid)}" for unsaid in answer.not_said)
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
    """Return what the last round still missed of an answer that is given all the same, and does not name it itself."""
    if answer.not_found:
        return ()
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
