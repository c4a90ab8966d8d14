"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from agent.arithmetic.aggregation import asks_aggregation
from agent.arithmetic.columns import Column, ColumnKind, typed_column
from agent.arithmetic.compute import compute
from agent.arithmetic.question import split_questions
from agent.arithmetic.recompute import derivation_of, recompute, winner_names
from agent.arithmetic.result import Computed

__all__ = [
    "Column",
    "ColumnKind",
    "Computed",
    "asks_aggregation",
    "compute",
    "derivation_of",
    "recompute",
    "split_questions",
    "typed_column",
    "winner_names",
]
