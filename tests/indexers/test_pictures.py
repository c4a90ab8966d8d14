"""Pictures beside captions, on real Chroma with an image model of colours: found, judged, embedded once."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable, RateLimited
from heliograph.protocols import Vectors
from heliograph.types import (
    Document,
    EvidenceId,
    ImageEvidence,
    Indexed,
    Observation,
    PageKey,
    Picture,
    Place,
    TextEvidence,
    VectorUse,
)
from indexers.depiction import NEUTRAL
from indexers.evidence import EvidenceIndexes
from indexers.fusion import SHOWN_WEIGHT, EmbeddingReranker
from indexers.models.cache import CachedEmbedder, CachedImageEmbedder
from indexers.pictures import PictureIndex
from memory.ledger import FLOOR, choose

COLOURS = ("red", "green", "blue", "grey")


class ColourModel:
    """An image model for pictures that are the names of colours; neutral texts are a little like each."""

    name = "colours"
    dimensions = len(COLOURS)
    logit_scale = 20.0

    def __init__(self) -> None:
        self.embedded: list[bytes] = []
        self.told: list[str] = []

    async def embed_images(self, images: Sequence[bytes]) -> Vectors:
        self.embedded += images
        if b"damaged" in images:
            raise PageUnavailable("a picture cannot be decoded")
        return np.stack([self.vector(image.decode()) for image in images])

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        self.told += texts
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text: str) -> Vectors:
        said = np.asarray([colour in text for colour in COLOURS], dtype=np.float32)
        row = said if said.any() else np.ones_like(said)
        return row / np.float32(np.sqrt((row * row).sum()))


class Album:
    """A source of pictures: each is what its address says, but for those that cannot be had."""

    def __init__(self, wiki: str = "w") -> None:
        self.wiki = wiki
        self.asked: list[str] = []

    async def picture(self, image: ImageEvidence) -> Picture:
        self.asked.append(image.source)
        if image.source == "gone":
            raise PageUnavailable("no picture gone")
        if image.source == "busy":
            raise RateLimited("asks to wait for an hour")
        return Picture(image.source.encode(), "image/png", 1, 1)


def page(*sources: str, title: str = "Sheet", revision: str = "1") -> Document:
    """Make a page of pictures about which nothing is written but their number."""
    key = PageKey(f"w:{title}@{revision}")
    place = Place(key, title, "s0")
    text = TextEvidence(EvidenceId(f"{key}#s0/p1"), place, "paragraph", "A sheet of drawings.")
    images = [
        ImageEvidence(EvidenceId(f"{key}#s0/i{number}"), place, source, f"Drawing {number}", "")
        for number, source in enumerate(sources, start=1)
    ]
    return Document(key, "w", title, revision, "", (), (text, *images))


def image(number: int, title: str = "Sheet", revision: str = "1") -> EvidenceId:
    return EvidenceId(f"w:{title}@{revision}#s0/i{number}")


@pytest.fixture
def model():
    return ColourModel()


@pytest.fixture
def album():
    return Album()


@pytest.fixture
def pictures(tmp_path, model, album):
    made = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "pictures.sqlite"), [album])
    yield made
    made.close()


async def test_pictures_are_found_by_what_they_show_within_the_pages_asked(pictures):
    assert (await pictures.add(page("red", "green", "blue"))).embedded == 3
    assert (await pictures.add(page("green", title="Other"))).embedded == 0
    found = await pictures.retrieve("Which drawing shows a green field?", 2, ["w:Sheet@1"])
    assert [(one.item, one.score) for one in found] == [(image(2), 1.0), (image(1), 0.0)]
    both = await pictures.retrieve("green", 9, ["w:Other@1", "w:Sheet@1"])
    assert [one.item for one in both][:2] == [image(1, "Other"), image(2)]
    assert await pictures.retrieve("green", 9, ["w:Nowhere@1"]) == ()


async def test_a_picture_is_asked_for_and_embedded_once_by_all_who_share_the_home(tmp_path, model, album):
    for added in (2, 0):
        made = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [album])
        assert (await made.add(page("red", "green", "red"))).embedded == added
        assert (await made.add(page("red", "green", "red"))).embedded == 0
        made.close()
    assert album.asked == ["red", "green", "red"]
    assert model.embedded == [b"red", b"green"]


async def test_a_picture_that_cannot_be_had_is_noted_and_the_others_serve(pictures, album):
    note = "Sheet: 3 pictures could not be looked at (no picture gone)"
    assert await pictures.add(page("gone", "red", "busy", "damaged")) == Indexed(
        1, fetched=4, notes=(note,), vectors=VectorUse(1, 1)
    )
    assert [one.item for one in await pictures.shown("red", [image(1), image(2)])] == [image(2)]
    assert await pictures.add(page("gone", "red", "busy", "damaged")) == Indexed(
        0, notes=(note,), vectors=VectorUse(1, 0)
    )
    assert len(album.asked) == 4


async def test_a_page_of_a_wiki_without_a_source_is_noted(tmp_path, model):
    made = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [Album("elsewhere")])
    (note,) = (await made.add(page("red"))).notes
    assert note == "Sheet: 1 pictures could not be looked at (no source has the pictures of w)"
    made.close()


async def test_no_more_pictures_of_a_page_are_looked_at_than_allowed(tmp_path, model, album):
    made = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [album], pictures_a_page=2)
    indexed = await made.add(page("red", "green", "blue"))
    assert (album.asked, indexed.notes) == (["red", "green"], ("Sheet: 2 of 3 pictures are looked at",))
    made.close()


async def test_a_new_state_of_a_page_takes_the_place_of_the_old_one(pictures):
    await pictures.add(page("red"))
    await pictures.add(page("blue", title="Other"))
    assert (await pictures.add(page("red", "green", revision="2"))).embedded == 1
    assert await pictures.retrieve("red", 9, ["w:Sheet@1"]) == ()
    assert len(await pictures.retrieve("red", 9, ["w:Sheet@2", "w:Other@1"])) == 3


async def test_another_model_looks_at_everything_anew_and_says_so(tmp_path, model, album):
    first = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [album])
    await first.add(page("red"))
    first.close()
    model.name = "other colours"
    second = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [album])
    note = "the pictures were known by another image model and are looked at anew"
    assert await second.add(page("red")) == Indexed(1, fetched=1, notes=(note,), vectors=VectorUse(1, 1))
    assert await second.add(page("red")) == Indexed(0, vectors=VectorUse(1, 0))
    second.close()


async def test_a_page_without_pictures_opens_nothing(pictures, tmp_path):
    assert (await pictures.add(page())).embedded == 0
    assert await pictures.shown("red", ()) == ()
    assert not (tmp_path / "indexes").exists()


@settings(max_examples=10, deadline=None)
@given(others=st.lists(st.sampled_from(COLOURS), max_size=4), asked=st.sampled_from([*COLOURS, *NEUTRAL]))
async def test_a_probability_does_not_depend_on_other_pictures(tmp_path_factory, others, asked):
    home = tmp_path_factory.mktemp("home")
    made = PictureIndex(home, CachedImageEmbedder(ColourModel(), home / "p.sqlite"), [Album()])
    await made.add(page("red", "grey"))
    alone = await made.shown(asked, [image(1)])
    await made.add(page(*others, title="Other"))
    together = await made.shown(asked, [image(1), image(2), *(image(n + 1, "Other") for n in range(len(others)))])
    assert alone[0] in together
    assert all(0 <= one.score <= 1 for one in together)
    made.close()


@pytest.mark.parametrize(
    ("strategy", "found", "embedded"),
    [("text-only", 0, 0), ("textual-visual", 6, 6), ("modality-specific", 6, 6)],
)
async def test_images_are_found_by_caption_and_by_what_they_show_but_not_in_an_index_of_texts(
    tmp_path, words, model, album, strategy, found, embedded
):
    pictures = PictureIndex(tmp_path, CachedImageEmbedder(model, tmp_path / "p.sqlite"), [album])
    indexes = EvidenceIndexes(tmp_path, words, strategy=strategy, pictures=pictures)
    sheet = page("green", *["red"] * 8, "blue", "blue", "grey")
    await indexes.add([sheet])
    images = await indexes.retrieve("Drawing 7 of the green field", "image", 3, [sheet.key])
    assert len({one.item for one in images}) == len(images) == min(found, len(images))
    assert (image(1) in [one.item for one in images]) == bool(found)
    assert len(model.embedded) == (4 if embedded else 0)
    indexes.close()


async def test_an_image_without_a_telling_caption_reaches_the_final_choice_by_its_picture(words, pictures):
    sheet = page("red", "green", "blue")
    await pictures.add(sheet)
    question = "Which drawing shows a green field?"
    plain = {seen.evidence: seen for seen in await EmbeddingReranker(words).rerank(question, sheet.leaves, [], 1)}
    ranked = await EmbeddingReranker(words, pictures=pictures).rerank(question, sheet.leaves, [], 1)
    seen = {one.evidence: one for one in ranked}
    (best, *_) = await pictures.shown(question, [image(2)])
    assert seen[image(2)].score == pytest.approx(SHOWN_WEIGHT * best.score)
    assert FLOOR < plain[image(2)].score < seen[image(2)].score or plain[image(2)].score <= FLOOR
    assert {name: one for name, one in seen.items() if name != image(2)} == {
        name: one for name, one in plain.items() if name != image(2)
    }
    texts = [Observation(EvidenceId(f"t{number}"), "text", 0.9, 1) for number in range(30)]
    ledger = [*texts, *ranked]
    chosen = [one.evidence for one in choose(ledger, dict.fromkeys([one.evidence for one in ledger], 1), 20)]
    assert image(2) in chosen


async def test_the_text_of_an_image_counts_where_it_says_more_than_the_picture_shows(words, pictures):
    sheet = page("red")
    told = replace(sheet.leaves[1], caption="a green field, a green drawing")
    await pictures.add(sheet)
    question = "Which drawing shows a green field?"
    assert await EmbeddingReranker(words, pictures=pictures).rerank(question, [told], [], 1) == await EmbeddingReranker(
        words
    ).rerank(question, [told], [], 1)


async def test_texts_and_pictures_of_one_spelling_are_kept_apart(tmp_path, model):
    cached = CachedImageEmbedder(model, tmp_path / "p.sqlite")
    assert (await cached.embed_images_counted([b"red", b"red"])).computed == 1
    for _ in range(2):
        assert (await cached.embed_texts(["red"])).shape == (1, 4)
    assert (model.embedded, model.told) == ([b"red"], ["red"])
    assert (await cached.embed_images_counted([b"red"])).computed == 0
    assert (cached.name, cached.dimensions, cached.logit_scale) == ("colours", 4, 20.0)
    assert cached.size() > 0


def test_the_cache_of_texts_asks_for_dimensions_only_when_it_needs_them(tmp_path):
    class Asked:
        name = "asked"

        @property
        def dimensions(self) -> int:
            raise AssertionError("a replay must load no model")

    CachedEmbedder(Asked(), tmp_path / "e.sqlite")
