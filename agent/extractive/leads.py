"""Where the evidence points: pages that it links to and nobody has read."""

from collections.abc import Collection, Sequence
from itertools import islice

from heliograph.types import Evidence, PageKey, Scored
from indexers.links import links_of, says
from indexers.parser.ids import page_name

MOST_LEADS = 5
LINKS_A_PIECE = 3
"""Links taken of one piece: a row that names many pages should not silence the next row."""


def leads(question: str, evidence: Sequence[Scored[Evidence]], read: Collection[PageKey]) -> tuple[str, ...]:
    """Return the titles that the best evidence links to, best piece first.

    A title that the question says itself is left out: the first round has searched for it.
    """
    known = {page_name(key).title for key in read} | {scored.item.place.title for scored in evidence}
    asked = question.casefold()
    ranked = sorted(evidence, key=lambda scored: (-scored.score, scored.item.id))
    found: dict[str, None] = {}
    for scored in ranked:
        targets = dict.fromkeys(link.target for link in links_of(scored.item))
        new = (title for title in targets if title not in known and not says(asked, title.casefold()))
        found.update(dict.fromkeys(islice(new, LINKS_A_PIECE)))
    return tuple(found)[:MOST_LEADS]
