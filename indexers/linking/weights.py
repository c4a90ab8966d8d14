"""The log-linear model of links, and the weights it was fitted with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from indexers.linking.candidates import Pairs
from indexers.linking.columns import COLUMN_FEATURES
from indexers.linking.features import FEATURES
from indexers.linking.ragged import Floats, Ints
from indexers.linking.titles import ALIAS

Weights = Mapping[str, tuple[float, float]]
"""By feature: the weight for a passage of that name, and for one found by the words of its title."""

# Fitted by `python -m bench.linking_fit` (what it prints is what stands here).
ALONE: Weights = {
    "title": (-2.96, 0.00),
    "base": (-2.74, 0.00),
    "alias": (-2.73, 0.00),
    "initials": (0.00, 0.45),
    "searched": (0.00, -4.83),
    "lone": (0.86, 0.00),
    "written": (1.19, -0.88),
    "first_twin": (0.08, -0.34),
    "taken": (-7.32, -2.28),
    "whole_named": (1.19, 1.84),
    "part": (-1.33, -0.39),
    "span": (-2.07, -1.86),
    "respelt": (0.34, 0.67),
    "numeric": (-4.48, 0.57),
    "year": (0.29, -1.91),
    "letters": (1.95, 2.12),
    "words": (4.54, 2.49),
    "cover": (0.18, 4.08),
    "filled": (-1.95, 0.31),
    "filled_row": (-0.03, -0.14),
    "filled_table": (-0.95, -0.17),
    "filled_header": (-1.53, -0.35),
    "open": (-5.19, -10.10),
    "open_words": (0.04, 3.58),
    "bracket_open": (-2.27, -2.40),
    "year_open": (-1.34, -3.05),
    "begins": (0.11, 0.71),
    "own": (-0.82, -1.61),
    "lead_mention": (3.31, 3.33),
    "lead_row": (0.37, 0.54),
    "lead_table": (0.40, 0.53),
    "lead_header": (0.18, 0.46),
    "kind_header": (0.97, 0.39),
    "bias": (-0.58, -4.32),
}
COLUMN: Weights = {
    "title": (-4.57, 0.00),
    "base": (-3.95, 0.00),
    "alias": (-3.93, 0.00),
    "initials": (0.00, 0.33),
    "searched": (0.00, -4.72),
    "lone": (0.93, 0.00),
    "written": (1.00, -1.30),
    "first_twin": (0.15, -0.39),
    "taken": (-5.96, -2.06),
    "whole_named": (0.38, 1.28),
    "part": (-1.10, -0.53),
    "span": (-1.67, -2.20),
    "respelt": (0.39, 0.71),
    "numeric": (-3.76, -0.11),
    "year": (0.17, -1.48),
    "letters": (1.03, 1.60),
    "words": (4.33, 2.45),
    "cover": (0.19, 4.23),
    "filled": (-1.24, -0.71),
    "filled_row": (-0.53, 1.11),
    "filled_table": (-0.23, 0.27),
    "filled_header": (-1.16, 0.46),
    "open": (-3.70, -7.62),
    "open_words": (0.88, 2.86),
    "bracket_open": (-1.29, -1.39),
    "year_open": (-1.29, -2.73),
    "begins": (-0.12, 0.70),
    "own": (-0.49, -1.14),
    "lead_mention": (2.63, 2.89),
    "lead_row": (0.28, 0.42),
    "lead_table": (0.22, 0.34),
    "lead_header": (0.14, 0.33),
    "kind_header": (0.51, 0.10),
    "bias": (-0.90, -4.22),
    "kind_agrees": (3.26, 2.61),
    "words_agree": (-0.42, 0.27),
    "template": (2.02, 2.25),
    "row_template": (1.86, 0.06),
    "linked": (2.48, 1.13),
    "reused": (-3.20, -1.07),
    "alone": (0.20, -1.53),
}
# End of what was fitted.


@dataclass(frozen=True, slots=True)
class Model:
    """Weights in the order of features, one row a feature: without the column's features, and with them."""

    alone: Floats
    column: Floats

    def by_itself(self, features: Floats, pairs: Pairs) -> Floats:
        """Return the chance of each pair before its column is looked at."""
        return chances(_scores(features, self.alone, pairs), pairs.mention)

    def in_column(self, features: Floats, column: Floats, pairs: Pairs) -> Floats:
        """Return the chance of each pair when its column is known."""
        return chances(_scores(np.concatenate([features, column], axis=1), self.column, pairs), pairs.mention)


def in_order(weights: Weights, names: Sequence[str]) -> Floats:
    """Return weights in the order of features; one that has none does not count."""
    return np.array([weights.get(name, (0.0, 0.0)) for name in names], dtype=np.float32)


MODEL = Model(in_order(ALONE, FEATURES), in_order(COLUMN, FEATURES + COLUMN_FEATURES))


def chances(scores: Floats, mentions: Ints) -> Floats:
    """Return exp(score) of each pair over the sum of its mention, in which naming nothing has the score 0."""
    count = int(mentions.max(initial=-1)) + 1
    highest = np.zeros(count, dtype=np.float32)
    np.maximum.at(highest, mentions, scores)
    raised = np.exp(scores - highest[mentions])
    total = np.bincount(mentions, weights=raised, minlength=count) + np.exp(-highest)
    return np.asarray(raised / total[mentions], dtype=np.float32)


def _scores(features: Floats, weights: Floats, pairs: Pairs) -> Floats:
    both = features @ weights
    return np.where(pairs.source <= ALIAS, both[:, 0], both[:, 1]).astype(np.float32)
