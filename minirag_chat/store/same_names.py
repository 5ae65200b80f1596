"""Which names may be one person's, and which of them says most about who that is. Nothing is read here."""

from __future__ import annotations

import re

from minirag_chat.names import (
    OWNER_WORDS,
    is_phone_or_mail,
    spelling_key,
    without_accents,
)

BEGINNING = 2  # letters that a short form of a first name has at least, beside the same last name
ALONE = 3  # the same without a last name, and in the name of an account
INITIAL = 1
_PARTS = re.compile(r"\w+(?:['\u2019-]\w+)*")


def plain_name(name: str) -> str:
    """A name without accents, punctuation and emoji, in lower case."""
    return " ".join(re.sub(r"[^\w\s]", " ", without_accents(spelling_key(name))).split())


def fullness(name: str) -> tuple[bool, bool, int, int, int]:
    """How much a name says of who it is: the fuller of two is larger.

    "Rui Tavares" is fuller than "Rui T.", than "Rui", a handle, a number and "Me". Equally full are names of
    as many words.
    """
    parts = _PARTS.findall(name)
    whole = [
        part
        for part in parts
        if part.replace("'", "").replace("\u2019", "").replace("-", "").isalpha()
    ]
    shouted = all(part.isupper() for part in whole)  # ANN HILL is a name
    real = [part for part in whole if _is_word(part, shouted=shouted)]
    written = [part for part in real if part[0].isupper() or not part[0].islower()]
    other = sum(not (char.isalpha() or char.isspace() or char in ".'\u2019-") for char in name)
    return (
        spelling_key(name) not in OWNER_WORDS,
        not is_phone_or_mail(name),
        len(written),
        len(real),
        -other,
    )


def _is_word(part: str, *, shouted: bool) -> bool:
    """Whether a part of a name is more than an initial or an abbreviation; a Chinese letter is a word."""
    if not part[0].isupper() and not part[0].islower():
        return True
    return len(part) > INITIAL and (shouted or not part.isupper())


def is_fuller(one: str, other: str) -> bool | None:
    """Whether ``one`` is the fuller name; None if neither is: then who writes more decides."""
    left, right = fullness(one), fullness(other)
    if left != right:
        return left > right
    longer = len(plain_name(one)), len(plain_name(other))
    if longer[0] != longer[1] and may_be_one(one, other):  # Lari Prado and Larissa Prado
        return longer[0] > longer[1]
    return None


def may_be_one(one: str, other: str) -> bool:
    """Whether one name is plainly a short form of the other: "Lari Prado", "Larissa P.", "larip".

    What exports call their owner ("Me") fits any name. Says nothing of whether they are one person.
    """
    if not OWNER_WORDS.isdisjoint(map(spelling_key, (one, other))):
        return True
    left, right = plain_name(one).split(), plain_name(other).split()
    if not left or not right or is_phone_or_mail(one) or is_phone_or_mail(other):
        return False
    if "".join(left) == "".join(right):
        return True
    if len(left) > 1 and len(right) > 1 and left[-1].isalpha() and right[-1].isalpha():
        return _both_whole(left, right)
    return is_account_of(one, other) or is_account_of(other, one) or _one_word(left, right)


def _both_whole(left: list[str], right: list[str]) -> bool:
    """Whether two names of first and last name differ in a short form or an initial only."""
    if left[-1] == right[-1]:
        return _begins(left[0], right[0], BEGINNING)
    return left[0] == right[0] and _is_initial(left[-1], right[-1])


def _one_word(left: list[str], right: list[str]) -> bool:
    """Whether one of them is a first name alone, or a short form of it."""
    alone = min(len(left), len(right)) == 1
    return alone and left[0].isalpha() and right[0].isalpha() and _begins(left[0], right[0], ALONE)


def _is_initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == INITIAL and one[0] == other[0]


def _begins(one: str, other: str, least: int) -> bool:
    """Whether one word is the beginning of the other; one that is longer than an initial must be enough."""
    short, long = sorted((one, other), key=len)
    if not long.startswith(short):
        return False
    return short == long or len(short) >= least


def has_last_name(name: str) -> bool:
    """Whether a name of several words ends in what may be a last name, not in HCA, Ward 7 or an emoji."""
    parts = name.split()
    if not parts[1:] or not parts[-1].strip(".").replace("'", "").replace("-", "").isalpha():
        return False
    return name.isupper() or len(parts[-1]) == INITIAL or not parts[-1].isupper()


def is_account_of(handle: str, name: str) -> bool:
    """Whether the name of an account is made of a name: larip, lari_p, larissa.prado, lprado."""
    words = plain_name(name).split()
    letters = re.sub(r"[\W\d_]+", "", without_accents(spelling_key(handle)))
    if " " in handle.strip() or not words[1:] or len(letters) <= ALONE:
        return False
    first, last = words[0], words[-1]
    if letters == first[0] + last:
        return True
    return any(
        first.startswith(letters[:cut]) and last.startswith(letters[cut:])
        for cut in range(ALONE, len(letters))
    )
