"""Commands beside `ask`: settings, the doctor, help and the version."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"chromadb", "langgraph", "llama_index", "libzim", "onnxruntime", "tokenizers", "lxml", "numpy", "pydantic"}

Cli = Callable[..., Result]


def test_settings_come_from_flags_then_environment_then_file(cli: Cli, tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('rounds = 2\npages_per_round = 7\nsources = ["zim:a.zim"]\n')
    shown = json.loads(cli("config", "show", "--config", config, HELIOGRAPH_ROUNDS="1").stdout)
    assert (shown["rounds"], shown["pages_per_round"], shown["sources"]) == (1, 7, ["zim:a.zim"])


def test_no_secret_is_shown(cli: Cli, tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('[llm]\napi_key = "hunter2"\n')
    result = cli("config", "show", "--config", config, HELIOGRAPH_JUDGE__API_KEY="hunter3")
    assert result.exit_code == 0
    assert "hunter" not in result.output


def test_the_doctor_finds_everything(cli: Cli, home: Path) -> None:
    result = cli("doctor")
    assert result.exit_code == 0
    assert {line[:4] for line in result.stdout.splitlines()} == {"ok  "}
    assert f"ok   home folder: {home}" in result.stdout
    assert "ok   embedding model: all-MiniLM-L6-v2-int8, 384 dimensions" in result.stdout
    assert "ok   edge retriever: edge-retriever-" in result.stdout


def test_the_doctor_looks_for_the_edge_retriever_where_something_compares_tokens(cli: Cli) -> None:
    embedding = {"HELIOGRAPH_EVIDENCE_RERANKER": "embedding"}
    assert "edge retriever" not in cli("doctor", **embedding).stdout
    assert "ok   edge retriever: edge-retriever-" in cli("doctor", HELIOGRAPH_GRAPH="light", **embedding).stdout


def test_the_store_says_where_it_is(cli: Cli, home: Path) -> None:
    assert cli("store", "home").stdout == f"{home}\n"


def test_the_doctor_reads_an_archive_whole(cli: Cli, archive: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.zim"
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    assert f"ok   archive: {archive}" in cli("doctor", "--archive", archive).stdout
    result = cli("doctor", "--archive", damaged)
    assert (result.exit_code, "MISS archive" in result.stdout) == (2, True)


def test_a_snapshot_says_who_wrote_it_and_under_which_licence(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "Holm.md").write_text("# Holm\n\nHolm has a tower built in 1889.\n", encoding="utf8")
    said = ("--creator", "Ada Brandt", "--licence", "CC0", "--source-url", "https://holm.example/")
    assert cli("snapshot", "build", tmp_path / "Holm.md", tmp_path / "holm.zim", *said).exit_code == 0
    answer = json.loads(
        cli("ask", "When was the tower on Holm built?", "--source", f"zim:{tmp_path / 'holm.zim'}", "--json").stdout
    )
    assert [(each["licence"], each["attribution"]) for each in answer["citations"]] == [
        ("CC0", "Ada Brandt, published by holm")
    ]


def test_help_names_every_command_and_option(cli: Cli) -> None:
    overview = cli("--help")
    assert overview.exit_code == 0
    for command in ("ask", "config", "doctor", "replay", "show", "snapshot", "store", "trace"):
        assert f"\n  {command} " in overview.stdout
    options = cli("ask", "--help").stdout
    for option in ("--preset", "--source", "--rounds", "--citations", "--json", "--jsonl", "--batch", "--max-seconds"):
        assert option in options
    assert "130 interrupted" in " ".join(options.split())


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from app import main\n"
        "for words in (['--help'], ['ask', '--help'], ['trace', 'list', '--help']):\n"
        "    main(words, standalone_mode=False)\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_that_of_the_package(cli: Cli) -> None:
    from heliograph import __version__

    assert cli("--version").stdout == f"heliograph, version {__version__}\n"
