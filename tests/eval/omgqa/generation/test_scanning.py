"""All articles are looked through; pages that cannot be read are counted, and the pairs of a script are found."""

import pytest

from eval.omgqa.generation.candidates import Pipeline
from eval.omgqa.generation.scanning import candidates_among
from tests.eval.omgqa.generation.lights import ARTICLES, Shelf
from tests.fakes_models import FakeEmbedder


@pytest.mark.parametrize(
    ("pipeline", "titles"),
    [
        ("pairs", [("Keepers of Varn", "Lights of Varn")]),
        ("contents", [("Keepers of Varn",), ("Lights of Varn",)]),
    ],
)
async def test_candidates_are_found_and_unreadable_pages_counted(
    pipeline: Pipeline, titles: list[tuple[str, ...]]
) -> None:
    told = list[str]()
    found = await candidates_among([*ARTICLES, "Gone"], pipeline, Shelf(), FakeEmbedder(), told.append)
    assert [candidate.titles for candidate in found] == titles
    assert "1 pages cannot be read and are left out" in told
    assert f"2 of 3 articles have what {pipeline} are made from" in told


async def test_of_nothing_nothing_is_found() -> None:
    for pipeline in ("pairs", "contents"):
        assert await candidates_among([], pipeline, Shelf(), FakeEmbedder(), lambda _: None) == ()
