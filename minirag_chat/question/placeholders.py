"""The characters that stand for names, times and quotations while a question is matched.

They are for private use: a question that contains them loses them before it is read.
"""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy

BEGIN, END = "\ue000", "\ue001"  # around the number of a part that must not change
ME = "\ue002"  # the name of who asks
TIME = "\ue003"  # each character of a time
NAMES = "\ue004\ue005\ue006\ue007\ue008\ue009\ue00a\ue00b\ue00c\ue00d"  # one for each name
WORD = "\ue00e"  # the word or phrase that is counted
SIGN = "\ue00f"  # the same, if it is an emoji or another sign without letters
_ANY = lazy(f"[{BEGIN}{END}{ME}{TIME}{NAMES}{WORD}{SIGN}]")


def without_marks(text: str) -> str:
    """``text`` with a space in place of each of these characters."""
    return _ANY.sub(" ", text)
