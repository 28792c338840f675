"""The guide, opened from disk."""

import shutil
from pathlib import Path

from playwright.sync_api import Browser

SHIM = Path(__file__).parents[2] / "docs" / "js" / "iframe-worker.js"
PAGE = """<!doctype html><head><script src="iframe-worker.js"></script></head><body><script>
const worker = new Worker("worker.js");
worker.addEventListener("message", (event) => (document.title = event.data));
worker.postMessage("search");
</script></body>"""


def test_the_search_worker_runs_in_a_page_from_disk(browser: Browser, tmp_path: Path) -> None:
    shutil.copy(SHIM, tmp_path)
    (tmp_path / "worker.js").write_text('addEventListener("message", (e) => postMessage(e.data + " found"));')
    (tmp_path / "index.html").write_text(PAGE)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.wait_for_function("document.title === 'search found'")
    page.close()
