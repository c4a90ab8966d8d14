"""Serve fast-plaid to bench/late_interaction.py, in an environment of its own (`pip install fast-plaid`).

usage: PYTHON bench/late_interaction_peer.py VECTORS INDEX BITS wall|cpu

It builds the index, says how long that took, and then answers one line of JSON by one: settings and queries in, the
seconds of each query and what it found out.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


def texts(folder: Path, name: str) -> list[Any]:
    """Read the vectors of texts as tensors of half precision, which is what fast-plaid keeps and asks."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    lengths = np.load(folder / f"{name}_lengths.npy")
    vectors = torch.from_numpy(np.fromfile(folder / f"{name}.f32", np.float32).astype(np.float16))
    return list(vectors.view(int(lengths.sum()), -1).split(lengths.tolist()))


def tell(record: dict[str, Any]) -> None:
    """Answer with a line."""
    print(json.dumps(record), flush=True)


def main() -> None:
    """Build, then serve until the input ends."""
    import torch  # type: ignore[import-not-found,unused-ignore]
    from fast_plaid import search  # type: ignore[import-not-found,unused-ignore]

    torch.set_num_threads(1)
    folder, place, bits = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    clock = time.process_time if sys.argv[4] == "cpu" else time.perf_counter
    index = search.FastPlaid(index=str(place), device="cpu")
    start = clock()
    if not (place / "metadata.json").exists():
        torch.manual_seed(0)
        index.create(documents_embeddings=texts(folder, "documents"), nbits=bits, seed=0)
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    tell({"build_seconds": clock() - start, "threads": torch.get_num_threads(), "bytes": size})
    queries = texts(folder, "queries")
    for line in sys.stdin:
        asked = json.loads(line)
        seconds, found = [], []
        for query in queries[: asked["queries"]]:
            start = clock()
            (ranked,) = index.search(
                queries_embeddings=query.unsqueeze(0),
                top_k=asked["k"],
                n_full_scores=asked["full_scores"],
                n_ivf_probe=asked["probes"],
                show_progress=False,
            )
            seconds.append(clock() - start)
            found.append([int(number) for number, _ in ranked])
        tell({"seconds": seconds, "found": found})


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
