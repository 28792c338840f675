"""GTP: what each command does, and whole games between two processes under an independent referee."""

import io
import sys

import pytest

import quatuor
from quatuor.interop.gtp import COMMANDS, Session, serve
from quatuor.interop.sgf import write
from tests.referee import VARIANTS, Fault, Program, match
from tests.seeded import play as random_game

QUATUOR = [sys.executable, "-c", "from quatuor.cli import main; main()"]


class First:
    """Chooses the first move."""

    def choose(self, game):
        return game.legal()[0]


@pytest.fixture
def session():
    return Session("classic_2", First())


def talk(session, *lines):
    """The answer, without the mark of a success; an error keeps its mark."""
    answers = [session.answer(line) for line in lines]
    assert all(answer.endswith("\n\n") for answer in answers)
    return [answer.removeprefix("=").strip() for answer in answers]


# ---- the protocol


def test_numbers_comments_and_empty_lines():
    out = io.StringIO()
    serve(["\n", "# hello\n", "12 protocol_version # two\n", "7 nonsense\n", "quit\n", "name\n"], out, "duo", First())
    assert out.getvalue() == "=12 2\n\n?7 unknown command\n\n=\n\n"


def test_the_end_of_the_input_ends_the_program():
    out = io.StringIO()
    serve(["name"], out, "duo", First())
    assert out.getvalue() == "= Quatuor\n\n"


def test_commands_are_known(session):
    assert talk(session, "list_commands") == ["\n".join(COMMANDS)]
    assert talk(session, "known_command genmove", "known_command fly") == ["true", "false"]
    assert talk(session, "version") == [quatuor.__version__]
    assert float(*talk(session, "cputime")) > 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly", "? unknown command"),
        ("play 1", "? usage: play COLOUR MOVE"),
        ("genmove", "? usage: genmove COLOUR"),
        ("genmove 5", "? no colour '5'; choose one of 1, blue, 2, yellow, 3, red, 4, green"),
        ("play 1 pass", "? a pass is not played: a colour that can place no piece is skipped"),
        ("play 1 b19", "? the first piece of blue must cover a20"),
        ("play 1 zz", "? cannot read 'zz': write the cells of the piece, such as a17,b17,a18"),
        ("set_game Chess", "? no game 'Chess'; choose one of Blokus, Blokus Two-Player, "),
        ("undo", "? cannot undo: no move has been played"),
        ("loadsgf /nowhere/at/all", "? [Errno 2] No such file or directory: '/nowhere/at/all'"),
    ],
)
def test_errors_say_why(session, line, why):
    (answer,) = talk(session, line)
    assert answer.startswith(why)


def test_an_unknown_game_is_refused():
    with pytest.raises(ValueError, match="choose one of classic, classic_2, classic_3, duo"):
        Session("trigon", First())


# ---- the game


def test_set_game_and_clear_board(session):
    talk(session, "play 1 a20", "set_game Blokus Duo")
    assert (session.game.variant.name, session.game.ply) == ("duo", 0)
    talk(session, "play b e10", "clear_board")
    assert (session.game.variant.name, session.game.ply) == ("duo", 0)


def test_play_and_undo(session):
    assert talk(session, "play 1 a20", "play YELLOW s20,t20", "p t1") == ["", "", ""]
    assert session.game.ply == 3
    assert talk(session, "undo", "undo") == ["", ""]
    assert session.game.moves == [{0: "a20"}]


def test_genmove_plays_and_reg_genmove_does_not(session):
    assert talk(session, "reg_genmove 1") == ["a20"]
    assert session.game.ply == 0
    assert talk(session, "genmove 1", "g") == ["a20", "t20"]
    assert session.game.ply == 2


def test_a_colour_may_play_out_of_turn(session):
    assert talk(session, "genmove 3", "all_legal 3")[0] == "t1"
    assert session.game.view()["colour"] == 3
    talk(session, "undo")
    assert session.game.view()["colour"] == 0


def test_all_legal(session):
    (moves,) = talk(session, "all_legal 2")
    assert len(moves.split()) == 58
    assert all("t20" in move.split(",") for move in moves.split())


def test_a_blocked_colour_passes():
    session = Session("classic", First())
    session.game = random_game("blokus", "classic", {}, seed=1)
    assert session.game.over
    assert talk(session, *(f"genmove {colour}" for colour in "1234")) == ["pass"] * 4
    assert talk(session, "all_legal 1") == [""]
    assert talk(session, "play 1 a20") == ["? colour 1 can place no piece any more"]


def test_final_score_counts_squares_placed():
    session = Session("classic", First())
    talk(session, "play 1 a20,a19", "play 2 t20", "play 3 t1,s1,r1")
    assert talk(session, "final_score") == ["2 1 3 0"]
    talk(session, "set_game Blokus Two-Player", "play 1 a20,a19", "play 2 t20,s20,r20,q20")
    assert talk(session, "final_score") == ["W+2"]
    talk(session, "play 3 t1,s1")
    assert talk(session, "final_score") == ["0"]
    talk(session, "undo", "play 3 t1,s1,r1")
    assert talk(session, "final_score") == ["B+1"]
    talk(session, "set_game Blokus Three-Player")
    assert talk(session, "final_score") == ["0 0 0 0"]


def test_showboard_has_no_empty_line(session):
    talk(session, "play 1 a20")
    (board,) = talk(session, "showboard")
    assert "20 B · ·" in board
    assert "\n\n" not in board


def test_loadsgf(session, tmp_path):
    game = random_game("blokus", "three", {}, seed=2, cap=20)
    file = tmp_path / "game.blksgf"
    file.write_text(write(game))
    assert talk(session, f"loadsgf {file}") == [""]
    assert session.game.moves == game.moves
    file.write_text("(;GM[Blokus];2[t20])")
    assert talk(session, f"loadsgf {file}") == ["? line 1, column 13: a move of yellow, but blue moves now"]
    assert session.game.moves == game.moves


# ---- whole games


@pytest.fixture(scope="module")
def programs():
    two = tuple(Program([*QUATUOR, "gtp", "--level", "1", "--seed", seed]) for seed in "12")
    yield two
    assert [program.close() for program in two] == [0, 0]


@pytest.mark.parametrize("name", VARIANTS)
def test_two_processes_play_whole_games(programs, name):
    result = match(name, programs, first=len(name) % 2)
    assert len(result.moves) > 20
    said = result.finals[0]
    assert result.finals == [said, said]
    if name in ("Blokus Two-Player", "Blokus Duo"):
        lead = sum(result.points[::2]) - sum(result.points[1::2])
        assert said == ("0" if lead == 0 else f"B+{lead}" if lead > 0 else f"W+{-lead}")
    else:
        assert said == " ".join(map(str, result.points))


def test_the_referee_catches_a_program_that_breaks_the_rules():
    cheat = "import sys\nfor line in sys.stdin: print('= j10' if 'genmove' in line else '=', end='\\n\\n', flush=True)"
    two = tuple(Program([sys.executable, "-c", cheat]) for _ in range(2))
    with pytest.raises(Fault, match="colour b played 'j10'"):
        match("Blokus Duo", two)
    for program in two:
        program.process.stdin.close()
        assert program.process.wait(10) == 0
        program.process.stdout.close()
