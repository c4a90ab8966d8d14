"""Build a knowledge base of the size of STaRK's MAG, and ask it beside DuckDB, SQLite and Ladybug.

usage: python -m bench.skb generate FOLDER [--share S]          records in CSV: authors, papers, institutions, fields
       python -m bench.skb build FOLDER                         as `skb build` does: seconds, peak memory, disk
       python -m bench.skb ask FOLDER [--engines NAME,…]        the same neighbours from each engine, p50 and p95

The generated base has MAG's counts of entities and of directed relations (STaRK, table 1, counts both directions) and
200 MB of text; neighbours are drawn so that few entities have many. Engines beside ours are those that are installed
(`pip install duckdb ladybug`); every engine has to give the same answers, or the run stops.
"""

import argparse
import csv
import json
import random
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliograph.types import Direction
from indexers.skb.adjacency import Numbers
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import open_base
from indexers.skb.record_files import open_record_files

ENTITIES = {"author": 1_104_554, "paper": 700_244, "institution": 8_701, "field_of_study": 59_469}
RELATIONS = {
    "author___writes___paper": ("author", "paper", 6_780_000),
    "paper___has_topic___field_of_study": ("paper", "field_of_study", 7_250_000),
    "paper___cites___paper": ("paper", "paper", 4_850_000),
    "author___affiliated_with___institution": ("author", "institution", 1_019_558),
}
WRITES, TOPIC, _, AFFILIATED = RELATIONS
TEXT_BYTES = 285
"""Of a paper: 200 MB in all."""
QUESTIONS = 300
CHUNK = 200_000


def main() -> None:
    """Generate, build or ask."""
    ask = argparse.ArgumentParser()
    ask.add_argument("what", choices=("generate", "build", "ask"))
    ask.add_argument("folder", type=Path)
    ask.add_argument("--share", type=float, default=1.0)
    ask.add_argument("--engines", default="csr,sqlite,duckdb,ladybug")
    args = ask.parse_args()
    match args.what:
        case "generate":
            generate(args.folder, args.share)
        case "build":
            build(args.folder)
        case _:
            compare(args.folder, args.engines.split(","))


def generate(folder: Path, share: float) -> None:
    """Write entities and relations as CSV; the same for the same share."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [f"w{number}" for number in range(20_000)]
    draw, numbers = random.Random(0), np.random.default_rng(0)
    counts = {name: max(2, int(count * share)) for name, count in ENTITIES.items()}
    with (folder / "entities.csv").open("w", newline="", encoding="utf8") as file:
        write = csv.writer(file).writerow
        write(("id", "type", "name", "text"))
        for type, count in counts.items():
            for number in range(count):
                text = " ".join(draw.choices(words, k=TEXT_BYTES // 6)) if type == "paper" else ""
                write((f"{type}{number}", type, f"{draw.choice(words)} {draw.choice(words)} {number}", text))
    with (folder / "relations.csv").open("w", newline="", encoding="utf8") as file:
        file.write("source,relation,target\n")
        for relation, (source, target, count) in RELATIONS.items():
            for begin in range(0, int(count * share), CHUNK):
                size = min(CHUNK, int(count * share) - begin)
                ends = _skewed(numbers, counts[source], size), _skewed(numbers, counts[target], size)
                pairs = zip(*(each.tolist() for each in ends), strict=True)
                file.writelines(f"{source}{one},{relation},{target}{other}\n" for one, other in pairs)


def _skewed(numbers: np.random.Generator, count: int, size: int) -> Numbers:
    return np.minimum((numbers.random(size) ** 3 * count).astype(np.int64), count - 1)


def build(folder: Path) -> None:
    """Build the base and say what it took."""
    began, used = time.perf_counter(), time.process_time()
    out = folder / "base.skb"
    source = open_record_files([folder / "entities.csv", folder / "relations.csv"])
    described = build_base(source, out, lambda said: print(said, file=sys.stderr), force=True)
    disk = sum(path.stat().st_size for path in out.iterdir())
    print(
        json.dumps(
            {
                "entities": sum(described.entity_types.values()),
                "triples": sum(described.relations.values()),
                "seconds": round(time.perf_counter() - began, 1),
                "cpu_seconds": round(time.process_time() - used, 1),
                "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "disk_mb": disk // 2**20,
            }
        )
    )


Several = Sequence[int] | Numbers
Neighbours = Callable[[Several, str, Direction], Several]
"""Entities joined to some by a relation in a direction, each once, ascending."""


def compare(folder: Path, engines: Sequence[str]) -> None:
    """Ask every engine the same, and print a line each; of a peer how many times as long it takes."""
    base = open_base(folder / "base.skb")
    draw = np.random.default_rng(1)
    papers, institutions, fields = (base.graph.of_type(name) for name in ("paper", "institution", "field_of_study"))
    asked = [
        (int(draw.choice(papers)), int(draw.choice(institutions)), int(draw.choice(fields))) for _ in range(QUESTIONS)
    ]
    wanted: list[tuple[Sequence[int], ...]] = []
    ours: dict[str, float] = {}
    for engine in engines:
        before = _resident()
        began = time.perf_counter()
        opened = ENGINES[engine](folder)
        if opened is None:
            print(f"{engine}: not installed")
            continue
        seconds, memory = time.perf_counter() - began, _resident() - before
        times, found = _ask(opened, asked)
        wanted = wanted or found
        if wanted != found:
            sys.exit(f"{engine} gives other answers")
        told = []
        for name, each in times.items():
            p50, p95 = np.percentile(each, (50, 95))
            ours.setdefault(name, float(p95))
            told.append(f"{name} {p50:.3f} / {p95:.3f} ms ({p95 / ours[name]:.1f})")
        print(f"{engine}: ready in {seconds:.2f} s, {memory} MB; " + "; ".join(told), flush=True)


def _ask(
    neighbours: Neighbours, asked: Sequence[tuple[int, int, int]]
) -> tuple[dict[str, list[float]], list[tuple[Sequence[int], ...]]]:
    times: dict[str, list[float]] = {"authors of a paper": [], "all papers of them": [], "institution and field": []}
    found = list[tuple[Sequence[int], ...]]()
    for paper, institution, field in asked:
        began = time.perf_counter()
        authors = neighbours([paper], WRITES, "in")
        after = time.perf_counter()
        papers = neighbours(authors, WRITES, "out")
        then = time.perf_counter()
        own = neighbours(neighbours([institution], AFFILIATED, "in"), WRITES, "out")
        both = np.intersect1d(own, neighbours([field], TOPIC, "in"), assume_unique=True)
        end = time.perf_counter()
        for name, took in zip(times, (after - began, then - after, end - then), strict=True):
            times[name].append(1000 * took)
        found.append((list(authors), list(papers), both.tolist()))
    return times, found


def _resident() -> int:
    """Return the memory of this process that is no mapped file, in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) // 1024


def _csr(folder: Path) -> Neighbours:
    graph = open_base(folder / "base.skb").graph
    return graph.neighbours


def _pairs(folder: Path) -> Iterator[tuple[str, Numbers]]:
    """Yield the triples of each relation [E, 2] as the built base has them."""
    graph = open_base(folder / "base.skb").graph
    rows, owners = graph.rows["out"], graph.rows["out"].owners()
    for place, relation in enumerate(graph.relations):
        own = rows.relations == place
        yield relation, np.stack((owners[own], rows.neighbours[own]), axis=1)


def _sqlite(folder: Path) -> Neighbours:
    path = folder / "peer.sqlite"
    connection = sqlite3.connect(path)
    if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        for number, (_, pairs) in enumerate(_pairs(folder)):
            for way, columns in (("out", (0, 1)), ("in", (1, 0))):
                table = f"r{number}_{way}"
                connection.execute(f"CREATE TABLE {table} (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID")
                connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", pairs[:, columns].tolist())
        connection.commit()
    return _by_sql(folder, lambda statement: [one for (one,) in connection.execute(statement)])


def _duckdb(folder: Path) -> Neighbours | None:
    try:
        import duckdb  # type: ignore[import-not-found,unused-ignore]  # a peer that a run may have
    except ImportError:
        return None
    connection = duckdb.connect(str(folder / "peer.duckdb"))
    if not connection.execute("SELECT 1 FROM duckdb_tables()").fetchone():
        for number, (_, pairs) in enumerate(_pairs(folder)):
            a, b = pairs.T
            connection.execute(f"CREATE TABLE r{number}_out AS SELECT unnest($1) a, unnest($2) b ORDER BY a, b", [a, b])
            connection.execute(f"CREATE TABLE r{number}_in AS SELECT b a, a b FROM r{number}_out ORDER BY 1, 2")
    return _by_sql(folder, lambda statement: [one for (one,) in connection.execute(statement).fetchall()])


def _by_sql(folder: Path, run: Callable[[str], Sequence[int]]) -> Neighbours:
    numbers = {relation: number for number, relation in enumerate(open_base(folder / "base.skb").graph.relations)}

    def neighbours(asked: Several, relation: str, way: Direction) -> Several:
        several = ", ".join(map(str, asked)) or "NULL"
        table = f"r{numbers[relation]}_{way}"
        return run(f"SELECT DISTINCT b FROM {table} WHERE a IN ({several}) ORDER BY b")

    return neighbours


def _ladybug(folder: Path) -> Neighbours | None:
    try:
        import ladybug  # type: ignore[import-not-found,unused-ignore]  # a peer that a run may have
    except ImportError:
        return None
    path = folder / "peer.ladybug"
    new = not path.exists()
    connection = ladybug.Connection(ladybug.Database(str(path)))
    numbers = {}
    base = open_base(folder / "base.skb")
    if new:
        connection.execute("CREATE NODE TABLE n(id INT64, PRIMARY KEY(id))")
        _copied(connection, folder, "n", np.arange(len(base.graph.types))[:, None])
    for number, relation in enumerate(base.graph.relations):
        numbers[relation] = f"r{number}"
    for number, (_, pairs) in enumerate(_pairs(folder) if new else ()):
        connection.execute(f"CREATE REL TABLE r{number}(FROM n TO n)")
        _copied(connection, folder, f"r{number}", pairs)

    def neighbours(asked: Several, relation: str, way: Direction) -> Several:
        arrow = f"-[:{numbers[relation]}]->" if way == "out" else f"<-[:{numbers[relation]}]-"
        statement = f"MATCH (a:n){arrow}(b:n) WHERE a.id IN $asked RETURN DISTINCT b.id ORDER BY b.id"
        result: Any = connection.execute(statement, {"asked": list(asked)})  # several for several statements
        return [row[0] for row in result.get_all()]

    return neighbours


def _copied(connection: object, folder: Path, table: str, rows: Numbers) -> None:
    path = folder / "copied.csv"
    np.savetxt(path, rows, fmt="%d", delimiter=",")
    connection.execute(f"COPY {table} FROM '{path}'")  # type: ignore[attr-defined]  # Ladybug's
    path.unlink()


ENGINES: dict[str, Callable[[Path], Neighbours | None]] = {
    "csr": _csr, "sqlite": _sqlite, "duckdb": _duckdb, "ladybug": _ladybug,
}  # fmt: skip


if __name__ == "__main__":
    main()
