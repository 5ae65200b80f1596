"""An encrypted database: how it becomes one, what is not in its files, and what a kill leaves."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import run_command
from encrypted import (
    SECRET,
    WORDS,
    command,
    copy_of,
    nobody_says_it,
    opened,
    plain,
    reads,
    secret,
)
from places import write_log
from stored import contents
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.errors import (
    DatabaseDamaged,
    DatabaseEncrypted,
    DatabaseLocked,
)
from minirag_chat.memory.encrypting import change, decrypt, encrypt
from minirag_chat.records import Progress
from minirag_chat.store import Store, driver
from minirag_chat.store.sidecar_files import in_the_making, to_wipe
from minirag_chat.system import passphrase
from minirag_chat.system.passphrase import Passphrase

pytestmark = pytest.mark.process

pytest.importorskip("sqlcipher3", reason="the extra `encrypted` is not installed")

KILLS = int(os.environ.get("MINIRAG_CHAT_TEST_KILLS", "6"))
FORK = multiprocessing.get_context("fork")

__all__ = ["nobody_says_it", "plain", "secret"]  # fixtures


def test_no_word_of_a_message_is_in_any_file(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path / "data")
    more = {"20260401_1000": (f"KatyaMoor: Another {SECRET} for you.", "NinaVale: Thank you!")}
    with opened(file, passphrase=WORDS) as memory:
        memory.add(write_log(tmp_path / "log", more))
        memory.rate(memory.ask(f"Where is the {SECRET} number 41?"), liked=True)
        memory.delete(people=["NinaVale"])
        assert {each.name for each in file.parent.iterdir()} > {"chats.db", "chats.db-wal"}
        for word in (SECRET, "secretvill", "katyamoor", "create table", "sqlite format"):
            assert word not in reads(file), word
        proof = memory.delete(messages=[1], prove=True).proof
        assert proof is not None
        assert proof.clean
        assert proof.words + proof.texts + proof.known
    assert SECRET not in reads(file)


def test_encrypting_and_decrypting_keep_everything_and_leave_nothing(
    plain: Path, tmp_path: Path
) -> None:
    file = copy_of(plain, tmp_path / "data")
    modes: set[int] = set()

    def look(_: Progress) -> None:
        modes.update(stat.S_IMODE(each.stat().st_mode) for each in file.parent.glob("*.rewriting*"))

    before, old = contents(file.parent), file.stat().st_ino
    file.chmod(0o644)
    encrypt(file, WORDS, look)
    assert modes <= {0o600}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["chats.db"]
    assert file.stat().st_ino != old
    assert SECRET not in reads(file)
    change(file, "a new one for it")
    passphrase.give(file, None)
    with pytest.raises(DatabaseEncrypted):
        opened(file, passphrase=WORDS)
    passphrase.give(file, "a new one for it")
    decrypt(file)
    assert contents(file.parent) == before
    assert [each.name for each in file.parent.iterdir()] == ["chats.db"]


def nameless_files() -> dict[str, bytes]:
    """SQLite's temporary files, which this process has open under no name."""
    found = {}
    for each in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the folder itself
            if "etilqs" in (name := str(each.readlink())):
                found[name] = each.read_bytes()
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are not shown")
@pytest.mark.parametrize("kind", ["plain", "secret"])
@pytest.mark.parametrize("memory", [False, True])
def test_the_copy_that_a_wiping_makes_is_nowhere_readable(
    plain: Path,
    secret: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    *,
    memory: bool,
) -> None:
    """In memory, or where that is short in a file that has no name."""
    file = copy_of({"plain": plain, "secret": secret}[kind], tmp_path / "data")
    if not memory:
        monkeypatch.setattr("minirag_chat.store.connection.MEMORY_SHARE", 0)
    copies: dict[str, bytes] = {}
    with Store.open(file, passphrase=WORDS if kind == "secret" else None) as store:

        def look() -> int:
            copies.update(nameless_files())
            return 0

        store.connection.execute("PRAGMA cache_size = 5")  # of pages: what is copied is written
        store.connection.set_progress_handler(look, 1000)
        store.compact()
        store.connection.set_progress_handler(None, 0)
        (stem,) = store.stems([SECRET])
        assert len(store.text.messages_with(stem)) == 28 * 12, "the search still works"
    assert bool(copies) is not memory
    assert all("(deleted)" in name for name in copies)
    written = max(copies.values(), key=len, default=b"")
    assert memory or len(written) > file.stat().st_size / 2
    assert (SECRET.encode() in written) is (kind == "plain" and not memory)


def encrypted_in_another_process(file: Path) -> None:
    encrypt(file, WORDS)


def decrypted_in_another_process(file: Path) -> None:
    passphrase.give(file, WORDS)
    decrypt(file)


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
def test_a_kill_leaves_a_database_that_opens(
    plain: Path, secret: Path, tmp_path: Path, way: str
) -> None:
    begin = plain if way == "encrypt" else secret
    work = encrypted_in_another_process if way == "encrypt" else decrypted_in_another_process
    draw = random.Random(18)  # noqa: S311 - no secret
    whole = run_killed(work, copy_of(begin, tmp_path / "whole"), None)
    states = set()
    for kill in range(KILLS):
        file = copy_of(begin, tmp_path / f"{kill}")
        run_killed(work, file, draw.uniform(0.05, 1.0) * whole)
        left = {each.name for each in file.parent.iterdir()} - {"chats.db"}
        passphrase.give(file, WORDS if driver.is_encrypted(file) else None)
        with Store.open(file) as store:
            states.add((driver.is_encrypted(file), bool(left)))
            assert store.messages.count() == 28 * 12
            assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert [each.name for each in file.parent.iterdir()] == ["chats.db"], left
        assert (SECRET in reads(file)) is not driver.is_encrypted(file)
    assert states


def run_killed(work: Any, file: Path, seconds: float | None) -> float:
    """Run it in another process, killed after ``seconds``; returns how long it took."""
    begun = time.monotonic()
    process = FORK.Process(target=work, args=(file,))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    return time.monotonic() - begun


@pytest.mark.parametrize("moment", ["before the new name", "before the wiping"])
def test_what_a_kill_left_is_wiped_by_whoever_opens_it_next(
    plain: Path, secret: Path, tmp_path: Path, moment: str
) -> None:
    file = copy_of(plain if moment == "before the new name" else secret, tmp_path)
    kept = tmp_path.parent / f"{tmp_path.name}-kept"  # the same file: what is overwritten shows
    shutil.copyfile(plain, to_wipe(file))
    os.link(to_wipe(file), kept)
    if moment == "before the new name":
        to_wipe(file).unlink()
        os.link(file, to_wipe(file))
        shutil.copyfile(secret, in_the_making(file))
    with Store.open(file, passphrase=WORDS if moment == "before the wiping" else None) as store:
        assert store.messages.count() == 28 * 12
    assert [each.name for each in tmp_path.iterdir()] == ["chats.db"]
    assert (SECRET.encode() in kept.read_bytes()) is (moment == "before the new name")


def test_a_database_that_is_open_elsewhere_is_left_as_it_is(plain: Path, tmp_path: Path) -> None:
    file = copy_of(plain, tmp_path)
    with Store.open(file), pytest.raises(DatabaseLocked, match="by this program: close pages"):
        encrypt(file, WORDS)
    holds, ends = FORK.Event(), FORK.Event()

    def hold() -> None:
        with Store.open(file):
            holds.set()
            ends.wait(300)

    process = FORK.Process(target=hold)
    process.start()
    assert holds.wait(300)
    try:
        with pytest.raises(DatabaseLocked, match="by another process: close pages"):
            encrypt(file, WORDS)
    finally:
        ends.set()
        process.join()
    assert [each.name for each in tmp_path.iterdir()] == ["chats.db"]
    encrypt(file, WORDS)
    assert SECRET not in reads(file)


def test_a_damaged_page_is_one_clear_sentence(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path)
    data = bytearray(file.read_bytes())
    for page in range(len(data) // 2 // 4096, len(data) // 4096):
        data[page * 4096 + 100] ^= 1
    file.write_bytes(data)
    with pytest.raises(DatabaseDamaged, match="is damaged"):
        opened(file, passphrase=WORDS).messages()


def test_the_commands_encrypt_say_so_and_decrypt(plain: Path, tmp_path: Path) -> None:
    file = copy_of(plain, tmp_path)
    mine = {passphrase.VARIABLE: WORDS}
    refused = command(file, "encrypt")
    assert refused.returncode == 1
    assert "set MINIRAG_CHAT_PASSPHRASE" in refused.stderr
    assert command(file, "encrypt", "--json", **mine).returncode == 0
    assert json.loads(command(file, "info", "--json", **mine).stdout)["encrypted"] is True
    locked = command(file, "info", "--json")
    assert locked.returncode == 1
    assert json.loads(locked.stdout)["type"] == "DatabaseEncrypted"
    assert "Traceback" not in locked.stderr
    new = {passphrase.NEXT_VARIABLE: "another one of mine"}
    assert command(file, "passphrase", "change", **mine, **new).returncode == 0
    back = command(file, "decrypt", "--yes", **{passphrase.VARIABLE: "another one of mine"})
    assert back.returncode == 0
    assert SECRET in reads(file)


def test_the_journal_of_a_killed_process_goes_with_the_next_opening(plain: Path) -> None:
    journal = plain.with_name(f"{plain.name}-journal")
    journal.write_bytes(bytes(512) + SECRET.encode())
    with Store.open(plain) as store:
        assert store.messages.count() == 28 * 12
    assert not journal.exists()


PLANTED: dict[str, Callable[[Any], object]] = {
    "a value": lambda c: c.execute("INSERT INTO meta VALUES ('left', 'the xylophone77 number')"),
    "free pages": lambda c: c.executescript(
        "CREATE TABLE left (text); INSERT INTO left VALUES (hex(zeroblob(9000))); DROP TABLE left"
    ),
}


@pytest.mark.parametrize("place", PLANTED)
def test_the_proof_is_as_strict_where_the_file_is_encrypted(
    secret: Path, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    passphrase.give(file := copy_of(secret, tmp_path / place), WORDS)
    with opened(file) as memory:
        first = memory.delete(messages=[1], prove=True).proof
        wipe = memory._store.wipe

        def wipe_and_plant() -> None:
            wipe()
            PLANTED[place](memory._store.connection)

        monkeypatch.setattr(memory._store, "wipe", wipe_and_plant)
        second = memory.delete(everything=True, prove=True).proof
    assert first is not None
    assert first.leaks == ()
    assert second is not None
    told = " ".join(f"{leak.form}: {leak.text}" for leak in second.leaks)
    assert {"a value": SECRET, "free pages": "free pages"}[place] in told


def test_decrypting_without_a_terminal_says_how_to_confirm(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path)
    told = command(file, "decrypt", **{passphrase.VARIABLE: WORDS})
    assert told.returncode == 1
    assert "--yes" in told.stderr
    assert driver.is_encrypted(file)


def test_a_copy_of_an_encrypted_database_is_encrypted_too(
    secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The passphrase is in the keyring, or typed: nothing says it for a new file."""
    file = copy_of(secret, tmp_path)
    copy = tmp_path / "copy" / "backup.db"
    monkeypatch.setattr(
        passphrase, "remembered", lambda path: Passphrase(WORDS, "kept") if path == file else None
    )
    ended = CliRunner().invoke(app, ["move", str(file), str(copy)])
    passphrase.give(copy, None)
    assert ended.exit_code == 0
    assert "encrypted too, with the passphrase of" in ended.output
    assert SECRET not in reads(copy)
    with Store.open(copy, passphrase=WORDS) as store, store.reading():
        assert store.connection.execute("SELECT COUNT(*) FROM messages").fetchone()[0]
    passphrase.give(copy, None)


def test_an_encrypted_database_is_not_copied_into_a_plain_file(
    secret: Path, tmp_path: Path
) -> None:
    plain_copy = tmp_path / "plain.db"
    Store.open(plain_copy).close()
    ended = run_command(
        "move", str(secret), str(plain_copy), environment={passphrase.VARIABLE: WORDS}
    )
    assert ended.returncode == 1
    assert "is not: name a file that is not there yet" in ended.stderr
    assert SECRET not in plain_copy.read_bytes().decode("latin-1").lower()


def test_through_a_link_the_database_itself_is_rewritten(plain: Path, tmp_path: Path) -> None:
    """It stays on the disk that its owner chose, and the link goes on leading to it."""
    vault = tmp_path / "vault"
    vault.mkdir()
    real, link = copy_of(plain, vault), tmp_path / "chats.db"
    link.symlink_to(real)
    for step in (lambda: encrypt(link, WORDS), lambda: change(link, WORDS * 2)):
        step()
        assert link.is_symlink()
        assert driver.is_encrypted(real)
        with opened(link) as memory:
            assert memory.search(SECRET)
    decrypt(link)
    assert link.is_symlink()
    assert not driver.is_encrypted(real)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chats.db", "vault"]
    assert [path.name for path in vault.iterdir()] == ["chats.db"]


def test_where_no_keyring_keeps_it_one_document_says_both(plain: Path, tmp_path: Path) -> None:
    file = copy_of(plain, tmp_path)
    done = command(
        file, "encrypt", "--remember", "--json",
        MINIRAG_CHAT_PASSPHRASE=WORDS, PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring",
    )  # fmt: skip
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert said["encrypted"] == str(file)
    assert "keyring" in said["error"]
