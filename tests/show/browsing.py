"""A browser, what it asked for and what it complained about."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

LOCAL = "http://127.0.0.1:"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--force-prefers-reduced-motion",  # what moves is drawn 60 times a second: a third of all work
    "--window-size=1360,860",
    # Each page in the same process: one that begins anew costs half of the opening of a page.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
]


def start_chromium(profile: Path) -> Chrome:
    """A browser that resolves no name but this machine's; skips, aloud, where there is none."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        missing = "chromium and chromedriver are not installed (apt: chromium chromium-driver)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    # Whatever the page tried to reach elsewhere would fail, and be seen.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    chrome = Chrome(options=options, service=ChromeService(driver))
    chrome.get("about:blank")
    return chrome


def requested(browser: Chrome) -> set[str]:
    """The addresses that the browser asked for since the last call, without its own pages.

    What another test's page on this machine asked for is left out: its log may come late.
    """
    here = _origin(browser.current_url)
    urls = set()
    for entry in browser.get_log("performance"):
        event = json.loads(entry["message"])["message"]
        if event["method"] == "Network.requestWillBeSent":
            by = event["params"].get("documentURL", "")
            url = event["params"]["request"]["url"]
        elif event["method"] == "Network.webSocketCreated":
            by = url = event["params"]["url"].replace("ws:", "http:", 1)
        else:
            continue
        if not by.startswith(LOCAL) or _origin(by) == here:
            urls.add(url)
    return {url for url in urls if not url.startswith(("chrome", "data:", "about:", "blob:"))}


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def complaints(browser: Chrome) -> list[str]:
    """The console's warnings and errors since the last call, without those of other tests' pages.

    Such a page's last request may fail after its server is gone, and be told here late.
    """
    here = _origin(browser.current_url)
    said = [e["message"] for e in browser.get_log("browser") if e["level"] != "INFO"]
    return [
        m
        for m in said
        if "Method not implemented." not in m  # Gradio's, after an upload
        and (not m.startswith(LOCAL) or _origin(m.split(" ", 1)[0]) == here)
    ]


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def launch(*given: Any, **options: Any) -> str:
    """Start a page, as ``page.launch`` of the package, whose import of Gradio takes seconds."""
    from minirag_chat.show import page

    return page.launch(*given, **options)
