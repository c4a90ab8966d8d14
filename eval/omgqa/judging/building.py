"""Judges from their names and the settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from agent.llm import ChatServers, build_llm
from agent.meter import Meter
from eval.omgqa.judging.cases import Judge
from eval.omgqa.judging.extractive import ExtractiveJudge
from eval.omgqa.judging.language import LanguageJudge
from heliograph.config import Endpoint, Settings
from heliograph.errors import UsageError
from heliograph.kept_settings import secrets
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.pace import Say
from memory.trace import SystemClock, TraceRecorder

JudgeKind = Literal["extractive", "llm"]


@asynccontextmanager
async def opened_judge(kind: JudgeKind, settings: Settings, folder: Path, say: Say) -> AsyncIterator[Judge]:
    """Open a judge: the rules, or the language model of the role `judge`, whose calls are traced in `folder`.

    Raises:
        UsageError: no language model is set.
    """
    if kind == "extractive":
        yield ExtractiveJudge(CachedEmbedder(OnnxEmbedder(), settings.home / "embeddings.sqlite"))
        return
    endpoint = judging_endpoint(settings)
    with TraceRecorder(folder, folder.name, SystemClock(), secrets(settings)) as recorder:
        async with ChatServers(secrets(settings)) as servers:
            yield LanguageJudge(build_llm(endpoint, "judge", recorder, Meter(), servers), endpoint.model, say)


def judging_endpoint(settings: Settings) -> Endpoint:
    """Return the server of the role `judge`.

    Raises:
        UsageError: none is set.
    """
    endpoint = settings.endpoint("judge")
    if endpoint is None:
        raise UsageError(
            "no judge is set; set HELIOGRAPH_JUDGE__BASE_URL and HELIOGRAPH_JUDGE__MODEL, or --judge extractive"
        )
    return endpoint
