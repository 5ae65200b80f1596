"""Reads conversations with an assistant: trees with branches that edits and retries have left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from minirag_chat.importers.base import as_text
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import Path
from minirag_chat.importers.limits import LONGEST_TEXT
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage
from minirag_chat.ui_text import cut

_LONGEST_SHOWN = 60
_MOST_TEXT = 64_000_000  # characters of one conversation, which is in memory as a whole
_ROOTS = ("", "client-created-root", "00000000-0000-4000-8000-000000000000")


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a conversation, on any branch.

    If ``sent_at`` is None, the message gets the time of the one before it.
    """

    place: str
    sender: str
    text: str
    sent_at: datetime | None
    files: tuple[Attachment, ...] = ()


class Branches:
    """The messages of one conversation by id; None for nodes without a message.

    If a message's parent is missing, the message before it in the file is its parent, so that messages before
    damaged data stay on the branch.
    """

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._said: dict[str, Said | None] = {}
        self._parents: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._last = self._newest = ""
        self._newest_at: datetime | None = None
        self._size = 0

    def add(self, identity: str, parent: str, said: Said | None) -> None:
        """Add the next message of the file."""
        if said is not None:
            self._size += min(len(said.text), LONGEST_TEXT)
            if self._size > _MOST_TEXT:
                self._context.cut += len(said.text)
                return
        if identity not in self._said:
            self._before[identity] = self._last
        self._said[identity], self._parents[identity] = said, parent
        self._last = identity
        sent_at = None if said is None else said.sent_at
        if sent_at is not None and (self._newest_at is None or sent_at >= self._newest_at):
            self._newest, self._newest_at = identity, sent_at

    def shown(self, leaf: str, since: datetime | None) -> Iterator[ParsedMessage]:
        """Yield the messages from the first to ``leaf``, or of the newest branch if ``leaf`` is missing.

        ``since`` is the time when the conversation began.
        """
        last = since
        for identity in self._path(leaf):
            said = self._said[identity]
            if said is None:
                self._context.system_lines += 1
                continue
            last = said.sent_at or last
            message = self._context.message(
                said.place, last, said.sender, said.text, said.files, source_id=identity
            )
            if message is not None:
                yield message

    def count_others(self, leaf: str) -> int:
        """Return how many messages are not on the branch of ``leaf``."""
        shown = self._path(leaf)
        return sum(
            said is not None and identity not in shown for identity, said in self._said.items()
        )

    def _path(self, leaf: str) -> dict[str, None]:
        """Return the ids from the first message to ``leaf``, in their order."""
        if leaf in self._said:
            return self._path_to(leaf)
        way = self._path_to(self._last)
        return self._path_to(self._newest) if self._newest and self._newest not in way else way

    def _path_to(self, leaf: str) -> dict[str, None]:
        found: dict[str, None] = {}
        at = leaf
        while at in self._said and at not in found:
            found[at] = None
            parent = self._parents[at]
            known = parent in self._said or parent in _ROOTS
            at = parent if known else self._before[at]
        return dict.fromkeys(reversed(found))


@dataclass(frozen=True, slots=True)
class Keys:
    """The JSON keys of a conversation's messages, id, title, last message and start time."""

    messages: str
    ids: tuple[str, ...]
    title: str
    leaf: str
    began: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raw:
    """One message of the file: its key or index, its place in reports, the conversation's fields so far."""

    step: str | int
    place: str
    value: Mapping[str, Any]
    facts: Mapping[str, Any]


class Conversations:
    """Reads a list of conversations, or a single one, and keeps one at a time in memory.

    ``take`` adds a message to the branches of its conversation.
    """

    def __init__(
        self,
        platform: str,
        keys: Keys,
        take: Callable[[Raw, Branches], None],
        context: ImportContext,
    ) -> None:
        self._platform, self._keys, self._take, self._context = platform, keys, take, context
        self._wanted = {*keys.ids, keys.title, keys.leaf, keys.began, *keys.others}
        self._chats: dict[Path, ParsedChat] = {}
        self._facts: dict[str, Any] = {}
        self._branches = Branches(context)
        self._count = self._others = self._with_branches = 0

    def chats(self) -> Iterator[ParsedChat]:
        """Yield each conversation in pieces, and record skipped messages in the context."""
        yield from in_pieces(self._messages(), lambda chat: self._chats[chat])
        if self._others:
            self._context.notes.append(
                f"{self._context.name} also has {self._others:,} messages of other branches "
                f"(questions edited, answers asked for again) in {self._with_branches:,} "
                "conversations; the branch that the app shows was read."
            )
        if not self._chats and self._context.damage is None:
            self._context.skip(f"there is no `{self._keys.messages}` with messages in it")

    def _enter(self, path: Path) -> bool:
        inner = path[1:] if path and isinstance(path[0], int) else path
        return inner in ((), (self._keys.messages,))

    def _messages(self) -> Iterator[tuple[Path, ParsedMessage]]:
        now: Path = ()
        for path, value in self._context.values(self._enter):
            chat = path[:1] if path and isinstance(path[0], int) else ()
            inner = path[len(chat) :]
            if chat != now:
                yield from self._ended(now)
                now = chat
            if not inner:
                self._context.skip(f"`conversations.{path[0] if path else 0}` is not an object")
            elif inner[0] == self._keys.messages and len(inner) > 1:
                self._add(inner[1], value)
            elif inner[0] in self._wanted:
                self._facts[str(inner[0])] = value
        yield from self._ended(now)

    def _add(self, step: str | int, value: object) -> None:
        self._count += 1
        title = cut(as_text(self._facts.get(self._keys.title)), _LONGEST_SHOWN)
        place = f"message {self._count} of `{title or 'a conversation'}`"
        if isinstance(value, dict):
            self._take(Raw(step, place, value, self._facts), self._branches)
        else:
            self._context.skip(f"{place} is not an object")

    def _ended(self, chat: Path) -> Iterator[tuple[Path, ParsedMessage]]:
        """Yield the shown branch of the current conversation, and free it."""
        facts, branches, keys = self._facts, self._branches, self._keys
        self._facts, self._branches, self._count = {}, Branches(self._context), 0
        leaf, beside = (
            as_text(facts.get(keys.leaf)),
            branches.count_others(as_text(facts.get(keys.leaf))),
        )
        self._others += beside
        self._with_branches += beside > 0
        for message in branches.shown(leaf, self._began(facts.get(keys.began))):
            self._chats[chat] = self._context.chat(
                self._platform,
                key=next(filter(None, (as_text(facts.get(key)) for key in keys.ids)), None),
                title=as_text(facts.get(keys.title)),
                kind="direct",
            )
            yield chat, message

    def _began(self, value: object) -> datetime | None:
        return self._context.iso(value) or self._context.since_1970(value)
