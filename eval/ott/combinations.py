"""Which options of a run go together: one that nothing would heed is refused, or it would seem to have been tried."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass

from eval.ott.ranking import CUT
from eval.ott.recipe import EXPANSION_OPTIONS, NO_READER, NO_RERANKER, UNITS, Recipe, Stage
from heliograph.errors import UsageError

FULL_OPTIONS = ("beam_width", "refine", "llm", *EXPANSION_OPTIONS)
RETRIEVING_OPTIONS = ("tier", "without", "retriever", "reranker", "k1", "k2", "proposed", "encode_all")
HELIOS_OPTIONS = (*RETRIEVING_OPTIONS, *FULL_OPTIONS)


@dataclass(frozen=True, slots=True)
class Heeded:
    """Options, when a run heeds them, and what is said after their names where it does not."""

    options: tuple[str, ...]
    when: Callable[[Recipe], bool]
    otherwise: str


def _left_out(stage: Stage) -> str:
    return f"is of the {stage} that --without {stage} leaves out; leave one of them away"


RULES = (
    Heeded(
        HELIOS_OPTIONS,
        lambda recipe: recipe.method == "helios",
        "is of --method helios; leave it away with --method {method}",
    ),
    Heeded(
        ("without expansion", "without refinement"),
        lambda recipe: recipe.tier == "full",
        "is of --tier full; add --tier full, or leave it away",
    ),
    Heeded(FULL_OPTIONS, lambda recipe: recipe.tier == "full", "is of --tier full; add --tier full"),
    Heeded(
        ("beam_width", *EXPANSION_OPTIONS),
        lambda recipe: "expansion" not in recipe.without,
        _left_out("expansion"),
    ),
    Heeded(("refine", "llm"), lambda recipe: "refinement" not in recipe.without, _left_out("refinement")),
    Heeded(
        ("reranker",),
        lambda recipe: recipe.reranker == NO_RERANKER or "reranker" not in recipe.without,
        _left_out("reranker"),
    ),
    Heeded(
        EXPANSION_OPTIONS,
        lambda recipe: recipe.beam_width > 0,
        "is of expansion, and --beam-width 0 adds nothing; leave one of them away",
    ),
    Heeded(("linker",), lambda recipe: recipe.track == "unlinked", "is of --track unlinked; add --track unlinked"),
    Heeded(
        ("linker",),
        lambda recipe: recipe.units != "node" and recipe.method != "late-fusion",
        "draws edges, at which neither --method late-fusion nor --units node looks; leave it away",
    ),
    Heeded(
        ("read",),
        lambda recipe: recipe.reader != NO_READER,
        "is of a reader; add --reader extractive, llm or trained",
    ),
    Heeded(
        ("read",),
        lambda recipe: recipe.read <= CUT,
        f"{{read}} is more than the {CUT} units of a ranking; give {CUT} or less",
    ),
    Heeded(
        ("k1", "k2", "without reranker"),
        lambda recipe: recipe.units == "edge",
        "is of --units edge; leave it away with --units {units}",
    ),
    Heeded(("k2",), lambda recipe: recipe.k2 <= recipe.k1, "{k2} is more than the {k1} of --k1; give {k1} or less"),
    Heeded(
        ("proposed",),
        lambda recipe: recipe.units != "edge" or recipe.proposed >= recipe.k1,
        "{proposed} is less than the {k1} of --k1, which are proposed at least; give {k1} or more, or a smaller --k1",
    ),
)


def checked(recipe: Recipe, given: Collection[str] = ()) -> Recipe:
    """Return a recipe whose parts go together.

    `given` are the options that somebody gave; those that are not what they are when nobody gives them count too.

    Raises:
        UsageError: an option has no effect, or the method cannot rank such units.
    """
    said = {*given, *_changed(recipe), *(f"without {stage}" for stage in recipe.without)}
    for rule in RULES:
        idle = [] if rule.when(recipe) else [name for name in rule.options if name in said]
        if idle:
            raise UsageError(f"{_options(idle)} {rule.otherwise.format(**asdict(recipe))}")
    units = UNITS[recipe.method]
    if recipe.units not in units:
        raise UsageError(f"--method {recipe.method} ranks {' or '.join(units)}; give --units {units[0]}")
    if recipe.units != "edge" and (recipe.tier == "full" or recipe.has("reranker")):
        raise UsageError(
            f"reranker, expansion and refinement work on edges, not on {recipe.units}s; "
            "leave --tier full and --reranker away, or give --units edge"
        )
    return recipe


def _changed(recipe: Recipe) -> set[str]:
    usual = asdict(Recipe())
    return {name for name, value in asdict(recipe).items() if value != usual[name]}


def _options(names: Sequence[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)
