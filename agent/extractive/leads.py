"""Where the evidence points: pages that it links to and nobody has read."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice

from heliograph.types import Evidence, EvidenceId, PageKey, Scored, TableEvidence, TableSegment
from indexers.links import links_of, says
from indexers.parser.ids import page_name

MOST_LEADS = 5
LINKS_A_PIECE = 3
"""Links taken of one piece: a row that names many pages should not silence the next row."""


def leads(question: str, evidence: Sequence[Scored[Evidence]], read: Collection[PageKey]) -> tuple[str, ...]:
    """Return the titles that the best evidence links to, best piece first.

    A title that the question says itself is left out: the first round has searched for it. Of a whole table nothing is
    taken where rows of it are among the evidence: its first links are those of other rows.
    """
    known = {page_name(key).title for key in read} | {scored.item.place.title for scored in evidence}
    asked = question.casefold()
    rows = {scored.item.table for scored in evidence if isinstance(scored.item, TableSegment)}
    ranked = sorted(
        (scored for scored in evidence if scored.item.id not in rows),
        key=lambda scored: (-scored.score, scored.item.id),
    )
    tables = {scored.item.id: scored.item for scored in evidence if isinstance(scored.item, TableEvidence)}
    found: dict[str, None] = {}
    for scored in ranked:
        new = (
            title for title in _targets(scored.item, tables) if title not in known and not says(asked, title.casefold())
        )
        found.update(dict.fromkeys(islice(new, LINKS_A_PIECE)))
    return tuple(found)[:MOST_LEADS]


def _targets(piece: Evidence, tables: Mapping[EvidenceId, TableEvidence]) -> list[str]:
    """Return the titles that a piece links to; of a row first those that fewest rows of its table link to.

    What a row shares with those beside it, the position of a player say, is not what it is about.
    """
    targets = list(dict.fromkeys(link.target for link in links_of(piece)))
    table = tables.get(piece.table) if isinstance(piece, TableSegment) else None
    if table is None:
        return targets
    sharing = Counter(chain.from_iterable({link.target for cell in row for link in cell.links} for row in table.rows))
    return sorted(targets, key=sharing.__getitem__)
