"""A folder of files is there whole or not at all, and says what is wrong with it."""

import json
from pathlib import Path

import pytest

from heliograph.errors import StoreDamaged
from indexers.offline.filesets import MANIFEST, SEAL, FileSet, needed, opened, writing


def written(folder: Path, text: str = "Io") -> FileSet:
    with writing(folder) as draft:
        (draft.path / "deep").mkdir()
        (draft.path / "moons").write_text(text, encoding="utf8")
        (draft.path / "deep" / "none").write_bytes(b"")
        draft.counts["moons"] = 1
    return needed(folder)


def test_a_set_is_there_with_its_counts_when_it_is_finished(tmp_path: Path) -> None:
    found = written(tmp_path / "set")
    found.verify()
    assert (sorted(found.files), found.counts, found.size) == (["deep/none", "moons"], {"moons": 1}, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_nothing_is_there_before(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), writing(tmp_path / "set") as draft:
        (draft.path / "moons").write_text("Io")
        raise KeyboardInterrupt
    assert opened(tmp_path / "set") is None
    with pytest.raises(StoreDamaged, match=r"set is damaged: it is missing; give the command that built it again"):
        needed(tmp_path / "set")
    assert list(written(tmp_path / "set", "Europa").files) == ["deep/none", "moons"]


def test_a_set_takes_the_place_of_another(tmp_path: Path) -> None:
    written(tmp_path / "set", "Io")
    written(tmp_path / "set", "Europa").verify()
    assert (tmp_path / "set" / "moons").read_text() == "Europa"


def test_an_altered_manifest_is_found_by_its_own_checksum_and_one_of_before_has_none(tmp_path: Path) -> None:
    written(tmp_path / "set")
    manifest = tmp_path / "set" / MANIFEST
    kept = manifest.read_text()
    manifest.write_text(kept.replace('"moons": 1', '"moons": 7'))
    with pytest.raises(StoreDamaged, match=rf"{MANIFEST} was altered"):
        needed(tmp_path / "set")
    manifest.write_text(json.dumps({name: value for name, value in json.loads(kept).items() if name != SEAL}))
    assert needed(tmp_path / "set").count("moons") == 1
    with pytest.raises(StoreDamaged, match="does not count stars; give the command"):
        needed(tmp_path / "set").count("stars")


def test_altered_bytes_are_found_by_reading_everything(tmp_path: Path) -> None:
    written(tmp_path / "set")
    (tmp_path / "set" / "moons").write_text("Ix")
    found = needed(tmp_path / "set")
    with pytest.raises(StoreDamaged, match=r"set is damaged: moons was altered"):
        found.verify()


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("moons", b"I", "moons has 1 bytes where 2 are expected"),
        ("moons", None, "moons is missing"),
        (MANIFEST, None, f"{MANIFEST} is missing"),
        (MANIFEST, b"{", rf"{MANIFEST} cannot be read \(JSONDecodeError\)"),
        (MANIFEST, b"[]", rf"{MANIFEST} cannot be read \((Type|Attribute)Error\)"),
        (MANIFEST, b'{"files":' * 100_000, rf"{MANIFEST} cannot be read \(RecursionError\)"),
        (MANIFEST, b'{"files": {}, "counts": {"moons": Infinity}}', rf"{MANIFEST} cannot be read \(OverflowError\)"),
        (MANIFEST, b'{"files": {"moons": [' + b"9" * 5_000 + b', ""]}}', rf"{MANIFEST} cannot be read \(ValueError\)"),
        (MANIFEST, b'{"files": {"moons": 1}}', rf"{MANIFEST} cannot be read \(TypeError\)"),
        (MANIFEST, b'{"files": {}, "counts": {}, "schema": "x/9"}', "it is of schema x/9"),
    ],
)
def test_damage_is_named(tmp_path: Path, name: str, content: bytes | None, fault: str) -> None:
    written(tmp_path / "set")
    path = tmp_path / "set" / name
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(StoreDamaged, match=f"set is damaged: {fault}"):
        opened(tmp_path / "set")
