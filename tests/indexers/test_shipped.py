"""The edge retriever that ships: it is what its card says, it fits, and it ranks."""

import hashlib

import numpy as np

from indexers.edges.home_tokens import HomeTokens, TokenFolder
from indexers.edges.linearize import passage_line
from indexers.edges.maxsim import similarity
from indexers.models.onnx_tokens import SHIPPED, OnnxTokenEncoder
from indexers.models.retrievers import fusion_weights, token_encoder, weights_beside

MOST_BYTES = 25_000_000
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
