"""Web addresses: no query and no claim that a model writes carries one.

A page that a model obeys could send readers or their data elsewhere by a link or a picture in the answer. Where an
answer comes from, its citations say, and their addresses are ours.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from heliograph.types import Draft, DraftBlock, DraftCell, DraftClaim
from prompts.harmless import harmless

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}\s?:\s?/\s?/\s?\S*"  # any scheme
    r"|(?<![\w.])www\d?\.\S+"
    r"|\b(?:javascript|vbscript|mailto|tel):\s?\S+|\bdata:[a-z]+/\S*"
    r"|(?<![\w@])(?:[\w-]{1,63}\.){1,12}[a-z]{2,24}(?::\d+)?[/?#]\S*"  # a host with a path
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/)\S*"
    r"|[^\s@]{1,64}@[^\s@]{1,255}\.\w+",
    re.IGNORECASE,
)
"""Parts are as long as names of hosts and mailboxes may be (RFC 1035, 5321), so that long words cost no more."""
_MARKUP = re.compile(r"\]\s*\(|!\([^)]{0,300}\)\s*\(|<\s*/?\s*(?:img|a|script|iframe|svg|link|video|audio)\b", re.I)
ADDRESSED = "every claim that was written holds a web address, and none of them was asked for"


def addresses_in(text: str) -> tuple[str, ...]:
    """Return the web addresses of a text, as a reader's program would read them."""
    return tuple(found.group() for found in _ADDRESS.finditer(_plain(text)))


def holds_address(text: str) -> bool:
    """Tell whether a text holds a web address, or a link, picture or script in Markdown or HTML."""
    return _ADDRESS.search(_plain(text)) is not None or _MARKUP.search(text) is not None


def without_addresses(text: str) -> str:
    """Return a text, in compatibility spelling, with its web addresses taken out."""
    return " ".join(_ADDRESS.sub(" ", _plain(text)).split())


def may_be_told(claim: DraftClaim, question: str) -> bool:
    """Tell whether a claim holds no web address, or only such as the question and a quote of the claim hold too."""
    if not holds_address(claim.text):
        return True
    asked = set(addresses_in(question))
    quoted = {address for quote in claim.quotes for address in addresses_in(quote.text)}
    return _MARKUP.search(claim.text) is None and set(addresses_in(claim.text)) <= asked & quoted


def tellable(draft: Draft, question: str) -> Draft:
    """Return a draft without the claims that hold foreign addresses, nor headings and captions that hold any."""
    told = [place for place, claim in enumerate(draft.claims) if may_be_told(claim, question)]
    claims = tuple(draft.claims[place] for place in told)
    now = {place: new for new, place in enumerate(told)}
    blocks = (_tellable_block(block, now) for block in draft.blocks) if claims else ()
    return Draft(
        claims,
        draft.reason if claims or not draft.claims else ADDRESSED,
        tuple(block for block in blocks if block is not None),
        tuple(text for text in draft.not_found if not holds_address(text) or text == question),
        not_said=tuple(each for each in draft.not_said if not holds_address(each.text)),
    )


def _tellable_block(block: DraftBlock, now: Mapping[int, int]) -> DraftBlock | None:
    """Return a block with the places that its claims have now; None where nothing of it is left."""
    claims = tuple(now[place] for place in block.claims if place in now)
    text = "" if holds_address(block.text) else block.text
    if (block.claims and not claims) or (block.kind == "heading" and not text):
        return None
    names = tuple("" if holds_address(name) else name for name in block.header)
    rows = tuple(tuple(DraftCell("") if holds_address(cell.text) else cell for cell in row) for row in block.rows)
    return replace(block, claims=claims, text=text, header=names, rows=rows)


def _plain(text: str) -> str:
    """Undo what hides an address: full-width letters and invisible characters."""
    return unicodedata.normalize("NFKC", harmless(text))
