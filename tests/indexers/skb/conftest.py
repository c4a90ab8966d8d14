"""The demo's base, and a graph on Ladybug that it was loaded into."""

import asyncio
from pathlib import Path

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.cypher_session import LadybugSession
from indexers.skb.graph_loading import load_into_graph
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

DEMO = Path(__file__).resolve().parents[3] / "demo" / "skb"


def silent(_said: str) -> None:
    """Take progress and say nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    out = tmp_path_factory.mktemp("skb") / "demo.skb"
    build_base(open_record_files([DEMO]), out, silent)
    return open_base(out)


@pytest.fixture(scope="module")
def ladybug(built: BuiltKnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> LadybugSession:
    session = LadybugSession(tmp_path_factory.mktemp("graph") / "demo.lbug")
    asyncio.run(load_into_graph(built, session, silent, batch=100))
    return session
