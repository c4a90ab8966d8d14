"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from tools.arithmetic.calculations import Calculated, calculate
from tools.arithmetic.columns import Column, ColumnKind, typed_column
from tools.arithmetic.compute import Picked, TableReader, left_out
from tools.arithmetic.recompute import derivation_of, recompute, winner_names
from tools.arithmetic.result import Computed, Weighed

__all__ = [
    "Calculated",
    "Column",
    "ColumnKind",
    "Computed",
    "Picked",
    "TableReader",
    "Weighed",
    "calculate",
    "derivation_of",
    "left_out",
    "recompute",
    "typed_column",
    "winner_names",
]
