"""Recognises sentences that Messenger or Instagram itself wrote, in any language."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from functools import cache

from minirag_chat.importers.messenger_words import (
    ALONE,
    CALL_ENDED,
    CALL_STARTED,
    NOTICES,
    REACTED,
    SENT,
    USER,
    YOU,
)
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment

# Emoji with joiners and modifiers, private-use ones, and keycaps; no letters or punctuation.
_EMOJI = (
    r"(?:[0-9#*]\ufe0f?\u20e3|[\u00a9\u00ae\u200d\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d"
    r"\u3297\u3299\ufe0f\U0001f000-\U0001ffff\U000e0020-\U000e007f\U000f0000-\U000ffffd]){1,20}"
)
_HOLES = {"{emoji}": _EMOJI, "{name}": r"(?P<name>[^\n]{1,200})", "{any}": r"[^\n]{1,200}"}
_PART = lazy(r"(\{\w+\}|\[[^\]]*\])")
_QUOTES = str.maketrans("„“”«»\u2019", '"""""' + "'")
_LONGEST = 300  # characters of a sentence of the app, with a name in it
_AMID = lazy(rf" (?P<emoji>{_EMOJI}) ")
_FRAMED = 3  # times that a sentence around emoji must occur in a page
_AGAIN = 2  # times that a sentence must occur in the same position
_MILLISECONDS = 10**11  # larger than any time in seconds


class OwnLines:
    """Evidence from one file for the app's own sentences; call ``see`` for all messages first.

    A newer download has each reaction twice: as data of the message, with the person and the second, and as
    a sentence by the same person in that second. With a file or link, a sentence that begins with its
    sender's name is the app's if it occurs again with another file. Without one, it is a notice if two
    sentences begin with their senders' full names and the same verb, as people do not write of themselves.
    A page has no times of reactions: there a sentence is the app's if it ends with a space, as its template
    does, occurs with several emoji, and its sender reacted with this one.
    """

    def __init__(self) -> None:
        self._moments: dict[int, set[str]] = defaultdict(set)
        self._said = array("q")  # two hashes of each text: of sender and time, and of the text
        self._named: Counter[str] = Counter()
        self._frames: dict[str, list[str]] = defaultdict(list)  # sentences around emoji, and these
        self._reacted: set[tuple[str, str]] = set()  # people and their emoji, of pages
        self._verbs: Counter[str] = Counter()  # of sentences without a file
        self._owners: set[str] = set()  # who sent what "You sent a photo." reports
        self._calls = False  # whether the end of a call is reported
        self._again: Counter[int] | None = None

    def see(self, sender: str, moment: int, said: str, *, with_file: bool) -> None:
        """Add one message; ``moment`` is in milliseconds since 1970."""
        if len(said) > _LONGEST:
            return
        if _of_owner(said):
            self._owners.add(sender)
        if with_file and _without_name(said, sender):
            self._named[_without_name(said, sender)] += 1
        elif said and not with_file:
            self._said.extend((_key(sender, moment), hash(said)))
            self._verbs.update(_verb(said, sender))
            self._calls = self._calls or _is_one_of(said, CALL_ENDED)

    def see_reaction(self, actor: str, moment: int, emoji: str) -> None:
        """Add a reaction of a message's data; a moment of 0 is ignored."""
        if moment:
            self._moments[_key(actor, moment)].add(_bare(emoji))

    def see_reaction_of_page(self, actor: str, emoji: str) -> None:
        """Add a reaction whose time is not known to the second."""
        self._reacted.add((actor, _bare(emoji)))

    def see_template(self, said: str) -> None:
        """Add a text that has a space at its end."""
        frame, emoji = _framed(said)
        if frame:
            self._frames[frame].append(emoji)

    def without_own_sentence(
        self,
        sender: str,
        moment: int,
        said: str,
        files: tuple[Attachment, ...],
        *,
        with_link: bool = False,
    ) -> tuple[str, tuple[Attachment, ...]] | None:
        """Return what the sender wrote and sent, without a sentence of the app; None if that is all there is.

        ``moment`` is in milliseconds since 1970; ``with_link``: the message shares a link beside its text.
        """
        if files or with_link:
            return "" if self._is_sending(sender, said) else said, files
        if self._is_reaction(sender, moment, said) or self._is_notice(sender, said):
            return None
        if self._sends_alone(sender, said):
            return "", (Attachment("", "attachment"),)
        return said, files

    def _is_reaction(self, sender: str, moment: int, said: str) -> bool:
        """Whether a text without a file is the app's report of a reaction."""
        if _is_one_of(said, REACTED):
            return True
        if self._frames and self._is_template(sender, said):
            return True
        emoji = self._moments.get(_key(sender, moment), set())
        if not emoji or len(said) > _LONGEST:
            return False
        bare = _bare(said)
        named = any(one and one in bare and _has_words(bare, one) for one in emoji)
        return named or self._said_again()[hash(said)] >= _AGAIN

    def _is_template(self, sender: str, said: str) -> bool:
        frame, emoji = _framed(said)
        every = self._frames.get(frame, []) if (sender, emoji) in self._reacted else []
        return len(every) >= _FRAMED and len(set(every)) > 1

    def _is_sending(self, sender: str, said: str) -> bool:
        """Whether a text with a file is the app's report that it was sent."""
        match = _matches(said, SENT)
        if match is not None and _is_about(match.groupdict().get("name"), sender):
            return True
        frame = _without_name(said, sender) if len(said) <= _LONGEST else ""
        return frame != "" and self._named[frame] >= _AGAIN

    def _sends_alone(self, sender: str, said: str) -> bool:
        """Whether a text is the app's report of a sent file that is not in the export any more."""
        if _of_owner(said):
            return self._owners == {sender}
        match = _matches(said, SENT)
        return match is not None and match.groupdict().get("name") == _plain(sender)

    def _is_notice(self, sender: str, said: str) -> bool:
        """Whether a text without a file is the app's report of what its sender did with the group."""
        again = any(self._verbs[verb] >= _AGAIN for verb in _verb(said, sender))
        started = self._calls and _is_one_of(said, CALL_STARTED)
        return again or started or _is_one_of(said, ALONE) or _is_known_notice(sender, said)

    def _said_again(self) -> Counter[int]:
        """How often each sentence, by hash, occurs in a second in which its sender reacted."""
        if self._again is None:
            pairs = zip(self._said[::2], self._said[1::2], strict=True)
            self._again = Counter(said for when, said in pairs if when in self._moments)
        return self._again


def _of_owner(said: str) -> bool:
    """Whether a text is the app's report to the person who made the download: "You sent a photo."."""
    match = _matches(said, SENT) if said.rstrip().endswith(".") else None
    named = match.groupdict().get("name") if match else ""
    return named is None or _is_one_of(named, YOU)


def _is_known_notice(sender: str, said: str) -> bool:
    plain, words = _plain(said), _plain(sender).split()
    subjects = ["you", *(" ".join(words[:size]) for size in range(1, len(words) + 1))]
    return any(
        plain.startswith(f"{one} ") and _is_one_of(plain[len(one) + 1 :], NOTICES)
        for one in subjects
    )


def _verb(said: str, sender: str) -> list[str]:
    """The word after the sender's full name, of a sentence that begins with it; else none."""
    if " " not in sender or not said.endswith(".") or len(said) > _LONGEST:
        return []
    return _without_name(said, sender).split()[:1]


def _key(sender: str, moment: int) -> int:
    """Return a hash of the sender and the second."""
    return hash((sender, moment // 1000 if moment >= _MILLISECONDS else moment))


def _bare(text: str) -> str:
    return text.replace("\ufe0f", "")


def _framed(said: str) -> tuple[str, str]:
    """The words before and after the emoji of a sentence, and this emoji; empty for other texts."""
    found = _AMID.search(said) if len(said) <= _LONGEST and "\n" not in said else None
    before, after = (said[: found.start()], said[found.end() :]) if found else ("", "")
    if found is None or not (any(map(str.isalpha, before)) and any(map(str.isalpha, after))):
        return "", ""
    return f"{before}\n{after}", _bare(found["emoji"])


def _has_words(text: str, emoji: str) -> bool:
    return any(c.isalpha() for c in text.replace(emoji, ""))


def _without_name(said: str, sender: str) -> str:
    """Return the sentence without the sender's name at its beginning; empty if it begins otherwise."""
    rest = said.removeprefix(sender)
    return (
        rest.strip() if sender and rest != said and rest[:1].isspace() and "\n" not in rest else ""
    )


def _is_about(named: str | None, sender: str) -> bool:
    """Whether a sentence of the app is about its sender: by name, first name, or as "you"."""
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
