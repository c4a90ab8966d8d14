"""Training of the parser: on questions over small tables that were composed with their plans."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.lines import read_placed_lines
from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.training.composed import read_composed
from eval.ott.training.planned import (
    HELD_OUT,
    ParserLists,
    example_of,
    is_development,
    read_planned,
    read_planned_of_corpus,
    siblings_of,
)
from eval.ott.training.stages import CorpusTraining, Curriculum, hashed, source_of_corpus, tables_of, train_in_stages
from eval.ott.training.written import WrittenArticle, read_written
from heliograph.errors import UsageError
from heliograph.types import TableEvidence
from indexers.models.training.checkpoint import Asked
from indexers.models.training.loop import Trained
from indexers.models.training.parsing import ParsingExample, load_parser
from indexers.models.training.schedule import Schedule

OF_TEXT = frozenset(("passage", "fact", "bridge", "unanswerable"))
"""Kinds of composed questions that no table answers by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserTraining(CorpusTraining):
    """One training of a parser; of `composed` questions those that a table by itself does not answer are learned.

    So are `written` questions over `articles`, asked of tables that say their words and name what they ask about.
    An epoch draws `planned_share` of the questions over composed tables, and all of those over tables of the corpus.
    """

    kind, measured = "parser", "all slots"
    second_stage = Schedule(epochs=6, batch=32, learning_rate=1e-4, warmup=0.1, at_once=32)
    first_stage = None

    tables: Path
    planned: Path
    planned_corpus: Path | None = None
    planned_share: float = 1.0
    composed: tuple[Path, ...] = ()
    articles: Path | None = None
    written: Path | None = None

    def options(self) -> Iterator[str]:
        """Yield the options of its files."""
        yield "--data OTT"
        yield from self.files("tables", "planned", "planned_corpus", "composed", "articles", "written", "reported")
        if self.planned_share < 1:
            yield f"--planned-share {self.planned_share}"

    def asked(self, stage: str) -> Asked:
        """Add how many questions an epoch draws."""
        return {**CorpusTraining.asked(self, stage), "planned_share": self.planned_share}


def train_parser(training: ParserTraining) -> Trained:
    """Train a parser on what the command line names, as `train_in_stages` does.

    Raises:
        UsageError: data or questions cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    training.refuse_halves(("articles", "written"))
    return train_in_stages(training, lambda: _curriculum(training, training.corpus()))


def _curriculum(training: ParserTraining, corpus: OttCorpus) -> Curriculum[ParsingExample]:
    reported = tables_of(training.questions_reported())
    planned = read_planned(training.tables, training.planned)
    real = read_planned_of_corpus(training.planned_corpus, corpus, reported) if training.planned_corpus else ()
    learned, learned_real = ([each for each in lines if not is_development(each[0])] for lines in (planned, real))
    development = [each for each in (*planned, *real) if is_development(each[0])]
    held_out = [example for each in development if (example := example_of(*each))]
    if not learned or not held_out:
        raise UsageError(f"{training.tables} has too few tables; one in {HELD_OUT} is held out")
    strange, of_texts = tuple(_of_text(training, corpus, reported)), tuple(_written(training))
    siblings = siblings_of({table.id: table for table, _ in learned_real}.values(), corpus, reported)
    lists = ParserLists(learned, strange, of_texts, learned_real, siblings, training.planned_share)
    nothing = len(lists.strange) + len(lists.of_texts)
    told = (
        f"{len(learned)} questions over composed tables, of which an epoch draws {training.planned_share:.0%}, "
        f"{len(learned_real)} over real ones, and {nothing} of which a table says nothing; "
        f"{len(held_out)} held out, of one table in {HELD_OUT} by sha256 of their titles"
    )
    return Curriculum(load_parser, None, lists, told, held_out, tuple(_sources(training, corpus)))


def _of_text(
    training: ParserTraining, corpus: OttCorpus, reported: Collection[str]
) -> Iterator[tuple[str, TableEvidence]]:
    """Yield questions that passages answer, with the tables that these belong to."""
    graph = OttGraph(corpus)
    for path in training.composed:
        for each in read_composed(path, corpus, reported):
            if each.kind in OF_TEXT:
                yield each.question, graph.whole(corpus.table_of(corpus.rows_of(each.table)[0]))


def _written(training: ParserTraining) -> Iterator[tuple[str, str]]:
    """Yield questions over written articles, each with the title of its article where it says that."""
    if training.articles and training.written:
        titles = {article.id: article.title for _, article in read_placed_lines(training.articles, WrittenArticle)}
        for each in read_written(training.articles, training.written)[1]:
            asked, title = each.line.question, titles[each.line.article]
            yield asked, title if title.casefold() in asked.casefold() else ""


def _sources(training: ParserTraining, corpus: OttCorpus) -> Iterator[str]:
    """Yield a line for each of the data that a parser learned from, with the hash of its file."""
    yield (
        f"Questions with their plans: {hashed(training.planned)} over the tables of {hashed(training.tables)}, both "
        "composed in the wordings of people (docs/training.md)."
    )
    if training.planned_corpus:
        yield f"Questions with their plans over tables of the corpus below: {hashed(training.planned_corpus)}."
    for path in training.composed:
        yield f"Questions that no table answers: {hashed(path)}, over the corpus below."
    if training.articles and training.written:
        yield f"And questions over articles that were written for this project: {hashed(training.written)}."
    yield source_of_corpus(corpus)
