"""The routes, one class each. ``GET openapi.json`` describes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

from minirag_chat.errors import ImportStopped, NotFound
from minirag_chat.json_records import to_json
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.memory.import_preview import check_readable
from minirag_chat.records import (
    Answer,
    Chat,
    Evidence,
    ImportReport,
    Message,
    Person,
    Progress,
)
from minirag_chat.records.exploration import Info
from minirag_chat_jupyter.base import Handler
from minirag_chat_jupyter.databases import Corpus, Database
from minirag_chat_jupyter.deletion_routes import ROUTES as DELETING
from minirag_chat_jupyter.event_stream import EventHandler
from minirag_chat_jupyter.openapi import document
from minirag_chat_jupyter.request_bodies import (
    MOST_FOUND,
    AskBody,
    BadRequest,
    ImportBody,
    MeBody,
    RetrieveBody,
)

MOST_AROUND = 200


class CorporaHandler(Handler):
    """The databases below the server's root."""

    async def get(self) -> None:
        """List them; ``db`` is what other calls name them by."""
        found = await self.in_thread(self.databases.corpora)
        self.reply({"corpora": to_json(found, list[Corpus])})

    async def delete(self) -> None:
        """Delete the database ``db`` with everything in it, once no import into it runs."""
        name = self.needed("db", "the database to delete, as GET corpora lists it")
        if not name.strip():  # as of a variable that is not set
            raise BadRequest(
                "The argument 'db' is empty: name the database to delete. The messages of the default "
                "one are deleted by POST delete with everything."
            )
        database = self.databases.opened(name)
        no_import = database.changing if database else nullcontext()  # one would lose its file
        async with no_import:
            gone = await self.in_thread(lambda: self.databases.delete(name), self.threads.changing)
        self.reply({"deleted": to_json(gone)})


class InfoHandler(Handler):
    """What a database holds, and what reads it."""

    async def get(self) -> None:
        """One ``Info``."""
        database = await self.database()
        self.reply(to_json(await self.in_thread(database.memory.info), Info))


class ChatsHandler(Handler):
    """The chats of a database."""

    async def get(self) -> None:
        """List them, the most recently active first."""
        database = await self.database()
        found = await self.in_thread(database.memory.chats)
        self.reply({"chats": to_json(found, list[Chat])})


class ChatHandler(Handler):
    """One chat."""

    async def delete(self, number: str) -> None:
        """Delete it with everything derived from it."""
        database = await self.database()
        gone = await self.change(database, lambda: database.memory.delete_chat(int(number)))
        self.reply({"deleted": to_json(gone)})


class PeopleHandler(Handler):
    """The people of a database."""

    async def get(self) -> None:
        """List everyone who wrote."""
        database = await self.database()
        found = await self.in_thread(database.memory.people)
        self.reply({"people": to_json(found, list[Person])})


class MeHandler(Handler):
    """Who asks: the person whom "I" and "my" in a question mean."""

    async def get(self) -> None:
        """``me`` (null where it is not known), and who may be, the likeliest first, until it is said."""
        database = await self.database()
        await self._tell(database.memory)

    async def post(self) -> None:
        """Say who it is; null says that it is nobody in these messages."""
        body = self.body(MeBody)
        database = await self.database(name=body.db)
        await self.in_thread(lambda: database.memory.set_me(body.person))
        await self._tell(database.memory)

    async def _tell(self, memory: ChatMemory) -> None:
        me = await self.in_thread(lambda: memory.me)
        likely = await self.in_thread(memory.likely_me)
        self.reply({"me": to_json(me, Person | None), "likely": to_json(likely, list[Person])})


class MessageHandler(Handler):
    """A message in its conversation."""

    queries: ClassVar = {"around": "integer"}

    async def get(self, number: str) -> None:
        """The message with ``around`` (5) messages before and after it."""
        around = self.number("around", 5, MOST_AROUND)
        database = await self.database()
        found = await self.in_thread(lambda: database.memory.conversation(int(number), around))
        self.reply({"messages": to_json(found, list[Message])})


class SearchHandler(Handler):
    """Plain search by words."""

    queries: ClassVar = {
        "q": "string", "k": "integer", "people": "array", "chats": "array", "since": "string",
        "until": "string",
    }  # fmt: skip

    async def get(self) -> None:
        """The ``k`` (20) messages with the words of ``q``, best first; else ``close`` words.

        ``people`` and ``chats`` may be repeated; they, ``since`` and ``until`` narrow it as a question.
        """
        text = self.needed("q", "the words to search for")
        k = self.number("k", 20, MOST_FOUND)
        database = await self.database()
        filters = {name: self.get_query_arguments(name) for name in ("people", "chats")}
        days = {name: self.get_query_argument(name, None) for name in ("since", "until")}
        found = await self.in_thread(lambda: database.memory.search(text, k, **filters, **days))
        close = [] if found else await self.in_thread(lambda: database.memory.close_words(text))
        self.reply({"found": to_json(found, list[Evidence]), "close": close})


class RetrieveHandler(Handler):
    """Retrieval without an answer."""

    async def post(self) -> None:
        """The ``k`` messages that fit the question best."""
        body = self.body(RetrieveBody)
        database = await self.database(name=body.db)
        options = body.model_dump(exclude={"db"})
        found = await self.in_thread(lambda: database.memory.retrieve(**options))
        self.reply({"found": to_json(found, list[Evidence])})


class AskHandler(EventHandler):
    """A question, answered in turn and streamed."""

    async def post(self) -> None:
        """Events ``queued``, ``deleted``, ``reads``, ``piece``, ``answer`` or ``error``."""
        body = self.body(AskBody)
        database = await self.database(name=body.db)
        options = body.model_dump(exclude={"db", "deleted"})

        def work(say: Callable[[str, Any], None]) -> None:
            so_far = database.memory.deleted_so_far()
            say("deleted", {"so_far": so_far})
            if body.deleted not in (None, so_far):
                options["history"] = []

            def reads(messages: Sequence[Message]) -> None:
                say("reads", {"messages": to_json(messages, list[Message])})

            stream = database.memory.stream(cancelled=self.gone.is_set, reads=reads, **options)
            for piece in stream:
                if isinstance(piece, Answer):
                    say("answer", to_json(piece))
                else:
                    say("piece", {"text": piece})

        async def in_turn() -> None:
            async with database.changing:
                pass  # wait here for an import or a deletion: in the answering thread it would block everyone
            async with self.databases.models.turns.turn(
                self.current_user.username, self.gone.is_set
            ) as ours:
                if ours:
                    await self.threaded(self.threads.answering, work)

        self.events.put_nowait(("queued", {"ahead": self.databases.models.turns.ahead}))
        await self.tell(asyncio.create_task(self.run(in_turn())))


class ImportHandler(EventHandler):
    """An import of files that lie below the server's root."""

    async def post(self) -> None:
        """Events ``progress``, and ``report`` or ``error``. All or nothing.

        A client that leaves stops it: nothing is added, or, if all is, vectors are made later.
        """
        body = self.body(ImportBody)
        path = await self.in_thread(lambda: self.databases.exports(body.path))
        options = body.model_dump(exclude={"db", "path"}, exclude_none=True)
        name = self.named(body.db)
        new = await self.in_thread(lambda: self.databases.is_new(name))
        database = None if new else await self.database(name=name)

        def look(_: Callable[[str, Any], None]) -> None:
            check_readable(path, self.databases.settings, **options)

        def work(say: Callable[[str, Any], None], into: Database) -> None:
            def progress(now: Progress) -> None:
                say("progress", to_json(now))

            report = into.memory.add(path, progress=progress, cancelled=self.gone.is_set, **options)
            say("report", to_json(report, ImportReport))

        async def alone() -> None:
            try:
                if database is None:  # what is no export makes no empty database
                    await self.threaded(self.threads.reading, look)
                into = database or await self.database(name=name, create=True)
                async with into.changing:
                    await self.threaded(self.threads.changing, lambda say: work(say, into))
            except ImportStopped:
                self.log.info("MiniRAG Chat: an import was given up by its client")

        await self.tell(asyncio.create_task(self.run(alone())))


class OpenApiHandler(Handler):
    """The description of these routes."""

    async def get(self) -> None:
        """An OpenAPI document."""
        self.reply(await self.in_thread(lambda: document(ROUTES)))


class NoHandler(Handler):
    """Whatever is none of the calls."""

    async def get(self) -> None:
        """Say so, in one sentence."""
        raise NotFound(f"There is no call {self.request.path}: GET openapi.json lists them.")

    post = put = delete = get


ROUTES: tuple[tuple[str, type[Handler]], ...] = (
    ("corpora", CorporaHandler),
    ("info", InfoHandler),
    ("chats", ChatsHandler),
    (r"chats/([0-9]{1,15})", ChatHandler),
    ("people", PeopleHandler),
    ("me", MeHandler),
    (r"messages/([0-9]{1,15})", MessageHandler),
    ("search", SearchHandler),
    ("retrieve", RetrieveHandler),
    ("ask", AskHandler),
    ("import", ImportHandler),
    *DELETING,
    ("openapi.json", OpenApiHandler),
)
