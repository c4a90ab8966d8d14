"""A computation is believed only when its table gives its value again."""

from dataclasses import replace

import pytest

from heliograph.types import Computation, EvidenceId
from tests.tools.made_up import table
from tools.arithmetic import recompute

TABLE = table("Hills of Ral", "", "Hill | Height (m)", "Ash | 310", "Bea | 290", "Cob | 310", "Total | 910")
ROWS = tuple(EvidenceId(f"{TABLE.id}/r{number}") for number in (1, 2, 3))
TALLEST = Computation("max", TABLE.id, "Height (m)", ROWS, "Ash and Cob")


@pytest.mark.parametrize(
    ("computation", "value"),
    [
        (TALLEST, "Ash and Cob"),
        (replace(TALLEST, value="310 m"), "310 m"),
        (replace(TALLEST, value="Bea"), "310 m"),
        (replace(TALLEST, operation="min", value="Bea"), "Bea"),
        (replace(TALLEST, operation="sum", value="910 m"), "910 m"),
        (replace(TALLEST, operation="sum", value="1,820 m"), "910 m"),
        (replace(TALLEST, operation="mean", value="303.33 m"), "303.33 m"),
        (replace(TALLEST, operation="count", value="3"), "3"),
        (replace(TALLEST, operation="count", value="4"), "3"),
        (replace(TALLEST, operation="ordinal", position=3, value="Bea"), "Bea"),
        (replace(TALLEST, operation="ordinal", position=1, descending=False, value="Bea"), "Bea"),
    ],
)
def test_the_value_is_derived_from_the_rows_named(computation, value):
    assert recompute(computation, TABLE) == value


@pytest.mark.parametrize(
    "computation",
    [
        replace(TALLEST, table=EvidenceId("another")),
        replace(TALLEST, column="Depth (m)"),
        replace(TALLEST, column="Hill", operation="sum"),
        replace(TALLEST, rows=()),
        replace(TALLEST, rows=(*ROWS, ROWS[0])),
        replace(TALLEST, rows=(*ROWS, EvidenceId(f"{TABLE.id}/r4"))),
        replace(TALLEST, rows=(*ROWS, EvidenceId(f"{TABLE.id}/r99"))),
        replace(TALLEST, operation="ordinal", position=2),
        replace(TALLEST, operation="ordinal", position=9),
    ],
    ids=["table", "column", "text", "no rows", "row twice", "total row", "no such row", "tied place", "no such place"],
)
def test_a_computation_that_cannot_be_carried_out_gives_nothing(computation):
    assert recompute(computation, TABLE) is None
