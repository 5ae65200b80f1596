"""What the page shows, without Gradio or a browser."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import Any

import pytest
from canned import CHAT, HOSTILE, SAID, FakeMemory, abstention, answered, hostile_answer

from minirag_chat.errors import EmptyMemory
from minirag_chat.records import Answer, Source
from minirag_chat.show import page_parts as parts
from minirag_chat.show.page_ask import Exchange, Stops, chat_messages, views
from minirag_chat.show.safe_text import in_html


def test_the_header_says_what_is_loaded_and_which_model_reads() -> None:
    shown = parts.header(FakeMemory(1234).info())
    assert "1,234 messages · 2 chats · 4 people · 1 Jan 2026 to 30 Dec 2026" in shown
    assert "qwen2.5-coder-1.5b-instruct (4-bit, CPU)" in shown
    assert "no messages yet" in parts.header(FakeMemory(0).info())
    assert "minirag-chat add" in parts.empty_state()


def test_the_flag_says_how_sure() -> None:
    answer = answered("?")
    assert "answered · confidence 0&#46;82" in parts.flag(answer)
    assert "mc-sure" in parts.flag(answer)
    assert "mc-weak" in parts.flag(dataclasses.replace(answer, confidence=0.4))
    assert "stopped" in parts.flag(dataclasses.replace(answer, stopped=True))


def test_the_flag_of_an_abstention_gives_the_reason_in_words() -> None:
    said = set()
    for reason in ("nothing_found", "not_stated", "conflicting", "unsure", None):
        flag = parts.flag(dataclasses.replace(abstention("?"), reason=reason))
        assert ("Your messages do not say" in flag) == (
            reason in {"nothing_found", "not_stated", None}
        )
        assert "answered" not in flag
        assert str(reason) not in flag
        said.add(flag)
    assert len(said) == 4


def test_sources_show_who_where_when_and_the_quote() -> None:
    shown = parts.sources(answered("?"))
    assert "Wolfgang Schulz" in shown
    assert CHAT in shown
    assert "Sat 21 Feb 2026, 14:11" in shown
    assert "<mark>I will come to the basement on Saturday </mark>for the first time!" in shown
    assert 'data-message-id="11"' in shown


def test_an_abstention_shows_the_closest_messages() -> None:
    shown = parts.sources(abstention("?"))
    assert "Closest messages" in shown
    assert "Great, Wolfgang" in shown
    none = dataclasses.replace(abstention("?"), closest=())
    assert "No message" in parts.sources(none)


def test_a_quote_that_is_not_in_the_message_is_shown_itself() -> None:
    answer = dataclasses.replace(answered("?"), sources=(Source(1, SAID[0], "else"),))
    assert "<mark>else</mark>" in parts.sources(answer)


def test_a_long_message_is_cut_around_its_quote() -> None:
    long = dataclasses.replace(SAID[0], text="a" * 5000 + "quote" + "b" * 5000)
    shown = parts.sources(dataclasses.replace(answered("?"), sources=(Source(1, long, "quote"),)))
    assert "<mark>quote</mark>" in shown
    assert len(shown) < 1500


def test_hostile_text_is_escaped_everywhere() -> None:
    answer = hostile_answer(HOSTILE[0])
    shown = [parts.sources(answer), parts.how(answer), parts.why(answer.path)]
    shown += [m["content"] for m in chat_messages([Exchange(HOSTILE[1], answer.text)])]
    for html in shown:
        assert "<script" not in html
        assert "<img" not in html
        assert "\ud800" not in html
    assert in_html(HOSTILE[0]) in shown[0]


def test_the_frame_may_run_scripts_and_nothing_else() -> None:
    frame = parts.why(answered("?").path)
    assert 'sandbox="allow-scripts"' in frame
    assert frame.count("<") == 2


def test_how_adds_up_the_time_and_lists_the_signals() -> None:
    shown = parts.how(answered("?"))
    assert "3.265 s" in shown
    assert "coverage" in shown
    measured = dataclasses.replace(answered("?"), timings={"total": 2.0, "read": 1.5})
    assert parts.how(measured).count("total") == 1
    assert "2.000 s" in parts.how(measured)


def test_views_stream_the_text_and_end_with_the_answer() -> None:
    memory = FakeMemory()
    earlier = [Exchange("Before?", "Then."), Exchange("Failed?")]
    shown = list(views(memory, "When?", earlier, Event()))
    assert "Reading" in str(shown[0].sources)
    assert all(view.exchange.flag == "" for view in shown[:-1])
    assert shown[-1].exchange.text == answered("When?").text
    assert "confidence" in shown[-1].exchange.flag
    assert memory.asked == [("When?", (("Before?", "Then."),))]


def test_a_stop_reaches_the_memory() -> None:
    memory, stops = FakeMemory(), Stops()
    event = stops.begin("one")
    running = views(memory, "slow", [], event)
    next(running)
    stops.stop("another")
    assert not event.is_set()
    stops.stop("one")
    *_, last = running
    assert memory.heard_stop
    assert "stopped" in last.exchange.flag
    stops.end("one", event)
    stops.stop("one")


def test_a_question_stays_in_one_thread_whoever_takes_its_pieces() -> None:
    threads = set()

    class Local(FakeMemory):
        def stream(self, question: str, **options: Any) -> Iterator[str | Answer]:
            for piece in super().stream(question, **options):
                threads.add(get_ident())
                yield piece

    shown = views(Local(), "When?", [], Event())
    with ThreadPoolExecutor(4) as pool:
        while pool.submit(next, shown, None).result():
            pass
    assert len(threads) == 1


def test_an_abandoned_question_is_stopped() -> None:
    memory, stop = FakeMemory(), Event()
    shown = views(memory, "slow", [], stop)
    next(shown)
    next(shown)
    shown.close()  # type: ignore[attr-defined] # it is a generator
    assert stop.wait(1)
    for _ in range(100):
        if memory.heard_stop:
            return
        time.sleep(0.02)
    pytest.fail("the memory was not told")


def test_an_unforeseen_error_reaches_the_caller() -> None:
    class Broken(FakeMemory):
        def stream(self, *_: object, **__: object) -> Iterator[str | Answer]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(views(Broken(), "When?", [], Event()))


def test_a_known_error_is_told_in_the_chat() -> None:
    class Empty(FakeMemory):
        def stream(self, *_: object, **__: object) -> Iterator[str | Answer]:
            raise EmptyMemory("Nothing has been imported yet: <add> an export.")

    *_, last = views(Empty(), "When?", [], Event())
    assert "Nothing has been imported yet: &#60;add&#62; an export" in last.exchange.flag


def test_chat_messages_alternate_and_do_not_say_the_flag_twice() -> None:
    said = abstention("?")
    messages = chat_messages([Exchange("Where?", said.text, parts.flag(said)), Exchange("And?")])
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2
    assert messages[1]["content"].count("Your messages do not say") == 1
    assert messages[3]["content"] == "…"
