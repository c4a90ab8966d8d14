"""Past questions from their settings, each effect behind the recorder."""

import hashlib
import json
from collections.abc import Sequence

from agent.assembly.backends import Backends
from heliograph.config import Settings
from heliograph.kept_settings import BESIDE, snapshot
from heliograph.protocols import EpisodicMemory, PageSource, Recorder
from heliograph.types import MemoryScope
from memory.episodes import EpisodeStore
from memory.episodes_recorded import RecordedMemory
from memory.episodic import PastQuestions, Recall
from memory.trace import SystemClock

UNTOLD = BESIDE | {"contact", "store_bytes", "source_seconds", "wiki_at_once", "memory", "memory_days"}
"""Settings that change neither what is looked for nor where."""


def past_questions(
    settings: Settings, backends: Backends, recorder: Recorder, scope: MemoryScope | None
) -> EpisodicMemory | None:
    """Return the memory of past questions within the settings' reach, nothing opened.

    None where it is off, or where nobody says whose question it is.
    """
    if scope is None or settings.memory == "off":
        return None
    pages = backends.sources.pages
    remembered = PastQuestions(
        EpisodeStore(settings.home),
        backends.embedder,
        Recall(scope, settings.memory, settings.memory_days),
        SystemClock(),
        manner=lambda: manner_of(settings, pages),
        wikis=lambda: frozenset(source.wiki for source in pages),
    )
    return RecordedMemory(remembered, recorder)


def manner_of(settings: Settings, pages: Sequence[PageSource]) -> str:
    """Return a digest of what decides where and how a question is looked for; a day later a live wiki is another."""
    told = {name: value for name, value in snapshot(settings).items() if name not in UNTOLD}
    editions = [(source.wiki, source.edition) for source in pages]
    return hashlib.sha256(json.dumps([told, editions], sort_keys=True).encode()).hexdigest()[:16]
