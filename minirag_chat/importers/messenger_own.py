"""Tells what Messenger or Instagram itself wrote from what people wrote, in any language."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from functools import cache

from minirag_chat.importers.messenger_words import REACTED, SENT, USER, YOU

# Emoji and what joins and colours them, the app's private ones, and keycaps: no letter, and no punctuation.
_EMOJI = (
    r"(?:[0-9#*]\ufe0f?\u20e3|[\u00a9\u00ae\u200d\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d"
    r"\u3297\u3299\ufe0f\U0001f000-\U0001ffff\U000e0020-\U000e007f\U000f0000-\U000ffffd]){1,20}"
)
_HOLES = {"{emoji}": _EMOJI, "{name}": r"(?P<name>[^\n]{1,200})"}
_PART = re.compile(r"(\{\w+\}|\[[^\]]*\])")
_QUOTES = str.maketrans("„“”«»", '"""""')
_LONGEST = 300  # characters of a sentence of the app's, with a name in it
_AGAIN = 2  # a sentence that stands so often in the same place is the app's
_MILLISECONDS = 10**11  # seconds since 1970 are fewer


class OwnLines:
    """What one file tells about the app's own sentences; ``see`` all messages first.

    A newer download has a reaction twice: beside the message, with who reacted and the second, and as
    a sentence by the same person in that second. And a sentence that begins with its sender's name
    beside a file or a link is the app's, where it comes again with another file.
    """

    def __init__(self) -> None:
        self._moments: dict[int, set[str]] = defaultdict(set)
        self._said = array("q")  # two hashes of each text: who and when, and what
        self._named: Counter[str] = Counter()
        self._again: Counter[int] | None = None

    def see(self, sender: str, moment: int, said: str, *, with_file: bool) -> None:
        """Take note of one message; ``moment`` is in milliseconds since 1970."""
        if len(said) > _LONGEST:
            return
        if with_file and _without_name(said, sender):
            self._named[_without_name(said, sender)] += 1
        elif said and not with_file:
            self._said.extend((_key(sender, moment), hash(said)))

    def see_reaction(self, actor: str, moment: int, emoji: str) -> None:
        """Take note of a reaction beside a message; a moment of 0 is none."""
        if moment:
            self._moments[_key(actor, moment)].add(_bare(emoji))

    def is_reaction(self, sender: str, moment: int, said: str) -> bool:
        """Say whether a text without a file only tells that its sender reacted to a message."""
        if _is_one_of(said, REACTED):
            return True
        emoji = self._moments.get(_key(sender, moment), set())
        if not emoji or len(said) > _LONGEST:
            return False
        bare = _bare(said)
        named = any(one and one in bare and _has_words(bare, one) for one in emoji)
        return named or self._said_again()[hash(said)] >= _AGAIN

    def is_sending(self, sender: str, said: str) -> bool:
        """Say whether a text beside a file only tells that its sender sent it."""
        match = _matches(said, SENT)
        if match is not None and _tells_of(match.groupdict().get("name"), sender):
            return True
        frame = _without_name(said, sender) if len(said) <= _LONGEST else ""
        return frame != "" and self._named[frame] >= _AGAIN

    def _said_again(self) -> Counter[int]:
        """How often each sentence was written in a second in which its writer reacted, by its hash."""
        if self._again is None:
            pairs = zip(self._said[::2], self._said[1::2], strict=True)
            self._again = Counter(said for when, said in pairs if when in self._moments)
        return self._again


def sends_alone(sender: str, said: str) -> bool:
    """Say whether a text without a file tells that its sender sent one, which is not there any more."""
    match = _matches(said, SENT)
    return match is not None and match.groupdict().get("name") == _plain(sender)


def _key(sender: str, moment: int) -> int:
    """Return one number for who and in which second."""
    return hash((sender, moment // 1000 if moment >= _MILLISECONDS else moment))


def _bare(text: str) -> str:
    return text.replace("\ufe0f", "")


def _has_words(text: str, emoji: str) -> bool:
    return any(c.isalpha() for c in text.replace(emoji, ""))


def _without_name(said: str, sender: str) -> str:
    """Return what follows the sender's name, with which a sentence begins; empty where it does not."""
    rest = said.removeprefix(sender)
    return (
        rest.strip() if sender and rest != said and rest[:1].isspace() and "\n" not in rest else ""
    )


def _tells_of(named: str | None, sender: str) -> bool:
    """Say whether a sentence of the app's is about its sender: by name, by first name, or as "you"."""
    if named is None or _is_one_of(named, YOU):
        return True
    full = f"{sender.translate(_QUOTES).casefold()} "
    return any(full.startswith(f"{one} ") for one in (named, named.removeprefix(USER)))


def _is_one_of(said: str, table: str) -> bool:
    return _matches(said, table) is not None


def _matches(said: str, table: str) -> re.Match[str] | None:
    if not said or len(said) > _LONGEST:
        return None
    plain = _plain(said)
    return next((match for one in _patterns(table) if (match := one.fullmatch(plain))), None)


def _plain(text: str) -> str:
    return text.translate(_QUOTES).strip().rstrip(".").casefold()


@cache
def _patterns(table: str) -> tuple[re.Pattern[str], ...]:
    sentences = (s.strip() for line in table.split("\n") for s in line.split("|"))
    return tuple(re.compile(_pattern(_plain(sentence))) for sentence in sentences if sentence)


def _pattern(sentence: str) -> str:
    parts = []
    for part in _PART.split(sentence):
        if part.startswith("["):
            parts.append(f"(?:{'|'.join(map(re.escape, part[1:-1].split('/')))})")
        else:
            parts.append(_HOLES.get(part) or re.escape(part))
    return "".join(parts)
