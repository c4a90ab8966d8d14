"""The models that ship: each is what its card says and fits what stands beside it; the edge retriever ranks."""

import hashlib

import numpy as np
import pytest

from heliograph.errors import ModelMissing
from indexers.edges.home_tokens import HomeTokens, TokenFolder
from indexers.edges.linearize import passage_line
from indexers.edges.maxsim import similarity
from indexers.models.answer_choice import CHOICE_FILE, ChoiceWeights, write_choice
from indexers.models.follow_ups import SHIPPED_REWRITER, follow_up_reader
from indexers.models.onnx_tokens import SHIPPED, OnnxTokenEncoder
from indexers.models.reader import SHIPPED_READER, Reader
from indexers.models.retrievers import fusion_weights, shipped_reader, token_encoder, weights_beside
from indexers.models.semantic_parser import SHIPPED_PARSER, question_parser
from tests.tools.made_up import table
from tools.arithmetic import TableReader

MOST_BYTES, MOST_BYTES_OF_A_READER = 25_000_000, 30_000_000
LIGHTS = (
    passage_line("Skerry Light", "Skerry Light is a lighthouse on a rock, lit in 1871 and painted in red bands."),
    passage_line("Brandt Cup", "The Brandt Cup is a yearly regatta of wooden boats."),
    passage_line("Ada Brandt", "Ada Brandt was an engineer who drew plans of harbours."),
)


def test_its_card_names_its_bytes() -> None:
    model, card = SHIPPED / "model.onnx", (SHIPPED / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(model.read_bytes()).hexdigest() in card
    assert model.stat().st_size + (SHIPPED / "tokenizer.json").stat().st_size <= MOST_BYTES
    assert "Apache-2.0" in card


def test_the_weights_beside_it_are_its_own() -> None:
    encoder = token_encoder("", "graph_model", "use --graph off")
    assert fusion_weights(weights_beside(""), encoder.name).model == encoder.name


async def test_its_vectors_have_length_one_and_do_not_depend_on_their_company() -> None:
    encoder = OnnxTokenEncoder()
    together = await encoder.encode_documents(LIGHTS)
    (alone,) = await encoder.encode_documents(LIGHTS[1:2])
    np.testing.assert_array_equal(together[1], alone)
    for vectors in together:
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


async def test_it_finds_what_is_asked_for(tmp_path) -> None:
    tokens = (await HomeTokens(OnnxTokenEncoder, TokenFolder(tmp_path)).open()).nodes
    for question, best in (
        ("Which lighthouse was first lit in 1871?", 0),
        ("In which boat race do wooden vessels compete?", 1),
        ("Who designed harbours?", 2),
    ):
        assert int(np.argmax(similarity(await tokens.maxima(question, LIGHTS)))) == best


def test_a_reader_ships_with_the_weights_of_its_choice_or_not_at_all(tmp_path) -> None:
    with pytest.raises(ModelMissing, match=f"no reader in {tmp_path}; make one: heliograph train reader"):
        shipped_reader(tmp_path)
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(name.encode())
    with pytest.raises(ModelMissing, match="has no weights of a choice"):
        shipped_reader(tmp_path)
    name = Reader(tmp_path).name
    write_choice(tmp_path / CHOICE_FILE, ChoiceWeights(model=name))
    assert shipped_reader(tmp_path).name == name
    (tmp_path / "model.onnx").write_bytes(b"another")
    with pytest.raises(ModelMissing, match=f"was made for {name}, not for reader-"):
        shipped_reader(tmp_path)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        (SHIPPED_READER, lambda: shipped_reader().name),
        (SHIPPED_PARSER, lambda: question_parser("").name),
        (SHIPPED_REWRITER, lambda: follow_up_reader("").name),
    ],
    ids=["reader", "parser", "rewriter"],
)
def test_the_cards_of_what_ships_name_the_bytes_of_all_their_files(folder, name) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    files = [path for path in folder.iterdir() if path.name not in ("README.md", "LICENSE")]
    assert all(hashlib.sha256(path.read_bytes()).hexdigest() in card for path in files)
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES_OF_A_READER
    assert "Licence: " in card
    assert "## What int8 loses" in card
    assert f"{folder.name}-" in name()


TOOLS = table(
    "Tools to borrow",
    "",
    "Tool | Weight (kg) | Bought | In use",
    "Drill | 1.8 | 2019 | yes",
    "Ladder | 9.5 | 2008 | no",
    "Saw | 2.2 | 2015 | yes",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which tool is the heaviest?", "Ladder"),
        ("how many of the tools are in use", "2"),
        ("what does the saw weigh", "2.2 kg"),
        ("how much heavier is the ladder than the drill", "7.7 kg"),
        ("who lends the tools out", None),
    ],
)
async def test_the_parser_says_what_is_asked_of_a_table(question: str, answer: str | None) -> None:
    best = (await TableReader(question_parser("")).answers(question, [TOOLS])).best
    assert (best.answer if best and best.confidence >= 0.5 else None) == answer
