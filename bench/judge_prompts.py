"""Instructions for a judge of support, tried on the development half of ExpertQA's claims.

usage: python -m bench.judge_prompts --claims claims_public.jsonl.xz --first 100 --words DIRECTORY

The model is the one of HELIOGRAPH_JUDGE__BASE_URL and …__MODEL. Each claim is put to all instructions before the next
one is, so that a server reads what they share once. Words are kept by the sha256 of what was told, and the same command
goes on. The report half is none of this script's business.
"""

import argparse
import asyncio
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.llm import ChatServers, build_llm
from agent.meter import Meter
from eval.omgqa.judging.building import judging_endpoint
from eval.omgqa.judging.calibration import compared, drawn_cases
from eval.omgqa.judging.expertqa import HumanCase, read_claims
from eval.omgqa.judging.language import Instruct, Instructions, LanguageJudge
from eval.omgqa.judging.words import WordLog, judge_all, open_words
from heliograph.config import Settings, load_settings
from heliograph.kept_settings import secrets
from indexers.pace import Pace
from memory.trace import SystemClock, TraceRecorder

TRIED = Path(__file__).with_suffix(".toml")


def tried(path: Path = TRIED) -> dict[str, Instructions]:
    """Read the instructions that are tried, by name."""
    read = tomllib.loads(path.read_text(encoding="utf8"))
    return {
        name: Instructions(*(told.get(place, {}).get("text", "").strip() for place in ("before", "behind")))
        for name, told in read.items()
    }


def always(told: Instructions) -> Instruct:
    """Return the same instructions whatever the task."""
    return lambda _task: told


async def ask(judges: Sequence[LanguageJudge], cases: Sequence[HumanCase], log: WordLog) -> None:
    """Put each case to all judges in turn."""
    pace = Pace("claims", len(cases), print)
    for done, each in enumerate(cases, start=1):
        for judge in judges:
            await judge_all([each.case], judge, log, 1, lambda _: None)
        pace.done(done)


def ranked_rightly(cases: Sequence[HumanCase], judge: LanguageJudge, log: WordLog) -> float:
    """Return the share of pairs, one supported and one not, of which the judge is surer of the first; ties are half."""
    sure: dict[bool, list[float]] = {True: [], False: []}
    for each in cases:
        word = log.word(each.case, judge)
        if word is not None and word.confidence is not None:
            sure[each.yes()].append(word.confidence if word.yes else 1 - word.confidence)
    pairs = [(yes > no) + (yes == no) / 2 for yes in sure[True] for no in sure[False]]
    return sum(pairs) / len(pairs) if pairs else float("nan")


async def compare(claims: Path, first: int, words: Path, settings: Settings) -> None:
    """Ask what is not known yet, and print how far each wording agrees with the experts."""
    endpoint = judging_endpoint(settings)
    read = read_claims(claims)
    cases = drawn_cases(read, "development", first)
    wordings: Mapping[str, Instructions] = tried()
    with (
        TraceRecorder(words / "trace", "trace", SystemClock(), secrets(settings)) as recorder,
        open_words(words / "words.jsonl") as log,
    ):
        async with ChatServers() as servers:
            llm = build_llm(endpoint, "judge", recorder, Meter(), servers)
            judges = {
                "ships": LanguageJudge(llm, endpoint.model),
                **{name: LanguageJudge(llm, endpoint.model, instruct=always(told)) for name, told in wordings.items()},
            }
            await ask(tuple(judges.values()), cases, log)
        print(f"{'wording':16}  agreement  kappa  both yes  experts alone  judge alone  both no  ranked rightly")
        for name, judge in judges.items():
            found = compared(cases, judge, log, read, "development").strict
            print(
                f"{name:16}  {found.agreement or 0:9.1%}  {found.kappa or 0:5.3f}  {found.both_yes:8}  "
                f"{found.only_first:13}  {found.only_second:11}  {found.both_no:7}  "
                f"{ranked_rightly(cases, judge, log):14.3f}"
            )


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--words", type=Path, required=True, help="folder in which the words are kept")
    asked = parser.parse_args()
    asked.words.mkdir(parents=True, exist_ok=True)
    asyncio.run(compare(asked.claims, asked.first, asked.words, load_settings({})))


if __name__ == "__main__":
    main()
