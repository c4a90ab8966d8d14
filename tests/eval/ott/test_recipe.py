"""What decides a ranking has a digest, and what does not go together is refused."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from eval.ott.corpus import OttCorpus
from eval.ott.recipe import (
    Recipe,
    digest_of_corpus,
    digest_of_questions,
    digest_of_run,
)
from tests.eval.ott.lights import BY_WHOM, WHEN

OTHERS: dict[str, Any] = {
    "method": "bm25",
    "scope": "mini",
    "track": "unlinked",
    "units": "node",
    "linker": "helios",
    "tier": "full",
    "without": frozenset({"expansion"}),
    "k1": 1,
    "k2": 1,
    "beam_width": 0,
    "proposed": 1,
    "refine": "remove",
    "llm": "big",
}


EXPANDING: dict[str, Any] = {"node_reranker": "g_n/model", "expansion_retrievers": "retrievers"}
READING: dict[str, Any] = {"read": 1, "read_by": "big", "reader": "extractive"}


def digest(corpus: OttCorpus, models: tuple[str, ...] = ("m",), **options: Any) -> str:
    return digest_of_run(replace(Recipe(), **options), digest_of_corpus(corpus), corpus.edges, models)


def test_every_option_changes_the_digest_of_a_run(corpus: OttCorpus) -> None:
    assert {*OTHERS, *READING, *EXPANDING, "retriever", "reranker"} == {field.name for field in fields(Recipe)}
    digests = [digest(corpus), *(digest(corpus, **{name: value}) for name, value in OTHERS.items())]
    assert len(set(digests)) == len(digests)


def test_a_reader_changes_the_digest_and_what_it_reads_does_where_there_is_one(corpus: OttCorpus) -> None:
    read = [
        {"reader": "extractive"},
        {"reader": "llm"},
        {"reader": "llm", "read": 1},
        {"reader": "llm", "read_by": "big"},
    ]
    assert len({digest(corpus), *(digest(corpus, **options) for options in read)}) == 5
    assert digest(corpus, read=1) == digest(corpus, read_by="big") == digest(corpus)


def test_runs_without_a_reader_or_models_of_expansion_are_recorded_as_before_there_were_any() -> None:
    assert set(Recipe().record()) == set(Recipe(tier="full").record()) == {*OTHERS, "retriever", "reranker"}
    assert set(Recipe(reader="llm", **EXPANDING).record()) == {field.name for field in fields(Recipe)}


def test_a_model_of_expansion_is_told_from_the_same_model_elsewhere(corpus: OttCorpus) -> None:
    named = [{}, {"node_reranker": "m"}, {"expansion_retrievers": "m"}, EXPANDING]
    assert len({digest(corpus, ("e", "m"), tier="full", **options) for options in named}) == 4


def test_models_count_by_their_content_and_not_by_their_place(corpus: OttCorpus) -> None:
    assert digest(corpus, retriever="here/model") == digest(corpus, retriever="there/model")
    for option in EXPANDING:
        here, there = ({option: f"{place}/model"} for place in ("here", "there"))
        assert digest(corpus, **here) == digest(corpus, **there) != digest(corpus, ("n",), **here)
    assert digest(corpus, reranker="here/model") == digest(corpus, reranker="there/model")
    assert digest(corpus, ("m",)) != digest(corpus, ("n",)) != digest(corpus, ("m", "n"))


def test_other_texts_or_links_change_the_digest(corpus: OttCorpus) -> None:
    known, edges = digest_of_corpus(corpus), corpus.edges
    tables = (replace(corpus.tables[0], title="Lamps"), corpus.tables[1])
    assert digest_of_corpus(replace(corpus, tables=tables)) != known
    assert digest_of_corpus(replace(corpus, links=corpus.links[:-1])) != known
    assert digest_of_run(Recipe(), known, edges) != digest_of_run(Recipe(), known, np.flip(edges))


def test_questions_have_a_digest_whatever_their_order() -> None:
    assert digest_of_questions((WHEN, BY_WHOM)) == digest_of_questions((BY_WHOM, WHEN))
    assert digest_of_questions((WHEN,)) != digest_of_questions((replace(WHEN, gold_table="Towers_0"),))


def test_a_stage_takes_part_unless_it_is_left_out() -> None:
    full = Recipe(tier="full", reranker="some")
    assert all(full.has(stage) for stage in ("expansion", "refinement", "reranker"))
    assert not any(Recipe().has(stage) for stage in ("expansion", "refinement", "reranker"))
    assert not replace(full, without=frozenset({"reranker"})).has("reranker")


def test_a_language_model_is_asked_for_what_it_is_named_for() -> None:
    assert (Recipe().roles, Recipe(reader="extractive").roles) == ((), ())
    assert Recipe(llm="big", reader="llm").roles == ("refine", "answer")
    assert Recipe(reader="llm").roles == ("answer",)
