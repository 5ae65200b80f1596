"""The chat page (Gradio): ask, read the answer as it comes, see its sources and why.

Private by default: it listens on this machine only, keeps no run history, sends no analytics, serves
no file but the voice notes and photos of messages to itself, and its Content-Security-Policy lets the
browser contact no other host.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import gradio as gr

from minirag_chat.errors import BadSetting, MiniRagChatError
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models import choose_model
from minirag_chat.settings import Settings
from minirag_chat.show.page_assets import asset
from minirag_chat.show.page_blocks import Page
from minirag_chat.show.page_job import Job, stop_all_jobs
from minirag_chat.show.page_monitoring import monitoring_routes
from minirag_chat.show.page_policy import middleware
from minirag_chat.show.page_port import cannot_listen
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_uploads import MIB, make_folder
from minirag_chat.show.page_users import PageUsers
from minirag_chat.system.installing import need
from minirag_chat.system.json_log import write_json_lines
from minirag_chat.system.temporary import remove_own_folder

_FONTS = ["system-ui", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif"]
_MONO = ["ui-monospace", "Menlo", "Consolas", "monospace"]
_HOSTS = ("127.0.0.1", "localhost")
_NOBODY_LOOKS = 5.0  # seconds until the models are loaded even if no browser has come
_FILES_WAITING = 4  # times the largest file's size: the limit on files waiting for import
_TO_END = 3.0  # seconds that jobs have to end when the page does
_ENDS = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""Asked to end; terminal closed; Ctrl-Break, which only Windows has (it lacks SIGHUP)."""
_MOST_EVENTS = 500  # events of browsers that Gradio queues
_QUEUE_REST = 0.02  # seconds between two looks at this queue; Gradio's own are a thousandth
_THREADS = 40  # of Gradio's; a question that waits for its turn counts as one


def tell_address(address: str) -> None:
    """Say on standard error where the page is."""
    sys.stderr.write(f"The chat page is at {address} (Ctrl-C stops it).\n")


def launch(
    memory: ChatMemory,
    samples: Sequence[tuple[str, ChatMemory]] = (),
    *,
    job: Job | None = None,
    users: PageUsers | None = None,
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = False,
    block: bool = True,
    opened: Callable[[str], None] = tell_address,
) -> str:
    """Serve the page and return its address; with ``block``, until it is interrupted.

    ``samples`` are named corpora that nobody can change. ``job`` is work to begin with, such as
    importing them; the page shows its progress. With ``users`` each user signs in and sees their own
    messages, and ``memory`` is used for its models only.
    ``host`` None is this machine only, unless GRADIO_SERVER_NAME says otherwise, as on a Hugging
    Face Space. ``opened`` is called with the address before this blocks. Raises ``BadSetting`` if MCP
    is wanted and not installed, the port is taken, or a private page would listen to other machines.
    """
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    if block:
        _end_like_ctrl_c()  # before anybody can upload a file to the page
    uploads = make_folder()  # each file stays only until it is imported
    os.environ["GRADIO_TEMP_DIR"] = str(uploads)
    try:
        page, address = _begin(
            memory, samples, job, users, uploads, host, port, open_browser=open_browser
        )
        if block:
            opened(address)
            with redirect_stdout(sys.stderr):  # Gradio prints when it is interrupted
                page.block_thread()
    except KeyboardInterrupt:  # may be raised before Gradio handles it
        if not block:
            raise
    if block:
        _leave()
    return address


def _begin(
    memory: ChatMemory,
    samples: Sequence[tuple[str, ChatMemory]],
    job: Job | None,
    users: PageUsers | None,
    uploads: Path,
    host: str | None,
    port: int | None,
    *,
    open_browser: bool,
) -> tuple[gr.Blocks, str]:
    """Serve the page and load the models in the background; return the page and its address."""
    settings = memory.settings
    host = host or os.environ.get("GRADIO_SERVER_NAME", _HOSTS[0])
    if users is None:
        _refuse_others(host, settings)
    elif settings.mcp:
        raise BadSetting("The setting 'mcp' is for the page of one person: this one has users.")
    choose_model(settings)  # a missing model is reported now, not in the page
    sessions = Sessions(memory, samples, public=settings.public, job=job)
    page = Page(sessions, users.sessions if users else None).blocks
    page.queue(max_size=_MOST_EVENTS, api_open=False, default_concurrency_limit=8)
    page._queue.sleep_when_free = _QUEUE_REST  # noqa: SLF001 - it would wake up a thousand times a second
    if settings.log:
        write_json_lines()
    try:
        address = _serve(page, memory, users, uploads, host, port, open_browser=open_browser)
    except OSError as error:
        raise cannot_listen(host, port, error) from error
    Thread(target=_warm_up, args=(memory, sessions), name="warm up", daemon=True).start()
    return page, address


def _leave() -> NoReturn:
    """End the program soon: stop its jobs, and remove uploads and what else is in its temporary folder.

    A normal exit would abort if a thread is still in torch, for example loading a model: the thread cannot
    be stopped, and Python's shutdown would not wait for it. The database is consistent at any moment.
    """
    try:
        stop_all_jobs(_TO_END)
    finally:  # also if Ctrl-C is pressed once more
        remove_own_folder()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _end_like_ctrl_c() -> None:
    """Clean up, however the page is ended; signals that the parent process ignores stay ignored."""
    for name in _ENDS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _refuse_others(host: str, settings: Settings) -> None:
    """Raise ``BadSetting`` if the page would show one person's messages to other machines."""
    if host not in _HOSTS and not (settings.public or settings.container):
        raise BadSetting(
            f"The page would show your messages to everybody who reaches {host}: leave the host at "
            "127.0.0.1, or use --public (MINIRAG_CHAT_PUBLIC=true) for a page that shows only sample "
            "corpora; or create users who must sign in (docs/users.md)."
        )


def _serve(
    page: gr.Blocks,
    memory: ChatMemory,
    users: PageUsers | None,
    uploads: Path,
    host: str,
    port: int | None,
    *,
    open_browser: bool,
) -> str:
    """Start the server, and return its address."""
    settings = memory.settings
    if settings.mcp:
        need("mcp", "mcp", "The setting 'mcp' needs")
    file_mb = settings.public_file_mb if settings.public else settings.max_file_mb
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
        mcp_server=settings.mcp,
        **_signing_in(users),
        max_file_size=f"{file_mb}mb",
        max_threads=_THREADS + settings.most_waiting + settings.answers_at_once,
        app_kwargs={
            "routes": monitoring_routes(memory, (users or memory).index_left),
            "middleware": middleware(
                local=host in _HOSTS or not settings.public,
                names=sorted(settings.hosts),
                public=settings.public,
                uploads=uploads,
                most_waiting=_FILES_WAITING * file_mb * MIB,
                media=None if settings.public else users.memory_of if users else memory,
                signed_in=users.refusal if users else None,
            ),
        },
        theme=_theme(),
        css=asset("page.css"),
        head=f"<style>{asset('page_body.css')}</style>",
        js=asset("page.js"),
    )
    return str(address)


def _signing_in(users: PageUsers | None) -> dict[str, Any]:
    """How Gradio knows the user: by a password, or from a proxy."""
    if users is None:
        return {}
    if users.by_proxy:
        os.environ["FORWARDED_ALLOW_IPS"] = ""  # a request's address is then the proxy's own
        return {"auth_dependency": users.proxied}
    return {"auth": users.password, "auth_message": "Sign in to ask your messages."}


def _warm_up(memory: ChatMemory, sessions: Sessions) -> None:
    """Do the work of a first start, then load the models; the page shows the progress.

    It begins once somebody sees the page: importing the models' libraries keeps Python busy.
    """
    sessions.seen.wait(_NOBODY_LOOKS)
    sessions.begin_work()
    try:
        memory.warm_up()
        sessions.begin_completing()
    except MiniRagChatError as error:
        sys.stderr.write(f"{error}\n")


def _theme() -> gr.themes.Base:
    """A calm theme with the machine's own fonts: Gradio's defaults are files or web fonts."""
    return gr.themes.Base(
        primary_hue="indigo",
        neutral_hue="slate",
        radius_size="md",
        font=[gr.themes.Font(name) for name in _FONTS],
        font_mono=[gr.themes.Font(name) for name in _MONO],
    ).set(  # text 4.5:1 against its background, which Gradio's own greys and blues do not reach
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_400",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
        color_accent="*primary_600",
    )
