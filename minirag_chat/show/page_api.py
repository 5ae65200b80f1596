"""The page's programming interface: ``ask``, with the same JSON as ``minirag-chat ask --json``.

A named endpoint for Gradio's clients and, where the settings switch it on, a tool for MCP clients.
"""

from __future__ import annotations

from typing import Any

from minirag_chat.cli.ask import answer_json
from minirag_chat.errors import MiniRagChatError
from minirag_chat.show.page_gradio import gr
from minirag_chat.show.page_tabs import Guests


def add_api(guests: Guests) -> None:
    """Add the endpoint to the page that is being built."""

    def ask(
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
        tab = guests.tab(request.session_hash if request else None)
        try:
            answer = tab.memory.ask(
                question,
                people=people or None,
                since=since or None,
                until=until or None,
                history=(),
            )
        except MiniRagChatError as error:
            return {"error": str(error), "type": type(error).__name__}
        return answer_json(answer)

    gr.api(ask, api_name="ask", concurrency_id="ask", concurrency_limit=1)
