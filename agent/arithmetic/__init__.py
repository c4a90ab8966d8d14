"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from agent.arithmetic.columns import Column, ColumnKind, typed_column
from agent.arithmetic.compute import compute
from agent.arithmetic.questions import Asked, parse_operation
from agent.arithmetic.recompute import derivation_of, recompute, winner_names
from agent.arithmetic.result import Computed

__all__ = [
    "Asked",
    "Column",
    "ColumnKind",
    "Computed",
    "compute",
    "derivation_of",
    "parse_operation",
    "recompute",
    "typed_column",
    "winner_names",
]
