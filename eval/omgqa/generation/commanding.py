"""`heliograph eval omgqa generate`: from a source and a pipeline to a folder of questions."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eval.omgqa.generation.candidates import (
    Candidate,
    Pipeline,
    in_drawn_order,
    read_candidates,
    write_candidates,
)
from eval.omgqa.generation.checking import Checker
from eval.omgqa.generation.folder import GenerationFolder, MadeOf, held, opened
from eval.omgqa.generation.from_contents import ContentsWriter
from eval.omgqa.generation.from_pairs import PairWriter
from eval.omgqa.generation.generating import Generator, generate, summary
from eval.omgqa.generation.kept import kept_replies
from eval.omgqa.generation.scanning import candidates_among
from eval.omgqa.generation.sources import ArchiveReading, archive_of
from eval.omgqa.generation.twins import Asked
from eval.ott.models import language_model_named, language_models
from heliograph.config import Settings
from heliograph.errors import UsageError
from heliograph.protocols import LLM, Embedder
from heliograph.types import ModelRole
from indexers.database import ALONE
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.pace import Say
from tools.zim import ZimArchive

ROLE: ModelRole = "answer"
"""The role under which the model is asked and traced; its server is that of `llm`."""


@dataclass(frozen=True, slots=True)
class Generation:
    """What is made: questions of a source by a pipeline, from as many candidates as `limit` allows, drawn by `seed`."""

    source: str
    pipeline: Pipeline
    folder: Path
    limit: int | None = None
    seed: int = 0
    at_once: int = 1


async def make_questions(wanted: Generation, settings: Settings, say: Say) -> str:
    """Make questions, go on where an earlier call was stopped, and say what became of the drafts.

    Raises:
        UsageError: no model is set, or the folder or the source cannot be used.
        ModelError: the model cannot be asked; what was made is kept.
        SearchUnavailable: the archive cannot be read.
        StoreError: the folder cannot be written.
    """
    model = language_model_named(settings)
    with held(wanted.folder):
        archive = archive_of(wanted.source, settings.home, wanted.folder / "pages.zim", say)
        made_of = MadeOf(
            pipeline=wanted.pipeline,
            wiki=archive.wiki,
            edition=archive.edition,
            model=model,
            context_tokens=settings.llm.context_tokens,
            seed=wanted.seed,
        )
        with opened(wanted.folder, made_of) as folder:
            async with language_models(settings, wanted.folder / "trace", (ROLE,)) as models:
                await make_from(archive, wanted, models[ROLE], folder, f"{wanted.pipeline}, {model}", say)
            return summary(folder)


async def make_from(
    archive: ZimArchive, wanted: Generation, llm: LLM, folder: GenerationFolder, source: str, say: Say
) -> None:
    """Make questions of an archive with a model; raises as `make_questions`."""
    embedder = CachedEmbedder(OnnxEmbedder(), wanted.folder / "vectors.sqlite", ALONE)
    reading = ArchiveReading(archive)
    candidates = await _candidates(archive, wanted, embedder, say)
    kept = kept_replies(llm, wanted.folder / "replies.jsonl")
    with closing(kept.journal):
        writer = PairWriter(kept) if wanted.pipeline == "pairs" else ContentsWriter(kept)
        generator = Generator(writer, Checker(kept, source), reading, Asked(embedder))
        await generate(candidates[: wanted.limit], generator, folder, wanted.at_once, say)


async def _candidates(archive: ZimArchive, wanted: Generation, embedder: Embedder, say: Say) -> tuple[Candidate, ...]:
    """Return the candidates in the order in which they are tried, as they were kept or looked for now."""
    path = wanted.folder / "candidates.jsonl"
    if not path.exists():
        found = await candidates_among(await archive.titles(), wanted.pipeline, ArchiveReading(archive), embedder, say)
        write_candidates(path, in_drawn_order(found, wanted.seed))
    candidates = read_candidates(path)
    if not candidates:
        raise UsageError(
            f"{wanted.source} has nothing to make {wanted.pipeline} from; "
            "name a source whose articles have tables, or the other --pipeline"
        )
    return candidates
