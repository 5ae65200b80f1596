"""What may be a nickname: a word that a question can use as a person's name."""

from __future__ import annotations

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.errors import BadSetting
from minirag_chat.memory.filters import people_called
from minirag_chat.names import spelling_key
from minirag_chat.store import Store

LONGEST_NICKNAME = 40  # characters
_PRONOUNS = frozenset(
    "i my mine you we us our who whom whose what which when where why how everyone everybody anyone anybody "
    "someone somebody nobody people ich mir mich mein wir uns wer was wann wo wie can't don't".split()
)


def may_be_nickname(store: Store, nickname: str, person: int) -> None:
    """Raise ``BadSetting`` for a word that no question can use as this person's name."""
    if not 0 < len(nickname) <= LONGEST_NICKNAME or not any(map(str.isalpha, nickname)):
        raise BadSetting(
            f"A nickname has up to {LONGEST_NICKNAME} characters, one of them a letter."
        )
    if spelling_key(nickname) in NOT_NAMES | _PRONOUNS:
        raise BadSetting(f"{nickname!r} is too common a word for a nickname.")
    key = spelling_key(nickname)
    if any(key == spelling_key(known) for known in store.nicknames.all()):
        return  # it may mean somebody else from now on
    owners = people_called(store, nickname)
    if owners and person not in owners:
        raise BadSetting(f"Somebody else is called {nickname} in the messages.")
