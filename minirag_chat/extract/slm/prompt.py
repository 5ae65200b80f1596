"""Messages → the prompt for extraction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from minirag_chat.extract.slm.grammar import KINDS, LINK
from minirag_chat.prompts import prompt
from minirag_chat.records import Message, Turn
from minirag_chat.ui_text import one_line

FORMAT = hashlib.sha256(
    "\n".join([prompt("extract_chunk"), prompt("extract_chunk_example"), *KINDS, LINK]).encode()
).hexdigest()[:8]
"""Changes with the prompt and the kinds, so that what an older prompt extracted is not reused."""
_BETWEEN = "==="


def passage(messages: Sequence[Message]) -> str:
    """The messages as lines under their time. A message is one line, whatever it contains."""
    lines = [f"{messages[0].sent_at:%Y-%m-%d %H:%M}"]
    lines += [f"{shown_name(m)}: {_one_line(m.text)}" for m in messages]
    return "\n".join(lines)


def shown_name(message: Message) -> str:
    """The sender as the model sees them."""
    return _one_line(message.shown_sender)


def extraction_turns(text: str) -> list[Turn]:
    """The conversation that asks for extraction from a chunk; its beginning is the same for all chunks."""
    example, example_reply = prompt("extract_chunk_example").split(_BETWEEN)
    return [
        Turn("system", prompt("extract_chunk")),
        Turn("user", example.strip()),
        Turn("assistant", example_reply.strip()),
        Turn("user", text),
    ]


def _one_line(text: str) -> str:
    return one_line(text.replace("|", "/"))
