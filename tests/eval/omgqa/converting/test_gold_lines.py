"""A fact is written and read back; what is wrong in a line is named."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.converting.gold import GoldFact, GoldImage, GoldRow, GoldTable, GoldText, gold_titles
from eval.omgqa.converting.gold_lines import gold_line, read_gold
from heliograph.errors import UsageError

SAID = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
CELLS = st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4).map(tuple)
FACTS = st.one_of(
    st.builds(GoldText, st.just("q"), SAID, SAID),
    st.builds(GoldTable, st.just("q"), SAID, st.text("ab "), CELLS, CELLS),
    st.builds(GoldRow, st.just("q"), SAID, st.text("ab "), CELLS, st.integers(1, 99), CELLS),
    st.builds(GoldImage, st.just("q"), SAID, SAID),
)
ROW = {"question": "q", "kind": "row", "title": "Lights", "section": "", "header": ["Name"], "number": 1, "cells": []}


@given(st.lists(FACTS, min_size=1))
def test_any_facts_read_back(tmp_path_factory: pytest.TempPathFactory, facts: list[GoldFact]) -> None:
    path = tmp_path_factory.mktemp("gold") / "gold.jsonl"
    path.write_text("".join(map(gold_line, facts)), encoding="utf8")
    assert read_gold(path, ["q"]) == tuple(facts)


def test_the_pages_of_facts_stand_once_in_their_order() -> None:
    assert gold_titles([GoldText("q", "B", "x"), GoldText("q", "A", "x"), GoldImage("q", "B", "b.png")]) == ("B", "A")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"question": "p"}, r"gold\.jsonl:2: question: there is no question 'p'"),
        ({"number": 0}, r"gold\.jsonl:2: number: Input should be greater than or equal to 1"),
        ({"text": "a"}, r"gold\.jsonl:2: the line: .* kind row has cells, header, number, section, and no more"),
        ({"cells": None}, r"gold\.jsonl:2: the line: .* kind row has cells"),
        ({"kind": "cell"}, r"gold\.jsonl:2: kind: Input should be 'text', 'table', 'row' or 'image'"),
        ({"title": " "}, r"gold\.jsonl:2: title: Value error, is blank"),
        ({"revision": "7"}, r"gold\.jsonl:2: revision: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_fact_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    (tmp_path / "gold.jsonl").write_text(f"{json.dumps(ROW)}\n{json.dumps(ROW | change)}")
    with pytest.raises(UsageError, match=complaint):
        read_gold(tmp_path / "gold.jsonl", ["q"])


def test_a_file_without_facts_is_named(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="has no facts; convert the data set again"):
        read_gold(tmp_path / "gold.jsonl", ["q"])
