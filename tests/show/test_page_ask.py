"""A question on the page as it grows, without Gradio or a browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import Any

import pytest
from canned import FakeMemory, answered

from minirag_chat import ChatMemory
from minirag_chat.errors import EmptyMemory
from minirag_chat.records import Answer, OnContext
from minirag_chat.show import page_log, page_parts
from minirag_chat.show.page_ask import growing
from minirag_chat.show.page_tabs import Exchange


def test_it_streams_the_text_and_ends_with_the_answer() -> None:
    memory = FakeMemory()
    earlier = [Exchange("Before?", "Then.", answered("Before?")), Exchange("Failed?")]
    shown = list(growing(memory.stream, "When?", earlier, Event(), {"since": "2026-01-01"}))
    assert all(exchange.live for exchange in shown[:-1])
    assert shown[-1].text == answered("When?").text
    assert shown[-1].answer is not None
    assert shown[-1].rate > 0
    assert memory.asked == [("When?", (("Before?", "Then."),))]


def test_an_overview_has_no_reading_speed_as_no_model_speaks_its_lines(small: ChatMemory) -> None:
    question = "What did we talk about in January?"
    *_, last = growing(small.stream, question, [], Event())
    assert last.text.count("\n") >= 2
    assert "Reading speed" not in page_parts.how(last.answer, last.rate)


@pytest.mark.slow
def test_what_is_being_read_is_shown_before_the_first_word() -> None:
    messages = [source.message for source in answered("When?").sources]
    goes_on = Event()

    def stream(question: str, *, reads: OnContext, **_: object) -> Iterator[str | Answer]:
        reads(messages)
        assert goes_on.wait(120)
        yield answered(question)

    shown = growing(stream, "When?", [], Event())
    assert next(shown).context_messages == ()
    assert next(shown).context_messages == tuple(messages)
    later = next(shown)
    assert later.seconds >= 1, "and while nothing comes, the seconds pass"
    page = page_log.log([later], 0)
    assert f"Reading {len(messages)} message" in page
    assert messages[0].text[:20] in page
    goes_on.set()
    *_, last = shown
    assert last.answer is not None
    assert "Reading" not in page_log.log([last], 0)


def test_an_error_that_nobody_expects_ends_the_exchange_with_a_sentence() -> None:
    def stream(question: str, **_: object) -> Iterator[str | Answer]:
        yield "The "
        raise RuntimeError("device-side assert")

    *_, last = growing(stream, "When?", [], Event())
    assert not last.live
    assert "unexpectedly (RuntimeError in test_page_ask.py, line " in last.problem
    assert "assert" not in last.problem, "what it says may be private"
    assert 'data-ask="retry"' in page_log.log([last], 0)


def test_a_stop_reaches_the_memory() -> None:
    memory, stop = FakeMemory(), Event()
    running = growing(memory.stream, "slow", [], stop)
    next(running)
    stop.set()
    *_, last = running
    assert memory.heard_stop
    assert last.answer is not None
    assert last.answer.stopped


def test_a_question_stays_in_one_thread_whoever_takes_its_pieces() -> None:
    threads = set()

    class Local(FakeMemory):
        def stream(self, question: str, **options: Any) -> Iterator[str | Answer]:
            for piece in super().stream(question, **options):
                threads.add(get_ident())
                yield piece

    shown = growing(Local().stream, "When?", [], Event())
    with ThreadPoolExecutor(4) as pool:
        while pool.submit(next, shown, None).result():
            pass
    assert len(threads) == 1


def test_an_abandoned_question_is_stopped() -> None:
    memory, stop = FakeMemory(), Event()
    shown = growing(memory.stream, "slow", [], stop)
    next(shown)
    next(shown)
    shown.close()
    assert stop.wait(60)
    for _ in range(3_000):
        if memory.heard_stop:
            return
        time.sleep(0.02)
    pytest.fail("the memory was not told")


def test_a_known_error_is_told_in_the_conversation() -> None:
    def empty(*_: object, **__: object) -> Iterator[str | Answer]:
        raise EmptyMemory("Nothing has been imported yet: <add> an export.")

    *_, last = growing(empty, "When?", [], Event())
    assert last.problem == "Nothing has been imported yet: <add> an export."


@pytest.mark.slow
def test_a_stop_ends_the_wait_for_a_memory_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held, stop, went_on = Event(), Event(), Event()

    def stuck(*_: object, **__: object) -> Iterator[str | Answer]:
        yield "Half an "
        held.wait(60)
        went_on.set()

    monkeypatch.setattr("minirag_chat.show.page_ask._GRACE", 0.5)
    shown = growing(stuck, "When?", [], stop)
    assert [next(shown).text, next(shown).text] == ["", "Half an "]
    stop.set()
    (last,) = shown
    assert not went_on.is_set()
    assert (last.text, last.live, last.answer) == ("Half an ", False, None)
    held.set()
