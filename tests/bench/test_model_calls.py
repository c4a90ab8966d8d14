"""How many calls a question may cost, counted with the scripted model of bench.model_calls."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from bench.model_calls import ScriptedModel, prompt_name, report
from prompts import render_prompt
from tests.servers.openai_server import openai_server

Cli = Callable[..., Result]
SHORT = "By whom was the lighthouse on the largest of the Varn Islands designed?"


def calls_of(cli: Cli, archive: Path, question: str, *options: object, never_met: bool = False) -> Counter[str]:
    """Ask a question and return the calls that it cost, by prompt."""
    with openai_server(ScriptedModel(never_met), keeps=("json_schema",)) as model:
        llm = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model}
        llm["HELIOGRAPH_LLM__CONTEXT_TOKENS"] = "16384"
        asked = cli("ask", "--source", f"zim:{archive}", "--graph", "full", "--json", *options, question, **llm)
    assert asked.exit_code == 0, asked.stderr
    return Counter(map(prompt_name, model.calls))


def test_a_short_question_in_one_round_costs_five_calls_with_the_graph_refined(cli: Cli, archive: Path) -> None:
    once = dict.fromkeys(("plan", "refine_stars", "reflect", "write_answer", "judge_claims"), 1)
    assert calls_of(cli, archive, SHORT, "--rounds", 1) == once


def test_a_report_of_three_rounds_costs_at_most_twenty_calls(cli: Cli, archive: Path) -> None:
    asked = "What is known of Storholm, Torvik, Holm and Brandt on the Varn Islands?"
    calls = calls_of(cli, archive, asked, "--form", "report", "--rounds", 3, never_met=True)
    assert calls.total() <= 20
    assert calls["refine_stars"] <= calls["reflect"] <= 3


@pytest.mark.parametrize(("context", "small"), [(8192, True), (16384, False)])
def test_a_writer_with_a_small_context_is_told_less(cli: Cli, archive: Path, context: int, small: bool) -> None:
    with openai_server(ScriptedModel(False), keeps=("json_schema",)) as model:
        llm = {"HELIOGRAPH_LLM__BASE_URL": model.url, "HELIOGRAPH_LLM__MODEL": model.model}
        llm["HELIOGRAPH_LLM__CONTEXT_TOKENS"] = str(context)
        cli("ask", "--source", f"zim:{archive}", "--rounds", 1, SHORT, **llm)
    (writer,) = (call for call in model.calls if prompt_name(call) == "write_answer")
    assert (writer.system == render_prompt("write_answer_small")) is small


def test_the_table_has_means_per_question_without_proofs() -> None:
    calls = [["plan", 100], ["plan", 300], ["proof of the server", 50]]
    lines = [{"name": "now", "calls": calls}, {"name": "now", "calls": [["reflect", 200]]}]
    assert report(lines).splitlines()[2:] == [
        "| now | 2 | 1.5 | 2 | 300 | plan 1.0, 200; reflect 0.5, 100 |",
    ]
