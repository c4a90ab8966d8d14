"""How fast the embedded encoder is: the packaged graph, ours, and the int8 products alone that it cannot do without.

usage: python -m bench.encoder_speed [--times 30]

Microseconds of one core a token, each the median over rounds in which all three take their turn, and ratios to the
products alone: ONNX Runtime's own, of the encoder's shapes. Cosines are of the token vectors of both graphs over lines
of the demo articles.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from indexers.models.encoder_graph import FORMAT, OPSET, EncoderWeights, Graph, token_states
from indexers.models.onnx import LoadedModel, one_thread, packaged_files

LENGTHS = (16, 64, 128, 256)
LINES = 120
WIDTH, WIDER = 384, 1536


def main() -> None:
    """Print a line for each length of a text."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--times", type=int, default=30)
    times = ask.parse_args().times
    content = packaged_files().model.path.read_bytes()
    weights = EncoderWeights.packaged(content)
    theirs, ours, limit = map(one_thread, (content, token_states(weights), products(weights)))
    print("| tokens | packaged graph, µs | ours | products alone | packaged / products | ours / products |")
    print(f"|{' --- |' * 6}")
    for length in LENGTHS:
        tokens = np.random.default_rng(length).integers(1000, 29000, (1, length))
        state, wide = (np.random.default_rng(1).integers(0, 255, (length, n), np.uint8) for n in (WIDTH, WIDER))
        given = [
            (theirs, of_text(theirs, tokens)),
            (ours, of_text(ours, tokens)),
            (limit, {"state": state, "wide": wide}),
        ]
        each = [partial(model.run, None, inputs) for model, inputs in given]
        took = [1e6 * seconds / length for seconds in medians(each, times)]
        ratios = f"{took[0] / took[2]:.2f} | {took[1] / took[2]:.2f}"
        print(f"| {length} | {' | '.join(f'{us:.1f}' for us in took)} | {ratios} |")
    print(f"\ncosine of the token vectors of both, {LINES} lines: {agreement(theirs, ours)}")


def products(weights: EncoderWeights) -> bytes:
    """Return a model of the encoder's int8 products and nothing else, of bytes that are given."""
    from onnx import TensorProto, helper

    graph = Graph()
    ends = []
    for name, matrix in weights.matrices.items():
        activations = "wide" if len(matrix.values) > WIDTH else "state"
        product = graph.node("MatMulInteger", [activations, graph.constant(f"{name}.weight", matrix.values)], name)
        ends.append(graph.node("Slice", [product, *_first(graph, name)], f"{name}.first"))
    total = graph.node("Concat", ends, "total", axis=-1)
    given = [
        helper.make_tensor_value_info(name, TensorProto.UINT8, ["tokens", width])
        for name, width in (("state", WIDTH), ("wide", WIDER))
    ]
    told = [helper.make_tensor_value_info(total, TensorProto.INT32, ["tokens", len(ends)])]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "products", given, told, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=FORMAT,
    )
    return bytes(model.SerializeToString())


def _first(graph: Graph, name: str) -> list[str]:
    """Return the bounds of the first column: all of a product would take as long to write out as to make."""
    return [graph.constant(f"{name}.{part}", np.array([at])) for part, at in (("from", 0), ("to", 1), ("axis", 1))]


def of_text(model: Any, tokens: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Return what a model asks for of a text."""
    known = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
    return {each.name: known[each.name] for each in model.get_inputs()}


def medians(each: Sequence[Callable[[], object]], times: int) -> list[float]:
    """Return the median CPU seconds of each, which take turns."""
    took: list[list[float]] = [[] for _ in each]
    for _ in range(times):
        for place, run in enumerate(each):
            began = time.process_time()
            run()
            took[place].append(time.process_time() - began)
    return [median(seconds) for seconds in took]


def agreement(theirs: Any, ours: Any) -> str:
    """Return mean and least cosine of token vectors, and of the vectors of whole lines."""
    tokenizer = LoadedModel.load(packaged_files(), 384).tokenizer
    lines = [
        line for path in sorted(Path("demo/articles").rglob("*.md")) for line in path.read_text("utf8").splitlines()
    ]
    tokens, texts = [], []
    for line in [line for line in lines if len(line) > 60][:LINES]:
        given = np.asarray([tokenizer.encode(line).ids])
        one, other = (model.run(None, of_text(model, given))[0][0] for model in (theirs, ours))
        tokens += list(_cosine(one, other))
        texts.append(float(_cosine(one.mean(0), other.mean(0))))
    return f"token {np.mean(tokens):.4f}, least {np.min(tokens):.3f}; line {np.mean(texts):.4f}, least {min(texts):.4f}"


def _cosine(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> Any:
    return (one * other).sum(-1) / (np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1))


if __name__ == "__main__":
    main()
