"""A model that is named and not there: which of folder and hub was looked into is said, and at once."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest

from heliograph.errors import ModelMissing
from indexers.models.named import refuse_missing, refuse_unknown_to_hub
from tests.servers.openai_server import unused_address

EXTRA = find_spec("sentence_transformers") is not None


@contextmanager
def hub(status: int) -> Iterator[str]:
    """Serve a hub that answers everything alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"id": "owner/model", "siblings": []}).encode()
            self.send_response(status)
            if status == 404:
                self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Have the hub at an address, also where the environment keeps off it, and nothing fetched from it before."""

    def use(address: str) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))

    return use


@pytest.mark.parametrize("name", ["./none", "/none", "~/none", "trained/none/model"])
def test_a_path_is_not_looked_for_on_the_hub(name: str) -> None:
    with pytest.raises(ModelMissing, match=f"^no folder {name}; correct --start$"):
        refuse_missing(name, "--start")


def test_a_folder_that_is_there_is_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g_n" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    refuse_missing("g_n/model", "--start")


@pytest.mark.skipif(EXTRA, reason="the extra `models` is installed")
@pytest.mark.parametrize("name", ["g_n/model", "minilm"])
def test_without_the_extra_both_that_a_name_may_be_are_said(name: str) -> None:
    said = (
        rf"^--start names '{name}', and there is no such folder here; if it is the name of a model on the hub, .* pip"
    )
    with pytest.raises(ModelMissing, match=said):
        refuse_missing(name, "--start")


def test_a_model_that_the_hub_has_is_left_to_it(at: Callable[[str], None]) -> None:
    with hub(200) as address:
        at(address)
        refuse_unknown_to_hub("owner/model", "--start")


@pytest.mark.parametrize("name", ["g_n/model", "no name"])
def test_a_model_that_neither_has_is_said(at: Callable[[str], None], name: str) -> None:
    said = (
        f"^--start names '{name}', and there is no such folder here, and no model of that name on the hub .* --start$"
    )
    with hub(404) as address, pytest.raises(ModelMissing, match=said):
        at(address)
        refuse_unknown_to_hub(name, "--start")


def test_a_hub_that_cannot_be_asked_is_asked_once(at: Callable[[str], None]) -> None:
    at(unused_address())
    with pytest.raises(ModelMissing, match=r"no such folder here, and the hub, .* cannot be asked .*, or go online$"):
        refuse_unknown_to_hub("g_n/model", "--start")


def test_a_model_that_was_fetched_before_needs_no_hub(at: Callable[[str], None], tmp_path: Path) -> None:
    at(unused_address())
    fetched = tmp_path / "cache" / "models--owner--model"
    (fetched / "snapshots" / "1").mkdir(parents=True)
    (fetched / "snapshots" / "1" / "config.json").write_text("{}", encoding="utf-8")
    (fetched / "refs").mkdir()
    (fetched / "refs" / "main").write_text("1", encoding="utf-8")
    refuse_unknown_to_hub("owner/model", "--start")
