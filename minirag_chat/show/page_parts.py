"""The page's pieces of HTML: what is loaded, the flag, sources, why, how. No Gradio in here.

All text that comes from messages, models or settings goes through ``in_html`` or ``in_markdown``.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from datetime import datetime

from minirag_chat.names import split_joined
from minirag_chat.records import Answer, Reason, ReasoningPath, Source
from minirag_chat.show.memory_like import InfoLike
from minirag_chat.show.path_graph import path_html
from minirag_chat.show.safe_text import in_html, in_markdown

IMPORT_COMMAND = 'minirag-chat add "WhatsApp Chat with Ann.txt"'
SURE, LIKELY = 0.75, 0.5
_CONTEXT = 700
NOT_SAID = "Your messages do not say"
_SILENT: Mapping[Reason, str] = {
    "nothing_found": f"{NOT_SAID}: nothing in them matches the question",
    "not_stated": f"{NOT_SAID}: the closest ones do not state it",
    "conflicting": "Your messages contradict each other",
    "unsure": "Not sure enough to answer from your messages",
}


def header(info: InfoLike) -> str:
    """The page's head: its name, what is loaded and the model in use."""
    loaded = "no messages yet"
    if info.messages:
        loaded = " · ".join(
            [
                _count(info.messages, "message", "messages"),
                _count(info.chats, "chat", "chats"),
                _count(info.people, "person", "people"),
            ]
        )
        if info.first and info.last:
            loaded += f" · {_day(info.first)} to {_day(info.last)}"
    reason = f" <span>({in_html(info.model_reason)})</span>" if info.model_reason else ""
    return (
        f'<div class="mc-head"><h1>MiniRAG Chat</h1><p id="loaded">{loaded}</p>'
        f'<p id="model">Model: <b>{in_html(info.model)}</b>{reason}</p></div>'
    )


def empty_state() -> str:
    """What to do when nothing has been imported."""
    return (
        '<div class="mc-empty"><h2>No messages yet</h2>'
        "<p>Export a chat (in WhatsApp: chat menu → More → Export chat, without media), then run"
        f"</p><pre>{in_html(IMPORT_COMMAND)}</pre>"
        "<p>and reload this page. Nothing leaves this machine by importing.</p></div>"
    )


def welcome() -> str:
    """What the chat says before the first question (Markdown)."""
    return "**Ask your messages**\n\nAnswers come with the messages that say so."


def flag(answer: Answer) -> str:
    """The flag at a glance: how sure the answer is, or why there is none."""
    stopped = " · stopped" if answer.stopped else ""
    if answer.abstained:
        return _chip("none", "?", f"{_SILENT[answer.reason or 'not_stated']}{stopped}")
    level = "sure" if answer.confidence >= SURE else "likely"
    level = level if answer.confidence >= LIKELY else "weak"
    return _chip(level, "✓", f"answered · confidence {answer.confidence:.2f}{stopped}")


def problem(sentence: str) -> str:
    """The flag of a question that could not be worked on."""
    return _chip("none", "!", sentence)


def sources(answer: Answer) -> str:
    """The cited messages or, on abstention, the closest ones."""
    shown = answer.closest if answer.abstained else answer.sources
    if not shown:
        return quiet("No message to show.")
    head = "Closest messages; none of them states the answer." if answer.abstained else ""
    head = f'<p class="mc-quiet">{head}</p>' if head else ""
    return head + f'<ol class="mc-sources">{"".join(_card(source) for source in shown)}</ol>'


def why(path: ReasoningPath) -> str:
    """The path graph in a frame that may run scripts but cannot reach this page."""
    return (
        '<iframe class="mc-graph" title="Reasoning path" sandbox="allow-scripts"'
        f' referrerpolicy="no-referrer" srcdoc="{html.escape(path_html(path))}"></iframe>'
    )


def how(answer: Answer) -> str:
    """Seconds by step, the model, and the signals behind the confidence."""
    timings = {"total": sum(answer.timings.values()), **answer.timings}
    timings["total"] = timings.pop("total")  # last, and the engine's own where it measured one
    rows = [(name, f"{seconds:.3f} s") for name, seconds in timings.items()]
    signals = [(name, f"{value:.2f}") for name, value in answer.signals.items()]
    return (
        f'<p class="mc-quiet">Model: {in_html(answer.model)}</p>'
        + _table("Time", ("step", "seconds"), rows)
        + (_table("What the confidence rests on", ("signal", "value"), signals) if signals else "")
    )


def quiet(sentence: str) -> str:
    """A sentence in place of content."""
    return f'<p class="mc-quiet">{in_html(sentence)}</p>'


def when(moment: datetime) -> str:
    """As in "Sat 21 Feb 2026, 14:05"."""
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M}"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _chip(level: str, mark: str, words: str) -> str:
    return f'<span class="mc-flag mc-{level}">{mark} {in_markdown(words)}</span>'


def _card(source: Source) -> str:
    sender = in_html(split_joined(source.sender))
    return (
        f'<li class="mc-source" data-message-id="{source.message_id:d}" tabindex="-1">'
        f'<span class="mc-number">{source.number:d}</span>'
        f"<div><p><b><bdi>{sender}</bdi></b> · <bdi>{in_html(source.chat)}</bdi> · "
        f'<time datetime="{source.sent_at.isoformat()}">{when(source.sent_at)}</time></p>'
        f'<blockquote class="mc-said" dir="auto">{_quoted(source)}</blockquote></div></li>'
    )


def _quoted(source: Source) -> str:
    """The message with its quote marked; a long message is cut around the quote."""
    text, quote = source.message.text, source.quote
    before, found, after = text.partition(quote) if quote else (text, "", "")
    if quote and not found:
        return f"<mark>{in_html(quote)}</mark>"
    half = _CONTEXT // 2
    if len(before) > half and found:
        before = "…" + before[-half:]
    if len(after) > half:
        after = after[:half] + "…"
    marked = f"<mark>{in_html(found)}</mark>" if found else ""
    return f"{in_html(before)}{marked}{in_html(after)}"


def _table(caption: str, head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    body = "".join(
        f"<tr><th scope=row>{in_html(k)}</th><td>{in_html(v)}</td></tr>" for k, v in rows
    )
    heads = "".join(f"<th scope=col>{in_html(word)}</th>" for word in head)
    return (
        f'<table class="mc-table"><caption>{in_html(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )
