"""A follow-up on a real archive: understood by the conversation's entities, answered from evidence known by its id."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from app import main
from tools.zim import build_snapshot

NEPTUNE = """# Neptune

Neptune is the eighth planet. It has several moons.

## Moons

*Table: Moons of Neptune*

| Moon | Diameter (km) | Year of discovery |
|---|---|---|
| Triton | 2,707 | 1846 |
| Nereid | 340 | 1949 |
| Proteus | 420 | 1989 |
"""


@pytest.fixture
def moons(tmp_path: Path) -> Path:
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "Neptune.md").write_text(NEPTUNE, encoding="utf8")
    (tmp_path / "articles" / "Saturn.md").write_text("# Saturn\n\nSaturn is the sixth planet.\n", encoding="utf8")
    build_snapshot([tmp_path / "articles"], tmp_path / "moons.zim", name="moons")
    return tmp_path / "moons.zim"


@pytest.mark.parametrize("memory", ["off", "user"])
def test_its_second_largest_moon_is_found_in_what_the_first_question_cited(
    moons: Path, home: Path, memory: str
) -> None:
    said = "Which is the largest moon of Neptune?\nand its second largest moon?\n"
    arguments = ["chat", "--source", f"zim:{moons}", "--memory", memory]
    result = CliRunner().invoke(main, arguments, input=said, prog_name="heliograph")
    assert result.exit_code == 0, result.output
    assert "understood as: Which is the second largest moon of Neptune?" in result.stderr
    first, second = (json.loads(path.read_text()) for path in sorted(home.glob("runs/*/answer.json")))
    assert ("Triton" in first["answer"], "Proteus" in second["answer"]) == (True, True)
    assert [cited["evidence"] for cited in second["citations"]] == [cited["evidence"] for cited in first["citations"]]
    assert (second["rounds"], {seen["round"] for seen in second["evidence"]}) == ([], {0})
    kept = [json.loads(path.read_text())["earlier"] for path in sorted(home.glob("runs/*/run.json"))]
    assert kept == [[], [cited["evidence"] for cited in first["citations"]]]
