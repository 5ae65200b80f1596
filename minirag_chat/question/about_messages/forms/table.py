"""How the forms are written down: what is asked, and below it the regular expressions that ask it."""

from __future__ import annotations

from collections.abc import Mapping

from minirag_chat.records import Wanted

Row = tuple[Wanted, str]
_ASKED: Mapping[str, Wanted] = {
    "count": Wanted("count"),
    "first_or_last": Wanted("message"),
    "last": Wanted("message", "last"),
    "count_chats": Wanted("count", of="chats"),
    "most": Wanted("writers", "most"),
    "closest": Wanted("partners", "most"),
    "written_to": Wanted("addressees"),
    "members": Wanted("members"),
    "chats": Wanted("chats", of="chats"),
    "largest": Wanted("sizes", "most", "chats"),
    "difference": Wanted("difference"),
    "most_by_chat": Wanted("leaders", "most", "chats"),
    "busiest": Wanted("times", "most"),
    "average": Wanted("average"),
    "days": Wanted("days"),
    "days_without": Wanted("days without"),
    "when": Wanted("when"),
    "silent": Wanted("silent"),
    "silence": Wanted("silence"),
    "streak": Wanted("streak"),
    "replies": Wanted("replies"),
    "fastest": Wanted("replies", "fastest"),
    "slowest": Wanted("replies", "slowest"),
    "longest": Wanted("length", "longest"),
    "wordiest": Wanted("mean length", "longest"),
    "words": Wanted("words"),
    "most_words": Wanted("words", "most"),
    "begins": Wanted("begins"),
    "emoji": Wanted("emoji"),
    "words_used": Wanted("words used"),
    "quiet": Wanted("quiet"),
    "quiet_chat": Wanted("quiet", of="chats"),
    "unwritten": Wanted("unwritten"),
    "oldest": Wanted("first messages", "oldest"),
    "oldest_chat": Wanted("first messages", "oldest", "chats"),
    "newest": Wanted("first messages", "newest"),
    "newest_chat": Wanted("first messages", "newest", "chats"),
    "unanswered": Wanted("unanswered"),
    "not_answered": Wanted("not answered"),
    "answered": Wanted("answered"),
    "latest": Wanted("latest"),
    "share": Wanted("share"),
    "asker": Wanted("asker"),
}
"""What each heading of the tables asks for."""


def table(text: str) -> tuple[Row, ...]:
    """The regular expressions of a text, one a line below its heading; a line further in goes on with one."""
    rows: list[Row] = []
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    begin = len(lines[0]) - len(lines[0].lstrip())
    for line in lines:
        form = line.lstrip()
        level = (len(line) - len(form) - begin) // 4
        if level == 0:
            asked = _ASKED[form.removesuffix(":")]
        elif level == 1:
            rows.append((asked, form))
        else:
            rows[-1] = asked, rows[-1][1] + form
    return tuple(rows)
