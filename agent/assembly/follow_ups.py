"""Follow-ups of a conversation by the model of query rewriting, its calls traced beside the runs of the answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.chat.extractive import ExtractiveStandAlone
from agent.chat.language import LanguageStandAlone
from agent.chat.understanding import StandAlone
from agent.llm import ChatServers, build_llm
from agent.meter import Meter
from heliograph.config import Endpoint, Settings
from heliograph.kept_settings import secrets
from memory.conversations import Turn
from memory.trace import SystemClock, TraceRecorder

FOLDER = "follow-ups"
"""Of the home folder: the trace of what was asked to understand follow-ups, which happens before a run begins."""


@dataclass(frozen=True, slots=True)
class TracedStandAlone:
    """Rewrite by a model over a connection of its own; every call is in the trace of the follow-ups."""

    settings: Settings
    endpoint: Endpoint
    tell: Callable[[str], None]

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the question as it stands alone, by the rules where the model fails, which `tell` hears of."""
        folder, hidden = self.settings.home / FOLDER, secrets(self.settings)
        with TraceRecorder(folder, FOLDER, SystemClock(), hidden) as recorder:
            async with ChatServers(hidden) as servers:
                model = build_llm(self.endpoint, "rewrite", recorder, Meter(), servers)
                return await LanguageStandAlone(model, self.tell).rewrite(question, turns)


def build_stand_alone(settings: Settings, tell: Callable[[str], None]) -> StandAlone:
    """Return the rewriter of follow-ups: a model where one is set for query rewriting, else the rules."""
    endpoint = settings.endpoint("rewrite")
    return TracedStandAlone(settings, endpoint, tell) if endpoint else ExtractiveStandAlone()
