"""The page's programming interface: ``ask``, with the same JSON as ``minirag-chat ask --json``.

A named endpoint for Gradio's clients and, where the settings switch it on, a tool for MCP clients.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Any

import gradio as gr
from fastapi.concurrency import contextmanager_in_threadpool
from gradio.events import api
from starlette.concurrency import run_in_threadpool

from minirag_chat.errors import MiniRagChatError
from minirag_chat.json_records import to_json
from minirag_chat.records import Cancelled
from minirag_chat.show.page_tabs import Tab

# ``LoadedModels.turns`` decides whose turn it is.
_IN_TURN: dict[str, Any] = {"concurrency_limit": None}
Ask = Callable[..., Awaitable[dict[str, Any]]]
Visit = Callable[[gr.Request | None], AbstractContextManager[Tab]]


def asker(request: gr.Request | None) -> str:
    """Who asks, for sharing turns fairly: the signed-in user, else the browser's tab."""
    name = (request.username or request.session_hash) if request else None
    return str(name or "")


def has_left(blocks: gr.Blocks, request: gr.Request | None) -> Cancelled:
    """Whether the client of a call has left: Gradio then marks the session's calls that run."""
    session = request.session_hash if request else None

    def left() -> bool:
        running = [event for events in blocks._queue.active_jobs for event in events or ()]  # noqa: SLF001 - Gradio tells it nowhere else
        return any(event.session_hash == session and not event.alive for event in running)

    return left


def add_api(blocks: gr.Blocks, visit: Visit, *, mcp: bool) -> None:
    """Add the endpoint to the page that is being built; with ``mcp``, for MCP clients too.

    ``visit`` gives each call a tab of its own, which is closed afterwards.
    """

    async def ask(
        question: str,
        people: list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        request: gr.Request | None = None,
    ) -> dict[str, Any]:
        """Answer a question from the messages, with sources, confidence and an abstention flag.

        Args:
            question: What to ask, in a sentence.
            people: Only messages by these people.
            since: Only messages from this day on, as 2026-01-31.
            until: Only messages up to this day.
            request: Who asks; given by Gradio.

        """
        left = has_left(blocks, request)
        try:
            async with (
                contextmanager_in_threadpool(visit(request)) as tab,
                tab.corpus.memory.models.turns.turn(asker(request), left) as ours,
            ):
                if not ours:
                    return {}  # to nobody
                answer = await run_in_threadpool(
                    tab.tuned_memory().ask,
                    question,
                    people=people or None,
                    since=since or None,
                    until=until or None,
                    history=(),
                    cancelled=left,
                )
        except MiniRagChatError as error:
            return {"error": str(error), "type": type(error).__name__}
        document: dict[str, Any] = await run_in_threadpool(to_json, answer)
        return document

    if mcp:
        ask.__dict__["_mcp_type"] = "endpoint"  # then Gradio does not list it as a tool
        _add_tool(ask)
    api(ask, api_name="ask", **_IN_TURN)


def _add_tool(answered: Ask) -> None:
    """Add ``ask`` for MCP clients. It returns JSON text, as Gradio calls ``str`` on results."""

    async def ask(
        question: str,
        people: list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        request: gr.Request | None = None,
    ) -> str:
        found = await answered(question, people, since, until, request)
        return json.dumps(found, ensure_ascii=False)

    ask.__doc__ = answered.__doc__
    api(ask, api_name="ask_mcp", **_IN_TURN)
