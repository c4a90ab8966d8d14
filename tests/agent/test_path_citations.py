"""In a terminal the path of a row of a base stands below its citation."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.path_citations import path_lines
from agent.rendering import render_answer
from agent.terminal import Output, show_answer
from heliograph.types import Answer
from indexers.parser.ids import leaf_of
from memory.trace.folder import Manifest, write_manifest
from tests.web.moons import MOONS, built, cited_rows, citing


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("skb"))


def answered(base: Path, home: Path, source: str) -> Answer:
    """Return an answer of a run with a source; it cites a row of answers and a triple."""
    manifest = Manifest("20260101T000000000-abcdef", MOONS, "0", 0.0, {"sources": [source]})
    folder = home / "runs" / manifest.run
    folder.mkdir(parents=True)
    write_manifest(folder, manifest)
    return citing(MOONS, cited_rows(base, home), manifest.run)


def test_the_path_stands_below_its_citation_as_the_base_has_it(base: Path, tmp_path: Path) -> None:
    shown = show_answer(answered(base, tmp_path, f"skb:{base}"), Output(), tmp_path).splitlines()
    (at,) = (number for number, line in enumerate(shown) if line.startswith("[1] "))
    assert shown[at + 2] == "    Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn"
    (at,) = (number for number, line in enumerate(shown) if line.startswith("[2] "))
    assert shown[at + 2] == "    Titan —orbits→ Saturn"


def test_what_is_computed_has_the_paths_of_the_rows_that_entered(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path, f"skb:{base}")
    row = answer.citations[0].evidence
    computed = citing(MOONS, (leaf_of(row),), answer.run, computed_of=(row,))
    assert path_lines(computed, tmp_path) == {1: ("Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn",)}


def test_of_a_base_that_is_gone_or_a_run_that_is_not_kept_the_row_alone_speaks(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path, f"skb:{tmp_path / 'gone.skb'}")
    row = ("Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn",)
    assert path_lines(answer, tmp_path)[1] == row
    assert path_lines(replace(answer, run="other"), tmp_path)[1] == row


def test_an_answer_whose_pages_are_not_kept_is_shown_without_paths(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path / "other", f"skb:{base}")
    assert not any(path_lines(answer, tmp_path).values())
    assert render_answer(answer) == render_answer(answer, {})
