"""`heliograph train`: the models of the table-text graph and of knowledge bases, and the form in which they ship."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from agent.cli.interrupting import resumable
from agent.cli.options import Option, options
from agent.cli.places import DESTINATION, NAME, OUT_FILE, OUT_FOLDER, PLACE
from agent.cli.speaking import say
from eval.cli.ott import DATA, FILES, NONE, ONE
from heliograph.errors import UsageError

SEED = click.IntRange(0, 2**32 - 1)
GO_ON = "give the same command again: a training goes on after its last checkpoint"


class Finite(click.FloatRange):
    """A number in a range; NaN is beyond no end of one, and infinity in those without an end."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no number that can be used; give a finite one", param, ctx)
        return number


QUESTIONS: tuple[Option, ...] = (
    *FILES,
    click.option("--held-out", type=NONE, default=0, help="Questions after the 300 for development not learned from."),
)
OUT = click.option(
    "--out", type=OUT_FOLDER, required=True, help="Folder for the model; a training found there goes on."
)


def schedule_options(
    epochs: str = "the paper's", batch: str = "the paper's", rate: str = "the paper's", warmup: str = "the paper's"
) -> tuple[Option, ...]:
    """Return the options of how long and how fast a model learns, by the defaults that they tell."""
    return (
        click.option("--epochs", type=ONE, help=f"Passes over the questions [default: {epochs}]."),
        click.option("--batch", type=ONE, help=f"Questions a step [default: {batch}]."),
        click.option("--learning-rate", type=Finite(min=0, min_open=True), help=f"The highest [default: {rate}]."),
        click.option("--warmup", type=Finite(min=0), help=f"Steps, or below 1 a share of all [default: {warmup}]."),
        click.option("--seed", type=SEED, default=0),
    )


LEARNING: tuple[Option, ...] = (
    OUT,
    click.option("--start", type=NAME, required=True, help="What to begin from: a folder, or a name on the hub."),
    *schedule_options(),
)
TRAINING = (*QUESTIONS, *LEARNING)
REPORTED = click.option(
    "--reported", type=PLACE, help="Questions from whose tables nothing is learned [default: those of OTT]."
)


def pretrained(made: str) -> Option:
    """Return the option that says how much of what is made of the corpus is learned first."""
    told = f"{made} made of the corpus that are learned first; 0 leaves that out."
    return click.option("--pretrained", type=NONE, help=told)


@click.group("train")
def train_group() -> None:
    """Train the models of the table-text graph and of knowledge bases; needs the extra `models`, but for refiner-data.

    Stopped, the same command goes on. Exit codes: 2 usage, 4 no model, 6 store unusable, 130 interrupted.
    """


@train_group.command("edge-retriever")
@options(*TRAINING)
@click.option(
    "--teacher", type=NAME, help="Learn the scores of a reranker too: folder of a cross-encoder or of fusion.json."
)
@click.option("--teacher-retriever", type=NAME, help="What fusion.json was fitted to [default: what is beside it].")
def edge_retriever(teacher: str | None, teacher_retriever: str | None, **given: Any) -> None:
    """Train f_e, late interaction over edges."""
    from eval.ott.training.teaching import Teaching

    if teacher_retriever and not teacher:
        raise UsageError("--teacher-retriever is of a teacher; name one with --teacher")
    _train("edge-retriever", teaching=Teaching(teacher, teacher_retriever or "") if teacher else None, **given)


@train_group.command("edge-reranker")
@options(*TRAINING)
def edge_reranker(**given: Any) -> None:
    """Train g_e, a cross-encoder over edges."""
    _train("edge-reranker", **given)


@train_group.command("node-reranker")
@options(*TRAINING)
def node_reranker(**given: Any) -> None:
    """Train g_n, a cross-encoder that finds the neighbours of nodes with the answer."""
    _train("node-reranker", **given)


@train_group.command("expansion-retrievers")
@options(*TRAINING)
def expansion_retrievers(**given: Any) -> None:
    """Train f_S>P and f_P>S, late interaction over nodes: OUT/passages finds passages, OUT/segments rows.

    Queries are questions with a node beside that with the answer. One is trained after the other.
    """
    _train("expansion-retrievers", **given)


@train_group.command("reader")
@options(*FILES)
@click.option("--composed", type=PLACE, multiple=True, help="Composed questions, JSON lines; may be given repeatedly.")
@click.option("--articles", type=PLACE, help="Articles written for a reader, JSON lines.")
@click.option("--written", type=PLACE, help="Questions over their paragraphs, JSON lines.")
@click.option("--tables", type=PLACE, help="Composed tables, JSON lines.")
@click.option("--planned", type=PLACE, help="Questions over them with their plans; those that one row answers.")
@click.option("--composed-share", type=click.FloatRange(0, 1), help="Share of the composed ones that an epoch draws.")
@click.option("--written-share", type=click.FloatRange(0, 1), help="The same of written ones but for kind two.")
@click.option("--rankings", type=PLACE, multiple=True, help="Results of eval ott to draw wrong edges from [BM25's].")
@click.option("--negatives", type=ONE, help="Edges without the answer a question [3].")
@click.option("--frozen-layers", type=NONE, help="The lowest ones, which learn nothing [2].")
@click.option("--teacher", type=NAME, help="A reader whose distributions are learned too: a folder of this command.")
@options(REPORTED, pretrained("Needs"), *LEARNING)
def reader(**given: Any) -> None:
    """Train the reader: on needs made of the corpus, then on questions. OUT/onnx runs without PyTorch."""
    from agent.cli.housekeeping import home
    from eval.ott.training.reader_training import ReaderTraining, train_reader

    _train_in_stages(train_reader, ReaderTraining, home=home() / "eval" / "ott", **given)


@train_group.command("checker")
@options(DATA)
@click.option(
    "--claims", type=PLACE, multiple=True, required=True, help="Composed claims, JSON lines; may be given repeatedly."
)
@click.option("--judged", type=PLACE, help="ExpertQA's claims; half of their development half is learned from.")
@click.option("--questions", type=PLACE, help="Questions with gold nodes: answers of the reader become claims.")
@click.option("--composed", type=PLACE, multiple=True, help="Composed questions, for the same.")
@options(REPORTED, pretrained("Claims"), *LEARNING)
def checker(**given: Any) -> None:
    """Train the checker: on claims made of the corpus, then on composed ones. OUT/onnx runs without PyTorch."""
    from agent.cli.housekeeping import home
    from eval.ott.training.checker_training import CheckerTraining, train_checker

    _train_in_stages(train_checker, CheckerTraining, home=home() / "eval" / "ott", **given)


@train_group.command("parser")
@options(DATA)
@click.option("--tables", type=PLACE, required=True, help="Composed tables, JSON lines.")
@click.option("--planned", type=PLACE, required=True, help="Questions over them with their plans, JSON lines.")
@click.option("--planned-corpus", type=PLACE, help="The same over tables of the corpus, JSON lines.")
@click.option("--planned-share", type=click.FloatRange(0, 1), help="Share of --planned that an epoch draws.")
@click.option("--composed", type=PLACE, multiple=True, help="Composed questions, which passages answer.")
@click.option("--articles", type=PLACE, help="Articles written for a reader, JSON lines.")
@click.option("--written", type=PLACE, help="Questions over their paragraphs, which no table answers.")
@click.option("--start-share", type=click.FloatRange(0, 1), help="Share of a parser's weights that stays in the mean.")
@options(REPORTED, *LEARNING)
def parser(**given: Any) -> None:
    """Train the parser of questions over tables, on composed ones with their plans. OUT/onnx runs without PyTorch."""
    from eval.ott.training.parser_training import ParserTraining, train_parser

    _train_in_stages(train_parser, ParserTraining, **given)


@train_group.command("rewriter")
@click.option("--talks", type=PLACE, required=True, help="Composed conversations, JSON lines.")
@options(*LEARNING)
def rewriter(**given: Any) -> None:
    """Train the rewriter of follow-ups, on composed conversations. OUT/onnx runs without PyTorch."""
    from eval.ott.training.talks import RewriterTraining, train_rewriter

    _train_in_stages(train_rewriter, RewriterTraining, **given)


@train_group.command("refiner-data")
@options(*QUESTIONS)
@click.option("--out", type=DESTINATION, required=True, help="File for the examples, JSON lines.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--room", type=ONE, default=6000, help="Word pieces that a prompt may have; longer ones are left out.")
@click.option("--seed", type=SEED, default=0)
def refiner_data(**given: Any) -> None:
    """Write chat examples to tune a language model that refines; needs no extra.

    Replies follow from the gold nodes of the questions, not from a model. Of detection as many say yes as no.
    """
    from agent.cli.housekeeping import home
    from eval.ott.training.refiner_data import RefinerData, write_refiner_data

    counts = write_refiner_data(RefinerData(home=home() / "eval" / "ott", say=say, **given))
    for label, count in sorted(counts.items()):
        click.echo(f"{label}: {count:,}")


@train_group.command("fusion")
@options(*FILES)
@click.option(
    "--retriever", type=NAME, required=True, help="The edge retriever whose edges are ranked: a folder, or a name."
)
@click.option("--out", type=OUT_FOLDER, required=True, help="Folder for fusion.json: that of the retriever.")
@click.option("--held-out", type=ONE, required=True, help="Questions that the retriever has not learned from.")
@click.option("--k1", type=ONE, default=400, help="Edges a question.")
@click.option("--proposed", type=ONE, help="Edges that BM25 proposes to late interaction [default: 1000].")
def fusion_command(k1: int, proposed: int | None, **given: Any) -> None:
    """Fit g_e as a weighing of what an edge, its star and its table say."""
    import asyncio

    from agent.cli.housekeeping import home
    from eval.ott.training.fusing import Fusing, fuse
    from indexers.edges.search import PROPOSED

    if proposed is not None and proposed < k1:
        raise UsageError(f"--proposed {proposed} is less than the {k1} of --k1, which are proposed at least; give more")
    fusing = Fusing(folder=home() / "eval" / "ott", say=say, k1=k1, proposed=proposed or PROPOSED, **given)
    found = asyncio.run(fuse(fusing))
    click.echo(f"retriever: {found.before}\nfused:     {found.after}")


@train_group.command("skb-encoder")
@click.option("--skb", type=PLACE, required=True, help="Folder of a built knowledge base.")
@click.option("--queries", type=PLACE, required=True, help="Queries over it: JSON lines, CSV, or STaRK's folder.")
@click.option(
    "--split",
    type=click.Choice(["train", "val"]),
    default="train",
    show_default=True,
    help="Learned from. Of val, and where no split train has a val beside it, one query in five is for validation.",
)
@click.option("--start", type=NAME, help="What to begin from: a folder, or a name [default: the packaged MiniLM].")
@click.option("--refresh", type=ONE, metavar="N", help="Draw negatives from the encoder's own ranking every N steps.")
@click.option("--query-instruction", metavar="TEXT", help="What queries begin with [default: as the start has it].")
@options(OUT, *schedule_options("5", "32", "2e-5", "a tenth"))
def skb_encoder(**given: Any) -> None:
    """Train an encoder for dense retrieval of entities: DPR, or with --refresh ANCE.

    One encoder for queries and documents learns from queries and their answers, against the other documents of its
    batch and one that BM25 ranks high. MRR of validation chooses the epoch.
    """
    from eval.stark.encoder_training import DPR, EncoderTraining, train_encoder

    schedule = _schedule(DPR, given)
    schedule = replace(schedule, at_once=schedule.batch)
    named = {name: value for name, value in given.items() if value is not None}
    with resumable(lambda: "", GO_ON):
        found = train_encoder(EncoderTraining(schedule=schedule, say=say, **named))
    model = given["out"] / "model"
    click.echo(f"{model}: MRR of validation {found.before:.3f} before, {max(found.figures):.3f} after")
    click.echo(f"heliograph eval stark run --skb {given['skb']} --queries QUERIES --system dense --embedding {model}")


@train_group.command("skb-reranker")
@click.option("--skb", "bases", type=PLACE, multiple=True, required=True, help="A knowledge base; may be repeated.")
@click.option(
    "--queries", type=PLACE, multiple=True, required=True, help="Queries over the base in the same place, repeated too."
)
@click.option("--first", type=ONE, help="Learn from the first N queries of each by the sha256 of their ids.")
@click.option("--start", type=PLACE, help="Weights that choose which plans are tried [default: those that ship].")
@click.option("--near", type=PLACE, help="Weights that the new ones stay near, where few queries teach them.")
@click.option("--out", type=OUT_FILE, required=True, help="File for the weights, JSON.")
def skb_reranker(
    bases: tuple[Path, ...],
    queries: tuple[Path, ...],
    first: int | None,
    start: Path | None,
    near: Path | None,
    out: Path,
) -> None:
    """Learn to weigh the plans of queries over knowledge bases, from their answers alone."""
    import asyncio

    from eval.stark.plan_training import learn_from

    if len(bases) != len(queries):
        raise UsageError(f"{len(bases)} --skb and {len(queries)} --queries; give as many of one as of the other")
    told = asyncio.run(learn_from(list(zip(bases, queries, strict=True)), first, start, out, say, near))
    click.echo(f"{out}: {told}")


@train_group.command("export")
@click.argument("model", type=NAME)
@click.argument("folder", type=OUT_FOLDER)
def export_command(model: str, folder: Path) -> None:
    """Write MODEL to FOLDER as int8 ONNX, with what was fitted to it.

    MODEL is a late-interaction model, an encoder of skb-encoder, a reader, a checker or a parser.
    """
    from heliograph.paths import expanded
    from indexers.models.kinds import is_exported_encoder
    from indexers.models.training.card import carry_card
    from indexers.models.training.export import carry_weights, export, is_windowed

    export(model, folder)
    is_late = not is_windowed(model) and not is_exported_encoder(folder)
    if is_late and not carry_weights(model, folder):
        say(f"no fusion.json beside {model}: fit one with heliograph train fusion")
    carry_card(expanded(model), folder)
    say(f"written: {folder / 'model.onnx'}, {(folder / 'model.onnx').stat().st_size / 1e6:.1f} MB")


def _schedule(default: Any, given: dict[str, Any]) -> Any:
    """Take what was given of a schedule out of the options, and put it into the default one."""
    named = {name: given.pop(name) for name in ("epochs", "batch", "learning_rate", "warmup")}
    return replace(default, **{name: value for name, value in named.items() if value is not None})


def _train_in_stages(train: Callable[[Any], Any], kind: Any, **given: Any) -> None:
    schedule = _schedule(kind.second_stage, given)
    named = {name: value for name, value in given.items() if value is not None}
    with resumable(lambda: "", GO_ON):
        found = train(kind(say=say, schedule=schedule, **named))
    figures = f"{kind.measured} {found.before:.3f} before, {max(found.figures):.3f} after"
    click.echo(f"{given['out'] / 'model'}: {figures}")


def _train(kind: Any, **given: Any) -> None:
    from agent.cli.housekeeping import home
    from eval.ott.training.training import SCHEDULES, Training, run_training

    schedule = _schedule(SCHEDULES[kind], given)
    with resumable(lambda: "", GO_ON):
        found = run_training(Training(kind, schedule=schedule, home=home() / "eval" / "ott", say=say, **given))
    for folder, trained in found.items():
        click.echo(
            f"{folder / 'model'}: nDCG@50 of the development lists {trained.before:.3f} before, "
            f"{max(trained.figures):.3f} after"
        )
