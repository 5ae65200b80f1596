"""The stop words of the messages' languages other than English, which are no topics either."""

from __future__ import annotations

from stopwordsiso import stopwords

from minirag_chat.question.translation import languages_of
from minirag_chat.store import Store


def foreign_stop_words(store: Store) -> frozenset[str]:
    """In small letters; those of English are in ``common_words``, and left out here."""
    foreign = set(store.messages.languages(languages_of)) - {"en"}
    return frozenset(stopwords(foreign)) if foreign else frozenset()
