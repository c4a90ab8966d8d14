"""Compare late-interaction search by centroids with exact search and with fast-plaid, on the same vectors in one run.

usage: OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python bench/late_interaction.py VECTORS [--peer-python PYTHON]

VECTORS is what bench/late_interaction_vectors.py wrote; stores and indexes are kept there. PYTHON is the interpreter of
an environment with fast-plaid. Every setting of both answers the same queries, one at a time on one thread, in turns;
those that find too little are asked once. With --clock cpu the processor's time is counted, which other work on the
machine changes little.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from heliograph.protocols import Vectors
from indexers.edges.centroids import CentroidIndex, Depth
from indexers.edges.maxsim import coded_maxima, maxima, similarity
from indexers.edges.token_store import TokenStore

K, WANTED = 10, 0.99
PROBES, CANDIDATES = (32, 64, 128), (100, 200, 400, 800)
PEER_PROBES, PEER_FULL_SCORES, PEER_BITS = (4, 8, 16, 32), (256, 1024, 4096), (4, 8)
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
PEER = Path(__file__).with_name("late_interaction_peer.py")

Ranked = list[list[int]]
Clock = Callable[[], float]
Answer = Callable[[int], tuple[list[float], Ranked]]
"""Answer the first queries: the seconds of each, and the numbers of the nodes found."""


@dataclass(slots=True, eq=False)
class Setting:
    """One way to search, and what came of it."""

    name: str
    answer: Answer
    milliseconds: list[float] = field(default_factory=list)
    recall: float = 0.0

    @property
    def cost(self) -> float:
        """Return milliseconds a query: the median of the repeats."""
        return median(self.milliseconds)


def texts(folder: Path, name: str) -> list[Vectors]:
    """Read the vectors of texts, mapped."""
    lengths = np.load(folder / f"{name}_lengths.npy")
    vectors = np.memmap(folder / f"{name}.f32", np.float32, "r").reshape(int(lengths.sum()), -1)
    return np.split(np.asarray(vectors), np.cumsum(lengths)[:-1])


def kept_index(folder: Path, documents: Sequence[Vectors], clock: Clock) -> tuple[TokenStore, CentroidIndex]:
    """Open the store and the index of the vectors, made at the first run."""
    store = TokenStore(folder / "store", "bench", documents[0].shape[1])
    for start in range(len(store), len(documents), 4096):
        part = documents[start : start + 4096]
        store.append([str(start + number) for number in range(len(part))], part)
    began = clock()
    if not (store.folder / "centroids" / "manifest.json").exists():
        CentroidIndex.build(store)
    index = CentroidIndex(store)
    index.extend()
    lists = sum(path.stat().st_size for path in (store.folder / "centroids").iterdir())
    own = sum(path.stat().st_size for path in store.folder.iterdir() if path.is_file())
    print(
        f"ours: {index.centroids:,} centroids, {clock() - began:.1f} s to build or open, "
        f"{own / 1e6:,.0f} MB of vectors and {lists / 1e6:,.0f} MB of lists"
    )
    return store, index


def exact(folder: Path, documents: Sequence[Vectors], queries: Sequence[Vectors]) -> Ranked:
    """Return the K most similar documents of each query at full precision."""
    lengths = np.array([len(document) for document in documents])
    starts = np.cumsum(lengths) - lengths
    tokens = np.memmap(folder / "documents.f32", np.float32, "r").reshape(int(lengths.sum()), -1)
    return [_first(similarity(maxima(query, tokens, starts))) for query in queries]


def exact_in_bytes(store: TokenStore, queries: Sequence[Vectors]) -> Ranked:
    """Return the same from the store's bytes."""
    parts = np.array_split(np.arange(len(store)), 1 + len(store) // 5000)
    return [
        _first(np.concatenate([similarity(coded_maxima(query, store.coded(part))) for part in parts]))
        for query in queries
    ]


def ours(index: CentroidIndex, queries: Sequence[Vectors], depth: Depth, clock: Clock) -> Setting:
    """Return a setting of our index."""

    def answer(count: int) -> tuple[list[float], Ranked]:
        seconds, found = [], []
        for query in queries[:count]:
            start = clock()
            nodes, _ = index.search(query, K, depth)
            seconds.append(clock() - start)
            found.append(nodes.tolist())
        return seconds, found

    return Setting(f"ours, {depth.probes} probes, {depth.candidates} candidates", answer)


def peers(options: argparse.Namespace, bits: int, stack: ExitStack) -> list[Setting]:
    """Start fast-plaid at so many bits a number of a residual, and return its settings."""
    index = options.vectors / f"fast-plaid-{bits}"
    command = list(map(str, (options.peer_python, PEER, options.vectors, index, bits, options.clock)))
    environment = {**os.environ, **dict.fromkeys(ONE_THREAD, "1")}
    peer = stack.enter_context(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    )
    stack.callback(peer.terminate)
    print(f"fast-plaid, {bits} bits: {_told(peer)}", flush=True)

    def setting(probes: int, full_scores: int) -> Setting:
        def answer(count: int) -> tuple[list[float], Ranked]:
            told = _told(peer, {"queries": count, "k": K, "probes": probes, "full_scores": full_scores})
            return told["seconds"], told["found"]

        return Setting(f"fast-plaid, {bits} bits, {probes} probes, {full_scores} full scores", answer)

    return [setting(*each) for each in product(PEER_PROBES, PEER_FULL_SCORES)]


def measure(settings: Sequence[Setting], truth: Ranked, repeats: int) -> None:
    """Let every setting answer every query, in turns, and print what came of it."""
    for repeat in range(repeats):
        for setting in settings:
            if repeat and setting.recall < WANTED:
                continue
            seconds, found = setting.answer(len(truth))
            setting.milliseconds.append(fmean(seconds) * 1e3)
            setting.recall = recall(found, truth)
            if not repeat:
                print(f"{setting.name:<52} recall@{K} {setting.recall:.4f} {fmean(seconds) * 1e3:9.2f} ms", flush=True)


def recall(found: Ranked, truth: Ranked) -> float:
    """Return the mean share of the truth that was found."""
    return fmean(len(set(some) & set(true)) / len(true) for some, true in zip(found, truth, strict=True))


def fastest(settings: Sequence[Setting], wanted: float) -> Setting | None:
    """Return the setting that costs least of those with a recall, None where none has it."""
    good = [setting for setting in settings if setting.recall >= wanted]
    return min(good, key=lambda setting: setting.cost, default=None)


def compare(own: Sequence[Setting], others: Sequence[Setting]) -> None:
    """Compare the fastest settings of the recall that is wanted, or else of the best recall that the peer has."""
    peer, wanted = fastest(others, WANTED), WANTED
    if peer is None and others:
        wanted = max(setting.recall for setting in others)
        peer = fastest(others, wanted)
        print(f"fast-plaid does not reach {WANTED}; its best recall is {wanted:.4f}")
    for best, least in dict.fromkeys(((fastest(own, WANTED), WANTED), (fastest(own, wanted), wanted), (peer, wanted))):
        said = f"{best.name}: {best.recall:.4f}, {best.cost:.2f} ms a query" if best else "none"
        print(f"fastest with recall@{K} of {least:.4f}: {said}")
    best = fastest(own, wanted)
    if best and peer:
        print(f"fast-plaid takes {peer.cost / best.cost:.2f} times as long as ours")


def main() -> None:
    """Read the options, measure, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--bits", type=int, nargs="*", default=PEER_BITS, help="of the peer, for a residual's number")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    options = parser.parse_args()
    if any(os.environ.get(name) != "1" for name in ONE_THREAD[:2]):
        sys.exit(f"set {ONE_THREAD[0]}=1 and {ONE_THREAD[1]}=1: both sides answer on one thread")
    documents, queries = texts(options.vectors, "documents"), texts(options.vectors, "queries")[: options.queries]
    print(f"{len(documents):,} nodes, {sum(map(len, documents)):,} vectors, {len(queries)} queries")
    store, index = kept_index(options.vectors, documents, CLOCKS[options.clock])
    truth = exact(options.vectors, documents, queries)
    print(f"exact search over bytes: recall@{K} {recall(exact_in_bytes(store, queries), truth):.4f} of full precision")
    with ExitStack() as stack:
        own = [ours(index, queries, Depth(*each), CLOCKS[options.clock]) for each in product(PROBES, CANDIDATES)]
        others = [
            setting for bits in (options.bits if options.peer_python else ()) for setting in peers(options, bits, stack)
        ]
        measure([*own, *others], truth, options.repeats)
        compare(own, others)


def _first(scores: np.ndarray[Any, Any]) -> list[int]:
    return [int(number) for number in np.argsort(-scores, kind="stable")[:K]]


def _told(peer: "subprocess.Popen[str]", asked: dict[str, int] | None = None) -> dict[str, Any]:
    if peer.stdin is None or peer.stdout is None:
        raise RuntimeError("the peer was started without pipes")
    if asked is not None:
        peer.stdin.write(json.dumps(asked) + "\n")
        peer.stdin.flush()
    line = peer.stdout.readline()
    if not line:
        sys.exit("the peer ended; what it said stands above")
    told: dict[str, Any] = json.loads(line)
    return told


if __name__ == "__main__":
    main()
