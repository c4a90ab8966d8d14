"""Follow-ups by a trained reader: what it points at becomes a question that stands alone, in words that were said."""

import re
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.chat.follow_ups import LIKELY, AsTyped, TrainedStandAlone, completed
from agent.chat.understanding import TURNS_HEARD, Understanding, understand
from heliograph.types import EvidenceId
from indexers.models.follow_ups import Exchange, FollowUp, FollowUpKind, follow_up_reader
from indexers.parser import page_key
from memory.conversations import Turn

NEPTUNE = (
    "Which is the largest moon of Neptune?",
    "The largest moon of Neptune is Triton, at 2,707 km. [1]",
    "Neptune",
)


def turn(question: str, answer: str, *titles: str, number: int = 1) -> Turn:
    cited = tuple(EvidenceId(f"{page_key('w', title, '1')}#s0/p1") for title in titles)
    return Turn(number, question, question, f"run-{number}", answer, answer.startswith("I found no answer"), cited)


class Pointing:
    """Points at the same words in every question, and remembers what it was shown."""

    def __init__(self, kind: FollowUpKind, replaced: str = "", said: str = "", probability: float = 0.9) -> None:
        self.kind, self.replaced, self.said, self.probability = kind, replaced, said, probability
        self.shown: list[tuple[str, tuple[Exchange, ...]]] = []

    def read(self, question: str, exchanges: Sequence[Exchange]) -> FollowUp:
        self.shown.append((question, tuple(exchanges)))
        base = question if self.kind == "last" else exchanges[-1][0]
        place = re.search(rf"\b{self.replaced}\b", base) if self.replaced else None
        if self.replaced and place is None:
            return FollowUp("alone", 1.0)
        return FollowUp(self.kind, self.probability, place.span() if place else None, self.said)


@pytest.mark.parametrize(
    ("question", "kind", "replaced", "said", "asked"),
    [
        ("how far is it from Earth?", "last", "it", "Triton", "How far is Triton from Earth?"),
        ("and what is its diameter?", "last", "its", "Triton", "What is Triton's diameter?"),
        ("did their keepers live there", "last", "their", "the lights", "Did the lights' keepers live there"),
        ("who taught her?", "last", "her", "Ada Brandt", "Who taught Ada Brandt?"),
        ("who was her teacher?", "last", "her", "Ada Brandt", "Who was Ada Brandt's teacher?"),
        ("is it cold there?", "last", "there", "Torvik", "Is it cold in Torvik?"),
        ("how far is it from there?", "last", "there", "Torvik", "How far is it from Torvik?"),
        ("who ruled then", "last", "then", "1889", "Who ruled in 1889"),
        ("which one is older?", "last", "one", "Holm and Torvik", "Which of Holm and Torvik is older?"),
        ("how many of them burn?", "last", "of them", "the lights", "How many of the lights burn?"),
        ("how high?", "last", "", "Holm Light", "How high, Holm Light?"),
        ("and Saturn?", "previous", "Neptune", "Saturn", "Which is the largest moon of Saturn?"),
        ("and in 1900?", "previous", "", "in 1900", "Which is the largest moon of Neptune in 1900?"),
        ("i mean the river", "previous", "largest moon", "the river", "Which is the river of Neptune?"),
        ("no, the smallest", "previous", "the largest", "the smallest", "Which is the smallest moon of Neptune?"),
    ],
)
async def test_words_take_the_place_of_others_in_the_form_that_it_wants(
    question: str, kind: FollowUpKind, replaced: str, said: str, asked: str
) -> None:
    rewriter = TrainedStandAlone(Pointing(kind, replaced, said))
    assert await understand(question, (turn(*NEPTUNE),), rewriter) == Understanding(asked)


async def test_what_stands_alone_passes_letter_by_letter() -> None:
    question = "and  what is Mars??"
    assert await understand(question, (turn(*NEPTUNE),), TrainedStandAlone(Pointing("alone"))) == Understanding(
        question
    )
    assert await understand(question, (turn(*NEPTUNE),), AsTyped()) == Understanding(question)


async def test_the_first_question_of_a_conversation_is_not_read() -> None:
    reader = Pointing("last", "it", "Triton")
    assert await understand("how big is it", (), TrainedStandAlone(reader)) == Understanding("how big is it")
    assert reader.shown == []


async def test_what_is_not_likely_enough_is_asked_as_it_stands_and_named() -> None:
    rewriter = TrainedStandAlone(Pointing("last", "he", "Triton", LIKELY - 0.01))
    said = await understand("When was he born?", (turn(*NEPTUNE),), rewriter)
    assert said == Understanding("When was he born?", "he")
    whole = await understand("and Mars?", (turn(*NEPTUNE),), TrainedStandAlone(Pointing("previous", "", "x", 0.1)))
    assert whole == Understanding("and Mars?", "and Mars?")


async def test_nothing_of_an_abstention_and_the_last_turns_alone_are_read() -> None:
    reader = Pointing("alone")
    silent = [turn(f"Question {n}?", "I found no answer: nothing says it.", number=n) for n in range(1, 10)]
    await understand("how old is it?", silent, TrainedStandAlone(reader))
    ((_, exchanges),) = reader.shown
    assert exchanges == tuple((f"Question {n}?", "") for n in range(10 - TURNS_HEARD, 10))


@given(st.text(min_size=1, max_size=60), st.text(max_size=60), st.text(min_size=1, max_size=30), st.data())
def test_a_completed_question_says_what_somebody_said(
    question: str, before: str, said: str, data: st.DataObject
) -> None:
    kind = data.draw(st.sampled_from(["last", "previous"]))
    base = question if kind == "last" else before
    start = data.draw(st.integers(0, len(base)))
    place = data.draw(st.one_of(st.none(), st.integers(start, len(base)).map(lambda end: (start, end))))
    told = completed(question, before, FollowUp(kind, 1.0, place, said))
    letters = set(f"{base}{said}in of's, ?".casefold()) | set(f"{base}{said}".upper())
    assert set(told.casefold()) <= letters | {each.casefold() for each in letters}


def shipped() -> TrainedStandAlone:
    return TrainedStandAlone(follow_up_reader(""))


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("how far is it from Earth?", "How far is Triton from Earth?"),
        ("and of Saturn?", "Which is the largest moon of Saturn?"),
        ("Which probe flew past Uranus in 1986?", "Which probe flew past Uranus in 1986?"),
        ("what time is it in Tokyo", "what time is it in Tokyo"),
    ],
)
async def test_the_reader_that_ships_completes_follow_ups_and_nothing_else(question: str, asked: str) -> None:
    assert (await understand(question, (turn(*NEPTUNE),), shipped())).asked == asked


@given(
    st.lists(st.sampled_from(re.findall(r"\S+", "and it its he the one of Io why 1990 then , ? ' \" 灯台")), max_size=9)
)
async def test_any_words_are_asked_in_some_form(words: list[str]) -> None:
    said = await understand(" ".join(words) or "?", (turn(*NEPTUNE),), READER)
    assert said.asked.strip()


READER = TrainedStandAlone(follow_up_reader(""))


async def test_a_message_of_any_length_is_leant_on_by_its_beginning() -> None:
    long = turn("Who discovered Io?", "Galileo discovered Io. " + "It is Io. He " * 15_000, "Io")
    began = time.process_time()
    await understand("How large is it?" + " Is he it" * 450, [long] * 9, READER)
    assert time.process_time() - began < 10  # the time of the processor: it took minutes
