"""Files from watched folders, and the versions that were looked at."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from minirag_chat.records import Arrival
from minirag_chat.store.tables import Tables

KEPT = 200  # arrivals that are listed; the latest of each file is kept in any case


class ArrivalTables(Tables):
    """Reads and writes arrivals. Only a hash of each path is stored, so that names can be deleted."""

    def latest(self) -> list[Arrival]:
        """Imported and failed files, the latest first; other files are not listed."""
        rows = self._connection.execute(
            "SELECT arrived_at, state, COALESCE(name, ''), COALESCE(said, ''), messages_read, "
            "messages_added, messages_updated FROM arrivals WHERE state <> 'other' "
            "ORDER BY id DESC LIMIT ?",
            (KEPT,),
        )
        return [Arrival(_local(row[0]), *row[1:]) for row in rows.fetchall()]

    def version(self, path: Path) -> bytes | None:
        """The version of a path that was looked at last, or None."""
        found = self._connection.value(
            "SELECT version FROM arrivals WHERE place = ? ORDER BY id DESC LIMIT 1", (_place(path),)
        )
        return None if found is None else bytes(found)

    # --- writing, inside a transaction ---------------------------------------------------------------

    def add(self, path: Path, version: bytes, arrival: Arrival) -> None:
        """Store the result for a version of a path, in the place of another watcher's for it."""
        run = self._connection.execute
        run("DELETE FROM arrivals WHERE place = ? AND version = ?", (_place(path), version))
        run(
            "INSERT INTO arrivals (place, version, arrived_at, state, name, said, messages_read, "
            "messages_added, messages_updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                _place(path), version, datetime.now(UTC).replace(tzinfo=None).isoformat(),
                arrival.state, arrival.name, arrival.said, arrival.messages_read,
                arrival.messages_added, arrival.messages_updated,
            ),
        )  # fmt: skip
        run(
            "DELETE FROM arrivals WHERE id NOT IN (SELECT MAX(id) FROM arrivals GROUP BY place) "
            "AND id NOT IN (SELECT id FROM arrivals WHERE state <> 'other' ORDER BY id DESC LIMIT ?)",
            (KEPT,),
        )

    def forget_names(self) -> None:
        """Delete the names of files: they may contain deleted names."""
        self._connection.execute("UPDATE arrivals SET name = NULL, said = NULL")


def _place(path: Path) -> bytes:
    name = str(path.absolute()).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(name, digest_size=16).digest()


def _local(moment: str) -> datetime:
    when = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    return when.astimezone().replace(tzinfo=None, microsecond=0)
