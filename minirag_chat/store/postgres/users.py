"""The users of a database, managed by the owner of its tables; passwords are hashed by Argon2id."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Self

from minirag_chat.errors import BadSetting, DatabaseReadOnly, NotFound, StoreError
from minirag_chat.lazy_patterns import lazy
from minirag_chat.settings import is_address
from minirag_chat.store.full_text import Tokenizer
from minirag_chat.store.postgres.connection import ROLE, PostgresConnection
from minirag_chat.store.postgres.full_text import TsVectors
from minirag_chat.store.postgres.opening import allow_users, connect
from minirag_chat.store.rows import PERSONAL, marks
from minirag_chat.store.wiping import Wiping
from minirag_chat.system.installing import how_to_add

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST = 10  # characters of a password
_NAME = lazy(r"[^\W_][\w.@+-]{0,99}")
_PERSONAL = (
    "chats", "summaries", "slm_readings", "slm_entities", "deletions", "arrivals", "entities",
)  # fmt: skip
"""The tables whose rows have an owner, in an order that allows deleting."""
_UNWIPED = (
    "the deleted words stay in the tables' files until your next `minirag-chat index` wipes them"
)
NOBODY = "somebody unknown"  # logged for an unknown name, which may be a password typed into the wrong field


@dataclass(frozen=True, slots=True)
class User:
    """A user: how many chats they own, and how many others share with them."""

    name: str
    chats: int
    shared: int
    password: bool


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of the audit log; it never contains message text."""

    at: datetime
    user: str
    event: str
    detail: str


class Users:
    """Reads and writes users, as the owner of the tables."""

    def __init__(self, connection: PostgresConnection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, place: object) -> Self:
        """The users of a database. Raises ``StoreError``, also where it is a file."""
        if not is_address(place):
            raise StoreError(
                f"{place} is a file of SQLite, which is one person's: users need PostgreSQL, so copy it "
                f"with `minirag-chat move {shlex.quote(str(place))} postgresql://\u2026` and name that with "
                "--db (docs/users.md)."
            )
        return cls(connect(str(place), None))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- who there is ---------------------------------------------------------------------------------

    def all(self) -> list[User]:
        """All users."""
        rows = self._connection.execute(
            "SELECT u.name, (SELECT COUNT(*) FROM chats c WHERE c.owner = u.id), "
            "(SELECT COUNT(*) FROM shares s WHERE s.user_id = u.id), "
            "EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = u.id) FROM users u ORDER BY u.name"
        )
        return [User(*row) for row in rows]

    def events(self, limit: int) -> list[Event]:
        """The audit log, the latest first."""
        rows = self._connection.execute(
            "SELECT at, name, event, detail FROM audit ORDER BY id DESC LIMIT ?", (limit,)
        )
        return [Event(*row) for row in rows]

    # --- made and removed -----------------------------------------------------------------------------

    def add(self, name: str, password: str | None = None) -> bool:
        """Add a user; returns whether it is the first one, who then owns all existing chats.

        Without a password they can sign in through a proxy only. Raises ``BadSetting`` or ``StoreError``.
        """
        name = name.casefold()
        if not _NAME.fullmatch(name):
            raise BadSetting(
                f"{name!r} cannot be the name of a user: it has letters, digits and . _ @ + - only, and "
                "begins with a letter or digit."
            )
        hashed = None if password is None else hashed_password(password)
        with self._change():
            self._allow()
            first = not self._connection.has_users
            new = self._connection.insert(
                "INSERT INTO users (name) VALUES (?) ON CONFLICT DO NOTHING", (name,)
            )
            if new is None:
                raise StoreError(
                    f"There is a user {name} already: `users password` changes theirs."
                )
            if first:
                self._take_over(new)
            self._keep_password(new, hashed)
            self._note(name, "user added")
        return first

    def set_password(self, name: str, password: str | None) -> None:
        """Give a user another password; None takes it away. Raises ``NotFound`` or ``BadSetting``."""
        hashed = None if password is None else hashed_password(password)
        with self._change():
            self._keep_password(self._number(name), hashed)
            self._note(name, "password changed")

    def remove(self, name: str) -> StoreError | None:
        """Remove a user with all their chats and data derived from these. Raises ``NotFound``.

        Returns why their words are not wiped from the tables' files yet, or None if they are.
        """
        run = self._connection.execute
        wiping = Wiping(self._connection, TsVectors(self._connection, Tokenizer().each))
        with self._change():
            number = self._number(name)
            run(
                "DELETE FROM messages WHERE chat_id IN (SELECT id FROM chats WHERE owner = ?)",
                (number,),
            )
            for table in _PERSONAL:
                run(f"DELETE FROM {table} WHERE owner = ?", (number,))
            run("DELETE FROM meta WHERE key LIKE '% of user ' || ?::text", (number,))
            run("DELETE FROM users WHERE id = ?", (number,))
            self._note(name, "user removed")
            wiping.request()
        try:
            with self._connection.failing(_UNWIPED):
                wiping.settle(wiping.rewrite())
        except StoreError as error:  # it stays due
            return error
        return None

    # --- signing in -----------------------------------------------------------------------------------

    def check(self, name: str, password: str) -> bool:
        """Whether the password is the user's; takes as long if there is no such user."""
        from argon2.exceptions import Argon2Error, InvalidHashError

        known = self._connection.value(
            "SELECT p.hash FROM passwords p JOIN users u ON u.id = p.user_id WHERE u.name = ?",
            (name.casefold(),),
        )
        try:
            _hasher().verify(known or _dummy_hash(), password)
        except (Argon2Error, InvalidHashError):
            return False
        return known is not None

    def knows(self, name: str) -> bool:
        """Whether there is a user of this name."""
        return bool(
            self._connection.number("SELECT 1 FROM users WHERE name = ?", (name.casefold(),))
        )

    def signed_in(self, name: str, *, refused: bool = False) -> None:
        """Log a sign-in, or an attempt."""
        known = name.casefold() if self.knows(name) else NOBODY
        self._note(known, "sign-in refused" if refused else "signed in")

    # --- inside ---------------------------------------------------------------------------------------

    def _allow(self) -> None:
        try:
            allow_users(self._connection)
        except DatabaseReadOnly as error:
            raise StoreError(
                f"Users of {self._connection.path} need the role {ROLE}, which PostgreSQL does not let you "
                f"make: let its administrator run `CREATE ROLE {ROLE}; GRANT {ROLE} TO` and your own role, "
                "which must own the database."
            ) from error

    def _change(self) -> AbstractContextManager[None]:
        return self._connection.atomic(self._connection.begin_writing)

    def _number(self, name: str) -> int:
        number = self._connection.number("SELECT id FROM users WHERE name = ?", (name.casefold(),))
        if not number:
            raise NotFound(f"There is no user {name!r}: `minirag-chat users list` names them.")
        return number

    def _take_over(self, number: int) -> None:
        """Make the first user the owner of all existing rows."""
        for table in _PERSONAL:
            self._connection.execute(f"UPDATE {table} SET owner = ? WHERE owner = 0", (number,))
        self._connection.execute(
            f"UPDATE meta SET key = key || ' of user ' || ?::text WHERE key IN ({marks(PERSONAL)})",
            (number, *sorted(PERSONAL)),
        )

    def _keep_password(self, number: int, hashed: str | None) -> None:
        self._connection.execute("DELETE FROM passwords WHERE user_id = ?", (number,))
        if hashed is not None:
            self._connection.execute("INSERT INTO passwords VALUES (?, ?)", (number, hashed))

    def _note(self, name: str, event: str) -> None:
        self._connection.value("SELECT minirag_note(?, '', ?)", (event, name.casefold()))


def hashed_password(password: str) -> str:
    """The hash of a password. Raises ``BadSetting`` for a short one."""
    if len(password) < SHORTEST:
        raise BadSetting(f"The password is too short: it has {SHORTEST} characters or more.")
    return _hasher().hash(password)


@cache
def _dummy_hash() -> str:
    """The hash of a random password, so that an unknown name takes as long to check."""
    return _hasher().hash(token_urlsafe())


def _hasher() -> PasswordHasher:
    try:
        from argon2 import PasswordHasher
    except ImportError as error:
        raise StoreError(
            f"Passwords need a library that is not installed: run `{how_to_add('postgres')}`."
        ) from error
    return PasswordHasher()
