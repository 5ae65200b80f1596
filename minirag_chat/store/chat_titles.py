"""The titles of chats, and which of them are with one and the same person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class ChatTitles(dict[int, str]):
    """The title of each chat by its id. ``with_one`` is the other person of each chat of two.

    Somebody who is one person under two names has a chat of each: "Rui T." and "Rui Tavares".
    """

    def __init__(self, titles: Mapping[int, str], with_one: Mapping[int, int]) -> None:
        super().__init__(titles)
        self.with_one = with_one


def are_with_one(chats: Iterable[int], titles: Mapping[int, str]) -> bool:
    """Whether chats of two are all with the same person."""
    with_one = titles.with_one if isinstance(titles, ChatTitles) else {}
    others = {with_one.get(chat) for chat in chats}
    return len(others) == 1 and None not in others
