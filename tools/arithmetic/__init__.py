"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from tools.arithmetic.calculations import Calculated, calculate, calculated_again
from tools.arithmetic.columns import Column, ColumnKind, typed_column
from tools.arithmetic.table_reader import LIKELY, Computed, Picked, TableAnswers, TableReader, all_rows, left_out

__all__ = [
    "LIKELY",
    "Calculated",
    "Column",
    "ColumnKind",
    "Computed",
    "Picked",
    "TableAnswers",
    "TableReader",
    "all_rows",
    "calculate",
    "calculated_again",
    "left_out",
    "typed_column",
]
