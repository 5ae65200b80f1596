"""The files of messages: their places, whether they were read, and the text read in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minirag_chat.records import MediaFile, MediaKind, MediaState, MediaStatus, StoredMedia
from minirag_chat.records.media import marked
from minirag_chat.store.rows import LARGEST, marks
from minirag_chat.store.tables import Tables

SAID = (
    "CASE WHEN m.heard IS NULL THEN m.text WHEN m.kind = 'media' THEN m.heard "
    "ELSE m.text || '\n' || m.heard END"
)
"""SQL for the text of a message ``m`` with the text read in its files, as indexed and shown."""

_COLUMNS = "message_id, position, path, member, kind, state, COALESCE(problem, '')"
PLACE = "ON CONFLICT (message_id, position) DO UPDATE SET path = excluded.path, member = excluded.member"


class MediaTables(Tables):
    """Reads and writes the files of messages."""

    def status(self) -> list[MediaStatus]:
        """The numbers of known and read files for each kind."""
        rows = self._connection.execute(
            "SELECT kind, COUNT(*), COUNT(*) FILTER (WHERE state = 'read'), "
            "COUNT(*) FILTER (WHERE state = 'empty'), COUNT(*) FILTER (WHERE state = 'failed') "
            "FROM media GROUP BY kind ORDER BY kind DESC"
        )
        return [
            MediaStatus(kind, known, read, empty, failed, self._problems(kind))
            for kind, known, read, empty, failed in rows.fetchall()
        ]

    def _problems(self, kind: MediaKind) -> tuple[tuple[str, int], ...]:
        rows = self._connection.execute(
            "SELECT problem, COUNT(*) FROM media WHERE kind = ? AND state = 'failed' "
            "GROUP BY problem ORDER BY 2 DESC LIMIT 5",
            (kind,),
        )
        return tuple((row[0] or "", row[1]) for row in rows.fetchall())

    def waiting(self, kinds: Sequence[MediaKind], limit: int) -> list[StoredMedia]:
        """The next files that were not read yet."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM media WHERE state = 'new' AND kind IN ({marks(kinds)}) "
            "ORDER BY message_id, position LIMIT ?",
            (*kinds, limit),
        )
        return [StoredMedia(*row) for row in rows.fetchall()]

    def of(self, message: int) -> list[StoredMedia]:
        """The files of a message."""
        if abs(message) > LARGEST:
            return []
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM media WHERE message_id = ? ORDER BY position", (message,)
        )
        return [StoredMedia(*row) for row in rows.fetchall()]

    # --- writing, inside a transaction ---------------------------------------------------------------

    def place(self, chat: int, found: Iterable[tuple[bytes, Sequence[MediaFile]]]) -> None:
        """Store the places of the files of a chat's messages, given by their fingerprints."""
        self._connection.executemany(
            "INSERT INTO media (message_id, position, path, member, kind) "
            "SELECT id, ?, ?, ?, ? FROM messages WHERE chat_id = ? AND fingerprint = ? " + PLACE,
            (
                (file.position, file.path, file.member, file.kind, chat, fingerprint)
                for fingerprint, files in found
                for file in files
            ),
        )

    def carry(self, chat: int, known: int) -> None:
        """Update the places of a known chat's files to those of an exported one."""
        self._connection.execute(
            "INSERT INTO media (message_id, position, path, member, kind) "
            "SELECT k.id, d.position, d.path, d.member, d.kind FROM messages s "
            "JOIN messages k ON k.chat_id = ?2 AND k.fingerprint = s.fingerprint "
            "JOIN media d ON d.message_id = s.id WHERE s.chat_id = ?1 " + PLACE,
            (chat, known),
        )

    def keep(self, file: StoredMedia, state: MediaState, text: str = "", problem: str = "") -> bool:
        """Store the text read in a file; False if the file is gone or was read meanwhile."""
        run = self._connection.execute
        done = run(
            "UPDATE media SET state = ?, problem = ? WHERE message_id = ? AND position = ? "
            "AND state = 'new'",
            (state, problem or None, file.message_id, file.position),
        ).rowcount
        if done and state == "read":
            run(
                "UPDATE messages SET heard = COALESCE(heard || '\n', '') || ? WHERE id = ?",
                (marked(file.kind, text), file.message_id),
            )
        return bool(done)

    def sessions(self, messages: Sequence[int]) -> list[int]:
        """The sessions of messages."""
        return self._connection.column(
            f"SELECT DISTINCT session_id FROM messages WHERE id IN ({marks(messages)}) "
            "AND session_id IS NOT NULL",
            tuple(messages),
        )

    def retry(self, kinds: Sequence[MediaKind]) -> None:
        """Mark failed files of these kinds as unread."""
        self._connection.execute(
            "UPDATE media SET state = 'new', problem = NULL WHERE state = 'failed' "
            f"AND kind IN ({marks(kinds)})",
            tuple(kinds),
        )

    # --- forgetting ----------------------------------------------------------------------------------

    def places(self) -> set[str]:
        """The stored paths, and names in zips."""
        found = self._connection.column("SELECT path FROM media UNION SELECT member FROM media")
        return set(filter(None, found))

    def forget_places(self, places: Iterable[str]) -> None:
        """Delete files by a path or a name in a zip; the text read in them stays."""
        self._connection.executemany(
            "DELETE FROM media WHERE path = ?1 OR member = ?1", [(place,) for place in places]
        )
