"""``ChatWidget``: ask, read the answer as it comes, open its sources, in any Jupyter front end.

Composed of ipywidgets: no JavaScript of our own, nothing fetched. Everything the widget shows is also a
trait that Python can read, set and observe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from threading import Timer
from typing import Any, TypeVar, get_args

import ipywidgets as w
import traitlets as t

from minirag_chat.errors import BadQuestion, BadSetting, MiniRagChatError, NotFound
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.protocol import Memory
from minirag_chat.records import Answer, Message, Source
from minirag_chat.settings import Method
from minirag_chat.show import rich, rich_answer
from minirag_chat.show.rich_parts import Fold, Page, Part, Quote, TextLine, when
from minirag_chat.show.safe_text import plain
from minirag_chat.show.widget_run import WidgetRun
from minirag_chat.show.widget_settings import Tuning
from minirag_chat.ui_text import READS_SHOWN, STOPPED, being_read

_T = TypeVar("_T")
WIDE = {"width": "100%"}
_COUNTED = lazy(r" \([\d,]+\)$")  # the number of messages behind a chat's title
SETTLE = 0.4  # seconds: a front end holds typed letters back until the kernel has taken the last


class DayTrait(t.Instance[date]):
    """A day, also written as ``2026-01-31``. Raises ``BadSetting`` for other text."""

    def validate(self, obj: Any, value: Any) -> Any:
        """The day as a ``date``."""
        if isinstance(value, str):
            try:
                value = date.fromisoformat(value)
            except ValueError as error:
                raise BadSetting(
                    f"{self.name} is {value!r}: give a day as 2026-01-31, or a date."
                ) from error
        return super().validate(obj, value)


class NamesTrait(t.Tuple):
    """Names or ids; a single one needs no tuple."""

    def validate(self, obj: Any, value: Any) -> Any:
        """The names as a tuple."""
        return super().validate(obj, (value,) if isinstance(value, (str, int)) else value)


class ChatWidget(w.VBox):  # type: ignore[misc]  # ipywidgets ships no types
    """Ask a memory in a notebook.

    ``ask`` waits and returns the answer; ``start`` returns at once, as the button does. Traits:
    ``question``, ``people``, ``chats``, ``since``, ``until``, ``method``, and the numbers in
    ``settings`` (those not set keep their values) apply to the next question;
    ``answers``, ``selected_answer`` (its index), ``selected_message`` (an id, shown in its
    conversation), ``running``, ``text`` (streamed so far) and ``error`` say what is shown.
    """

    question = t.Unicode()
    people = NamesTrait()
    chats = NamesTrait()
    since = DayTrait(date, allow_none=True)
    until = DayTrait(date, allow_none=True)
    method = t.Enum(get_args(Method), default_value="hybrid")
    settings = t.Dict()
    answers = t.Tuple()
    selected_answer = t.Int(allow_none=True, default_value=None)
    selected_message = t.Int(allow_none=True, default_value=None)
    running = t.Bool(default_value=False)
    text = t.Unicode()
    error = t.Unicode()

    def __init__(self, memory: Memory, *, around: int = 5) -> None:
        if isinstance(memory, (str, Path)):
            raise BadSetting(f'Open the file first: ChatWidget(ChatMemory.open("{memory}")).')
        self.memory = memory
        self._around = around
        self._run: WidgetRun | None = None
        self._turn = 0  # of the latest question, or of a conversation without one
        self._reads: tuple[Message, ...] = ()
        self._deleted = ""  # the memory's mark when the answers were last checked
        super().__init__()
        self._build()
        self._tie()
        self._draw()

    # --- what a person or a cell does ------------------------------------------------------------------

    def ask(self, question: str | None = None) -> Answer:
        """Ask and wait for the answer; interrupting the cell stops the model.

        Raises ``BadQuestion`` while another question runs, and any error of the memory.
        """
        try:
            return self.start(question).wait()
        except KeyboardInterrupt:  # it may come before there is anything to wait for
            self.stop()
            if self._run is None or not self._run.running:
                self.running = False
            raise

    def start(self, question: str | None = None) -> WidgetRun:
        """Ask and return at once. Raises ``BadQuestion`` while another question runs."""
        if self.running:
            raise BadQuestion("A question is still being answered: wait for it, or stop it first.")
        gone: list[str] = []
        with suppress(MiniRagChatError):  # the question itself will say it
            gone = self._offer()
        if gone:
            raise NotFound(
                f"{', '.join(gone)}: no longer there, and no longer a filter. Ask again to ask without."
            )
        if question is not None:
            self.question = question
        asked, past = self.question, self._past()
        options: dict[str, Any] = {"method": self.method, "people": self.people or None, "since": self.since,
                   "chats": self.chats or None, "until": self.until}  # fmt: skip
        tuned = getattr(self.memory, "tuned", None)
        memory: Memory = tuned(**self.settings) if tuned else self.memory
        self.error, self.text, self.running = "", "", True
        self._turn, self._reads = self._turn + 1, ()
        self.selected_answer = self.selected_message = None
        self._draw()
        ours = self._while_it_is_this_turn
        reads = ours(self._read_now)
        self._run = WidgetRun(
            lambda stop: memory.stream(asked, history=past, cancelled=stop, reads=reads, **options),
            ours(lambda text: self.set_trait("text", text)),
            ours(self._ended),
        )
        self._run.start()
        return self._run

    def _past(self) -> list[tuple[str, str]]:
        """The conversation so far, without answers that show what any program has deleted since.

        Nothing if that cannot be found out: what was deleted must not be sent to a model.
        """
        try:
            deleted = self.memory.deleted_so_far()
            if deleted != self._deleted:
                left = tuple(answer for answer in self.answers if self._is_unchanged(answer))
                if left != self.answers:
                    self.selected_answer, self._run = None, None
                    self.answers = left
            self._deleted = deleted
        except MiniRagChatError:  # the question itself will say it
            return []
        return [(answer.question, answer.text) for answer in self.answers]

    def _is_unchanged(self, answer: Answer) -> bool:
        """Whether every message that an answer shows is still there as it shows it."""
        try:
            for source in (*answer.sources, *answer.closest):
                (now,) = self.memory.conversation(source.message_id, 0)
                if (now.sender, now.text) != (source.sender, source.message.text):
                    return False
        except NotFound:
            return False
        return True

    def _while_it_is_this_turn(self, take: Callable[[_T], None]) -> Callable[[_T], None]:
        """``take``, which does nothing once the conversation was cleared."""
        turn = self._turn

        def taken(given: _T) -> None:
            if self._turn == turn:
                take(given)

        return taken

    def _read_now(self, messages: Sequence[Message]) -> None:
        self._reads = tuple(messages)
        self._draw_text()

    def stop(self) -> None:
        """Stop the running question, if there is one."""
        if self._run is not None:
            self._run.stop()

    def clear(self) -> None:
        """Forget the conversation: the next question does not refer to an earlier one."""
        self.stop()
        self._turn += 1  # what is still being answered belongs to the conversation before
        self._run, self.running, self.error = None, False, ""
        self.answers = ()
        self.selected_answer = self.selected_message = None

    @t.validate("people", "chats")
    def _offered(self, proposal: dict[str, Any]) -> tuple[str, ...]:
        """Check names against those that the filters offer. Raises ``NotFound``, which lists these."""
        self._offer()
        kind, wanted = proposal["trait"].name, tuple(map(str, proposal["value"]))
        offered = dict(getattr(self, f"_{kind}").options)
        by_label = {_COUNTED.sub("", label): name for label, name in offered.items()}
        found = [n if n in offered.values() else by_label.get(n, offered.get(n)) for n in wanted]
        if None in found:
            there = ", ".join(by_label)
            raise NotFound(f"{wanted[found.index(None)]!r} is none of the {kind}: {there}.")
        return tuple(str(name) for name in found)

    @t.validate("selected_answer")
    def _in_answers(self, proposal: dict[str, Any]) -> int | None:
        """The index from the beginning; None if there is no such answer."""
        place, there = proposal["value"], len(self.answers)
        return None if place is None or not -there <= place < there else place % there

    @t.validate("settings")
    def _settable(self, proposal: dict[str, Any]) -> dict[str, Any]:
        if self._tuning is None:
            raise BadSetting("The server's settings hold here: change them where it is started.")
        return self._tuning.merged(proposal["value"])

    # --- building ---------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._question = w.Text(placeholder="Ask your messages", layout=w.Layout(flex="1"))
        self._ask = w.Button(description="Ask", button_style="primary")
        self._stop = w.Button(description="Stop", icon="stop")
        self._history = w.Dropdown(description="History", layout=w.Layout(**WIDE))
        self._answer, self._graph, self._conversation = w.HTML(), w.HTML(), w.HTML()
        self._sources = w.VBox()
        for box, name in (
            (self._question, "mc-question"), (self._ask, "mc-ask"), (self._stop, "mc-stop"),
            (self._answer, "mc-answer"), (self._graph, "mc-why"), (self._sources, "mc-opens"),
            (self._conversation, "mc-conversation"),
        ):  # fmt: skip
            box.add_class(name)
        for box in (self._answer, self._graph, self._conversation):
            box.layout.width = "100%"
        self.children = (
            w.HBox([self._question, self._ask, self._stop]),
            self._filters(),
            self._answer,
            self._sources,
            self._conversation,
            self._graph,
            self._history,
        )
        self.add_class("mc-chat")

    def _offer(self) -> list[str]:
        """Let the filters offer the people and chats that there are now; returns filters that are gone."""
        gone: list[str] = []
        people = [(p.shown_name, p.name) for p in self.memory.people()]
        chats = [(f"{c.title} ({c.messages:,})", str(c.id)) for c in self.memory.chats()]
        for box, found in ((self._people, people), (self._chats, chats)):
            if list(box.options) != found:
                there = {value for _, value in found}
                was = {label: value for label, value in box.options if value in box.value}
                kept = tuple(value for value in box.value if value in there)
                box.options = found  # this empties the selection
                box.value = kept
                gone += [label for label, value in was.items() if value not in there]
        return gone

    def _filters(self) -> w.Widget:
        self._people = w.SelectMultiple(description="People", rows=5)
        self._chats = w.SelectMultiple(description="Chats", rows=5)
        self._offer()
        self._since = w.DatePicker(description="From")
        self._until = w.DatePicker(description="Until")
        self._method = w.Dropdown(options=get_args(Method), description="Retrieval")
        parts = [self._people, self._chats, w.VBox([self._since, self._until, self._method])]
        self._tuning = (
            Tuning(chosen) if (chosen := getattr(self.memory, "settings", None)) else None
        )
        box = w.HBox(
            [*parts, self._tuning] if self._tuning else parts,
            layout=w.Layout(flex_flow="row wrap"),
        )
        return w.Accordion([box], titles=("Filters and retrieval",), selected_index=None)

    def _tie(self) -> None:
        for name in ("question", "people", "chats", "since", "until", "method"):
            t.link((self, name), (getattr(self, f"_{name}"), "value"))
        if self._tuning is not None:
            t.link((self._tuning, "settings"), (self, "settings"))
        self._ask.on_click(lambda _: self._pressed())
        self._question.on_msg(self._message)
        self._stop.on_click(lambda _: self.stop())
        self._history.observe(lambda c: self.set_trait("selected_answer", c["new"]), "value")
        self.observe(lambda _: self._draw(), ["answers", "selected_answer", "running", "error"])
        self.observe(lambda _: self._draw_text(), "text")
        self.observe(self._picked, "selected_answer")
        self.observe(lambda _: self._draw_conversation(), "selected_message")

    def _picked(self, change: dict[str, Any]) -> None:
        if change["new"] is not None:
            self.error = ""

    def _message(self, _: object, content: dict[str, Any], __: object) -> None:
        if (
            content.get("event") == "submit"
        ):  # Enter; the last typed letters may not have arrived yet
            Timer(SETTLE, self._pressed).start()

    def _pressed(self) -> None:
        if self.running:
            return
        try:
            self.start()
        except MiniRagChatError as error:
            self.error = str(error)

    def _ended(self, run: WidgetRun) -> None:
        """Called in the question's thread: store the answer, or show the error."""
        with self.hold_trait_notifications():
            self.running = False
            if run.answer is not None and run.answer.stopped and not run.answer.text.strip():
                self.error = STOPPED
            elif run.answer is not None:
                self.answers = (*self.answers, run.answer)
                self.selected_answer = len(self.answers) - 1
            elif isinstance(run.error, MiniRagChatError):
                self.error = str(run.error)
            elif run.error is not None:
                self.error = f"{type(run.error).__name__}: {run.error}"

    # --- drawing ----------------------------------------------------------------------------------------

    @property
    def shown(self) -> Answer | None:
        """The selected answer."""
        place = self.selected_answer
        if place is None or not -len(self.answers) <= place < len(self.answers):
            return None
        found: Answer = self.answers[place]
        return found

    def _draw(self) -> None:
        self._ask.disabled, self._stop.disabled = self.running, not self.running
        names = [(plain(a.question, 90), i) for i, a in enumerate(self.answers)]
        place = self.selected_answer if self.shown is not None else None
        if [label for label, _ in names] != [label for label, _ in self._history.options]:
            self._history.options = names
        self._history.value = place
        self._history.layout.display = None if names else "none"
        answer = self.shown
        self._draw_text()
        self._graph.value = _html(rich_answer.why(answer)) if answer else ""
        sources = answer.shown if answer else ()
        self._sources.children = tuple(self._opener(source) for source in sources)

    def _draw_text(self) -> None:
        answer = self.shown
        if self.running:
            parts: list[Part] = [TextLine(self.text or being_read(self._reads), "text")]
            parts += (
                [] if self.text else [_line(message, 0) for message in self._reads[:READS_SHOWN]]
            )
        elif self.error:
            parts = [TextLine(self.error, "error")]
        elif answer is not None:
            parts = rich_answer.answer(answer, graph=False)
        else:
            parts = []
        self._answer.value = _html(parts)

    def _opener(self, source: Source) -> w.Widget:
        label = f"Open [{source.number}] {source.shown_sender}, {when(source.sent_at)}"
        button = w.Button(description=plain(label), icon="comments", layout=w.Layout(width="auto"))
        button.on_click(lambda _: self.set_trait("selected_message", source.message_id))
        return button

    def _draw_conversation(self) -> None:
        if self.selected_message is None:
            self._conversation.value = ""
            return
        try:
            messages = self.memory.conversation(self.selected_message, self._around)
        except MiniRagChatError as error:
            self._conversation.value = _html([TextLine(str(error), "error")])
            return
        said = [_line(message, self.selected_message) for message in messages]
        self._conversation.value = _html([Fold(f"In {messages[0].chat}", said)])


def _html(page: Page) -> str:
    return rich.as_html(page) if page else ""


def _line(message: Message, chosen: int) -> Quote:
    meta = f"{message.shown_sender} \u00b7 {when(message.sent_at)}"
    return Quote("", meta, message.text, message.text if message.id == chosen else "")
