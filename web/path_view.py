"""What the page shows of a row about a knowledge base: its paths, looked up in the base where that is served."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from heliograph.errors import StoreError, UsageError
from heliograph.types import Document, TableEvidence, TableSegment
from indexers.parser import find_evidence
from indexers.parser.ids import row_id
from tools.skb.row_paths import RowPath, base_of, is_computed, look_up_paths, row_paths
from web.evidence_view import Standing
from web.reply import Json
from web.served_bases import ServedBases


async def base_json(found: Standing, bases: ServedBases, rows: Sequence[int] = ()) -> Json | None:
    """Return the paths of a row of a base's page, or of some rows of a table of it; None for anything else.

    Of a base that is not served, or cannot be read, they are what the row alone says.
    """
    piece, name = found.piece, base_of(found.document.wiki)
    if name is None or not isinstance(piece, TableEvidence | TableSegment):
        return None
    cited = (piece,) if isinstance(piece, TableSegment) else _rows(piece, found.document, rows)
    paths = tuple(path for each in cited for path in row_paths(each))
    if not (paths or is_computed(piece)):
        return None
    try:
        served = await bases.called(name)
        paths = await look_up_paths(served[1], paths) if served else paths
    except (StoreError, UsageError):
        served = None
    return {
        "name": name.name,
        "served": served[0] if served else None,
        "computed": is_computed(piece),
        "paths": [_path(each) for each in paths],
    }


def _rows(table: TableEvidence, document: Document, numbers: Sequence[int]) -> Iterator[TableSegment]:
    for number in dict.fromkeys(numbers):
        if 1 <= number <= len(table.rows):
            row = find_evidence(document, row_id(table.id, number))
            assert isinstance(row, TableSegment), "the id is that of a row"
            yield row


def _path(path: RowPath) -> Json:
    nodes = [
        {
            "name": each.name,
            "type": each.entity.type if each.entity else "",
            "id": each.entity.id if each.entity else None,
        }
        for each in path.nodes
    ]
    return {"nodes": nodes, "steps": [asdict(each) for each in path.steps]}
