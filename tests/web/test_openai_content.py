"""Answers of several parts over OpenAI's API: every citation stands at its marker, streamed or not."""

import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.answer_parts import cited_markers
from heliograph.types import Answer, EvidenceId, Form, Need, ToldClaim
from heliograph.types.streaming import Answered, Begun, Claimed, Planned, StreamEvent
from tests.reports import REPORT
from tests.web.researchers import answer_to, office, served
from web.openai_replies import Completion

BASE = "http://here/"


def marked(content: str, notes: list[Any]) -> list[str]:
    """Return what stands where the annotations point."""
    places = [note["url_citation"] for note in notes]
    return [content[place["start_index"] : place["end_index"]] for place in places]


def test_every_marker_of_a_report_is_a_citation_where_it_stands() -> None:
    message: Any = Completion("heliograph", BASE).whole(REPORT)["choices"][0]["message"]  # type: ignore[index]
    assert marked(message["content"], message["annotations"]) == [f"[{marker}]" for marker in cited_markers(REPORT)]
    assert message["content"].startswith(
        "# The moons of Saturn: atmospheres, oceans and their exploration\n\nSaturn has"
    )
    assert "| Kraken Mare | Sea | 400,000 | North [4] |" in message["content"]
    assert "\n\n> Computed: Greatest by Mean diameter" in message["content"]
    assert message["content"].endswith("Not found: what the orbits of the irregular moons have in common")


def test_no_tag_of_a_page_begins_in_a_reply_and_citations_still_fit() -> None:
    answer = answer_to("What is Orvo?", 'It is <img src="http://evil.example/x"> 3 < 4.', "It is <b>grey</b>.")
    message: Any = Completion("heliograph", BASE).whole(answer)["choices"][0]["message"]  # type: ignore[index]
    assert not re.search("<[a-z/]", message["content"])
    assert "3 < 4." in message["content"]
    assert marked(message["content"], message["annotations"]) == ["[1]", "[2]"]


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=30), st.sampled_from(["<img src=http://evil.example>", "![x](http://e.example)", "[9]", "|", "é𝄞"])
)
def test_citations_fit_whatever_a_page_wrote(text: str, other: str) -> None:
    hostile = tuple(replace(claim, text=f"{text}{other}") for claim in REPORT.claims)
    blocks = tuple(replace(block, text=f"{other}{text}") for block in REPORT.blocks)
    answer = replace(REPORT, claims=hostile, blocks=blocks)
    message: Any = Completion("heliograph", BASE).whole(answer)["choices"][0]["message"]  # type: ignore[index]
    assert marked(message["content"], message["annotations"]) == [f"[{marker}]" for marker in cited_markers(answer)]
    assert not re.search(r"(?<!\\)<[a-z]|(?<!\\)!\[", message["content"])


def played(answer: Answer, form: Form) -> Any:
    async def script(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        yield Begun(answer.run)
        yield Planned(form, (Need(question),))
        for number, claim in enumerate(answer.claims, start=1):
            cited = tuple(each for each in answer.citations if each.marker in {m.marker for m in claim.citations})
            markers = "".join(f"[{each.marker}]" for each in claim.citations)
            yield Claimed(number, ToldClaim(f"{claim.text} {markers}", claim, cited))
        yield Answered(answer)

    return script


@pytest.mark.parametrize("form", ["report", "short"])
def test_a_stream_sends_the_parts_of_a_report_and_the_claims_of_a_short_answer(form: Form, tmp_path: Path) -> None:
    parts, researcher = office(tmp_path, played(replace(REPORT, form=form), form))
    content, notes, chunks = "", [], 0
    with served(parts) as address, openai.OpenAI(base_url=f"{address}/v1", api_key="none") as client:
        ask: Any = {"role": "user", "content": "Write a report on the moons of Saturn"}
        for chunk in client.chat.completions.create(model="heliograph", messages=[ask], stream=True):
            delta = chunk.choices[0].delta
            content += delta.content or ""
            chunks += bool(delta.content)
            notes += getattr(delta, "annotations", None) or []
        said: Any = {"role": "assistant", "content": content}
        later: Any = {"role": "user", "content": "And who found Titan?"}
        client.chat.completions.create(model="heliograph", messages=[ask, said, later])
    assert set(marked(content, notes)) == {f"[{citation.marker}]" for citation in REPORT.citations}
    assert all(re.fullmatch(r"\[\d+\]", each) for each in marked(content, notes))
    assert "| Kraken Mare | Sea | 400,000 | North [4] |" in content
    assert ("## Titan" in content, content.startswith("Saturn has")) == (form == "report", form == "short")
    assert chunks > 10
    assert len(researcher.asked[1][1]) == len({citation.evidence for citation in REPORT.citations})
