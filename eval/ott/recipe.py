"""What decides rankings and answers: the options of a run, and the digest that keeps runs apart."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.questions import OttQuestion
from eval.ott.ranking import CUT, UnitKind
from eval.ott.reading import Scope
from heliograph.errors import UsageError
from heliograph.types import ModelRole
from heliograph.version import VERSION
from indexers.edges.search import PROPOSED
from tools.expansion import BEAM_WIDTH
from tools.refinement import Policy
from tools.subgraph import K1, K2

Method = Literal["helios", "bm25", "dense", "late-fusion"]
Track = Literal["linked", "unlinked"]
Tier = Literal["light", "full"]
LinkerName = Literal["titles", "helios"]
ReaderName = Literal["none", "extractive", "llm"]
Stage = Literal["expansion", "refinement", "reranker"]
"""What an ablation leaves out (HELIOS, Tables 5 and 7)."""

NO_RERANKER, FUSED_RERANKER = "none", "fused"
NO_READER: ReaderName = "none"
READ = 20
"""Units that a reader is given: about as many edges as 4,096 word pieces hold, the context of a small one."""
UNITS: Mapping[Method, tuple[UnitKind, ...]] = {
    "helios": ("edge", "star", "node"),
    "bm25": ("edge", "star", "node"),
    "dense": ("node",),
    "late-fusion": ("edge",),
}
"""What each method can rank, its own choice first."""


EXPANSION_OPTIONS = ("node_reranker", "expansion_retrievers")
FULL_OPTIONS = ("beam_width", "refine", "llm", *EXPANSION_OPTIONS)
READING_OPTIONS = ("reader", "read", "read_by")
STAGE_OPTIONS: Mapping[Stage, tuple[str, ...]] = {
    "expansion": ("beam_width", *EXPANSION_OPTIONS),
    "refinement": ("refine", "llm"),
    "reranker": ("reranker",),
}
"""The options that say how a stage works."""
HELIOS_OPTIONS = ("tier", "without", "retriever", "reranker", "k1", "k2", "proposed", *FULL_OPTIONS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The options of a run; those from `tier` to `llm` are of HELIOS alone.

    `retriever` names a late-interaction model, empty for the shipped one; `reranker` a cross-encoder, `fused` or
    `none`; `llm` is the model that refines, empty for code alone. `node_reranker` names a cross-encoder, and
    `expansion_retrievers` a folder with two late-interaction models; both are empty where the other models serve.
    `read` is how many units the reader is given, and `read_by` the language model that it is, where it is one.
    """

    method: Method = "helios"
    scope: Scope = "full"
    track: Track = "linked"
    units: UnitKind = "edge"
    linker: LinkerName = "titles"
    tier: Tier = "light"
    without: frozenset[Stage] = frozenset()
    retriever: str = ""
    reranker: str = NO_RERANKER
    node_reranker: str = ""
    expansion_retrievers: str = ""
    k1: int = K1
    k2: int = K2
    beam_width: int = BEAM_WIDTH
    proposed: int = PROPOSED
    refine: Policy = "promote"
    llm: str = ""
    reader: ReaderName = NO_READER
    read: int = READ
    read_by: str = ""

    @property
    def roles(self) -> tuple[ModelRole, ...]:
        """What a language model is asked for."""
        refining: tuple[ModelRole, ...] = ("refine",) if self.llm else ()
        return (*refining, "answer") if self.reader == "llm" else refining

    def has(self, stage: Stage) -> bool:
        """Tell whether a stage takes part."""
        if stage in self.without:
            return False
        return self.reranker != NO_RERANKER if stage == "reranker" else self.tier == "full"

    def record(self) -> dict[str, object]:
        """Return the options as JSON has them, without those of a reader or expansion model that is not named."""
        options = {**asdict(self), "without": sorted(self.without)}
        reading = READING_OPTIONS if self.reader == NO_READER else ()
        unsaid = {*reading, *(name for name in EXPANSION_OPTIONS if not options[name])}
        return {name: value for name, value in options.items() if name not in unsaid}


def checked(recipe: Recipe) -> Recipe:
    """Return a recipe whose parts go together.

    Raises:
        UsageError: an option has no effect, or the method cannot rank such units.
    """
    units = UNITS[recipe.method]
    if recipe.method != "helios" and (own := _changed(recipe, HELIOS_OPTIONS)):
        raise UsageError(f"{own} is of --method helios; leave it away with --method {recipe.method}")
    if recipe.tier != "full" and (late := _changed(recipe, FULL_OPTIONS)):
        raise UsageError(f"{late} is of --tier full; add --tier full")
    if "expansion" in recipe.without and (expanding := _changed(recipe, EXPANSION_OPTIONS)):
        raise UsageError(f"{expanding} is of expansion; leave it or --without expansion away")
    if recipe.track == "linked" and (unlinked := _changed(recipe, ("linker",))):
        raise UsageError(f"{unlinked} is of --track unlinked; add --track unlinked")
    if recipe.reader == NO_READER and (reading := _changed(recipe, ("read",))):
        raise UsageError(f"{reading} is of a reader; add --reader extractive or --reader llm")
    if recipe.read > CUT:
        raise UsageError(f"--read {recipe.read} is more than the {CUT} units of a ranking; give {CUT} or less")
    if recipe.units not in units:
        raise UsageError(f"--method {recipe.method} ranks {' or '.join(units)}; give --units {units[0]}")
    if recipe.units != "edge" and (recipe.tier == "full" or recipe.has("reranker")):
        raise UsageError(
            f"reranker, expansion and refinement work on edges, not on {recipe.units}s; "
            "leave --tier full and --reranker away, or give --units edge"
        )
    return recipe


def refuse_idle(recipe: Recipe, given: Mapping[str, object]) -> None:
    """Refuse options that were given on purpose and that nothing would heed; a recipe alone does not tell them.

    Raises:
        UsageError: one is of a stage that is left out, of a tier, a method or units that are not asked for.
    """
    if recipe.method != "helios" and given.get("whole"):
        raise UsageError(f"--encode-all is of --method helios; leave it away with --method {recipe.method}")
    if recipe.units != "edge" and (ranked := _options([name for name in ("k1", "k2") if given.get(name)])):
        raise UsageError(f"{ranked} is of --units edge; leave it away with --units {recipe.units}")
    for stage in sorted(recipe.without):
        if stage != "reranker" and recipe.tier != "full":
            raise UsageError(f"--without {stage} is of --tier full; add --tier full, or leave it away")
        if idle := _options(
            [name for name in STAGE_OPTIONS[stage] if given.get(name) not in (None, False, NO_RERANKER)]
        ):
            raise UsageError(f"{idle} is of the {stage} that --without {stage} leaves out; leave one of them away")


def digest_of_corpus(corpus: OttCorpus) -> str:
    """Return a digest of every text and link of a corpus."""
    digest = hashlib.sha256()
    for table in corpus.tables:
        digest.update(repr(table).encode("utf-8", "surrogatepass"))
    digest.update("\0".join(corpus.passages.ids).encode("utf-8", "surrogatepass"))
    digest.update(corpus.passages.texts.blob)
    digest.update(corpus.passages.texts.ends.tobytes())
    digest.update(corpus.links.tobytes())
    return digest.hexdigest()[:16]


def digest_of_run(recipe: Recipe, corpus: str, edges: Numbers, models: Sequence[str] = ()) -> str:
    """Return the digest of a retriever: `models` are the names of those that are loaded, which say their content."""
    said = recipe.record()
    options = {
        **said,
        **{name: "" for name in EXPANSION_OPTIONS if name in said},
        "retriever": "",
        "reranker": "",
        "version": VERSION,
        "corpus": corpus,
        "models": list(models),
    }
    return _short(json.dumps(options, sort_keys=True).encode(), edges.tobytes())


def digest_of_questions(questions: Sequence[OttQuestion]) -> str:
    """Return a digest of questions with their gold, whatever their order."""
    return _short(*(repr(question).encode("utf-8", "surrogatepass") for question in sorted(questions, key=_by_id)))


def _changed(recipe: Recipe, options: Sequence[str]) -> str:
    """Name the options that are not what they are when nobody gives them."""
    usual = Recipe()
    return _options([name for name in options if getattr(recipe, name) != getattr(usual, name)])


def _options(names: Sequence[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)


def _by_id(question: OttQuestion) -> str:
    return question.id


def _short(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]
