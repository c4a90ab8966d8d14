"""Make the file of composed claims from what was composed, with the labels that a second reading mended.

usage: python -m bench.composed_claims --data OTT --out FILE FOLDER

FOLDER has the claims, `a.jsonl` and so on, and `mends.jsonl`: by file and line, from 1, what label and answers should
be. A line is kept where the corpus has its evidence, and its label and its change fit together.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel

from eval.lines import Line, read_lines
from eval.ott.questions import read_questions
from eval.ott.reading import read_corpus
from eval.ott.training.claims import ClaimLine, fault
from eval.ott.training.stages import PUBLIC, tables_of
from indexers.models.checker import Relation

MENDS = "mends.jsonl"


class Mend(BaseModel):
    """What a line should have said."""

    file: str
    line: int
    label: Relation
    answers: bool


def main() -> None:
    """Write the file and print what was left out, and why."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("folder", type=Path)
    args = ask.parse_args()
    corpus, kept_out = read_corpus(args.data, "full"), tables_of(read_questions(args.data / PUBLIC))
    told = ((line, fault(line, corpus, kept_out)) for line in mended(args.folder))
    write(args.out, told, ClaimLine.key, "claims", "label")


def write(out: Path, told: Iterable[tuple[Line, str]], key: Callable[[Line], object], what: str, counted: str) -> None:
    """Write each line once, by its key, that is `told` with nothing against it; print counts of reasons and of kinds.

    Args:
        out: the file.
        told: lines, each with why it is left out.
        key: what two lines that are one have in common.
        what: what a line is, in the plural.
        counted: the field that has its kind.
    """
    left_out: Counter[str] = Counter()
    kept: dict[object, Line] = {}
    for line, wrong in told:
        why = wrong or ("stands there twice" if key(line) in kept else "")
        left_out[why] += 1
        if not why:
            kept[key(line)] = line
    with out.open("w", encoding="utf8") as file:
        for line in kept.values():
            file.write(json.dumps(line.model_dump(exclude_defaults=True), ensure_ascii=False) + "\n")
    print(f"{out.name}: {len(kept)} {what}", dict(Counter(getattr(line, counted) for line in kept.values())))
    for why, times in left_out.most_common():
        print(f"{times:5} {why or 'kept'}")


def mended(folder: Path) -> Iterator[ClaimLine]:
    """Yield the composed claims of a folder, corrected."""
    path = folder / MENDS
    mends = {(each.file, each.line): each for each in read_lines(path, Mend)} if path.exists() else {}
    for file in sorted(folder.glob("?.jsonl")):
        for number, line in enumerate(read_lines(file, ClaimLine), start=1):
            mend = mends.get((file.stem, number))
            yield line.model_copy(update={"label": mend.label, "answers": mend.answers}) if mend else line


if __name__ == "__main__":
    main()
