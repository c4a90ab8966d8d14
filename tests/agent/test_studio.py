"""The graph of langgraph.json: a question goes in, steps come on the way, the answer record comes out."""

import json
import shutil
from pathlib import Path

import pytest

from agent.studio import Choices, flags_of, make_graph

QUESTION = "-- Who designed the lighthouse on the largest of the Varn Islands?"


async def test_a_question_is_answered_and_its_steps_are_streamed(archive: Path, home: Path) -> None:
    home.mkdir()
    shutil.copy(archive, home / "demo.zim")
    chunks = [
        chunk
        async for chunk in make_graph().astream(
            {"question": QUESTION}, context=Choices(rounds=1), stream_mode=["custom", "values"]
        )
    ]
    state = chunks[-1][1]
    (folder,) = (home / "runs").iterdir()
    assert json.dumps(state["record"], ensure_ascii=False) == (folder / "answer.json").read_text().rstrip("\n")
    assert state["answer"] == state["record"]["answer"]
    streamed = [said for mode, said in chunks if mode == "custom"]
    assert [each["step"]["name"] for each in streamed if "step" in each][-1] == "ask"
    assert {"progress": "round 1: reflecting"} in streamed


async def test_what_goes_wrong_is_said_in_the_words_of_the_command(home: Path) -> None:
    with pytest.raises(RuntimeError, match="unknown preset 'nosuch'"):
        await make_graph().ainvoke({"question": QUESTION}, context=Choices(preset="nosuch"))


def test_the_settings_in_force_decide_and_the_demo_serves_where_there_is_no_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert flags_of(Choices()) == ("--preset", "demo")
    assert flags_of(Choices("live", 2, "light")) == ("--preset", "live", "--rounds", "2", "--graph", "light")
    monkeypatch.setenv("HELIOGRAPH_SOURCES", '["zim:a.zim"]')
    assert flags_of(Choices()) == ()
