"""What every page has to fulfil: it fits the screen, buttons are large enough for a finger, axe finds nothing.

A page draws what a click changes a frame later, so these checks wait for it.
"""

import time

from tests.browser.chrome import WEB

# Skip what no check needs: a copy of the style sheets, and a selector for every element
AXE_SETTINGS = {"resultTypes": ["violations"], "preload": False, "selectors": False}
AXE = (WEB / "node_modules/axe-core/axe.min.js").read_text()
RUN = "async (settings) => (await axe.run(settings)).violations"  # all that passes would be much to send
TARGETS = "button, a, select, summary, label.plain, input:not([type=radio], [type=checkbox])"
# A link may be larger than its text: what is drawn after it can cover all of a card
SMALL = """(targets) => [...document.querySelectorAll(targets)]
    .filter((e) => e.checkVisibility() && !e.closest('.unseen') && !e.matches('.skip'))
    .filter((e) => {
        const box = e.getBoundingClientRect();
        const { content, position, width, height } = getComputedStyle(e, '::after');
        const covers = content !== 'none' && position === 'absolute' && parseFloat(width) > 43.5;
        return covers ? parseFloat(height) < 43.5 : box.width < 43.5 || box.height < 43.5;
    })
    .map((e) => e.outerHTML.slice(0, 90))"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def drawn(page):
    """Wait until what was done so far is on the screen."""
    page.evaluate(DRAWN)


def eventually(read, holds, seconds=10):
    """Read until it holds, and return what was read."""
    end = time.monotonic() + seconds
    while not holds(value := read()):
        assert time.monotonic() < end, value
        time.sleep(0.05)
    return value


def fits(page, width=None):
    """Nothing has to be scrolled sideways."""
    width = width or page.viewport_size["width"]
    eventually(lambda: page.evaluate("document.documentElement.scrollWidth"), lambda found: found <= width)


def has_large_targets(page):
    """A finger can hit all that can be pressed."""
    eventually(lambda: page.evaluate(SMALL, TARGETS), lambda small: small == [])


def findings(page, rules=("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")):
    """The violations that axe finds: everything in WCAG 2.2 A and AA, and its other serious ones."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    violations = page.evaluate(RUN, {**AXE_SETTINGS, "runOnly": list(rules)})
    return [
        (finding["id"], [node["html"][:120] for node in finding["nodes"]])
        for finding in violations
        if "best-practice" not in finding["tags"] or finding["impact"] in ("serious", "critical")
    ]
