"""The chat page (Gradio): ask, read the answer as it comes, see its sources and why.

Private by default: it listens on this machine only, keeps no run history, sends no analytics, and
its Content-Security-Policy lets the browser contact no other host.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

import gradio as gr

from minirag_chat.settings import Settings
from minirag_chat.show import page_parts as parts
from minirag_chat.show.memory_like import MemoryLike
from minirag_chat.show.page_ask import Exchange, Stops, View, chat_messages, views
from minirag_chat.show.page_policy import middleware

_FONTS = ["system-ui", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif"]
_MONO = ["ui-monospace", "Menlo", "Consolas", "monospace"]
_HOSTS = ("127.0.0.1", "localhost")


def build_page(memory: MemoryLike, *, suggested: Sequence[str] = ()) -> gr.Blocks:
    """Lay out the page; ``suggested`` are questions offered before the first one."""
    return _Page(memory, suggested).blocks


def launch(
    memory: MemoryLike,
    settings: Settings | None = None,
    *,
    suggested: Sequence[str] = (),
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = False,
    block: bool = True,
) -> str:
    """Serve the page and return its address; with ``block``, until it is interrupted.

    ``host`` None is this machine only, unless GRADIO_SERVER_NAME says otherwise, as on a Hugging
    Face Space. ``settings`` name the database, which the server then refuses to hand out.
    """
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    host = host or os.environ.get("GRADIO_SERVER_NAME", _HOSTS[0])
    page = build_page(memory, suggested=suggested)
    _, address, _ = page.launch(
        server_name=host,
        server_port=port,
        inbrowser=open_browser,
        prevent_thread_lock=True,
        share=False,
        quiet=True,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        ssr_mode=False,
        pwa=False,
        mcp_server=False,
        max_file_size="1mb",
        blocked_paths=_database_files(settings),
        app_kwargs={"middleware": middleware(local=host in _HOSTS)},
        theme=_theme(),
        css=_asset("page.css"),
        js=_asset("page.js"),
    )
    if block:
        sys.stderr.write(f"The chat page is at {address} (Ctrl-C stops it).\n")
        page.block_thread()
    return str(address)


class _Page:
    """The page's components and what they do."""

    def __init__(self, memory: MemoryLike, suggested: Sequence[str]) -> None:
        self.memory = memory
        self.stops = Stops()
        title = "MiniRAG Chat"
        with gr.Blocks(title=title, analytics_enabled=False, fill_width=True) as blocks:
            self.blocks: gr.Blocks = blocks
            self.earlier = gr.State([])
            self.header = gr.HTML(elem_id="header")
            self.empty = gr.HTML(parts.empty_state(), visible=False)
            with gr.Row(visible=False, elem_id="work", equal_height=False) as self.work:
                with gr.Column(scale=1, min_width=360):
                    self._left(suggested)
                with gr.Column(scale=1, min_width=360):
                    self._right()
            self._wire()

    def _left(self, suggested: Sequence[str]) -> None:
        self.chat = gr.Chatbot(
            elem_id="chat",
            label="Conversation",
            show_label=False,
            height="calc(100vh - 220px)",
            min_height=280,
            layout="bubble",
            buttons=[],
            placeholder=parts.welcome(),
            examples=[{"text": question} for question in suggested] or None,
            latex_delimiters=[],
            allow_tags=False,
            feedback_options=None,
            allow_file_downloads=False,
            group_consecutive_messages=False,
        )
        with gr.Row(elem_id="ask-row"):
            self.box = gr.Textbox(
                elem_id="question",
                label="Question",
                show_label=False,
                container=False,
                placeholder="Ask your messages, then press Enter",
                max_lines=4,
                max_length=4000,
                autofocus=True,
                scale=6,
            )
            self.send = gr.Button("Ask", variant="primary", elem_id="send", min_width=70, scale=1)
            self.stop = gr.Button(
                "Stop", variant="stop", elem_id="stop", min_width=70, scale=1, visible=False
            )

    def _right(self) -> None:
        nothing = parts.quiet("Ask a question to see this.")
        with gr.Tabs(elem_id="evidence"):
            with gr.Tab("Sources", id="sources"):
                self.sources = gr.HTML(nothing, elem_id="sources")
            with gr.Tab("Why", id="why"):
                self.why = gr.HTML(nothing, elem_id="why")
            with gr.Tab("How", id="how"):
                self.how = gr.HTML(nothing, elem_id="how")

    def _wire(self) -> None:
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        shown = [self.chat, self.earlier, self.box, self.sources, self.why, self.how]
        buttons = [self.send, self.stop]
        asked = {"inputs": [self.box, self.earlier], "outputs": shown + buttons, **quiet}
        done = {"fn": self._idle, "outputs": buttons, "queue": False, **quiet}
        gr.on([self.box.submit, self.send.click], self._ask, concurrency_id="ask", **asked).then(
            **done
        )
        self.chat.example_select(_example, outputs=self.box, queue=False, **quiet).then(
            self._ask, concurrency_id="ask", **asked
        ).then(**done)
        self.stop.click(self._stop, queue=False, **quiet)
        self.chat.clear(self._stop, queue=False, **quiet).then(
            self._fresh, outputs=shown, concurrency_id="ask", **quiet
        )
        self.blocks.load(self._loaded, outputs=[self.header, self.empty, self.work], **quiet)
        self.blocks.unload(self._stop)

    def _ask(
        self, question: str, earlier: list[Exchange], request: gr.Request
    ) -> Iterator[dict[Any, Any]]:
        question = question.strip()
        if not question:
            yield {self.box: ""}
            return
        session = str(request.session_hash)
        stop = self.stops.begin(session)
        try:
            yield {self.box: "", self.send: gr.update(visible=False), self.stop: _shown()}
            for view in views(self.memory, question, earlier, stop):
                yield self._changes(view, earlier)
        finally:
            self.stops.end(session, stop)

    def _changes(self, view: View, earlier: list[Exchange]) -> dict[Any, Any]:
        exchanges = [*earlier, view.exchange]
        changes = {
            self.chat: chat_messages(exchanges),
            self.earlier: exchanges,
            self.sources: view.sources,
            self.why: view.why,
            self.how: view.how,
        }
        return {part: value for part, value in changes.items() if value is not None}

    def _stop(self, request: gr.Request) -> None:
        self.stops.stop(str(request.session_hash))

    def _idle(self) -> tuple[Any, Any]:
        return _shown(), gr.update(visible=False)

    def _fresh(self) -> tuple[Any, ...]:
        nothing = parts.quiet("Ask a question to see this.")
        return [], [], "", nothing, nothing, nothing

    def _loaded(self) -> tuple[str, Any, Any]:
        info = self.memory.info()
        ready = info.messages > 0
        return parts.header(info), gr.update(visible=not ready), gr.update(visible=ready)


def _shown() -> Any:
    return gr.update(visible=True)


def _example(event: gr.SelectData) -> str:
    return str(event.value["text"])


def _database_files(settings: Settings | None) -> list[str]:
    if settings is None:
        return []
    path = str(settings.db.absolute())
    return [path, f"{path}-wal", f"{path}-shm"]


def _asset(name: str) -> str:
    return files("minirag_chat.show").joinpath(name).read_text(encoding="utf-8")


def _theme() -> gr.themes.Base:
    """Calm, and with the machine's own fonts: Gradio's defaults are files or web fonts."""
    return gr.themes.Base(
        primary_hue="blue",
        neutral_hue="slate",
        radius_size="md",
        font=[gr.themes.Font(name) for name in _FONTS],
        font_mono=[gr.themes.Font(name) for name in _MONO],
    ).set(  # text 4.5:1 against its background, which Gradio's own greys and blues do not reach
        body_text_color_subdued="*neutral_500",
        body_text_color_subdued_dark="*neutral_400",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
        color_accent="*primary_600",
    )
