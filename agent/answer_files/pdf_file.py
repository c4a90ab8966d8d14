"""An answer as PDF: the HTML page laid out by WeasyPrint, which may fetch nothing (docs/decisions/043)."""

from collections.abc import Mapping

from PIL import ImageFile
from weasyprint import CSS, HTML, URLFetcher

from agent.answer_files.html_page import html_page
from agent.rendering import NO_PATHS, Paths
from heliograph.errors import UsageError
from heliograph.types import Answer, EvidenceId, Picture

# WeasyPrint has Pillow take half pictures for whole ones, in the whole process; damaged pictures of pages are refused.
ImageFile.LOAD_TRUNCATED_IMAGES = False

PAPER = """
@page { size: A4; margin: 20mm 20mm 18mm; }
@page { @bottom-center { content: counter(page) " / " counter(pages); font-size: 9pt; } }
html { font-size: 10.5pt; }
body { font-size: 10.5pt; line-height: 1.5; }
main { max-width: none; padding: 0; }
img { max-height: 9cm; }
.references .place a[rel]::after { content: " " attr(href); color: #4d5c5b; font-size: 8pt; }
.references .place .back { display: none; }
.unsaid summary { font-weight: 600; list-style: none; }
"""


def pdf_file(answer: Answer, pictures: Mapping[EvidenceId, Picture], paths: Paths = NO_PATHS) -> bytes:
    """Return an answer as a PDF with links inside, bookmarks of its headings, and its fonts.

    Raises:
        UsageError: the machine has no font.
    """
    written = html_page(answer, pictures, paths, on_paper=True)
    page = HTML(string=written, url_fetcher=URLFetcher(allowed_protocols=("data",)))
    document = page.render(stylesheets=[CSS(string=PAPER)])
    made: bytes = document.write_pdf()
    if not document.fonts:
        raise UsageError("a .pdf file needs a font, and this machine has none: apt install fonts-dejavu-core")
    return made
