"""The offline build from pages to a graph that is searched: parse, link, embed and index, shard by shard."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexers.lock import WriterLock
from indexers.offline.encodings import NamedEncoding, keep_name
from indexers.offline.filesets import PART, needed, whole
from indexers.offline.linking import LINKS, PASSAGES, link_shard, links_folder
from indexers.offline.merging import SEGMENTS, left_out, merge_passages, merge_segments, merge_tokens
from indexers.offline.parsing import SHARDS, parse_shard, shard_folder
from indexers.offline.plan import Plan, Work, planned
from indexers.offline.proposing import CENTROIDS, write_centroids
from indexers.offline.running import MapFunction, Running, in_process, peak_memory
from indexers.offline.shelf import forget
from indexers.offline.tokens import TOKENS
from indexers.pace import Pace, Say


@dataclass(frozen=True, slots=True)
class Report:
    """What a finished graph is made of; `memory` is the most that one process held, in bytes."""

    out: Path
    counts: dict[str, int]
    left_out: tuple[str, ...]
    memory: int

    @property
    def summary(self) -> str:
        """Say it in a few lines."""
        made = ", ".join(f"{self.counts[name]:,} {name}" for name in ("pages", "tables", "segments", "passages"))
        links = f"{self.counts['edges']:,} edges ({self.counts['given']:,} given, {self.counts['found']:,} found)"
        return "\n".join([f"{self.out}: {made}, {links}", *(f"left out: {what}" for what in self.left_out)])


@dataclass(slots=True)
class Build:
    """A build in one folder, which one process writes at a time."""

    work: Work
    say: Say
    running: Running = in_process
    memory: int = field(default=0)

    def run(self) -> Report:
        """Make what is missing of a graph, and say what it is made of.

        What was finished before is read once and kept where it is whole; the same command mends a damaged build.

        Raises:
            UsageError: the folder holds another build, or there are no pages.
            StoreLocked: another process builds in it.
            StoreFull | StoreError: it cannot be written.
            ArchiveUnreadable: the pages cannot be read.
            ModelMissing: the encoder is not there.
        """
        forget()
        with WriterLock(self.work.out):
            plan, encoding = planned(self.work), self.work.settings.encoding
            if isinstance(encoding, NamedEncoding):
                keep_name(encoding, self.work.out)
            finals = finals_of(self.work.out, encoding is not None, self.work.settings.proposals == "all")
            missing = [folder for folder in finals if not whole(folder, self.say, plan.identity)]
            if missing:
                self._make(plan, missing)
            return self._report(plan)

    def _make(self, plan: Plan, missing: Sequence[Path]) -> None:
        out, encoding = self.work.out, self.work.settings.encoding
        sizes = [len(places) for places in plan.shards]
        _sweep(out)
        with self.running() as runner:

            def each(function: MapFunction, what: str, folders: Sequence[Path]) -> None:
                there = [whole(folder, self.say, plan.identity) for folder in folders]
                lacking = [number for number, good in enumerate(there) if not good]
                if len(lacking) < len(folders):
                    self.say(f"{what}: {len(folders) - len(lacking):,} of {len(folders):,} shards are there already")
                pace, done = Pace(what, sum(sizes[number] for number in lacking), self.say), 0
                for shard in runner(function, self.work, lacking):
                    done += sizes[shard.shard]
                    self.memory = max(self.memory, shard.memory)
                    pace.done(done)

            each(parse_shard, "pages parsed", [shard_folder(out, number) for number in range(len(sizes))])
            if out / PASSAGES in missing:
                self.say("putting the passages together")
                merge_passages(self.work, plan)
            if out / SEGMENTS in missing:
                each(link_shard, "pages linked", [links_folder(out, number) for number in range(len(sizes))])
                self.say("putting the table segments and edges together")
                merge_segments(self.work, plan)
        if encoding is None:
            return
        if out / TOKENS in missing:
            self.say("putting the token vectors together")
            merge_tokens(self.work, plan, encoding)
        if out / CENTROIDS in missing:
            self.say("finding centroids of the token vectors")
            write_centroids(self.work, plan, encoding, self.say)

    def _report(self, plan: Plan) -> Report:
        out = self.work.out
        counts = {**needed(out / SEGMENTS).counts, **needed(out / PASSAGES).counts}
        lacking = tuple(left_out(self.work, plan)) if (out / SHARDS).exists() else ()
        return Report(out, counts, lacking, max(self.memory, peak_memory()))


def finals_of(out: Path, tokens: bool, centroids: bool) -> tuple[Path, ...]:
    """Return the folders that are searched; the others are only for going on and for mending."""
    vectors = ((TOKENS, tokens), (CENTROIDS, centroids))
    return (out / PASSAGES, out / SEGMENTS, *(out / name for name, there in vectors if there))


def _sweep(out: Path) -> None:
    """Remove what a killed build was writing."""
    for folder in (out, out / SHARDS, out / LINKS):
        for part in folder.glob(f"*{PART}"):
            shutil.rmtree(part, ignore_errors=True)
