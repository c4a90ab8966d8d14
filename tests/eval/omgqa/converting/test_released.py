"""Of the data sets as they are released every supporting fact is found again; skipped where they are not at hand."""

from pathlib import Path

import pytest

from eval.drawing import Draw
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.multihop import convert_hotpotqa, convert_musique
from eval.omgqa.converting.ott import convert_ott

DATA = Path(__file__).parents[5] / "shared" / "data"
MULTIHOP, OTT = DATA / "multihop", DATA / "ott"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not DATA.exists(), reason="the data sets are not at hand")]


def counts(conversion: Conversion) -> tuple[int, int, int]:
    return len(conversion.questions), len(conversion.gold), len(conversion.pages)


@pytest.mark.parametrize("corpus", [None, MULTIHOP / "musique_corpus.jsonl.xz"])
def test_musique_is_found_whole(corpus: Path | None) -> None:
    conversion = convert_musique(MULTIHOP / "musique_100q.jsonl.xz", corpus)
    assert counts(conversion) == (100, 237, 1764)
    assert conversion.checked().summary == "237 of 237 supporting facts found"
    assert len(conversion.checked().judgements) == 237


@pytest.mark.parametrize("corpus", [None, MULTIHOP / "hotpotqa_corpus.jsonl.xz"])
def test_hotpotqa_is_found_whole(corpus: Path | None) -> None:
    conversion = convert_hotpotqa(MULTIHOP / "hotpotqa_100q.jsonl.xz", corpus)
    assert counts(conversion) == (100, 229, 994)
    assert conversion.checked().summary == "229 of 229 supporting facts found"
    assert len(conversion.checked().judgements) == 200


def test_ott_has_gold_for_every_public_question() -> None:
    conversion = convert_ott(OTT / "questions" / "ott_dev_public.jsonl", OTT, "OTT-QA", Draw(first=300))
    assert counts(conversion) == (300, 1290, 0)
    assert not any(conversion.left_out.values())
