"""The wheel: installed without a network into an empty environment, without Numba, in a folder without a checkout."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from examples.http_client import Client
from quatuor.kernel.library import target

ROOT = Path(__file__).parent.parent
WHEELS = ROOT / ".venv" / "wheels"  # the dependencies of Quatuor; `make test` fetches them during set-up
BUILD = "import sys, backend; print(backend.build_wheel(sys.argv[1]))"
GAME = """
import json, quatuor
from importlib.util import find_spec
from quatuor.kernel import status
from quatuor.games import names
game = quatuor.new("plus4", "rounds")
players = quatuor.engine(level=1, seed=1), quatuor.engine(level=8, seconds=0.02, seed=2)
while not game.over and game.ply < 60:
    seat, = game.to_move
    game.play(players[seat].choose(game))
for name in names():
    other = quatuor.new(name)
    seat = other.to_move[0]
    assert quatuor.engine(level=8, seconds=0.02).choose(other, seat) in other.legal(seat)
found = {"numba": find_spec("numba") is not None, "at": quatuor.__file__, "turns": game.ply, "ways": status(names())}
print(json.dumps(found))
"""
DOCTESTS = """
import doctest, importlib, json, pathlib, quatuor
root = pathlib.Path(quatuor.__file__).parent
tried, missing = {}, {}
for file in sorted(root.rglob("*.py")):
    if ">>> " in file.read_text("utf-8"):
        name = ".".join(("quatuor", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        try:
            result = doctest.testmod(importlib.import_module(name))
        except ModuleNotFoundError as error:
            missing[name] = error.name
        else:
            tried[name] = [result.attempted, result.failed]
print(json.dumps([tried, missing]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with the libraries of this machine, which `make setup` has built."""
    folder = tmp_path_factory.mktemp("dist")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools"), "QUATUOR_TARGETS": target() or ""}
    command = [sys.executable, "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stdout + done.stderr
    return folder / done.stdout.split()[-1]


def interpreters() -> list[str]:
    """This Python, and those of other versions that this machine has and whose dependencies were fetched."""
    own = "{}.{}".format(*sys.version_info)
    found = [sys.executable]
    for version in ("3.11", "3.12", "3.13", "3.14"):
        kept = Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
        places = filter(None, [shutil.which(f"python{version}"), *map(str, kept)])
        fetched = list(WHEELS.glob(f"numpy-*-cp{version.replace('.', '')}-*"))
        if version != own and fetched and (program := next(filter(_starts, places), None)):
            found.append(program)
    return found


def _starts(program: str) -> bool:
    """Whether it can create environments; pyenv also lists versions that are disabled."""
    return not subprocess.run([program, "-c", "import venv"], capture_output=True).returncode


@pytest.fixture(scope="module", params=interpreters(), ids=lambda program: Path(program).name)
def home(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in which the wheel is installed, and nothing else."""
    home = tmp_path_factory.mktemp("home")
    subprocess.run([request.param, "-m", "venv", "--without-pip", home / "venv"], check=True)
    pip = [sys.executable, "-m", "pip", "--python", home / "venv", "-q", "install", "--no-index", "--no-compile"]
    pinned = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    subprocess.run([*pip, "--find-links", WHEELS, wheel], check=True, cwd=home, env=pinned)
    return home


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(home), "QUATUOR_DATA": str(home / "data")}


def run(home: Path, *command: str) -> str:
    done = subprocess.run(
        [home / "venv" / "bin" / command[0], *command[1:]],
        cwd=home,
        env=environment(home),
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    assert "RuntimeWarning" not in done.stderr  # no kernel runs as plain Python
    return done.stdout


def test_the_wheel_contains_only_what_it_needs(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = [archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")]
    inside = "\n".join(names)
    for needed in ("server/static/index.html", "interop/rulebooks/de/blokus.md", "learn/courses/plus4.toml",
                   "server/data/common-passwords.txt.gz", "server/store/migrations/env.py", "py.typed",
                   f"kernel/libraries/{target()}/blokus-"):  # fmt: skip
        assert f"quatuor/{needed}" in inside, needed
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"quatuor"}
    assert "__pycache__" not in inside
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in (f"Version: {stated['version']}", "Requires-Python: >=3.11",
                 "Description-Content-Type: text/markdown", f"Summary: {stated['description']}",
                 "Author: The authors of Quatuor", "License", "Keywords: ",
                 *(f"Classifier: Programming Language :: Python :: 3.{n}" for n in (11, 12, 13, 14))):  # fmt: skip
        assert line in about, line
    assert "\nRequires-Dist: numba\n" not in about


def test_a_game_against_level_8_without_numba(home: Path) -> None:
    found = json.loads(run(home, "python", "-c", GAME).splitlines()[-1])
    assert not found["numba"]
    assert Path(found["at"]).is_relative_to(home / "venv")
    assert found["turns"] > 6
    assert set(found["ways"].values()) == {f"aot: {target()}"}
    assert json.loads(run(home, "quatuor", "doctor", "--kernels", "--json"))["kernels"] == found["ways"]


def test_examples_of_docstrings(home: Path) -> None:
    tried, missing = json.loads(run(home, "python", "-c", DOCTESTS).splitlines()[-1])
    assert {name: counts for name, counts in tried.items() if counts[1] or not counts[0]} == {}
    assert len(tried) > 10
    assert set(missing.values()) <= {"gymnasium", "pettingzoo", "pyspiel", "openskill"}, missing  # extras


def test_the_page_and_a_table_are_served(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [home / "venv" / "bin" / "quatuor", "serve", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=home, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        page = wait_for(f"http://127.0.0.1:{port}/", server)
        (script, *_) = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        with urlopen(f"http://127.0.0.1:{port}{script}") as answer:
            assert answer.status == 200
            assert answer.headers["content-type"].startswith("text/javascript")
        table = Client(f"http://127.0.0.1:{port}").open("plus4", "me", 1)
        table.move(0, "b")
        while len(table.state["history"]) < 2:
            table.wait()
    finally:
        server.send_signal(signal.SIGTERM)
        said = server.communicate(timeout=20)[0].decode()
    assert "Traceback" not in said


def wait_for(address: str, server: subprocess.Popen[bytes]) -> str:
    while True:
        try:
            with urlopen(address) as answer:
                assert answer.status == 200
                return answer.read().decode()
        except OSError:
            assert server.poll() is None, server.stdout and server.stdout.read()
            time.sleep(0.1)
