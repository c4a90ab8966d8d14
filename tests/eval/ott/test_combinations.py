"""Options that a run would not heed are refused, each with the option that it belongs to."""

from dataclasses import fields, replace
from typing import Any

import pytest

from eval.ott.combinations import RULES, checked
from eval.ott.recipe import Recipe
from heliograph.errors import UsageError

EXPANSION_MODELS: dict[str, Any] = {"node_reranker": "g_n/model", "expansion_retrievers": "retrievers"}
LEFT_OUT = {"without expansion", "without refinement", "without reranker"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "dense"}, "--method dense ranks node; give --units node"),
        ({"method": "late-fusion", "units": "star"}, "--method late-fusion ranks edge; give --units edge"),
        ({"method": "bm25", "k1": 1, "refine": "remove"}, "--k1, --refine is of --method helios"),
        ({"beam_width": 3, "llm": "big"}, "--beam-width, --llm is of --tier full; add --tier full"),
        ({"node_reranker": "m"}, "--node-reranker is of --tier full; add --tier full"),
        ({"method": "bm25", **EXPANSION_MODELS}, "--node-reranker, --expansion-retrievers is of --method helios"),
        (
            {"tier": "full", "without": frozenset({"expansion"}), "expansion_retrievers": "m"},
            "--expansion-retrievers is of the expansion that --without expansion leaves out; leave one of them away",
        ),
        ({"linker": "helios"}, "--linker is of --track unlinked; add --track unlinked"),
        ({"units": "star", "tier": "full"}, "work on edges, not on stars"),
        ({"units": "node", "reranker": "some"}, "work on edges, not on nodes"),
        (
            {"tier": "full", "beam_width": 0, "node_reranker": "m"},
            "--node-reranker is of expansion, and --beam-width 0 adds nothing; leave one of them away",
        ),
        (
            {"method": "late-fusion", "track": "unlinked", "linker": "helios"},
            "neither --method late-fusion nor --units",
        ),
        ({"units": "node", "track": "unlinked", "linker": "helios"}, "--linker draws edges, at which neither"),
        ({"k1": 9, "k2": 10}, "--k2 10 is more than the 9 of --k1; give 9 or less"),
        ({"proposed": 399}, "--proposed 399 is less than the 400 of --k1, which are proposed at least; give 400 or"),
        ({"read": 3}, "--read is of a reader; add --reader extractive, llm or trained"),
        ({"reader": "llm", "read": 51}, "--read 51 is more than the 50 units of a ranking; give 50 or less"),
    ],
)
def test_what_no_run_would_heed_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        checked(replace(Recipe(), **options))


@pytest.mark.parametrize("method", ["helios", "bm25"])
@pytest.mark.parametrize("units", ["edge", "star", "node"])
def test_units_that_a_method_ranks_are_accepted(method: Any, units: Any) -> None:
    recipe = Recipe(method, units=units)
    assert checked(recipe) is recipe


def test_a_smaller_k1_or_more_of_it_alone_is_heeded() -> None:
    for recipe in (Recipe(k1=9), Recipe(k1=9, k2=9), Recipe(k1=2_000), Recipe(units="star", proposed=9)):
        assert checked(recipe) is recipe


@pytest.mark.parametrize(
    ("recipe", "given", "message"),
    [
        (Recipe("bm25"), {"tier"}, "--tier is of --method helios; leave it away with --method bm25"),
        (Recipe(), {"beam_width", "k1"}, "--beam-width is of --tier full; add --tier full"),
        (Recipe(), {"linker"}, "--linker is of --track unlinked"),
        (Recipe("bm25"), {"encode_all"}, "--encode-all is of --method helios"),
    ],
)
def test_an_option_given_as_it_is_anyway_counts_too(recipe: Recipe, given: set[str], message: str) -> None:
    assert checked(recipe) is recipe
    with pytest.raises(UsageError, match=message):
        checked(recipe, given)


def test_every_rule_is_of_options_that_there_are() -> None:
    named = {name for rule in RULES for name in rule.options}
    assert named <= {field.name for field in fields(Recipe)} | {"encode_all"} | LEFT_OUT
