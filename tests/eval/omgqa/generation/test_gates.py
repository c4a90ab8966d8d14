"""What a draft must pass: its words, its nodes and its readers."""

from collections.abc import Callable

import pytest

from eval.omgqa.generation.checking import Checker, pieces_of
from eval.omgqa.generation.drafts import Draft, Passed, Rejected
from eval.omgqa.generation.from_contents import ContentsWriter
from eval.omgqa.generation.from_pairs import PairWriter
from eval.omgqa.generation.replies import ContentsQuestion, ContentsQuestions, NamedNode, WrittenQuestion
from heliograph.errors import ContextOverflow, ModelMalformed, ModelUnreachable
from heliograph.types import Prompt
from tests.eval.omgqa.generation.lights import ARTICLES, FIRST, QUESTION, SECOND, WriterLLM, contents, pair

PAGES = [ARTICLES[title] for title in ("Lights of Varn", "Keepers of Varn")]


async def pair_draft(llm: WriterLLM) -> Draft:
    (draft,) = await PairWriter(llm).drafts(pair(), PAGES)
    return draft


async def contents_drafts(*questions: ContentsQuestion) -> tuple[Draft, ...]:
    llm = WriterLLM({"draw_from_contents": ContentsQuestions(questions=list(questions))})
    return await ContentsWriter(llm).drafts(contents(), PAGES[:1])


async def outcome(llm: WriterLLM) -> Passed | Rejected:
    return await Checker(llm, "pairs, fake").checked(await pair_draft(llm), PAGES)


def refused(found: Passed | Rejected) -> tuple[str, str]:
    assert isinstance(found, Rejected)
    return found.refusal.gate, found.refusal.reason


async def test_a_question_over_two_articles_that_needs_rows_and_text_passes() -> None:
    llm = WriterLLM()
    found = await outcome(llm)
    assert isinstance(found, Passed)
    assert found.question.question == QUESTION
    assert found.question.answers == ("1871",)
    assert found.question.modalities == ("text", "table")
    assert found.question.source == "pairs, fake"
    assert found.question.evidence == (
        "varn:Lights%20of%20Varn@1#s1/t1",
        "varn:Keepers%20of%20Varn@1#s0/p1",
        "varn:Keepers%20of%20Varn@1#s1/t1",
    )
    assert [document.title for document in found.documents] == ["Lights of Varn", "Keepers of Varn"]
    assert llm.names == ["draw_question", "revise_question", *["short_answer"] * 4]


async def test_the_revision_sees_the_first_question_and_texts_of_both_articles() -> None:
    llm = WriterLLM()
    await pair_draft(llm)
    first, second = llm.prompts
    assert "(text)" not in first.parts[0]
    assert "[E1] (row) Lights of Varn > List" in first.parts[0]
    assert "[E2] (row) Keepers of Varn > Lives" in first.parts[0]
    assert "(text) Lights of Varn" in second.parts[0]
    assert "(text) Keepers of Varn" in second.parts[0]
    assert second.parts[1] == "Question so far: In which year was the keeper of North Light born?\nIts answer: 1871"


def written(question: str = QUESTION, answer: str = "1871", pieces: tuple[str, ...] = ("E1", "E2", "E6")) -> WriterLLM:
    return WriterLLM(
        {"draw_question": FIRST, "revise_question": WrittenQuestion(question=question, answer=answer, pieces=pieces)}
    )


@pytest.mark.parametrize(
    ("llm", "gate", "reason"),
    [
        (written("Was the keeper of North Light born in 1871?"), "wording", "it asks for yes or no"),
        (written("What factors led Ida Nord to keep a light?"), "wording", "it is too general: factors"),
        (written("According to the table, when was Ida Nord born?"), "wording", "it points at its material"),
        (written("When was the keeper in [E1] born, in years?"), "wording", "it points at its material"),
        (written("Ida Nord"), "wording", "it is no whole question"),
        (written(answer=""), "wording", "its answer is no fact: empty"),
        (written(answer="Yes."), "wording", "its answer is no fact: Yes."),
        (written(answer="red, white, and blue"), "wording", "its answer is a list"),
        (written(answer="word " * 13), "wording", "its answer has more than 12 words"),
        (written(pieces=("E1", "E99", "E6")), "nodes", "it names a piece that was not shown: E99"),
        (written(pieces=("E1", "E2")), "nodes", "it names no text"),
        (written(pieces=()), "nodes", "it names no table and no text"),
        (written(pieces=("E2", "E6")), "nodes", "it names pieces of one article only"),
    ],
)
async def test_a_draft_of_a_pair_is_refused_before_anybody_reads(llm: WriterLLM, gate: str, reason: str) -> None:
    found = refused(await outcome(llm))
    assert found[0] == gate
    assert found[1].startswith(reason)
    assert llm.names == ["draw_question", "revise_question"]


def in_the_same_order(answer: str, otherwise: str, words: str = "wrote songs about") -> Callable[[Prompt], str]:
    """Answer by whether North Light is named before some words of a text; nothing where there is no text or no row."""

    def read(prompt: Prompt) -> str:
        text = "\n".join(prompt.parts)
        both = "(row)" in text and "(text)" in text
        return (answer if text.index("North Light") < text.index(words) else otherwise) if both else ""

    return read


@pytest.mark.parametrize(
    ("reader", "gate", "reason", "asked"),
    [
        (lambda _: "", "answerable", "a reader of its nodes finds no answer", 1),
        (lambda _: "1880", "answerable", "a reader of its nodes answers 1880, not 1871", 1),
        (in_the_same_order("1871", "1880"), "one answer", "read in another order, its nodes answer 1880, not 1871", 2),
        (in_the_same_order("1871", ""), "one answer", "read in another order, its nodes answer nothing, not 1871", 2),
        (
            lambda prompt: "1871" if "Born: 1871" in "\n".join(prompt.parts) else "",
            "modalities",
            "it is answered without its text nodes",
            3,
        ),
        (
            lambda prompt: "1871" if "wrote songs about" in "\n".join(prompt.parts) else "",
            "modalities",
            "it is answered without its table nodes",
            4,
        ),
        (ModelMalformed("no JSON"), "reply", "a reader of its nodes gave none: no JSON", 1),
        (ContextOverflow("too long"), "reply", "a reader of its nodes gave none: too long", 1),
    ],
)
async def test_a_draft_is_refused_for_what_readers_answer(
    reader: Callable[[Prompt], str] | ModelMalformed, gate: str, reason: str, asked: int
) -> None:
    llm = WriterLLM(reader=reader)
    assert refused(await outcome(llm)) == (gate, reason)
    assert llm.names.count("short_answer") == asked


@pytest.mark.parametrize("name", ["draw_question", "revise_question"])
async def test_a_reply_that_fits_no_schema_rejects_the_draft(name: str) -> None:
    replies = {"draw_question": FIRST, "revise_question": SECOND, name: ModelMalformed("it was cut off")}
    assert refused(await outcome(WriterLLM(replies))) == ("reply", "it was cut off")


async def test_a_server_that_is_down_is_no_fault_of_the_draft() -> None:
    with pytest.raises(ModelUnreachable):
        await outcome(WriterLLM({"draw_question": ModelUnreachable("down")}))
    with pytest.raises(ModelUnreachable):
        await outcome(WriterLLM(reader=ModelUnreachable("down")))


ASKED = "Who kept the light whose tower got another colour in 1903?"


async def test_numbers_of_the_contents_become_leaves() -> None:
    nodes = [NamedNode(number=3, modality="table"), NamedNode(number=4, modality="text")]
    (draft,) = await contents_drafts(ContentsQuestion(question=ASKED, nodes=nodes))
    assert draft.refused is None
    assert draft.id == f"{contents().id}-1"
    assert [leaf.id for leaf in draft.leaves] == ["varn:Lights%20of%20Varn@1#s1/t1", "varn:Lights%20of%20Varn@1#s2/p1"]
    llm = WriterLLM(reader=in_the_same_order("Ida Nord", "Ida Nord", "was painted red in"))
    found = await Checker(llm, "contents, fake").checked(draft, PAGES[:1])
    assert isinstance(found, Passed)
    assert (found.question.answers, found.question.modalities) == (("Ida Nord",), ("text", "table"))


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ([(99, "text")], "there is no node 99"),
        ([(-1, "text")], "there is no node -1"),
        ([(3, "image"), (4, "text")], "node 3 is a node of modality table, and is said to be image"),
        ([(4, "table"), (6, "image")], "node 4 is a section, and is said to be table"),
        ([(2, "text"), (3, "table")], "node 2 is a section without texts, and is said to be text"),
        ([(0, "text"), (4, "text")], "it names nodes of text only"),
        ([], "it names nodes of no modality only"),
    ],
)
async def test_nodes_must_be_there_and_be_what_they_are_said_to_be(named: list[tuple[int, str]], reason: str) -> None:
    nodes = [NamedNode.model_validate({"number": number, "modality": modality}) for number, modality in named]
    (draft,) = await contents_drafts(ContentsQuestion(question=ASKED, nodes=nodes))
    assert draft.refused is not None
    assert (draft.refused.gate, draft.refused.reason) == ("nodes", reason)


async def test_an_answer_that_a_reader_gives_must_be_one_too() -> None:
    nodes = [NamedNode(number=3, modality="table"), NamedNode(number=6, modality="image")]
    (draft,) = await contents_drafts(ContentsQuestion(question=ASKED, nodes=nodes))
    found = await Checker(WriterLLM(reader=lambda _: "Ida, Per, and Ada"), "x").checked(draft, PAGES[:1])
    assert refused(found) == ("wording", "its answer is a list")


async def test_of_more_questions_than_were_asked_for_the_first_are_taken_and_none_is_a_reply_too() -> None:
    question = ContentsQuestion(question=ASKED, nodes=[])
    assert len(await contents_drafts(*[question] * 5)) == 3
    (none,) = await contents_drafts()
    assert none.refused is not None
    assert none.refused.reason == "the model wrote no question"


async def test_a_reader_sees_the_rows_that_a_draft_names_first() -> None:
    draft = await pair_draft(written(pieces=("E3", "E4", "E6")))
    assert [piece.id.rpartition("#")[2] for piece in pieces_of(draft)] == [
        "s1/t1/r2",
        "s0/p1",
        "s1/t1/r2",
        "s1/t1/r1",
        "s1/t1/r1",
    ]
