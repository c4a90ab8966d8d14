"""The rules of the judge without a language model, each by an example on either side of it."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import pytest

from eval.omgqa.judging.cases import Case, Shown, Task, Word
from eval.omgqa.judging.extractive import (
    ExtractiveJudge,
    Thresholds,
    cited_sentences,
    is_complete,
    states_a_fact,
)
from heliograph.protocols import Vectors
from heliograph.types import EvidenceId

TOPICS = ("heat", "ice", "plume")


class TopicEmbedder:
    """Texts are near by the topics that they name: one shared topic of one is cosine 1, one of two 0.71, none 0."""

    name = "topics"
    dimensions = len(TOPICS) + 1

    async def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.array([[float(topic in text) for topic in TOPICS] + [0.0] for text in texts], dtype=np.float32)
        rows[~rows.any(axis=1), -1] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


JUDGE = ExtractiveJudge(TopicEmbedder())


def piece(text: str, number: int = 1) -> Shown:
    return Shown(EvidenceId(f"w:Io@7#s1/p{number}"), "text", ("Io", "Surface"), text)


async def says(task: Task, question: str, answer: str, *texts: str, accepted: tuple[str, ...] = ()) -> bool:
    pieces = tuple(piece(text, number) for number, text in enumerate(texts, start=1))
    word = await JUDGE.judge(Case(task, question, answer, pieces, accepted))
    assert word == Word(word.yes, None)
    return word.yes


@pytest.mark.parametrize(
    ("text", "accepted", "yes"),
    [
        ("Its heat comes from tides.", (), True),
        ("It was seen in 1610.", (), False),
        ("A plume gives heat.", (), True),  # cosine 0.71
        ("A plume of ice gives heat.", (), False),  # cosine 0.58, below NEAR
        ("A plume of ice gives heat.", ("ice",), True),  # says an answer, and is AKIN
        ("A plume of ices gives heat.", ("ice",), False),  # an answer as words of their own
        ("It was seen in 1610.", ("1610",), False),  # says an answer, and has nothing to do with the question
    ],
)
async def test_relevancy(text: str, accepted: tuple[str, ...], yes: bool) -> None:
    assert await says("relevancy", "Where does the heat come from?", "", text, accepted=accepted) is yes


async def test_a_passage_that_is_near_makes_a_long_piece_relevant() -> None:
    far = "It was seen in ice by a plume. " * 6
    assert await says("relevancy", "What of heat?", "", f"{far} Then came heat. It stayed.")


@pytest.mark.parametrize(
    ("claim", "texts", "yes"),
    [
        ("Io was seen in 1610.", ("Io was seen in 1610 by Galileo.",), True),  # its words
        ("Io was seen in 1611.", ("Io was seen in 1610 by Galileo.",), False),  # a figure that stands nowhere
        ("The heat of Io is 42 degrees.", ("Warmth and heat abound.",), False),  # near, but for the figure
        ("Tides bring heat to it.", ("It is kept warm: heat.",), True),  # a paraphrase
        ("Nobody lives on Io.", ("It is kept warm: heat.",), False),
        ("Io was seen in 1610 by Galileo with a telescope.", ("Galileo saw Io in 1610.", "He had a telescope."), True),
        ("Io was seen in 1610.", (), False),
    ],
)
async def test_support(claim: str, texts: tuple[str, ...], yes: bool) -> None:
    assert await says("support", "Who saw Io?", claim, *texts) is yes


SEEN, HIGH = "Io was seen in 1610 by Galileo.", "Pele is 300 km high."


@pytest.mark.parametrize(
    ("answer", "yes"),
    [
        ("Io was seen in 1610. [1] Pele is 300 km high. [2]", True),
        ("Io was seen in 1610 [1]. It is far away.", True),  # what cites nothing is not judged
        ("Io was seen in 1610. [2]", False),
        ("Io was seen in 1610. [1][2]", True),  # both together
        ("Io was seen in 1610. [1] Pele is 200 km high. [2]", False),
        ("Io was seen in 1610. [3]", False),  # leads to nothing
        ("Io was seen in 1610.", False),
    ],
)
async def test_correct_use(answer: str, yes: bool) -> None:
    assert await says("correct_use", "Who saw Io?", answer, SEEN, HIGH) is yes


@pytest.mark.parametrize(
    ("answer", "yes"),
    [
        ("Io was seen in 1610. [1] Pele is high above it. [2]", True),
        ("Io was seen in 1610 [1]. Pele is 300 km high.", False),
        ("In short: Io was seen in 1610. [1]", True),
        ("Here they are:\nIo was seen in 1610. [1]\nWhat else?", True),
        ("Fine.", False),
        ("", False),
    ],
)
async def test_completeness(answer: str, yes: bool) -> None:
    assert is_complete(answer) is yes
    assert await says("completeness", "Who saw Io?", answer) is yes


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("It is 42.", True),
        ("It is Pele.", True),
        ("The moon circles a planet.", True),
        ("It is so.", False),
        ("Who knows Pele?", False),
        ("The following moons circle Jupiter:", False),
        ("", False),
    ],
)
def test_what_states_a_fact(sentence: str, fact: bool) -> None:
    assert states_a_fact(sentence) is fact


def test_markers_belong_to_the_sentence_before_them() -> None:
    assert cited_sentences("One. [1][2] Two [3]. [4] Three") == (("One.", (1, 2)), ("Two.", (3, 4)), ("Three", ()))
    assert cited_sentences("[1] One.") == (("One.", (1,)),)
    assert cited_sentences("[1]") == ()


def test_what_decides_words_is_in_the_hash() -> None:
    class Other(TopicEmbedder):
        name = "other"

    judges = (JUDGE, ExtractiveJudge(Other()), ExtractiveJudge(TopicEmbedder(), Thresholds(near=0.7)))
    hashes = [judge.prompt(task) for judge in judges for task in get_args(Task)]
    assert len(set(hashes)) == len(hashes) == 15
    assert JUDGE.prompt("support") == ExtractiveJudge(TopicEmbedder()).prompt("support")
