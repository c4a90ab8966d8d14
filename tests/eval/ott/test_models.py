"""Models are looked for before anything slow begins, and each lack says what to do."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval.ott.expansion_models import ExpansionRetrievers
from eval.ott.models import (
    Models,
    language_model_named,
    load_models,
    reading_model_named,
    retriever_named,
    with_weights_beside,
)
from eval.ott.recipe import Recipe
from heliograph.config import Endpoint, Settings
from heliograph.errors import ModelMissing, UsageError
from indexers.edges.fusion import JUDGED, FusionWeights
from indexers.models.answer_choice import CHOICE_FILE, ChoiceWeights, write_choice
from indexers.models.reader import SHIPPED_READER, Reader
from tests.bench.test_reader import small_model
from tests.eval.ott.words import SaysPhrase, SharedWords, WordEncoder


def test_methods_without_models_load_none(tmp_path: Path) -> None:
    assert load_models(Recipe("bm25"), tmp_path) == Models()
    assert load_models(Recipe("late-fusion"), tmp_path) == Models()
    assert load_models(Recipe("dense", units="node"), tmp_path).names == ("all-MiniLM-L6-v2-int8",)
    assert load_models(Recipe("bm25", reader="llm"), tmp_path) == Models()


def test_the_extractive_reader_needs_no_model(tmp_path: Path) -> None:
    assert load_models(Recipe("bm25", reader="extractive"), tmp_path).names == ()


def test_the_trained_reader_is_named_by_its_model_and_the_weights_of_its_choice(tmp_path: Path) -> None:
    recipe, folder = Recipe("bm25", reader="trained"), small_model(tmp_path / "reader")
    reader, names = Reader(folder).name, []
    for within in (1.0, 2.0):
        write_choice(folder / CHOICE_FILE, ChoiceWeights(within=within, model=reader))
        found = load_models(recipe, tmp_path, str(folder))
        assert found.trained and found.trained.weights.within == within
        names += found.names
    assert len(set(names)) == 2
    assert all(name.startswith(reader) for name in names)
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ModelMissing, match=r"was made for reader-.*; correct HELIOGRAPH_READER, or give another"):
        load_models(recipe, tmp_path, str(folder))
    write_choice(folder / CHOICE_FILE, ChoiceWeights(model=Reader(folder).name))
    with pytest.raises(ModelMissing, match=f"{folder / 'model.onnx'} is not an ONNX model"):
        load_models(recipe, tmp_path, str(folder))


@pytest.mark.skipif(not SHIPPED_READER.is_dir(), reason="no reader ships yet")
@pytest.mark.parametrize("setting", ["", "none"])
def test_the_reader_that_ships_is_read_with_where_the_setting_names_none(setting: str, tmp_path: Path) -> None:
    (name,) = load_models(Recipe("bm25", reader="trained"), tmp_path, setting).names
    assert name.startswith(Reader(SHIPPED_READER).name)


def test_the_shipped_retriever_brings_its_own_reranker(tmp_path: Path) -> None:
    recipe = with_weights_beside(Recipe())
    assert recipe.reranker == "fused"
    assert load_models(recipe, tmp_path).names[0].startswith("edge-retriever-")
    assert with_weights_beside(Recipe(units="star")).reranker == with_weights_beside(Recipe("bm25")).reranker == "none"


def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="correct --retriever"):
        load_models(Recipe(retriever=str(tmp_path / "none")), tmp_path)
    with pytest.raises(ModelMissing, match="correct --reranker"):
        load_models(Recipe(reranker=str(tmp_path / "none")), tmp_path)


def test_a_folder_with_an_onnx_model_is_named_after_its_content(tmp_path: Path) -> None:
    (name,) = load_models(Recipe(retriever=str(onnx_folder(tmp_path))), tmp_path).names
    assert name.startswith(f"{tmp_path.name}-")


def onnx_folder(folder: Path) -> Path:
    """Make a folder that is taken for an ONNX model until its first text."""
    folder.mkdir(exist_ok=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).write_text(name)
    return folder


def write_weights(path: Path, model: str, first: float = 1.0) -> Path:
    ones = (1.0,) * (len(JUDGED) - 1)
    FusionWeights(model, (0.0, *ones), (1.0, *ones), (first, *ones)).write(path)
    return path


def test_the_fused_reranker_stands_beside_its_retriever_or_in_a_file_of_its_own(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path / "model")
    recipe = Recipe(retriever=str(folder), reranker="fused")
    with pytest.raises(ModelMissing, match=r"no weights of a fused reranker in .*fusion\.json"):
        load_models(recipe, tmp_path)
    encoder = retriever_named(str(folder)).name
    own = write_weights(folder / "fusion.json", encoder)
    other = write_weights(tmp_path / "other.json", encoder, first=2.0)
    names = [
        load_models(replace(recipe, reranker=reranker), tmp_path).names for reranker in ("fused", str(own), str(other))
    ]
    assert names[0] == names[1] != names[2]
    assert [name for name, _ in names] == [encoder] * 3


def test_weights_of_another_retriever_are_refused(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path)
    write_weights(folder / "fusion.json", "another")
    with pytest.raises(ModelMissing, match="was fitted to the retriever another, not to "):
        load_models(Recipe(retriever=str(folder), reranker="fused"), tmp_path)


def test_a_reranker_that_is_left_out_is_not_looked_for(tmp_path: Path) -> None:
    recipe = Recipe(retriever=str(onnx_folder(tmp_path)), reranker="fused", without=frozenset({"reranker"}))
    assert len(load_models(recipe, tmp_path).names) == 1


def test_models_are_named_in_a_fixed_order() -> None:
    assert Models(WordEncoder(), pairs=SharedWords()).names == ("words", "shared-words")
    retrievers = ExpansionRetrievers(WordEncoder("one"), WordEncoder("other"))
    expanding = Models(WordEncoder(), pairs=SharedWords(), nodes=SaysPhrase("x"), expansion=retrievers)
    assert expanding.names == ("words", "shared-words", "says-x", "one other")


def test_a_language_model_is_named_as_the_settings_do_and_a_reading_one_with_its_context() -> None:
    with pytest.raises(UsageError, match="set HELIOGRAPH_LLM__BASE_URL"):
        language_model_named(Settings())
    settings = Settings(llm=Endpoint(base_url="http://127.0.0.1:9/v1", model="big", context_tokens=4096))
    assert language_model_named(settings) == "big"
    assert reading_model_named(settings) == "big, context of 4096 tokens"
