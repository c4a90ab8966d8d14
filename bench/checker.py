"""How well a checker does: against people on ExpertQA's claims, and on composed claims of tables held out of training.

usage: python -m bench.checker CHECKER --data OTT --claims FILE --judged FILE [--rules]

CHECKER is the folder `onnx` of heliograph train checker. The threshold for ExpertQA is chosen on the claims of its
development half that are not learned from; that of composed claims on themselves, so it flatters. With `--rules` the
judge without a model is asked of the same claims.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.reader_fit import calibration_error
from eval.omgqa.judging.agreement import Agreement, agreement_of
from eval.omgqa.judging.expertqa import HumanCase, read_claims
from eval.omgqa.judging.extractive import ExtractiveJudge
from eval.ott.corpus import OttCorpus
from eval.ott.reading import read_corpus
from eval.ott.training.claim_lists import evidence_of, is_held_out
from eval.ott.training.claims import ComposedClaim, read_composed_claims
from indexers.models.cache import CachedEmbedder
from indexers.models.checker import RELATIONS, Checker
from indexers.models.onnx import OnnxEmbedder

Sure = Sequence[tuple[bool, float]]
"""What is right, and how probable it was held to be."""


def best_threshold(sure: Sure) -> float:
    """Return the probability from which on yes is said where balanced accuracy is highest; the middle of a tie."""
    values = sorted({round(value, 3) for _, value in sure})
    found = [(_agreement(sure, at).balanced or 0.0, at) for at in values]
    best = max(balanced for balanced, _ in found)
    tied = [at for balanced, at in found if balanced == best]
    return tied[len(tied) // 2]


def miscalibration(sure: Sure) -> float:
    """Return the expected calibration error."""
    return calibration_error([value for _, value in sure], [right for right, _ in sure])


def ranked_rightly(sure: Sure) -> float:
    """Return the share of pairs, one right and one not, of which the first is held more probable; ties are half."""
    yes, no = ([value for right, value in sure if right is wanted] for wanted in (True, False))
    return sum((one > other) + (one == other) / 2 for one in yes for other in no) / (len(yes) * len(no))


def _agreement(sure: Sure, at: float) -> Agreement:
    return agreement_of((right, value >= at) for right, value in sure)


def line(what: str, found: Agreement, more: str = "") -> str:
    """Return the figures of one judge."""
    return (
        f"{what:42} {found.cases:5}  balanced {100 * (found.balanced or 0):5.1f} %  kappa {found.kappa or 0:6.3f}  "
        f"agreement {100 * (found.agreement or 0):5.1f} %  yes/yes {found.both_yes}, yes/no {found.only_first}, "
        f"no/yes {found.only_second}, no/no {found.both_no}{more}"
    )


def of_people(checker: Checker, judged: Path) -> Iterator[str]:
    """Yield how far the checker agrees with experts, at a threshold of claims that it has not learned from."""
    claims = read_claims(judged)
    chosen_on = _supported(checker, [each for each in claims.of("development") if is_held_out(each)])
    report = _supported(checker, claims.of("report"))
    for what, at in (("at 0.5", 0.5), ("at a threshold of held-out claims", best_threshold(chosen_on))):
        told = f"  threshold {at:.3f}"
        yield line(f"ExpertQA, held out of development, {what}"[:42], _agreement(chosen_on, at), told)
        yield line(f"ExpertQA, report, {what}"[:42], _agreement(report, at), told)
    yield f"ranked rightly {ranked_rightly(report):.3f}, calibration error {miscalibration(report):.3f}"


async def of_rules(judged: Path) -> str:
    """Return how far the rules agree with experts."""
    cases = read_claims(judged).of("report")
    with tempfile.TemporaryDirectory() as folder:
        judge = ExtractiveJudge(CachedEmbedder(OnnxEmbedder(), Path(folder) / "embeddings.sqlite"))
        return line(
            "ExpertQA, report, rules",
            agreement_of([(each.yes(), (await judge.judge(each.case)).yes) for each in cases]),
        )


def of_composed(checker: Checker, claims: Sequence[ComposedClaim], corpus: OttCorpus) -> Iterator[str]:
    """Yield figures of both heads on tables that were held out."""
    found = checker.check([(each.claim, each.evidence(corpus)) for each in claims])
    confused = Counter((each.relation, said.best) for each, said in zip(claims, found, strict=True))
    for one in RELATIONS:
        row = "  ".join(f"{other} {confused[one, other]:4}" for other in RELATIONS)
        yield f"{one:14} said to be: {row}"
    recalls = [confused[one, one] / max(1, sum(confused[one, other] for other in RELATIONS)) for one in RELATIONS]
    yield f"relations: balanced {100 * sum(recalls) / len(recalls):.1f} %"
    answered = checker.answers([(each.question, each.claim) for each in claims])
    of_support = [(each.relation == "supported", said.supported) for each, said in zip(claims, found, strict=True)]
    of_answers = [(each.answers, said) for each, said in zip(claims, answered, strict=True)]
    for what, sure in (("supported", of_support), ("answers the question", of_answers)):
        yield line(
            f"composed, {what}, at 0.5", _agreement(sure, 0.5), f"  calibration error {miscalibration(sure):.3f}"
        )
        at = best_threshold(sure)
        yield line(f"composed, {what}, at its best", _agreement(sure, at), f"  threshold {at:.3f}")
    by_change = Counter(
        (each.relation, each.change, said.best == each.relation) for each, said in zip(claims, found, strict=True)
    )
    for relation, change in dict.fromkeys((each.relation, each.change) for each in claims):
        right, wrong = by_change[relation, change, True], by_change[relation, change, False]
        yield f"  {relation:13} {change:10} {right:4} of {right + wrong:4} right"


def _supported(checker: Checker, cases: Sequence[HumanCase]) -> Sure:
    found = checker.check([(each.case.answer, evidence_of(each.case)) for each in cases])
    return [(each.yes(), said.supported) for each, said in zip(cases, found, strict=True)]


def main() -> None:
    """Read the command line and print figures."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("checker", type=Path)
    ask.add_argument("--data", type=Path)
    ask.add_argument("--claims", type=Path)
    ask.add_argument("--judged", type=Path)
    ask.add_argument("--rules", action="store_true")
    args = ask.parse_args()
    checker = Checker(args.checker)
    print(checker.name)
    if args.judged:
        print("\n".join(of_people(checker, args.judged)))
    if args.judged and args.rules:
        print(asyncio.run(of_rules(args.judged)))
    if args.claims:
        corpus = read_corpus(args.data, "full")
        claims = [each for each in read_composed_claims(args.claims, corpus) if each.is_development]
        print("\n".join(of_composed(checker, claims, corpus)))


if __name__ == "__main__":
    main()
