"""How the forms are written down: what is asked, and below it the regular expressions that ask it."""

from __future__ import annotations

from collections.abc import Mapping

from minirag_chat.records import Asked

Row = tuple[Asked, str]
_ASKED: Mapping[str, Asked] = {
    "count": Asked("count"),
    "first_or_last": Asked("message"),
    "last": Asked("message", "last"),
    "most": Asked("writers", "most"),
    "closest": Asked("partners", "most"),
    "written_to": Asked("addressees"),
    "members": Asked("members"),
    "chats": Asked("chats", of="chats"),
    "largest": Asked("sizes", "most", "chats"),
    "busiest": Asked("times", "most"),
    "average": Asked("average"),
    "days": Asked("days"),
    "when": Asked("when"),
    "silent": Asked("silent"),
    "silence": Asked("silence"),
    "streak": Asked("streak"),
    "replies": Asked("replies"),
    "fastest": Asked("replies", "fastest"),
    "slowest": Asked("replies", "slowest"),
    "longest": Asked("length", "longest"),
    "wordiest": Asked("mean length", "longest"),
    "words": Asked("words"),
    "begins": Asked("begins"),
    "emoji": Asked("emoji"),
    "words_used": Asked("words used"),
    "quiet": Asked("quiet"),
    "quiet_chat": Asked("quiet", of="chats"),
    "unwritten": Asked("unwritten"),
    "oldest": Asked("first messages", "oldest"),
    "oldest_chat": Asked("first messages", "oldest", "chats"),
    "newest": Asked("first messages", "newest"),
    "newest_chat": Asked("first messages", "newest", "chats"),
    "unanswered": Asked("unanswered"),
    "not_answered": Asked("not answered"),
    "answered": Asked("answered"),
    "latest": Asked("latest"),
    "share": Asked("share"),
    "asker": Asked("asker"),
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
