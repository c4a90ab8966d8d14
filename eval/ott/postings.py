"""The words of the corpus, indexed as the published baselines index them."""

from collections.abc import Callable
from dataclasses import dataclass

from eval.ott.corpus import OttCorpus
from indexers.edges.bm25 import EdgeBM25
from indexers.edges.postings import Postings

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class OttPostings:
    """Which rows and passages say a word."""

    rows: Postings
    passages: Postings

    @classmethod
    def of(cls, corpus: OttCorpus, say: Say) -> "OttPostings":
        """Index the words of a corpus as the baselines do."""
        say(f"indexing the words of {corpus.rows} rows and {len(corpus.passages.ids)} passages")
        return cls(
            Postings.build(map(corpus.row_text, range(corpus.rows))),
            Postings.build(map(corpus.passage_text, range(len(corpus.passages.ids)))),
        )

    def over(self, corpus: OttCorpus) -> EdgeBM25:
        """Return BM25 over the linked edges of the corpus."""
        return EdgeBM25(self.rows, self.passages, corpus.edges)
