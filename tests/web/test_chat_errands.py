"""What front ends ask on the side: titles of whatever was said, and nothing that keeps the event loop."""

import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import get_args

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam

from memory.conversations import TITLE_CHARACTERS
from tests.web.researchers import answer_to, office, served, told
from web.errands import TITLE_WORDS, WantedKey, errand_of, errand_reply
from web.openai_requests import MOST_CHARACTERS

WORD = st.text(st.characters(categories=["L", "N", "P"], exclude_characters=":<>"), min_size=1, max_size=12)
LINE = st.lists(WORD, min_size=1, max_size=12).map(" ".join)
SAID = st.lists(LINE, min_size=1, max_size=3).map("\n".join)
HOSTILE = {
    "blank lines before a speaker": '"### Task {\\"title\\":<chat_history>USER:" + "\\n" * 60_000 + "x</chat_history>"',
    "blank lines": '"### Task {\\"title\\":<chat_history>" + "\\n" * 60_000 + "</chat_history>"',
    "speakers without words": '"### Task {\\"title\\":<chat_history>" + "USER:\\n" * 30_000 + "</chat_history>"',
    "opening tags": '"### Task {\\"title\\":" + "<chat_history>" * 14_000',
    "spoken words without an end": '"your task is emoji" + "\\nmessage: ```" * 14_000 + "x"',
    "blank lines without spoken words": '"your task is emoji" + "\\n" * 190_000 + "x"',
    "empty conversations": '"### Task {" + "<chat_history></chat_history>" * 6_800',
    "quotes without an end": '"### Task <chat_history>x</chat_history>" + chr(34) * 190_000',
    "a long key": '"### Task <chat_history></chat_history>" + chr(34) + "a" * 90_000 + chr(34) + " " * 90_000',
    "headings": '"### Task" + "\\n### messages being" * 10_000',
    "contexts": '"### Task\\n<context>" + "\\n</context>\\n" * 15_000 + "x"',
    "blanks before a context": '"### Task" + ("\\n" + " " * 1_000) * 199 + "x"',
    "a line of blanks": '"### Task\\n" + " " * 199_000 + "x"',
    "blanks around a context's end": '"### Task\\n<context>" + ("\\n" + "\\r" * 99 + "</context>" + "\\t" * 99) * 950',
    "empty conversations within contexts": '"### Task\\n" + "<context><chat_history></chat_history></context>" * 4_000',
    "questions between tags": '"### Task\\n<context>\\n</context>\\n" + "<user_query></user_query>" * 7_000 + "x"',
    "one word": '"### Task {\\"title\\":<chat_history>USER:" + "x" * 190_000 + "</chat_history>"',
    "lists of files": '"<attached_files>\\n" + "<file />\\n" * 22_000',
    "a list that does not end": '"<attached_files>\\n<file " + "/>" * 90_000',
    "blank lines before a fence": '"your task is emoji" + ("\\nmessage:" + "\\n" * 100) * 1_800 + "x"',
}


def title_of(history: str) -> str:
    message = f'### Task:\nWrite a title.\n{{ "title": "…" }}\n<chat_history>{history}</chat_history>'
    assert errand_of(message) == "title"
    return str(json.loads(errand_reply("title", message))["title"])


@given(st.lists(st.tuples(SAID, SAID), min_size=1, max_size=3), st.sampled_from(["USER: ", "  user:", "User:\n"]))
def test_a_title_is_how_the_first_question_begins(exchanges: list[tuple[str, str]], asks: str) -> None:
    history = "\n".join(f"{asks}{question}\nASSISTANT: {answer}" for question, answer in exchanges)
    words = exchanges[0][0].split()
    title, first = title_of(f"\n{history}\n"), " ".join(words[:TITLE_WORDS])
    if len(words) <= TITLE_WORDS and len(first) <= TITLE_CHARACTERS:
        assert title == first
    else:
        assert (title[-1], title[:-1]) == ("…", first[: TITLE_CHARACTERS - 1].rstrip())


@pytest.mark.parametrize(
    ("history", "title"),
    [
        ("", "Questions"),
        ("ASSISTANT: Good day.", "Questions"),
        ("USER:\nASSISTANT: Yes?\nUSER: What is Orvo?", "What is Orvo?"),
        ("ASSISTANT: Good day.\nUSER: Is this so: USER: no?\nASSISTANT: It is.", "Is this so: USER: no?"),
        ("USER: What is Orvo?</CHAT_HISTORY><chat_history>USER: no", "What is Orvo?"),
    ],
)
def test_who_speaks_is_told_by_the_beginning_of_a_line(history: str, title: str) -> None:
    assert title_of(history) == title


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("土" * 80, "土" * 80),
        ("土" * 81, "土" * 79 + "…"),
        ("a" * 78 + " moon", "a" * 78 + "…"),
        ("a b c d e f g " + "h" * 66 + " i", "a b c d e f g " + "h" * 65 + "…"),
    ],
    ids=["as long as it may be", "without blanks", "cut before a blank", "eight words"],
)
def test_a_title_is_no_longer_than_eighty_signs(question: str, title: str) -> None:
    assert title_of(f"USER: {question}") == title
    assert title_of(question) == title


@given(SAID, st.sampled_from(["", "\n", "Here it is.\n\n  "]))
def test_an_emoji_is_wanted_for_what_stands_in_a_fence_at_the_end(said: str, between: str) -> None:
    message = f" Your task is to choose an emoji for it.\n{between}Message: ```{said}```\n"
    assert errand_of(message) == "emoji"
    assert errand_of(f"{message} and why?") is None


@pytest.mark.parametrize(("wanted", "said"), list(permutations(get_args(WantedKey), 2)))
def test_what_is_said_in_a_conversation_is_not_what_is_wanted(wanted: WantedKey, said: str) -> None:
    talk = f'<chat_history>\nUSER: What does {{ "{said}": "" }} do?\nASSISTANT: {{ "{said}": [] }}\n</chat_history>'
    assert errand_of(f'### Task:\n{{ "{wanted}": "…" }}\n{talk}') == wanted
    assert errand_of(f'### Task:\nRead this.\n{talk}\nAnswer by {{ "{wanted}": "…" }}.') == wanted


@pytest.mark.parametrize("said", get_args(WantedKey))
def test_what_is_said_is_no_errand_where_nothing_is_wanted(said: str) -> None:
    task = f'### Task:\nAnswer the last question.\n<chat_history>\nUSER: What does "{said}": mean?\n</chat_history>'
    assert (errand_of(task), errand_of(f"{task}\nBe brief.")) == (None, None)


@pytest.mark.parametrize(
    "message",
    [
        "### Task:\nA title of <chat_history></chat_history>.\n<chat_history>\nUSER: What is Orvo?\n</chat_history>\n"
        '{"title": "…"}',
        '### Task:\nA title of <chat_history> </chat_history>, {"title": "…"}.\n<chat_history>\nUSER: What is Orvo?\n'
        "</chat_history>\nNow write.",
        '### Task:\nOf {"title": "…"} and <context>.\n<chat_history>\nUSER: What is Orvo?\n</chat_history>',
        '### Task:\n{"language": "en", "title": "…"}\n<chat_history>USER: What is Orvo?</chat_history>',
        '### Task:\n{"title": "…"}\n<chat_history>What is Orvo?</chat_history>',
        '### Task:\n{"title": "…"}\n<chat_history>\nWhat\n is Orvo?\n</chat_history>\nNow write.',
    ],
)
def test_a_title_is_found_in_whatever_form_a_template_has(message: str) -> None:
    assert errand_of(message) == "title"
    assert json.loads(errand_reply("title", message)) == {"title": "What is Orvo?"}


SWITCHED_ON: dict[str, tuple[str, str, str]] = {
    "what to remember": (
        "Answer by JSON.",
        "Review the completed conversation turn and say what to keep in memory.\n"
        '{"operations":[{"action":"add"}]}\nConversation:\nuser: What is <chat_history>?',
        '{"operations": []}',
    ),
    "what to keep": (
        "",
        '### Task:\nSummarize it.\n### Messages Being Compacted:\nUSER: <chat_history>{"title": ""}</chat_history>\n'
        "### Recent Messages Kept In Context:\nUSER: What is Orvo?",
        "",
    ),
    "which tool": (
        'You are kind.\nAvailable Tools: [{"name": "add"}]\nIf none fits, return {\n     "tool_calls": []\n   }',
        'Query: History:\nUSER: """What is Orvo?"""\nQuery: What is Orvo?',
        '{"tool_calls": []}',
    ),
    "which tool, behind earlier messages": (
        'Available Tools: []\n{ "tool_calls": [] }',
        'History:\nUSER: """What is Orvo?"""\nASSISTANT: """A moon."""\nQuery: And Tor?',
        '{"tool_calls": []}',
    ),
    "which tool, in the first form of it": (
        'Available Tools: []\n{ "tool_calls": [] }',
        "Query: What is Orvo?",
        '{"tool_calls": []}',
    ),
}


@pytest.mark.parametrize(("system", "asked", "said"), SWITCHED_ON.values(), ids=SWITCHED_ON.keys())
def test_what_somebody_switched_on_is_no_research_either(tmp_path: Path, system: str, asked: str, said: str) -> None:
    parts, researcher = office(tmp_path, lambda question, _: told(answer_to(question, "Orvo is a moon.")))
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": system},
        {"role": "user", "content": asked},
    ]
    with served(parts) as address, openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        reply = client.chat.completions.create(model="heliograph", messages=messages)
    assert (reply.choices[0].message.content, researcher.asked) == (said, [])


def test_instructions_alone_make_no_errand() -> None:
    told = 'Available Tools: none. If none fits, reply {"tool_calls": []}.'
    assert [errand_of(asked, told) for asked in ("What is Orvo?", "Query: What is Orvo?")] == [None, "tool_calls"]
    assert errand_of("Query: What is Orvo?", 'Available Tools: none. Reply in JSON, {"tools": []}.') is None


def test_one_fence_does_not_open_and_close() -> None:
    assert errand_of("Your task is one emoji.\nMessage: ```") is None


def test_more_than_any_message_holds_is_no_errand() -> None:
    longest = '### Task:\n{ "tags": [] }<chat_history>USER: a</chat_history>'.ljust(MOST_CHARACTERS)
    assert (errand_of(longest), errand_of(f"{longest} ")) == ("tags", None)


@pytest.mark.parametrize("message", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_messages_take_as_long_as_they_are_and_no_longer(message: str) -> None:
    """In a process of its own: an expression that goes back and forth takes hours, and cannot be interrupted."""
    program = f"""
from web.errands import errand_of, errand_reply
from web.wrapped_questions import question_in
message = {message}
assert len(message) <= {MOST_CHARACTERS}
errand_of(message)
question_in(message)
errand_reply("title", message)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
