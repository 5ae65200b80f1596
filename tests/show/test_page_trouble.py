"""What goes wrong beside the page: two tabs, a stopped import, a full disk, a lost model server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fakes import WordEmbedder
from needed import needed
from places import SMALL, write_log
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from slow_server import SlowServer
from stored import import_by_one_connection

gradio = needed("gradio")
from browsing import free_port, launch
from served import Served, ask, assert_quiet, press, text, until, visit
from test_page_browser import DROP

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import StoreError
from minirag_chat.models.protocols import Vectors
from minirag_chat.records import Chat

pytestmark = pytest.mark.browser
MANY = "".join(
    f"{day:02}.03.26, 18:{minute:02} - Nina Vale: The boat number {day * 60 + minute} is blue.\n"
    for day in range(1, 29)
    for minute in range(60)
)


class HeldEmbedder(WordEmbedder):
    """Makes vectors only while it is let; tokens are counted all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()
        self.let.set()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.let.wait(20)
        return super().embed(texts)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("trouble"))
    yield begun
    gradio.close_all()


@pytest.fixture
def page(browser: Chrome, served: Served) -> Chrome:
    visit(browser, served.address)
    press(browser, '[data-do="new"]')
    until(browser, lambda: "Ask your messages" in text(browser, "#log"))
    return browser


def test_a_question_that_cannot_be_sent_is_put_back_and_the_page_says_so(page: Chrome) -> None:
    def refuse(*_: object) -> None:
        raise gradio.Error("Value 500 is greater than maximum value 200.")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gradio.Slider, "preprocess", refuse)
        ask(page, "Who tunes the piano?")
        until(page, lambda: "could not be sent" in text(page, ".mc-say"))
    box = page.find_element(By.CSS_SELECTOR, "#question textarea")
    assert box.get_property("value") == "Who tunes the piano?"


def test_while_the_messages_cannot_be_read_the_page_says_why_and_goes_on_afterwards(
    page: Chrome, served: Served
) -> None:
    def unreachable(_: ChatMemory) -> list[Chat]:
        raise StoreError("PostgreSQL at home cannot be reached: see whether it runs.")

    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ChatMemory, "chats", unreachable)
        press(page, f'[data-do="person"][data-value="{tom}"]')
        until(page, lambda: "cannot be reached" in text(page, ".mc-say"))
    until(page, lambda: "Tom Hill ✕" in text(page, "#chips"))  # the filter was set; now it goes
    press(page, '#chips [data-do="person"]')
    until(page, lambda: "Tom Hill ✕" not in text(page, "#chips"))
    until(page, lambda: "cannot be reached" not in text(page, "body"))
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "Walter Quint" in text(page, "#log .mc-answer"))


def test_two_tabs_at_once_ask_and_both_are_answered(page: Chrome, served: Served) -> None:
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    try:
        page.get(served.address)
        until(page, lambda: "messages" in text(page, "#loaded"))
        second = page.current_window_handle
        ask(page, "a slow piano one")
        until(page, lambda: "piece3" in text(page, "#log"))
        page.switch_to.window(first)
        ask(page, "Who is the piano tuner?")  # waits in line, and says so
        until(page, lambda: "Searching your messages" in text(page, "#log"))
        assert "piece" not in text(page, "#log")
        page.switch_to.window(second)
        press(page, "#stop")
        until(page, lambda: "stopped" in text(page, "#log .mc-flag"))
        page.switch_to.window(first)
        until(page, lambda: "Walter Quint" in text(page, "#log .mc-answer"))
    finally:
        for handle in page.window_handles:
            if handle != first:
                page.switch_to.window(handle)
                page.close()
        page.switch_to.window(first)


def test_a_tab_that_closes_leaves_the_others_alone(page: Chrome, served: Served) -> None:
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    page.get(served.address)
    until(page, lambda: "messages" in text(page, "#loaded"))
    ask(page, "a slow piano one")
    until(page, lambda: served.model.working)
    page.close()
    page.switch_to.window(first)
    until(page, lambda: not served.model.working)
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "Walter Quint" in text(page, "#log .mc-answer"))


def test_a_deleted_chat_that_an_open_answer_cites(page: Chrome, served: Served) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    press(page, "#log .mc-cite")
    press(page, "#sources .mc-source .mc-link")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#sources .mc-here"))
    (found,) = served.memory.search("Walter Quint", 1)
    delete = f'[data-do="delete"][data-value="{found.message.chat_id}"]'
    page.execute_script("document.querySelector(arguments[0]).click()", delete)
    until(page, lambda: "This message was deleted" in text(page, "#sources"))
    press(page, '[data-do="undo"]')
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#sources .mc-here"))
    assert served.memory.search("Walter Quint", 1)
    assert_quiet(page, served.address)


def test_an_import_can_be_stopped_and_the_page_stays_usable_meanwhile(
    browser: Chrome, tmp_path: Path
) -> None:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive")
    embedder = HeldEmbedder()
    with ChatMemory.open(settings.db, settings, embedder=embedder) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        visit(browser, launch(memory, port=free_port(), block=False))
        embedder.let.clear()
        browser.execute_script(DROP, MANY, "WhatsApp Chat with Nina.txt")
        until(browser, lambda: "Indexing by meaning" in text(browser, "#job"), 60)
        press(browser, '[data-do="chat"]')  # a filter can be set while it works
        until(browser, lambda: "✕" in text(browser, "#chips"))
        browser.refresh()  # and a reload finds the import where it is
        until(browser, lambda: "Indexing by meaning" in text(browser, "#job"))
        press(browser, '[data-do="stopjob"]')
        embedder.let.set()
        until(browser, lambda: "Cancel" not in text(browser, "#job"))
        assert memory.search("number 700")  # what had been stored is in, and can be found
        gradio.close_all()


def test_a_full_disk_is_a_sentence_and_nothing_is_changed(
    browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        connection = memory._store.connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own full disk
        import_by_one_connection(memory, monkeypatch)
        before = memory.info().messages
        visit(browser, launch(memory, port=free_port(), block=False))
        browser.execute_script(DROP, MANY, "WhatsApp Chat with Nina.txt")
        until(
            browser,
            lambda: "is full: free some space; nothing was changed" in text(browser, "#job"),
            60,
        )
        assert memory.info().messages == before
        ask(browser, "Who is the piano tuner?")
        until(browser, lambda: "Walter Quint" in text(browser, "#log .mc-answer"))
        gradio.close_all()


def test_a_lost_model_server_is_a_sentence_and_can_be_asked_again(
    browser: Chrome, tmp_path: Path
) -> None:
    with SlowServer("one two three four five six " * 20, pause=0.4) as server:
        settings = Settings(
            db=tmp_path / "chats.db", model_dir=tmp_path, model="server", server_url=server.url,
            server_model="slow",
        )  # fmt: skip
        with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
            memory.add(write_log(tmp_path / "log", SMALL))
            visit(browser, launch(memory, port=free_port(), block=False))
            ask(browser, "What is the piano tuner called?")
            until(browser, lambda: "two" in text(browser, "#log"))
            press(browser, "#stop")
            until(browser, server.hung_up.is_set)
            _close(server)
            press(browser, '[data-do="new"]')
            ask(browser, "What is the piano tuner called?")
            until(browser, lambda: "model server" in text(browser, "#log .mc-flag").lower())
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, '[data-ask="retry"]'))
            assert browser.find_element(By.CSS_SELECTOR, "#question textarea").is_enabled()
            gradio.close_all()


def _close(server: SlowServer) -> None:
    server._http.shutdown()
    server._http.server_close()
    time.sleep(0.1)
