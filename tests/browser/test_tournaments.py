"""A club tournament: one player organises, three join by the link, and the standings follow the games."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

import quatuor as library
from tests.browser.checks import eventually, findings, fits, has_large_targets
from tests.browser.steps import BLUE_COLUMN, pick, push, take_name
from tests.browser.test_languages import _leftovers as leftovers
from tests.browser.test_speed import SLOW
from tests.browser.test_speed import _jumps as jumps


def created(page: Page, title: str, format: str = "swiss", rounds: str = "2") -> str:
    """Create a tournament from the first page; return its address."""
    page.goto("/")
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Organise a tournament").click()
    page.get_by_label("Name of the tournament").fill(title)
    pick(page.locator(f"input[name=format][value={format}]"))
    if format == "swiss":
        page.locator("input[name=rounds]").fill(rounds)
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.locator("h1")).to_have_text(title)
    return page.locator("[data-invite]").input_value()


def entered(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.get_by_label("Your name in the standings").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.locator("[data-mine] h2")).to_have_text("You are in")


def standing(page: Page) -> list[str]:
    """The names and points of the standings, best first."""
    rows = page.locator("[data-standings] tbody tr").all()
    return [" ".join(row.locator("th, td").nth(i).inner_text().split(" ·")[0] for i in (1, 2)) for row in rows]


def made(page: Page, players: int = 2) -> str:
    """A tournament that this browser organises and plays in, against engines, without the forms; its id."""
    take_name(page, "Ann")
    setup = {"title": "Family cup", "game": "plus4", "format": "round_robin", "listed": True}
    cup = page.request.post("/api/tournaments", data=json.dumps(setup)).json()["id"]
    page.request.post(f"/api/tournaments/{cup}/players", data="{}")
    for level in range(1, players):
        page.request.post(f"/api/tournaments/{cup}/players", data=json.dumps({"level": level}))
    return cup


def test_an_evening_at_the_club(visitor):
    ann, ben, cem, dora = visitor(), visitor(phone=True), visitor(color_scheme="dark"), visitor(locale="fr-FR")
    address = created(ann, "Friday cup")
    next_round = ann.locator("[data-next]")
    expect(next_round).to_have_attribute("aria-disabled", "true")
    expect(ann.get_by_text("2 more players are needed")).to_be_visible()
    entered(ann, address, "Ann")
    entered(ben, address, "Ben")
    entered(cem, address, "Cem")
    dora.goto(address)
    dora.get_by_label("Votre nom au classement").fill("Dora")
    dora.get_by_role("button", name="S’inscrire").click()
    expect(ann.locator("[data-standings] tbody tr")).to_have_count(4)
    next_round.click()
    pages = {"Ann": ann, "Ben": ben, "Cem": cem, "Dora": dora}
    tables = ann.locator("[data-table]")
    expect(tables).to_have_count(2)
    names = [[cell.inner_text().split(" ·")[0] for cell in table.locator("ol span").all()] for table in tables.all()]
    first, second = ([pages[name] for name in table] for table in names)

    for page in (*first, *second):
        page.locator("[data-mine] a.button").click()
        expect(page.locator("[data-link=online]")).to_be_attached()
    expect(ann.locator("[data-tournament]")).to_contain_text("Friday cup · Round 1 · Table ")
    expect(first[0].locator("[data-invite]")).to_have_count(0)
    for turn, move in enumerate(BLUE_COLUMN):
        push(first[turn % 2], move)
    expect(first[0].locator(".status.result")).to_be_visible()
    first[0].locator(".actions a.primary").click()  # back to the tournament
    expect(first[0].locator("[data-table='1'] b").first).to_have_text("2")
    expect(first[0].locator("[data-cross]")).to_be_visible()
    assert standing(first[0])[0] == f"{names[0][0]} 2"

    second[0].goto(address)  # watches the standings while the opponent resigns
    expect(second[0].locator("[data-table='2'] b").first).to_have_text("–")
    second[1].locator(".actions button").last.click()  # resign
    second[1].locator(".actions button").first.click()  # confirm
    for page in (first[0], second[0]):
        expect(page.locator("[data-table='2'] b").first).to_have_text("2")
    assert standing(second[0])[:2] == standing(first[0])[:2]
    assert {line.rsplit(" ", 1)[1] for line in standing(second[0])[:2]} == {"2"}

    ann.goto(address)
    ann.locator("[data-next]").click()
    expect(ann.locator("[data-state]")).to_have_text("Round 2 of 2")
    expect(ann.get_by_role("status").filter(has_text="Round 2 has started.")).to_be_attached()
    table = ann.get_by_role("region", name="Round 2").locator("[data-table]").filter(has_not_text="Ann")
    expect(table).to_have_count(1)  # organisers do not decide their own games
    absent = table.locator("details").filter(has_text="A player did not come")
    absent.locator("summary").click()
    loser = absent.get_by_role("button").first
    gone = loser.inner_text().removesuffix(" loses")
    loser.click()  # opens the question
    absent.get_by_role("button").first.click()
    winner = table.locator(".first")
    expect(winner).to_have_count(1)  # only now is the game counted
    expect(winner).not_to_have_text(gone)
    with ann.expect_download() as saved:
        ann.get_by_role("link", name="Save as a file").click()
    lines = [json.loads(line) for line in saved.value.path().read_text(encoding="utf-8").splitlines()]
    assert [line["kind"] for line in lines].count("played") == 3
    assert saved.value.suggested_filename == "Friday cup.jsonl"


def test_on_paper_there_is_only_the_tournament(visitor):
    page = visitor(color_scheme="dark")
    cup = made(page)
    page.goto(f"/tournaments/{cup}")
    page.locator("[data-next]").click()
    page.locator("[data-mine] a.button").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.locator(".actions a.primary").click()
    expect(page.locator("[data-state]")).to_have_text("Finished")
    expect(page.locator(".main > section").first).to_contain_text("Standings")  # now above the last round
    expect(page.get_by_text("Printed on")).to_be_hidden()
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("#app > header")).to_be_hidden()
    expect(page.locator("[data-mine]")).to_be_hidden()
    expect(page.locator("main button:visible, main a:visible")).to_have_count(0)
    for part in ("h1", "[data-standings]", "[data-cross]"):
        expect(page.locator(f"main {part}")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Printed on \d+ \w+ 20\d\d"))).to_be_visible()
    ink = "getComputedStyle(document.querySelector('main h1')).color.match(/\\d+/g).map(Number)"
    eventually(lambda: page.evaluate(ink), lambda found: max(found) < 80)  # dark in every colour scheme of the screen


def test_engines_play_each_other_while_a_spectator_watches(page):
    cup = made(page, players=3)
    page.goto(f"/tournaments/{cup}")
    page.locator("[data-next]").click()
    expect(page.locator("[data-mine] h2")).to_have_text("You have a bye this round")
    expect(page.get_by_text("Computers play only while someone watches.")).to_be_visible()
    page.locator("[data-table] a").click()
    expect(page.locator(".status.result")).to_be_visible()
    page.locator(".actions a.primary").click()
    expect(page.locator("[data-table] b").first).not_to_have_text("–")


@pytest.mark.parametrize(("theme", "phone"), [("light", False), ("dark", True)])
def test_pages_are_accessible_on_a_phone(visitor, theme, phone):
    page = visitor(phone=phone, color_scheme=theme, reduced_motion="reduce")
    page.add_init_script(SLOW)
    if phone:
        page.set_viewport_size({"width": 320, "height": 700})
    cup = made(page, players=3)
    for address, sign in (
        ("/tournaments", "[data-tournament]"),
        ("/tournaments/new", "input[name=title]"),
        (f"/tournaments/{cup}", "[data-standings]"),
    ):
        page.goto(address)
        expect(page.locator(sign).first).to_be_visible()
        assert jumps(page) == [], address
        check(page, phone)
    page.locator("[data-next]").click()
    expect(page.locator("[data-table]").first).to_be_visible()
    for fold in page.locator("main details").all():
        fold.evaluate("fold => fold.open = true")
    check(page, phone)


def check(page: Page, phone: bool) -> None:
    assert findings(page) == []
    if phone:
        fits(page, 320)
        has_large_targets(page)


@pytest.mark.parametrize("locale", ["fr-FR", "de-DE"])
def test_every_text_is_translated(visitor, locale):
    page = visitor(locale=locale)
    cup = made(page, players=3)
    for address in ("/tournaments", "/tournaments/new", f"/tournaments/{cup}"):
        page.goto(address)
        expect(page.locator("[data-tournament], input[name=title], [data-standings]").first).to_be_visible()
        assert leftovers(page, locale[:2]) == [], address


def test_everything_works_by_the_keyboard(page):
    page.goto("/tournaments/new")
    page.get_by_label("Name of the tournament").focus()
    page.keyboard.type("Keys only")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Keys only")
    name = page.get_by_label("Your name in the standings")
    name.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    expect(page.locator("[data-mine] h2")).to_have_text("You are in")
    expect(page.locator("h1")).to_be_focused()  # the field that had the focus is gone
    page.get_by_role("button", name="Add a computer player").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-standings] tbody tr")).to_have_count(2)
    page.locator("[data-next]").focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-state]")).to_have_text("Round 1 of 1")
    expect(page.locator("h1")).to_be_focused()


def test_an_unknown_tournament_is_explained(page):
    page.goto("/tournaments/nowhere")
    expect(page.get_by_text("There is no such tournament.")).to_be_visible()


def test_a_forfeit_needs_a_confirmation(page):
    cup = made(page)
    page.goto(f"/tournaments/{cup}")
    page.locator("[data-next]").click()
    page.get_by_text("A player did not come").click()
    page.get_by_role("button", name="Ann loses").click()
    expect(page.locator("[data-table] b").first).to_have_text("–")
    page.get_by_role("button", name="Really? Ann loses.").click()
    expect(page.locator("[data-table] b").first).not_to_have_text("–")


def test_the_last_round_offers_no_next_one_and_counts_all_who_played(page):
    cup = made(page, players=3)
    page.goto(f"/tournaments/{cup}")
    expect(page.get_by_text("3 of 16 players")).to_be_visible()
    page.locator("[data-next]").click()  # each has one bye: three rounds
    for number in (2, 3):
        expect(page.locator("[data-state]")).to_have_text(f"Round {number - 1}")
        if page.locator("[data-mine] a.button").count():
            page.locator("[data-mine] a.button").click()
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("button", name="Yes, resign").click()
        else:
            page.locator("[data-table] a").first.click()
            expect(page.locator(".status.result")).to_be_visible()
        page.locator(".actions a.primary").click()
        page.locator("[data-next][aria-disabled=false]").click()
        expect(page.locator("[data-state]")).to_have_text(f"Round {number}")
    expect(page.locator("[data-next]")).to_have_count(0)
    expect(page.get_by_text("This is the last round.")).to_be_visible()
    expect(page.get_by_text("3 players", exact=True).or_(page.get_by_text("· 3 players ·"))).to_be_visible()


def test_a_club_without_accounts(visitor):
    """People entered by name, results from real boards, a correction, and the big screen in between."""
    ann, hall = visitor(), visitor()
    hall.set_viewport_size({"width": 1920, "height": 1080})
    take_name(ann, "Ann")
    address = created(ann, "Real boards", "round_robin")
    ann.get_by_label("Enter players by name").fill("Bea\nChen\n\nann\n")
    ann.get_by_role("button", name="Enter these players").click()
    expect(ann.locator("[data-standings] tbody tr")).to_have_count(3)
    ann.get_by_label("Enter players by name").fill("Dev\nBEA")
    ann.get_by_role("button", name="Enter these players").click()
    expect(ann.get_by_role("alert")).to_have_text("BEA: This name is already taken.")
    ann.get_by_label("Enter players by name").fill("Dev")
    ann.get_by_role("button", name="Enter these players").click()
    expect(ann.locator("[data-standings] tbody tr")).to_have_count(4)
    ann.get_by_label("Enter players by name").fill("Eve\nGuest 7")
    ann.get_by_role("button", name="Enter these players").click()
    expect(ann.get_by_role("alert")).to_contain_text("Guest 7: Please choose another name")
    hall.goto(f"{address}/screen")
    expect(hall.get_by_text("4 of 16 players")).to_be_visible()
    ann.locator("[data-next]").click()
    lines = hall.locator("[data-places] li")
    expect(lines).to_have_count(4)
    assert [line.locator("strong").inner_text() for line in lines.all()] == ["ann", "Bea", "Chen", "Dev"]
    assert sorted(line.locator("[data-number]").inner_text() for line in lines.all()) == ["1", "1", "2", "2"]
    assert lines.first.locator("b").evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > 40, "readable from afar"
    assert findings(hall) == []

    table = ann.locator("[data-table='1']")
    first, second = (cell.inner_text() for cell in table.locator("ol span").all())
    expect(table.locator("[data-order]")).to_have_text(f"{first} moves first.")
    table.get_by_text("Enter the result").click()
    assert findings(ann) == []
    table.get_by_label(f"{first} wins").check()
    table.get_by_role("button", name="Save the result").click()
    expect(table.locator("b").first).to_have_text("2")
    expect(hall.locator("[data-places] li.over")).to_have_count(2)
    table.locator("summary", has_text="Correct the result").click()
    table.get_by_label(f"{second} wins").check()
    table.get_by_label("Reason for the correction").fill("Colours were mixed up")
    table.get_by_role("button", name="Correct the result").click()
    expect(table.get_by_text("Corrected: Colours were mixed up")).to_be_visible()
    expect(table.locator("b").first).to_have_text("0")

    game = library.new("plus4")
    for move in BLUE_COLUMN:
        game.play(move)
    table = ann.locator("[data-table='2']")
    table.get_by_text("Enter the result").click()
    table.get_by_text("With moves").click()
    table.get_by_label("Paste the record").fill(game.record())
    table.get_by_role("button", name="Save the result").click()
    expect(table.locator("b").first).to_have_text("2")
    expect(hall.locator("[data-leaders] li")).to_have_count(4)
    expect(hall.get_by_text("Round 1 is over.")).to_be_visible()
    with ann.expect_download() as saved:
        ann.get_by_role("link", name="Save as a file").click()
    kinds = [json.loads(line)["kind"] for line in saved.value.path().read_text(encoding="utf-8").splitlines()]
    assert kinds[-4:] == ["paired", "decided", "corrected", "played"]


def test_players_by_name_enter_their_result_on_the_phone(visitor):
    ann, bea, cem = visitor(), visitor(phone=True), visitor(phone=True)
    take_name(ann, "Ann")
    created(ann, "Phones", "round_robin")
    ann.get_by_label("Enter players by name").fill("Bea\nCem")
    ann.get_by_role("button", name="Enter these players").click()
    for page, name in ((bea, "Bea"), (cem, "Cem")):
        ann.locator("[data-links] summary", has_text=name).click()
        page.goto(ann.get_by_label(f"Link for {name}").input_value())
        expect(page.locator("[data-mine]")).to_contain_text("You are in")
    links = ann.locator("[data-links]")
    expect(links.locator("details[open]")).to_have_count(1)  # no other code can be scanned by mistake
    expect(links.locator("details[open] summary")).to_have_text("Cem")
    ann.locator("[data-next]").click()
    expect(bea.get_by_role("button", name="Leave the tournament")).to_have_count(0)
    mine = bea.locator("[data-mine]")
    mine.locator("[data-result] > summary").click()
    mine.get_by_label("Bea wins").check()
    mine.get_by_role("button", name="Save the result").click()
    table = ann.locator("[data-table='1']")
    expect(table.locator("[data-stated]")).to_have_text("Bea: “Bea wins”")
    expect(mine.locator("[data-result] > summary")).to_contain_text("Change your entry")
    other = cem.locator("[data-mine]")
    first = [page for page in (bea, cem) if page.get_by_text("You move first.").count()]
    assert len(first) == 1
    expect(other).to_contain_text("Bea: “Bea wins”")
    other.locator("[data-result] > summary").click()
    other.get_by_label("Draw").check()
    other.get_by_role("button", name="Save the result").click()
    expect(table).to_contain_text("The players entered different results. Please decide.")
    expect(mine).to_contain_text("The entries differ: the organiser decides.")
    for page in (ann, bea):
        assert findings(page) == []
    other.locator("[data-result] > summary").click()
    other.get_by_label("Bea wins").check()
    other.get_by_role("button", name="Save the result").click()
    expect(table.locator("[data-entered]")).to_have_text("Entered by Bea and Cem")
    expect(mine).to_contain_text("You won the tournament!")


def test_an_online_game_is_moved_to_a_real_board(visitor):
    ann, bob = visitor(), visitor(phone=True)
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        take_name(page, name)
    address = created(ann, "Moved", "round_robin")
    ann.locator("[data-mine] button.primary").click()
    bob.goto(address)
    bob.locator("[data-mine] button.primary").click()
    expect(bob.locator("[data-mine]")).to_contain_text("You are in")
    ann.locator("[data-next]").click()
    bob.get_by_role("link", name="Go to your table").first.click()
    table = ann.locator("[data-table='1']")
    table.locator("[data-to-board] summary").click()
    table.get_by_label("Reason").fill("Both are at the club")
    assert findings(ann) == []
    table.locator("[data-to-board] button").click()
    expect(table.get_by_text("over the board", exact=True)).to_be_visible()
    expect(bob.locator(".status.result")).to_contain_text("called off")
    bob.goto(address)
    bob.locator("[data-mine]").locator("[data-result] > summary").click()
    bob.locator("[data-mine]").get_by_label("Bob wins").check()
    bob.locator("[data-mine]").get_by_role("button", name="Save the result").click()
    expect(table.locator("[data-stated]")).to_have_text("Bob: “Bob wins”")
    table.get_by_role("button", name="Count this result").click()
    expect(table.locator("[data-entered]")).to_have_text("Entered by Bob")


def test_a_start_is_set_in_the_zone_of_the_browser(visitor):
    ann, ben = visitor(timezone_id="Europe/Paris"), visitor(timezone_id="America/New_York")
    ann.goto("/tournaments/new")
    ann.get_by_label("Name of the tournament").fill("New year")
    ann.get_by_label("Start date and time").fill("2099-01-02T19:30")
    expect(ann.get_by_text("Your time zone: Europe/Paris.")).to_be_visible()
    ann.get_by_role("button", name="Create the tournament").click()
    expect(ann.locator("[data-starts]")).to_contain_text("19:30")
    ben.goto(ann.url)
    expect(ben.locator("[data-starts]")).to_contain_text("13:30")
    ann.get_by_label("Start date and time").fill("2020-01-02T19:30")
    for level in ("1", "2"):
        ann.locator("select[name=level]").select_option(level)
        ann.get_by_role("button", name="Add a computer player").click()
        expect(ann.locator("[data-standings] tbody tr")).to_have_count(int(level))
    ann.get_by_role("button", name="Set the start").click()  # a time in the past: starts at once
    expect(ben.locator("[data-state]")).to_have_text("Round 1 of 1")
