"""Fit the weights of indexers/linking/weights.py on links of OTT-QA's tables, and print them as they stand there.

usage: python -m bench.linking_fit --data OTT_FOLDER [--tables 700]

The loss is the mean over mentions of -log P(a passage that the cell links to), or of -log P(nothing) where no candidate
is linked; Adam over all pairs at once. No table of an evaluated question is read (bench/ott_links.py).
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.ott_links import FITTED, LinkedTable, fitting_tables, part, read_passages, read_tables
from indexers.linking.columns import COLUMN_FEATURES
from indexers.linking.features import FEATURES
from indexers.linking.linker import Linker, Weighed
from indexers.linking.ragged import Flags, Floats, Ints
from indexers.linking.titles import ALIAS, TitleIndex
from indexers.linking.weights import Model, chances

STEPS = 400
RATE = 0.15
RIDGE = 1e-5
"""Of the squares of weights, each feature scaled to a mean square of 1."""


def main() -> None:
    """Print two mappings of feature to weights."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--tables", type=int, default=700)
    args = ask.parse_args()
    allowed = fitting_tables(args.data)
    tables = [each for each in read_tables(args.data) if each.table.id in allowed and part(each.table.id) < FITTED]
    tables = random.Random(1).sample(tables, min(args.tables, len(tables)))
    index = TitleIndex.build(read_passages(args.data))
    nothing = Model(
        np.zeros((len(FEATURES), 2), np.float32), np.zeros((len(FEATURES + COLUMN_FEATURES), 2), np.float32)
    )
    alone = Model(fit(index, nothing, tables, in_column=False), nothing.column)
    column = fit(index, alone, tables, in_column=True)
    print(written("ALONE", alone.alone, FEATURES))
    print(written("COLUMN", column, FEATURES + COLUMN_FEATURES))


def written(name: str, weights: Floats, features: Sequence[str]) -> str:
    """Return weights as the Python that stands in weights.py."""
    rows = (
        f'    "{each}": ({named:.2f}, {found:.2f}),' for each, (named, found) in zip(features, weights, strict=True)
    )
    return "\n".join((f"{name}: Weights = {{", *rows, "}"))


def fit(index: TitleIndex, model: Model, tables: Sequence[LinkedTable], *, in_column: bool) -> Floats:
    """Return the weights that fit some tables, whose candidates are found with a model."""
    linker = Linker(index, model=model)
    features, named, linked, mentions = [], [], [], []
    seen = 0
    for each in tables:
        weighed = linker.weigh(each.table, each.about)
        column = (weighed.column,) if in_column else ()
        features.append(np.concatenate([weighed.compared.features, *column], axis=1))
        named.append(weighed.pairs.source <= ALIAS)
        linked.append(links_of(weighed, each, index))
        mentions.append(weighed.pairs.mention + seen)
        seen += len(weighed.placed)
    return descend(
        np.concatenate(features), np.concatenate(named), np.concatenate(linked), np.concatenate(mentions), seen
    )


def links_of(weighed: Weighed, linked: LinkedTable, index: TitleIndex) -> Flags:
    """Tell the pairs whose cell links to their passage."""
    cells = [(placed.row, placed.column) for placed in weighed.placed]
    pairs = zip(weighed.pairs.mention.tolist(), weighed.pairs.passage.tolist(), strict=True)
    found = [index.ids[passage] in linked.links.get(cells[mention], ()) for mention, passage in pairs]
    return np.array(found, dtype=np.bool_)


def descend(features: Floats, named: Flags, linked: Flags, mentions: Ints, count: int) -> Floats:
    """Minimise the loss; return a weight of each feature for passages of that name and for those found by words."""
    scale = np.sqrt(np.mean(features**2, axis=0)) + 1e-3
    groups = [np.asarray(features[rows] / scale, dtype=np.float32) for rows in (named, ~named)]
    weights = np.zeros((2, features.shape[1]))
    moment, square = np.zeros_like(weights), np.zeros_like(weights)
    scores = np.zeros(len(named), dtype=np.float32)
    for step in range(1, STEPS + 1):
        scores[named], scores[~named] = (group @ weight for group, weight in zip(groups, weights, strict=True))
        chance = chances(scores, mentions).astype(np.float64)
        right = np.bincount(mentions, weights=chance * linked, minlength=count)
        slope = chance - np.where(linked, chance / np.maximum(right[mentions], 1e-12), 0.0)
        slopes = [group.T @ slope[rows] / count for group, rows in zip(groups, (named, ~named), strict=True)]
        gradient = np.stack(slopes) + RIDGE * weights
        moment, square = 0.9 * moment + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        rate = RATE * (1.0 if step < 0.7 * STEPS else 0.25)
        weights -= rate * (moment / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return np.asarray((weights / scale).T, dtype=np.float32)


if __name__ == "__main__":
    main()
