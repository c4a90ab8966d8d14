"""Verify the articles and questions of the second demo archive, and the claims over both archives."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from check import check_articles, check_reach
from corpus import HERE, Article, Question, holders, load

EVERYDAY = HERE / "everyday"
PARTS = ("development", "held_out")
CLAIMS = (*PARTS, "held_out_2", "held_out_3")
ABSTAIN = "abstain"
ANSWERED = {"fact": 7, "two_hop": 5, "lookup": 5, "aggregation": 6, "yes_no": 4, "picture": 2, "report": 6}
KINDS = ANSWERED | {"unanswerable": 5}
TRUE_KINDS = {
    "paraphrase",
    "joined",
    "long_sentence",
    "bridging",
    "number_words",
    "name_with_figure",
    "question_ordinal",
    "both_neither_only",
    "negation",
    "date_form",
    "row_comparison",
}
FALSE_KINDS = {
    "swapped_entity",
    "wrong_figure",
    "reversed_direction",
    "flipped_negation",
    "wrong_date",
    "over_claim",
    "wrong_subject",
    "wrong_unit",
    "wrong_count",
    "unsupported_cause",
}
LEAST_CLAIMS = 30


def by_title(*folders: Path) -> dict[str, Article]:
    """Return the articles of some archives by their title."""
    return {page.title: page for folder in folders for page in load(folder).values()}


def read_lines(path: Path) -> list[Question]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def check_totals(pages: dict[str, Article]) -> Iterator[str]:
    """Report too few articles and tables, and pictures that are not shown."""
    tables = [table for page in pages.values() for table in page.tables]
    long = [table for table in tables if 8 <= len(table) - 1 <= 20]
    spanned = [page for page in pages.values() if page.has_spans]
    counts = [(len(pages), 14), (len(tables), 12), (len(long), 6), (len(spanned), 3)]
    yield from (f"only {count} where {least} are due" for count, least in counts if count < least)
    shown = {Path(path).name for page in pages.values() for path, _, _ in page.pictures}
    drawn = {path.name for path in (EVERYDAY / "images").glob("*.png")}
    yield from (f"{name}: not shown" for name in sorted(drawn - shown))


def check_evidence(pages: dict[str, Article], name: str, pieces: list[dict[str, str]]) -> Iterator[str]:
    """Report pieces of evidence that name no place of their page, or several."""
    for piece in pieces:
        found = holders(pages[piece["page"]], piece) if piece["page"] in pages else 0
        if found != 1:
            yield f"{name}: {found} places are {piece}"


def check_questions(pages: dict[str, Article], questions: list[Question]) -> Iterator[str]:
    """Report questions without an answer or evidence, and uneven halves."""
    yield from _repeated(questions)
    if Counter(entry["kind"] for entry in questions) != KINDS:
        yield "wrong number of questions of some kind"
    if [sum(entry["part"] == part for entry in questions) for part in PARTS] != [20, 20]:
        yield "the parts differ in size"
    for entry in questions:
        yield from check_evidence(pages, entry["id"], entry["gold"])
        absent = entry["kind"] == "unanswerable"
        if absent != (entry["accepted"] == ABSTAIN) or absent == bool(entry["gold"]) or not entry["accepted"]:
            yield f"{entry['id']}: answer and kind differ"


def check_claims(pages: dict[str, Article], parts: dict[str, list[Question]]) -> Iterator[str]:
    """Report claims whose evidence is not in the articles, uneven labels and shared evidence."""
    yield from _repeated([claim for claims in parts.values() for claim in claims])
    for part, claims in parts.items():
        labels = Counter(claim["label"] for claim in claims)
        if labels[True] != labels[False] or labels[True] < LEAST_CLAIMS:
            yield f"{part}: {labels[True]} true and {labels[False]} false claims"
        for claim in claims:
            yield from check_evidence(pages, claim["id"], claim["evidence"])
            yield from _check_claim(claim)
    yield from _check_shared(parts)


def _check_claim(claim: Question) -> Iterator[str]:
    """Report a kind that does not fit the label, and missing words or evidence."""
    if claim["kind"] not in (TRUE_KINDS if claim["label"] else FALSE_KINDS):
        yield f"{claim['id']}: {claim['kind']} is no kind of {claim['label']} claims"
    if not claim["question"].endswith("?") or not claim["claim"].endswith(".") or not claim["evidence"]:
        yield f"{claim['id']}: an unfinished claim"


def _check_shared(parts: dict[str, list[Question]]) -> Iterator[str]:
    """Report evidence of the development part that another cites, too."""
    cited = {
        part: {json.dumps(piece, sort_keys=True) for claim in claims for piece in claim["evidence"]}
        for part, claims in parts.items()
    }
    tuned = cited.pop("development")
    yield from (f"{part} cites {piece}" for part, own in cited.items() for piece in sorted(tuned & own))


def _repeated(entries: list[Question]) -> Iterator[str]:
    """Report identifiers and wordings that stand twice."""
    counts = Counter(entry[key] for entry in entries for key in ("id", "claim") if key in entry)
    yield from (f"repeated: {words}" for words, count in counts.items() if count > 1)


def problems() -> Iterator[str]:
    """Yield everything that is wrong with the archive, its questions and the claims."""
    pages = load(EVERYDAY)
    yield from check_articles(pages, EVERYDAY)
    yield from check_reach(pages, "Aldermoor.md")
    yield from check_totals(pages)
    yield from check_questions(by_title(EVERYDAY), read_lines(EVERYDAY / "questions.jsonl"))
    parts = {part: read_lines(HERE / "claims" / f"{part}.jsonl") for part in CLAIMS}
    yield from check_claims(by_title(HERE, EVERYDAY), parts)


def main() -> int:
    """Print each problem and return 1 if there is any."""
    found = list(problems())
    counts = [len(page.tables) for page in load(EVERYDAY).values()]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(counts)} articles, {sum(counts)} tables, {len(found)} problems")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
