"""The routes that delete, with preview, undo and proof."""

from __future__ import annotations

from minirag_chat.json_records import to_json
from minirag_chat.records import Deletion
from minirag_chat_jupyter.base import Handler
from minirag_chat_jupyter.request_bodies import DeleteBody, EmptyBody, RenameBody, RestoreBody

_HOW = {"db", "preview"}


class DeleteHandler(Handler):
    """Messages, by id, by people, chats and time, or all of them."""

    async def post(self) -> None:
        """Move them to the trash, or wipe them: ``deleted``; with ``preview`` ``would_be_deleted``."""
        body = self.body(DeleteBody)
        database = await self.database(name=body.db)
        memory = database.memory
        if body.preview:
            wanted = body.model_dump(exclude={*_HOW, "now", "prove"})
            found = await self.in_thread(lambda: memory.preview_delete(**wanted))
            self.reply({"would_be_deleted": to_json(found)})
            return
        options = body.model_dump(exclude=_HOW)
        gone = await self.change(database, lambda: memory.delete(**options))
        self.reply({"deleted": to_json(gone)})


class RenameHandler(Handler):
    """A person's name."""

    async def post(self) -> None:
        """Replace it everywhere: ``changed``; with ``preview`` ``would_be_changed``."""
        body = self.body(RenameBody)
        database = await self.database(name=body.db)
        memory = database.memory
        if body.preview:
            found = await self.in_thread(lambda: memory.preview_name(body.person, body.by))
            self.reply({"would_be_changed": to_json(found)})
            return
        options = body.model_dump(exclude=_HOW)
        changed = await self.change(database, lambda: memory.replace_name(**options))
        self.reply({"changed": to_json(changed)})


class TrashHandler(Handler):
    """What was deleted and can still be restored."""

    async def get(self) -> None:
        """List it, the latest first; ``so_far`` changes with every further deletion."""
        memory = (await self.database()).memory
        found = await self.in_thread(memory.deletions)
        so_far = await self.in_thread(memory.deleted_so_far)
        self.reply({"deletions": to_json(found, list[Deletion]), "so_far": so_far})


class RestoreHandler(Handler):
    """A deletion in the trash."""

    async def post(self) -> None:
        """Undo it, by its ``number``; without one, the latest."""
        body = self.body(RestoreBody)
        database = await self.database(name=body.db)
        memory = database.memory
        back = await self.change(database, lambda: memory.restore(body.number))
        self.reply({"restored": to_json(back)})


class EmptyHandler(Handler):
    """The trash as a whole."""

    async def post(self) -> None:
        """Wipe it: ``wiped`` says how many deletions that were, ``proof`` what a search found."""
        body = self.body(EmptyBody)
        database = await self.database(name=body.db)
        memory = database.memory
        gone = await self.change(database, lambda: memory.empty_trash(prove=body.prove))
        self.reply(to_json(gone))


ROUTES: tuple[tuple[str, type[Handler]], ...] = (
    ("delete", DeleteHandler),
    ("rename", RenameHandler),
    ("trash", TrashHandler),
    ("restore", RestoreHandler),
    ("empty", EmptyHandler),
)
