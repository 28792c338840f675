"""What the worker answers without a network: whole games, puzzles, and the moves of the engines."""

import json

import pytest
from playwright.sync_api import expect

import quatuor
from bench.browser import RUN
from quatuor.engine.player import Engine
from quatuor.games import names, rulebook
from quatuor.games.blokus.puzzles.kinds import KINDS
from tests.browser.offline.conftest import PATIENCE
from tests.browser.test_whole_games import SHORT, VARIANTS, played

PUZZLES = [(kind.name, hard) for kind in KINDS.values() for hard in sorted({False, kind.may_be_hard})]


# ---- whole games

WHOLE_GAME = """async (setup) => {
    const { id } = await kit.ask('POST', '/tables', setup);
    let answer = null;
    const line = kit.listen(id, (frame) => frame.ack === 'move' + acks && answer?.(frame));
    let acks = 0;
    let chance = 12345;
    for (;;) {
        const table = await kit.ask('GET', `/tables/${id}`);
        if (table.over) return { id, plies: table.history.length };
        const ply = table.history.length;
        for (const [seat, legal] of Object.entries(table.legal)) {
            acks += 1;
            const answered = new Promise((resolve) => (answer = resolve));
            chance = (chance * 48271) % 2147483647;
            const move = legal[chance % legal.length];
            kit.send(line, { t: 'move', ack: 'move' + acks, ply, seat: Number(seat), move });
            const { t, code } = await answered;
            if (t !== 'ack') throw new Error(`${move}: ${code}`);
        }
    }
}"""


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_whole_game_of_every_variant(page, game, variant):
    """All seats by messages to the worker; the record that it writes is a game that CPython plays the same."""
    opening = played(game, variant) if game == "blokus" else ()
    found = page.evaluate(
        WHOLE_GAME,
        {
            "game": game,
            "variant": variant,
            "options": SHORT.get((game, variant), {}),
            "seats": [{"kind": "me"}] * quatuor.new(game, variant).seats,
            "opening": [{str(seat): move for seat, move in turn.items()} for turn in opening],
        },
    )
    page.goto(page.url.partition("#")[0] + f"#/t/{found['id']}")
    expect(page.locator(".status.result")).to_be_visible()
    record = page.evaluate("(id) => kit.text('GET', `/tables/${id}/record`)", found["id"])
    game_here = quatuor.load(record)
    assert game_here.over
    assert game_here.ply == found["plies"] > len(opening)


# ---- puzzles


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
def test_every_puzzle_with_its_outlook_and_hints(page, name, hard):
    query = f"?puzzle={name}&difficulty=easy&seed=3" + "&hard=true" * hard
    page.goto(page.url.partition("#")[0] + f"#/puzzles/play{query}")
    expect(page.locator("[data-outlook=yes]")).to_be_visible(timeout=PATIENCE)
    page.locator("[data-do=hint]").click()
    expect(page.locator("[data-hint]").first).to_be_attached(timeout=PATIENCE)
    expect(page.locator("[data-outlook=yes]")).to_be_visible()


STOP = """async (position) => {
    const order = [];
    const note = (what) => () => order.push(what);
    const check = () => kit.ask('POST', '/puzzles/check', { position: { puzzle: 'tetro20', hard: false, pieces: [] } });
    const stop = new AbortController();
    void kit.ask('POST', '/puzzles/solution', { position }, stop.signal).then(note('solution'));
    await check().then(note('check'));
    stop.abort();
    await check().then(note('check'));
    return order;
}"""


@pytest.mark.parametrize(("name", "hard"), [("all84", False), ("all84", True), ("pento48", True)])
def test_a_question_is_answered_while_a_solution_is_searched(page, name, hard):
    """Between two steps of the search; ``bench.steps`` measures how long those are."""
    assert page.evaluate(STOP, {"puzzle": name, "hard": hard, "pieces": []}) == ["check", "check"]


# ---- the same moves as elsewhere

CASES = [(name, variant, level) for name, variant in VARIANTS for level in (1, 2, 3, 4)]
CASES += [(name, rulebook(name).variants[0].name, level) for name in names() for level in (5, 6, 7, 8)]
PLAY = """
def chosen(cases):
    found = []
    for name, variant, level in cases:
        game = new(name, variant)
        for ply in range(3):  # some position that both know
            game.play({seat: game.legal(seat)[(5 * ply + 3) % len(game.legal(seat))] for seat in game.to_move})
        how = {"units": 3000} if level == 8 else {"seconds": 600}  # level 8 stops by the clock: here, after work
        engine = Engine(level, seed=level, threads=1, **how)
        found.append([engine.choose(game, seat) for seat in game.to_move])
    return found
"""


def test_the_same_seed_plays_the_same_in_the_browser(page, site):
    """The kit's Python against this one: every level."""
    scope = {"Engine": Engine, "new": quatuor.new}
    exec(PLAY, scope)
    program = f"from quatuor.engine.player import Engine\nfrom quatuor.game import new\n{PLAY}\nimport json\n"
    (kit,) = (site[1] / "kit").iterdir()
    found = page.evaluate(RUN, [f"{site[0]}kit/{kit.name}/", f"{program}json.dumps(chosen({CASES!r}))"])
    here = scope["chosen"](CASES)
    assert [(case, moves) for case, moves in zip(CASES, json.loads(found), strict=True)] == list(
        zip(CASES, here, strict=True)
    )
