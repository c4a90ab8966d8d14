"""An answer as one HTML page that needs nothing besides: no script, no style and no picture of anybody else's.

What pages and models wrote is escaped, every picture is in the page, and its policy forbids the browser to fetch.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files

from agent.answer_parts import (
    Sentence,
    asked_in,
    body_of,
    cited_markers,
    computed_by,
    figure_owed,
    hedge,
    not_found_line,
    one_line,
    owed_for,
    place_of,
    rows_of,
    sentences_of,
    summary_of,
    title_of,
    unsaid_line,
)
from agent.markdown_answer import is_web
from agent.rendering import NO_PATHS, Paths, counted, perhaps_unanswered, verdicts_line
from heliograph.types import Answer, Block, Citation, EvidenceId, Picture

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
SHOWN_TYPES = frozenset({"image/png", "image/jpeg"})
SCREEN = """
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4eae6; --soft: #a7b6b2; --line: #334041; --sea: #7fcdd1; --wash: #1d2627; --sun: #f2bd4e; }
  :root { color-scheme: dark; --paper: #121819; }
}
.scroll { overflow-x: auto; }
"""
"""What a screen has besides: the reader's choice of dark, and tables that scroll."""
NO_PICTURE = "The picture is not at hand."
DEEPEST = 6


def html_page(
    answer: Answer, pictures: Mapping[EvidenceId, Picture], paths: Paths = NO_PATHS, on_paper: bool = False
) -> str:
    """Return a whole page; `on_paper` shows what nobody can open or scroll there."""
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang=""><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="generator" content="Heliograph">',
            f"<title>{_text(title_of(answer))}</title>",
            f"<style>{style()}{'' if on_paper else SCREEN}</style></head>",
            f'<body><main dir="auto">{_Page(answer, pictures, paths, on_paper).body()}</main></body></html>',
        )
    )


def style() -> str:
    """Return the style sheet of the page."""
    return files("agent.answer_files").joinpath("page.css").read_text(encoding="utf8")


class _Page:
    """The parts of one page; the first place at which each marker stands is what its reference leads back to."""

    def __init__(self, answer: Answer, pictures: Mapping[EvidenceId, Picture], paths: Paths, on_paper: bool) -> None:
        self._answer = answer
        self._pictures = pictures
        self._paths = paths
        self._on_paper = on_paper
        self._named: set[int] = set()
        self._known = {citation.marker for citation in answer.citations}

    def body(self) -> str:
        answer = self._answer
        head = [f"<h1>{_text(title_of(answer))}</h1>"]
        if question := asked_in(answer):
            head.append(f'<p class="question">{_text(question)}</p>')
        if not answer.claims and not answer.blocks:
            head.append(f"<p>{_text(answer.answer)}</p>")
        elif unsure := hedge(answer):
            head.append(f"<p>{unsure.strip()}</p>")
        summary = summary_of(answer)
        if summary:
            said = "".join(map(self._block, summary))
            head.append(f'<section class="summary" aria-label="Summary"><p class="label">Summary</p>{said}</section>')
        rest = (self._block(block) for block in body_of(answer)[len(summary) :])
        return "\n".join((*head, *rest, *self._lacking(), *self._references(), *self._about()))

    def _block(self, block: Block) -> str:
        said = sentences_of(self._answer, block)
        if block.kind == "heading":
            level = min(DEEPEST, max(2, block.level))
            return f"<h{level}>{_text(block.text)}</h{level}>"
        if block.kind == "list":
            return f"<ul>{''.join(f'<li>{self._prose([each])}</li>' for each in said)}</ul>"
        prose = f"<p>{self._prose(said)}</p>" if said else ""
        match block.kind:
            case "calculation":
                computed = "".join(f'<p class="how">{_text(each.computed)}</p>' for each in said if each.computed)
                return f'<div class="computed"><p class="label">Computed</p>{prose}{computed}</div>'
            case "table":
                return prose + self._table(block)
            case "figure":
                return prose + self._figure(block)
            case _:
                return prose

    def _prose(self, said: Sequence[Sentence]) -> str:
        return " ".join(f"{_text(each.text)}{self._markers(each.markers)}" for each in said)

    def _markers(self, markers: Sequence[int]) -> str:
        links = "".join(map(self._marker, markers))
        return f'<span class="markers"> {links}</span>' if links else ""

    def _marker(self, marker: int) -> str:
        if marker not in self._known:
            return f"[{marker}]"
        name = "" if marker in self._named else f' id="cited-{marker}"'
        self._named.add(marker)
        return f'<a{name} href="#ref-{marker}">[{marker}]</a>'

    def _table(self, block: Block) -> str:
        caption = f"<caption>{_text(block.text)}</caption>" if block.text.strip() else ""
        names = "".join(f'<th scope="col">{_text(name)}</th>' for name in block.header)
        head = f"<thead><tr>{names}</tr></thead>" if names else ""
        rows = "".join(
            f"<tr>{''.join(f'<td>{_text(cell.text)}{self._markers(cell.markers)}</td>' for cell in row)}</tr>"
            for row in rows_of(block)
        )
        return f'<div class="scroll"><table>{caption}{head}<tbody>{rows}</tbody></table></div>'

    def _figure(self, block: Block) -> str:
        figure = block.figure
        if figure is None:
            return ""
        picture = self._pictures.get(figure.evidence)
        shown = f'<p class="missing">{NO_PICTURE}</p>'
        if picture is not None and picture.media_type in SHOWN_TYPES:
            data = b64encode(picture.data).decode("ascii")
            shown = f'<img src="data:{picture.media_type};base64,{data}" alt="{_text(figure.caption)}">'
        owed = figure_owed(self._answer, figure)
        owed = f' <span class="owed">({_text(owed)})</span>' if owed else ""
        caption = f"{_text(figure.caption)}{self._markers([figure.marker])}{owed}"
        return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"

    def _lacking(self) -> Iterator[str]:
        answer = self._answer
        if missing := perhaps_unanswered(answer):
            yield f'<p class="lacking">{_text("Asked for and perhaps not answered: " + ", ".join(missing))}</p>'
        if not_found := not_found_line(answer):
            yield f'<p class="lacking">{_text(not_found)}</p>'
        if answer.not_said:
            items = "".join(f"<li>{_text(unsaid_line(unsaid))}</li>" for unsaid in answer.not_said)
            summary = f"Not said: {counted(len(answer.not_said), 'claim')} did not pass the check"
            is_open = " open" if self._on_paper else ""
            yield f'<details class="unsaid"{is_open}><summary>{summary}</summary><ul>{items}</ul></details>'

    def _references(self) -> Iterator[str]:
        if self._answer.citations:
            cited = set(cited_markers(self._answer))
            items = "\n".join(
                _reference(each, each.marker in cited, self._paths.get(each.marker, ()))
                for each in self._answer.citations
            )
            yield f'<section class="references"><h2>References</h2><ol>{items}</ol></section>'

    def _about(self) -> Iterator[str]:
        answer = self._answer
        lines = [*([verdicts_line(answer)] if answer.claims else ()), *answer.notes, f"run {answer.run}"]
        yield f"<footer>{''.join(f'<p>{_text(line)}</p>' for line in lines)}</footer>"


def _reference(citation: Citation, cited: bool, paths: Sequence[str]) -> str:
    place = _text(place_of(citation) or citation.evidence)
    if is_web(citation.url):
        place = f'<a href="{escape(citation.url)}" rel="noopener noreferrer">{place}</a>'
    revision = f", revision {_text(citation.revision)}" if citation.revision else ""
    computed = computed_by(citation)
    words = f"Computed: {_text(computed)}" if computed else f"“{_text(citation.quote)}”"
    stated = "".join(f"<li>{_text(path)}</li>" for path in paths)
    stated = f'<ul class="paths" aria-label="Paths in the knowledge base">{stated}</ul>' if stated else ""
    back = f' <a class="back" href="#cited-{citation.marker}" aria-label="Back to where it is cited">↑</a>'
    return (
        f'<li id="ref-{citation.marker}" value="{citation.marker}"><p class="place">{place}{revision}'
        f"{back if cited else ''}</p><blockquote>{words}</blockquote>{stated}"
        f'<p class="owed">{_text(". ".join(filter(None, (owed_for(citation), citation.evidence))))}</p></li>'
    )


def _text(text: str) -> str:
    """Return a text as HTML that says it and nothing else, between tags and in attributes."""
    return escape(one_line(text))
