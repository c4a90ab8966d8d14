"""The tools over a knowledge base: what is found, what shows it, and what is refused, over MCP."""

from pathlib import Path

import pytest
from mcp import Client
from mcp.types import CallToolResult

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files
from tests.web.mcp_servers import TOOLS, over_stdio, serving

DEMO = Path(__file__).resolve().parents[2] / "demo" / "skb"
OURS = ["search_entities", "neighbours", "follow_path", "intersect"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("skb") / "demo.skb"
    build_base(open_record_files([DEMO]), out, lambda _said: None)
    return out


@pytest.fixture
def base(folder: Path) -> BuiltKnowledgeBase:
    return open_base(folder)


def ids(result: CallToolResult) -> list[str]:
    assert result.structured_content is not None, result
    return [each["id"] for each in result.structured_content["entities"]]


def said(result: CallToolResult) -> str:
    (content,) = result.content
    return str(content.text)


async def test_entities_are_found_by_words_and_by_relations(archive: Path, base: BuiltKnowledgeBase) -> None:
    async with serving(archive, base=base) as address, Client(address) as client:
        lakes = await client.call_tool(
            "search_entities", {"query": "lakes of liquid methane", "type": "moon", "limit": 1}
        )
        found = await client.call_tool("neighbours", {"entity": "Christiaan Huygens", "relation": "discovered"})
        ranked = await client.call_tool(
            "neighbours", {"entity": "Saturn", "type": "moon", "query": "lakes of liquid methane", "limit": 2}
        )
        steps = [{"relation": "discovered", "direction": "out"}, {"relation": "orbits", "type": "planet"}]
        path = await client.call_tool("follow_path", {"entities": ["christiaan-huygens"], "steps": steps})
    assert ids(lakes) == ["titan"]
    assert ids(found) == ["titan"]
    assert ids(ranked)[0] == "titan" and len(ids(ranked)) == 2
    assert ranked.structured_content is not None and ranked.structured_content["total"] > 2
    assert ids(path) == ["saturn"]
    assert path.structured_content is not None
    shown = path.structured_content["entities"][0]["shown_by"]
    assert [line.partition(":")[0] for line in shown] == [
        "Christiaan Huygens —discovered→ Titan",
        "Titan —orbits→ Saturn",
    ]
    assert "Titan —orbits→ Saturn" in said(path)


async def test_conditions_are_met_all_at_once_and_negated_ones_exclude(archive: Path, base: BuiltKnowledgeBase) -> None:
    of_jupiter = {"entity": "jupiter", "steps": [{"relation": "orbits", "direction": "in"}]}
    by_galilei = {"entity": "galileo-galilei", "steps": [{"relation": "discovered"}]}
    async with serving(archive, base=base) as address, Client(address) as client:
        both = await client.call_tool("intersect", {"conditions": [of_jupiter, by_galilei]})
        rest = await client.call_tool(
            "intersect", {"conditions": [of_jupiter, {**by_galilei, "negated": True}], "type": "moon", "limit": 100}
        )
    assert set(ids(both)) == {"io", "europa", "ganymede", "callisto"}
    assert "amalthea" in ids(rest) and not set(ids(both)) & set(ids(rest))


async def test_what_the_base_has_not_is_an_error_that_names_it(archive: Path, base: BuiltKnowledgeBase) -> None:
    async with serving(archive, base=base) as address, Client(address) as client:
        nobody = await client.call_tool("neighbours", {"entity": "Sputnik"})
        relation = await client.call_tool("neighbours", {"entity": "Titan", "relation": "eats"})
        steps = await client.call_tool("follow_path", {"entities": ["Titan"], "steps": []})
    assert nobody.is_error and "no entity has the id or the name 'Sputnik'" in said(nobody)
    assert relation.is_error and "no relation 'eats'" in said(relation)
    assert steps.is_error


async def test_the_tools_are_there_with_a_base_alone(archive: Path, folder: Path, home: Path) -> None:
    async with over_stdio(archive, home, extra=("--skb", str(folder))) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [*TOOLS, *OURS]
    async with serving(archive) as address, Client(address) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
