"""Episodic memory: what the rounds of this run asked (OMG-QA, section 3), and past questions of the same user.

It steers queries and the choice of pages, and is never evidence.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from heliograph.protocols import Clock, Embedder, Vectors
from heliograph.types import Episode, MemoryScope, Query, Recollection, RoundRecord, Scored
from memory.days import DAY
from memory.episodes import Embedded, EpisodeStore, Which
from memory.episodes_proposed import plain, proposed, words_of

LIKE = 0.6
"""Cosine from which on two questions are like each other."""
MOST_LIKE = 5
"""Past questions that are listened to, however often each was asked."""
MOST_ASKED = 20
"""Of a question that was asked often: the times asked last that are listened to."""


def unasked(queries: Iterable[Query], rounds: Sequence[RoundRecord]) -> tuple[Query, ...]:
    """Return the queries that no round has asked in whatever order of words, each once, in their order."""
    asked = {Query(text).words for record in rounds for text in record.queries}
    new: dict[tuple[str, ...], Query] = {}
    for query in queries:
        if query.words and query.words not in asked:
            new.setdefault(query.words, query)
    return tuple(new.values())


def likest(question: str, asked: Sequence[Scored[Embedded]]) -> list[Scored[Embedded]]:
    """Return those that are like a question, the likest first, each question's last times in a row."""
    same = words_of(question)
    groups: dict[tuple[str, ...], list[Scored[Embedded]]] = {}
    for each in sorted(asked, key=lambda each: (-each.score, -each.item.asked, each.item.run)):
        words = words_of(each.item.question)
        if each.score >= LIKE or words == same:
            groups.setdefault(words, []).append(each)
    return [each for group in list(groups.values())[:MOST_LIKE] for each in group[:MOST_ASKED]]


@dataclass(frozen=True, slots=True)
class Recall:
    """How far a memory reaches: its own conversation or all of the user's, and back for so many days."""

    scope: MemoryScope
    reach: Literal["conversation", "user"]
    days: float

    def which(self, now: float) -> Which:
        """Return the episodes within reach."""
        conversation = self.scope.conversation if self.reach == "conversation" else ""
        return Which(user=self.scope.user, conversation=conversation, since=now - self.days * DAY)

    @property
    def nothing(self) -> bool:
        """Whether only a conversation would be remembered, and there is none."""
        return self.reach == "conversation" and not self.scope.conversation


class PastQuestions:
    """Past questions in a store, compared with a new one by embedding.

    `manner` tells the settings and editions of the sources of now, `wikis` those whose pages can be read; both are
    asked when something is recollected or kept, and may open an archive.

    Raises (from every method):
        StoreError: the store cannot be used.
    """

    def __init__(
        self,
        store: EpisodeStore,
        embedder: Embedder,
        recall: Recall,
        clock: Clock,
        manner: Callable[[], str],
        wikis: Callable[[], Set[str]],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._recall = recall
        self._clock = clock
        self._manner = manner
        self._wikis = wikis

    async def recollect(self, question: str) -> Recollection:
        """Return what past questions like this one propose; what is too old is forgotten first."""
        if self._recall.nothing:
            return Recollection()
        kept = await asyncio.to_thread(self._within_reach)
        if not kept:
            return Recollection()
        asked = (await self._embedder.embed([question]))[0]
        cosines = await self._vectors(kept, len(asked)) @ asked
        scored = [Scored(each, float(cosine)) for each, cosine in zip(kept, cosines, strict=True)]
        episodes = await asyncio.to_thread(self._episodes, likest(question, scored))
        return proposed(question, episodes, self._manner(), self._wikis())

    async def keep(self, episode: Episode) -> None:
        """Remember a question that was answered, as one of this user, conversation and manner."""
        scope = self._recall.scope
        of_now = replace(episode, user=scope.user, conversation=scope.conversation, manner=self._manner())
        await asyncio.to_thread(self._store.keep, plain(of_now))

    def _episodes(self, like: Sequence[Scored[Embedded]]) -> list[Scored[Episode]]:
        """Return the whole episodes; one that somebody forgot just now is none any more."""
        return [
            Scored(episode, each.score) for each in like for episode in self._store.matching(Which(run=each.item.run))
        ]

    def _within_reach(self) -> tuple[Embedded, ...]:
        which = self._recall.which(self._clock.now())
        self._store.forget(Which(user=which.user, before=which.since))
        return self._store.embedded(which, self._embedder.name)

    async def _vectors(self, kept: Sequence[Embedded], dimensions: int) -> Vectors:
        """Return a vector each, shape (episodes, dimensions); those that the model has not made yet are made now."""
        vectors = {each.run: each.vector for each in kept if each.vector is not None}
        known = {run: vector for run, vector in vectors.items() if len(vector) == dimensions}
        lacking = [each for each in kept if each.run not in known]
        if lacking:
            made = await self._embedder.embed([each.question for each in lacking])
            new = tuple(zip((each.run for each in lacking), made, strict=True))
            known.update(new)
            await asyncio.to_thread(self._store.embed, self._embedder.name, new)
        return np.stack([known[each.run] for each in kept])
