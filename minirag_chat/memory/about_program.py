"""The answer to a question about the program itself: where the messages lie, how to delete a chat."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from minirag_chat.answer.without_model import without_model
from minirag_chat.errors import MiniRagChatError
from minirag_chat.importers import IMPORTERS
from minirag_chat.memory.context import MemoryContext
from minirag_chat.models.choose import ChosenModel
from minirag_chat.question import asks_about_program
from minirag_chat.records import Answer, ProgramTopic

_OF_VISITORS = (
    "This page is public: what you upload stays in memory, apart from others\u2019 uploads, and is gone when "
    "you close the tab."
)
_DELETE = (
    "On the page by the bin of a chat, of a person, or of a message in its conversation. The command is "
    '\u201cminirag-chat delete "TITLE"\u201d, or \u201cminirag-chat delete --person "NAME"\u201d. '
    "\u201cminirag-chat trash\u201d lists what can still be restored."
)
_IMPORT = (
    "Drop the export on the left of the page, or name it to \u201cminirag-chat add\u201d, as in "
    '\u201cminirag-chat add "WhatsApp Chat with Ann.txt"\u201d.'
)
_ALL_FORMATS = "\u201cminirag-chat formats\u201d lists them, and how to get each from its app."
_APPS = "WhatsApp, Telegram, Signal, Discord and Slack"
_FORMATS = f"{len(IMPORTERS)} formats, such as those of {_APPS}. {_ALL_FORMATS}"
_LANGUAGES = (
    "Questions are understood best in English, and much of what is counted can be asked in German too. Where "
    "a language model reads, it translates a question that is in another language than the messages."
)
_CERTAINTY = (
    "Each answer has its own number, the confidence: it estimates how likely the answer is right. Below 0.50 "
    "it is unsure: read its sources. Where I am too unsure to answer I say so."
)


_STAYS = (
    "Everything is done on this machine, and no message leaves it. That changes only if a model server is "
    "allowed, an assistant connected, or the database kept on another machine."
)
_ANY_APP = frozenset(
    "chat app text texts phone group google microsoft apple log export other old".split()
)
"""Words before "messages" that do not tell the app, or are of several."""


class AboutProgram(NamedTuple):
    """What is asked about the program, and how to get an export out of the app that is named, if one is."""

    topic: ProgramTopic
    how: str = ""


def asked_of_program(text: str) -> AboutProgram | None:
    """What a text asks about the program; None if it asks anything else, as of an app that has no exports."""
    asked = asks_about_program(text)
    if asked is None or not asked[1]:
        return AboutProgram(asked[0]) if asked else None
    topic, app = asked
    if app.casefold() in _ANY_APP:
        return AboutProgram(topic)
    word = re.compile(rf"\b{re.escape(app)}\b", re.IGNORECASE)
    how = next((one.how for one in IMPORTERS if word.search(one.title.partition("(")[0])), "")
    return AboutProgram(topic, how) if how else None


def about_program(context: MemoryContext, text: str, asked: AboutProgram) -> Iterator[str | Answer]:
    """Yield the ``Answer``: what is so in this program, and where something can be done."""
    started_at = time.perf_counter()
    yield without_model(text, _said(context, asked), started_at, reason="no_question")


def _said(context: MemoryContext, asked: AboutProgram) -> str:
    if asked.topic == "model":
        return _model(context)
    if asked.topic == "import":
        return f"{_IMPORT} {f'To get it: {asked.how}' if asked.how else _ALL_FORMATS}"
    if asked.topic == "private":
        return _private(context)
    if asked.topic in {"data", "delete"}:
        return _OF_VISITORS if context.settings.public else _of_messages(context, asked.topic)
    return {"formats": _FORMATS, "languages": _LANGUAGES}.get(asked.topic, _CERTAINTY)


def _of_messages(context: MemoryContext, topic: ProgramTopic) -> str:
    """Where the messages are, or how to delete them."""
    if topic == "delete":
        return _DELETE
    if context.settings.postgres:
        return (
            "In the PostgreSQL database that the settings name; \u201cminirag-chat info\u201d says what is "
            "in it."
        )
    return f"In one database file on this machine: {context.store.path}"


def _choice(context: MemoryContext) -> ChosenModel | None:
    """The model that reads; None if none can."""
    try:
        return context.models.choice()
    except MiniRagChatError:
        return None


def _model(context: MemoryContext) -> str:
    loaded, choice = context.models.loaded, _choice(context)
    if choice is None:
        return "No language model can be used now; \u201cminirag-chat doctor\u201d says why."
    others = (
        ""
        if context.settings.public
        else " \u201cminirag-chat models\u201d, or Settings on the page, shows others."
    )
    if loaded is None and choice.kind == "extractive":
        return f"None: I quote the messages that fit best.{others}"
    name = loaded.name if loaded else choice.name
    return f"{name} reads the messages that are found for a question.{others}"


def _private(context: MemoryContext) -> str:
    """Who gets messages: a model server, or a database on another machine; and what visitors upload."""
    choice, settings = _choice(context), context.settings
    parts = [_OF_VISITORS] if settings.public else []
    if choice is not None and choice.kind == "server":
        named = "that you allowed" if choice.permission else "that the settings name"
        ends = " \u201cminirag-chat models withdraw\u201d ends that." if choice.permission else ""
        parts.append(
            f"The model server {named} gets each question and the messages that are read for it.{ends}"
        )
    if settings.postgres:
        parts.append("The messages are in the PostgreSQL database that the settings name.")
    if len(parts) > settings.public:
        return " ".join([*parts, "Otherwise no message leaves this machine."])
    return " ".join([*parts, _STAYS])
