"""The errors a caller may want to catch. Each message is one sentence with the remedy."""

from __future__ import annotations

from collections.abc import Sequence


class MiniRagChatError(Exception):
    """The root: catch this to catch all of ours. ``str(error)`` can be shown to a user."""

    def _render_traceback_(self) -> list[str]:
        """How IPython shows it: the sentence alone, which says what to do."""
        return [f"{type(self).__name__}: {self}"]


class ImportFailed(MiniRagChatError):
    """A file could not be imported."""


class UnknownFormat(ImportFailed):
    """No importer recognised the file; ``reasons`` say what each of them misses in it.

    ``problem`` is the sentence alone, for whom the reasons are shown beside it.
    """

    def __init__(self, problem: str, reasons: Sequence[str] = ()) -> None:
        more = " `minirag-chat inspect` says what each format misses in it." if reasons else ""
        super().__init__(f"{problem}{more}")
        self.problem = problem
        self.reasons = tuple(reasons)


class UnreadableFile(ImportFailed):
    """The file's bytes cannot be used: empty, cut off, too large, or not text."""


class ImportStopped(ImportFailed):
    """The user stopped the import before anything was added."""


class StoreError(MiniRagChatError):
    """The database could not be opened, read or written."""


class DatabaseTooNew(StoreError):
    """The database was written by a newer release."""


class DatabaseLocked(StoreError):
    """Another process is writing to the database."""


class DatabaseDamaged(StoreError):
    """The file is no database of ours, or is damaged."""


class DatabaseEncrypted(StoreError):
    """The database is encrypted, and its passphrase is not known or not right."""


class DiskFull(StoreError):
    """The disk has no room for what was to be written; the sentence says what was kept."""


class DatabaseReadOnly(StoreError):
    """The database cannot be written where it lies."""


class NotFound(MiniRagChatError):
    """There is no such message, chat or person."""

    @classmethod
    def database(cls, path: object) -> NotFound:
        """The error for a database file that does not exist."""
        return cls(f"There is no database at {path}: import with `minirag-chat add PATH`.")


class BadTime(NotFound):
    """A filter's time cannot be read, may mean two times, or has a time zone."""


class IndexMissing(MiniRagChatError):
    """A way of retrieval needs an index that is not there, or is older than the messages."""


class BadQuestion(MiniRagChatError):
    """The question cannot be asked as written.

    It is empty, too long, has a date that is ambiguous or does not exist, or asks for an overview of a
    chat that does not exist.
    """


class BadDeletion(MiniRagChatError):
    """It is not said, or not clearly, what to delete."""


class EmptyMemory(MiniRagChatError):
    """Nothing has been imported yet."""


class ModelError(MiniRagChatError):
    """A language model or an embedder could not be used."""


class ModelMissing(ModelError):
    """The model is not on this machine."""


class ModelCorrupt(ModelError):
    """The model's file has a wrong SHA-256 or cannot be read."""


class ModelTooLarge(ModelError):
    """The model does not fit this machine's memory."""


class ModelServerError(ModelError):
    """The model server failed, or cannot be reached."""


class TooManyWaiting(MiniRagChatError):
    """Too many questions wait for an answer already: ask again later."""


class BadSetting(MiniRagChatError):
    """A setting is unknown or has an invalid value."""


def first_line(error: object) -> str:
    """The first line of what a library says of its error; its type's name where it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
