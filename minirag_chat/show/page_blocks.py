"""The page's layout in Gradio, and which event calls which command. It has no logic of its own."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import wraps
from threading import Event
from typing import Any

import gradio as gr
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool

from minirag_chat.errors import MiniRagChatError, TooManyWaiting
from minirag_chat.show import page_log, page_side, page_views
from minirag_chat.show.page_api import add_api, asker
from minirag_chat.show.page_ask import growing
from minirag_chat.show.page_assets import asset
from minirag_chat.show.page_commands import Commands, drop_gone_filters
from minirag_chat.show.page_import_options import ImportOptionsPanel
from minirag_chat.show.page_limits import limits
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_settings import SettingsPanel
from minirag_chat.show.page_tabs import BrowserCommand, Exchange, Tab, TabFilters, say

_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_NOW: dict[str, Any] = {**_QUIET, "queue": False, "trigger_mode": "multiple"}
_ASKS: dict[str, Any] = {
    **_QUIET,
    "concurrency_limit": None,  # ``LoadedModels.turns`` decides whose turn it is
    "trigger_mode": "multiple",
}
_UPLOADS = (60, 600)  # every minute, files not imported within ten are removed
_TICK = 0.7  # seconds between two ticks while a job runs or a model loads
_REST = 3.0  # the same, if neither does
_OTHER_READS = 2.0  # seconds that follow-ups wait for the messages, which the timer reads too
_LONGEST_KEY = 64  # characters
_FAR_ABOVE = 10  # times the longest question: only what is longer is cut, before it is refused
EDITED = "\u2063"  # invisible mark before a question that replaces the last one: see page.js
# A typed question leaves its box as soon as Gradio has read it: what is typed next is the next question.
_SENT = "(...given) => { window.miniragChat({ do: 'sent' }); return given; }"
_FAILED = (
    "() => { window.miniragChat({ do: '%s' }); window.miniragChat({ do: 'say', text: "
    "'Your question could not be sent: look at the settings, or reload the page.' }); }"
)
Changes = dict[Any, Any]
Given = dict[Any, Any]  # the value of each component of the page


def _failing_softly(handle: Callable[..., Changes]) -> Callable[..., Changes]:
    """Let an event whose messages cannot be read leave the page as it is, and say why."""

    @wraps(handle)
    def handled(page: Page, *event: Any) -> Changes:
        try:
            return handle(page, *event)
        except MiniRagChatError as error:
            return page._browser_command(say(error))  # noqa: SLF001 - its own method

    return handled


class Page:
    """The page's components and what they do."""

    def __init__(
        self, sessions: Sessions, sessions_of: Callable[[str | None], Sessions] | None = None
    ) -> None:
        """``sessions_of`` returns the sessions of a user, if several users sign in."""
        self.sessions = sessions
        self._sessions_of = sessions_of
        self._turn = itertools.count(1)
        self._longest = _FAR_ABOVE * sessions.own.settings.max_question_chars
        with gr.Blocks(
            title="MiniRAG Chat", analytics_enabled=False, fill_width=True, delete_cache=_UPLOADS
        ) as blocks:
            self.blocks: gr.Blocks = blocks
            self.head = _html("head")
            with gr.Row(elem_id="work", equal_height=False):
                with gr.Column(elem_id="left", min_width=200):
                    self._left()
                with gr.Column(elem_id="middle", min_width=280):
                    self._middle()
                with gr.Column(elem_id="right", min_width=280):
                    self._right()
            with gr.Column(elem_id="settings"):
                _html("settings_head", page_side.settings_head())
                self.models = _html("models")
                self.panel = SettingsPanel(sessions)
            self.client = gr.HTML(
                "",
                elem_id="client",
                html_template="<span></span>",
                js_on_load=asset("page_client.js"),
            )
            self.key = gr.Textbox(visible=False)  # the browser's key of its tab: see page_key.js
            self.timer = gr.Timer(_TICK)
            self._wire()
            add_api(blocks, self._visit, mcp=sessions.own.settings.mcp)

    # --- layout -----------------------------------------------------------------------------------

    def _left(self) -> None:
        self.corpora = _html("corpora")
        warning = (
            "This page is public, and for trying only. Your upload (up to "
            f"{self.sessions.own.settings.public_file_mb} MiB) stays in memory, apart from others', and is "
            "gone when you close the tab. Do not upload what is not yours to share."
        )
        if self.sessions.public:
            gr.HTML(f'<p class="mc-warning">{warning}</p>')
        self.drop = gr.File(
            elem_id="drop",
            label="Add messages",
            file_count="multiple",
            height=92,
        )
        self.reading = ImportOptionsPanel()
        self.job = _html("job")
        self.lists = _html("lists")

    def _middle(self) -> None:
        self.log = _html("log")
        with gr.Column(elem_id="asking", min_width=200):
            self.chips = _html("chips")
            with gr.Row(elem_id="ask-row", equal_height=True):
                self.box = gr.Textbox(
                    elem_id="question",
                    label="Question",
                    show_label=False,
                    container=False,
                    placeholder="Ask your messages …",
                    max_lines=5,
                    max_length=self._longest,
                    autofocus=True,
                    scale=6,
                )
                self.send = gr.Button(
                    "Ask", variant="primary", elem_id="send", min_width=64, scale=0
                )
                self.stop = gr.Button(
                    "Stop", variant="stop", elem_id="stop", min_width=64, scale=0, visible=False
                )

    def _right(self) -> None:
        gr.HTML(page_side.close_right(), elem_id="close-right", apply_default_css=False)
        with gr.Tabs(elem_id="evidence"):
            with gr.Tab("Why", id="why"):
                self.why = _html("why")
            with gr.Tab("Sources", id="sources"):
                self.sources = _html("sources")
            with gr.Tab("How", id="how"):
                self.how = _html("how")
        self.exports = _html("exports")

    # --- events -------------------------------------------------------------------------------------

    def _wire(self) -> None:
        everything = [
            self.head, self.corpora, self.job, self.lists, self.log, self.chips, self.why, self.sources,
            self.how, self.exports, self.models, self.client, self.box, self.send, self.stop, self.timer,
        ]  # fmt: skip
        out: dict[str, Any] = {"outputs": everything}
        presses = [self.head, self.corpora, self.job, self.lists, self.log, self.chips, self.models]
        presses += [self.sources, self.why, self.how, self.exports]
        gr.on([part.click for part in presses], self._press, **out, **_NOW)
        tuned = {*self.panel.parts.values()}  # a set: the handler then gets a dict by component
        asks = gr.on([self.log.submit], self._prepare, inputs=tuned, **out, **_NOW)
        asks.failure(None, js=_FAILED % "nothing")
        asks.then(self._answer, **out, **_ASKS).then(self._forget_copies, **_NOW)
        typed = gr.on(
            [self.box.submit, self.send.click],
            self._typed,
            inputs={self.box, *tuned},
            js=_SENT,
            **out,
            **_NOW,
        )
        typed.failure(None, js=_FAILED % "unsent")
        typed.then(self._answer, **out, **_ASKS).then(self._forget_copies, **_NOW)
        self.stop.click(self._stop, **out, **_NOW)
        added = {self.drop, *self.reading.parts.values()}
        self.drop.upload(self._upload, inputs=added, outputs=[*everything, self.drop], **_NOW)
        self.timer.tick(self._tick, **out, **_NOW)
        loads = self.blocks.load(
            self._loaded, inputs=[self.key], js=asset("page_key.js"), **out, **_QUIET
        )
        loads.then(self._answer, **out, **_ASKS).then(self._forget_copies, **_NOW)
        self.blocks.unload(self._unload)

    @_failing_softly
    def _press(self, event: gr.EventData, request: gr.Request) -> Changes:
        tab = self._tab(request)
        with tab.changing():
            command = self._commands(tab).do(tab, *self._word(event))
            changes = self._middle_of(tab) | self._right_of(tab) | self._browser_command(command)
            if event.target is not None and event.target.elem_id in _LEFT:
                changes |= self._left_of(tab)
        # The press may have started a download: the timer shows it, and slows down by itself.
        return changes | {self.job: page_views.job(tab), self.timer: gr.Timer(_TICK)}

    @_failing_softly
    def _prepare(self, given: Given, event: gr.EventData, request: gr.Request) -> Changes:
        """Ask the question whose button was pressed: a suggested one, or the last one again."""
        tab = self._tab(request)
        tab.tuning = self.panel.said(given)
        return self._begin(tab, *self._word(event))

    @_failing_softly
    def _typed(self, given: Given, request: gr.Request) -> Changes:
        """Ask the question that was typed; the browser marks one that replaces the last."""
        tab = self._tab(request)
        tab.tuning = self.panel.said(given)
        question: str = given[self.box]
        word = "again" if question.startswith(EDITED) else "ask"
        return self._begin(tab, word, question.removeprefix(EDITED), typed=True)

    def _begin(self, tab: Tab, word: str, value: str, *, typed: bool = False) -> Changes:
        """Take a question, or let it wait; one that was typed and is refused is put back into its box."""
        with tab.lock:
            busy = tab.running is not None
            command = self._commands(tab).prepare(tab, word, value)
            if command is None and not busy and tab.pending is not None:
                self._take(tab, tab.pending)
        if command is not None:
            return self._browser_command({**command, "unsent": True} if typed else command)
        return {self.timer: gr.Timer(_TICK), **self._middle_of(tab)}

    def _take(self, tab: Tab, question: str) -> None:
        """Start the exchange of a question."""
        tab.running = Event()
        tab.exchanges.append(Exchange(question, live=True))
        tab.earlier = 0
        tab.picked, tab.around = len(tab.exchanges) - 1, None
        self._of(tab).remember(tab)

    async def _answer(self, request: gr.Request) -> AsyncIterator[Changes]:
        """Wait for a turn without blocking a thread, then answer in threads. Users take turns."""
        tab = await run_in_threadpool(self._tab, request)

        def unwanted() -> bool:
            return tab.pending is None and not tab.waiting

        # Gradio empties the outputs of a generator that yields nothing.
        yield {self.client: gr.skip()}
        try:
            while not unwanted():  # after a reload several may wait
                async with tab.corpus.memory.models.turns.turn(asker(request), unwanted) as ours:
                    if not ours:
                        return
                    with closing(self._answering(request)) as changes:
                        async for change in iterate_in_threadpool(changes):
                            yield change
                if tab.running is not None:  # another event of this tab answers
                    return
        except TooManyWaiting as error:
            yield await run_in_threadpool(self._refuse, tab, str(error))
        except MiniRagChatError as error:
            yield self._browser_command(say(error))

    def _refuse(self, tab: Tab, why: str) -> Changes:
        """Refuse the tab's question, or the last of those that wait."""
        with tab.changing(), tab.lock:
            if tab.pending is None:
                if tab.waiting:
                    tab.waiting.pop()
                return self._browser_command(say(why)) | self._middle_of(tab)
            tab.exchanges[-1] = Exchange(tab.pending, problem=why)
            tab.pending = tab.running = None
            self._of(tab).remember(tab)
            return self._middle_of(tab) | self._right_of(tab)

    def _answering(self, request: gr.Request) -> Generator[Changes, None, None]:
        tab = self._tab(request)
        with tab.lock:
            if tab.pending is None and tab.running is None and tab.waiting:
                tab.pending = tab.waiting.pop(0)
                self._take(tab, tab.pending)
            question, stop, tab.pending = tab.pending, tab.running, None
            exchanges, filters = tab.exchanges, tab.filters
            place = len(exchanges) - 1
        if question is None or stop is None:
            yield {self.client: gr.skip()}
            return
        try:
            asked_of = limits(filters, tab.corpus.memory)
            yield self._middle_of(tab)
            for grown in growing(
                tab.tuned_memory().stream, question, exchanges[:place], stop, filters.options()
            ):
                exchange = replace(tab.noted(grown), filters=filters, limits=asked_of)
                if tab.exchanges is not exchanges:  # another conversation was started meanwhile
                    break
                if not exchange.live:  # whoever sees the answer may ask the next question
                    tab.running = None
                exchanges[place] = exchange
                if exchange.live:
                    yield {self.log: page_log.log(exchanges, tab.picked, tab.first_shown)}
        finally:
            self._end(tab, stop, exchanges, place)
        with tab.changing():
            if tab.exchanges is exchanges:
                self._finish(tab, exchanges, place)
            shown = self._middle_of(tab) | self._right_of(tab)
        yield shown

    def _end(self, tab: Tab, stop: Event, exchanges: list[Exchange], place: int) -> None:
        """Let the tab be asked again, however its question ended: the page may have failed to draw it."""
        with tab.changing():
            stop.set()
            if tab.running is stop:
                tab.running = None
            exchanges[place] = replace(exchanges[place], live=False)

    def _finish(self, tab: Tab, exchanges: list[Exchange], place: int) -> None:
        done = exchanges[place]
        if done.answer is not None and tab.corpus.memory.idle(_OTHER_READS):
            limited = tab.filters != TabFilters()
            found = tab.corpus.memory.suggestions(done.answer, 3, near=limited)
            asked = {exchange.question for exchange in exchanges}
            kept = tuple(question for question in found if question not in asked)
            exchanges[place] = replace(done, follow_ups=kept)
        self._of(tab).forget_gone()
        self._of(tab).remember(tab)

    @_failing_softly
    def _stop(self, request: gr.Request) -> Changes:
        tab = self._tab(request)
        still = tab.pending is None and tab.running is not None  # its own event shows how it ends
        tab.stop()
        return self._browser_command(None) if still else self._middle_of(tab)

    @_failing_softly
    def _upload(self, given: Given, request: gr.Request) -> Changes:
        tab = self._tab(request)
        files: list[str] = given[self.drop] or []
        with tab.changing():
            command = self._commands(tab).upload(tab, files, self.reading.chosen(given))
            shown = self._left_of(tab) | self._middle_of(tab) | self._right_of(tab)
        return {
            self.drop: None,
            self.timer: gr.Timer(_TICK),
            **shown,
            **self._browser_command(command),
        }

    @_failing_softly
    def _tick(self, request: gr.Request) -> Changes:
        """Show a running job and a loading model; when they end, everything they changed.

        The timer never stops: the reply to a tick or a press may reach the browser after the reply to a later
        press, and what it hid (the job just begun, the end of an answer) must be shown again.
        """
        tab = self._tab(request)
        begun = tab.changes
        head = page_views.head(self._of(tab), tab)
        job = page_views.job(tab)
        running = tab.job is not None and tab.job.running
        waiting = self.sessions.own.models.state in ("waiting", "loading")
        now = f"{head}{job}{page_views.listed(tab)}"
        late = begun != tab.settled or (tab.lists_outdated and tab.corpus.memory.idle())
        soon = waiting or running or tab.lists_outdated
        changes: Changes = {
            self.head: head, self.job: job, self.timer: gr.Timer(_TICK if soon else _REST),
        }  # fmt: skip
        gone = self._of(tab).forget_gone()
        if late or gone or (now != tab.seen and not running):
            changes |= self._browser_command(drop_gone_filters(tab))
            changes |= self._left_of(tab) | self._middle_of(tab) | self._right_of(tab)
            tab.settled = begun
            if tab.changes != begun:
                tab.shown_path = None
        tab.seen = now
        return changes

    @_failing_softly
    def _loaded(self, key: str, request: gr.Request) -> Changes:
        tab = self._tab(request)
        self.sessions.seen.set()
        self._of(tab).resume(request.session_hash, str(key)[:_LONGEST_KEY])
        self._of(tab).forget_gone()
        tab.shown_path = None
        everything = self._middle_of(tab) | self._right_of(tab) | self._left_of(tab)
        return {self.timer: gr.Timer(_TICK), **everything}

    def _unload(self, request: gr.Request) -> None:
        self._sessions(request).leave(request.session_hash)

    async def _forget_copies(self, request: gr.Request) -> None:
        """Free the copies of earlier answers that Gradio keeps while the page is open.

        Gradio makes a new component with its own number for each update, even one that changes nothing, and
        keeps the last value of every number: megabytes for each question. This is asynchronous, so that no
        update is half done when it runs.
        """
        state = self.blocks.state_holder[request.session_hash or ""]
        for kept in (state.config_values, state.blocks_config.blocks):
            for number in kept.keys() - self.blocks.blocks.keys():
                del kept[number]

    # --- what is shown --------------------------------------------------------------------------------

    def _tab(self, request: gr.Request) -> Tab:
        return self._sessions(request).tab(request.session_hash)

    @contextmanager
    def _visit(self, request: gr.Request | None) -> Iterator[Tab]:
        with self._sessions(request).visit() as tab:
            yield tab

    def _sessions(self, request: gr.Request | None) -> Sessions:
        """The sessions of a request's user. Raises ``NotFound`` if a user must sign in and has not."""
        if self._sessions_of is None:
            return self.sessions
        return self._sessions_of(request.username if request else None)

    def _of(self, tab: Tab) -> Sessions:
        return tab.sessions or self.sessions

    def _commands(self, tab: Tab) -> Commands:
        return Commands(self._of(tab))

    def _word(self, event: gr.EventData) -> tuple[str, str]:
        """The word and value of a press, as the browser sent them."""
        data = event._data if isinstance(event._data, dict) else {}  # noqa: SLF001 - its attributes raise where a key is missing
        return str(data.get("do", ""))[:20], str(data.get("value", ""))[: self._longest]

    def _left_of(self, tab: Tab) -> Changes:
        return self._parts(page_views.left(self._of(tab), tab))

    def _middle_of(self, tab: Tab) -> Changes:
        busy = tab.running is not None
        buttons = {self.send: gr.update(visible=not busy), self.stop: gr.update(visible=busy)}
        return buttons | self._parts(page_views.middle(self._of(tab), tab))

    def _right_of(self, tab: Tab) -> Changes:
        return self._parts(page_views.right(tab))

    def _parts(self, views: dict[str, str]) -> Changes:
        return {getattr(self, name): html for name, html in views.items()}

    def _browser_command(self, command: BrowserCommand | None) -> Changes:
        if command is None:
            return {self.client: gr.skip()}
        return {self.client: json.dumps({**command, "turn": next(self._turn)})}


_LEFT = {"corpora", "job", "lists", "chips", "models", "head"}


def _html(name: str, text: str = "") -> gr.HTML:
    return gr.HTML(text, elem_id=name, js_on_load=asset("page_press.js"), apply_default_css=False)
