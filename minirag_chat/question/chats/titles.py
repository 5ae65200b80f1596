"""Which chats a name means: those with this title, a part of it, or other forms of its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.words import plain_words_of, words_of
from minirag_chat.store.chat_titles import are_with_one
from minirag_chat.store.text import stem

GENERIC = (
    "whole", "entire", "group", "recent", "latest", "last", "past", "previous", "own", "private",
    "other", "different", "various", "many", "all", "these", "those", "our", "my", "the",
)  # fmt: skip
"""Words beside "chat" that name no chat."""
CLUB = r"(?:club|team|crew|gang|society|circle)"
"""What a question may call a group beside its title, and messages may call something else."""
_CLUB = any_case(CLUB)
_FAMILY = frozenset(("family", "familie", "familien", "familia", "famille", "famiglia", "família"))
"""The word by which a title and a question may call the same chat in different languages."""
PEOPLE_OF_GROUPS = _FAMILY | {"gang", "crew", "team", "friends"}
"""Words of people, so that who is in it asks for those of the chat, and not for those in a place."""
_FEWEST = 4  # letters of a word and of its stem
_AGENT = 6  # letters of a stem that ends in "er" or "or"
_Words = Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Titles:
    """The words of the title of each chat, as they are written and without diacritics."""

    written: _Words
    plain: _Words

    @classmethod
    def of(cls, titles: Mapping[int, str]) -> Titles:
        """Those of ``titles``, by the ids of the chats."""
        return cls(
            {chat: words_of(title) for chat, title in titles.items()},
            {chat: plain_words_of(title) for chat, title in titles.items()},
        )

    def called(self, name: str, noun: str) -> frozenset[int]:
        """The chats with this title, with or without the noun; else those whose title has it as a part.

        Where none has its accents, these do not count, and then another form of its words does; "family" may
        be "familie" in a title.
        """
        content = content_of(name)
        if not content:
            return frozenset()
        for words, titles in ((words_of, self.written), (plain_words_of, self.plain)):
            forms = words(f"{name} {noun}"), words(name)
            for whole in (True, False):
                for form in forms:
                    if chats := _with(form, titles, whole=whole):
                        return chats
        if alike := self.with_other_forms(plain_words_of(name)):
            return alike
        family = len(content) == 1 and content <= _FAMILY
        return frozenset(
            chat for chat, title in self.plain.items() if family and _FAMILY & {*title}
        )

    def with_title(self, words: Sequence[str]) -> frozenset[int]:
        """The chats whose title has these words and no others."""
        return _with(words, self.plain, whole=True)

    def with_part(self, words: Sequence[str]) -> frozenset[int]:
        """The chats whose title has these words in a row."""
        return _with(words, self.plain, whole=False)

    def with_long_part(self, words: Sequence[str]) -> frozenset[int]:
        """The same for two words or more that are not only stop words: they need no word for a chat."""
        enough = len(words) > 1 and not {*words} <= STOP_WORDS
        return self.with_part(words) if enough else frozenset()

    def with_other_forms(self, words: Sequence[str]) -> frozenset[int]:
        """The chats of the only title in which each word has another form: "walking" for "Walkers"."""
        content = [word for word in words if word not in STOP_WORDS]
        if not content or min(map(len, content)) < _FEWEST:
            return frozenset()
        wanted = {*map(_root, content)}
        found = {
            chat: tuple(title)
            for chat, title in self.plain.items()
            if wanted <= {*map(_root, title)}
        }
        return frozenset(found) if len({*found.values()}) == 1 else frozenset()

    def of_club(self, words: Sequence[str]) -> frozenset[int]:
        """The same of the words before "club": "the walking club"."""
        called = words[1:] and is_club(words[-1])
        return self.with_other_forms(words[:-1]) if called else frozenset()


def content_of(name: str) -> set[str]:
    """The words that can name a chat."""
    return {*words_of(name)} - STOP_WORDS - {*GENERIC}


def is_club(noun: str) -> bool:
    """Whether this is a word for a club."""
    return _CLUB.fullmatch(noun) is not None


def have_one_title(chats: Iterable[int], titles: Mapping[int, str]) -> bool:
    """Whether there are chats, and all have the same title, as those of a contact with two numbers.

    Also if all are with one person, whom two apps call by two names.
    """
    chats = list(chats)
    return len({titles[chat] for chat in chats}) == 1 or are_with_one(chats, titles)


def titles_in(text: str, titles: Iterable[str]) -> Iterator[list[str]]:
    """The words of each of the titles of several words of which the text has all."""
    present = {*words_of(text)}
    return (words for words in map(words_of, titles) if words[1:] and present.issuperset(words))


def whole_title(words: Sequence[str]) -> re.Pattern[str]:
    """Finds a title with these words, whatever stands between them."""
    return re.compile(rf"(?<!\w){in_a_row(words)}(?!\w)", re.IGNORECASE)


def in_a_row(words: Sequence[str]) -> str:
    """A regular expression of these words, whatever stands between them."""
    return r"\W+".join(map(re.escape, words))


def _with(words: Sequence[str], titles: _Words, *, whole: bool) -> frozenset[int]:
    """The chats whose title is made of these words, or has them in a row."""
    size = len(words)
    return frozenset(
        chat
        for chat, title in titles.items()
        if title == words
        or (not whole and any(title[at : at + size] == words for at in range(len(title))))
    )


def _root(word: str) -> str:
    """The stem of a word, for those who do something ("walker") that of what they do."""
    root = stem(word)
    if len(root) >= _AGENT and root.endswith(("er", "or")):
        root = root[:-2]
        root = root[:-1] if root[-1] == root[-2] else root
    return root.rstrip("e")
