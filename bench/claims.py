"""How many true claims the checks lose, and how many false ones pass, over a file of labelled claims.

usage: python -m bench.claims FILE --pages FOLDER … [--judge] [--together N] [--checker FOLDER [--at P]] [--show]

Each line of FILE has `question`, `claim`, `label`, `kind` and `evidence`: `page` with `quote`, or with `table` (its
caption), `row` (its first cell) and perhaps `with` (another cell). Pages are folders of Markdown or HTML, or archives.

  vetoes  what code refuses where a model judges; all else passes
  words   the check without a model
  checker a trained checker, from a probability of support on; `both` has code's vetoes before it
  judge   the check with the model of HELIOGRAPH_JUDGE__BASE_URL and …__MODEL, or of HELIOGRAPH_LLM__…

With `--together` a prompt holds N claims of different questions, as those of one answer stand in one prompt.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.checking.judge import JudgingClaimVerifier, by_code
from agent.citations import ExtractiveClaimVerifier
from agent.citations.grounds import ground_of
from agent.citations.quotes import locate
from agent.citations.verdicts import KEPT
from agent.llm import ChatServers, build_llm
from agent.meter import Meter, total
from heliograph.config import Settings, load_settings
from heliograph.errors import UsageError
from heliograph.kept_settings import secrets
from heliograph.protocols import LLM
from heliograph.types import (
    Claim,
    Document,
    DraftClaim,
    Evidence,
    EvidenceId,
    Judgment,
    Quote,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.models.checker import Checker, joined
from indexers.models.evidence_reader import piece_of_row, piece_of_text
from indexers.models.reader import Piece
from indexers.parser import parse_page, segments
from memory.trace import SystemClock, TraceRecorder
from tools.zim import ZimArchive, build_snapshot


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with what it cites, and whether that supports it."""

    id: str
    question: str
    claim: DraftClaim
    cited: Mapping[EvidenceId, Evidence]
    label: bool
    kind: str


Check = Callable[[Sequence[LabelledClaim]], Awaitable[Sequence[Judgment | None]]]
"""Judges claims in their order; None for one that it lets pass unread."""


def labelled_claims(path: Path, documents: Mapping[str, Document]) -> tuple[LabelledClaim, ...]:
    """Read a file of claims.

    Raises:
        UsageError: what a claim cites does not stand in its page.
    """
    return tuple(_labelled(json.loads(line), documents) for line in path.read_text(encoding="utf8").splitlines())


async def read_documents(folders: Sequence[Path]) -> dict[str, Document]:
    """Read all pages of folders and archives, by title."""
    found: dict[str, Document] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for number, folder in enumerate(folders):
            path = folder
            if folder.is_dir():
                path = Path(scratch) / f"pages{number}.zim"
                build_snapshot([folder], path, name=f"pages{number}")
            archive = ZimArchive(path)
            for title in await archive.titles():
                found[title] = parse_page(await archive.fetch(title))
    return found


async def by_vetoes(claims: Sequence[LabelledClaim]) -> list[Judgment | None]:
    """Judge by what code can know."""
    return [
        by_code(each.claim, [ground_of(quote, each.cited) for quote in each.claim.quotes], each.cited, each.question)
        for each in claims
    ]


async def by_words(claims: Sequence[LabelledClaim]) -> list[Judgment | None]:
    """Judge by words alone."""
    return [ExtractiveClaimVerifier(each.question).check(each.claim, each.cited) for each in claims]


def by_checker(claims: Sequence[LabelledClaim], checker: Checker, at: float) -> list[Judgment]:
    """Judge by how probable a trained checker holds the support of all that a claim cites."""
    found = checker.check([(each.claim.text, joined(list(_pieces(each)))) for each in claims])
    return [
        Judgment(
            Claim(each.claim.text, (), "supported" if one.supported >= at else "unsupported"),
            f"{one.best}, supported with {one.supported:.2f}",
        )
        for each, one in zip(claims, found, strict=True)
    ]


def _pieces(claim: LabelledClaim) -> Iterator[Piece]:
    for quote in claim.claim.quotes:
        piece = claim.cited[quote.evidence]
        if isinstance(piece, TableSegment):
            yield piece_of_row(piece)
        elif isinstance(piece, TextEvidence):
            yield piece_of_text(piece, quote.text)


def by_judge(llm: LLM, together: int) -> Check:
    """Judge by code and a model; what code refuses is not shown to it."""

    async def check(claims: Sequence[LabelledClaim]) -> list[Judgment | None]:
        known = await by_vetoes(claims)
        left = [place for place, each in enumerate(known) if each is None]
        for start in range(0, len(left), together):
            places = left[start : start + together]
            asked = [claims[place] for place in places]
            question = " ".join(f"({number}) {each.question}" for number, each in enumerate(asked, start=1))
            cited = {name: piece for each in asked for name, piece in each.cited.items()}
            verifier = JudgingClaimVerifier(llm, asked[0].question if together == 1 else question)
            for place, judged in zip(places, await verifier.verify([each.claim for each in asked], cited), strict=True):
                known[place] = judged
        return known

    return check


def table(claims: Sequence[LabelledClaim], judged: Mapping[str, Sequence[Judgment | None]]) -> Iterator[str]:
    """Yield lines: of each kind how many true claims are lost and how many false ones pass, by check."""
    names = list(judged)
    yield f"{'':22}{'claims':>8}" + "".join(f"{name:>9}" for name in names)
    for label, what in ((True, "lost of the true"), (False, "passed of the false")):
        chosen = [place for place, each in enumerate(claims) if each.label == label]
        kinds = dict.fromkeys(claims[place].kind for place in chosen)
        for kind in (what, *kinds):
            some = [place for place in chosen if kind in (what, claims[place].kind)]
            wrong = [sum(_passes(judged[name][place]) != label for place in some) for name in names]
            shown = kind if kind == what else f"  {kind}"
            yield f"{shown:22}{len(some):>8}" + "".join(f"{count:>9}" for count in wrong)


def mistakes(claims: Sequence[LabelledClaim], judged: Mapping[str, Sequence[Judgment | None]]) -> Iterator[str]:
    """Yield each claim that a check mistakes, with its reason."""
    for name, found in judged.items():
        for each, one in zip(claims, found, strict=True):
            if _passes(one) != each.label:
                what = "lost" if each.label else "passed"
                verdict = f"{one.claim.verdict}: {one.reason}" if one else "not read"
                yield f"{name:7} {what:6} {each.id} {each.kind}: {each.claim.text} [{verdict}]"


async def measure(asked: argparse.Namespace) -> None:
    """Print the table, and with `show` every mistake."""
    claims = labelled_claims(asked.claims, await read_documents(asked.pages))
    judged: dict[str, Sequence[Judgment | None]] = {"vetoes": await by_vetoes(claims), "words": await by_words(claims)}
    if asked.checker:
        judged["checker"] = alone = by_checker(claims, Checker(asked.checker), asked.at)
        judged["both"] = [veto or one for veto, one in zip(judged["vetoes"], alone, strict=True)]
    if asked.judge:
        judged["judge"] = await _by_model(claims, load_settings({}), asked.together)
    print("\n".join((*table(claims, judged), *(mistakes(claims, judged) if asked.show else ()))))


async def _by_model(claims: Sequence[LabelledClaim], settings: Settings, together: int) -> Sequence[Judgment | None]:
    endpoint = settings.endpoint("judge")
    if endpoint is None:
        raise UsageError("no model judges: set HELIOGRAPH_JUDGE__BASE_URL and HELIOGRAPH_JUDGE__MODEL")
    meter = Meter()
    with (
        tempfile.TemporaryDirectory() as scratch,
        TraceRecorder(Path(scratch), "claims", SystemClock(), secrets(settings)) as recorder,
    ):
        async with ChatServers() as servers:
            judged = await by_judge(build_llm(endpoint, "judge", recorder, meter, servers), together)(claims)
    print(f"{total(meter.take()).llm_calls} calls of {endpoint.model}")
    return judged


def _passes(judged: Judgment | None) -> bool:
    return judged is None or judged.claim.verdict in KEPT


def _labelled(told: dict[str, object], documents: Mapping[str, Document]) -> LabelledClaim:
    cited: dict[EvidenceId, Evidence] = {}
    quotes = []
    evidence = told["evidence"]
    assert isinstance(evidence, list)
    for each in evidence:
        found = _quote(each, documents.get(each["page"]))
        if found is None:
            raise UsageError(f"claim {told['id']} cites what does not stand in {each['page']!r}: {each}")
        quote, *pieces = found
        quotes.append(quote)
        cited |= {piece.id: piece for piece in pieces}
    return LabelledClaim(
        str(told["id"]),
        str(told["question"]),
        DraftClaim(str(told["claim"]), tuple(quotes)),
        cited,
        bool(told["label"]),
        str(told["kind"]),
    )


def _quote(told: Mapping[str, str], document: Document | None) -> tuple[Quote, *tuple[Evidence, ...]] | None:
    """Return a quote with what it stands in; a row with its table, too."""
    for leaf in document.leaves if document else ():
        if "quote" in told:
            located = locate(told["quote"], leaf)
            if located is not None and not isinstance(leaf, TableEvidence):
                return Quote(leaf.id, located.text), leaf
        elif isinstance(leaf, TableEvidence) and leaf.caption.endswith(told["table"]):
            for row in segments(leaf):
                texts = [cell.text for cell in row.cells]
                if texts[0] == told["row"] and told.get("with", texts[0]) in texts:
                    return Quote(row.id, " | ".join(text for text in texts if text.strip())), row, leaf
    return None


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--pages", type=Path, nargs="+", required=True)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--checker", type=Path, help="folder onnx of heliograph train checker")
    parser.add_argument("--at", type=float, default=0.5, help="the probability of support from which on a claim passes")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
