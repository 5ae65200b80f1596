"""A voice note is played and a photo is seen on the page, in a real browser under the page's own policy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import complaints, free_port, launch, requested
from made_media import PHOTOS, VOICES, ByName, draw, speak, whatsapp
from needed import needed
from selenium.webdriver import Chrome
from served import ask, press, tab, text, until, visit
from stored import opened

needed("gradio")
pytestmark = pytest.mark.process

KEY, WIFI = "PTT-20260105-WA0001.opus", "IMG-20260106-WA0001.jpg"
LOADED = "const e = document.querySelector(arguments[0]); return e ? e.{} : 0"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A page over an export with real sound and real pictures."""
    if not shutil.which("espeak-ng"):
        pytest.skip("espeak-ng is not installed (apt: espeak-ng)")
    folder = whatsapp(tmp_path / "export").parent
    speak(folder / "said.wav", VOICES[KEY])
    (folder / "said.wav").rename(folder / KEY)  # a player looks into the file, not at its name
    draw(folder / WIFI, PHOTOS[WIFI])
    with opened(tmp_path / "data") as memory:
        memory.add(folder)
        memory.read_media(reader=ByName())
        yield launch(memory, port=free_port(), block=False)


def test_a_voice_note_plays_and_a_photo_shows_beside_the_answer(
    browser: Chrome, address: str
) -> None:
    visit(browser, address)
    ask(browser, "Where is the spare key?")
    tab(browser, "Sources")
    until(browser, lambda: "voice note, transcribed" in text(browser, "#evidence"))
    press(browser, "#evidence audio")
    browser.execute_script("document.querySelector('#evidence audio').play()")
    until(
        browser,
        lambda: browser.execute_script(LOADED.format("currentTime"), "#evidence audio") > 0.2,
    )
    assert browser.execute_script(LOADED.format("duration"), "#evidence audio") > 1

    ask(browser, "What is the wifi password?")
    until(browser, lambda: "heron-4417" in text(browser, "#evidence"))
    until(
        browser,
        lambda: browser.execute_script(LOADED.format("naturalWidth"), "#evidence img") == 900,
    )
    assert all(url.startswith(address) for url in requested(browser))
    assert complaints(browser) == []
