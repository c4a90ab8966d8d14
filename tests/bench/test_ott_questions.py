"""What is measured of answers to OTT-QA questions, and which of it is kept in a file."""

import json
from dataclasses import asdict
from pathlib import Path

from bench.ott_questions import HEADING, Variant, kept, report
from eval.ott.outcome import OttOutcome

FOUND = OttOutcome(True, True, False, False, True, True, 2.0, 10)
STRICT = OttOutcome(True, True, True, True, True, False, 4.0, 20)


def test_gold_nodes_are_counted_strictly_and_as_before() -> None:
    line = report([FOUND, STRICT], Variant(3, "off"), 10)
    assert line == "| 3 | off | 10 | 2 | 100.0 | 50.0 | 100.0 | 50.0 | 100.0 | 50.0 | 15.0 | 3.0 |"
    columns = [each.strip() for each in HEADING.splitlines()[0].split("|")]
    assert columns[6:8] == ["gold node, strict", "gold node in the final 20"]
    assert {heading.count("|") for heading in HEADING.splitlines()} == {line.count("|")}


def test_what_was_measured_before_there_was_a_measure_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    records = [{"id": each, "rounds": 3, "graph": "off", **asdict(STRICT)} for each in "ab"]
    del records[0]["strict"]
    path.write_text("".join(json.dumps(record) + "\n" for record in records) + '{"id": "torn')
    assert kept(path) == {("b", Variant(3, "off")): STRICT}
    assert path.read_text().endswith("}\n")
