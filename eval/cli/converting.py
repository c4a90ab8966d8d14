"""`heliograph eval omgqa convert`: other data sets as questions, pages and labels of OMG-QA's harness."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.places import OUT_FOLDER, PLACE
from agent.cli.speaking import say
from heliograph.errors import UsageError

if TYPE_CHECKING:
    from eval.drawing import Draw, Part
    from eval.omgqa.converting.conversion import Conversion

TABLES = {"ott": "OTT-QA", "hybridqa": "HybridQA"}
MULTIHOP = ("musique", "hotpotqa")


@click.command("convert")
@click.argument("data_set", metavar="DATASET", type=click.Choice([*TABLES, "mmqa", *MULTIHOP]))
@click.option("--questions", type=PLACE, required=True, help="Questions as the data set is released.")
@click.option("--data", type=PLACE, help="Folder of tables, texts and images; ott, hybridqa and mmqa.")
@click.option(
    "--corpus",
    type=PLACE,
    help="Paragraphs, {title, text}; musique, hotpotqa [default: the questions' own].",
)
@click.option("--out", type=OUT_FOLDER, required=True, help="Folder for questions.jsonl, gold.jsonl and pages.jsonl.")
@click.option(
    "--half",
    type=click.Choice(["development", "report", "all"]),
    default="all",
    show_default=True,
    help="Halves by the sha256 of ids: settings are chosen on development; figures are of report.",
)
@click.option("--first", type=click.IntRange(min=1), help="Convert the first N of these, by the sha256 of their ids.")
def convert_command(
    data_set: str, questions: Path, data: Path | None, corpus: Path | None, out: Path, half: "Part", first: int | None
) -> None:
    """Write questions, supporting facts and pages of DATASET, one of ott, hybridqa, mmqa, musique and hotpotqa.

    Supporting facts name no state of a page; they become labels where pages are read. Of ott and hybridqa no pages are
    written: ask the questions of an archive of the corpus' own pages. Exit codes: 2 usage, 6 folder unusable.
    """
    from eval.drawing import Draw
    from eval.omgqa.converting.conversion import write_conversion

    conversion = _converted(data_set, questions, data, corpus, Draw(half, first))
    for why, left_out in conversion.left_out.items():
        if left_out:
            say(f"{len(left_out):,} questions left out, since {why}; the first is {left_out[0]}")
    if conversion.pages:
        say(f"of the pages as they are written, {conversion.checked().summary}")
    files = write_conversion(conversion, out)
    counts = f"{len(conversion.questions):,} questions, {len(conversion.gold):,} supporting facts"
    pages = f", {len(conversion.pages):,} pages" if conversion.pages else ""
    click.echo(f"{counts}{pages}: {', '.join(map(str, files))}")
    if conversion.pages:
        click.echo(f"next: heliograph snapshot build {files[-1]} {out / data_set}.zim")


def _converted(data_set: str, questions: Path, data: Path | None, corpus: Path | None, draw: "Draw") -> "Conversion":
    """Convert by the data set's own reader.

    Raises:
        UsageError: an option is missing or of another data set, or a file cannot be used.
    """
    from eval.omgqa.converting.mmqa import convert_mmqa
    from eval.omgqa.converting.multihop import convert_hotpotqa, convert_musique
    from eval.omgqa.converting.ott import convert_ott

    if data_set in MULTIHOP:
        if data is not None:
            raise UsageError(f"--data is not of {data_set}; its corpus is a file, --corpus")
        return (convert_musique if data_set == "musique" else convert_hotpotqa)(questions, corpus, draw)
    if corpus is not None:
        raise UsageError(f"--corpus is not of {data_set}; its corpus is a folder, --data")
    if data is None:
        raise UsageError(f"{data_set} needs --data, the folder of its corpus")
    return (
        convert_mmqa(questions, data, draw)
        if data_set == "mmqa"
        else convert_ott(questions, data, TABLES[data_set], draw)
    )
