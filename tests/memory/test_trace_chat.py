"""A recorded chat call says under OpenInference's names what was asked, what was said and what it took."""

from pathlib import Path

from heliograph.types import ChatRequest, Prompt, Reply
from memory.trace import TraceRecorder, load_trace
from memory.trace.attributes import flattened
from tests.fakes import FakeClock


async def chat(folder: Path, system: str) -> dict[str, bool | int | float | str]:
    """Record one call and return its attributes."""
    recorder = TraceRecorder(folder, "run-1", FakeClock())
    request = ChatRequest(Prompt("p", system, ("one", "two")), max_tokens=9)

    async def reply() -> Reply:
        return Reply("yes", "stop", 12, 3, 8)

    await recorder.effect("LLM", "chat", {"model": "Qwen", "role": "judge", "request": request}, Reply, reply)
    recorder.close()
    (event,) = load_trace(folder)
    assert "llm.input_messages" not in event.attributes
    flat = flattened(event)
    return {name: value for name, value in flat.items() if name.startswith("llm.")}


async def test_a_chat_call_has_its_messages_and_its_tokens(tmp_path: Path) -> None:
    assert await chat(tmp_path, "Judge.") == {
        "llm.finish_reason": "stop",
        "llm.input_messages.0.message.contents.0.message_content.text": "Judge.",
        "llm.input_messages.0.message.contents.0.message_content.type": "text",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.1.message.contents.0.message_content.text": "one",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.1.message_content.text": "two",
        "llm.input_messages.1.message.contents.1.message_content.type": "text",
        "llm.input_messages.1.message.role": "user",
        "llm.invocation_parameters": '{"max_tokens":9,"temperature":0}',
        "llm.model_name": "Qwen",
        "llm.output_messages.0.message.contents.0.message_content.text": "yes",
        "llm.output_messages.0.message.contents.0.message_content.type": "text",
        "llm.output_messages.0.message.role": "assistant",
        "llm.token_count.completion": 3,
        "llm.token_count.prompt": 12,
        "llm.token_count.prompt_details.cache_read": 8,
        "llm.token_count.total": 15,
    }


async def test_a_long_text_of_a_chat_call_stands_as_the_blob_it_became(tmp_path: Path) -> None:
    flat = await chat(tmp_path, "x" * 5000)
    assert flat["llm.input_messages.0.message.contents.0.message_content.text.bytes"] == 5000
