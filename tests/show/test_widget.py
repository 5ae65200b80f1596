"""The widget from Python: every state can be read and set, and nothing runs twice or for ever."""

from __future__ import annotations

import html
import re
import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from canned import HOSTILE
from fakes import ScriptedModel

from minirag_chat import ChatMemory
from minirag_chat.errors import BadQuestion, BadSetting, NotFound

pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")
from minirag_chat.show.widget import ChatWidget
from minirag_chat.show.widget_run import WidgetRun

QUESTION = "Who tunes the piano?"
LONG = " ".join(f"word{i}" for i in range(90))


@pytest.fixture
def widget(small: ChatMemory) -> ChatWidget:
    return ChatWidget(small)


@pytest.fixture
def model(small: ChatMemory) -> ScriptedModel:
    assert isinstance(small.models.loaded, ScriptedModel)
    return small.models.loaded


def until(holds: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.slow
def test_an_answer_is_shown_and_kept(widget: ChatWidget) -> None:
    answer = widget.ask(QUESTION)
    assert widget.answers == (answer,)
    assert (widget.selected_answer, widget.running, widget.error) == (0, False, "")
    assert "In the basement" in widget._answer.value
    assert "confidence" in widget._answer.value
    assert "<iframe" in widget._graph.value
    assert len(widget._sources.children) == len(answer.sources)


def test_settings_beyond_the_usual_are_kept(small: ChatMemory) -> None:
    chosen = {"paths": 500, "evidence_tokens": 9000}
    widget = ChatWidget(small.tuned(**chosen))
    assert {name: widget.settings[name] for name in chosen} == chosen


@pytest.mark.slow
def test_the_text_is_shown_while_it_comes(widget: ChatWidget, model: ScriptedModel) -> None:
    model.text, model.pause = LONG, 0.1
    seen: list[str] = []
    widget.observe(lambda change: seen.append(change["new"]), "text")
    run = widget.start(QUESTION)
    until(lambda: "word3" in widget._answer.value)
    assert widget.running
    assert widget._ask.disabled
    assert not widget._stop.disabled
    widget.stop()
    assert run.wait().stopped
    assert len(seen) >= 2
    assert widget._stop.disabled


@pytest.mark.slow
def test_the_stop_button_ends_the_model_and_keeps_what_was_said(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    model.text, model.pause = LONG, 0.3
    run = widget.start(QUESTION)
    until(lambda: widget.text)
    widget._stop.click()
    assert run.wait().stopped
    assert model.pieces < 45, "half a minute has passed"
    assert "stopped" in widget._answer.value
    model.pause = 0.0
    assert not widget.ask(QUESTION).stopped


def test_a_question_that_was_stopped_at_once_leaves_no_answer(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    model.text, model.pause = LONG, 0.3
    run = widget.start(QUESTION)
    widget.stop()
    assert run.wait().stopped
    assert (widget.answers, widget.running) == ((), False)
    assert "stopped before" in widget._answer.value


@pytest.mark.slow
def test_an_interrupt_while_the_question_begins_ends_the_model(
    widget: ChatWidget, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(threading.Thread):
        def start(self) -> None:
            super().start()
            until(lambda: model.pieces)
            raise KeyboardInterrupt

    model.text, model.pause = LONG, 0.3
    monkeypatch.setattr("minirag_chat.show.widget_run.Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        widget.ask(QUESTION)
    until(lambda: not widget.running)
    assert model.pieces < 45, "half a minute has passed"
    monkeypatch.undo()
    model.pause = 0.0
    assert not widget.ask(QUESTION).stopped


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, also where the tests run as a background job of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.slow
def test_an_interrupted_cell_ends_once_the_question_has_ended() -> None:
    stopped_after: list[str] = []
    shown: list[str | WidgetRun] = []

    def slow_to_stop(stopped: Callable[[], bool]) -> Iterator[str]:
        yield "word0"
        until(stopped)
        time.sleep(0.5)
        stopped_after.append("word0")

    run = WidgetRun(slow_to_stop, shown.append, shown.append)
    run.start()
    threading.Timer(0.3, interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    assert stopped_after
    assert shown == ["word0", run], "the cell went on while the question was still ending"
    assert not run.running


@pytest.mark.slow
def test_a_question_while_one_runs_is_refused_and_the_first_goes_on(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    model.goes_on.clear()
    run = widget.start(QUESTION)
    with pytest.raises(BadQuestion, match="wait"):
        widget.ask("And when?")
    widget._ask.click()
    model.goes_on.set()
    assert run.wait().text
    assert len(widget.answers) == 1


@pytest.mark.slow
def test_the_button_and_enter_ask_what_the_box_says(widget: ChatWidget) -> None:
    widget._question.value = QUESTION
    widget._ask.click()
    until(lambda: len(widget.answers) == 1)
    assert widget.question == QUESTION
    widget._question._handle_custom_msg({"event": "submit"}, [])
    until(lambda: len(widget.answers) == 2)


@pytest.mark.slow
def test_filters_are_set_from_python_and_from_the_boxes(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    widget.people = ("Tom Hill",)
    assert (widget.people, widget._people.value) == (("TomHill",), ("TomHill",))
    widget._since.value = date(2026, 1, 7)
    assert widget.since == date(2026, 1, 7)
    widget.method = "bm25"
    widget.chats = (widget._chats.options[0][1],)
    widget.chats = ()
    answer = widget.ask("Who parked the van?")
    assert {s.sender for s in answer.sources or answer.closest} == {"TomHill"}
    with pytest.raises(NotFound, match="Anna Berg"):
        widget.people = ("Zacharias",)
    assert widget.people == ("TomHill",)


def test_a_filter_may_be_written_plainly(small: ChatMemory, widget: ChatWidget) -> None:
    widget.since, widget.people = "2026-02-01", small.people()[0].name
    assert widget.since == date(2026, 2, 1)
    assert widget.people == (small.people()[0].name,)
    with pytest.raises(BadSetting, match="since is 'last week': give a day as 2026-01-31"):
        widget.since = "last week"
    assert widget.since == date(2026, 2, 1)


def test_what_is_no_memory_or_no_question_is_refused_in_a_sentence(widget: ChatWidget) -> None:
    with pytest.raises(BadSetting, match=r'ChatWidget\(ChatMemory.open\("chats.db"\)\)'):
        ChatWidget("chats.db")
    with pytest.raises(BadQuestion, match="no text but int"):
        widget.memory.ask(5)


@pytest.mark.slow
def test_retrieval_settings_are_set_from_python_and_from_the_boxes(
    widget: ChatWidget, model: ScriptedModel, small: ChatMemory
) -> None:
    assert widget.settings["evidence_tokens"] == small.settings.evidence_tokens
    widget.settings = {"hops": 2}
    assert (widget.settings["hops"], widget._tuning._boxes["hops"].value) == (2, 2)
    assert widget.settings["paths"] == small.settings.paths
    widget._tuning._boxes["abstain_below"].value = 1.0
    assert widget.settings["abstain_below"] == 1.0
    assert widget.ask(QUESTION).abstained
    widget.settings = {"abstain_below": 0.0}
    assert not widget.ask(QUESTION).abstained
    assert small.settings.abstain_below > 0, "the memory keeps its own"
    for wrong in ({"hops": 99}, {"model": "other"}, {"hops": "many"}):
        with pytest.raises(BadSetting):
            widget.settings = wrong
    assert widget.settings["hops"] == 2


@pytest.mark.slow
def test_a_source_opens_its_conversation_with_the_message_marked(widget: ChatWidget) -> None:
    answer = widget.ask(QUESTION)
    widget._sources.children[0].click()
    assert widget.selected_message == answer.sources[0].message_id
    assert f"<mark>{answer.sources[0].message.text}</mark>" in widget._conversation.value
    widget.selected_message = 4711
    assert "no message 4711" in widget._conversation.value
    widget.selected_message = None
    assert widget._conversation.value == ""


@pytest.mark.slow
def test_the_history_brings_an_earlier_answer_back(widget: ChatWidget) -> None:
    first = widget.ask(QUESTION)
    widget.ask("Who parked the van?")
    widget._history.value = 0
    assert widget.shown is first
    assert QUESTION in widget._answer.value
    widget.selected_answer = 1
    assert widget._history.value == 1
    widget.selected_answer = 99
    assert widget.shown is None
    widget.clear()
    assert (widget.answers, widget._answer.value) == ((), "")


@pytest.mark.slow
def test_an_answer_is_selected_from_the_end_and_one_that_is_not_there_is_none(
    widget: ChatWidget,
) -> None:
    widget.ask(QUESTION)
    widget.ask("Who repairs the boiler?")
    widget.selected_answer = -1
    assert widget.selected_answer == 1
    for nowhere in (2, -3, 99):
        widget.selected_answer = nowhere
        assert widget.selected_answer is None
    assert not widget.running
    widget.ask(QUESTION)
    assert widget.selected_answer == 2


@pytest.mark.slow
def test_the_filters_offer_who_has_written_since(
    widget: ChatWidget, small: ChatMemory, tmp_path: Path
) -> None:
    widget.people = ("Anna Berg",)
    name = "+1 (555) 010-9999"
    log = tmp_path / "WhatsApp Chat with Kim.txt"
    log.write_text(f"03.04.26, 18:05 - {name}: Hello.\n03.04.26, 18:06 - Kim: Hi.\n")
    small.add(log)
    with pytest.raises(NotFound, match=re.escape(name)):
        widget.people = ("Nobody At All",)
    assert widget.people == ("AnnaBerg",)
    widget.people = (name,)
    assert widget.people == (name,)
    widget.chats = ("Kim",)
    assert widget.ask("Who says hello?").sources


@pytest.mark.slow
def test_two_widgets_on_one_memory_have_a_conversation_each(
    small: ChatMemory, model: ScriptedModel
) -> None:
    one, two = ChatWidget(small), ChatWidget(small)
    one.ask("Who parked the van?")
    two.ask("And where?")
    assert "Who parked" not in model.asked[-1][-1].content
    one.ask("And where?")
    assert "Who parked" in model.asked[-1][-1].content
    runs = [one.start(QUESTION), two.start(QUESTION)]
    assert all(run.wait().text for run in runs)


@pytest.mark.slow
def test_what_goes_wrong_is_shown_and_the_next_question_works(
    widget: ChatWidget, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadQuestion):
        widget.ask(" ")
    assert "is empty" in widget.error
    assert "is empty" in widget._answer.value
    real = model.choose
    monkeypatch.setattr(model, "choose", lambda *a, **k: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        widget.ask(QUESTION)
    assert "ZeroDivisionError" in widget.error
    monkeypatch.setattr(model, "choose", real)
    widget.ask(QUESTION)
    assert widget.error == ""


@pytest.mark.slow
def test_an_error_goes_when_an_answer_is_chosen_or_all_is_cleared(widget: ChatWidget) -> None:
    widget.ask(QUESTION)
    for leave in (lambda: widget.set_trait("selected_answer", 0), widget.clear):
        with pytest.raises(BadQuestion):
            widget.ask(" ")
        leave()
        assert (widget.error, "is empty" in widget._answer.value) == ("", False)


@pytest.mark.slow
def test_a_question_that_runs_while_all_is_cleared_is_forgotten(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    model.text, model.pause = LONG, 0.1
    run = widget.start(QUESTION)
    until(lambda: "word3" in widget._answer.value)
    widget.clear()
    assert not widget.running
    run.wait()
    assert (widget.answers, widget._answer.value) == ((), "")


@pytest.mark.slow
def test_an_answer_whose_message_was_deleted_for_good_is_neither_shown_nor_sent_again(
    widget: ChatWidget, model: ScriptedModel, small: ChatMemory
) -> None:
    model.text = "Walter Quint tunes the piano."
    widget.people = ("AnnaBerg",)
    gone = widget.ask(QUESTION).sources[0].message_id
    model.text, widget.people = "Tom did.", ("TomHill",)
    kept = widget.ask("Who parked the van?")
    with ChatMemory.open(small.settings.db, small.settings) as other:
        other.delete(messages=[gone], now=True)
    last = widget.ask("And what does he cost?")
    assert widget.answers == (kept, last)
    assert "Quint" not in "".join(turn.content for turn in model.asked[-1])
    widget.selected_answer = 0
    assert "Quint" not in widget._answer.value
    assert len(widget._history.options) == 2


def test_pressing_the_button_with_a_filter_that_is_gone_says_so(
    widget: ChatWidget, small: ChatMemory
) -> None:
    widget.people = ("Sam Ortiz",)
    small.delete(people=["Sam Ortiz"])
    widget.question = QUESTION
    widget._ask.click()
    assert "Sam Ortiz" in widget.error
    widget._ask.click()
    until(lambda: len(widget.answers) == 1)


@pytest.mark.slow
def test_a_silent_answer_is_shown_with_its_note_and_what_the_messages_are(
    widget: ChatWidget, model: ScriptedModel
) -> None:
    model.stated = 0.0
    answer = widget.ask("When did I tune the piano?")
    assert answer.abstained
    assert answer.note
    assert f"Note: {answer.note}" in html.unescape(widget._answer.value)
    assert "none of them states the answer" in widget._answer.value


def test_a_closed_memory_is_said(widget: ChatWidget, small: ChatMemory) -> None:
    small.close()
    widget.start(QUESTION)
    until(lambda: not widget.running)
    assert "closed" in widget.error


@pytest.mark.slow
def test_hostile_text_stays_text(widget: ChatWidget, model: ScriptedModel) -> None:
    model.text = " ".join(text for text in HOSTILE if "\ud800" not in text)
    widget.ask(f"Who says {HOSTILE[1]} and tunes the piano?")
    for value in (widget._answer.value, widget._graph.value):
        assert "<img" not in value
        assert "<script>alert" not in value
