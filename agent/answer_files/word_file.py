"""An answer as a Word document: headings, tables and pictures of Word's own, links from markers to references."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Emu, Pt, RGBColor
from docx.text.paragraph import Paragraph

from agent.answer_files.html_page import NO_PICTURE, SHOWN_TYPES
from agent.answer_parts import (
    Sentence,
    asked_in,
    body_of,
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
from heliograph.types import Answer, Block, BlockCell, Citation, EvidenceId, Picture

WIDEST, HIGHEST = Cm(15.5), Cm(10)
SOFT, SEA = RGBColor(0x4D, 0x5C, 0x5B), RGBColor(0x0B, 0x5A, 0x61)
DEEPEST = 6


def word_file(answer: Answer, pictures: Mapping[EvidenceId, Picture], paths: Paths = NO_PATHS) -> bytes:
    """Return an answer as the bytes of a .docx file."""
    written = BytesIO()
    _Writing(answer, pictures, paths).document().save(written)
    return written.getvalue()


class _Writing:
    """One document, written from its beginning to its end."""

    def __init__(self, answer: Answer, pictures: Mapping[EvidenceId, Picture], paths: Paths) -> None:
        self._answer = answer
        self._pictures = pictures
        self._paths = paths
        self._known = {citation.marker for citation in answer.citations}
        self._document = _empty_document(title_of(answer))

    def document(self) -> WordDocument:
        answer, document = self._answer, self._document
        document.add_heading(title_of(answer), 0)
        if question := asked_in(answer):
            self._soft(question)
        if not answer.claims and not answer.blocks:
            document.add_paragraph(one_line(answer.answer))
        elif unsure := hedge(answer):
            document.add_paragraph().add_run(unsure.strip())
        summary = summary_of(answer)
        if summary:
            document.add_heading("Summary", 1)
        for block in body_of(answer):
            self._block(block)
        self._lacking()
        self._references()
        for line in (*([verdicts_line(answer)] if answer.claims else ()), *answer.notes, f"run {answer.run}"):
            self._soft(line)
        return document

    def _block(self, block: Block) -> None:
        said = sentences_of(self._answer, block)
        if block.kind == "heading":
            self._document.add_heading(one_line(block.text), min(DEEPEST, max(1, block.level - 1)))
        elif block.kind == "list":
            for sentence in said:
                self._prose(self._document.add_paragraph(style="List Bullet"), [sentence])
        elif said:
            paragraph = self._document.add_paragraph()
            if block.kind == "calculation":
                paragraph.add_run("Computed: ").bold = True
            self._prose(paragraph, said)
        if block.kind == "calculation":
            for computed in filter(None, (each.computed for each in said)):
                self._soft(computed)
        elif block.kind == "table":
            self._table(block)
        elif block.kind == "figure":
            self._figure(block)

    def _prose(self, paragraph: Paragraph, said: Sequence[Sentence]) -> None:
        for number, sentence in enumerate(said):
            paragraph.add_run(f"{' ' if number else ''}{sentence.text}")
            self._markers(paragraph, sentence.markers)

    def _markers(self, paragraph: Paragraph, markers: Sequence[int]) -> None:
        for number, marker in enumerate(markers):
            if not number:
                paragraph.add_run("\u00a0")
            if marker in self._known:
                _link(paragraph, f"[{marker}]", anchor=f"ref_{marker}")
            else:
                paragraph.add_run(f"[{marker}]")

    def _table(self, block: Block) -> None:
        columns = max(len(block.header), *map(len, block.rows))
        if block.text.strip():
            caption = self._document.add_paragraph(style="Caption")
            caption.add_run(one_line(block.text))
            caption.paragraph_format.keep_with_next = True
        table = self._document.add_table(rows=0, cols=columns, style="Light Grid Accent 1")
        header = [tuple(map(BlockCell, block.header))] if block.header else []
        for cells in (*header, *rows_of(block)):
            row = table.add_row()
            for cell, place in zip(cells, row.cells, strict=False):
                place.paragraphs[0].add_run(one_line(cell.text))
                self._markers(place.paragraphs[0], cell.markers)
        if header:
            _repeat_on_each_page(table.rows[0]._tr)
        self._document.add_paragraph()

    def _figure(self, block: Block) -> None:
        figure = block.figure
        if figure is None:
            return
        picture = self._pictures.get(figure.evidence)
        if picture is not None and picture.media_type in SHOWN_TYPES:
            shown = self._document.add_paragraph()
            shown.alignment = WD_ALIGN_PARAGRAPH.CENTER
            shown.paragraph_format.keep_with_next = True
            added = shown.add_run().add_picture(BytesIO(picture.data))
            scale = min(1.0, WIDEST / added.width, HIGHEST / added.height)
            added.width, added.height = Emu(added.width * scale), Emu(added.height * scale)
            added._inline.docPr.set("descr", one_line(figure.caption))
        else:
            self._soft(NO_PICTURE)
        caption = self._document.add_paragraph(style="Caption")
        caption.alignment = WD_ALIGN_PARAGRAPH.CENTER
        caption.add_run(one_line(figure.caption))
        self._markers(caption, [figure.marker])
        if owed := figure_owed(self._answer, figure):
            caption.add_run(f" ({owed})")

    def _lacking(self) -> None:
        answer = self._answer
        if missing := perhaps_unanswered(answer):
            self._document.add_paragraph(one_line(f"Asked for and perhaps not answered: {', '.join(missing)}"))
        if not_found := not_found_line(answer):
            self._document.add_paragraph().add_run(not_found).bold = True
        if answer.not_said:
            self._soft(f"Not said: {counted(len(answer.not_said), 'claim')} did not pass the check")
        for unsaid in answer.not_said:
            self._soft(unsaid_line(unsaid), "List Bullet")

    def _references(self) -> None:
        if self._answer.citations:
            self._document.add_heading("References", 1)
        for citation in self._answer.citations:
            self._reference(citation)

    def _reference(self, citation: Citation) -> None:
        paragraph = self._document.add_paragraph()
        paragraph.paragraph_format.left_indent, paragraph.paragraph_format.first_line_indent = Cm(1), Cm(-1)
        paragraph.paragraph_format.keep_together = True
        _bookmark(paragraph, f"ref_{citation.marker}", citation.marker)
        paragraph.add_run(f"[{citation.marker}]\t")
        place = place_of(citation) or one_line(citation.evidence)
        if is_web(citation.url):
            _link(paragraph, place, url=citation.url)
        else:
            paragraph.add_run(place)
        paragraph.add_run(f", revision {one_line(citation.revision)}" if citation.revision else "").add_break()
        computed = computed_by(citation)
        words = f"Computed: {computed}" if computed else f"“{one_line(citation.quote)}”"
        for line in (words, *map(one_line, self._paths.get(citation.marker, ()))):
            paragraph.add_run(line).add_break()
        address = citation.url if is_web(citation.url) else ""
        owed = paragraph.add_run(". ".join(filter(None, (owed_for(citation), address, one_line(citation.evidence)))))
        owed.font.size, owed.font.color.rgb = Pt(8.5), SOFT

    def _soft(self, text: str, style: str = "Normal") -> None:
        run = self._document.add_paragraph(style=style).add_run(one_line(text))
        run.font.size, run.font.color.rgb = Pt(9), SOFT


def _empty_document(title: str) -> WordDocument:
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title[:255], "Heliograph", ""
    properties.created = properties.modified = datetime.now(UTC)
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    return document


def _link(paragraph: Paragraph, text: str, url: str = "", anchor: str = "") -> None:
    """Add a link: to an address of the web, or to a bookmark of the document."""
    link = OxmlElement("w:hyperlink")
    if url:
        link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    else:
        link.set(qn("w:anchor"), anchor)
    run = paragraph.add_run(text)
    run.font.color.rgb, run.font.underline = SEA, bool(url)
    link.append(run._r)
    paragraph._p.append(link)


def _bookmark(paragraph: Paragraph, name: str, number: int) -> None:
    for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
        mark = OxmlElement(tag)
        mark.set(qn("w:id"), str(number))
        if tag == "w:bookmarkStart":
            mark.set(qn("w:name"), name)
        paragraph._p.append(mark)


def _repeat_on_each_page(row: object) -> None:
    row.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # type: ignore[attr-defined]  # python-docx has no word for it
