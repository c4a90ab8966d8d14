"""Follow-ups of a conversation by the model of query rewriting, its calls traced beside the runs of the answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.chat.follow_ups import AsTyped, TrainedStandAlone
from agent.chat.language import LanguageStandAlone
from agent.chat.understanding import StandAlone, Understanding
from agent.llm import ChatServers, build_llm
from agent.meter import Meter
from heliograph.config import NO_READER, Endpoint, Settings
from heliograph.kept_settings import secrets
from indexers.models.follow_ups import follow_up_reader
from memory.conversations import Turn
from memory.trace import SystemClock, TraceRecorder

FOLDER = "follow-ups"
"""Of the home folder: the trace of what was asked to understand follow-ups, which happens before a run begins."""


@dataclass(frozen=True, slots=True)
class TracedStandAlone:
    """Rewrite by a model over a connection of its own; every call is in the trace of the follow-ups."""

    settings: Settings
    endpoint: Endpoint
    other: StandAlone | None
    tell: Callable[[str], None]

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> Understanding:
        """Return the question as it stands alone, by the other where the model fails, which `tell` hears of."""
        folder, hidden = self.settings.home / FOLDER, secrets(self.settings)
        with TraceRecorder(folder, FOLDER, SystemClock(), hidden) as recorder:
            async with ChatServers(hidden) as servers:
                model = build_llm(self.endpoint, "rewrite", recorder, Meter(), servers)
                return await LanguageStandAlone(model, self.other, self.tell).rewrite(question, turns)


def build_stand_alone(settings: Settings, tell: Callable[[str], None]) -> StandAlone:
    """Return what completes follow-ups: a language model where one is set for query rewriting, else a trained reader.

    Raises:
        ModelMissing: the folder of the setting holds none.
    """
    endpoint, name = settings.endpoint("rewrite"), settings.follow_up_reader
    other = None if name == NO_READER else TrainedStandAlone(follow_up_reader(name))
    return TracedStandAlone(settings, endpoint, other, tell) if endpoint else other or AsTyped()
