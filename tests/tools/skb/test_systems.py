"""A system is named, alone or on top of another, and what there is none of is refused with what there is."""

from pathlib import Path

import pytest

from heliograph.errors import UnknownName, UsageError
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tests.fakes_models import FakeEmbedder
from tests.tools.skb.sky import ENTITIES, RELATIONS, Records, built
from tests.tools.skb.test_late_interaction_retrieval import WordEncoder
from tests.tools.skb.test_llm_reranker import NamedScores
from tools.skb import systems
from tools.skb.planning.model import SHIPPED_LARGE_PLANNER, SHIPPED_PLANNER
from tools.skb.systems import SystemModels, label_of, parts_of, retriever_named


@pytest.fixture
def sky(tmp_path: Path) -> BuiltKnowledgeBase:
    return built(Records(ENTITIES, RELATIONS), tmp_path / "sky.skb")


def models() -> SystemModels:
    return SystemModels(
        lambda: FakeEmbedder(dimensions=512), WordEncoder, llm=NamedScores({"Rhea": 1.0}), llm_name="scores", scored=3
    )


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("bm25", "bm25"),
        ("bm25-neighbours", "bm25-neighbours"),
        ("bm25-fields", "bm25-fields"),
        ("dense", "dense (hashed words)"),
        ("dense-max", "dense-max (hashed words)"),
        ("dense-top3", "dense-top3 (hashed words)"),
        ("late-interaction", "late-interaction (words)"),
        ("late-interaction:dense", "late-interaction:dense (hashed words; words)"),
        ("llm:late-interaction:bm25", "llm:late-interaction:bm25 (words; scores, 3 scored)"),
    ],
)
async def test_a_named_system_ranks_and_its_label_names_its_models(
    sky: BuiltKnowledgeBase, name: str, label: str
) -> None:
    (first, *_) = await retriever_named(name, sky, models()).retrieve("liquid methane", 5)
    assert first.item == 1
    assert label_of(name, models()) == label


async def test_a_reranker_ranks_what_the_system_behind_it_finds(sky: BuiltKnowledgeBase) -> None:
    (first, *_) = await retriever_named("llm:bm25", sky, models()).retrieve("old ice", 5)
    assert ENTITIES[first.item].name == "Rhea"
    assert parts_of("llm") == ("llm", "bm25-neighbours")
    assert parts_of("llm:late-interaction") == ("llm", "late-interaction", "bm25-neighbours")


def test_an_instruction_is_part_of_the_label() -> None:
    told = SystemModels(FakeEmbedder, instruction="Find: ")
    assert label_of("dense", told) == "dense (hashed words, queries after 'Find: ')"


@pytest.mark.parametrize("name", ["bm26", "", "llm:", "bm25:dense", "dense:llm", "llm:bm26"])
def test_an_unknown_name_is_refused_with_those_there_are(sky: BuiltKnowledgeBase, name: str) -> None:
    with pytest.raises(UnknownName, match=rf"no system '{name}'.*dense-top3, plan, .*late-interaction, llm, or"):
        retriever_named(name, sky)


def test_a_language_model_that_is_not_set_is_named(sky: BuiltKnowledgeBase) -> None:
    for name in ("llm", "plan:llm", "late-interaction:plan:llm"):
        with pytest.raises(UsageError, match="HELIOGRAPH_LLM__BASE_URL"):
            retriever_named(name, sky)


def test_plans_of_a_language_model_are_one_system() -> None:
    assert parts_of("plan:llm") == ("plan:llm",)
    assert parts_of("llm:plan:llm") == ("llm", "plan:llm")
    label = label_of("plan:llm", models())
    assert label.startswith("plan:llm (hashed words; plans ") and label.endswith("; scores)")


@pytest.mark.parametrize(("whole", "weights"), [(10, SHIPPED_PLANNER), (3, SHIPPED_LARGE_PLANNER)])
def test_a_base_of_which_only_proposed_entities_have_vectors_has_weights_of_its_own(
    sky: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch, whole: int, weights: Path
) -> None:
    monkeypatch.setattr(systems, "EMBEDDED_WHOLE", whole)
    assert systems.planner_for(sky) == weights
