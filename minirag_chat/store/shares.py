"""The shares of chats and the audit log, for databases with users."""

from __future__ import annotations

from minirag_chat.errors import NotFound, StoreError
from minirag_chat.store.tables import Tables


class ShareTables(Tables):
    """Reads and writes the shares of the user; the audit log is only written."""

    def all(self) -> list[tuple[int, str]]:
        """``(chat, name)`` for each user with whom a chat of one's own is shared."""
        if not self._connection.user:
            return []
        return self._connection.execute(
            "SELECT s.chat_id, u.name FROM shares s JOIN users u ON u.id = s.user_id "
            "JOIN chats c ON c.id = s.chat_id WHERE c.owner = ? ORDER BY 1, 2",
            (self._connection.user,),
        ).fetchall()

    def others(self) -> list[str]:
        """The other users."""
        if not self._connection.user:
            return []
        return self._connection.column(
            "SELECT name FROM users WHERE id <> ? ORDER BY name", (self._connection.user,)
        )

    # --- writing, inside a transaction ---------------------------------------------------------------

    def add(self, chat: int, name: str) -> None:
        """Share a chat of one's own; twice is fine. Raises ``NotFound``."""
        self._connection.execute(
            "INSERT INTO shares VALUES (?, ?) ON CONFLICT DO NOTHING", (chat, self._number(name))
        )
        self.note("chat shared", f"chat {chat} with {name.casefold()}")

    def drop(self, chat: int, name: str) -> bool:
        """End a share; returns whether there was one. Data derived for that user is deleted."""
        done = self._connection.execute(
            "DELETE FROM shares WHERE chat_id = ? AND user_id = ?", (chat, self._number(name))
        ).rowcount
        if done:
            self.note("chat no longer shared", f"chat {chat} with {name.casefold()}")
        return bool(done)

    def note(self, event: str, detail: str) -> None:
        """Log an action of the user, without message text; nothing in a database without users."""
        if self._connection.user:
            self._connection.value("SELECT minirag_note(?, ?)", (event, detail))

    def _number(self, name: str) -> int:
        if not self._connection.user:
            raise StoreError(
                f"{self._connection.path} has no users: sharing needs PostgreSQL and users who are made "
                "by `minirag-chat users add NAME` (docs/users.md)."
            )
        number = self._connection.number("SELECT id FROM users WHERE name = ?", (name.casefold(),))
        if number in (0, self._connection.user):
            known = ", ".join(self.others()) or "nobody"
            raise NotFound(f"There is no other user {name!r}: the others are {known}.")
        return number
