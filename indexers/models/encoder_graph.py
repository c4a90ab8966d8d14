"""A BERT encoder as an ONNX graph of our own: products of int8, attention and GELU in one operator each.

A graph that a program exports multiplies in float wherever its weights are int8 in storage only, computes attention in
a dozen operators, and may tell where on a machine each of them was made. This one is made of weights alone. A text
runs without padding, so that there is no mask. Activations are scaled as they come, one scale a text and product.

Sources: Devlin et al. 2019 (the encoder); ONNX Runtime's operators `DynamicQuantizeMatMul`,
`MultiHeadAttention`, `LayerNormalization` and `BiasGelu`. Decision record 047 has the measurements.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

EPSILON = 1e-12
"""BERT's, of every layer normalisation."""
OPERATORS = "com.microsoft"
OPSET, OPERATORS_SET, FORMAT = 17, 1, 8
LAYER = "encoder.layer.{}."
MATRICES = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip
"""Of a layer, in the order in which they are used."""
NORM = ("weight", "bias")
"""The parts of a layer normalisation."""
BERT = "bert"
"""The kind of encoder that there is a graph of, as `transformers` calls it."""
PREFIX = "inner."
"""What the packaged model's names begin with."""


@dataclass(frozen=True, slots=True)
class Int8Matrix:
    """A matrix of signed bytes, shape (inputs, outputs), and the scale of each column."""

    values: NDArray[np.int8]
    scales: Floats

    @classmethod
    def of(cls, matrix: Floats) -> "Int8Matrix":
        """Round a matrix, shape (inputs, outputs), to 255 steps a column."""
        scales = np.maximum(np.abs(matrix).max(axis=0), np.float32(1e-12)) / np.float32(127)
        return cls(np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32))


@dataclass(frozen=True, slots=True)
class EncoderWeights:
    """The weights of a BERT encoder, by the names that its library gives them, without a prefix.

    `words` has one row a word piece, scaled by rows: shape (pieces, width) and (pieces,). `floats` holds what is
    small: position and segment embeddings, biases, and the normalisations.
    """

    words: Int8Matrix
    matrices: Mapping[str, Int8Matrix]
    floats: Mapping[str, Floats]
    heads: int = 12

    @property
    def layers(self) -> int:
        """How many layers there are."""
        return len(self.matrices) // len(MATRICES)

    @classmethod
    def packaged(cls, content: bytes) -> "EncoderWeights":
        """Read those of the packaged model, whose matrices have numbers for names, in the order of their use."""
        stored = constants(content)
        words = "embeddings.word_embeddings.weight"
        numbered = [name.removesuffix("_q") for name in stored if name.endswith("_q") and not name.startswith(PREFIX)]
        matrices = [Int8Matrix(stored[f"{name}_q"], stored[f"{name}_scale"].ravel()) for name in numbered]
        names = [LAYER.format(layer) + name for layer in range(len(matrices) // len(MATRICES)) for name in MATRICES]
        places = f"{PREFIX}embeddings.position_embeddings.weight"
        floats = {name.removeprefix(PREFIX): value for name, value in stored.items() if value.dtype == np.float32}
        floats["embeddings.position_embeddings.weight"] = stored[f"{places}_q"] * stored[f"{places}_scale"]
        return cls(
            Int8Matrix(stored[f"{PREFIX}{words}_q"], stored[f"{PREFIX}{words}_scale"].ravel()),
            dict(zip(names, matrices, strict=True)),
            floats,
        )

    @classmethod
    def exported(cls, content: bytes) -> "EncoderWeights":
        """Read those of a model of this module that has segments: a reader or a checker.

        Raises:
            KeyError | IndexError: it is another model.
        """
        stored, heads = constants(content), heads_of(content)
        floats = {
            "embeddings.position_embeddings.weight": stored["positions"],
            "embeddings.token_type_embeddings.weight": stored["segments"],
            **{f"embeddings.LayerNorm.{part}": stored[f"embeddings.{part}"] for part in NORM},
        }
        matrices: dict[str, Int8Matrix] = {}
        for layer in map(LAYER.format, range(len(heads))):
            parts = {
                key: np.split(stored[f"{layer}attention.all.{key}"], 3, axis=-1) for key in ("weight", "scale", "bias")
            }
            for at, name in enumerate(MATRICES[:3]):
                matrices[layer + name] = Int8Matrix(parts["weight"][at], parts["scale"][at])
                floats[f"{layer}{name}.bias"] = parts["bias"][at]
            for place in (layer + name for name in MATRICES[3:]):
                matrices[place] = Int8Matrix(stored[f"{place}.weight"], stored[f"{place}.scale"])
                floats[f"{place}.bias"] = stored[f"{place}.bias"]
            for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
                floats.update({f"{layer}{norm}.{part}": stored[f"{layer}{norm}.{part}"] for part in NORM})
        return cls(Int8Matrix(stored["words"], stored["words.scale"].ravel()), matrices, floats, heads[0])

    def state(self) -> dict[str, Floats]:
        """Return them in float, by name and in the shapes of a BERT module of PyTorch."""
        words = self.words.values * self.words.scales[:, None]
        products = {f"{name}.weight": (each.values * each.scales).T for name, each in self.matrices.items()}
        return {"embeddings.word_embeddings.weight": words, **products, **self.floats}

    @classmethod
    def of(cls, state: Mapping[str, Floats], heads: int) -> "EncoderWeights":
        """Round those of a BERT module of PyTorch, whose matrices have shape (outputs, inputs)."""
        words = Int8Matrix.of(state["embeddings.word_embeddings.weight"].T)
        layers = range(1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer.")))
        names = [LAYER.format(layer) + name for layer in layers for name in MATRICES]
        return cls(
            Int8Matrix(words.values.T, words.scales),
            {name: Int8Matrix.of(state[f"{name}.weight"].T) for name in names},
            {name: value for name, value in state.items() if name.removesuffix(".weight") not in names},
            heads,
        )


def constants(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the constants of a model by their names."""
    from onnx import ModelProto, numpy_helper

    return {each.name: numpy_helper.to_array(each) for each in ModelProto.FromString(content).graph.initializer}


def exported_head(content: bytes) -> dict[str, Floats]:
    """Return the head of a model of windows of this module, as `reader_logits` takes it.

    Raises:
        KeyError: it is another model.
    """
    stored = constants(content)
    weights = {f"{layer}.weight": stored[f"head.{layer}"].T for layer in ("0", "2")}
    return weights | {f"{layer}.bias": stored[f"head.{layer}.bias"] for layer in ("0", "2")}


def heads_of(content: bytes) -> list[int]:
    """Return how many heads of attention each layer of a model of this module has."""
    from onnx import ModelProto

    nodes = (node for node in ModelProto.FromString(content).graph.node if node.op_type == "MultiHeadAttention")
    return [each.i for node in nodes for each in node.attribute if each.name == "num_heads"]


@dataclass(slots=True)
class Graph:
    """Operators and weights that were put together so far; each method adds some and names what comes out."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add a constant."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator: str, inputs: list[str], name: str, domain: str = "", **given: Any) -> str:
        """Add an operator of one output."""
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **given))
        return name

    def product(self, given: str, matrix: Int8Matrix, name: str, bias: Floats | None = None) -> str:
        """Multiply by a matrix in int8, and add a bias."""
        inputs = [
            given,
            self.constant(f"{name}.weight", matrix.values),
            self.constant(f"{name}.scale", matrix.scales),
            self.constant(f"{name}.zero", np.zeros_like(matrix.scales, dtype=np.int8)),
        ]
        if bias is not None:
            inputs.append(self.constant(f"{name}.bias", bias))
        return self.node("DynamicQuantizeMatMul", inputs, name, OPERATORS)

    def states(self, weights: EncoderWeights, segments: bool = False) -> str:
        """Add the encoder: token ids, shape (texts, tokens), to the states of the last layer.

        `segments` asks for a second input, the segment of each token; without it all are of the first.
        """
        state = self._embedded(weights, segments)
        for number in range(weights.layers):
            state = self._layer(state, weights, LAYER.format(number))
        return state

    def model(self, inputs: list[str], outputs: Mapping[str, int]) -> bytes:
        """Return the model: inputs of whole numbers by tokens, outputs by their widths."""
        from onnx import TensorProto, helper

        graph = helper.make_graph(
            self.nodes,
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["texts", "tokens", width])
                for name, width in outputs.items()
            ],
            self.constants,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(OPERATORS, OPERATORS_SET)]
        return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=FORMAT).SerializeToString())

    def _embedded(self, weights: EncoderWeights, segments: bool) -> str:
        from onnx import TensorProto

        words = self.constant("words", weights.words.values)
        scales = self.constant("words.scale", weights.words.scales[:, None])
        places, kinds = (weights.floats[f"embeddings.{name}_embeddings.weight"] for name in ("position", "token_type"))
        first = self.constant("first", np.array([0], dtype=np.int64))
        tokens = self.node("Shape", ["input_ids"], "tokens", start=1, end=2)
        whole = self.constant("positions", places if segments else places + kinds[0])
        of_place = self.node("Slice", [whole, first, tokens], "positions.used")
        chosen = self.node("Gather", [words, "input_ids"], "words.chosen")
        rounded = self.node("Cast", [chosen], "words.float", to=TensorProto.FLOAT)
        scaled = self.node("Mul", [rounded, self.node("Gather", [scales, "input_ids"], "words.scales")], "words.used")
        added = self.node("Add", [scaled, of_place], "embeddings.sum")
        if segments:
            of_kind = self.node("Gather", [self.constant("segments", kinds), "token_type_ids"], "segments.used")
            added = self.node("Add", [added, of_kind], "embeddings.whole")
        return self._normalised(added, "embeddings", weights.floats, "embeddings.LayerNorm")

    def _layer(self, state: str, weights: EncoderWeights, layer: str) -> str:
        query, key, value, mixed, widened, narrowed = (weights.matrices[layer + name] for name in MATRICES)
        biases = [weights.floats[f"{layer}{name}.bias"] for name in MATRICES]
        joined = Int8Matrix(
            np.concatenate([each.values for each in (query, key, value)], axis=1),
            np.concatenate([each.scales for each in (query, key, value)]),
        )
        three = self.product(state, joined, f"{layer}attention.all", np.concatenate(biases[:3]))
        heads = self._heads(three, weights.heads, layer, len(query.scales))
        attended = self.product(heads, mixed, layer + MATRICES[3], biases[3])
        state = self._added(attended, state, weights, layer + "attention.output.LayerNorm")
        wide = self.product(state, widened, layer + MATRICES[4])
        bent = self.node("BiasGelu", [wide, self.constant(f"{wide}.bias", biases[4])], f"{layer}gelu", OPERATORS)
        return self._added(
            self.product(bent, narrowed, layer + MATRICES[5], biases[5]), state, weights, layer + "output.LayerNorm"
        )

    def _heads(self, three: str, heads: int, layer: str, width: int) -> str:
        from onnx import helper

        parts = [f"{layer}{name}" for name in MATRICES[:3]]
        sizes = self.constant(f"{layer}attention.widths", np.array([width] * 3, dtype=np.int64))
        self.nodes.append(helper.make_node("Split", [three, sizes], parts, axis=-1))
        return self.node("MultiHeadAttention", parts, f"{layer}attention.heads", OPERATORS, num_heads=heads)

    def _added(self, given: str, state: str, weights: EncoderWeights, norm: str) -> str:
        # SkipLayerNormalization would do both, and takes twenty times as long in ONNX Runtime 1.31 on a processor
        added = self.node("Add", [given, state], f"{norm}.sum")
        return self._normalised(added, norm, weights.floats, norm)

    def _normalised(self, state: str, name: str, floats: Mapping[str, Floats], norm: str) -> str:
        parts = [self.constant(f"{name}.{part}", floats[f"{norm}.{part}"]) for part in NORM]
        return self.node("LayerNormalization", [state, *parts], name, axis=-1, epsilon=EPSILON)


def token_states(weights: EncoderWeights) -> bytes:
    """Return the model that gives the states of the last layer, shape (texts, tokens, width)."""
    graph = Graph()
    states = graph.states(weights)
    return graph.model(["input_ids"], {states: weights.words.values.shape[1]})


def unit_vectors(weights: EncoderWeights, projection: Int8Matrix, bias: Floats | None = None) -> bytes:
    """Return the model that projects the states and makes each of length 1, shape (texts, tokens, outputs)."""
    graph = Graph()
    projected = graph.product(graph.states(weights), projection, "projection", bias)
    length = graph.node("ReduceL2", [projected], "length", axes=[-1], keepdims=1)
    least = graph.constant("least", np.array(1e-12, dtype=np.float32))
    bounded = graph.node("Max", [length, least], "length.bounded")
    unit = graph.node("Div", [projected, bounded], "token_embeddings")
    return graph.model(["input_ids"], {unit: len(projection.scales)})


def reader_logits(weights: EncoderWeights, head: Mapping[str, Floats]) -> bytes:
    """Return the model of a reader: its head of two layers, in float, over the states of tokens of two segments.

    `head` has the weights of the layers "0" and "2", shape (outputs, inputs), and their biases.
    """
    graph = Graph()
    wide = graph.node(
        "MatMul", [graph.states(weights, segments=True), graph.constant("head.0", head["0.weight"].T)], "wide"
    )
    bent = graph.node("BiasGelu", [wide, graph.constant("head.0.bias", head["0.bias"])], "head.gelu", OPERATORS)
    narrow = graph.node("MatMul", [bent, graph.constant("head.2", head["2.weight"].T)], "narrow")
    logits = graph.node("Add", [narrow, graph.constant("head.2.bias", head["2.bias"])], "logits")
    return graph.model(["input_ids", "token_type_ids"], {logits: len(head["2.bias"])})
