"""Public mode in two browsers: each sees the sample and its own upload, by no way another's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from needed import needed
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from browsing import launch, start_chromium
from served import Served, ask, give_file, press, text, until, visit

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadSetting

pytestmark = pytest.mark.browser
SECRET_CHAT = "03.04.26, 18:05 - Nina Vale: The PIN of the safe is 47114711.\n03.04.26, 18:06 - Tom Hill: Noted.\n"  # noqa: S105 - made up


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("public"), public=True)
    yield begun
    gradio.close_all()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Chrome]:
    chrome = start_chromium(tmp_path / "other")
    yield chrome
    chrome.quit()


def test_two_visitors_never_see_each_others_messages(
    browser: Chrome, other: Chrome, served: Served, tmp_path: Path
) -> None:
    visit(browser, served.address)
    visit(other, served.address)
    assert "This page is public" in text(browser, "#left")
    file = tmp_path / "WhatsApp Chat with Nina.txt"
    file.write_text(SECRET_CHAT, encoding="utf-8")
    give_file(browser, file)
    until(browser, lambda: "2 new messages" in text(browser, "#job"), 60)
    until(browser, lambda: "Nina Vale" in text(browser, "#lists"))
    ask(browser, "What is the PIN of the safe?")
    until(browser, lambda: "confidence" in text(browser, "#log"))
    assert "Your upload" in text(browser, "#corpora")

    assert "Your upload" not in text(other, "#corpora")
    ask(other, "What is the PIN of the safe?")
    until(
        other,
        lambda: "confidence" in text(other, "#log") or "No answer found" in text(other, "#log"),
    )
    for selector in ("#log", "#right", "#left"):
        assert "4711" not in text(other, selector)
        assert "Nina" not in text(other, selector)
    assert not other.find_elements(By.CSS_SELECTOR, "[data-do=delete]")
    assert not browser.find_elements(By.CSS_SELECTOR, "[data-do=delete]")

    browser.get("about:blank")  # the visitor leaves
    visit(browser, served.address)
    assert "Your upload" not in text(browser, "#corpora")
    assert b"47114711" not in b"".join(f.read_bytes() for f in served.folder.glob("*.db*"))


def test_guessed_addresses_give_nothing(served: Served) -> None:
    for route in ("gradio_api/file=", "file=", "gradio_api/stream/", "gradio_api/proxy="):
        for path in (served.folder / "sample.db", "/etc/passwd", "app.py"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{served.address}{route}{path}", timeout=60)  # noqa: S310 - our own server


def test_the_interface_for_programs_sees_the_sample_only(served: Served) -> None:
    client = pytest.importorskip("gradio_client").Client(served.address, verbose=False)
    answer = client.predict(question="Who is the piano tuner?", api_name="/ask")
    assert answer["question"] == "Who is the piano tuner?"
    assert "Walter Quint" in json.dumps(answer)
    assert client.predict(question="", api_name="/ask")["type"] == "BadQuestion"
    named = client.view_api(return_format="dict")["named_endpoints"]
    assert set(named) == {"/ask"}


def test_a_private_page_refuses_to_show_your_messages_to_the_network(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive")
    with (
        ChatMemory.open(settings.db, settings) as memory,
        pytest.raises(BadSetting, match="MINIRAG_CHAT_PUBLIC"),
    ):
        launch(memory, host="0.0.0.0", block=False)  # noqa: S104 - what is refused


def test_an_upload_that_is_too_large_is_refused(
    browser: Chrome, served: Served, tmp_path: Path
) -> None:
    visit(browser, served.address)
    file = tmp_path / "WhatsApp Chat with Much.txt"
    file.write_text(SECRET_CHAT * 20_000, encoding="utf-8")
    give_file(browser, file)
    until(browser, lambda: "Error" in text(browser, "#drop"))
    assert "up to 1 MiB" in text(browser, "#left")
    assert "Your upload" not in text(browser, "#corpora")
    press(browser, "body")
