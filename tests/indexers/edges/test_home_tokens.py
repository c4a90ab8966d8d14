"""Token vectors of a home folder: one store a model, whoever asks for it."""

from pathlib import Path

import pytest

from indexers.edges.home_tokens import HomeTokens, TokenFolder
from tests.indexers.edges.worlds import WordEncoder

LINES = ("a light on a rock", "a bell on a sandbank", "a keeper")


async def test_models_of_one_name_write_into_one_store_and_each_reads_its_own_lines(tmp_path: Path) -> None:
    folder = TokenFolder(tmp_path)
    first = (await HomeTokens(WordEncoder, folder).open()).nodes
    second = (await HomeTokens(WordEncoder, folder).open()).nodes
    await first.keep(LINES[:1])
    await second.keep(LINES[1:2])
    await first.keep(LINES[2:])
    again = (await HomeTokens(WordEncoder, TokenFolder(tmp_path)).open()).nodes
    assert await again.keep(LINES) == 0
    for nodes in (first, second, again):
        for line in LINES:
            assert (await nodes.maxima(line, [line])).min() == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("damaged", ["codes", "keys", "manifest.json", "blocks"])
async def test_a_damaged_store_begins_anew_and_serves(tmp_path: Path, damaged: str) -> None:
    nodes = (await HomeTokens(WordEncoder, TokenFolder(tmp_path)).open()).nodes
    whole = await nodes.maxima(LINES[0], LINES)
    (file,) = tmp_path.glob(f"tokens/*/{damaged}")
    file.write_bytes(b"?")
    again = (await HomeTokens(WordEncoder, TokenFolder(tmp_path)).open()).nodes
    assert (await again.maxima(LINES[0], LINES) == whole).all()
    kept = (await HomeTokens(WordEncoder, TokenFolder(tmp_path)).open()).nodes
    assert await kept.keep(LINES) == 0
