"""psycopg's connection, whose every failure is one of our errors: one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minirag_chat.errors import (
    DatabaseLocked,
    DatabaseReadOnly,
    DiskFull,
    NotFound,
    StoreError,
    first_line,
)
from minirag_chat.store.connection import UNCHANGED
from minirag_chat.store.postgres.dialect import bound, translated
from minirag_chat.store.postgres.workers import Workers
from minirag_chat.store.rows import marks
from minirag_chat.store.sql import TABLES, TOGETHER, many_rows
from minirag_chat.system.installing import how_to_add

if TYPE_CHECKING:
    import psycopg

ROLE = "minirag_chat"  # restricted by row-level security; see users.sql
_SEEN = "minirag_seen"  # the schema with views for users
_FULL_TEXT = ("message_text", "message_text_waiting")
BLOCK = 1000  # rows in a batch
LOCK_SECONDS = (
    1  # a wiping waits so long for a table's readers; those who come later wait behind it
)
WRITING = 0x6D696E69  # the advisory lock of writers


def reach(address: str) -> PostgresConnection:
    """A connection to the database at an address; no tables are created yet. Raises ``StoreError``."""
    try:
        import psycopg  # noqa: F401  # an extra
    except ImportError as error:
        raise StoreError(
            f"PostgreSQL needs a library that is not installed: run `{how_to_add('postgres')}`."
        ) from error
    return PostgresConnection(address, _linked(address))


def _linked(address: str) -> psycopg.Connection[Any]:
    import psycopg

    try:
        link = psycopg.connect(address, autocommit=True)
        link.execute("SET client_min_messages = warning")
        link.execute(
            "SET jit = off"
        )  # row security makes costs look high; compiling takes 0.1 s a query
    except psycopg.Error as error:
        raise StoreError(
            f"PostgreSQL at {shown(address)} cannot be reached ({first_line(error)}): see whether it "
            "runs, and whether the address, the user and the password are right."
        ) from error
    _read_numbers(link)
    return link


def shown(address: str) -> str:
    """An address without its password. Raises ``StoreError`` if it is not valid."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        found = conninfo_to_dict(address)
    except psycopg.Error:
        raise StoreError(  # the error may contain the password
            "The address of the database is not written as PostgreSQL's are: "
            "postgresql://user@host:5432/database."
        ) from None
    where = found.get("host") or "this machine"
    return f"{where}, database {found.get('dbname') or found.get('user') or 'of the user'}"


class PostgresConnection(Workers):
    """A connection with the interface of SQLite's. Only one process writes at a time, as there."""

    as_list = "STRING_AGG(({})::text, ',')"
    encrypted = False

    def __init__(self, address: str, link: psycopg.Connection[Any]) -> None:
        self.address = address
        self.path = Path(shown(address))
        self.otherwise = UNCHANGED
        self.user = 0  # the id of the user whose rights apply; 0 without users
        self.user_name: str | None = ""  # as ``act_as`` got it
        self.only_own = False  # whether this transaction hides chats shared by others
        self._schema = ""
        self._link = link
        self._written = 0
        self._changes = 0  # changes by this connection, as ``revision`` counts them
        self._writes = False

    # --- statements -----------------------------------------------------------------------------------

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        """Run a statement. Raises ``StoreError`` and its children."""
        import psycopg

        try:
            if sql == "COMMIT" and self._writes:
                self._count()
            cursor = self._link.execute(
                translated(sql).encode(), bound(parameters) if parameters else None
            )
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise self._ours(error) from error
        if sql in ("COMMIT", "ROLLBACK"):
            self._writes = self.only_own = False
        self._written += max(cursor.rowcount, 0) if cursor.description is None else 0
        return cursor

    def script(self, sql: str) -> None:
        """Run statements of ours, without parameters. Raises ``StoreError`` and its children."""
        import psycopg

        try:
            self._link.execute(sql.encode())
        except psycopg.Error as error:
            raise self._ours(error) from error

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Any:
        """Run a statement once for each row. Raises ``StoreError`` and its children.

        Plain inserts are batched into statements with many rows, which halves the time.
        """
        import psycopg

        cursor = self._link.cursor()
        rows = iter(parameters)
        while block := list(islice(rows, BLOCK)):  # the iterator may use this connection
            try:
                if many_rows(sql, 1) is None:
                    cursor.executemany(translated(sql).encode(), [bound(row) for row in block])
                    self._written += max(cursor.rowcount, 0)
                    continue
                for start in range(0, len(block), TOGETHER):
                    some = block[start : start + TOGETHER]
                    statement = translated(many_rows(sql, len(some)) or sql).encode()
                    cursor.execute(statement, bound([value for row in some for value in row]))
                    self._written += max(cursor.rowcount, 0)
            except (psycopg.Error, UnicodeEncodeError) as error:
                raise self._ours(error) from error
        return cursor

    def insert(self, sql: str, parameters: Any = ()) -> int | None:
        """Insert a row; returns its id, or None if the statement skips existing rows and this is one."""
        rows = self.execute(f"{sql} RETURNING id", parameters).fetchall()
        self._written += len(rows)
        return int(rows[0][0]) if rows else None

    def later(self, column: str, seconds: str) -> str:
        """SQL for a column with an ISO time plus an interval: the parameter is such as "-60 seconds"."""
        moved = f"{column}::timestamp + {seconds}::interval"
        return f"to_char({moved}, 'YYYY-MM-DD\"T\"HH24:MI:SS')"

    def weekday(self, column: str) -> str:
        """SQL for the day of the week of a column with an ISO time, from 0 for Monday."""
        return f"(EXTRACT(ISODOW FROM {column}::timestamp)::int - 1)"

    # --- transactions -----------------------------------------------------------------------------------

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        from psycopg.pq import TransactionStatus

        status = self._link.info.transaction_status
        return status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)  # not connected

    def begin_reading(self, *, only_own: bool = False) -> None:
        """Begin a read transaction with one snapshot, or one that only sees the user's own rows."""
        self._reconnect()
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        if only_own:
            self._see_only_own()

    def begin_writing(self) -> None:
        """Begin a write transaction. Raises ``DatabaseLocked`` if another process is in one."""
        self._reconnect()
        self.execute("BEGIN")
        if not self.value(f"SELECT pg_try_advisory_xact_lock({WRITING})"):
            self.execute("ROLLBACK")
            raise DatabaseLocked(
                f"{self.path} is being written by another process: wait for it to finish, then try "
                f"again; {self.otherwise}."
            )
        self._writes = True
        self._see_only_own()

    def at_once(self) -> nullcontext[None]:
        """Nothing: writers never wait for each other, and ``write_anew`` not long for readers."""
        return nullcontext()

    def _reconnect(self) -> None:
        """Reconnect if the server closed the connection, for example by a restart."""
        if self._link.broken:
            self._link = _linked(self.address)
            if self.user:
                self._take_role()

    def _count(self) -> None:
        """Increment the revision in the transaction, so that others see the change."""
        self._link.execute("UPDATE revision SET number = number + 1")
        self._changes += 1

    def changes(self) -> tuple[int, int]:
        """Counters of the changes by others and by this connection."""
        return self.number("SELECT number FROM revision") - self._changes, self._written

    @property
    def own_changes(self) -> int:
        """How many rows this connection wrote."""
        return self._written

    # --- users ------------------------------------------------------------------------------------------

    def act_as(self, user: str | None) -> None:
        """Restrict this connection to the rights of a user; see ``connect``."""
        self.user_name = user and user.casefold()
        if user is None:
            return
        if not user:
            if self.has_users:
                raise StoreError(
                    f"{self.path} has users: say who you are with --user NAME or MINIRAG_CHAT_USER."
                )
            return
        row = self.execute(
            "SELECT id, current_schema() FROM users WHERE name = ?", (self.user_name,)
        ).fetchone()
        if row is None:
            raise NotFound(
                f"{self.path} has no user {user!r}: `minirag-chat users list` names them, and "
                "`minirag-chat users add NAME` makes one."
            )
        self.user, self._schema = row
        self._take_role()

    @property
    def has_users(self) -> bool:
        """Whether the database has users."""
        return bool(self.number("SELECT 1 FROM users LIMIT 1"))

    def _take_role(self) -> None:
        """Take the restricted role and the user's id: row-level security then applies to every statement."""
        self.execute(f"SET ROLE {ROLE}")
        self.execute("SELECT set_config('minirag.user', ?, FALSE)", (str(self.user),)).fetchall()
        self.execute(f'SET search_path = {_SEEN}, "{self._schema}"')

    def _see_only_own(self) -> None:
        """Until the transaction ends, see the tables as if this user were the only one."""
        if self.user:
            self.execute("SET LOCAL minirag.only_own = 'on'")
            self.execute(f'SET LOCAL search_path = "{self._schema}"')
            self.only_own = True

    # --- the database -----------------------------------------------------------------------------------

    def survey(self, table: str) -> None:
        """Update the planner's statistics of a table after many writes in this transaction."""
        self.execute(f"ANALYZE {table}")  # only a warning for roles that do not own it

    @contextmanager
    def filling(self, table: str) -> Iterator[None]:  # noqa: ARG002 - as in SQLite
        """Nothing: an index that is dropped locks the table for all users."""
        yield

    def highest(self, table: str) -> int:
        """The highest id that a row of a table ever had, including deleted rows."""
        sequence = self.value(f"SELECT pg_get_serial_sequence('{table}', 'id')")
        (last, used) = self.execute(f"SELECT last_value, is_called FROM {sequence}").fetchone()
        return max(int(last) if used else 0, self.number(f"SELECT MAX(id) FROM {table}"))

    def count_on(self, table: str, highest: int) -> None:
        """Continue the ids of a table after this one."""
        if highest := max(highest, self.highest(table)):
            self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), ?)", (highest,))

    def tables(self) -> list[str]:
        """The tables with messages and data derived from them, except for the full-text index."""
        return list(TABLES)

    def own_names(self) -> list[str]:
        """The names of tables and columns."""
        return self.column(
            "SELECT table_name || ' ' || column_name FROM information_schema.columns "
            f"WHERE table_schema = ANY(current_schemas(FALSE)) AND table_name IN ({marks(TABLES)})",
            TABLES,
        )

    @property
    def can_write_anew(self) -> bool:
        """Whether this role owns the tables; otherwise the owner's next command rewrites them."""
        (owns,) = self.execute(
            "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class "
            "WHERE oid = 'messages'::regclass"
        ).fetchone()
        return bool(owns)

    def free_pages(self) -> int:
        """The number of free pages: unknown here, so none."""
        return 0

    def whole(self) -> bool:
        """Nothing: PostgreSQL manages its files."""
        return True

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""
        return self.number("SELECT pg_database_size(current_database())")

    def write_anew(self) -> None:
        """Rewrite the tables without deleted rows.

        Raises ``DatabaseLocked`` if another connection reads an earlier state, or a table for long.
        """
        if self.user:
            self.execute("RESET ROLE")
            self.execute(f'SET search_path = "{self._schema}"')  # the tables, not the users' views
        try:
            self._refuse_if_seen()
            self.execute(f"SET lock_timeout = '{LOCK_SECONDS} s'")
            self.execute(f"VACUUM FULL {', '.join((*TABLES, *_FULL_TEXT))}")
        finally:
            self.execute("RESET lock_timeout")
            if self.user:
                self._take_role()

    def _refuse_if_seen(self) -> None:
        """Raise ``DatabaseLocked`` if another connection may see deleted rows: VACUUM would copy them."""
        others = self.number(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND GREATEST(age(backend_xmin), age(backend_xid)) > 0"
        )
        if others:
            raise DatabaseLocked(f"{self.path} is in use by another process: {self.otherwise}.")

    def empty_log(self) -> bool:
        """Nothing: the log belongs to the server."""
        return True

    def set_progress_handler(self, handler: Callable[[], int] | None, n: int, /) -> None:
        """Nothing: PostgreSQL does not report the progress of a statement."""

    def close(self) -> None:
        """Close it. Closing twice is fine."""
        self._link.close()

    def _ours(self, error: Exception) -> StoreError:
        from psycopg import errors

        if self._link.closed and not self._link.broken:
            return StoreError(f"The memory of {self.path} is closed: open it again.")
        kind: type[StoreError] = StoreError
        if isinstance(error, errors.DiskFull):
            kind = DiskFull
        elif isinstance(error, errors.LockNotAvailable):
            return DatabaseLocked(f"{self.path} is in use by another process: {self.otherwise}.")
        elif isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            kind = DatabaseReadOnly
        return kind(f"PostgreSQL at {self.path} reported: {first_line(error)}; {self.otherwise}.")


def _read_numbers(link: psycopg.Connection[Any]) -> None:
    """Convert ``numeric``, the type of sums, as SQLite does: to int if it is whole."""
    from psycopg.types.numeric import NumericLoader

    class Number(NumericLoader):
        """An int, or a float if there is a fraction."""

        def load(self, data: Any) -> Any:
            """The number as Python's own."""
            found = super().load(data)
            return int(found) if found == found.to_integral_value() else float(found)

    link.adapters.register_loader("numeric", Number)
