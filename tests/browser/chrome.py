"""The browser on this machine, and the page built for it.

``python -m tests.browser.chrome`` builds the page for the server and for hosts of plain files.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path

from playwright.sync_api import Browser, Playwright

WEB = Path(__file__).parents[2] / "web"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Compile scripts and WebAssembly once, quickly, and not again for speed: no page lives long enough to gain from it
QUICK_START = "--js-flags=--liftoff-only --no-maglev --no-opt"
# What Playwright switches off (the last flag of this name counts), and the opener policy, which pages of the server
# have: without it, Chromium shows a page in the process of the empty one before it, instead of starting another.
NO_OPENER_POLICY = "--disable-features=" + (
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,CrossOriginOpenerPolicy,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,TcpPortRandomizationWin,"
    "ThirdPartyStoragePartitioning"
)
FLAGS = [
    QUICK_START,
    NO_OPENER_POLICY,
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright: Playwright) -> Browser:
    """Start it."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError(f"no browser found; install one of {', '.join(NAMES)}")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


def build_page() -> Path:
    """The folder of the built page; built first if a source is newer than it."""
    return _built("dist", "build")


def build_site() -> Path:
    """The folder of the page for static hosting."""
    return _built("site", "site")


def _built(folder: str, script: str) -> Path:
    out = WEB / folder
    name = f"quatuor-page-{os.getuid()}-{zlib.crc32(bytes(WEB)):x}.lock"
    with open(Path(tempfile.gettempdir()) / name, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the test workers of one checkout take turns
        if _is_stale(out / "index.html"):
            subprocess.run(["npm", "run", "--silent", script], cwd=WEB, check=True, capture_output=True)
    return out


def _is_stale(built: Path) -> bool:
    sources = [WEB / name for name in ("index.html", "package.json", "vite.config.ts", "svelte.config.js")]
    sources += (WEB.parent / "docs/rulebook").rglob("*.md")
    sources += [file for folder in ("src", "public", "kit") for file in (WEB / folder).rglob("*") if file.is_file()]
    package = WEB.parent / "quatuor"  # the kit for play without a server holds most of it
    sources += [file for file in package.rglob("*.py") if file.relative_to(package).parts[0] not in ("server", "cli")]
    sources += (package / "kernel/libraries").rglob("*.*")
    return not built.is_file() or any(file.stat().st_mtime > built.stat().st_mtime for file in sources)


if __name__ == "__main__":
    build_page()
    build_site()
