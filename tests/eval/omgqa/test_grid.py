"""A file of systems expands to configurations that can be run, and says what each of them lacks."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from eval.omgqa.grid import GRIDS, UNSET, grid_file, read_systems
from heliograph.config import load_settings
from heliograph.errors import UsageError

PAPER = GRIDS / "paper.toml"
ARCHIVE = '[settings]\nsources = ["zim:demo.zim"]\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def written(content: str) -> Path:
        path = tmp_path / "grid.toml"
        path.write_text(content, encoding="utf8")
        return path

    return written


def test_the_paper_s_grid_is_its_table_9() -> None:
    names = [system.name for system in read_systems(PAPER)]
    assert len(set(names)) == 54
    assert Counter(tuple(name.split()[:2]) for name in names) == {
        ("D", "MS"): 16,
        ("D", "TI"): 3,
        ("D", "TO"): 29,
        ("W", "TO"): 6,
    }
    assert "D MS te-gte+ie-clip gpt-4 MR" in names
    assert "D TO h-sfr mistral-7b SR" in names


def test_what_a_system_lacks_is_said() -> None:
    assert read_systems(PAPER)[0].lacking == (
        "[settings] contact: duckduckgo wants to know whom to write to",
        "[llms.gpt-4] base_url: no server is named for it",
    )


def test_one_system_needs_no_lists(write: Callable[[str], Path]) -> None:
    (only,) = read_systems(write(f'{ARCHIVE}evidence_k = 5\n[[grid]]\nstrategy = "single-round"\ngraph = "full"'))
    assert only.name == "Z MS te-minilm none SR graph-full"
    assert only.lacking == ()
    assert only.settings == {
        **UNSET,
        "sources": ["zim:demo.zim"],
        "evidence_k": 5,
        "indexing": "modality-specific",
        "text_retriever": "dense",
        "rounds": 1,
        "graph": "full",
    }


def test_pages_of_a_question_are_shared_by_its_rounds(write: Callable[[str], Path]) -> None:
    one, several, free = read_systems(
        write(f'{ARCHIVE}[[grid]]\nstrategy = ["single-round", "multi-round"]\npages = 10\n[[grid]]\n')
    )
    limits = [load_settings(dict(each.settings)) for each in (one, several, free)]
    assert [(each.rounds, each.pages_per_round, each.max_pages) for each in limits] == [
        (1, 10, 10),
        (3, 4, 10),
        (3, 10, None),
    ]
    assert (several.name, free.name) == ("Z MS te-minilm none MR 10-pages", "Z MS te-minilm none MR")


def test_choices_that_make_no_difference_are_one_system(write: Callable[[str], Path]) -> None:
    grid = """[[grid]]
indexing = ["text-only", "textual-visual"]
text_retriever = ["sparse", "dense"]
embedding = ["minilm", "gte"]
image_retriever = ["none", "clip"]
[embeddings.gte]
model = "gte"
[images.clip]
model = "ViT-B-32"
"""
    names = [system.name for system in read_systems(write(ARCHIVE + grid))]
    assert [name for name in names if name.split()[1] == "TO"] == [
        "Z TO s none MR",
        "Z TO te-minilm none MR",
        "Z TO te-gte none MR",
    ]
    assert len(names) == 3 + 6


def test_sections_are_foretold_by_a_language_model(write: Callable[[str], Path]) -> None:
    (system,) = read_systems(write(f'{ARCHIVE}[[grid]]\ntext_retriever = "generative"'))
    assert "a language model" in system.lacking[0]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[[grid", "is no TOML"),
        (ARCHIVE, "grid: Field required"),
        ("grid = []\n" + ARCHIVE, "grid: List should have at least 1"),
        (ARCHIVE + '[[grid]]\nindexing = "visual"', r"grid\.0\.indexing\.0: Input should be 'text-only'"),
        (ARCHIVE + "[[grid]]\nllm = []", r"grid\.0\.llm: List should have at least 1"),
        (ARCHIVE + "[[grid]]\nrounds = 3", r"grid\.0\.rounds: Extra inputs are not permitted"),
        (ARCHIVE + '[[grid]]\nllm = "gpt"', r"llms: nothing says what 'gpt' is; add \[llms\.gpt\]"),
        ("[[grid]]", 'settings.sources: documents = "zim" needs the archive'),
        (ARCHIVE + "evidence = 3\n[[grid]]", "Z MS te-minilm none MR: unknown setting 'evidence'"),
        (ARCHIVE + "evidence_k = 0\n[[grid]]", "setting 'evidence_k'"),
    ],
)
def test_what_there_is_not_is_named(write: Callable[[str], Path], content: str, complaint: str) -> None:
    path = write(content)
    with pytest.raises(UsageError, match=complaint) as refused:
        read_systems(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("setting", "choice"),
    [
        ("rounds = 1", "strategy"),
        ('graph = "full"', "graph"),
        ('indexing = "text-only"', "indexing"),
        ('text_retriever = "sparse"', "text_retriever"),
        ("max_pages = 4", "pages"),
        ("pages_per_round = 4", "pages"),
        ('llm = {model = "m", base_url = "http://127.0.0.1:8000/v1"}', "llm"),
        ('answer = {model = "m", base_url = "http://127.0.0.1:8000/v1"}', "llm"),
        ('embed = {model = "m", base_url = "http://127.0.0.1:8000/v1"}', "embedding"),
        ('clip = {model = "m"}', "image_retriever"),
    ],
)
def test_a_setting_that_a_choice_decides_would_make_a_name_lie(
    write: Callable[[str], Path], setting: str, choice: str
) -> None:
    name = setting.partition(" ")[0]
    with pytest.raises(
        UsageError, match=rf"settings\.{name}: a \[\[grid\]\] decides it by {choice}, and the name of 'Z"
    ):
        read_systems(write(f"{ARCHIVE}{setting}\n[[grid]]\npages = 9"))


def test_pages_of_a_round_are_a_setting_where_no_grid_chooses_them(write: Callable[[str], Path]) -> None:
    (only,) = read_systems(write(f"{ARCHIVE}pages_per_round = 4\n[[grid]]"))
    assert only.settings["pages_per_round"] == 4


def test_models_that_are_set_elsewhere_are_none_of_a_system(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELIOGRAPH_LLM__BASE_URL", "http://127.0.0.1:8000/v1")
    monkeypatch.setenv("HELIOGRAPH_LLM__MODEL", "mine")
    monkeypatch.setenv("HELIOGRAPH_CONTACT", "me@example.org")
    grid = """[[grid]]
documents = ["zim", "duckduckgo"]
llm = ["none", "theirs"]
[llms.theirs]
model = "theirs"
base_url = "http://127.0.0.1:8001/v1"
"""
    systems = read_systems(write(ARCHIVE + grid))
    assert [load_settings(system.settings).llm.model for system in systems] == ["", "theirs"] * 2
    assert not any(system.lacking for system in systems)


def test_the_demo_s_grid_lacks_nothing() -> None:
    systems = read_systems(grid_file(Path("demo")))
    assert len({system.name for system in systems}) == 14
    assert not any(system.lacking for system in systems)
