"""A grid of five systems asked four questions about moons, two judges, and two seeds of one system; our own words."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import strategies as st

from eval.omgqa.judged import Judged, Labels, Statement, Unit
from eval.omgqa.records import AUTHORS, Judgement, OmgDocument, OmgLeaf, OmgQuestion
from eval.omgqa.results import JudgedRun, Results
from eval.omgqa.runs import CitedClaim, OmgRun
from eval.omgqa.systems import System
from heliograph.types import EvidenceId, Modality, PageKey, Usage
from indexers.parser import page_of

MODEL = "judge-model"
PROMPT = "5f" * 32


def unit(name: str) -> Unit:
    page, leaf = name.split("/")
    return EvidenceId(f"en:{page}@7#s1/{leaf}")


def named(text: str) -> tuple[Unit, ...]:
    return tuple(map(unit, text.split()))


def question(id: str, text: str, *modalities: Modality, answers: tuple[str, ...] = ("yes",)) -> OmgQuestion:
    return OmgQuestion(id, text, answers, (), modalities, "moons")


QUESTIONS = {
    each.id: each
    for each in (
        question("m1", "Which moon of Jupiter throws its plumes highest?", "text", "table", answers=("Io",)),
        question("m2", "What colour is the leading side of Iapetus in its photograph?", "image", answers=("dark",)),
        question("m3", "Which moons were found by Herschel, and which is drawn larger?", "text", "table", "image"),
        question("m4", "Which moon of Venus is the largest?", "text", answers=()),
    )
}
RELEVANT = {
    "m1": named("Io/p1 Io/t1 Loki/p2"),
    "m2": named("Iapetus/i1"),
    "m3": named("Titania/p1 Oberon/p1 Titania/i1 Uranus/t2"),
    "m4": (),
}
IRRELEVANT = {
    "m1": named("Io/p2 Europa/p1"),
    "m2": named("Iapetus/p4 Saturn/i2"),
    "m3": named("Uranus/p3"),
    "m4": named("Venus/p1 Venus/p2"),
}
SYSTEMS = {
    each.name: each
    for each in (
        System("wikipedia", "text-only", "sparse", "minilm", "none", "little", "single-round", "off"),
        System("duckduckgo", "text-only", "sparse", "minilm", "none", "little", "single-round", "off"),
        System("duckduckgo", "modality-specific", "dense", "gte", "clip", "little", "single-round", "off"),
        System("duckduckgo", "modality-specific", "dense", "gte", "clip", "little", "multi-round", "off"),
        System(
            "duckduckgo",
            "modality-specific",
            "dense",
            "gte",
            "clip",
            "large",
            "multi-round",
            "off",
            lacking=("[llms.large] base_url: no server is named for it",),
        ),
    )
}
WIKI, DUCK, SINGLE, MULTI, LARGE = SYSTEMS


def answered(
    system: str,
    id: str,
    found: str,
    cited: str = "",
    seed: int = 0,
    rounds: Iterable[str] = (),
    abstained: bool = False,
    right: bool = True,
) -> JudgedRun:
    """Answer a question with one claim that all of the citations support, or with none."""
    units, citations = named(found), named(cited)
    after = tuple(map(named, rounds)) or (units,)
    claims = (CitedClaim(f"The {id} moon is so.", citations, "supported"),) if citations else ()
    run = OmgRun(
        system=system,
        question=id,
        seed=seed,
        run=f"20260921T141320250-{id}{seed}",
        answer="" if abstained else f"The {id} moon is so [1].",
        abstained=abstained,
        documents=tuple(dict.fromkeys(map(page_of, units))),
        retrieved=units,
        rounds=after,
        claims=claims,
        usage=Usage(llm_calls=4, prompt_tokens=1200, completion_tokens=90, embedded=40, pages_read=len(units)),
        seconds=2.5 + len(after),
    )
    judged = Judged(
        Labels(frozenset(RELEVANT[id]), frozenset(IRRELEVANT[id])),
        run.documents,
        units,
        citations,
        frozenset(citations),
        tuple(Statement(right, (right,) * len(citations), (False,) * len(citations)) for _ in claims),
        abstained,
        None if abstained else right,
        None if abstained else not right,
        after,
        answer=f"It is {' or '.join(QUESTIONS[id].answers)} [1]." if right else "It is another [1].",
        accepted=QUESTIONS[id].answers,
    )
    return JudgedRun(run, judged)


RUNS = (
    answered(WIKI, "m1", "Io/p1 Io/p2", "Io/p1"),
    answered(WIKI, "m2", "Iapetus/p4", abstained=True),
    answered(WIKI, "m3", "Uranus/p3 Oberon/p1 Moon/p9", "Uranus/p3", right=False),
    answered(DUCK, "m1", "Io/p1 Loki/p2", "Io/p1 Loki/p2"),
    answered(DUCK, "m2", "Iapetus/i1 Iapetus/p4", "Iapetus/i1"),
    answered(DUCK, "m3", "Oberon/p1 Titania/p1", "Oberon/p1"),
    answered(DUCK, "m4", "Venus/p1", abstained=True),
    answered(SINGLE, "m1", "Io/t1 Io/p1 Europa/p1", "Io/t1"),
    answered(SINGLE, "m2", "Iapetus/i1", "Iapetus/i1"),
    answered(SINGLE, "m3", "Titania/i1 Moon/p9", "Titania/i1", right=False),
    answered(SINGLE, "m4", "Venus/p2", "Venus/p2"),
    answered(MULTI, "m1", "Io/t1 Io/p1 Loki/p2", "Io/t1 Loki/p2", rounds=("Io/t1 Io/p1", "Io/t1 Io/p1 Loki/p2")),
    answered(MULTI, "m2", "Iapetus/i1", "Iapetus/i1"),
    answered(
        MULTI,
        "m3",
        "Titania/i1 Oberon/p1 Uranus/t2",
        "Titania/i1 Uranus/t2",
        rounds=("Titania/i1", "Titania/i1 Oberon/p1", "Titania/i1 Oberon/p1 Uranus/t2"),
    ),
    answered(MULTI, "m4", "Venus/p1", abstained=True),
    answered(MULTI, "m1", "Io/t1 Io/p1", "Io/t1", seed=1),
    answered(MULTI, "m2", "Saturn/i2 Iapetus/i1", "Saturn/i2", seed=1, right=False),
    answered(MULTI, "m3", "Titania/i1 Oberon/p1", "Oberon/p1", seed=1, rounds=("Titania/i1", "Titania/i1 Oberon/p1")),
    answered(MULTI, "m4", "Venus/p1", abstained=True, seed=1),
)
POOL = tuple(
    Judgement(id, piece, relevant, MODEL, PROMPT, 0.75)
    for relevant, pieces in ((True, RELEVANT), (False, IRRELEVANT))
    for id, those in pieces.items()
    for piece in those
) + tuple(
    Judgement("m1", piece, relevant, AUTHORS)
    for piece, relevant in zip(named("Io/p1 Io/t1 Io/p2 Europa/p1"), (True, True, True, False), strict=True)
)
RESULTS = Results(MODEL, SYSTEMS, QUESTIONS, POOL, RUNS)


def documents() -> dict[PageKey, OmgDocument]:
    """Return pages with one sentence for each unit of the pool."""
    found: dict[PageKey, OmgDocument] = {}
    for piece in dict.fromkeys(each.evidence for each in POOL):
        key = page_of(piece)
        leaf = OmgLeaf(1, piece, "s1", "text", f"What {piece.rpartition('#')[2]} of {key} says of moons.")
        known = found.get(key, OmgDocument(key, key.partition(":")[2].partition("@")[0], (), ()))
        found[key] = replace(known, leaves=(*known.leaves, leaf))
    return found


UNITS = ("Io/p1", "Io/p2", "Io/t1", "Iapetus/i1", "Titania/p1", "Uranus/p3", "Venus/p1")
FOUND = st.lists(st.sampled_from(UNITS), unique=True, max_size=4)


@st.composite
def any_runs(draw: st.DrawFn) -> tuple[JudgedRun, ...]:
    asked = st.tuples(st.sampled_from(list(SYSTEMS)), st.sampled_from(list(QUESTIONS)), st.integers(0, 2))
    drawn = draw(st.lists(asked, unique=True, max_size=12))
    return tuple(
        answered(
            system, id, " ".join(found), " ".join(found[: draw(st.integers(0, 2))]), seed, right=draw(st.booleans())
        )
        for system, id, seed in drawn
        for found in [draw(FOUND)]
    )
