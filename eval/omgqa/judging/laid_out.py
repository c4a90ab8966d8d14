"""A case laid out for a person in a terminal: what a judge of its task is shown, harmless, in 80 columns."""

import textwrap
import unicodedata
from collections.abc import Iterator, Mapping

from eval.omgqa.judging.cases import Case, Shown, Task
from eval.omgqa.judging.language import with_markers
from prompts.harmless import harmless

WIDTH = 80
SCREEN = 20
"""Lines of evidence behind which question and answer are shown once more, as they may have left the window."""
KEYS = "y yes   n no   s skip   u undo   q quit"
ASKED: Mapping[Task, str] = {
    "relevancy": "Does the evidence hold something that helps to answer the question?",
    "correct_use": "Does each piece say what the sentences that cite it take from it?",
    "completeness": "Does every sentence of the answer that states a fact cite evidence?",
    "support": "Does the evidence, all pieces together, say all that the claim says?",
    "correctness": "Does the answer state one of the answers known to be right?",
}
"""What a yes means, as the prompts of language models have it."""


def case_text(case: Case, number: int, of: int) -> str:
    """Return what a person sees of the case `number` of so many; of a table a line a row."""
    told = list(_told(case))
    evidence = [line for place, piece in enumerate(case.evidence, 1) for line in _piece(piece, place, case)]
    again = told if len(evidence) > SCREEN else []
    foot = f"{ASKED[case.task]}\n{KEYS}"
    return "\n".join((f"{number:,} of {of:,}", "", *told, *evidence, *again, foot)) + "\n"


def _told(case: Case) -> Iterator[str]:
    yield from _wrapped(f"Question: {harmless(case.question)}")
    yield ""
    match case.task:
        case "correct_use" | "completeness":
            yield from _wrapped(f"Answer: {with_markers(case.answer, len(case.evidence))}")
            yield ""
        case "correctness":
            yield from _wrapped(f"Known to be right: {' / '.join(map(harmless, case.accepted))}")
            yield ""
            yield from _wrapped(f"Answer: {harmless(case.answer)}")
            yield ""
        case "support":
            yield from _wrapped(f"Claim: {harmless(case.answer)}")
            yield ""
        case "relevancy":
            pass


def _piece(piece: Shown, number: int, case: Case) -> Iterator[str]:
    numbered = f"[{number}] " if case.task == "correct_use" or len(case.evidence) > 1 else ""
    yield from _wrapped(f"{numbered}{piece.modality}: {' > '.join(map(harmless, piece.place))}")
    yield ""
    for row in _rows(piece):
        yield from _wrapped(row, "  ", "      " if piece.modality == "table" else "  ")
    yield ""


def _rows(piece: Shown) -> list[str]:
    """Return a table by its rows, a row of one by its cells, and all else as one."""
    said = harmless(piece.text)
    return said.split(" // " if " // " in said else "; ") if piece.modality == "table" else [said]


def _wrapped(text: str, indent: str = "", then: str = "  ") -> list[str]:
    """Break a text into lines; one with characters of two columns, as of Chinese, takes them all for such."""
    wide = any(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    width = WIDTH // 2 if wide else WIDTH
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=then, break_on_hyphens=False)
