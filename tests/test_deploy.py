"""What is deployed is what the files say: valid by their own tools, on loopback, without root, writing to one place."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from tests.servers.chroma import chroma_server, something_else

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = ROOT / "deploy" / "compose.yaml"
UNIT = ROOT / "deploy" / "systemd" / "heliograph.service"
DOCKERFILES = [ROOT / "deploy" / "Dockerfile", ROOT / "deploy" / "phoenix" / "Dockerfile"]
CHROMA = ROOT / "deploy" / "chroma" / "Dockerfile"
OURS = ("heliograph", "chroma", "phoenix")
"""Services of images that we build."""


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text(encoding="utf8"))["services"]
    return found


def instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, lines that go on joined."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile.read_text(encoding="utf8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    split = (line.partition(" ") for line in lines if line.strip())
    return [(word, " ".join(rest.split())) for word, _, rest in split]


def test_the_compose_file_is_one_by_the_specification() -> None:
    assert sorted(PyCompose.from_yaml(COMPOSE.read_text(encoding="utf8")).service_names()) == sorted(services())


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("read_only: true", "read_onyl: true"),
        ("retries: 3", "retries: many"),
        ("cap_drop: [ALL]", "cap_drop: 3"),
        ("127.0.0.1:8642:8642", "127.0.0.1:x:y"),
        ("interval: 30s", "interval: soon"),
    ],
)
def test_what_the_specification_does_not_allow_is_refused(right: str, wrong: str) -> None:
    text = COMPOSE.read_text(encoding="utf8")
    assert right in text
    with pytest.raises(ValueError, match="services"):
        PyCompose.from_yaml(text.replace(right, wrong, 1))


def test_docker_reads_the_compose_file() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker compose is not installed")
    asked = [docker, "compose", "--file", str(COMPOSE), "--profile", "gpu", "--profile", "traces", "config", "--quiet"]
    done = subprocess.run(asked, env={"HELIOGRAPH_SERVE_KEY": "k"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_service_is_published_on_loopback_watched_and_kept_from_new_privileges() -> None:
    for name, service in services().items():
        assert service["ports"], name
        assert all(port.startswith("127.0.0.1:") for port in service["ports"]), name
        assert service["healthcheck"]["test"][0] == "CMD", name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.get("privileged") and "network_mode" not in service, name
        volumes = {volume.partition(":")[0] for volume in service["volumes"]}
        declared = yaml.safe_load(COMPOSE.read_text(encoding="utf8"))["volumes"]
        assert {each for each in volumes if not each.startswith(".")} <= declared.keys(), name


def test_images_of_ours_run_read_only_without_root_and_without_capabilities() -> None:
    for name in OURS:
        service = services()[name]
        assert service["read_only"] is True
        assert int(service["user"]) > 0
        assert service["cap_drop"] == ["ALL"]
        assert service["tmpfs"][0].startswith("/tmp:")


def test_no_key_stands_in_the_compose_file() -> None:
    for service in services().values():
        for name, value in service["environment"].items():
            if re.search("KEY|TOKEN|SECRET", name):
                assert re.fullmatch(r"\$\{\w+:[-?].*\}", value), name
    assert services()["heliograph"]["environment"]["HELIOGRAPH_SERVE_KEY"].startswith("${HELIOGRAPH_SERVE_KEY:?")


def test_settings_of_the_compose_file_exist() -> None:
    from heliograph.config import Settings

    for name in services()["heliograph"]["environment"]:
        if name.startswith("HELIOGRAPH_"):
            assert name.removeprefix("HELIOGRAPH_").partition("__")[0].lower() in Settings.model_fields


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)
def test_an_image_has_two_stages_a_user_a_health_check_and_fetches_nothing_by_address(dockerfile: Path) -> None:
    lines = instructions(dockerfile)
    words = [word for word, _ in lines]
    assert words.count("FROM") == 2
    last = lines[len(words) - 1 - words[::-1].index("FROM") :]
    assert int(dict(last)["USER"]) > 0
    after = [word for word, _ in last[[word for word, _ in last].index("USER") :]]
    assert "RUN" not in after and "COPY" not in after
    assert {"HEALTHCHECK", "VOLUME"} <= {word for word, _ in last}
    assert "ADD" not in words
    assert not [rest for word, rest in lines if word == "RUN" and re.search(r"curl|wget|https?://", rest)]


def test_chroma_is_of_the_version_that_heliograph_speaks_to_and_writes_to_its_volume_without_root() -> None:
    (version,) = re.findall(r"^chromadb==(.+)$", (ROOT / "constraints.txt").read_text(encoding="utf8"), re.MULTILINE)
    lines = dict(instructions(CHROMA))
    service = services()["chroma"]
    assert lines["FROM"] == f"chromadb/chroma:{version}"
    assert service["image"] == f"heliograph-chroma:{version}"
    assert lines["USER"] == service["user"] != "0"
    assert service["volumes"] == [f"vectors:{lines['VOLUME']}"]
    assert json.loads(lines["CMD"])[-1] == lines["VOLUME"]
    assert f"--owner={lines['USER']} " in lines["RUN"]
    assert lines["HEALTHCHECK"].endswith(json.dumps(service["healthcheck"]["test"][1:]))


def test_heliograph_waits_for_chroma_and_is_given_its_address() -> None:
    heliograph = services()["heliograph"]
    assert heliograph["depends_on"] == {"chroma": {"condition": "service_healthy"}}
    assert heliograph["environment"]["HELIOGRAPH_CHROMA_URL"] == "${HELIOGRAPH_CHROMA_URL-http://chroma:8000}"
    assert json.loads(dict(instructions(CHROMA))["CMD"])[1:5] == ["--host", "0.0.0.0", "--port", "8000"]


def test_the_health_check_of_chroma_tells_a_server_that_serves_from_none(tmp_path: Path) -> None:
    program = services()["chroma"]["healthcheck"]["test"][1:]
    with chroma_server(tmp_path / "chroma") as server, something_else(200, "{}") as other:
        found = []
        for port in (str(server.port), other.rpartition(":")[2], "9"):
            asked = [*program[:-1], program[-1].replace("/8000", f"/{port}")]
            found.append(subprocess.run(asked, capture_output=True, check=False).returncode)
    assert (found[0], 0 in found[1:]) == (0, False)


def test_the_image_is_made_of_the_whole_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))
    packages = {name.removesuffix("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = {rest.split()[0] for word, rest in instructions(DOCKERFILES[0]) if word == "COPY" and "--from" not in rest}
    assert packages <= copied
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf8").splitlines()
    wanted = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    sources = {
        source
        for word, rest in instructions(DOCKERFILES[0])
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert sources == wanted
    assert all((ROOT / source).exists() for source in sources)


def test_image_compose_file_and_unit_agree_on_the_port() -> None:
    assert dict(instructions(DOCKERFILES[0]))["EXPOSE"] == "8642"
    assert services()["heliograph"]["command"][4] == "8642"
    assert "--port 8642" in UNIT.read_text(encoding="utf8")


def test_systemd_takes_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is not installed")
    there = UNIT.read_text(encoding="utf8").replace("/opt/heliograph/bin/heliograph", sys.executable)
    unit = tmp_path / UNIT.name
    unit.write_text(there, encoding="utf8")
    verified = subprocess.run([analyse, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    judged = [analyse, "security", "--offline=true", "--threshold=15", unit]
    assert subprocess.run(judged, capture_output=True, text=True, check=False).returncode == 0
    unit.write_text(there.replace("ProtectSystem=strict", "ProtectSytem=strict"), encoding="utf8")
    assert (
        "ProtectSytem" in subprocess.run([analyse, "verify", unit], capture_output=True, text=True, check=False).stderr
    )


READ_ONLY = """
mount --bind "$1" "$1" && mount -o remount,bind,ro / && ! touch /written 2>/dev/null || exit 99
cd / && exec "$2" -m app ask --source "zim:$3" --json "Who designed Skerry Head Light?"
"""


def test_nothing_but_the_home_folder_and_passing_files_is_written(archive: Path, tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("unshare is not installed")
    (tmp_path / "tmp").mkdir()
    done = subprocess.run(
        [unshare, "--mount", "--map-root-user", "bash", "-c", READ_ONLY, "-", tmp_path, sys.executable, archive],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "HOME": "/nonexistent",
            "TMPDIR": str(tmp_path / "tmp"),
            "HELIOGRAPH_HOME": str(tmp_path / "home"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip(f"no read-only root can be made here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert "Ada Brandt" in done.stdout
    assert list((tmp_path / "tmp").iterdir()) == []
