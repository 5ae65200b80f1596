"""psycopg's connection, whose every failure is one of our errors: one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
)
from minirag_chat.store.connection import UNCHANGED
from minirag_chat.store.postgres import workers
from minirag_chat.store.postgres.dialect import bound, counted, many_rows, translated
from minirag_chat.store.rows import marks
from minirag_chat.store.sql import TABLES, Work
from minirag_chat.system.installing import how_to_add

if TYPE_CHECKING:
    import psycopg

ROLE = "minirag_chat"  # whose sight row-level security narrows; see users.sql
_SEEN = "minirag_seen"  # the schema of what users see otherwise than the tables have it
_FULL_TEXT = ("message_text", "message_text_waiting")
BLOCK = 1000  # rows that are written at once
TOGETHER = 20  # of them, by one statement
WRITING = 0x6D696E69  # the advisory lock of whoever changes something


def reach(address: str) -> PostgresConnection:
    """A connection to the database at an address, of which nothing is changed. Raises ``StoreError``."""
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
    except psycopg.Error as error:
        raise StoreError(
            f"PostgreSQL at {shown(address)} cannot be reached ({_first_line(error)}): see whether it "
            "runs, and whether the address, the user and the password are right."
        ) from error
    _read_numbers(link)
    return link


def shown(address: str) -> str:
    """An address without its password. Raises ``StoreError`` where it is none."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        found = conninfo_to_dict(address)
    except psycopg.Error:
        raise StoreError(  # what it says may have the password
            "The address of the database is not written as PostgreSQL's are: "
            "postgresql://user@host:5432/database."
        ) from None
    where = found.get("host") or "this machine"
    return f"{where}, database {found.get('dbname') or found.get('user') or 'of the user'}"


class PostgresConnection:
    """A connection that the tables use as SQLite's. A change is one's at a time, as there."""

    as_list = "STRING_AGG(({})::text, ',')"
    encrypted = False

    def __init__(self, address: str, link: psycopg.Connection[Any]) -> None:
        self.address = address
        self.path = Path(shown(address))
        self.otherwise = UNCHANGED
        self.user = 0  # the number of the user who asks
        self.user_name = ""
        self.only_own = False  # whether this transaction sees nothing that others share
        self._schema = ""
        self._link = link
        self._written = 0
        self._changes = 0  # that this connection made, and ``revision`` counts
        self._writes = False

    # --- statements -----------------------------------------------------------------------------------

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        """Run a statement. Raises ``StoreError`` and its children."""
        import psycopg

        if sql == "COMMIT" and self._writes:
            self._count()
        try:
            cursor = self._link.execute(
                translated(counted(sql)).encode(), bound(parameters) if parameters else None
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

        Rows that are only inserted go many to a statement: the server then takes half as long.
        """
        import psycopg

        cursor = self._link.cursor()
        rows = iter(parameters)
        while block := list(islice(rows, BLOCK)):  # they may ask this connection
            try:
                if many_rows(sql, 1) is None:
                    cursor.executemany(
                        translated(counted(sql)).encode(), [bound(row) for row in block]
                    )
                    self._written += max(cursor.rowcount, 0)
                    continue
                for start in range(0, len(block), TOGETHER):
                    some = block[start : start + TOGETHER]
                    statement = translated(counted(many_rows(sql, len(some)) or sql)).encode()
                    cursor.execute(statement, bound([value for row in some for value in row]))
                    self._written += max(cursor.rowcount, 0)
            except (psycopg.Error, UnicodeEncodeError) as error:
                raise self._ours(error) from error
        return cursor

    def insert(self, sql: str, parameters: Any = ()) -> int | None:
        """Insert a row; returns its id, or None where the statement leaves out what is there already."""
        rows = self.execute(f"{sql} RETURNING id", parameters).fetchall()
        self._written += len(rows)
        return int(rows[0][0]) if rows else None

    def new(self, sql: str, parameters: Any = ()) -> int:
        """Insert a row that is not there; returns its id."""
        identity = self.insert(sql, parameters)
        if identity is None:
            raise StoreError(f"The database {self.path} did not take a row; {self.otherwise}.")
        return identity

    def later(self, column: str, seconds: str) -> str:
        """A column with a time in ISO's form, so many seconds later: the parameter is "-60 seconds"."""
        moved = f"{column}::timestamp + {seconds}::interval"
        return f"to_char({moved}, 'YYYY-MM-DD\"T\"HH24:MI:SS')"

    # --- transactions -----------------------------------------------------------------------------------

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        from psycopg.pq import TransactionStatus

        status = self._link.info.transaction_status
        return status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)  # not connected

    def begin_reading(self, *, only_own: bool = False) -> None:
        """Let all statements until COMMIT see one state of the database, or only what is one's own in it."""
        self._link_again()
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        if only_own:
            self._see_only_own()

    def begin_writing(self) -> None:
        """Begin a change. Raises ``DatabaseLocked`` where another process is in the middle of one."""
        self._link_again()
        self.execute("BEGIN")
        (ours,) = self.execute(f"SELECT pg_try_advisory_xact_lock({WRITING})").fetchone()
        if not ours:
            self.execute("ROLLBACK")
            raise DatabaseLocked(
                f"{self.path} is being written by another process: wait for it to finish, then try "
                f"again; {self.otherwise}."
            )
        self._writes = True
        self._see_only_own()

    def at_once(self) -> nullcontext[None]:
        """Inside, what another process holds is an error at once; here it always is."""
        return nullcontext()

    @contextmanager
    def failing(self, otherwise: str) -> Iterator[None]:
        """What is true where a statement of the block fails."""
        before, self.otherwise = self.otherwise, otherwise
        try:
            yield
        finally:
            self.otherwise = before

    def _link_again(self) -> None:
        """Connect anew where the server ended the connection, as when it was restarted."""
        if self._link.broken:
            self._link = _linked(self.address)
            if self.user:
                self._take_role()

    def _count(self) -> None:
        """Count the change that is about to be kept, so that others know of it."""
        self._link.execute("UPDATE revision SET number = number + 1")
        self._changes += 1

    def changes(self) -> tuple[int, int]:
        """What counts the changes of others, and what counts our own."""
        (number,) = self.execute("SELECT number FROM revision").fetchone()
        return int(number) - self._changes, self._written

    @property
    def own_changes(self) -> int:
        """How many rows this connection wrote."""
        return self._written

    # --- users ------------------------------------------------------------------------------------------

    def act_as(self, user: str | None) -> None:
        """See and change what a user may from now on; see ``connect``."""
        if user is None:
            return
        if not user:
            if self.has_users:
                raise StoreError(
                    f"{self.path} has users: say who you are with --user NAME or MINIRAG_CHAT_USER."
                )
            return
        row = self.execute(
            "SELECT id, current_schema() FROM users WHERE name = ?", (user.casefold(),)
        ).fetchone()
        if row is None:
            raise NotFound(
                f"{self.path} has no user {user!r}: `minirag-chat users list` names them, and "
                "`minirag-chat users add NAME` makes one."
            )
        self.user, self._schema = row
        self.user_name = user.casefold()
        self._take_role()

    @property
    def has_users(self) -> bool:
        """Whether several people have chats in it."""
        return self.execute("SELECT 1 FROM users LIMIT 1").fetchone() is not None

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

    def claim(self, work: Work, ids: Sequence[int]) -> list[int]:
        """Those that no other process has claimed for this work, now ours; a killed one has none."""
        return workers.claim(self, work, ids)

    def release(self, work: Work, ids: Sequence[int]) -> None:
        """Give up claims."""
        workers.release(self, work, ids)

    def tell(self, work: Work | None, done: int = 0, a_second: float = 0.0) -> None:
        """Let others see what this process does and how far it is, as long as it lives."""
        workers.tell(self, work, done, a_second)

    def told(self) -> list[tuple[Work, int, float]]:
        """What the processes at work on this database say of themselves, this one too."""
        return workers.told(self)

    def survey(self, table: str) -> None:
        """Let the planner know what is in a table of which much was written in this transaction."""
        self.execute(f"ANALYZE {table}")  # a role that does not own it is warned, and no more

    def highest(self, table: str) -> int:
        """The highest id that a row of a table ever had; it may be deleted, or in the trash."""
        (sequence,) = self.execute(f"SELECT pg_get_serial_sequence('{table}', 'id')").fetchone()
        (last, used) = self.execute(f"SELECT last_value, is_called FROM {sequence}").fetchone()
        (found,) = self.execute(f"SELECT COALESCE(MAX(id), 0) FROM {table}").fetchone()
        return max(int(last) if used else 0, int(found))

    def count_on(self, table: str, highest: int) -> None:
        """Let new rows of a table have higher ids."""
        if highest := max(highest, self.highest(table)):
            self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), ?)", (highest,))

    def tables(self) -> list[str]:
        """The tables that have what people wrote, but for the full text."""
        return list(TABLES)

    def own_names(self) -> list[str]:
        """What the program itself calls tables and columns."""
        rows = self.execute(
            "SELECT table_name || ' ' || column_name FROM information_schema.columns "
            f"WHERE table_schema = ANY(current_schemas(FALSE)) AND table_name IN ({marks(TABLES)})",
            TABLES,
        )
        return [row[0] for row in rows]

    @property
    def can_write_anew(self) -> bool:
        """Whether this is the tables' owner; others leave it to the owner's next command."""
        (owns,) = self.execute(
            "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class "
            "WHERE oid = 'messages'::regclass"
        ).fetchone()
        return bool(owns)

    def free_pages(self) -> int:
        """Pages that nothing of the database is in: none that this program could see."""
        return 0

    def whole(self) -> bool:
        """PostgreSQL looks after its files itself."""
        return True

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""
        (size,) = self.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(size)

    def write_anew(self) -> None:
        """Write the tables without what was deleted from them."""
        if self.user:
            self.execute("RESET ROLE")
        try:
            self.execute(f"VACUUM FULL {', '.join((*TABLES, *_FULL_TEXT))}")
        finally:
            if self.user:
                self._take_role()

    def empty_log(self) -> bool:
        """The log is the server's."""
        return True

    def set_progress_handler(self, handler: Callable[[], int] | None, n: int, /) -> None:
        """Nothing: PostgreSQL does not say how far a statement is."""

    def close(self) -> None:
        """Close it. Closing twice is fine."""
        self._link.close()

    def _ours(self, error: Exception) -> StoreError:
        from psycopg import errors

        kind: type[StoreError] = StoreError
        if isinstance(error, errors.DiskFull):
            kind = DiskFull
        elif isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            kind = DatabaseReadOnly
        return kind(f"PostgreSQL at {self.path} reported: {_first_line(error)}; {self.otherwise}.")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _read_numbers(link: psycopg.Connection[Any]) -> None:
    """Sums come as ``numeric``: read them as SQLite gives them, as int where they are whole."""
    from psycopg.types.numeric import NumericLoader

    class Number(NumericLoader):
        """An int, or a float where there is a fraction."""

        def load(self, data: Any) -> Any:
            """The number as Python's own."""
            found = super().load(data)
            return int(found) if found == found.to_integral_value() else float(found)

    link.adapters.register_loader("numeric", Number)
