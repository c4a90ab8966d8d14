"""Indexes whose vectors a real Chroma server keeps: the same results, homes apart, and failures that lose nothing."""

import shutil

import chromadb
import httpx
import pytest

from heliograph.errors import StoreError, StoreFull, StoreUnreachable
from heliograph.types import MODALITIES, Indexed, VectorUse
from indexers.chroma import removed_at, stored_at
from indexers.chroma.quiet import QuietSettings
from indexers.models.cache import CachedEmbedder, CachedImageEmbedder
from indexers.pictures import PictureIndex
from indexers.vector_server import NAME_FILE, VectorServer, checked, known_name, name_at_server, refuse_failures
from tests.indexers.opening import opened
from tests.indexers.test_pictures import Album, ColourModel, page
from tests.servers.chroma import chroma_server, something_else

JUPITER = "demo:Jupiter@1"
PIECES = 6


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with chroma_server(tmp_path_factory.mktemp("chroma")) as server:
        yield server


@pytest.fixture
def server(running):
    return VectorServer(running.url)


def names(server):
    client = chromadb.HttpClient(server.url, settings=chromadb.Settings(anonymized_telemetry=False))
    return {collection.name for collection in client.list_collections()}


async def everything(indexes, pages=(JUPITER, "demo:Saturn@1")):
    queries = ("giant planet", "Ganymede diameter", "red storm", "moon 7")
    return [await indexes.retrieve(query, modality, 9, list(pages)) for query in queries for modality in MODALITIES]


@pytest.mark.parametrize("retriever", ["dense", "sparse"])
async def test_a_server_and_this_process_find_the_same_in_the_same_order(tmp_path, server, words, document, retriever):
    found = []
    for home, kept_at in ((tmp_path / "here", None), (tmp_path / "there", server)):
        with opened(home, words, server=kept_at, text_retriever=retriever) as made:
            await made.add([document(paragraphs=[f"moon {number}" for number in range(1_200)]), document("Saturn")])
            found.append(await everything(made))
    assert found[0] == found[1]
    assert all(found[0][0])
    assert not (tmp_path / "there" / "indexes" / "chroma").exists()


async def test_what_a_server_keeps_is_neither_embedded_nor_written_again(tmp_path, server, words, document):
    for written in (PIECES, 0):
        with opened(tmp_path, words, server=server) as made:
            assert (await made.add([document()])).vectors == VectorUse(PIECES, written)
            assert len(await made.retrieve("moon", "table", 9, [JUPITER])) == 4


async def test_two_homes_on_one_server_have_collections_of_their_own(tmp_path, server, words, document, word_embedder):
    other = CachedEmbedder(word_embedder("other", 32), tmp_path / "other.sqlite")
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    with opened(one, words, server=server) as first, opened(two, words, server=server) as second:
        await first.add([document(paragraphs=["a moon of mine"])])
        await second.add([document(paragraphs=["a moon of another"])])
        before = await everything(first)
        with opened(three, other, server=server) as third:
            await third.add([document()])
        assert removed_at(server, two) == 3
        assert await everything(first) == before
    with opened(one, words, server=server) as first:
        assert (await first.add([document(paragraphs=["a moon of mine"])])).vectors == VectorUse(PIECES + 1, 0)
        assert await everything(first) == before


async def test_another_model_of_one_home_replaces_its_own_collections_and_no_others(
    tmp_path, server, words, document, word_embedder
):
    other = CachedEmbedder(word_embedder("other", 32), tmp_path / "other.sqlite")
    with opened(tmp_path / "neighbour", words, server=server) as made:
        await made.add([document()])
    neighbours = names(server)
    with opened(tmp_path / "home", words, server=server) as made:
        await made.add([document()])
    with opened(tmp_path / "home", other, server=server) as made:
        indexed = await made.add([document()])
    assert (len(indexed.notes), indexed.embedded) == (3, PIECES)
    assert names(server) > neighbours
    assert {name.rsplit(".", 1)[1].split("-")[0] for name in names(server) - neighbours} == {"other"}


async def test_collections_past_the_first_list_are_seen(tmp_path, server, words, document, word_embedder):
    client = chromadb.HttpClient(server.url, settings=chromadb.Settings(anonymized_telemetry=False))
    for number in range(101):
        client.create_collection(f"aaa-{number}", embedding_function=None)
    with opened(tmp_path, words, server=server) as made:
        await made.add([document()])
    assert stored_at(server, tmp_path) == f"{PIECES} vectors in 3 collections at {server.url} (API 1.0.0)"
    assert removed_at(server, tmp_path) == 3
    for number in range(101):
        client.delete_collection(f"aaa-{number}")


async def test_pictures_and_texts_of_one_home_let_each_other_be(tmp_path, server, words, document):
    model = ColourModel()
    for asked in (2, 0):
        images = CachedImageEmbedder(model, tmp_path / "pictures.sqlite")
        pictures = PictureIndex(tmp_path, images, [Album()], server=server)
        with opened(tmp_path, words, server=server, pictures=pictures) as made:
            indexed = await made.add([page("red", "green")])
            assert (indexed.notes, indexed.fetched) == ((), asked)
            assert await pictures.retrieve("green", 1, ["w:Sheet@1"])
    assert removed_at(server, tmp_path) == 4


async def test_a_copy_of_a_home_takes_a_name_of_its_own(tmp_path, server, words, document):
    home, copy = tmp_path / "home", tmp_path / "copy"
    with opened(home, words, server=server) as made:
        await made.add([document()])
        before = await everything(made)
    shutil.copytree(home, copy)
    assert known_name(copy) is None
    with opened(copy, words, server=server) as made:
        assert await made.add([document(paragraphs=["of the copy"])]) == Indexed(1, vectors=VectorUse(7, 7))
    assert known_name(copy) not in {None, known_name(home)}
    with opened(home, words, server=server) as made:
        assert (await made.add([document()])).vectors == VectorUse(PIECES, 0)
        assert await everything(made) == before


@pytest.mark.parametrize("content", [b"", b"0123456789abcdef", b"x y", b"../../etc 1", b"\xff\xfe"])
def test_a_name_that_none_was_written_as_is_replaced(tmp_path, content):
    (tmp_path / NAME_FILE).write_bytes(content)
    assert known_name(tmp_path) is None
    assert name_at_server(tmp_path) == name_at_server(tmp_path) == known_name(tmp_path)


async def test_from_this_process_to_a_server_and_back_nothing_is_embedded_twice(tmp_path, server, words, document):
    found = []
    for kept_at, embedded in ((None, 2 * PIECES), (server, 0), (None, 0), (server, 0)):
        with opened(tmp_path, words, server=kept_at) as made:
            assert (await made.add([document(), document("Saturn")])).embedded == embedded
            found.append(await everything(made))
    assert found[1:] == found[:-1]


async def test_a_server_that_ends_is_an_error_and_when_it_is_back_all_goes_on(tmp_path, words, document):
    with chroma_server(tmp_path / "data") as running, opened(tmp_path, words, server=VectorServer(running.url)) as made:
        await made.add([document()])
        before = await everything(made, [JUPITER])
        running.kill()
        for _ in range(2):
            with pytest.raises(StoreUnreachable, match=rf"{running.url} cannot be reached .*; start it .* is lost"):
                await made.add([document("Saturn")])
            with pytest.raises(StoreUnreachable, match="cannot be reached"):
                await made.retrieve("moon", "table", 9, [JUPITER])
        running.start()
        assert await everything(made, [JUPITER]) == before
        assert await made.add([document("Saturn"), document()]) == Indexed(
            PIECES, vectors=VectorUse(2 * PIECES, PIECES)
        )


async def test_a_server_that_comes_back_empty_is_filled_again_without_embedding(tmp_path, words, document):
    with chroma_server(tmp_path / "data") as running, opened(tmp_path, words, server=VectorServer(running.url)) as made:
        await made.add([document()])
        before = await everything(made, [JUPITER])
        running.kill()
        shutil.rmtree(tmp_path / "data")
        running.start()
        with pytest.raises(StoreUnreachable, match=r"collections are gone from .*; ask again"):
            await made.add([document("Saturn")])
        assert await made.add([document()]) == Indexed(0, vectors=VectorUse(PIECES, PIECES))
        assert await everything(made, [JUPITER]) == before


def test_nothing_at_the_address_is_said_at_once(server):
    gone = VectorServer("http://127.0.0.1:9")
    with pytest.raises(StoreUnreachable, match=r"127.0.0.1:9 cannot be reached .*; start it or correct chroma_url"):
        checked(gone)
    with pytest.raises(StoreUnreachable, match="cannot be reached"):
        checked(VectorServer(server.url.replace("http:", "https:")))
    assert checked(VectorServer(f"{server.url}/")) == checked(VectorServer(f"{server.url}/api/v2")) == "1.0.0"


@pytest.mark.parametrize(
    ("status", "body", "kind", "error", "said"),
    [
        (200, '"0.6.3"', "application/json", StoreUnreachable, r"speaks version 0.6.3 of its API, and Heliograph 1.x"),
        (200, "{}", "application/json", StoreUnreachable, "is no Chroma; correct chroma_url"),
        (200, "<html>Welcome</html>", "text/html", StoreUnreachable, "what answers 200 at .* is no Chroma"),
        (302, "", "text/html", StoreUnreachable, "what answers 302 at .* is no Chroma"),
        (404, "not here", "text/plain", StoreUnreachable, "no Chroma with the API /api/v2 answers"),
        (410, '{"error":"Unimplemented"}', "application/json", StoreUnreachable, "no Chroma with the API /api/v2"),
        (401, '{"error":"AuthError"}', "application/json", StoreUnreachable, r"refuses us \(401\); set HELIOGRAPH_CHR"),
        (403, "no", "text/plain", StoreUnreachable, r"refuses us \(403\); set HELIOGRAPH_CHROMA_TOKEN"),
        (429, '{"message":"slow down"}', "application/json", StoreUnreachable, r"answers 429 \(slow down\); ask again"),
        (503, "<p>later</p>", "text/html", StoreUnreachable, "answers 503"),
        (500, '{"message":"disk is full"}', "application/json", StoreFull, "no space is left on the Chroma server"),
        (
            422,
            '{"message":"what?"}',
            "application/json",
            StoreError,
            r"refuses a request \(422: what\?\); run a server",
        ),
    ],
)
def test_what_cannot_serve_is_named_with_the_next_step(status, body, kind, error, said):
    with something_else(status, body, kind) as url, pytest.raises(error, match=said) as caught:
        checked(VectorServer(url))
    assert type(caught.value) is error
    assert caught.value.exit_code == 6


def test_a_server_that_never_answers_is_given_up():
    with something_else(200, "", hangs=True) as url, pytest.raises(StoreUnreachable, match=r"not answer within 0\.2 s"):
        checked(VectorServer(url), seconds=0.2)


def test_a_token_is_shown_to_the_server_and_in_no_message():
    with something_else(200, '"1. TOKEN"') as url:
        assert checked(VectorServer(url, "sesame")) == "1. Bearer sesame"
        assert checked(VectorServer(url)) == "1. none"
    assert "sesame" not in repr(VectorServer(url, "sesame"))


def test_chroma_heeds_no_file_of_the_current_folder(tmp_path, monkeypatch):
    lines = (
        "ANONYMIZED_TELEMETRY=true",
        "CHROMA_OTEL_COLLECTION_ENDPOINT=http://192.0.2.1",
        "CHROMA_OTEL_GRANULARITY=all",
    )
    (tmp_path / ".env").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    found = QuietSettings()
    assert (found.chroma_otel_collection_endpoint, found.chroma_otel_granularity) == ("", None)
    assert chromadb.Settings().chroma_otel_granularity == "all"


def test_a_failure_that_repeats_the_token_is_told_without_it():
    server = VectorServer("http://127.0.0.1:8001", "chr-token-8812")
    with pytest.raises(StoreUnreachable, match=r"answers 500 \(bad token \*\*\*\)"):
        refuse_failures(server, httpx.Response(500, json={"message": "bad token chr-token-8812"}))
