"""Lets several processes at one database share the work, by means of PostgreSQL and without a table.

A claim is an advisory lock, and a progress report is the connection's ``application_name``. Both end with
the process, even if it is killed, and every tool that looks at PostgreSQL shows them.
"""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.store.sql import InBoth, Work

NAME = "minirag-chat"
_KINDS: dict[Work, int] = {"embedding": 0x6D696E69, "reading": 0x6D696E6A}
"""The upper half of a lock's number; the lower half is the claimed item."""
_FIELDS = 4  # words: the name, the work, how much was done, how much in a second


class Workers(InBoth):
    """The methods of a connection by which processes share the work."""

    def claim(self, work: Work, ids: Sequence[int]) -> list[int]:
        """Claim items for a job; returns those that no other process has claimed.

        A killed process has no claims, and finished work is no longer claimed: check after the claim what
        is still to do.
        """
        claimed = self.column(
            "SELECT id FROM unnest(?::bigint[]) AS wanted(id) "
            f"WHERE pg_try_advisory_lock({_KINDS[work] << 32} + id)",
            (list(ids),),
        )
        return sorted(claimed)

    def release(self, work: Work, ids: Sequence[int]) -> None:
        """Release claims."""
        self.column(
            f"SELECT pg_advisory_unlock({_KINDS[work] << 32} + id) FROM unnest(?::bigint[]) AS ours(id)",
            (list(ids),),
        )

    def publish_progress(self, work: Work | None, done: int = 0, a_second: float = 0.0) -> None:
        """Publish the progress of this process to others while it lives; None ends that."""
        said = f"{NAME} {work} {done} {a_second:.2f}" if work else NAME
        self.value("SELECT set_config('application_name', ?, FALSE)", (said,))

    def worker_progress(self) -> list[tuple[Work, int, float]]:
        """The published progress of all processes on this database, this one included."""
        names = self.column(
            "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name LIKE ? ORDER BY backend_start",
            (f"{NAME} %",),
        )
        said = [name.split() for name in names]
        return [
            (work, int(words[2]), float(words[3]))
            for words in said
            for work in _KINDS
            if len(words) == _FIELDS and words[1] == work
        ]
