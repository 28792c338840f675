"""Plateau X by mouse, touch and keyboard; every variant to its end."""

import re
import shutil

import pytest
from playwright.sync_api import expect

import quatuor
from tests.browser.checks import findings, fits, has_large_targets
from tests.browser.chrome import FLAGS, NAMES, NO_OPENER_POLICY
from tests.browser.conftest import SERVER_ENGINES
from tests.browser.steps import caption, headline, sit_down, spoken, straight_to, turns

VARIANTS = ["four", "trio", "mini", "double"]
SHORT = (  # the shortest of many random games for two
    "+B3B4C4 +D2D3E3 +D5E4E5 +B1B2C2 @F6 @C1 +B5B6C6 +C2D2D3 +E1F1F2 +B4B5C4 +B4B5 +D1 +B3 +F2 +C5 +B6C5C6 +B5 +C5"
)
GAMES = {
    "mini": "+D2E1E2 +C5D4D5 +B1B2C1 @C2 +E5F4F5 +B3B4C3 @A6 +D4D5E5 +B2B3C3 +A5B5B6 +B5B6C5 +C5D4D5 +E3F2F3 +E2E3F3 "
    "+D3 +D4 +B5B6 +B5B6C5 A6-B3 +C4 B3-B3 C2-E2 +C3 +D2 B3-C3 +B2B3 +A5 end",
    "double": "+B4C4C5 +D6E5E6 +D2D3E3 @A3 @F2 +B6B7C6 @G6 @A1 +A2B1B2 +F4F5G4 +B6C5C6 +E5F4F5 +F6F7G7 +F1G1G2 +A4A5B5 "
    "+A4A5B4 +E6F6F7 A1-B1 +E5E6F6 +C1C2D1 +C1C2D2 +D4D5E4 +D3D4E3 B1-D2 +B5 D2-C1 +B5B6C6 +D2D3E3 +F4 C1-C1 +A6 +A2B2 "
    "+E1E2 +D1E1E2 end",
    "trio": "+C3D2D3 +C5D5D6 +E4F3F4 +B1B2C1 +F6F7G7 @A6 @C4 +A3A4B4 +E2F1F2 +E2F2F3 +B6B7C7 +F5G4G5 +F4F5G5 +D7E6E7 "
    "+D6E6E7 +B3 +A3B3B4 +F3 +A7 @D4 +A7B6B7 +F7G7 +E6E7F7 +E7F7 end",
    "four": "+C3D2D3 +C5D5D6 +E4F3F4 +B1B2C1 +F6F7G7 @A6 @C4 +A3A4B4 +E2F1F2 +E2F2F3 +B6B7C7 @G5 +D7E6E7 +D6E6E7 +E2 "
    "+F7 @A5 +E6E7F7 +B1B2 +G2G3 +E6E7 +C3D3 +D5 +E4 +B5 +A4B4B5 end",
}
ENDINGS = {
    "mini": ("Black wins!", "Yellow ended the game. Higher plateau, level 3 against 2."),
    "double": ("Yellow wins!", "Black ended the game. Higher plateau, level 2 against 0."),
    "trio": ("Orange wins!", "Black ended the game. There longer, since move 6 against 7."),
    "four": ("Yellow wins!", "Orange ended the game. There longer, since move 6 against 7."),
}

WALKS = """async () => {  // it is over soon: looked for in every frame, for half a minute at most
    for (const end = Date.now() + 30000; Date.now() < end; await new Promise(requestAnimationFrame)) {
        if (document.getAnimations().some(({ effect }) => effect.target.matches('.pawn'))) return true;
    }
    return false;
}"""
AHEAD = """async (orders) => {
    const line = new WebSocket(`ws://${location.host}/api${location.pathname.replace('/t/', '/tables/')}/socket`);
    const received = (kind) => new Promise((resolve) => line.addEventListener('message', function listener({ data }) {
        if (JSON.parse(data).t === kind) { line.removeEventListener('message', listener); resolve(); }
    }));
    await received('state');
    for (const order of orders) {
        const answer = received('ack');
        line.send(JSON.stringify(order));
        await answer;
    }
    line.close();
}"""


def _sit(page, variant="mini", **options):
    if options:
        sit_down(page, game="plateau_x", variant=VARIANTS.index(variant), **options)
    else:
        straight_to(page, "plateau_x", variant)
    expect(_cell(page, "A1")).to_be_visible()


def _cell(page, name):
    return page.locator(f"[data-cell={name}]")


def _tool(page, name):
    return page.locator(f"[data-tool='{name}']")


def _prompt(page):
    return page.locator(".words p")


def _cells(move):
    return re.findall(r"[A-G]\d", move)


def _anchor(move):
    """The cell to point at: the one next to all others."""
    cells = _cells(move)
    near = lambda a, b: abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) <= 1  # noqa: E731
    return next(cell for cell in cells if all(near(cell, other) for other in cells))


def _middle(page, cell):
    box = _cell(page, cell).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _turn_until(page, move, turn):
    """Turn the brick in hand until it lies as the move says."""
    expect(_prompt(page)).to_have_class(re.compile("yes|no"))  # the preview is there
    wanted = f" on {' '.join(_cells(move))}, level"
    for _ in range(4):
        if wanted in _prompt(page).inner_text():
            return
        turned = page.locator("[data-turned]").get_attribute("data-turned")
        turn()
        expect(page.locator("[data-turned]")).not_to_have_attribute("data-turned", turned)
    raise AssertionError(f"{move} is not offered: {_prompt(page).inner_text()}")


def _play(page, move):
    """With the mouse."""
    before = turns(page).count()
    if move == "end":
        page.locator("[data-end]").click()
        page.get_by_role("button", name="Yes, end it").click()
    elif move.startswith("+"):
        tool = _tool(page, len(_cells(move)))
        if tool.get_attribute("aria-pressed") == "false":
            tool.click()
        page.mouse.move(*_middle(page, _anchor(move)))
        _turn_until(page, move, lambda: page.mouse.wheel(0, 100))
        page.mouse.click(*_middle(page, _anchor(move)))
    elif move.startswith("@"):
        _tool(page, "enter").click()
        _cell(page, move[1:]).click()
    else:
        start, end = move.split("-")
        _cell(page, start).click()
        if start == end:
            page.get_by_role("button", name="Away and back").click()
        else:
            _cell(page, end).click()
    expect(turns(page).nth(before)).to_have_attribute("title", move)  # an engine may already have answered


def _type(page, move):
    """With the keyboard alone."""
    before = turns(page).count()
    if move.startswith("+"):
        page.keyboard.press(str(len(_cells(move))))
        _go(page, _anchor(move))
        _turn_until(page, move, lambda: page.keyboard.press("r"))
    else:
        page.keyboard.press("p")
        _go(page, move[1:])
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(before + 1)


def _go(page, cell):
    now = page.evaluate("document.activeElement.dataset.cell")
    across, up = ord(cell[0]) - ord(now[0]), int(cell[1]) - int(now[1])
    for key, times in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowUp", up), ("ArrowDown", -up)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(_cell(page, cell)).to_be_focused()


def _play_ahead(page, variant, moves):
    """Play by another connection to the same table, as if the same browser had it open twice."""
    game, orders = quatuor.new("plateau_x", variant=variant), []
    for move in moves:
        orders.append({"t": "move", "ack": str(game.ply), "ply": game.ply, "seat": game.to_move[0], "move": move})
        game.play(move)
    page.evaluate(AHEAD, orders)
    expect(turns(page)).to_have_count(len(orders))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game(visitor, variant):
    """By mouse: one game from its beginning, the last turns of the others. Whole random ones: offline/test_page.py."""
    page = visitor(reduced_motion="reduce")
    _sit(page, variant)
    moves = GAMES[variant].split()
    ahead = 0 if variant == "mini" else len(moves) - 6
    _play_ahead(page, variant, moves[:ahead])
    for move in moves[ahead:]:
        _play(page, move)
    headline_text, reason = ENDINGS[variant]
    expect(headline(page)).to_have_text(headline_text)
    expect(caption(page)).to_have_text(reason)
    expect(page.locator(".words ol li")).to_have_count(len(page.locator(".stocks li").all()) - 1)
    expect(spoken(page)).to_contain_text(reason)
    expect(page.locator(".plateau-x .best strong")).to_have_text("1.")


def test_a_whole_game_by_keyboard_alone_without_layout_shifts(visitor):
    page = visitor(reduced_motion="reduce")
    _sit(page)
    places = """() => ['.plateau-x .field', '.plateau-x .words', '.stocks'].map((name) =>
        document.querySelector(name).getBoundingClientRect()).flatMap((box) => [box.top, box.height])"""
    before = page.evaluate(places)
    for move in SHORT.split():
        _type(page, move)
    expect(headline(page)).to_have_text("Black wins!")
    expect(caption(page)).to_contain_text("The next player cannot move.")
    expect(page.locator(".words ol")).to_be_visible()
    assert page.evaluate(places) == before


@pytest.mark.motion
def test_turns_against_the_engine_and_a_hint(page):
    _sit(page, way="engine")
    for number in (1, 3, 5):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".plateau-x .hint").first).to_be_attached(timeout=60_000)
        advice = re.match(
            r".*?: (?:\w+ on ([A-F1-6 ]+[1-6])|new pawn on (\w\d)|pawn from (\w\d) to (\w\d))",
            caption(page).inner_text(),
        )
        assert advice, caption(page).inner_text()
        brick, entry, start, end = advice.groups()
        _play(page, f"+{brick.replace(' ', '')}" if brick else f"@{entry}" if entry else f"{start}-{end}")
        expect(turns(page)).to_have_count(number + 1)
        expect(headline(page)).to_have_text("Your turn")


def test_a_preview_that_does_not_fit_says_why(page):
    _sit(page)
    expect(_prompt(page)).to_contain_text("Place a brick, put a pawn on the board, or move one")
    for move in ("+A1A2B1", "@A3"):
        _play(page, move)
    _tool(page, 3).click()
    for cell, words in (("B1", "not all on the same level"), ("A3", "there is a pawn"), ("E5", "Fits: triple on")):
        _cell(page, cell).hover()
        expect(_prompt(page)).to_contain_text(words)
    before = turns(page).count()
    _cell(page, "B1").click()  # nothing happens
    _tool(page, "enter").click()
    _cell(page, "A1").click()
    expect(_prompt(page)).to_have_text("Not here: pawns can only start on the ground.")
    expect(turns(page)).to_have_count(before)
    _play(page, "+E5")


@pytest.mark.motion
def test_the_cells_that_a_pawn_can_reach_are_shown(page):
    _sit(page)
    game = quatuor.new("plateau_x", variant="mini")
    for move in ("+B1B2C1", "@A2", "@F6"):
        _play(page, move)
        game.play(move)
    _tool(page, "A2").click()
    lit = [move for move in game.legal() if "-" in move]
    expect(page.locator(".lit:not(.under)")).to_have_count(len(lit))
    expect(_prompt(page)).to_contain_text(f"can reach {len(lit)} marked cells")
    _cell(page, "E5").hover()
    expect(_prompt(page)).to_contain_text("Out of reach" if "A2-E5" not in lit else "Move to")
    _cell(page, "C1").click()
    assert page.evaluate(WALKS)
    expect(caption(page)).to_have_text("Yellow moves from A2 to C1, level 1.")
    way = page.locator(".way").get_attribute("d")
    assert way.count("L") == 3  # up to B2, down to C2, up to C1
    expect(page.locator(".owner")).to_have_count(1)  # the plateau is Yellow's now
    expect(_cell(page, "B2")).to_have_attribute(
        "aria-label", re.compile("^B2, level 1, plateau of 3 cells, held by Yellow")
    )
    _cell(page, "F6").click()
    expect(_prompt(page)).to_contain_text("This pawn cannot move")


def test_looking_back_and_undo(page):
    _sit(page)
    for move in ("+B1B2C1", "@A2", "@F6", "A2-C1"):
        _play(page, move)
    page.get_by_role("slider").fill("1")
    expect(page.locator(".plateau-x .pawn")).to_have_count(0)
    expect(page.locator(".brick")).to_have_count(1)
    expect(_tool(page, 3)).to_be_disabled()
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_role("button", name="Take back").click()
    expect(turns(page)).to_have_count(3)
    expect(_cell(page, "A2")).to_have_attribute("aria-label", "A2, level 0, Yellow pawn")
    _play(page, "+E1")


def test_a_finger_taps_turns_and_confirms(visitor):
    page = visitor(phone=True)
    _sit(page)
    confirm = page.locator("[data-confirm]")
    _cell(page, "C3").tap()
    expect(_prompt(page)).to_contain_text("Fits: triple on C2 C3 D3")
    page.locator("[data-turn]").tap()
    expect(_prompt(page)).to_contain_text("Fits: triple on B3 C2 C3")
    confirm.tap()
    expect(caption(page)).to_have_text("Black places a triple on B3 C2 C3, level 1.")
    _tool(page, "enter").tap()
    _cell(page, "A1").tap()
    expect(turns(page)).to_have_count(1)
    _cell(page, "A1").tap()  # the second tap confirms as well
    expect(caption(page)).to_have_text("Yellow puts a pawn on A1.")


@pytest.mark.parametrize("variant", ["four", "mini"])
def test_a_phone_needs_no_horizontal_scrolling_and_buttons_are_large(visitor, variant):
    page = visitor(phone=True)
    _sit(page, variant)
    fits(page, 390)
    has_large_targets(page)
    page.set_viewport_size({"width": 320, "height": 700})
    fits(page, 320)


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    _sit(page)
    assert findings(page) == []
    for move in ("+B1B2C1", "@A2", "@F6"):
        _play(page, move)
    _tool(page, "A2").click()
    assert findings(page) == []


@pytest.fixture
def in_space(browser, server):
    """A visitor whose browser draws WebGL, in software where there is no graphics card, and keeps to all policies."""
    flags = [flag for flag in FLAGS if flag not in ("--disable-gpu", NO_OPENER_POLICY)]
    path = next(filter(None, map(shutil.which, NAMES)))
    other = browser.browser_type.launch(
        executable_path=path, args=[*flags, "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    )
    small = {"width": 900, "height": 600}  # drawing takes time
    context = other.new_context(
        base_url=f"http://{server.address}", locale="en-GB", viewport=small, service_workers="block"
    )
    context.add_init_script(SERVER_ENGINES)
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    other.close()
    assert not complaints


def test_the_board_in_space(in_space):
    page = in_space
    _sit(page)
    page.locator("[data-space]").click()
    canvas = page.locator(".plateau-x canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y + 5)
    expect(_prompt(page)).to_contain_text("Fits: triple on")
    page.mouse.click(x, y + 5)
    expect(turns(page)).to_have_count(1)  # placed by pointing at the drawing
    page.keyboard.press("p")
    _go(page, "A1")
    page.keyboard.press("Enter")
    expect(caption(page)).to_have_text("Yellow puts a pawn on A1.")  # the same keys as on the flat board
    before = canvas.screenshot()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y - 60, steps=3)
    page.mouse.up()
    expect(turns(page)).to_have_count(2)  # dragging turns the board and plays nothing
    page.mouse.move(1, 1)
    assert canvas.screenshot() != before
    page.reload()
    expect(canvas).to_be_visible()  # the choice is remembered
    page.locator("[data-space]").click()
    expect(canvas).to_have_count(0)


def test_without_webgl_the_board_stays_flat(page):
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    _sit(page)
    page.locator("[data-space]").click()
    expect(page.get_by_text("This browser cannot show the board in 3D")).to_be_visible()
    expect(page.locator("[data-space]")).to_have_attribute("aria-pressed", "false")
    _play(page, "+A1A2B1")


def test_the_first_page_loads_nothing_of_the_board_in_space(page):
    loaded = []
    page.on("response", lambda response: loaded.append(response.url))
    sit_down(page, game="plateau_x", variant=VARIANTS.index("mini"))
    expect(_cell(page, "A1")).to_be_visible()
    assert any("plateau_x" in url for url in loaded)
    assert not any("Space" in url for url in loaded)


def test_a_spectator_sees_the_stock_but_no_buttons_for_playing(visitor):
    host, eve = visitor(), visitor()
    straight_to(host, "plateau_x", "mini")
    expect(host.locator("[data-turn]")).to_be_visible()
    eve.goto(host.url)
    expect(eve.locator("[data-tool='1']")).to_be_visible()
    expect(eve.locator(".controls")).to_have_count(0)
    expect(eve.locator(".words")).not_to_contain_text("moving")
