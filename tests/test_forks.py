"""A forked process of Quatuor is like one that starts anew: the same output, the same end, the same environment."""

import os
import re
import signal
import subprocess
import sys

import pytest

from tests import forks
from tests.test_cli import answers

QUATUOR = [sys.executable, "-c", "from quatuor.cli import main; main()"]


def both(*arguments: str, **how: object) -> list[tuple[int, str, str]]:
    """Exit status, output and errors of a command, started anew and forked."""
    found = []
    for popen in (subprocess.Popen, forks.Popen):
        with popen([*QUATUOR, *arguments], stdout=-1, stderr=-1, stdin=-1, text=True, **how) as process:
            found.append((process, process.communicate(timeout=60)))
    return [(process.returncode, *received) for process, received in found]


@pytest.mark.parametrize("arguments", [["--version"], ["games", "plus4"], ["show", "nothing"], ["nothing"]])
def test_a_command_says_the_same_and_ends_alike(arguments):
    anew, forked = both(*arguments)
    assert anew == forked


def test_environment_and_folder_are_those_of_the_caller(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.txt").write_text("no game")
    environment = os.environ | {"QUATUOR_STORE": "folder/of/no/store.sqlite"}
    for arguments in (["show", "broken.txt"], ["reports"]):
        anew, forked = both(*arguments, env=environment)
        assert anew == forked
        assert anew[0] == 2


def endings(popen, command: list[str]) -> list[int]:
    """How a server ends at each signal."""
    found = []
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
        with popen(command, stdout=-1, stderr=-1, text=True) as process:
            address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert answers(f"{address[0]}api/health")  # before, a signal that the caller ignores is ignored here too
            assert process.poll() is None
            process.send_signal(number)
            found.append(process.wait(timeout=60))
    return found


def test_signals_end_a_server_alike(tmp_path):
    command = [*QUATUOR, "serve", "--port", "0", "--store", str(tmp_path / "a.sqlite"), "--secret", str(tmp_path / "b")]
    assert endings(forks.Popen, command) == endings(subprocess.Popen, command)


def asked(*command: str, env: dict[str, str] | None = None, **unusual: object) -> bool:
    """Whether a command would be forked."""
    usual = dict.fromkeys(("preexec_fn", "cwd", "shell", "executable", "pass_fds", "gids", "uid", "gid"))
    return forks.can_fork({"args": list(command), "env": env, "umask": -1, **usual, **unusual})


def test_what_would_differ_starts_anew():
    assert asked(*QUATUOR, "games")
    assert asked(sys.executable, "-m", "quatuor", "games")
    assert asked(*QUATUOR, "games", env=os.environ | {"QUATUOR_DATA": "elsewhere"})
    assert not asked(*QUATUOR, "games", env=os.environ | {"QUATUOR_KERNELS": "jit"})
    assert not asked(*QUATUOR, "games", env={})
    assert not asked(*QUATUOR, "games", cwd="/")
    assert not asked(*QUATUOR, "games", pass_fds=[5])
    assert not asked(sys.executable, "-c", "print()")
    assert not asked("/usr/bin/python", *QUATUOR[1:])
    assert not asked("true")
