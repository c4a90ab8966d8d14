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

from agent.chat.extractive import ExtractiveStandAlone, leanings
from agent.chat.mentions import lists, nouns
from agent.chat.understanding import Understanding, understand
from heliograph.types import EvidenceId
from indexers.parser import page_key
from memory.conversations import Turn

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [json.loads(line) for line in (ROOT / "tests/data/followups.jsonl").read_text(encoding="utf8").splitlines()]
LEAST_RIGHT = {"development": 40, "held-out": 35, "afterwards": 27}
"""What the rules reach, word for word; no example of the held-out half was looked at."""

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
    assert leanings(question, (turn(*NEPTUNE),)) == ()


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("How long does an elephant live?", ["an elephant"]),
        ("What do koalas eat?", ["koalas"]),
        ("What is the boiling point of mercury?", ["mercury"]),
        ("Who invented the steam turbine?", ["the steam turbine"]),
        ("how far can a cheetah run on grass", ["a cheetah", "grass"]),
        ("which metals conduct electricity best", ["metals"]),
        ("How high?", []),
    ],
)
def test_what_a_question_without_names_is_about(question: str, phrases: list[str]) -> None:
    found = nouns(question)
    assert [noun.text for noun in found] == phrases
    assert [question[noun.start : noun.end] for noun in found] == phrases


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ("Io, Europa, Ganymede and Callisto. [1]", ("Io", "Europa", "Ganymede", "Callisto")),
        (
            "The usual ones are the bow saw, the pole saw and the folding saw.",
            ("the bow saw", "the pole saw", "the folding saw"),
        ),
        ("Yes, walnuts, almonds or cashews work well.", ("walnuts", "almonds", "cashews")),
        ("It came from the works of Holm and played no part.", ()),
    ],
)
def test_what_an_answer_lists(answer: str, items: tuple[str, ...]) -> None:
    assert next(iter(lists(answer)), ()) == items


CITIES = ("Which cities lie on the Varn?", "Torvik, Holm and Skerry lie on it.")
SAWS = ("What is better for plywood, a jigsaw or a circular saw?", "A circular saw; a jigsaw wanders.")


@pytest.mark.parametrize(
    ("before", "question", "asked"),
    [
        # which earlier thing is meant: by kind, by number, by what the answer gave, by the alternatives
        (("who wrote middlemarch", "George Eliot wrote Middlemarch."), "was she married", "Was George Eliot married"),
        (("who wrote middlemarch", "George Eliot wrote Middlemarch."), "how long is it", "How long is middlemarch"),
        (("how do vaccines work", "By a harmless part of a germ."), "are they safe", "Are vaccines safe"),
        (SAWS, "how deep can it cut", "How deep can a circular saw cut"),
        (("Where is Orange?", "In the south of France."), "is it warm there", "Is Orange warm in France"),
        (("when does Café Holm open", "At 8."), "do they sell tea", "Do Café Holm sell tea"),
        (("what is that film where it rains all week", "That's Wet Days."), "where did they shoot it",
         "Where did they shoot Wet Days"),
        # sets, and one of two
        (CITIES, "which of them is oldest", "Which of Torvik, Holm and Skerry is oldest"),
        (CITIES, "and which one the oldest?", "Which of Torvik, Holm and Skerry the oldest?"),
        (CITIES, "of the three you named, who rules Holm?", "Of Torvik, Holm and Skerry, who rules Holm?"),
        (SAWS, "can I use the first one on steel", "Can I use a jigsaw on steel"),
        (SAWS, "and which is cheaper?", "Which of a jigsaw and a circular saw is cheaper?"),
        (("has Ganymede got a field", "Yes."), "what about Io, has it got one too?", "Io, has it got a field too?"),
        # what is left out
        (("how much salt for a kilo of flour", "20 g."), "and yeast?", "How much yeast for a kilo of flour?"),
        (("how do I sort a list in python", "By sorted."), "in ruby?", "How do I sort a list in ruby?"),
        (("how long do cats live", "15 years."), "dogs?", "How long do dogs live?"),
        (("when was Bob born", "In 1945."), "and died?", "When was Bob died?"),
        (("how fast may I drive", "130 km/h."), "and when it rains?", "How fast may I drive when it rains?"),
        # corrections
        (("has Venus got a moon", "No."), "no, I meant an atmosphere", "Has Venus got an atmosphere?"),
        (("Where is Orange?", "In France."), "no, I meant the river", "Where is Orange, the river?"),
        (("Who sang in Genesis?", "Phil Collins."), "No, the other one",
         "Who sang in Genesis, the other one, not Phil Collins?"),
    ],
)  # fmt: skip
async def test_each_mechanism(before: tuple[str, str], question: str, asked: str) -> None:
    assert (await understood(question, turn(*before))).asked == asked


async def test_what_stood_for_a_pronoun_stands_for_the_next_one() -> None:
    first = turn("is mercury heavier than lead", "Yes, by a fifth.")
    second = Turn(2, "would gold swim on it?", "Would gold swim on mercury?", "", "No, gold goes down.", False)
    assert (await understood("why is it liquid", first, second)).asked == "Why is mercury liquid"


@pytest.mark.parametrize(
    "question",
    [
        "and how do you get red wine out of a carpet?",
        "Is it going to be a leap year in 2028?",
        "what about the film Arrival, who directed that?",
        "and why is there such a thing as a leap second?",
        "Which of the two Koreas has more inhabitants?",
        "what happened in 1990?",
        "White Sox owner?",
        "who was it that lit Holm Light?",
        "when did they build the old methodist church in camden",
        "The Royal Society gives its prize every other year. Who got it in 2018?",
        "ok other thing: when they say a file has 755 in linux what does that mean",
    ],
)
@pytest.mark.parametrize("before", [CITIES, SAWS, NEPTUNE[:2]])
async def test_a_new_topic_is_never_mixed_with_the_old_one(question: str, before: tuple[str, str]) -> None:
    assert await understood(question, turn(*before)) == Understanding(question)


TOLD = st.lists(
    st.sampled_from(["river", "lamp", "keeper", "Holm", "Varn", "old", "bridge", "1990"]), min_size=1, max_size=5
)
ASKING = st.sampled_from(["When did", "Why is", "Who built", "How does", "Which keeper saw", "and where is", "Is"])


@given(ASKING, TOLD, st.sampled_from([CITIES, SAWS, NEPTUNE[:2]]))
async def test_a_question_without_pronoun_ellipsis_or_correction_comes_back_unchanged(
    asking: str, told: list[str], before: tuple[str, str]
) -> None:
    question = f"{asking} the {' '.join(told)}?"
    assert await understood(question, turn(*before)) == Understanding(question)


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
