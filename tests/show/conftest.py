"""Chromium for the tests of what a reader sees."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.webdriver import Chrome, ChromeOptions, ChromeService  # noqa: E402

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--window-size=1360,860",
]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("chromium and chromedriver are not installed (apt: chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    # No name but this machine's resolves: whatever the page tried to reach would fail, and be seen.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    chrome = Chrome(options=options, service=ChromeService(driver))
    chrome.get("about:blank")
    yield chrome
    chrome.quit()
