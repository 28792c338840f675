"""A player in another tab is notified of their turn and of new messages."""

import re

from playwright.sync_api import expect

from tests.browser.steps import accept, open_table, push, table_of

# A tab in the background, on demand: a headless browser shows every tab. Notifications are counted, not shown.
BACKGROUND = """
    let hidden = false;
    Object.defineProperty(document, 'hidden', { get: () => hidden });
    window.background = (on) => { hidden = on; document.dispatchEvent(new Event('visibilitychange')); };
    window.asked = 0; window.notes = []; window.badges = [];
    window.Notification = class {
        static permission = 'default';
        static async requestPermission() { window.asked += 1; return (this.permission = 'granted'); }
        constructor(title, options) { window.notes.push(title + ' / ' + options.body); }
        close() {}
    };
    navigator.setAppBadge = (n) => (window.badges.push(n), Promise.resolve());
    navigator.clearAppBadge = () => (window.badges.push(0), Promise.resolve());
"""


def _two(visitor):
    host, friend = visitor(), visitor()
    host.add_init_script(BACKGROUND)
    open_table(host, "plus4", "elementary", [{"kind": "me"}, {"kind": "open"}])
    host.goto(host.url)
    token = host.request.get(f"/api/tables/{table_of(host)}").json()["invites"]["1"]
    accept(friend, f"/t/{table_of(host)}?join={token}")
    expect(friend.locator("[data-column]").first).to_be_visible()
    return host, friend


def _wait(page, condition):
    """Wait until something is true. Playwright's wait evaluates text in the page, which the page's policy forbids."""
    for _ in range(300):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{condition}: never")


def test_a_hidden_tab_announces_turns_and_messages(visitor):
    host, friend = _two(visitor)
    expect(host).to_have_title(re.compile("^Your turn – Plus 4"))
    assert host.evaluate("asked") == 0  # only the button asks the browser for permission
    button = host.locator("[data-notify]")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")

    push(host, "a")
    expect(host).to_have_title(re.compile("^Plus 4"))
    expect(host.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    host.evaluate("background(true)")
    push(friend, "b")
    expect(host).to_have_title(re.compile("^Your turn – Plus 4"))
    expect(host.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    _wait(host, "notes.length === 1 && badges.at(-1) === 1")
    assert host.evaluate("notes") == ["Your turn / Plus 4 · Elementary game"]

    friend.get_by_role("button", name="Nice move!").click()
    expect(host).to_have_title(re.compile(r"^\(1\) Your turn – "))
    _wait(host, "notes.length === 2 && badges.at(-1) === 2")
    assert host.evaluate("notes[1]").startswith("1 new message")
    host.evaluate("background(false)")
    expect(host).to_have_title(re.compile("^Your turn – "))


def test_a_visible_tab_and_a_spectator_get_no_notifications(visitor):
    host, friend = _two(visitor)
    host.locator("[data-notify]").click()
    watcher = visitor()
    watcher.goto(friend.url)
    push(host, "a")
    push(friend, "b")
    expect(host).to_have_title(re.compile("^Your turn"))
    assert host.evaluate("notes") == []
    expect(watcher).to_have_title(re.compile("^Plus 4"))
    expect(watcher.locator("[data-notify]")).to_have_count(0)
