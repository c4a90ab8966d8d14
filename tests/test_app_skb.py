"""`heliograph skb` from two CSV files to an answer by hand: build, show, search, neighbours, path, check."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]
DEMO = Path(__file__).resolve().parent.parent / "demo" / "skb"


@pytest.fixture(scope="module")
def base(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("skb") / "demo.skb"
    result = cli("skb", "build", DEMO, out)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{out}: 191 entities of 8 types, 492 relations of 23 kinds\n"
    return out


def test_a_base_is_shown_with_its_types_its_relations_and_what_to_know_of_it(cli: Cli, base: Path) -> None:
    lines = cli("skb", "show", base).stdout.splitlines()
    assert lines[0] == "demo"
    assert "            51 moon" in lines
    assert "            44 moon -orbits-> planet" in lines
    assert lines[-1].startswith("most relations: ")
    told = json.loads(cli("skb", "show", base, "--json").stdout)
    assert told["entity_types"]["moon"] == 51
    assert {"source": "moon", "relation": "orbits", "target": "planet", "triples": 44} in told["schema"]


def test_an_entity_is_shown_by_id_or_by_name(cli: Cli, base: Path) -> None:
    by_name = cli("skb", "show", base, "TITAN").stdout
    assert by_name == cli("skb", "show", base, "titan").stdout
    assert by_name.startswith("titan: Titan (moon)")
    assert "Titan -orbits-> Saturn" in by_name
    told = json.loads(cli("skb", "show", base, "titan", "--json").stdout)
    assert told["attributes"]["diameter_km"] == 5150.0


def test_of_many_neighbours_the_first_are_shown_with_the_command_for_the_rest(cli: Cli, base: Path) -> None:
    lines = cli("skb", "show", base, "saturn").stdout.splitlines()
    more = lines[next(at for at, line in enumerate(lines) if line.endswith("-orbits-> Saturn")) + 3]
    count, _, command = more.strip().partition(" more: heliograph ")
    assert (count, command) == ("12", f"skb neighbours {base} saturn --relation orbits --direction in")


def test_neighbours_and_paths_are_shown_by_name(cli: Cli, base: Path) -> None:
    found = cli("skb", "neighbours", base, "Christiaan Huygens", "--relation", "discovered")
    assert found.stdout.splitlines()[0] == "titan: Titan (moon)"
    assert found.stdout.splitlines()[1].startswith("  Christiaan Huygens -discovered-> Titan: ")
    one = json.loads(cli("skb", "neighbours", base, "titan", "--relation", "orbits", "--json").stdout)
    assert (one["id"], one["triples"][0]["source"], one["triples"][0]["relation"]) == ("saturn", "titan", "orbits")
    none = cli("skb", "neighbours", base, "titan", "--relation", "orbits", "--direction", "in")
    assert (none.exit_code, none.stdout) == (3, "")
    few = cli("skb", "neighbours", base, "saturn", "--type", "moon", "--k", "2")
    assert sum(not line.startswith(" ") for line in few.stdout.splitlines()) == 2
    assert "more; show them with --k" in few.stderr
    path = cli("skb", "path", base, "Titan", "Rhea", "--k", "1")
    assert path.stdout.startswith("Titan -orbits-> Saturn")
    assert "; Rhea -orbits-> Saturn" in path.stdout
    (line, *_) = cli("skb", "path", base, "titan", "saturn", "--json").stdout.splitlines()
    assert json.loads(line)["triples"][0]["relation"] == "orbits"
    none = cli("skb", "path", base, "titan", "phobos", "--hops", "1")
    assert (none.exit_code, none.stdout) == (3, "")
    assert "no path of at most 1 relation joins them; try --hops 2" in none.stderr


def test_a_search_for_paths_that_gives_up_says_so_and_what_to_do(
    cli: Cli, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexers.skb.knowledge_base.MOST_VISITED", 1)
    gave_up = cli("skb", "path", base, "titan", "phobos", "--hops", "4")
    assert (gave_up.exit_code, gave_up.stdout) == (2, "")
    assert "no path of at most 1 relation joins them, and the search for a longer one gave up" in gave_up.stderr


def test_a_base_of_one_entity_is_told_in_the_singular(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "moon.csv").write_text("id\nio\n", encoding="utf8")
    out = tmp_path / "one.skb"
    built = cli("skb", "build", tmp_path / "moon.csv", out)
    assert built.stdout == f"{out}: 1 entity of 1 type, 0 relations of 0 kinds\n"


def test_a_search_goes_by_words_and_type(cli: Cli, base: Path) -> None:
    found = cli("skb", "search", base, "lakes of liquid methane", "--type", "moon", "--k", "1")
    assert found.stdout == "titan: Titan (moon)\n"


def test_a_whole_base_is_said_to_be_whole_and_a_damaged_one_is_6(cli: Cli, base: Path, tmp_path: Path) -> None:
    assert cli("skb", "check", base).stdout.splitlines()[-1] == "nothing is damaged"
    out = tmp_path / "damaged.skb"
    cli("skb", "build", DEMO, out)
    (out / "relations.bin").write_bytes(b"")
    result = cli("skb", "check", out)
    assert result.exit_code == 6
    assert "build the knowledge base again" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "{base}", "sputnik"), "no entity has the id or the name 'sputnik'"),
        (("neighbours", "{base}", "titan", "--relation", "lives on"), "no relation 'lives on'"),
        (("search", "{base}", "ice", "--type", "star"), "no type 'star'"),
        (("show", "nowhere.skb"), "no knowledge base at nowhere.skb: make one with heliograph skb build"),
        (("build", "nowhere", "{out}"), "there is no file nowhere"),
        (("build", str(DEMO), "{base}"), "is there already; name another, or replace it with --force"),
        (("build", __file__, "{out}"), r"is none of .csv"),
    ],
)
def test_what_cannot_be_had_is_2_and_named(
    cli: Cli, base: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    result = cli("skb", *(each.format(base=base, out=tmp_path / "out.skb") for each in arguments))
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stdout == ""


def test_only_a_base_is_ever_replaced(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine", encoding="utf8")
    result = cli("skb", "build", DEMO, folder, "--force")
    assert result.exit_code == 2
    assert "is there already and is no knowledge base; name another place" in result.stderr
    assert (folder / "thesis.txt").read_text(encoding="utf8") == "mine"
    lost = cli("skb", "build", DEMO, tmp_path / "not" / "there.skb")
    assert lost.exit_code == 2 and "there is no folder" in lost.stderr
    assert not (tmp_path / "not").exists()


def test_an_id_wins_over_a_name_and_candidates_must_be_there(cli: Cli, tmp_path: Path) -> None:
    source, out = tmp_path / "film.csv", tmp_path / "films.skb"
    source.write_text("id;name;budget\nf08;Persona;11,500,000\np21;f08;007\n;;\n", encoding="utf8")
    assert cli("skb", "build", source, out, "--candidates", "Movie").exit_code == 2
    assert cli("skb", "build", source, out, "--candidates", "film").exit_code == 0
    assert cli("skb", "show", out, "f08").stdout.splitlines() == ["f08: Persona (film)", "  budget: 11500000"]
    assert json.loads(cli("skb", "show", out, "p21", "--json").stdout)["attributes"] == {"budget": "007"}
    assert cli("skb", "search", out, "zzzz").exit_code == 3


def test_a_question_is_answered_with_its_plan_and_what_shows_each_answer(cli: Cli, base: Path) -> None:
    said = cli("skb", "ask", base, "Which moon was also found by the man who discovered Miranda?", "--type", "moon")
    lines = said.stdout.splitlines()
    assert lines[0] == "asks for: moon"
    best = next(place for place, line in enumerate(lines) if "%" in line)
    assert lines[best].endswith("Nereid (moon, nereid)")
    assert all(line.startswith("       Gerard Kuiper -discovered-> ") for line in lines[best + 1 : best + 3])
    told = json.loads(cli("skb", "ask", base, "moons of Neptune", "--k", 1, "--json").stdout)
    assert told["type"] == "moon" and told["plan"][0] == "asks for: moon" and 0 < told["probability"] <= 1


def test_answers_that_do_not_meet_the_plan_stand_apart_and_attributes_are_shown(cli: Cli, base: Path) -> None:
    said = cli("skb", "ask", base, "Which moons of Saturn are more than 1,000 km across?", "--type", "moon", "--k", 20)
    meeting, others = said.stdout.split("by other plans:\n")
    assert "       diameter (km): 5150\n" in meeting and "Titan (moon, titan)" in meeting
    assert "Epimetheus" in others and "Epimetheus" not in meeting


def test_a_question_that_finds_nothing_ends_with_3(cli: Cli, base: Path) -> None:
    found = cli("skb", "ask", base, " ")
    assert found.exit_code == 3 and "other words" in found.stderr


def test_the_agent_answers_from_a_base_and_the_run_replays_without_it(cli: Cli, base: Path, tmp_path: Path) -> None:
    moved, home = tmp_path / "moved.skb", {"HELIOGRAPH_HOME": str(tmp_path / "home")}
    copy = Path(shutil.copytree(base, tmp_path / "own.skb", ignore=shutil.ignore_patterns("indexes")))
    asked = cli("ask", "--source", f"skb:{copy}", "Which rocket launched Perseverance?", "--json", **home)
    answer = json.loads(asked.stdout)
    assert "skb:own: entities embedded: 191 of 191" in asked.stderr
    assert answer["answer"].startswith("Atlas V")
    assert "launcher%3A" in answer["citations"][0]["evidence"] and answer["citations"][0]["evidence"].endswith("/r1")
    copy.rename(moved)
    assert cli("replay", answer["run"], **home).exit_code == 0
    gone = cli("ask", "--source", f"skb:{copy}", "Which rocket launched Juno?", **home)
    assert gone.exit_code == 2 and str(copy) in gone.stderr
