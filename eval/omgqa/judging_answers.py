"""`heliograph eval omgqa judge`: from a folder of answers and a judge's name to words on all of them."""

from dataclasses import dataclass
from pathlib import Path

from agent.assembly.sources import build_sources
from eval.omgqa.converting.gold_lines import read_gold
from eval.omgqa.converting.reading import gold_documents
from eval.omgqa.converting.resolving import resolve
from eval.omgqa.dataset import read_judgements
from eval.omgqa.evaluating import Judging, judge_correctness, judge_folder
from eval.omgqa.folder import EvaluationFolder, read_questions_of
from eval.omgqa.judged import UnitKind
from eval.omgqa.judging.building import JudgeKind, opened_judge
from eval.omgqa.records import Judgement
from eval.omgqa.shelf import Shelf
from heliograph.config import Settings
from heliograph.errors import UsageError
from indexers.pace import Say
from indexers.parser import page_of
from memory.pages import FilePageStore


@dataclass(frozen=True, slots=True)
class JudgingOptions:
    """What is judged and by whom; `labels` are files of judgements, `gold` one of facts on the pages of `source`."""

    folder: Path
    judge: JudgeKind
    unit: UnitKind
    labels: tuple[Path, ...] = ()
    gold: Path | None = None
    source: str | None = None
    everything: bool = False
    at_once: int = 1


async def judge_answers(options: JudgingOptions, settings: Settings, say: Say) -> str:
    """Judge the answers of a folder, and return the judge's name.

    Raises:
        UsageError: the folder, labels or gold cannot be read, or no judge is set.
        ModelError: the judge cannot be asked.
        StoreError: the folder or the page store cannot be used.
    """
    folder = EvaluationFolder(options.folder)
    questions = list(read_questions_of(folder))
    shelf = Shelf(FilePageStore(settings.home / "pages", settings.store_bytes))
    labels = [judgement for path in options.labels for judgement in read_judgements(path, questions, shelf.nodes)]
    unread = {page for page in (page_of(each.evidence) for each in labels) if shelf.nodes(page) is None}
    if unread:
        say(f"{len(unread):,} pages of the labels were not read here, and their labels are believed: {min(unread)}, …")
    if options.gold is not None:
        labels += await _gold(options, questions, settings, say)
    judging = Judging(
        folder, tuple(labels), options.unit, options.everything, options.at_once, correctness=options.judge == "llm"
    )
    async with opened_judge(options.judge, settings, options.folder / "judge", say) as judge:
        await judge_folder(judging, judge, shelf, say)
        return judge.name


async def judge_correctness_of(path: Path, at_once: int, settings: Settings, say: Say) -> str:
    """Have the language model of the role `judge` decide which answers of a folder are right; return its name.

    Raises:
        UsageError: the folder cannot be read, or no model is set.
        ModelError: the model cannot be asked.
        StoreError: the folder cannot be used.
    """
    async with opened_judge("llm", settings, path / "judge", say) as judge:
        await judge_correctness(EvaluationFolder(path), judge, at_once, say)
        return judge.name


async def _gold(options: JudgingOptions, questions: list[str], settings: Settings, say: Say) -> tuple[Judgement, ...]:
    if options.gold is None or options.source is None:
        raise UsageError("supporting facts are found on pages; name where these are with --source zim:PATH")
    facts = read_gold(options.gold, questions)
    pages = build_sources(settings.model_copy(update={"sources": (options.source,)})).pages[0]
    found = resolve(facts, await gold_documents(facts, pages), options.unit)
    say(found.summary)
    return found.judgements
