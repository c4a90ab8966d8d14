"""The offline build from pages to a graph that is searched: parse, link, embed and index, shard by shard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexers.lock import WriterLock
from indexers.offline.encodings import NamedEncoding, keep_name
from indexers.offline.filesets import needed, sweep, whole
from indexers.offline.linking import LINKS, PASSAGES, link_shard, links_folder
from indexers.offline.merging import SEGMENTS, left_out, merge_passages, merge_segments, merge_tokens
from indexers.offline.parsing import SHARDS, parse_shard, shard_folder
from indexers.offline.plan import Plan, Work, planned
from indexers.offline.proposing import CENTROIDS, write_centroids
from indexers.offline.running import MapFunction, Runner, Running, in_process, peak_memory
from indexers.offline.shelf import forget
from indexers.offline.tokens import TOKENS
from indexers.pace import Pace, Say

MAPPED: Mapping[MapFunction, tuple[str, str]] = {
    parse_shard: ("pages parsed", SHARDS),
    link_shard: ("pages linked", LINKS),
}
"""What the two maps do, for a reader, and the folder of what they make."""
ANOTHER_OUT = "name another --out"


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
        with WriterLock(self.work.out, ANOTHER_OUT):
            plan, encoding = planned(self.work), self.work.settings.encoding
            out, centroids = self.work.out, self.work.settings.proposals == "all"
            if isinstance(encoding, NamedEncoding):
                keep_name(encoding, out, centroids or (out / CENTROIDS).exists())
            sweep(out, out / SHARDS, out / LINKS)
            finals = finals_of(out, encoding is not None, centroids)
            self._make(plan, [folder for folder in finals if not whole(folder, self.say, plan.identity)])
            return self._report(plan)

    def _make(self, plan: Plan, missing: Sequence[Path]) -> None:
        """Make the parts that are missing, and the shards that they need or that are kept beside them damaged."""
        out, encoding = self.work.out, self.work.settings.encoding
        lacking = self._lacking(plan, missing)
        if not missing and not any(lacking.values()):
            return
        with self.running() as runner:
            self._map(parse_shard, lacking[SHARDS], plan, runner)
            if out / PASSAGES in missing:
                self.say("putting the passages together")
                merge_passages(self.work, plan)
            self._map(link_shard, lacking[LINKS], plan, runner)
            if out / SEGMENTS in missing:
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

    def _lacking(self, plan: Plan, missing: Sequence[Path]) -> dict[str, list[int]]:
        """Return the numbers of the shards that are to be parsed, and of those that are to be linked."""
        out, shards = self.work.out, range(len(plan.shards))
        found: dict[str, list[int]] = {SHARDS: [], LINKS: []}
        if out / SEGMENTS in missing or (out / LINKS).exists():
            found[LINKS] = self._not_whole(plan, [links_folder(out, shard) for shard in shards])
        if found[LINKS] or set(missing) - {out / CENTROIDS} or (out / SHARDS).exists():
            found[SHARDS] = self._not_whole(plan, [shard_folder(out, shard) for shard in shards])
        return found

    def _not_whole(self, plan: Plan, folders: Sequence[Path]) -> list[int]:
        return [number for number, folder in enumerate(folders) if not whole(folder, self.say, plan.identity)]

    def _map(self, function: MapFunction, shards: Sequence[int], plan: Plan, runner: Runner) -> None:
        """Apply a map function to shards, telling how far it is in pages."""
        (what, kept), sizes = MAPPED[function], [len(places) for places in plan.shards]
        if len(shards) < len(sizes) and (self.work.out / kept).exists():
            self.say(f"{what}: {len(sizes) - len(shards):,} of {len(sizes):,} shards are there already")
        pace, done = Pace(what, sum(sizes[shard] for shard in shards), self.say), 0
        for finished in runner(function, self.work, shards):
            done += sizes[finished.shard]
            self.memory = max(self.memory, finished.memory)
            pace.done(done)

    def _report(self, plan: Plan) -> Report:
        out = self.work.out
        segments, passages = needed(out / SEGMENTS), needed(out / PASSAGES)
        counted = ("pages", "left_out", "tables", "segments", "edges", "given", "found")
        counts = {**{name: segments.count(name) for name in counted}, "passages": passages.count("passages")}
        lacking = tuple(left_out(self.work, plan)) if (out / SHARDS).exists() else ()
        return Report(out, counts, lacking, max(self.memory, peak_memory()))


def finals_in(out: Path, plan: Plan) -> tuple[Path, ...]:
    """Return those of a build that is there; centroids are not part of its plan."""
    return finals_of(out, bool(plan.identity["encoder"]), (out / CENTROIDS).exists())


def finals_of(out: Path, tokens: bool, centroids: bool) -> tuple[Path, ...]:
    """Return the folders that are searched; the others are only for going on and for mending."""
    vectors = ((TOKENS, tokens), (CENTROIDS, centroids))
    return (out / PASSAGES, out / SEGMENTS, *(out / name for name, there in vectors if there))
