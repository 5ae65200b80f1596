"""Events of one tab that happen at once, as on a busy machine; no browser."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from needed import needed

gradio, page_blocks = needed("gradio"), needed("minirag_chat.show.page_blocks")

from minirag_chat import ChatMemory
from minirag_chat.errors import StoreError
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import BrowserCommand, Tab

REQUEST: Any = SimpleNamespace(session_hash="one", username=None)


@pytest.fixture
def page(small: ChatMemory) -> page_blocks.Page:
    return page_blocks.Page(Sessions(small))


def typed(page: page_blocks.Page, question: str) -> page_blocks.Changes:
    given = {part: part.value for part in page.panel.parts.values()}
    return page._typed({page.box: question, **given}, REQUEST)


def answered(page: page_blocks.Page) -> list[page_blocks.Changes]:
    async def all_of_it() -> list[page_blocks.Changes]:
        return [changes async for changes in page._answer(REQUEST)]

    return asyncio.run(all_of_it())


def pressed(page: page_blocks.Page, word: str, value: str = "") -> page_blocks.Changes:
    event: Any = SimpleNamespace(_data={"do": word, "value": value}, target=None)
    return page._press(event, REQUEST)


@pytest.mark.slow
def test_two_questions_at_once_are_both_answered(
    page: page_blocks.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt, both = Commands.prepare, Barrier(2)

    def late(commands: Commands, tab: Tab, word: str, value: str) -> BrowserCommand | None:
        told = prompt(commands, tab, word, value)
        with suppress(BrokenBarrierError):  # unless one waits until the other is taken up
            both.wait(1)
        return told

    monkeypatch.setattr(Commands, "prepare", late)
    with ThreadPoolExecutor(2) as threads:
        questions = ("Who is the piano tuner?", "Who has the van key?")
        list(threads.map(lambda question: typed(page, question), questions))
    answered(page)
    tab = page.sessions.tab("one")
    done = {told.question for told in tab.exchanges if told.answer is not None}
    assert done == set(questions)
    assert not any(told.live for told in tab.exchanges)


def test_an_answer_that_cannot_be_drawn_ends_and_the_next_question_is_answered(
    page: page_blocks.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> page_views.Views:
        raise StoreError("PostgreSQL at home cannot be reached: see whether it runs.")

    typed(page, "Who is the piano tuner?")
    with monkeypatch.context() as patched:
        patched.setattr(page_views, "middle", unreachable)
        assert "cannot be reached" in answered(page)[-1][page.client]
    assert not page.sessions.is_answering(), "or nothing could be deleted"
    assert "interrupted" in page._tick(REQUEST)[page.log]
    typed(page, "Who has the van key?")
    assert "confidence" in answered(page)[-1][page.log]


@pytest.mark.slow
def test_follow_ups_wait_for_another_reader_of_the_messages(
    page: page_blocks.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, end = page.sessions.own._store.lock, page_blocks.Page._end
    reads = Event()

    def read_beside() -> None:
        with lock:
            reads.set()
            time.sleep(0.3)

    def ended(*given: Any) -> None:
        end(*given)
        Thread(target=read_beside).start()
        assert reads.wait(10)

    monkeypatch.setattr(page_blocks.Page, "_end", ended)
    typed(page, "Who is the piano tuner?")
    assert "mc-suggest" in answered(page)[-1][page.log]


def test_a_new_conversation_begun_just_as_a_question_is_taken_up_breaks_nothing(
    page: page_blocks.Page,
) -> None:
    typed(page, "Who is the piano tuner?")
    answering = page._answering(REQUEST)
    next(answering)
    pressed(page, "new")
    *_, last = answering
    assert "Ask your messages" in last[page.log]
    typed(page, "Who has the van key?")
    assert "confidence" in answered(page)[-1][page.log]


@pytest.mark.slow
def test_the_timer_shows_again_what_a_late_reply_may_have_hidden(
    page: page_blocks.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page._tick(REQUEST)
    typed(page, "Who is the piano tuner?")
    render = page_views.right
    in_time: list[page_blocks.Changes] = []

    def while_it_ends(tab: Tab) -> page_views.Views:
        shown = render(tab)
        if not in_time:
            in_time.append({})
            in_time.extend(answered(page))
        return shown

    monkeypatch.setattr(page_views, "right", while_it_ends)
    late = pressed(page, "since", "2026-01-02")  # drawn by the browser after the answer
    assert "confidence" in in_time[-1][page.log]
    assert "confidence" not in late[page.log]
    again = page._tick(REQUEST)
    assert "confidence" in again[page.log]
    assert "iframe" in again[page.why], "and the graph"
    assert page.log not in page._tick(REQUEST), "once"


def test_what_is_read_beside_the_answers_stays_while_the_next_one_is_written(
    page: page_blocks.Page,
) -> None:
    typed(page, "Who is the piano tuner?")
    answered(page)
    page._tick(REQUEST)
    typed(page, "Who has the van key?")
    for _ in range(2):
        assert page.sources not in page._tick(REQUEST)
