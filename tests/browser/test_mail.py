"""An e-mail address: given on the account page, confirmed and deleted by links; mails go to a real SMTP server."""

import re

import pytest
from playwright.sync_api import expect

from quatuor.server.budgets import LIMITS
from quatuor.server.settings import Settings
from tests.browser.checks import findings
from tests.browser.chrome import build_page
from tests.browser.steps import accept, pick, push
from tests.browser.test_profile import member
from tests.server.client import ServerThread
from tests.server.test_mail import SITE, Post, mailing


@pytest.fixture(scope="module")
def post():
    post = Post()
    yield post
    post.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, post):
    store = tmp_path_factory.mktemp("store") / "games.sqlite"
    mails = mailing(post.port, mail_every=0.05)
    server = ServerThread(Settings(store=str(store), page=build_page(), budgets=dict.fromkeys(LIMITS, 1e9), **mails))
    yield server
    server.close()


def test_an_address_is_given_confirmed_and_deleted_by_links(visitor, post):
    ada = visitor()
    member(ada, "Ada")
    ada.goto("/account")
    ada.get_by_label("E-mail address").fill("ada@example.org")
    ada.get_by_role("button", name="Send me a confirmation").click()
    expect(ada.locator("[data-mail]")).to_contain_text("We have sent an e-mail to ada@example.org")
    assert findings(ada) == []
    while not post.mails:
        ada.wait_for_timeout(20)
    (link,) = re.findall(rf"{SITE}(/mail\?confirm=\S+)", post.mails[0].get_content())
    phone = visitor(phone=True)  # the browser that opens the mail is not signed in
    phone.goto(link)
    phone.get_by_role("button", name="Confirm").click()
    expect(phone.get_by_text("Your address is confirmed.")).to_be_visible()
    assert findings(phone) == []
    ada.reload()
    expect(ada.locator("[data-mail]")).to_contain_text("You get e-mails at ada@example.org.")
    phone.goto("/mail?stop=wrong")
    phone.get_by_role("button", name="Stop e-mails").click()
    expect(phone.get_by_role("alert")).to_contain_text("not valid")
    ada.get_by_role("button", name="Delete this address").click()
    expect(ada.get_by_label("E-mail address")).to_be_visible()


def test_a_game_with_days_per_move_from_the_table_to_the_mail_and_back(visitor, post):
    ada, bob = visitor(), visitor(phone=True)
    name = member(ada, "Ada")
    member(bob, "Bob")
    ada.goto("/")
    ada.locator("[data-game=plus4] [data-enter=invite]").click()
    ada.locator("select[name=pace]").select_option("3d")
    pick(ada.locator("input[name=begins][value=me]"))
    ada.locator("[data-start]").click()
    ada.wait_for_url("**/t/*")
    accept(bob, ada.locator("[data-invite]").input_value())
    push(ada, "a")
    before = len(post.mails)
    bob.get_by_role("link", name="E-mail me when it is my turn").click()
    bob.get_by_label("E-mail address").fill("bob@example.org")
    bob.get_by_role("button", name="Send me a confirmation").click()
    confirm = _received(ada, post, before)
    (link,) = re.findall(rf"{SITE}(/mail\?confirm=\S+)", confirm)
    bob.goto(link)
    expect(ada.get_by_role("img", name="away")).to_be_visible()  # no mail to a person at the table
    bob.get_by_role("button", name="Confirm").click()
    expect(bob.get_by_role("link", name="My games")).to_have_count(2)
    mail = _received(ada, post, before + 1)
    assert f"It is your turn: Plus 4 · Elementary game, against {name}." in mail
    (table,) = re.findall(rf"{SITE}(/t/\S+)", mail)
    bob.goto(table)
    push(bob, "b")
    expect(bob.locator("[data-mail-offer]")).to_have_count(0)  # he gets mails already
    guest = visitor()
    guest.goto("/account")
    expect(guest.get_by_text("With an account you can get an e-mail")).to_be_visible()
    (stop,) = re.findall(rf"{SITE}(/mail\?stop=\S+)", mail)
    bob.goto(stop)
    bob.get_by_role("button", name="Stop e-mails").click()
    expect(bob.get_by_text("You will get no more e-mails.")).to_be_visible()
    push(ada, "c")
    assert len(post.mails) == before + 2


def _received(page, post, number: int) -> str:
    """Wait for the mail with this number."""
    for _ in range(600):
        if len(post.mails) > number:
            return post.mails[number].get_content()
        page.wait_for_timeout(50)
    raise AssertionError("no mail came")
