"""What decides rankings and answers: the options of a run, and the digest that keeps runs apart."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.measures import NAMES
from eval.ott.questions import OttQuestion
from eval.ott.ranking import UnitKind
from eval.ott.reading import Scope
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
ReaderName = Literal["none", "extractive", "llm", "trained"]
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
READING_OPTIONS = ("reader", "read", "read_by")


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
    """Return the digest of a retriever and of what is measured of it.

    `models` are the names of those that are loaded, which say their content.
    """
    said = recipe.record()
    options = {
        **said,
        **{name: "" for name in EXPANSION_OPTIONS if name in said},
        "retriever": "",
        "reranker": "",
        "version": VERSION,
        "corpus": corpus,
        "models": list(models),
        "measures": NAMES,
    }
    return _short(json.dumps(options, sort_keys=True).encode(), edges.tobytes())


def digest_of_questions(questions: Sequence[OttQuestion]) -> str:
    """Return a digest of questions with their gold, whatever their order."""
    return _short(*(repr(question).encode("utf-8", "surrogatepass") for question in sorted(questions, key=_by_id)))


def _by_id(question: OttQuestion) -> str:
    return question.id


def _short(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]
