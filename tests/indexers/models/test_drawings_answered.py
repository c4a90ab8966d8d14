"""From drawings about which nothing is written to an answer that cites one: archive, Chroma, fusion, graph, check.

Everything is real but the image model, which is the tiny one, and the sketchbooks.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.asking import ask
from agent.citations import ExtractiveClaimVerifier
from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import Composer
from agent.extractive.queries import ExtractiveQueryRewriter
from agent.extractive.reflector import ExtractiveReflector
from agent.library import Library
from agent.services import Limits, Services
from heliograph.types import Answer
from indexers.evidence import EvidenceIndexes
from indexers.fusion import EmbeddingReranker
from indexers.models.alignment import OnnxWordAligner
from indexers.models.cache import CachedEmbedder, CachedImageEmbedder
from indexers.models.clip import ClipEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.pictures import PictureIndex
from memory.pages import FilePageStore
from memory.recorded import RecordedIndex, RecordedPages, RecordedSearch
from memory.recorded_pictures import RecordedPictureScores
from tests.fakes import FakeRecorder
from tests.indexers.models.conftest import Trained
from tests.indexers.models.drawings import Scene, draw, png
from tools.rerank import TitleReranker
from tools.search import RememberedSearch
from tools.zim import ZimArchive, build_snapshot

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
def sketchbooks(shown: dict[str, Scene], tmp_path_factory: pytest.TempPathFactory) -> ZimArchive:
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
    return ZimArchive(out)


@contextmanager
def opened(home: Path, archive: ZimArchive, clip: ClipEmbedder | None) -> Iterator[Services]:
    """Build the services of a question as the agent does, with an image model or without."""
    model, recorder, library = OnnxEmbedder(), FakeRecorder(), Library()
    embedder = CachedEmbedder(model, home / "embeddings.sqlite")
    pictures = PictureIndex(home, CachedImageEmbedder(clip, home / "pictures.sqlite"), [archive]) if clip else None
    scores = RecordedPictureScores(pictures, recorder) if pictures else None
    index = EvidenceIndexes(home, embedder, pictures=pictures)
    composer = Composer(embedder, OnnxWordAligner(model, home / "alignments.sqlite"), scores)
    searches = (RememberedSearch(RecordedSearch(archive, recorder)),)
    try:
        yield Services(
            recorder=recorder,
            searches=searches,
            pages=RecordedPages([archive], FilePageStore(home / "pages"), recorder),
            library=library,
            index=RecordedIndex(index, recorder),
            rewriter=ExtractiveQueryRewriter(searches, library.evidence),
            document_reranker=TitleReranker(embedder),
            evidence_reranker=EmbeddingReranker(embedder, pictures=scores),
            reflector=ExtractiveReflector(composer),
            answerer=ExtractiveAnswerer(composer),
            verifier=ExtractiveClaimVerifier,
            limits=Limits(rounds=2),
        )
    finally:
        index.close()


async def asked(home: Path, archive: ZimArchive, clip: ClipEmbedder | None, question: str) -> Answer:
    with opened(home, archive, clip) as services:
        return await ask(question, services)


async def test_a_drawing_is_cited_for_what_it_shows(trained, shown, sketchbooks, home, record_property):
    clip = ClipEmbedder(str(trained.config), str(trained.weights))
    right = []
    for caption, scene in random.Random(9).sample(sorted(shown.items()), QUESTIONS):
        answer = await asked(home, sketchbooks, clip, f"Which drawing shows {scene.caption}?")
        assert not answer.abstained
        (claim,), (citation,) = answer.claims, answer.citations
        assert (citation.modality, claim.verdict) == ("image", "supported")
        assert citation.quote in claim.text
        assert citation.quote in shown
        right.append(citation.quote == caption)
    print(f"{sum(right)} of {QUESTIONS} questions cite the drawing that was meant, among {len(shown)}")
    record_property("cited drawings", f"{sum(right)} of {QUESTIONS}")
    assert sum(right) >= 0.9 * QUESTIONS


async def test_without_an_image_model_the_drawing_cannot_be_told_from_the_others(shown, sketchbooks, home):
    cited = set()
    for scene in list(shown.values())[:3]:
        answer = await asked(home, sketchbooks, None, f"Which drawing shows {scene.caption}?")
        cited.add(tuple(citation.quote for citation in answer.citations))
    assert len(cited) == 1
    assert not cited & {(caption,) for caption in shown}


async def test_a_question_about_no_picture_is_answered_as_without_an_image_model(trained, sketchbooks, tmp_path):
    question = "Who kept the Alder sketchbook?"
    clip = ClipEmbedder(str(trained.config), str(trained.weights))
    seeing = await asked(tmp_path / "seeing", sketchbooks, clip, question)
    blind = await asked(tmp_path / "blind", sketchbooks, None, question)
    assert (seeing.answer, seeing.citations) == (blind.answer, blind.citations)
    assert "Ada Brandt" in seeing.answer
