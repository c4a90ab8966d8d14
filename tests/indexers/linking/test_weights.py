"""Chances from scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.columns import COLUMN_FEATURES
from indexers.linking.features import FEATURES
from indexers.linking.weights import ALONE, COLUMN, chances, in_order


def test_chances_share_one_with_naming_nothing_in_each_mention():
    found = chances(np.log(np.array([1.0, 2.0, 3.0], dtype=np.float32)), np.array([0, 0, 1]))
    assert found.tolist() == pytest.approx([1 / 4, 2 / 4, 3 / 4])


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-80, 80, width=32)), max_size=12))
def test_chances_lie_between_nothing_and_one_and_follow_the_scores(scored):
    mentions = np.array([mention for mention, _ in scored], dtype=np.int64)
    scores = np.array([score for _, score in scored], dtype=np.float32)
    found = chances(scores, mentions)
    assert ((found >= 0) & (found <= 1)).all()
    for mention in set(mentions.tolist()):
        here = mentions == mention
        assert found[here].sum() <= 1 + 1e-5
        assert found[here][np.argmax(scores[here])] == found[here].max()


def test_every_feature_has_its_weights():
    assert (tuple(ALONE), tuple(COLUMN)) == (FEATURES, FEATURES + COLUMN_FEATURES)


def test_weights_stand_in_the_order_of_features():
    assert in_order({"b": (1.0, 2.0)}, ("a", "b")).tolist() == [[0.0, 0.0], [1.0, 2.0]]
