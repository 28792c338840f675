"""Every command, as a user types it: good input, bad input, and a game at a real terminal."""

import functools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pexpect
import pytest

from quatuor.cli import main
from quatuor.game import new
from quatuor.games import names

QUATUOR = [sys.executable, "-c", "from quatuor.cli import main; main()"]

Run = Callable[..., tuple[int, str, str]]


def spawn(*words: str, **how: Any) -> pexpect.spawn:
    """A command at a separate terminal, where Ctrl-C works even if these tests run in the background."""
    listen = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return pexpect.spawn(QUATUOR[0], [*QUATUOR[1:], *words], encoding="utf-8", timeout=90, preexec_fn=listen, **how)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a command; returns exit code, output and errors. The store in the user's data folder is left alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def command(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quatuor", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return command


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text('[Game "plus4"]\n[Seat0 "Ada"]\n[Result "1-2"]\n\n1. a\n2. b\n3. a\n4. b\n5. a\n6. b\n7. a\n')
    return file


# ---- looking


def test_version(run: Run) -> None:
    assert run("--version") == (0, "quatuor 0.1.0\n", "")


def test_help_lists_the_commands_and_needs_no_compiler() -> None:
    code = "import sys, quatuor.cli; quatuor.cli.app(['--help'], standalone_mode=False); print('numba' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for command in ("games", "play", "show", "analyse", "arena", "perft", "solve", "serve", "gtp", "precompile"):
        assert f" {command} " in out
    assert out.endswith("False\n")


def test_games_lists_every_game_variant_and_option(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    for word in (*names(), "plus4:endless", "both_lines", "quiet_turns", "1 to 99"):
        assert word in out


def test_games_of_one_name_as_json(run: Run) -> None:
    code, out, _ = run("games", "plus4", "--json")
    (game,) = json.loads(out)
    assert (code, game["name"]) == (0, "plus4")
    assert [variant["name"] for variant in game["variants"]] == ["elementary", "endless", "rounds"]


def test_perft_counts(run: Run) -> None:
    code, out, _ = run("perft", "plus4", 3)
    assert code == 0
    assert re.findall(r"│ +(\d) │ +(\d+) │", out) == [("1", "4"), ("2", "16"), ("3", "64")]


def test_perft_as_json_with_an_option(run: Run) -> None:
    _, out, _ = run("perft", "plus4:endless", 2, "-o", "target=1", "--json")
    found = json.loads(out)
    assert found["options"]["target"] == 1
    assert [row["sequences"] for row in found["perft"]] == [8, 64]


def test_solve_prints_the_value(run: Run) -> None:
    _, out, _ = run("solve", "plus4:elementary")
    assert "The first player has a draw: a, b, c, d" in out
    _, out, _ = run("solve", "plus4", "-o", "both_lines=mover", "--json")
    assert json.loads(out)["options"]["both_lines"] == "mover"


def test_show_position_moves_and_result(run: Run, record: Path) -> None:
    code, out, _ = run("show", record)
    assert code == 0
    assert "1. a" in out
    assert "7. a" in out
    assert "Ada wins (line; points 1 : 0)." in out


def test_show_earlier_position_with_picture(run: Run, record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "game.svg"
    _, out, _ = run("show", record, "--ply", 0, "--svg", picture)
    assert "turn 0" in out
    assert picture.read_text().startswith("<svg")


def test_analyse_finds_the_blunder_and_draws_it(run: Run, record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "value.svg"
    code, out, _ = run("analyse", record, "--svg", picture)
    assert code == 0
    assert re.search(r"6 │ Player 2 │ b +│ -1\.00 │ a +│ \+1\.00 │ 2\.00 │ blunder", out)
    assert re.search(r"Ada +0\.750 +2 +0 +0", out)
    drawing = picture.read_text()
    assert drawing.startswith("<svg")
    assert "6. b: blunder, better a" in drawing


def test_analyse_as_json(run: Run, record: Path) -> None:
    found = json.loads(run("analyse", record, "--json")[1])
    assert (found["game"], found["seats"], found["whole"]) == ("plus4", ["Ada", "Player 2"], True)
    assert [turn["decisions"][0]["move"] for turn in found["turns"]] == list("abababa")
    assert found["turns"][-1]["values"] == [1.0, -1.0]


def test_many_games_are_analysed_kept_and_continued(run: Run, record: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "games", tmp_path / "analyses.jsonl"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(record.read_text().replace("Ada", f"Ada {number}"))
    words = ["analyse", record, folder, "--jobs", 1, "--out", out]
    code, shown, _ = run(*words)
    assert code == 0
    assert re.findall(r"│ (Ada[ 0-2]*?) +│ 0\.750 +│ 2 ", shown) == ["Ada", "Ada 0", "Ada 1", "Ada 2"]
    before = out.read_text()
    assert before.count("\n") == 4
    (folder / "3.txt").write_text("[Game]")
    code, shown, err = run(*words)
    assert (code, shown) == (2, "")
    assert f"{folder}/3.txt: line 1" in err
    assert "--skip-broken leaves such games out" in err
    code, again, err = run(*words, "--skip-broken", "--json")
    assert (code, err.count("left out")) == (0, 1)
    alone = json.loads(run("analyse", record, "--json")[1])
    found = json.loads(again)
    assert [len(game["turns"]) for game in found["games"]] == [7] * 4
    assert found["games"][0]["turns"] == alone["turns"]
    assert out.read_text() == before  # no game was analysed twice


def test_all_games_of_a_file_are_shown_analysed_and_judged(run: Run, record: Path) -> None:
    text = record.read_text()
    record.write_text(f"{text}\n{text.replace('Ada', 'Eve').replace('7. a', '7. b').replace('1-2', '*')}\n{text}")
    code, out, _ = run("show", record)
    assert (code, "Game 1 of 3" in out, "Ada wins" in out) == (0, True, True)
    second = json.loads(run("show", record, "--game", 2, "--json")[1])
    assert (second["number"], second["games"], second["seats"][0], second["over"]) == (2, 3, "Eve", False)
    assert "has 3" in run("show", record, "--game", 4)[2]
    found = json.loads(run("analyse", record, "--level", 1, "--jobs", 1, "--json")[1])["games"]
    assert [(game["number"], game["seats"][0], len(game["turns"])) for game in found] == [
        (1, "Ada", 7), (2, "Eve", 7), (3, "Ada", 7)
    ]  # fmt: skip
    judged = [json.loads(line) for line in run("judge", record, "--units", 5, "--json")[1].splitlines()]
    assert [line["number"] for line in judged] == [0] * 7 + [1] * 7 + [2] * 7
    record.write_text(record.read_text().replace("7. b", "7. x"))
    line = 1 + record.read_text().splitlines().index("7. x")
    for command in ("analyse", "judge"):
        code, _, err = run(command, record)
        assert (code, f"line {line}: 'x' is not a move" in "".join(err.splitlines())) == (2, True)
    found = json.loads(run("analyse", record, "--level", 1, "--jobs", 1, "--skip-broken", "--json")[1])["games"]
    assert [game["number"] for game in found] == [1, 3]


def test_all_games_of_a_blksgf_file_are_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "duo.blksgf"
    file.write_text("(;GM[Blokus Duo];B[e10])\n(;GM[Blokus Duo];B[e10];W[j5])\n")
    assert json.loads(run("show", file, "--game", 2, "--json")[1])["ply"] == 2


def test_an_analysis_that_is_interrupted_shows_what_it_has(tmp_path: Path) -> None:
    game = new("blokus")
    for _ in range(40):
        game.play(game.legal()[0])
    file = tmp_path / "long.txt"
    file.write_text(game.record())
    child = spawn("analyse", str(file), "--seconds", "0.5", "--threads", "1", dimensions=(50, 160))
    child.expect(r"[2-9]/40")
    child.sendintr()
    child.expect("Stopped after ")
    child.expect(pexpect.EOF)


def test_a_judgement_counts_moves_and_shows_what_it_has_when_interrupted(tmp_path: Path) -> None:
    game = new("blokus", "duo")
    for _ in range(20):
        game.play(game.legal()[0])
    file, out = tmp_path / "long.txt", tmp_path / "moves.jsonl"
    file.write_text(game.record())
    child = spawn("judge", str(file), "--units", "3000", "--out", str(out), dimensions=(50, 160))
    child.expect(r" [2-9]/20")
    child.sendintr()
    child.expect(r"Stopped after (\d+) of 20 moves")
    judged = int(child.match[1])
    child.expect(r"Player 1 +│")
    child.expect(pexpect.EOF)
    assert judged - len(out.read_text().splitlines()) in (0, 1)  # it may be interrupted between the two


def test_a_game_without_moves_is_judged_as_such(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "resigned.txt"
    file.write_text('[Game "plus4"]\n[Result "2-1"]\n[Termination "resigned"]\n')
    assert run("judge", file)[:2] == (0, "No move was judged.\n")


def test_arena_plays_continues_and_keeps_records(run: Run, tmp_path: Path) -> None:
    results, records = tmp_path / "results.jsonl", tmp_path / "records"
    words = ["arena", "random", "greedy", "--game", "plus4:endless", "-o", "target=2", "--jobs", 1, "--out", results]
    code, out, _ = run(*words, "--games", 2)
    assert code == 0
    assert re.search(r"greedy +│ +2 │", out)
    assert len(results.read_text().splitlines()) == 2
    found = json.loads(run(*words, "--games", 4, "--records", records, "--json")[1])
    assert (found["games"], found["whole"], found["options"]["target"]) == (4, True, 2)
    assert len(results.read_text().splitlines()) == 4
    assert len(list(records.iterdir())) == 2  # those played now
    assert run("show", next(records.iterdir()))[0] == 0
    before = results.read_text()
    run(*words, "--games", 4)
    assert results.read_text() == before


def test_an_arena_that_is_interrupted_shows_what_it_has(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    child = spawn("arena", "level=1", "random", "--games", "10000", "--out", str(results), dimensions=(50, 160))
    child.expect(r"[3-9]/10000")
    child.sendintr()
    child.expect("Stopped after ")
    child.expect(pexpect.EOF)
    assert len(results.read_text().splitlines()) >= 3


@pytest.mark.parametrize("name", ["levels.json", "levels.md"])
def test_arena_calibrate_adds_the_figures_of_a_variant(run: Run, tmp_path: Path, name: str) -> None:
    data, page = tmp_path / "levels.json", tmp_path / "levels.md"
    older = {"level": 1, "elo": 0, "error": 5, "games": 2, "seconds": 0.1}
    data.write_text(json.dumps({"blokus:duo": [older]}))
    words = ["arena", "calibrate", "plus4:endless", "-o", "target=1", "--games", 2, "--seconds", 0.01]
    code, out, _ = run(*words, "--docs", tmp_path / name)
    assert code == 0
    assert re.search(r"level=7 +│ +6 │", out)  # two games against level 5, 6 and 8
    figures = json.loads(data.read_text())
    assert figures["blokus:duo"] == [older]
    assert [row["level"] for row in figures["plus4:endless"]] == list(range(1, 9))
    row = figures["plus4:endless"][7]
    shown = f"| 8 | {row['elo']} | {row['error']} | {row['games']} | {row['seconds']:.3f} |"
    assert page.read_text().splitlines()[-1] == shown


def test_show_as_json(run: Run, record: Path) -> None:
    _, out, _ = run("show", record, "--ply", 6, "--json")
    found = json.loads(out)
    assert found["ply"] == 6
    assert len(found["moves"]) == 7
    assert found["position"]["grid"][0] == "br.."
    assert found["seats"] == ["Ada", "Player 2"]


def answers(address: str) -> bool:
    """Wait until a server answers: it prints its address a moment before."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(address, timeout=60) as reply:
                return bool(reply.status == 200)
        except URLError:
            time.sleep(0.1)
    return False


def test_serve_answers_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    with spawn("serve", "--port", "0", "--store", str(tmp_path / "games.sqlite3")) as child:
        child.expect(r"http://127\.0\.0\.1:(\d+)/")
        assert child.match
        assert answers(f"{child.match[0]}api/health")
        child.sendintr()
        child.expect(pexpect.EOF)
        assert "Traceback" not in child.before


def test_gtp_answers_commands() -> None:
    command = [*QUATUOR, "gtp", "--game", "duo", "--level", "1", "--seed", "1"]
    done = subprocess.run(command, input="1 name\n2 genmove b\nquit\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.split("\n\n")[:2]
    assert first.startswith("=1 ")
    assert re.fullmatch(r"=2 [a-n]\d+(,[a-n]\d+)*", second)


def test_show_blksgf(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.blksgf"
    file.write_text("(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[i4,h5,i5,j5,i6])")
    code, out, _ = run("show", file)
    assert code == 0
    assert "Blokus: Duo" in out
    assert "2. i4,h5,i5,j5,i6" in out


def test_a_position_is_shown_analysed_and_continued(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text("plus4:endless,target=1 br2/br2/br2/4 b 0:0 - -\n")
    code, out, _ = run("show", file, "--json")
    assert code == 0
    assert json.loads(out)["text"] == file.read_text().strip()
    code, out, _ = run("analyse", file, "--json", "--seconds", 0.1)
    assert code == 0
    assert json.loads(out)["moves"]["0"][0]["move"][0] == "a"
    words = ["--position", "br2/br2/br2/4 b 0:0 - -", "-o", "target=1", "-s", "random", "-s", "random", "--json"]
    code, out, _ = run("play", "plus4:endless", *words)
    assert code == 0
    assert json.loads(out)["over"]
    code, _, err = run("play", "plus4", "--json")
    assert code == 2
    assert "--json plays without people" in err


def test_a_tournament_as_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.json"
    code, out, _ = run("tournament", "create", file, "plus4", "Ada", "Bo", "--rounds", 3, "--json")
    assert code == 0
    assert json.loads(out)["players"] == ["Ada", "Bo"]
    assert json.loads(run("tournament", "enter", file, "Cem", "--json")[1])["players"] == ["Ada", "Bo", "Cem"]
    run("tournament", "pair", file)
    done = json.loads(run("tournament", "report", file, 1, "--forfeit", "Bo", "--json")[1])
    assert (done["round"], done["missing"]) == (1, [])
    run("tournament", "pair", file)
    assert run("tournament", "report", file, 1, "--places", "1;2")[0] == 2
    assert json.loads(run("tournament", "report", file, 1, "--places", "1,2", "--json")[1])["missing"] == []
    run("tournament", "correct", file, 2, 1, "--places", "2,1", "--note", "misread")
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["note"] == "misread"
    assert sum(row["games"] for row in json.loads(run("ratings", file, "--json")[1])["plus4:elementary"]) == 2
    assert json.loads(run("tournament", "close", file, "--json")[1])["over"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands_and_games(shell: str) -> None:
    asked = {
        "_QUATUOR_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "quatuor perft pl",
        "COMP_WORDS": "quatuor perft pl",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(QUATUOR, env=os.environ | asked, capture_output=True, text=True)
    assert "plateau_x" in done.stdout
    assert "plus4" in done.stdout
    assert "blokus" not in done.stdout


# ---- mistakes


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["perft", "chess", 2], "unknown game 'chess'; the games are blokus, plateau_x"),
        (["perft", "plus4:long", 2], "choose one of elementary, endless, rounds"),
        (["perft", "plus4", 0], "greater than or equal to 1"),
        (["perft", "plus4", "deep"], "integer"),
        (["perft", "plus4", 2, "-o", "target"], "write NAME=VALUE, such as target=5"),
        (["perft", "plus4:endless", 2, "-o", "target=0"], "choose a whole number from 1 to 99"),
        (["solve", "blokus"], "cannot be solved"),
        (["solve", "plus4", "-o", "threads=2"], "has no option 'threads'"),
        (["gtp", "--game", "chess"], "no game 'chess'; choose one of classic"),
        (["games", "chess"], "unknown game 'chess'"),
        (["show", "no/such/file"], "no/such/file: No such file or directory"),
        (["analyse", "no/such/file"], "no/such/file: No such file or directory"),
        (["analyse", "no/such/file", "nor/this"], "no/such/file: No such file or directory; --skip-broken"),
        (["analyse", "tests/jobs", "--jobs", 1], "tests/jobs: no records (.txt or .blksgf) to analyse"),
        (["play", "plus4", "--seat", "dog"], "choose human, engine, engine:1 to engine:8, or random"),
        (["play", "plus4", "--seat", "engine:9"], "engine:1 to engine:8"),
        (["play", "plus4", *["--seat", "random"] * 3], "there are 2 seats"),
        (["play"], "Missing argument 'GAME[:VARIANT]'"),
        (["dance"], "No such command 'dance'"),
        (["arena", "random", "random"], "name different ones"),
        (["arena", "random", "--ray", "nowhere"], "--ray nowhere: write local, auto or HOST:PORT"),
        (["arena", "random", "--ray", "127.0.0.1:1"], "127.0.0.1:1: nothing answers there (Connection refused)"),
        (["arena", "random", "deep_blue"], "level=1 to level=8"),
        (["arena", "random", "gtp:program", "--game", "plus4"], "GTP is for blokus"),
        (["arena", "calibrate"], "name one game"),
        (["arena", "random", "--docs", "levels.json"], "--docs is for quatuor arena calibrate"),
        (["judge", "tests/jobs"], "tests/jobs: no records (.txt or .blksgf) to judge"),
        (["judge", "no/such/file"], "no/such/file: No such file or directory"),
        (["ratings", "tests/jobs"], "tests/jobs: no records (.txt) to rate"),
        (["ratings", "no/such/file"], "quatuor: no/such/file: No such file or directory; --skip-broken"),
        (["tournament", "standings", "no/such/file"], "no/such/file does not exist"),
        (["tournament", "standings", "README.md"], "README.md, line 1: this is not an event of a tournament"),
        (["puzzle", "check", "README.md"], "README.md: this is not JSON"),
        (["import", "README.md"], "README.md is not an export of games"),
        (["reports", "--store", "README.md"], "README.md cannot be read: file is not a database"),
        (["admin", "log", "--store", "README.md"], "README.md cannot be opened: file is not a database"),
        (["backup", "README.md", "--store", "no/such/store"], "there are no games at"),
        (["mcp", "--http", "8765"], "write HOST:PORT, such as 127.0.0.1:8765"),
        (["mcp", "--http", "127.0.0.1:99999"], "write HOST:PORT, such as 127.0.0.1:8765"),
        (["mcp", "--server", "localhost:8000"], "write its address, such as http://localhost:8000"),
        (["engine", "--level", 9], "less than or equal to 8"),
        (["serve", "--port", 70000], "65535"),
        (["serve", "--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_mistake_is_one_line_and_exit_code_2(run: Run, words: list[object], answer: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert answer in err


@pytest.mark.parametrize(
    "words",
    [
        "arena PLAYER random --games 2 --jobs 1 --out FILE",
        "arena PLAYER random --games 2 --jobs 1 --judge FILE",
        "arena calibrate plus4 --games 2 --docs FILE",
        "judge GAME --out FILE",
        "analyse GAME --svg FILE",
        "analyse GAME --out FILE",
        "puzzle solve tetro10 --svg FILE",
    ],
)
def test_a_file_that_cannot_be_written_is_named_before_the_work(
    run: Run, record: Path, tmp_path: Path, words: str
) -> None:
    began, player = tmp_path / "began", tmp_path / "player.py"
    player.write_text(
        "import pathlib\n"
        f"def first(game, seat):\n    pathlib.Path({str(began)!r}).touch()\n    return game.legal(seat)[0]\n"
    )
    wrong = [(tmp_path / "none" / "file", "No such file or directory"), (tmp_path, "Is a directory")]
    for file, why in wrong:
        names = {"PLAYER": f"python:{player}:first", "GAME": record, "FILE": file}
        code, out, err = run(*(names.get(word, word) for word in words.split()))
        assert (code, out, err) == (2, "", f"quatuor: {file}: {why}\n")
    assert not began.exists()


def test_results_are_not_added_to_a_file_of_another_kind(run: Run, record: Path) -> None:
    before = record.read_text()
    for words in (["arena", "random", "--games", 2], ["analyse", record, "--level", 1]):
        code, _, err = run(*words, "--out", record)
        assert code == 2
        assert f"{record}: this is not a file of results" in err
    assert record.read_text() == before


def test_a_file_that_is_no_store_stays_as_it_is(run: Run, record: Path) -> None:
    record.chmod(0o644)
    before = record.read_bytes()
    for words in ("admin log", "admin ratings", "prune --days 90", "reports", "export all.jsonl"):
        code, _, err = run(*words.split(), "--store", record)
        assert code == 2
        assert "file is not a database" in err
    assert (record.stat().st_mode & 0o777, record.read_bytes()) == (0o644, before)


def test_a_file_that_is_no_text_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(b'[Game "plus4"]\n\xff\n')
    for words in ("show", "analyse", "judge", "ratings", "puzzle check", "tournament standings"):
        code, _, err = run(*words.split(), file)
        assert code == 2
        assert f"{file}: this is not UTF-8 text (byte 16)" in err


def test_a_tournament_that_is_refused_leaves_no_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    code, _, err = run("tournament", "create", file, "plus4", "Ada", "Ada")
    assert (code, err) == (2, "quatuor: Ada has entered already\n")
    assert not file.exists()
    assert run("tournament", "create", file, "plus4", "Ada", "Bo")[0] == 0
    assert run("ratings", file)[:2] == (0, "No game to rate yet.\n")


def test_a_port_that_is_in_use_is_named(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert run("mcp", "--http", address) == (2, "", f"quatuor: --http {address}: Address already in use\n")


def test_a_missing_ray_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, err = run("arena", "random", "--ray", "auto")
    assert code == 2
    assert "ray is not installed, which --ray needs. Try: pip install 'quatuor[ray]'" in err


def test_a_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quatuor.server", None)
    code, _, err = run("serve")
    assert code == 2
    assert "Try: pip install 'quatuor[server]'" in err


def test_a_package_that_typer_misses_is_one_line() -> None:
    program = "import sys; sys.modules['pydantic'] = None; sys.argv[1:] = ['games', 'plus4']; import quatuor.cli as cli"
    done = subprocess.run([sys.executable, "-c", f"{program}; cli.main()"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pydantic is not installed. Try: pip install" in done.stderr
    assert "Traceback" not in done.stderr


def test_damaged_record_names_the_line(run: Run, record: Path) -> None:
    record.write_text(record.read_text().replace("4. b", "4. x"))
    for command in ("show", "analyse"):
        code, _, err = run(command, record)
        assert code == 2
        assert f"{record.name}: line 8: 'x' is not a move" in "".join(err.splitlines())


def test_ply_beyond_the_end(run: Run, record: Path) -> None:
    assert "the game has 7 turns" in run("show", record, "--ply", 8)[2]


@pytest.mark.parametrize("words", ["games", "games --json"])
def test_a_closed_pipe_causes_no_traceback(words: str) -> None:
    command = " ".join(f"'{word}'" for word in QUATUOR) + f" {words} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


# ---- playing


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., pexpect.spawn]]:
    """Starts a game at a separate terminal."""
    children = []

    def start(*words: str) -> pexpect.spawn:
        environment = os.environ | {"TERM": "dumb", "COLUMNS": "100", "LINES": "40"}
        children.append(spawn("play", *words, cwd=tmp_path, env=environment))
        return children[-1]

    yield start
    for child in children:
        child.close(force=True)


def test_play_to_the_end(terminal: Callable[..., pexpect.spawn], tmp_path: Path) -> None:
    child = terminal("plus4", "-s", "human", "-s", "human")
    child.expect("Player 1 › ")
    child.sendline("?")
    child.expect(r"a\s+b\s+c\s+d\s")
    child.sendline("x")
    child.expect("'x' is not a move")
    child.sendline("help")
    child.expect("Moves are written like a")
    child.sendline("position")
    child.expect("plus4:elementary 4/4/4/4 b 0:0 - -")
    child.sendline("undo")
    child.expect("nothing to take back")
    for move in "ababa":
        child.sendline(move)
        child.expect("Player [12] › ")
    child.sendline("u")
    child.expect("Taken back")
    child.expect("turn 4")
    child.sendline("a")
    child.expect("turn 5")
    child.sendline("b")
    child.expect("turn 6")
    child.sendline("h")
    child.expect(r"a\s+\+1.00\s+win in 1\s")
    child.expect("This is proven")
    child.sendline("s saved.txt")
    child.expect("Saved")
    child.sendline("s no/such/folder/saved.txt")
    child.expect("No such file")
    child.sendline("a")
    child.expect(r"Player 1 wins \(line")
    child.expect(pexpect.EOF)
    assert (tmp_path / "saved.txt").read_text().endswith("6. b\n")


def test_play_against_engine_and_take_back_its_answer_too(terminal: Callable[..., pexpect.spawn]) -> None:
    child = terminal("plus4", "--seat", "human", "--seat", "engine:1", "--seed", "3")
    child.expect("Player 1 › ")
    child.sendline("a")
    child.expect("turn 2")
    child.sendline("u")
    child.expect("turn 0")
    child.sendline("quit")
    child.expect("Good bye")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_secret_orders_are_not_shown(terminal: Callable[..., pexpect.spawn]) -> None:
    child = terminal("trois_six", "-s", "human", "-s", "human")
    child.expect("Player 1 .*hidden")
    child.waitnoecho()
    child.sendline("1>A2")
    child.expect("Player 2 .*hidden")
    assert "1>A2" not in child.before
    child.waitnoecho()
    child.sendline("-")
    child.expect(r"Player 1: 1>A2\s+Player 2: -")


def test_ctrl_c_ends_a_game_without_a_traceback(terminal: Callable[..., pexpect.spawn]) -> None:
    child = terminal("plus4")
    child.expect("Player 1 › ")
    for _ in range(4):  # one between the prompt and its wait for a line takes effect with the next
        child.sendintr()
        if child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=20):
            break
    assert "Traceback" not in child.before
    child.close()
    assert child.exitstatus == 130


@pytest.mark.parametrize("name", names())
def test_random_players_play_every_game_to_its_end(run: Run, name: str) -> None:
    seats = new(name).seats
    code, out, _ = run("play", name, *["--seat", "random"] * seats, "--seed", 1)
    assert code == 0
    assert re.search(r"wins|A draw|share the first place", out.splitlines()[-1])


def test_precompile_compiles_everything_and_says_so(run: Run) -> None:
    code, out, _ = run("precompile")
    assert code == 0
    assert "Compiled" in out
    code, out, _ = run("warmup", "--json")  # its former name
    assert code == 0
    assert set(names()) <= set(json.loads(out)["compiled"])


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        (["perft", "plus4", "3"], "Counting"),
        (["solve", "plus4:endless", "-o", "target=1"], "solving"),
        (["check", "plus4", "--games", "1"], "Checking"),
        (["judge", "game.txt", "--units", "5"], "Judging"),
        (["analyse", "game.txt", "--level", "1"], "Analysing"),
        (["puzzle", "solve", "tetro10"], "Searching"),
        (["puzzle", "daily"], "Searching"),
        (["arena", "random", "greedy", "--games", "2", "--jobs", "1"], "Playing"),
        (["arena", "calibrate", "plus4", "--games", "2", "--jobs", "1"], "Playing"),
        (["ratings", "game.txt"], "Rating"),
        (["import", "game.txt", "--store", "games.sqlite"], "Importing"),
    ],
)
def test_what_may_take_long_shows_a_sign_of_life(words: list[str], sign: str, record: Path) -> None:
    """At a terminal, and not on the standard output: that is for the result."""
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    child = spawn(*words, cwd=record.parent, env=environment)
    child.expect(sign)
    child.kill(signal.SIGKILL)
    child.wait()
