"""A ranking as a reader sees it: texts one after another, each row and each passage once."""

from collections.abc import Iterator

from eval.ott.corpus import OttCorpus
from eval.ott.ranking import Ranking


def linearise(ranking: Ranking, corpus: OttCorpus) -> Iterator[str]:
    """Yield the text of each unit's row and then of its passages, leaving out what was written before."""
    rows: set[int] = set()
    passages: set[int] = set()
    for unit in ranking:
        if unit.row is not None and unit.row not in rows:
            rows.add(unit.row)
            yield corpus.row_text(unit.row)
        for passage in unit.passages:
            if passage not in passages:
                passages.add(passage)
                yield corpus.passage_text(passage)
