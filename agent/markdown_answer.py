"""An answer as Markdown with numbered references, as people paste it elsewhere."""

import re
from collections.abc import Iterator, Sequence

from agent.answer_parts import (
    Sentence,
    body_of,
    computed_by,
    figure_owed,
    hedge,
    is_plain,
    not_found_line,
    owed_for,
    place_of,
    rows_of,
    sentences_of,
    title_of,
    unsaid_line,
)
from agent.answer_parts import one_line as bare
from agent.rendering import NO_PATHS, Paths, counted, perhaps_unanswered, verdicts_line
from heliograph.types import Answer, Block, Citation

_MARKUP = re.compile(r"([\\`*_\[\]<>#|~]|&(?=#?\w+;))")
_BEGINS = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+](?=\s|$)|[-=]+$)")
"""What begins a list, or makes a heading of the line above, where it stands first in a line."""
DEEPEST = 6
"""Levels of headings."""


def markdown_answer(answer: Answer, paths: Paths = NO_PATHS) -> str:
    """Return the question, the answer with its markers, what each marker names, and the verdicts on the claims.

    What pages and models wrote is escaped, so that it stays text. In an answer of several parts each marker is a link
    to its reference. `paths` stand as a list below the references that state them.
    """
    if is_plain(answer):
        parts = [f"**{one_line(answer.question)}**", _body(answer)]
        if answer.citations:
            parts.append("\n".join(_reference(each) + _paths(each.marker, paths) for each in answer.citations))
    else:
        parts = [f"# {one_line(title_of(answer))}"]
        parts += [hedge(answer).strip()] if answer.unsure else []
        parts.extend(_block(answer, block, sentences_of(answer, block)) for block in body_of(answer))
        if answer.citations:
            parts += [
                "## References",
                "\n".join(_anchored(each) + _paths(each.marker, paths) for each in answer.citations),
            ]
    parts.extend(_remarks(answer))
    return "\n\n".join(parts) + "\n"


def _block(answer: Answer, block: Block, said: Sequence[Sentence]) -> str:
    prose = " ".join(map(_sentence, said))
    match block.kind:
        case "heading":
            return f"{'#' * min(DEEPEST, max(2, block.level))} {one_line(block.text)}"
        case "list":
            return "\n".join(f"- {_sentence(sentence)}" for sentence in said)
        case "calculation":
            lines = (f"> Computed: {one_line(each.computed)}" for each in said if each.computed)
            return "\n\n".join((prose, *lines))
        case "table":
            caption = f"**{one_line(block.text)}**" if one_line(block.text) else ""
            return "\n\n".join(filter(None, (prose, caption, _table(block))))
        case "figure" if block.figure:
            owed = one_line(figure_owed(answer, block.figure))
            line = f"Picture: {one_line(block.figure.caption)} {_markers([block.figure.marker])}"
            line += f" ({owed})" if owed else ""
            return "\n\n".join(filter(None, (prose, line)))
        case _:
            return prose


def _sentence(sentence: Sentence) -> str:
    return f"{one_line(sentence.text)} {_markers(sentence.markers)}".rstrip()


def _markers(markers: Sequence[int]) -> str:
    return "".join(f"[\\[{marker}\\]](#ref-{marker})" for marker in markers)


def _table(block: Block) -> str:
    columns = max((len(block.header), *map(len, block.rows)))
    rows = [[f"{one_line(cell.text)} {_markers(cell.markers)}".strip() for cell in row] for row in rows_of(block)]
    lines = ([one_line(name) for name in block.header], ["---"] * columns, *rows)
    return "\n".join(f"| {' | '.join([*cells, *[''] * (columns - len(cells))])} |" for cells in lines)


def _remarks(answer: Answer) -> Iterator[str]:
    """Yield what the terminal says below an answer of its claims and of what it may lack."""
    if missing := perhaps_unanswered(answer):
        yield one_line(f"Asked for and perhaps not answered: {', '.join(missing)}")
    if not_found := not_found_line(answer):
        yield one_line(not_found)
    if answer.not_said:
        lines = (f"- {one_line(unsaid_line(unsaid))}" for unsaid in answer.not_said)
        summary = f"Not said: {counted(len(answer.not_said), 'claim')} did not pass the check"
        yield "\n\n".join((f"<details><summary>{summary}</summary>", "\n".join(lines), "</details>"))
    if answer.claims:
        yield one_line(verdicts_line(answer))


def _body(answer: Answer) -> str:
    if not answer.claims:
        return one_line(answer.answer)
    said = " ".join(
        f"{one_line(claim.text)} {''.join(f'[{cited.marker}]' for cited in claim.citations)}".rstrip()
        for claim in answer.claims
    )
    return f"{hedge(answer)}{said}"


def _anchored(citation: Citation) -> str:
    revision = f", revision {one_line(citation.revision)}" if citation.revision else ""
    owed = owed_for(citation)
    parts = (
        f'{citation.marker}. <a id="ref-{citation.marker}"></a>{_linked(citation)}{revision}: {_words(citation)}',
        f"({one_line(owed)})" if owed else "",
        f"Evidence: {one_line(citation.evidence)}",
    )
    return " ".join(filter(None, parts))


def _words(citation: Citation) -> str:
    computed = computed_by(citation)
    return f"Computed: {one_line(computed)}" if computed else f"“{one_line(citation.quote)}”"


def _reference(citation: Citation) -> str:
    quote = f": {_words(citation)}" if citation.quote else ""
    owed = owed_for(citation)
    return f"{citation.marker}. {_linked(citation)}{quote}{f' ({one_line(owed)})' if owed else ''}"


def _paths(marker: int, paths: Paths) -> str:
    indent = " " * len(f"{marker}. ")
    return "".join(f"\n{indent}- {one_line(path)}" for path in paths.get(marker, ()))


def _linked(citation: Citation) -> str:
    place = one_line(place_of(citation))
    return f"[{place}](<{citation.url}>)" if is_web(citation.url) else place


def is_web(url: str) -> bool:
    """Tell whether an address leads to the web, and holds nothing that would end a link."""
    return url.startswith(("https://", "http://")) and url.isprintable() and not set(url) & set("<> ")


def one_line(text: str) -> str:
    """Return a text as one line of Markdown that says it and nothing else."""
    escaped = _MARKUP.sub(r"\\\1", bare(text))
    return _BEGINS.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", escaped)
