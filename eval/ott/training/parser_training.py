"""Training of the parser: on questions over small tables that were composed with their plans."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.lines import read_placed_lines
from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.training.composed import read_composed
from eval.ott.training.planned import HELD_OUT, ParserLists, example_of, is_development, read_planned
from eval.ott.training.stages import CorpusTraining, Curriculum, hashed, source_of_corpus, tables_of, train_in_stages
from eval.ott.training.written import WrittenArticle, read_written
from heliograph.errors import UsageError
from heliograph.types import TableEvidence
from indexers.models.training.loop import Trained
from indexers.models.training.parsing import ParsingExample, load_parser
from indexers.models.training.schedule import Schedule

OF_TEXT = frozenset(("passage", "fact", "bridge", "unanswerable"))
"""Kinds of composed questions that no table answers by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserTraining(CorpusTraining):
    """One training of a parser; of `composed` questions those that a table by itself does not answer are learned.

    So are `written` questions over `articles`, asked of tables that say their words and name what they ask about.
    """

    kind, measured = "parser", "all slots"
    second_stage = Schedule(epochs=6, batch=32, learning_rate=1e-4, warmup=0.1, at_once=32)
    first_stage = None

    tables: Path
    planned: Path
    composed: tuple[Path, ...] = ()
    articles: Path | None = None
    written: Path | None = None

    def options(self) -> Iterator[str]:
        """Yield the options of its files."""
        yield "--data OTT"
        yield from self.files("tables", "planned", "composed", "articles", "written", "reported")


def train_parser(training: ParserTraining) -> Trained:
    """Train a parser on what the command line names, as `train_in_stages` does.

    Raises:
        UsageError: data or questions cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    training.refuse_halves(("articles", "written"))
    return train_in_stages(training, lambda: _curriculum(training, training.corpus()))


def _curriculum(training: ParserTraining, corpus: OttCorpus) -> Curriculum[ParsingExample]:
    planned = read_planned(training.tables, training.planned)
    learned = [each for each in planned if not is_development(each[0])]
    held_out = [example for table, line in planned if is_development(table) and (example := example_of(table, line))]
    if not learned or not held_out:
        raise UsageError(f"{training.tables} has too few tables; one in {HELD_OUT} is held out")
    lists = ParserLists(learned, tuple(_of_text(training, corpus)), tuple(_written(training)))
    nothing = len(lists.strange) + len(lists.of_texts)
    told = (
        f"{len(learned)} questions over tables, and {nothing} of which a table says nothing; "
        f"{len(held_out)} held out, of one table in {HELD_OUT} by sha256 of their titles"
    )
    return Curriculum(load_parser, None, lists, told, held_out, tuple(_sources(training, corpus)))


def _of_text(training: ParserTraining, corpus: OttCorpus) -> Iterator[tuple[str, TableEvidence]]:
    """Yield questions that passages answer, with the tables that these belong to."""
    reported, graph = tables_of(training.questions_reported()), OttGraph(corpus)
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
    for path in training.composed:
        yield f"Questions that no table answers: {hashed(path)}, over the corpus below."
    if training.articles and training.written:
        yield f"And questions over articles that were written for this project: {hashed(training.written)}."
    yield source_of_corpus(corpus)
