"""From drawings about which nothing is written to an answer that cites one: archive, Chroma, fusion, graph, check.

Everything is real but the image model, which is the tiny one, and the sketchbooks.
"""

import asyncio
import random
from contextlib import closing
from pathlib import Path

import pytest

from agent.record import NO_IMAGE_MODEL
from app import Heliograph
from heliograph.types import Answer
from tests.indexers.models.conftest import Trained
from tests.indexers.models.drawings import Scene, draw, png
from tools.zim import build_snapshot

pytestmark = pytest.mark.models
BOOKS = ("Alder", "Birch", "Cedar", "Elm")
A_BOOK = 6
QUESTIONS = 8


@pytest.fixture(scope="session")
def shown(trained: Trained) -> dict[str, Scene]:
    """What each drawing shows, by its caption."""
    scenes = random.Random(4).sample(trained.scenes, len(BOOKS) * A_BOOK)
    return {f"Drawing {number}": scene for number, scene in enumerate(scenes, start=1)}


@pytest.fixture(scope="session")
def sketchbooks(shown: dict[str, Scene], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pages of six drawings each, with captions that say nothing."""
    folder, rng = tmp_path_factory.mktemp("sketchbooks"), random.Random(77)
    drawings = list(shown.items())
    for place, book in enumerate(BOOKS):
        lines = [
            f"# {book} sketchbook",
            "",
            f"The {book} sketchbook was kept by Ada Brandt.",
            "",
        ]
        for caption, scene in drawings[place * A_BOOK : (place + 1) * A_BOOK]:
            file = f"{caption.replace(' ', '_')}.png"
            (folder / file).write_bytes(png(draw(scene, rng)))
            lines += [f'![{caption}]({file} "{caption}")', ""]
        (folder / f"{book}_sketchbook.md").write_text("\n".join(lines), encoding="utf8")
    out = tmp_path_factory.mktemp("archives") / "sketchbooks.zim"
    build_snapshot([folder], out, name="sketchbooks")
    return out


async def asked(home: Path, archive: Path, trained: Trained | None, question: str) -> Answer:
    """Ask as anybody would, with an image model set or without."""
    clip = {"model": str(trained.config), "pretrained": str(trained.weights)} if trained else {}
    with closing(Heliograph(home=home, sources=(f"zim:{archive}",), rounds=2, clip=clip)) as heliograph:
        return await heliograph.ask(question)


async def test_a_drawing_is_cited_for_what_it_shows(trained, shown, sketchbooks, home, record_property):
    right = []
    for caption, scene in random.Random(9).sample(sorted(shown.items()), QUESTIONS):
        answer = await asked(home, sketchbooks, trained, f"Which drawing shows {scene.caption}?")
        assert not answer.abstained
        assert NO_IMAGE_MODEL not in answer.notes
        (claim,), (citation,) = answer.claims, answer.citations
        assert (citation.modality, claim.verdict) == ("image", "quoted")
        assert citation.quote in claim.text
        assert citation.quote in shown
        right.append(citation.quote == caption)
    print(f"{sum(right)} of {QUESTIONS} questions cite the drawing that was meant, among {len(shown)}")
    record_property("cited drawings", f"{sum(right)} of {QUESTIONS}")
    assert sum(right) >= 0.9 * QUESTIONS


async def test_an_answer_by_a_picture_is_replayed_without_the_model(trained, shown, sketchbooks, home, cli):
    caption, scene = next(iter(shown.items()))
    answer = await asked(home, sketchbooks, trained, f"Which drawing shows {scene.caption}?")
    assert [citation.quote for citation in answer.citations] == [caption]
    replayed = await asyncio.to_thread(cli, "replay", "last", HELIOGRAPH_HOME=str(home))
    assert (replayed.exit_code, "byte-identical" in replayed.stdout) == (0, True), replayed.stderr


async def test_without_an_image_model_the_drawing_cannot_be_told_from_the_others(shown, sketchbooks, home):
    cited = set()
    for scene in list(shown.values())[:3]:
        answer = await asked(home, sketchbooks, None, f"Which drawing shows {scene.caption}?")
        cited.add(tuple(citation.quote for citation in answer.citations))
    assert len(cited) == 1
    assert not cited & {(caption,) for caption in shown}


async def test_a_question_about_no_picture_is_answered_as_without_an_image_model(trained, sketchbooks, tmp_path):
    question = "Who kept the Alder sketchbook?"
    seeing = await asked(tmp_path / "seeing", sketchbooks, trained, question)
    blind = await asked(tmp_path / "blind", sketchbooks, None, question)
    assert (seeing.answer, seeing.citations) == (blind.answer, blind.citations)
    assert "Ada Brandt" in seeing.answer
