"""Who "we" are, where a text says it at its end: "how many messages did we exchange, Ann and me"."""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.about_messages.forms.vocabulary import PAIR

_WE = any_case(r"\bwe\b")
_AT_END = any_case(
    rf"(?<!\bto)(?<!\bby)(?<!\bof)(?<!\bor)(?<!\band)(?<!\bfor)(?<!\bwith)(?<!\bfrom)(?<!\bbetween)"
    rf"[\s,:(]+(?P<pair>{PAIR})\W*$",
)


def with_apposed(text: str, mine: str) -> str:
    """The text with those named at its end, of whom one is the asker, in place of its only "we".

    ``mine`` is the mark of the asker; empty if the text does not name them.
    """
    we, named = list(_WE.finditer(text)), _AT_END.search(text)
    if not mine or named is None or mine not in named["pair"] or len(we) != 1:
        return text
    before, after = text[: we[0].start()], text[we[0].end() : named.start()]
    return f"{before}{named['pair']}{after}"
