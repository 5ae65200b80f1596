"""What a browser asked for and complained about."""

from __future__ import annotations

import json

from selenium.webdriver import Chrome


def requested(browser: Chrome) -> set[str]:
    """The addresses that the browser asked for since the last call, without its own pages."""
    urls = set()
    for entry in browser.get_log("performance"):
        event = json.loads(entry["message"])["message"]
        if event["method"] == "Network.requestWillBeSent":
            urls.add(event["params"]["request"]["url"])
        if event["method"] == "Network.webSocketCreated":
            urls.add(event["params"]["url"])
    return {url for url in urls if not url.startswith(("chrome", "data:", "about:", "blob:"))}


def complaints(browser: Chrome) -> list[str]:
    """The console's warnings and errors since the last call."""
    said = [e["message"] for e in browser.get_log("browser") if e["level"] != "INFO"]
    return [m for m in said if "Method not implemented." not in m]  # Gradio's, after an upload
