"""A batch answers each question once, however often it is started and wherever it was cut."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.asking import ask
from agent.batch import BatchQuestion, ask_batch, read_questions
from heliograph.errors import InvalidQuestion, SearchUnavailable, StoreFull, UsageError
from heliograph.types import Answer
from tests.fakes import make_page, make_services

PAGES = (make_page("Alpha", "Alpha is the first letter."),)


class Asker:
    """Answer from one page; remember what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, question: str) -> Answer:
        self.asked.append(question)
        return await ask(question, make_services(PAGES, {"a": ["Alpha"]}))


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


async def run(batch: Path | None, out: Path | None, asker: object = None) -> list[str]:
    told: list[str] = []
    await ask_batch(batch, out, asker or Asker(), told.append)  # type: ignore[arg-type]
    return told


def records(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.read_bytes().splitlines()]


async def test_every_question_gets_one_line_with_its_id_and_the_record(tmp_path: Path) -> None:
    batch = written(tmp_path / "q", {"id": "one", "question": "Which?"}, "", {"question": "What?"})
    told = await run(batch, tmp_path / "out")
    assert [(record["id"], record["question"]) for record in records(tmp_path / "out")] == [
        ("one", "Which?"),
        ("3", "What?"),
    ]
    assert records(tmp_path / "out")[0]["answer"] == "Alpha is the first letter. [1]"
    assert told == [
        "0 of 2 questions are answered already",
        "question 1 of 2: Which?",
        "question 2 of 2: What?",
    ]


async def test_started_again_it_asks_only_what_has_no_line(tmp_path: Path) -> None:
    batch = written(tmp_path / "q", {"id": "1", "question": "Which?"}, {"id": "2", "question": "What?"})
    out = written(tmp_path / "out", {"id": "1", "answer": "kept"})
    asker = Asker()
    await run(batch, out, asker)
    await run(batch, out, asker)
    assert asker.asked == ["What?"]
    assert records(out)[0] == {"id": "1", "answer": "kept"}
    assert [record["id"] for record in records(out)] == ["1", "2"]


@settings(max_examples=25)
@given(st.integers(0, 400))
def test_a_batch_cut_anywhere_goes_on_to_the_same_file(tmp_path_factory: pytest.TempPathFactory, at: int) -> None:
    folder = tmp_path_factory.mktemp("cut")
    questions = [{"id": str(n), "question": f"Which number {n}?"} for n in range(3)]
    batch = written(folder / "q", *questions)
    asyncio.run(run(batch, folder / "whole"))
    whole = (folder / "whole").read_bytes()
    (folder / "out").write_bytes(whole[: at * len(whole) // 400])
    asyncio.run(run(batch, folder / "out"))
    assert (folder / "out").read_bytes() == whole


async def test_a_question_that_cannot_be_asked_gets_its_error_and_the_others_are_asked(tmp_path: Path) -> None:
    batch = written(
        tmp_path / "q",
        {"id": "blank", "question": " "},
        '{"id": "lone", "question": "half a \\ud800 pair?"}',
        {"id": "good", "question": "Which?"},
    )
    await run(batch, tmp_path / "out")
    blank, lone, good = records(tmp_path / "out")
    assert (blank["id"], blank["exit_code"], str(blank["error"])[:21]) == ("blank", 2, "the question is empty")
    assert (lone["id"], lone["exit_code"], lone["question"]) == ("lone", 2, "half a \ud800 pair?")
    assert good["answer"] == "Alpha is the first letter. [1]"


@pytest.mark.parametrize("error", [StoreFull("no space"), SearchUnavailable("no archive")])
async def test_what_would_stop_every_question_stops_the_batch_and_the_lines_stay(
    tmp_path: Path, error: Exception
) -> None:
    asker = Asker()

    async def breaking(question: str) -> Answer:
        if question == "Break?":
            raise error
        return await asker(question)

    batch = written(tmp_path / "q", *({"question": text} for text in ("Which?", "Break?", "Never?")))
    with pytest.raises(type(error)):
        await run(batch, tmp_path / "out", breaking)
    assert [record["id"] for record in records(tmp_path / "out")] == ["1"]
    assert asker.asked == ["Which?"]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '"Which?"',
        "null",
        "5",
        '{"id": 1}',
        '{"Question": "Which?"}',
        '{"question": null}',
        '{"question": 5}',
    ],
)
def test_a_line_that_is_no_question_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    batch = written(tmp_path / "q", {"question": "Which?"}, line)
    with pytest.raises(UsageError, match=r'q:2 is not a line like {"id": "q1", "question": "…"}$'):
        read_questions(batch)


def test_an_id_that_stands_twice_is_named(tmp_path: Path) -> None:
    batch = written(tmp_path / "q", {"id": 7, "question": "Which?"}, {"id": "7", "question": "What?"})
    with pytest.raises(UsageError, match="the id '7' stands twice; give each question its own"):
        read_questions(batch)


def test_a_line_separator_of_unicode_ends_no_line(tmp_path: Path) -> None:
    batch = tmp_path / "q"
    batch.write_text('{"id": "a", "question": "One\u2028two\x85three?"}\r\n{"id": "b", "question": "Four?"}')
    assert read_questions(batch) == (BatchQuestion("a", "One\u2028two\x85three?"), BatchQuestion("b", "Four?"))


async def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    batch = written(tmp_path / "q", {"question": "Which?"})
    for files in ((None, tmp_path / "out"), (batch, None)):
        with pytest.raises(UsageError, match=r"needs both files: --batch QUESTIONS.jsonl --out ANSWERS.jsonl"):
            await run(*files)
    with pytest.raises(UsageError, match=r"cannot read questions from .*missing"):
        await run(tmp_path / "missing", tmp_path / "out")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match=r"cannot read questions from .*bytes"):
        await run(tmp_path / "bytes", tmp_path / "out")
    with pytest.raises(UsageError, match=r"cannot write answers to .*: Is a directory; name another file with --out"):
        await run(batch, tmp_path)
    with pytest.raises(UsageError, match=r"cannot write answers to .*: No such file or directory"):
        await run(batch, tmp_path / "no" / "out")
    written(tmp_path / "prose", "this is prose")
    with pytest.raises(UsageError, match="prose is not the output of a batch; name another file with --out"):
        await run(batch, tmp_path / "prose")
    assert (tmp_path / "prose").read_text() == "this is prose\n"


async def test_a_file_without_an_end_of_line_that_is_no_output_is_left_alone(tmp_path: Path) -> None:
    batch = written(tmp_path / "q", {"question": "Which?"})
    (tmp_path / "notes").write_text("precious notes without an end of line")
    with pytest.raises(UsageError, match="notes is not the output of a batch"):
        await run(batch, tmp_path / "notes")
    assert (tmp_path / "notes").read_text() == "precious notes without an end of line"


async def test_invalid_questions_only_is_no_error(tmp_path: Path) -> None:
    async def refusing(question: str) -> Answer:
        raise InvalidQuestion("no")

    await run(written(tmp_path / "q", {"question": "?"}), tmp_path / "out", refusing)
    assert records(tmp_path / "out") == [{"id": "1", "question": "?", "error": "no", "exit_code": 2}]
