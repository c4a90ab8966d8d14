"""Any question at all, through the whole application on a real archive, ends in an answer or in an abstention."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from heliograph import Heliograph
from heliograph.errors import InvalidQuestion

WORDS = [
    "Skerry Head Light",
    "Holm Light",
    "who",
    "how many",
    "the largest",
    "inhabitants",
    "1871",
    "Torvik",
    '"',
    "of",
]
questions = st.text(max_size=80) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


@pytest.fixture(scope="module")
def heliograph(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Heliograph]:
    asked = Heliograph(sources=[f"zim:{archive}"], home=tmp_path_factory.mktemp("any") / "home")
    yield asked
    asked.close()


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(questions)
@example("NOT AND OR")
@example("\u200d a")
@example('"""')
@example("0")
@example("İı ﬁ ß")
@example("inhabitants" + 5 * " Skerry Head Light")
def test_any_question_ends_in_an_answer_or_an_abstention(heliograph: Heliograph, question: str) -> None:
    try:
        answer = asyncio.run(heliograph.ask(question))
    except InvalidQuestion:
        return
    assert answer.answer
    assert answer.abstained == (not answer.claims)
    assert bool(answer.claims) == bool(answer.citations)
    markers = {citation.marker for citation in answer.citations}
    assert {cited.marker for claim in answer.claims for cited in claim.citations} == markers
    assert all(claim.verdict in {"quoted", "supported", "computed"} for claim in answer.claims)
    assert all(claim.text.strip() and claim.citations for claim in answer.claims)
    assert all(citation.quote.strip() for citation in answer.citations)
