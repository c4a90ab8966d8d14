"""Write the question set in the form that the measures read, or say what is wrong with its labels.

usage: python demo/omgqa OUT      two folders, OUT/development and OUT/report
       python demo/omgqa --check
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from demo_faults import corpus, faults
from demo_labels import HALVES, Label, read_labels
from demo_pool import judgements, question_line
from demo_leaves import articles
from eval.omgqa.dataset import document_line, judgement_line
from eval.omgqa.trees import omg_document


def write_set(out: Path, labels: Sequence[Label]) -> None:
    """Write questions.jsonl, documents.jsonl and pool.jsonl of each half into a folder of its own."""
    documents = articles()
    lines = [document_line(omg_document(document)) for document in documents]
    for half in HALVES:
        folder, asked = out / half, [label for label in labels if label.half == half]
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "questions.jsonl", (question_line(label, documents) for label in asked))
        _write(folder / "documents.jsonl", lines)
        pool = (judgement_line(each) for label in asked for each in judgements(label, documents))
        _write(folder / "pool.jsonl", pool)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(lines), encoding="utf8")


def main(arguments: Sequence[str]) -> int:
    """Run the one or the other; 1 where something is wrong, 2 where the arguments are."""
    labels = read_labels()
    match arguments:
        case ["--check"]:
            found = list(faults(labels, corpus()))
            print(*found, f"{len(labels)} questions, {len(found)} problems", sep="\n")
            return int(bool(found))
        case [out] if not out.startswith("-"):
            write_set(Path(out), labels)
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
