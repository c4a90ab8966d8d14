"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from tools.arithmetic.calculations import Calculated, calculate
from tools.arithmetic.columns import Column, ColumnKind, typed_column
from tools.arithmetic.recompute import derivation_of, recompute, winner_names
from tools.arithmetic.table_reader import LIKELY, Computed, Picked, TableAnswers, TableReader, left_out

__all__ = [
    "LIKELY",
    "Calculated",
    "Column",
    "ColumnKind",
    "Computed",
    "Picked",
    "TableAnswers",
    "TableReader",
    "calculate",
    "derivation_of",
    "left_out",
    "recompute",
    "typed_column",
    "winner_names",
]
