"""A league, its clubs and their grounds: what a question of two hops is asked over."""

from collections.abc import Mapping

from heliograph.types import Document, Page
from indexers.parser import parse_page

TABLE = """<table><caption>Clubs of the Vale League</caption>
<tr><th>Club</th><th>Ground</th><th>Joined</th></tr>
<tr><td><a href="./Leeford">Leeford</a></td><td><a href="./Mill_Lane">Mill Lane</a></td><td>1931</td></tr>
<tr><td>Oxley Town</td><td><a href="./Priory_Park">Priory Park</a></td><td>1946</td></tr>
<tr><td>Harrow Bridge</td><td><a href="./The_Dell">The Dell</a></td><td>1950</td></tr>
<tr><td>Stanmoor</td><td><a href="./Kiln_Road">Kiln Road</a></td><td>–</td></tr>
</table>"""
BOX = """<table class="infobox"><caption>Kiln Road</caption>
<tr><th>Opened</th><td>1955</td></tr><tr><th>Owner</th><td><a href="./Leeford">Leeford</a></td></tr></table>"""
PAGES: Mapping[str, str] = {
    "Vale League": f"<p>The Vale League is a league of football clubs.</p>{TABLE}",
    "Leeford": "<p>Leeford is a football club.</p>",
    "Mill Lane": "<p>Mill Lane is a football ground. It was opened in 1912.</p>",
    "Priory Park": "<p>Priory Park is a football ground. It was opened on 4 May 1968.</p>",
    "The Dell": "<p>The Dell is a football ground, which the town opened in August 1926.</p>",
    "Kiln Road": f"{BOX}<p>Kiln Road is a football ground.</p>",
}


def document(title: str, body: str) -> Document:
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
    return parse_page(Page("vale", title, "1", "", html, "2026-01-01T00:00:00Z"))


def league() -> tuple[Document, ...]:
    return tuple(document(title, body) for title, body in PAGES.items())
