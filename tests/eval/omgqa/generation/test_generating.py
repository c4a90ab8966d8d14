"""The whole way from candidates to files: in order, kept as it comes, and gone on with after any end."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from agent.language.replies import ShortAnswer
from eval.omgqa.dataset import read_documents, read_omg_questions
from eval.omgqa.generation.candidates import Candidate
from eval.omgqa.generation.checking import Checker
from eval.omgqa.generation.drafts import Draft, Refusal
from eval.omgqa.generation.folder import MadeOf, opened, read_rejected
from eval.omgqa.generation.from_pairs import PairWriter
from eval.omgqa.generation.generating import Generator, generate, in_order, summary
from eval.omgqa.generation.kept import KeptReplies, kept_replies
from eval.omgqa.generation.twins import Asked
from heliograph.errors import ModelMalformed, ModelUnreachable, UsageError
from heliograph.protocols import LLM
from heliograph.types import Document, Prompt
from tests.eval.omgqa.generation.lights import ARTICLES, FIRST, QUESTION, Shelf, WriterLLM, pair
from tests.fakes_models import FakeEmbedder

MADE_OF = MadeOf(pipeline="pairs", wiki="varn", edition="1", model="fake", context_tokens=8192, seed=0)
GONE = Candidate("pairs", ("Lights of Varn", "Gone"))
FILES = ("questions.jsonl", "documents.jsonl", "rejected.jsonl", "replies.jsonl")


async def made(out: Path, llm: LLM, candidates: Sequence[Candidate], at_once: int = 1) -> list[str]:
    """Generate into a folder, and return what was said."""
    told = list[str]()
    with opened(out, MADE_OF) as folder, closing((kept := kept_replies(llm, out / "replies.jsonl")).journal):
        generator = Generator(PairWriter(kept), Checker(kept, "pairs, fake"), Shelf(), Asked(FakeEmbedder()))
        await generate(candidates, generator, folder, at_once, told.append)
        told.append(summary(folder))
    return told


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def contents_of(out: Path) -> Mapping[str, bytes]:
    return {name: (out / name).read_bytes() for name in FILES}


async def test_what_is_made_is_in_the_files(out: Path) -> None:
    told = await made(out, WriterLLM(), [pair(), GONE])
    (question,) = read_omg_questions(out / "questions.jsonl")
    assert (question.id, question.question) == (pair().id, QUESTION)
    documents = read_documents(out / "documents.jsonl")
    leaves = {leaf.id for document in documents.values() for leaf in document.leaves}
    assert set(question.evidence) <= leaves
    (rejected,) = read_rejected(out / "rejected.jsonl")
    assert (rejected.id, rejected.refusal) == (GONE.id, Refusal("nodes", 'no page "Gone"; try another'))
    assert told[-1] == "1 questions, 1 drafts rejected: 1 at nodes"
    assert told[-2].startswith("candidates: 2 of 2")


async def test_the_same_again_asks_nothing_and_changes_nothing(out: Path) -> None:
    await made(out, WriterLLM(), [pair(), GONE])
    before, again = contents_of(out), WriterLLM()
    told = await made(out, again, [pair(), GONE])
    assert (again.prompts, contents_of(out)) == ([], before)
    assert told[0] == "going on with candidate 2 of 2"


async def test_a_server_that_goes_down_leaves_what_was_made_and_is_not_asked_that_again(out: Path) -> None:
    down = WriterLLM({"draw_question": FIRST, "revise_question": ModelUnreachable("nobody is there; start it")})
    with pytest.raises(ModelUnreachable, match="nobody is there"):
        await made(out, down, [GONE, pair()])
    assert [rejected.id for rejected in read_rejected(out / "rejected.jsonl")] == [GONE.id]
    back = WriterLLM()
    await made(out, back, [GONE, pair()])
    assert back.names == ["revise_question", *["short_answer"] * 4]
    assert [question.id for question in read_omg_questions(out / "questions.jsonl")] == [pair().id]
    assert ModelUnreachable.exit_code == 4


@pytest.mark.parametrize(
    ("cut", "lost", "asked"),
    [
        ("questions.jsonl", (), []),
        ("documents.jsonl", ("questions.jsonl",), []),
        ("replies.jsonl", ("questions.jsonl", "documents.jsonl"), ["short_answer"]),
    ],
)
async def test_a_kill_in_the_middle_of_a_line_costs_that_line_alone(
    out: Path, cut: str, lost: Sequence[str], asked: Sequence[str]
) -> None:
    await made(out, WriterLLM(), [GONE, pair()])
    before = contents_of(out)
    (out / cut).write_bytes(before[cut][:-9])
    for name in lost:
        (out / name).write_bytes(b"")
    again = WriterLLM()
    await made(out, again, [GONE, pair()])
    assert (again.names, contents_of(out)) == (asked, before)


class Repeating:
    """A writer that makes one draft of whatever candidate, with the question that is written down for it."""

    def __init__(self, questions: Mapping[str, str]) -> None:
        self.questions = questions
        self.draft: Draft | None = None

    async def drafts(self, candidate: Candidate, pages: Sequence[Document]) -> tuple[Draft, ...]:
        (draft,) = await PairWriter(WriterLLM()).drafts(pair(), [ARTICLES[title] for title in pair().titles])
        named = Draft(candidate.id, self.questions[candidate.id], draft.answer, draft.leaves, draft.rows)
        await asyncio.sleep(0.02 if candidate == TWINS[0] else 0)
        return (named,)


TWINS = (pair(), Candidate("pairs", pair().titles, shared=("x",)), Candidate("pairs", pair().titles[::-1]))


@pytest.mark.parametrize("at_once", [1, 2, 8])
async def test_of_twins_the_first_candidate_has_its_question_however_many_are_under_way(
    out: Path, at_once: int
) -> None:
    writer = Repeating({each.id: QUESTION for each in TWINS} | {TWINS[2].id: "What colour is the old tower at sea?"})
    with opened(out, MADE_OF) as folder:
        generator = Generator(writer, Checker(WriterLLM(), "x"), Shelf(), Asked(FakeEmbedder()))
        await generate(TWINS, generator, folder, at_once, lambda _: None)
    assert [question.id for question in read_omg_questions(out / "questions.jsonl")] == [TWINS[0].id, TWINS[2].id]
    (rejected,) = read_rejected(out / "rejected.jsonl")
    assert (rejected.id, rejected.refusal) == (TWINS[1].id, Refusal("twin", f"{TWINS[0].id} asks nearly the same"))


@pytest.mark.parametrize("at_once", [1, 3, 20])
async def test_results_come_in_order_with_so_many_under_way(at_once: int) -> None:
    under_way, most = 0, 0

    async def work(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001 * (7 - number % 7))
        under_way -= 1
        return number

    assert [each async for each in in_order(range(10), work, at_once)] == list(range(10))
    assert most == min(at_once, 10)


async def test_the_first_error_in_order_ends_the_work_and_gives_up_the_rest() -> None:
    ended = list[int]()

    async def work(number: int) -> int:
        if number == 1:
            raise ModelUnreachable("down")
        await asyncio.sleep(5 if number > 1 else 0)
        ended.append(number)
        return number

    seen = list[int]()
    with pytest.raises(ModelUnreachable):
        async for each in in_order(range(5), work, 3):
            seen.append(each)
    assert (seen, ended) == ([0], [0])


async def test_a_malformed_reply_is_kept_as_such(out: Path) -> None:
    llm = WriterLLM(reader=ModelMalformed("it was cut off"))
    asked = Prompt("short_answer", "Answer.", ("What?",))
    for _ in range(2):
        kept = kept_replies(llm, out / "replies.jsonl")
        with closing(kept.journal), pytest.raises(ModelMalformed, match="it was cut off"):
            await kept.ask(asked, ShortAnswer)
    assert llm.names == ["short_answer"]


async def test_equal_prompts_are_asked_once_and_other_shapes_of_a_reply_anew(out: Path) -> None:
    llm = WriterLLM({"draw_question": FIRST}, reader=lambda _: "1871")
    with closing((kept := kept_replies(llm, out / "replies.jsonl")).journal):
        assert isinstance(kept, KeptReplies)
        one = Prompt("short_answer", "Answer.", ("What?",))
        assert await kept.ask(one, ShortAnswer) == await kept.ask(one, ShortAnswer) == ShortAnswer(answer="1871")
        assert await kept.ask(Prompt("draw_question", "Answer.", ("What?",)), type(FIRST)) == FIRST
        assert (kept.role, kept.room, kept.count("four")) == ("answer", 6_000, 2)
    assert llm.names == ["short_answer", "draw_question"]


@pytest.mark.parametrize(
    ("changed", "named"), [({"seed": 1}, "seed"), ({"edition": "2", "model": "x"}, "edition, model")]
)
async def test_a_folder_is_of_one_choice(out: Path, changed: Mapping[str, object], named: str) -> None:
    await made(out, WriterLLM(), [GONE])
    other = opened(out, MADE_OF.model_copy(update=dict(changed)))
    with pytest.raises(UsageError, match=f"has questions of another {named}; name another folder with --out"), other:
        pass


async def test_a_folder_of_something_else_is_left_alone(out: Path) -> None:
    (out / "questions.jsonl").write_text("{}\n", encoding="utf8")
    with pytest.raises(UsageError, match="has questions that were not made here"), opened(out, MADE_OF):
        pass
    assert (out / "questions.jsonl").read_text(encoding="utf8") == "{}\n"


async def test_a_damaged_line_is_named(out: Path) -> None:
    await made(out, WriterLLM(), [GONE])
    line = json.loads((out / "rejected.jsonl").read_text(encoding="utf8")) | {"gate": "other"}
    (out / "rejected.jsonl").write_text(json.dumps(line) + "\n", encoding="utf8")
    with pytest.raises(UsageError, match=r"rejected.jsonl:1: gate"):
        await made(out, WriterLLM(), [GONE])
