"""An encrypted database: who can read it, how it becomes one, and what a kill leaves."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import run_command
from fakes import ScriptedModel, WordEmbedder
from places import write_log
from stored import contents, raw
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app, state
from minirag_chat.cli import encrypt as encrypt_commands
from minirag_chat.errors import (
    BadSetting,
    DatabaseDamaged,
    DatabaseEncrypted,
    DatabaseLocked,
    StoreError,
)
from minirag_chat.memory.encrypting import change, decrypt, encrypt
from minirag_chat.records import Progress, Report, silent
from minirag_chat.store import Store, driver
from minirag_chat.store.look import is_ours, look_at
from minirag_chat.store.sidecar_files import in_the_making, to_wipe
from minirag_chat.system import passphrase
from minirag_chat.system.passphrase import Passphrase

pytestmark = pytest.mark.process

pytest.importorskip("sqlcipher3", reason="the extra `encrypted` is not installed")
keyring = pytest.importorskip("keyring", reason="the extra `encrypted` is not installed")

WORDS = "correct horse battery"
SECRET = "xylophone77"  # noqa: S105 - no secret
KILLS = int(os.environ.get("MINIRAG_CHAT_TEST_KILLS", "6"))
FORK = multiprocessing.get_context("fork")
LOG = {
    f"202603{day:02}_1000": tuple(
        f"{who}: The {SECRET} number {day * 20 + n} lies in Secretville."
        for n, who in enumerate(("KatyaMoor", "NinaVale") * 6)
    )
    for day in range(1, 29)
}

MORE = {"20260401_1000": ("KatyaMoor: A word for you.", "NinaVale: Thank you!")}


@pytest.fixture(autouse=True)
def nobody_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No passphrase comes from where the tests run."""
    monkeypatch.delenv(passphrase.VARIABLE, raising=False)
    monkeypatch.setattr(passphrase, "remembered", lambda _: None)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    with opened(folder / "chats.db") as memory:
        memory.add(write_log(folder / "log", LOG))
    assert SECRET.encode() in raw(folder / "chats.db")
    return folder / "chats.db"


@pytest.fixture(scope="module")
def secret(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("secret") / "chats.db"
    shutil.copyfile(plain, file)
    encrypt(file, WORDS)
    passphrase.give(file, None)
    return file


def opened(file: Path, **options: Any) -> ChatMemory:
    chosen = Settings(db=file, model="extractive", model_dir=file.parent)
    return ChatMemory.open(
        file, chosen, embedder=WordEmbedder(), chat_model=ScriptedModel(), **options
    )


def copy_of(file: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copyfile(file, folder / "chats.db")
    return folder / "chats.db"


def reads(file: Path) -> str:
    """All bytes in a folder, in lower case, as a search for strings sees them."""
    found = b"\0".join(each.read_bytes() for each in file.parent.iterdir())
    return found.decode("latin-1").lower()


def command(file: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    no_keyring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring", "COLUMNS": "300"}
    return run_command("--db", str(file), *words, environment={**no_keyring, **environment})


def test_it_opens_only_with_its_passphrase(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path)
    with pytest.raises(DatabaseEncrypted, match="passphrase is not known: set MINIRAG_CHAT_PASS"):
        opened(file)
    with pytest.raises(DatabaseEncrypted, match="does not open with the passphrase that was given"):
        opened(file, passphrase=WORDS.upper())
    with pytest.raises(DatabaseEncrypted, match="not known"):
        opened(file)  # a wrong one is not kept
    with opened(file, passphrase=WORDS) as memory:
        assert memory.info().encrypted
        assert len(memory.search(SECRET)) > 0
        assert memory.ask(f"Where is the {SECRET} number 41?").sources


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


def test_a_new_database_is_encrypted_where_a_passphrase_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "a" / "chats.db", passphrase=WORDS) as memory:
        assert memory.info().encrypted
    monkeypatch.setenv(passphrase.VARIABLE, WORDS)
    with opened(tmp_path / "b" / "chats.db") as memory:
        memory.add(write_log(tmp_path / "log", LOG))
        assert SECRET not in reads(tmp_path / "b" / "chats.db")
    assert passphrase.VARIABLE not in passphrase.environment_without_passphrases()
    assert is_ours(tmp_path / "b" / "chats.db")
    monkeypatch.delenv(passphrase.VARIABLE)
    assert not is_ours(tmp_path / "b" / "chats.db")


def test_a_plain_database_is_not_taken_for_an_encrypted_one(plain: Path, tmp_path: Path) -> None:
    file = copy_of(plain, tmp_path)
    with pytest.raises(StoreError, match="is not encrypted, so it needs no passphrase"):
        opened(file, passphrase=WORDS)
    with opened(file) as memory:
        with pytest.raises(StoreError, match="is not encrypted, so it needs no passphrase"):
            opened(file, passphrase=WORDS)
        memory.add(write_log(tmp_path / "log", MORE))  # it opens the file once more
    with pytest.raises(StoreError, match="is not encrypted: `minirag-chat encrypt`"):
        decrypt(file)
    with pytest.raises(BadSetting, match="at least 8 characters"):
        encrypt(file, "short")
    (tmp_path / "text.db").write_text("no database " * 1000)
    with pytest.raises(DatabaseDamaged):
        Store.open(tmp_path / "text.db")
    assert not look_at(file).encrypted


def test_an_opening_that_failed_leaves_the_passphrase_to_those_who_have_the_file_open(
    secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise DatabaseLocked("It is being written.")

    file = copy_of(secret, tmp_path)
    with opened(file, passphrase=WORDS) as memory:
        with pytest.raises(DatabaseEncrypted, match="that was given"):
            opened(file, passphrase=WORDS.upper())
        with monkeypatch.context() as patch:
            patch.setattr(driver, "unlock", busy)
            with pytest.raises(DatabaseLocked):
                opened(file)
        assert memory.add(write_log(tmp_path / "log", MORE)).messages_added
    with opened(file) as memory:
        assert memory.info().encrypted


def test_a_database_that_could_not_be_made_has_no_passphrase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    file = tmp_path / "chats.db"
    for make in (lambda: opened(file, passphrase=WORDS), lambda: encrypt(file, WORDS)):
        with monkeypatch.context() as patch:
            patch.setattr("minirag_chat.store.opening._migrate", full)
            with pytest.raises(StoreError, match="disk is full"):
                make()
        file.unlink()
        with opened(file) as memory:
            assert not memory.info().encrypted
        file.unlink()


def test_a_passphrase_that_was_typed_wrong_is_asked_for_again(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path)
    answers = iter(("another passphrase", WORDS))
    passphrase.ask_with(lambda _: next(answers))
    try:
        with pytest.raises(DatabaseEncrypted, match="that was typed"):
            opened(file)
        opened(file).close()
        opened(file).close()  # kept
    finally:
        passphrase.ask_with(None)


def test_a_damaged_page_is_one_clear_sentence(secret: Path, tmp_path: Path) -> None:
    file = copy_of(secret, tmp_path)
    data = bytearray(file.read_bytes())
    for page in range(len(data) // 2 // 4096, len(data) // 4096):
        data[page * 4096 + 100] ^= 1
    file.write_bytes(data)
    with pytest.raises(DatabaseDamaged, match="is damaged"):
        opened(file, passphrase=WORDS).messages()


def test_the_keyring_keeps_the_passphrase(
    secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.delenv(passphrase.VARIABLE, raising=False)
    file = copy_of(secret, tmp_path)
    before = keyring.get_keyring()
    keyring.set_keyring(Ring())
    try:
        passphrase.remember(file, WORDS)
        with opened(file) as memory:
            assert memory.info().messages == 28 * 12
        assert passphrase.forget(file)
        assert not passphrase.forget(file)
        with pytest.raises(DatabaseEncrypted, match="not known"):
            opened(file)
        keyring.set_keyring(keyring.backends.fail.Keyring())
        with pytest.raises(BadSetting, match="no keyring that could keep"):
            passphrase.remember(file, WORDS)
        assert passphrase.remembered(file) is None
    finally:
        keyring.set_keyring(before)


class Ring(keyring.backend.KeyringBackend):  # type: ignore[misc, name-defined]  # an extra without types here
    """A keyring in memory, behind the library's own protocol."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


def test_without_the_library_it_says_what_to_install(
    secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "cipher_there", lambda: False)
    driver._cipher.cache_clear()
    passphrase.give(secret, WORDS)
    with pytest.raises(DatabaseEncrypted, match=r"minirag-chat\[encrypted\]"):
        Store.open(secret)
    passphrase.give(secret, None)
    driver._cipher.cache_clear()


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


@pytest.mark.parametrize("words", [("decrypt", "--yes"), ("passphrase", "change")])
def test_no_progress_bar_is_drawn_over_the_question_for_the_passphrase(
    secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    drawn: list[bool] = []
    covered: list[bool] = []

    @contextmanager
    def bar(*, quiet: bool) -> Iterator[Report]:
        drawn.append(quiet)
        yield silent
        drawn.pop()

    def asked(_path: Path, _question: str = "") -> str:
        covered.append(bool(drawn))
        return WORDS

    monkeypatch.setattr(encrypt_commands, "progress_bar", bar)
    monkeypatch.setattr(state, "ask_passphrase", asked)
    monkeypatch.setenv(passphrase.NEXT_VARIABLE, "another one of mine")
    file = copy_of(secret, tmp_path)
    try:
        ended = CliRunner().invoke(app, ["--db", str(file), *words])
    finally:
        passphrase.ask_with(None)
        passphrase.give(file, None)
    assert ended.exit_code == 0
    assert covered == [False]


def test_an_encrypted_database_is_not_asked_for_another_passphrase_to_encrypt_it(
    secret: Path, tmp_path: Path
) -> None:
    told = command(copy_of(secret, tmp_path), "encrypt")
    assert told.returncode == 1
    assert "encrypted already" in told.stderr


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
