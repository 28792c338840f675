"""Draw the icons of the installed page anew from web/public/icon.svg: ``python tools/icons.py``, with Chromium."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
PUBLIC = ROOT / "web" / "public"
# by name: pixels, and the share of them that the drawing takes
ICONS = {
    "icon-192": (192, 1.0),
    "icon-512": (512, 1.0),
    "icon-maskable-512": (512, 0.72),
}
PAGE = """<body style="margin:0;background:{ground}"><img src="data:image/svg+xml,{svg}" width="{size}" height="{size}"
style="position:absolute;inset:0;margin:auto"></body>"""


def main() -> None:
    from urllib.parse import quote

    from tests.browser.chrome import launch

    svg = quote((PUBLIC / "icon.svg").read_text())
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (pixels, share) in ICONS.items():
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            ground = "transparent" if share == 1.0 else "#3a2a1e"  # systems cut a maskable icon into their own shape
            page.set_content(PAGE.format(ground=ground, svg=svg, size=round(pixels * share)))
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
