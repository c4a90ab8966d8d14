"""The small corpus of the evaluation's tests."""

from tests.eval.ott.conftest import corpus

__all__ = ["corpus"]
