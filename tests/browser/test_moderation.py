"""In the browser: a reported message is read in its context and removed, its author blocked; recovery codes."""

import asyncio
import re
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

from quatuor.server.names import name_key
from tests.browser.checks import findings
from tests.browser.steps import pick
from tests.browser.test_people import duel, sign


def grant(server, name: str) -> None:
    async def granted() -> None:
        await server.services.moderation.grant(name_key(name), "moderator", True, 0)
        await server.services.sanctions.refresh()  # at once, not some seconds later

    with ThreadPoolExecutor() as pool:  # Playwright's event loop runs in this thread
        pool.submit(asyncio.run, granted()).result()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR", "de-DE"])
def test_only_moderators_see_the_reports(visitor, locale):
    page = visitor(locale=locale)
    page.goto("/moderation")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("main").get_by_role("radio")).to_have_count(0)  # nothing to choose


def test_a_reported_message_is_removed_and_its_author_blocked(visitor, server):
    ada, bob, _ = duel(visitor)
    words = f"nasty {uuid.uuid4().hex[:8]}"
    ada.get_by_role("button", name="Hello!").click()
    bob.get_by_label("Write a message").fill(words)
    bob.get_by_role("button", name="Send").click()
    expect(ada.get_by_text(words)).to_be_visible()
    ada.get_by_role("button", name="Options for this message").click()
    ada.get_by_role("button", name="Report this message").click()
    judge, name = visitor(), f"Judge {uuid.uuid4().hex[:8]}"
    sign(judge, "up", name)
    expect(judge.get_by_text("Your recovery codes")).to_be_visible()
    grant(server, name)
    judge.goto("/account")
    judge.get_by_role("link", name="Moderation").click()
    judge.get_by_role("button", name=words).click()
    expect(judge.locator("li.this")).to_contain_text(words)
    expect(judge.locator("main li", has_text="Hello!")).to_have_count(1)
    assert findings(judge) == []
    judge.get_by_label("Decision").select_option("remove")
    judge.get_by_role("button", name="Decide").click()
    expect(judge.get_by_role("button", name=words)).to_have_count(0)
    for page in (ada, bob):
        expect(page.get_by_text("(removed by a moderator)")).to_be_visible()
        expect(page.get_by_text(words)).to_have_count(0)
    ada.get_by_role("button", name="Block this person").click()
    expect(ada.get_by_text("1 message hidden")).to_be_visible()
    judge_a_person(judge, words)


def judge_a_person(judge, words: str) -> None:
    """From the decided report, the log and the person's history; a mute is decided and lifted."""
    pick(judge.get_by_role("radio", name="Decided reports"))
    judge.get_by_role("button", name=words).click()
    expect(judge.get_by_text(re.compile("· decided "))).to_be_visible()
    judge.get_by_role("button", name="Back").click()
    pick(judge.get_by_role("radio", name="Log"))
    entry = judge.locator("li", has_text="removed a message").first
    assert findings(judge) == []
    entry.get_by_role("button").click()
    expect(judge.get_by_role("button", name=words)).to_be_visible()
    judge.get_by_label("Decision").select_option("mute")
    judge.get_by_label("Reason (the person reads it)").fill("be kind")
    judge.get_by_label("For how long").select_option("168")
    judge.get_by_role("button", name="Decide").click()
    mute = judge.locator("li", has_text="be kind")
    expect(mute).to_contain_text("until")
    assert findings(judge) == []
    mute.get_by_role("button", name="Lift it").click()
    expect(mute).to_contain_text("lifted")


def test_a_forgotten_password_is_replaced_by_a_code(visitor):
    page, other, name = visitor(), visitor(), f"Ada {uuid.uuid4().hex[:8]}"
    sign(page, "up", name)
    code = page.locator(".codes code").first.inner_text()
    other.goto("/account")
    pick(other.locator("input[name=way][value=in]"))
    other.get_by_role("button", name="Forgot your password?").click()
    other.get_by_label("Name", exact=True).fill(name)
    other.get_by_label("Recovery code").fill(code)
    other.get_by_label("New password").fill("something else")
    assert findings(other) == []
    other.get_by_role("button", name="Set the new password").click()
    expect(other.get_by_text(f"signed in as {name}")).to_be_visible()
