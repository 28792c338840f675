"""Analysis over HTTP: a game as text is read and analysed, and a table can start from any of its turns."""

import asyncio
import json

import httpx
import pytest
from hypothesis import example, given, settings

import quatuor
from quatuor.games import names, rulebook
from quatuor.interop import sgf
from tests.seeded import play
from tests.server.client import PATIENCE, Guest, Problem
from tests.test_fuzz import ODD_ROOTS, damaged, valid_record, with_odd_headers

LONG = '[Game "trois_six"]\n[Options "quiet_turns=none"]\n' + "\n".join(f"{n}. - / -" for n in range(1, 1100))
SEATS = [{"kind": "me"}, {"kind": "me"}]


def _events(text):
    """Server-sent events as (name, data)."""
    found = []
    for block in filter(None, text.split("\n\n")):
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((lines.get("event", "message"), json.loads(lines["data"])))
    return found


def _moves(game):
    return [{str(seat): move for seat, move in turn.items()} for turn in game.moves]


async def _analysis(guest, text):
    answer = await guest.http.post("/api/analysis", json={"text": text}, timeout=2 * PATIENCE)
    assert answer.headers["content-type"].startswith("text/event-stream")
    return _events(answer.text)


@pytest.mark.parametrize("name", names())
async def test_a_record_is_shown_as_its_table_would_be(ada, name):
    game = play(name, rulebook(name).variants[0].name, {}, seed=4, cap=20)
    seats = ("Ada", "engine, level 3", "?", "?")[: game.seats]
    shown = await ada.post("/analysis/game", {"text": game.record(seats)})
    assert [entry["moves"] for entry in shown["history"]] == _moves(game)
    assert shown["position"] == json.loads(json.dumps(game.view()))
    assert (shown["over"], shown["you"], shown["legal"]) == (game.over, [], {})
    assert shown["seats"][0]["name"] == "Ada"
    assert (shown["seats"][1]["kind"], shown["seats"][1]["level"]) == ("engine", 3)


async def test_blokus_may_come_as_sgf(ada):
    game = play("blokus", "duo", {}, seed=1, cap=6)
    shown = await ada.post("/analysis/game", {"text": sgf.write(game)})
    assert [entry["moves"] for entry in shown["history"]] == _moves(game)


async def test_a_player_who_resigned_has_lost(ada):
    table = await ada.open("plus4", "me", "me")
    line = await ada.connect(table["id"])
    await line.move("a")
    await line.ask("resign", seat=1)
    record = (await ada.http.get(f"/api/tables/{table['id']}/record")).text
    shown = await ada.post("/analysis/game", {"text": record})
    assert (shown["ended_by"], shown["ranking"]) == ("resign", [1, 2])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "is not a move"),
        ('[Game "go"]', "go"),
        ('[Game "plus4"]\n1. z', "line 2"),
        ("(;GM[Go])", "GM[Go]"),
        ("(;GM[Blokus Duo]AB[e8,d9,e9,f9,e10])", "a record cannot begin with the position"),
        ("plus4:endless 4/b3/4/4 r 0:0 - -", "column a has a gap"),
        (LONG, "1000"),
    ],
)
async def test_unreadable_text_is_explained(ada, text, why):
    with pytest.raises(Problem) as refused:
        await ada.post("/analysis/game", {"text": text})
    assert (refused.value.status, refused.value.code) == (400, "bad_record")
    assert why in refused.value.detail["message"]


POSITION = "plus4:endless,target=5 br2/1b2/4/4 r 0:0 - -"


async def test_a_position_is_shown_analysed_and_continued(ada):
    shown = await ada.post("/analysis/game", {"text": POSITION})
    assert (shown["history"], shown["to_move"], shown["options"]["target"]) == ([], [1], 5)
    assert shown["position_text"] == shown["begins"] == POSITION
    assert shown["playable"] == {"1": ["a", "b", "c", "d", "a*", "b*", "c*", "d*"]}
    assert [name for name, _ in await _analysis(ada, POSITION)] == ["now", "end"]
    picture = await ada.http.post("/api/analysis/picture", json={"text": POSITION})
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
    setup = {"game": "plus4", "variant": "endless", "options": shown["options"], "seats": SEATS, "position": POSITION}
    table = await ada.post("/tables", setup | {"opening": [{"1": "a"}]})
    line = await ada.connect(table["id"])
    await line.move("b")
    record = (await ada.http.get(f"/api/tables/{table['id']}/record")).text
    assert f'[Position "{POSITION}"]' in record
    assert quatuor.load(record).moves == [{1: "a"}, {0: "b"}]
    with pytest.raises(Problem) as refused:
        await ada.post("/tables", setup | {"position": "plus4:endless 4/b3/4/4 r 0:0 - -"})
    assert refused.value.code == "bad_opening"


async def test_variations_and_comments_are_returned(ada):
    text = '[Game "plus4"]\n\n1. a ; the corner\n(\n1. b!\n2. c\n)\n2. d\n'
    shown = await ada.post("/analysis/game", {"text": text})
    assert [(row["parent"], row["moves"]) for row in shown["tree"]] == [
        (-1, {}), (0, {"0": "a"}), (1, {"1": "d"}), (0, {"0": "b"}), (3, {"1": "c"}),
    ]  # fmt: skip
    assert (shown["tree"][1]["comment"], shown["tree"][3]["marks"]) == ("the corner", {"0": "!"})
    assert quatuor.load(shown["record"]).record() == shown["record"]
    answer = await ada.http.post("/api/analysis", json={"text": text, "only_now": True}, timeout=2 * PATIENCE)
    assert [name for name, _ in _events(answer.text)] == ["now", "end"]


async def test_too_much_text_is_refused(ada):
    with pytest.raises(Problem) as refused:
        await ada.post("/analysis", {"text": "x" * 100_000})
    assert refused.value.code == "too_large"


async def test_every_turn_is_reported_with_its_value(ada):
    game = quatuor.new("plus4")
    for move in "abab":
        game.play(move)
    events = await _analysis(ada, game.record())
    assert [name for name, _ in events] == ["message"] * 4 + ["now", "end"]
    assert [turn["number"] for _, turn in events[:4]] == [1, 2, 3, 4]
    assert events[0][1]["decisions"][0]["moves"][0]["line"]
    assert events[-2][1]["0"]["moves"][0]["move"] in "abcd"


async def test_orders_of_both_seats_are_reported_with_their_mixed_strategy(ada):
    game = quatuor.new("trois_six")
    game.play({0: "1>B2", 1: "-"})
    (_, turn), *_ = await _analysis(ada, game.record())
    assert [decision["seat"] for decision in turn["decisions"]] == [0, 1]
    assert all(decision["moves"][0]["weight"] is not None for decision in turn["decisions"])


async def test_an_analysis_stops_when_its_client_leaves_or_asks_again(server, ada):
    await ada.get("/me")
    text = play("blokus", "classic", {}, seed=1, cap=60).record()
    async with ada.http.stream("POST", "/api/analysis", json={"text": text}) as first:
        lines = first.aiter_lines()
        assert (await anext(lines)).startswith("data")
        short = await _analysis(ada, quatuor.new("plus4").record())  # replaces the first
        assert short[-1][0] == "end"
        assert "event: end" not in [line async for line in lines]
    async with asyncio.timeout(PATIENCE):
        while len(server.services.streams) or server.services.engines.thinking:
            await asyncio.sleep(0.01)


async def test_a_table_goes_on_from_any_turn(start_server):
    ada = Guest(start_server().address)
    opening = [{"0": "b"}, {"1": "c"}, {"0": "b"}]
    table = await ada.post("/tables", {"game": "plus4", "seats": SEATS, "opening": opening})
    shown = await ada.get(f"/tables/{table['id']}")
    assert [entry["moves"] for entry in shown["history"]] == opening
    line = await ada.connect(table["id"])
    assert (await line.move("c"))["t"] == "ack"
    await line.close()
    later = await Guest(start_server().address).get(f"/tables/{table['id']}")  # after a restart
    assert [entry["moves"] for entry in later["history"]] == [*opening, {"1": "c"}]


@pytest.mark.parametrize(
    ("opening", "ply"),
    [
        ([{"0": "b"}, {"1": "z"}], 2),
        ([{"1": "b"}], 1),
        ([{"x": "b"}], 1),
        ([{}], 1),
        ([{str(n % 2): move} for n, move in enumerate("bcbcbab")], 7),
    ],
)
async def test_an_opening_that_cannot_be_played_is_refused(ada, opening, ply):
    with pytest.raises(Problem) as refused:
        await ada.post("/tables", {"game": "plus4", "seats": SEATS, "opening": opening})
    assert (refused.value.code, refused.value.detail["ply"]) == ("bad_opening", ply)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[Game "plus4"]\n[Termination "resigned"]\n1. a', "add the places"),
        ('[Game "plateau_x"]\n[Termination "time"]\n[Result "9-9-9-9"]', "4 places such as 1-2-3-4"),
        ("(;GM[Blokus]RU[name=x])", "no option 'name'"),
    ],
)
async def test_odd_headers_are_explained(ada, text, why):
    with pytest.raises(Problem) as refused:
        await ada.post("/analysis/game", {"text": text})
    assert (refused.value.status, refused.value.code) == (400, "bad_record")
    assert why in refused.value.detail["message"]


def _texts(name):
    valid = valid_record(name, rulebook(name).variants[0].name)
    texts = with_odd_headers(valid) | damaged(valid)
    return texts | ODD_ROOTS | damaged(SGF) if name == "blokus" else texts


SGF = "(;GM[Blokus Duo]PB[Ann]RU[corners=free];B[e8,d9,e9,f9,e10]C[A bold start.];W[i4,h5,i5,j5,i6])"


@pytest.mark.parametrize("name", names())
def test_any_text_is_shown_or_refused_with_a_reason(server, name):
    with httpx.Client(base_url=f"http://{server.address}", timeout=PATIENCE) as client:

        @settings(max_examples=80, deadline=None)
        @given(_texts(name))
        @example("\ud800")
        def one_text(text):
            answer = client.post("/api/analysis/game", content=json.dumps({"text": text}))  # lone surrogates too
            if answer.status_code != 200:
                unicode = text == text.encode(errors="replace").decode()
                expected = "bad_record" if unicode else "bad_request"
                assert (answer.status_code, answer.json()["error"]["code"]) == (400, expected)
                assert answer.json()["error"]["detail"]["message" if unicode else "reason"]

        one_text()
