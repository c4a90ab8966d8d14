"""The encoder's graph, against the same encoder in NumPy."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexers.models.encoder_graph import (
    LAYER,
    MATRICES,
    EncoderWeights,
    Int8Matrix,
    reader_logits,
    token_states,
    unit_vectors,
)
from indexers.models.onnx import one_thread, packaged_files

WIDTH, WIDER, PIECES, PLACES, HEADS, LAYERS = 24, 48, 50, 32, 3, 2
SHAPES = dict.fromkeys(MATRICES, (WIDTH, WIDTH)) | {MATRICES[4]: (WIDER, WIDTH), MATRICES[5]: (WIDTH, WIDER)}
"""Outputs and inputs, as PyTorch keeps them."""
erf = np.vectorize(math.erf)


def drawn(seed: int) -> dict[str, np.ndarray]:
    """Weights of a small encoder, by the names of transformers."""
    draw = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return draw.normal(size=shape).astype(np.float32)

    kinds = (("word", PIECES), ("position", PLACES), ("token_type", 2))
    state = {f"embeddings.{kind}_embeddings.weight": some(many, WIDTH) for kind, many in kinds}
    norms = ["embeddings.LayerNorm"]
    for layer in map(LAYER.format, range(LAYERS)):
        norms += [f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"]
        for name, shape in SHAPES.items():
            state |= {f"{layer}{name}.weight": some(*shape) / 5, f"{layer}{name}.bias": some(shape[0]) / 5}
    for norm in norms:
        state |= {f"{norm}.weight": 1 + some(WIDTH) / 9, f"{norm}.bias": some(WIDTH) / 9}
    return state


def reference(state: dict[str, np.ndarray], tokens: list[int]) -> np.ndarray:
    """The states of the last layer by Devlin et al. (2019), in float."""

    def linear(given: np.ndarray, name: str) -> np.ndarray:
        return given @ state[f"{name}.weight"].T + state[f"{name}.bias"]

    def normal(given: np.ndarray, name: str) -> np.ndarray:
        centred = given - given.mean(-1, keepdims=True)
        return centred / centred.std(-1, keepdims=True) * state[f"{name}.weight"] + state[f"{name}.bias"]

    of = {kind: state[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")}
    hidden = normal(of["word"][tokens] + of["position"][: len(tokens)] + of["token_type"][0], "embeddings.LayerNorm")
    for layer in map(LAYER.format, range(LAYERS)):
        parts = [
            linear(hidden, layer + name).reshape(-1, HEADS, WIDTH // HEADS).swapaxes(0, 1) for name in MATRICES[:3]
        ]
        scores = np.exp(parts[0] @ parts[1].swapaxes(1, 2) / math.sqrt(WIDTH // HEADS))
        attended = (scores / scores.sum(-1, keepdims=True) @ parts[2]).swapaxes(0, 1).reshape(-1, WIDTH)
        hidden = normal(linear(attended, layer + MATRICES[3]) + hidden, f"{layer}attention.output.LayerNorm")
        wide = linear(hidden, layer + MATRICES[4])
        bent = wide * (1 + erf(wide / math.sqrt(2))) / 2
        hidden = normal(linear(bent, layer + MATRICES[5]) + hidden, f"{layer}output.LayerNorm")
    return hidden


def run(model: bytes, tokens: list[int]) -> np.ndarray:
    session = one_thread(model)
    return session.run(None, {"input_ids": np.asarray([tokens])})[0][0]


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (one * other).sum(-1) / np.linalg.norm(one, axis=-1) / np.linalg.norm(other, axis=-1)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**16), st.lists(st.integers(0, PIECES - 1), min_size=1, max_size=PLACES))
def test_the_graph_is_the_encoder_but_for_the_rounding_to_bytes(seed, tokens):
    state = drawn(seed)
    ours = run(token_states(EncoderWeights.of(state, HEADS)), tokens)
    assert ours.shape == (len(tokens), WIDTH)
    assert cosines(ours, reference(state, tokens)).mean() > 0.99


def test_projected_vectors_have_length_one():
    state = drawn(1)
    projection = np.random.default_rng(2).normal(size=(WIDTH, 8)).astype(np.float32)
    vectors = run(unit_vectors(EncoderWeights.of(state, HEADS), Int8Matrix.of(projection)), [1, 2, 3])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert cosines(vectors, reference(state, [1, 2, 3]) @ projection).min() > 0.97


@given(st.lists(st.lists(st.floats(-50, 50, width=32), min_size=3, max_size=3), min_size=1, max_size=6))
def test_rounding_is_off_by_half_a_step_at_most(rows):
    matrix = np.asarray(rows, dtype=np.float32)
    rounded = Int8Matrix.of(matrix)
    assert np.all(np.abs(rounded.values * rounded.scales - matrix) <= rounded.scales * 0.501)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**16))
def test_weights_that_were_read_back_from_a_graph_make_the_same_graph(seed):
    head = {
        "0.weight": np.eye(WIDTH),
        "0.bias": np.zeros(WIDTH),
        "2.weight": np.ones((4, WIDTH)),
        "2.bias": np.zeros(4),
    }
    head = {name: value.astype(np.float32) for name, value in head.items()}
    graph = reader_logits(EncoderWeights.of(drawn(seed), HEADS), head)
    read = EncoderWeights.exported(graph)
    assert read.heads == HEADS
    assert reader_logits(read, head) == graph
    again = EncoderWeights.of(read.state(), read.heads)
    for name, matrix in read.matrices.items():  # rounding floats that were bytes gives the same bytes
        assert np.array_equal(again.matrices[name].values, matrix.values)


@pytest.mark.parametrize("model", ["packaged", "shipped"])
def test_a_graph_tells_nothing_of_the_machine_that_made_it(model):
    shipped = Path(__file__).parents[2] / "indexers/models/shipped/edge-retriever/model.onnx"
    packaged = packaged_files().model.path.read_bytes()
    content = shipped.read_bytes() if model == "shipped" else token_states(EncoderWeights.packaged(packaged))
    assert not [word for word in (b".py", b"site-packages", b"/home", b"stack_trace", b"namespace") if word in content]


def test_a_layer_is_normalised_by_the_operator_that_is_fast():
    from onnx import ModelProto

    graph = ModelProto.FromString(token_states(EncoderWeights.of(drawn(3), HEADS))).graph
    assert [node.op_type for node in graph.node].count("LayerNormalization") == 1 + 2 * LAYERS
