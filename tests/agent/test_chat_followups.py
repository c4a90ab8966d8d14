"""Follow-ups by rules: the examples, the questions that stand alone, and what cannot be understood."""

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.chat.cues import cue_of
from agent.chat.extractive import ExtractiveStandAlone
from agent.chat.mentions import noun_phrase
from agent.chat.understanding import Understanding, understand
from heliograph.types import EvidenceId
from indexers.parser import page_key
from memory.conversations import Turn

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [json.loads(line) for line in (ROOT / "tests/data/followups.jsonl").read_text(encoding="utf8").splitlines()]
LEAST_RIGHT = {"development": 40, "held-out": 39, "afterwards": 28}
"""What the rules reach; the held-out half and the examples written afterwards were not tuned on."""

NEPTUNE = (
    "Which is the largest moon of Neptune?",
    "The largest moon of Neptune is Triton, at 2,707 km. [1]",
    "Neptune",
)


def turn(question: str, answer: str, *titles: str, number: int = 1) -> Turn:
    cited = tuple(EvidenceId(f"{page_key('w', title, '1')}#s0/p1") for title in titles)
    return Turn(number, question, question, f"run-{number}", answer, answer.startswith("I found no answer"), cited)


def turns_of(example: dict[str, Any]) -> tuple[Turn, ...]:
    return tuple(
        turn(said["question"], said["answer"], *said["titles"], number=number)
        for number, said in enumerate(example["turns"], start=1)
    )


async def understood(question: str, *turns: Turn) -> Understanding:
    return await understand(question, turns, ExtractiveStandAlone())


@pytest.mark.parametrize("half", LEAST_RIGHT)
async def test_follow_ups_become_the_questions_that_they_mean(half: str) -> None:
    wrong = []
    examples = [example for example in EXAMPLES if example["half"] == half]
    for example in examples:
        said = await understood(example["question"], *turns_of(example))
        if said.asked not in example["expected"]:
            wrong.append((example["id"], said.asked))
    assert len(examples) - len(wrong) >= LEAST_RIGHT[half], wrong


def test_the_examples_are_many_varied_and_each_there_once() -> None:
    assert len(EXAMPLES) == len({example["id"] for example in EXAMPLES}) == 110
    assert len({example["domain"] for example in EXAMPLES}) > 30
    assert {example["half"] for example in EXAMPLES} == set(LEAST_RIGHT)


async def test_a_conversation_comes_back_to_what_it_began_with() -> None:
    said = [
        turn(*NEPTUNE),
        turn("What is Triton's diameter?", "Moon: Triton; Diameter (km): 2,707. [1]", "Neptune", number=2),
    ]
    second = await understood("And its second largest moon?", *said)
    assert second.asked == "Which is the second largest moon of Neptune?"
    said.append(
        turn(second.asked, "The second largest moon of Neptune is Proteus, at 418 km. [1]", "Neptune", number=3)
    )
    assert (await understood("What is its diameter?", *said)).asked == "What is Proteus's diameter?"
    said.append(turn("What is Proteus's diameter?", "418 km. [1]", "Proteus (moon)", number=4))
    assert (await understood("Who discovered it?", *said)).asked == "Who discovered Proteus?"
    assert (
        await understood("And the third largest moon?", *said)
    ).asked == "Which is the third largest moon of Neptune?"


@pytest.mark.parametrize(
    "question",
    [json.loads(line)["question"] for line in (ROOT / "demo/questions2.jsonl").read_text("utf8").splitlines()],
)
async def test_a_question_that_a_stranger_asked_alone_stays_as_it_is(question: str) -> None:
    assert await understood(question, turn(*NEPTUNE)) == Understanding(question)


NAMES = st.sampled_from(["Saturn", "the Eiffel Tower", "Ada Brandt", "Lake Baikal", "Apollo 11", "the Varn Islands"])
NOUNS = st.sampled_from(
    ["moon", "bridge", "largest city", "first opera", "second highest peak", "mass", "wife", "lamp"]
)
SHAPES = st.sampled_from(
    [
        "What is the {noun} of {name}?",
        "Which {noun} was built by {name}?",
        "Who discovered the {noun} of {name}?",
        "When was {name} the {noun} of {other}?",
        "How far is {name} from {other}?",
        "Is {name} larger than {other}?",
        "Did {name} and {other} ever have a {noun}?",
        "How many {noun}s does {name} have?",
        "Where does the {noun} of {name} stand?",
        "In which year did {name} reach {other}?",
        "Is it true that {name} has a {noun}?",
        "How long does it take from {name} to {other}?",
        "Are there people on {name}?",
        "Why is there no {noun} on {name}?",
        "Which {noun} that stands near {name} was the first?",
    ]
)


@given(SHAPES, NOUNS, NAMES, NAMES)
async def test_a_question_without_a_cue_passes_unchanged(shape: str, noun: str, name: str, other: str) -> None:
    question = shape.format(noun=noun, name=name, other=other)
    before = turn(*NEPTUNE), turn("Who designed Holm Light?", "It was designed by Ada Brandt.", "Holm Light", number=2)
    assert await understood(question, *before) == Understanding(question)


@given(st.text(max_size=60))
async def test_the_first_question_of_a_conversation_passes_unchanged(question: str) -> None:
    assert await understood(question) == Understanding(question)


WORDS = re.findall(
    r"\S+",
    "and what about its it he she they there the second largest one of Saturn why when how many did a 1990 then that "
    "year which these , ? ' \" ( former 灯台",
)


@given(
    st.lists(
        st.sampled_from(WORDS),
        min_size=1,
        max_size=9,
    ),
    st.lists(
        st.sampled_from([*(EXAMPLES[place]["turns"][0]["question"] for place in range(0, 80, 3)), "?", "a"]), min_size=1
    ),
)
async def test_no_follow_up_is_an_error_or_grows_without_end(words: Sequence[str], asked: Sequence[str]) -> None:
    turns = [turn(question, "Triton: Moon: Io; 7. [1]", "Io (moon)", number=n) for n, question in enumerate(asked, 1)]
    said = await understood(" ".join(words), *turns)
    assert said.asked.strip()
    assert len(said.asked) <= len(" ".join(words)) + 3 * max(map(len, asked)) * len(words) + 40


async def test_what_is_open_is_named_and_the_question_asked_as_it_stands() -> None:
    said = await understood("When was he born?", turn("How deep is the sea?", "4 km. [1]"))
    assert said == Understanding("When was he born?", "he")


async def test_an_abstention_says_nothing_that_a_pronoun_could_mean() -> None:
    silent = turn("What is the capital of Atlantis?", "I found no answer: nothing says Poseidonis. Pages read: 3.")
    assert (await understood("How old is it?", silent)).asked == "How old is Atlantis?"


async def test_why_after_why_does_not_pile_up() -> None:
    once = (await understood("why?", turn(*NEPTUNE))).asked
    assert once == "Which is the largest moon of Neptune, and why?"
    assert (await understood("and when?", turn(once, "Nobody knows."))).asked == (
        "Which is the largest moon of Neptune, and when?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Because of the ridge around its middle, Iapetus looks like what kind of nut?",
        "Which king killed his wife?",
        "When did Verdi write his last opera?",
        "What did Ada Brandt do before she came to Torvik?",
        "Who made it possible to measure the Sun?",
        "What time is it in Tokyo?",
        "There is a lighthouse on Storholm: how tall?",
    ],
)
def test_pronouns_that_the_question_itself_explains_are_no_cue(question: str) -> None:
    assert cue_of(question) == ""


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("How long does an elephant live?", "an elephant"),
        ("What do koalas eat?", "koalas"),
        ("What is the boiling point of mercury?", "mercury"),
        ("Who invented the steam turbine?", "the steam turbine"),
        ("How high?", None),
    ],
)
def test_what_a_question_without_names_is_about(question: str, phrase: str | None) -> None:
    found = noun_phrase(question)
    assert (found.text if found else None) == phrase
    if found:
        assert re.sub(r"\s+", " ", question[found.start : found.end]) == phrase


@pytest.mark.parametrize("part", ["St. Io [1] it discovered the Name of ", " ", "Io is ", "It is Io. He "])
async def test_a_message_of_any_length_is_leant_on_by_its_beginning(part: str) -> None:
    long = turn("Who discovered Io?", "Galileo discovered Io. " + part * (198_000 // len(part)), "Io")
    began = time.process_time()
    said = await understood("How large is it?", long)
    assert time.process_time() - began < 10  # the time of the processor: it took minutes
    assert said.asked == "How large is Io?"


async def test_a_question_of_pronouns_alone_is_read_by_its_first_ones() -> None:
    asked = [turn("Who discovered Io?", "Galileo discovered Io. " * 150, "Io", number=number) for number in range(1, 7)]
    began = time.process_time()
    await understood(("Is he it " * 450).strip(), *asked)
    assert time.process_time() - began < 10
