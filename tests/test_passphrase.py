"""The passphrase of a database: who may give it, where it is kept, and what a wrong one does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from encrypted import (
    LOG,
    MORE,
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
from typer.testing import CliRunner

from minirag_chat import Settings
from minirag_chat.cli import app, state
from minirag_chat.cli import encrypt as encrypt_commands
from minirag_chat.errors import (
    BadSetting,
    DatabaseDamaged,
    DatabaseEncrypted,
    DatabaseLocked,
    StoreError,
)
from minirag_chat.memory.encrypting import decrypt, encrypt
from minirag_chat.records import Report, silent
from minirag_chat.store import Store, driver
from minirag_chat.store.database_status import database_status, is_our_database
from minirag_chat.system import passphrase

pytestmark = pytest.mark.process

pytest.importorskip("sqlcipher3", reason="the extra `encrypted` is not installed")
keyring = pytest.importorskip("keyring", reason="the extra `encrypted` is not installed")

__all__ = ["nobody_says_it", "plain", "secret"]  # fixtures


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
    assert is_our_database(tmp_path / "b" / "chats.db")
    monkeypatch.delenv(passphrase.VARIABLE)
    assert not is_our_database(tmp_path / "b" / "chats.db")


def test_the_page_starts_whatever_became_of_the_passphrase_or_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_start = pytest.importorskip("minirag_chat.show.page_start", reason="no gradio")
    opened_samples: list[tuple[Path, bool, bool]] = []

    def no_launch(memory: Any, samples: Any, *, job: object, **_: object) -> None:
        ((_title, sample),) = samples
        info = sample.info()
        opened_samples.append((sample._store.path, info.encrypted, memory.info().encrypted))
        assert job is not None, "the sample is there to be read"
        sample.close()
        memory.close()

    def start() -> tuple[Path, bool, bool]:
        page_start.open_page(Settings(db=db, model_dir=tmp_path, model="extractive"))
        return opened_samples[-1]

    monkeypatch.setattr(page_start, "launch", no_launch)
    db, sample = tmp_path / "chats.db", tmp_path / "sample.db"
    monkeypatch.setenv(passphrase.VARIABLE, WORDS)
    assert start() == (sample, False, True), "the sample is public"
    with opened(other := tmp_path / "other.db"):
        pass
    decrypt(db)
    other.replace(sample)  # encrypted, as an earlier release did
    monkeypatch.setenv(passphrase.VARIABLE, WORDS.upper())
    assert start() == (Path(":memory:"), False, False)
    monkeypatch.delenv(passphrase.VARIABLE)
    monkeypatch.setattr(passphrase._PROCESS, "asker", lambda _path: pytest.fail("nobody is asked"))
    assert start() == (Path(":memory:"), False, False)


def test_a_passphrase_in_the_environment_that_encrypts_nothing_is_told_once(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, told = copy_of(plain, tmp_path), list[str]()
    Store.open(file, told.append).close()
    assert told == []
    monkeypatch.setenv(passphrase.VARIABLE, WORDS)
    Store.open(tmp_path / "new.db", told.append).close()
    assert told == [], "it is encrypted"
    for _ in range(2):
        Store.open(file, told.append).close()
    (said,) = told
    assert (
        said
        == f"{file} is not encrypted although {passphrase.VARIABLE} is set: run `minirag-chat encrypt`."
    )


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
    assert not database_status(file).encrypted


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
