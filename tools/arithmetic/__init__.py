"""Arithmetic over typed columns of tables, so that code and not a language model counts, ranks, adds and averages."""

from tools.arithmetic.aggregation import asks_aggregation
from tools.arithmetic.calculations import Calculated, calculate
from tools.arithmetic.columns import Column, ColumnKind, typed_column
from tools.arithmetic.compute import compute, left_out, weigh
from tools.arithmetic.parsed import TableReader
from tools.arithmetic.picking import Picked, pick_rows, speaks_of_order
from tools.arithmetic.question import split_questions
from tools.arithmetic.recompute import derivation_of, recompute, winner_names
from tools.arithmetic.result import Computed, InDoubt, TableAnswers

__all__ = [
    "Calculated",
    "Column",
    "ColumnKind",
    "Computed",
    "InDoubt",
    "Picked",
    "TableAnswers",
    "TableReader",
    "asks_aggregation",
    "calculate",
    "compute",
    "derivation_of",
    "left_out",
    "pick_rows",
    "recompute",
    "speaks_of_order",
    "split_questions",
    "typed_column",
    "weigh",
    "winner_names",
]
