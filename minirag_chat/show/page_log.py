"""The middle of the page: the conversation, its welcome, and the chips over the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Answer, Reason
from minirag_chat.show import page_parts as parts
from minirag_chat.show.page_html import box, button, title_of, who
from minirag_chat.show.page_tabs import Exchange, TabFilters
from minirag_chat.show.rich_parts import when
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.ui_text import READS_SHOWN, SILENCES, being_read, count, on_the_page, one_line

WHAT_CAN_I_ASK = "What can I ask?"
_ASKS_IT = button("ask", WHAT_CAN_I_ASK, css="mc-link", event="ask", words=WHAT_CAN_I_ASK)
_HELP = f'<p class="mc-help">{_ASKS_IT}</p>'
LONGEST_QUOTE = 160  # characters of the message below an answer
_ITEM = "- "
_CITATION = lazy(r"\[(\d{1,3})\]")
_STOPS = frozenset(",.;:)")
_JOINER = "&#8288;"  # so that no line begins with the comma after a button
_EXPLAINED: frozenset[Reason] = frozenset({"no_question", "not_recorded"})
"""Reasons with which an answer's text says more than its flag."""


def _says_more(answer: Answer) -> bool:
    """Whether the text of an answer that is none says more than its flag: "I found nothing planned"."""
    if answer.reason == "no_messages":
        return answer.text != SILENCES["no_messages"].sentence
    return answer.reason in _EXPLAINED


def log(exchanges: Sequence[Exchange], picked: int | None, first: int = 0) -> str:
    """The conversation, the newest exchange last.

    Only exchanges from index ``first`` on: all of this is sent again with each streamed word.
    """
    last = len(exchanges) - 1
    shown = [
        _exchange(place, exchanges[place], last=place == last, picked=place == picked)
        for place in range(first, len(exchanges))
    ]
    return f'<div class="mc-log">{_earlier(first)}{"".join(shown)}</div>'


def _earlier(hidden: int) -> str:
    if not hidden:
        return ""
    words = f"Show earlier questions ({hidden:,})"
    return f'<p class="mc-earlier">{button("earlier", css="mc-link", words=words)}</p>'


def welcome(suggested: Sequence[str], *, note: str = "") -> str:
    """The conversation before its first question."""
    chips = _questions(suggested, "Questions to begin with") + (_HELP if suggested else "")
    return (
        '<div class="mc-welcome"><h2>Ask your messages</h2>'
        "<p>Every answer comes with the messages that say so, and says when they do not.</p>"
        f"{note}{chips}</div>"
    )


def empty(*, public: bool, undo: bool = False) -> str:
    """What to do if there are no messages; ``undo`` if they were deleted and can come back."""
    if undo:
        return (
            '<div class="mc-welcome"><h2>Everything is deleted</h2>'
            "<p><b>Undo</b> on the left brings it back, until the next import or for 30 days.</p></div>"
        )
    where = (
        "What you upload is kept in memory for this tab only, and gone when you close it."
        if public
        else "Nothing leaves this machine."
    )
    return (
        '<div class="mc-welcome"><h2>No messages yet</h2>'
        "<p>Drop an exported chat on the left: a WhatsApp <code>.txt</code> or <code>.zip</code>, "
        "a Telegram <code>result.json</code>, a CSV or JSON Lines file.</p>"
        '<p class="mc-quiet">In WhatsApp: chat menu → More → Export chat, without media. '
        f"{where}</p></div>"
    )


def coming() -> str:
    """The conversation while the first messages are being imported."""
    return (
        '<div class="mc-welcome"><h2>Reading the messages …</h2>'
        "<p>You can ask as soon as they are imported; the left side shows the progress.</p></div>"
    )


def waiting(questions: Sequence[str]) -> str:
    """The questions that wait for the answer that is being written.

    They are not in the conversation, which is redrawn with each word: a press on them would be lost.
    """
    rows = [
        f'<p><span dir="auto">{in_html(plain(question, 200))}</span> '
        + button(
            "unask", question, f"Do not ask: {plain(question, 80)}", css="mc-link", words="Cancel"
        )
        + "</p>"
        for question in questions
    ]
    if not rows:
        return ""
    return (
        '<div class="mc-note mc-waits" role="status"><p class="mc-quiet">Asked after this answer:</p>'
        f"{''.join(rows)}</div>"
    )


def chips(
    filters: TabFilters,
    chats: Mapping[int, str],
    people: Mapping[int, str],
    *,
    deletable: bool = False,
) -> str:
    """The active filters; pressing a chip removes it. ``chats`` and ``people`` are names by id."""
    found = [
        ("person", f"{p}:0", plain(people.get(p, "nobody"), 40), "person") for p in filters.people
    ]
    found += [
        ("chat", f"{c}:0", plain(chats.get(c, "deleted chat"), 40), "chat") for c in filters.chats
    ]
    if filters.since:
        found.append(("since", "", f"from {filters.since}", "time"))
    if filters.until:
        found.append(("until", "", f"to {filters.until}", "time"))
    if not found:
        return ""
    made = [
        button(do, value, f"Remove the filter {words}", picture, css="mc-chip", words=f"{words} ✕")
        for do, value, words, picture in found
    ]
    clear = button("clear", css="mc-link", words="Clear filters")
    if deletable:
        delete = "mc-small mc-danger mc-apart"  # not taken for what only clears the filters
        clear += button("delshown", css=delete, words="Delete these messages")
    return (
        f'<div class="mc-chips" role="group" aria-label="Filters">Only {"".join(made)}{clear}</div>'
    )


def _exchange(place: int, exchange: Exchange, *, last: bool, picked: bool) -> str:
    state = " mc-picked" if picked and exchange.answer else ""
    return (
        f'<section class="mc-exchange" data-place="{place}" aria-label="Question {place + 1}">'
        f'<div class="mc-asked"><p dir="auto">{in_html(exchange.question)}</p></div>'
        f"{_limited(exchange)}"
        f'<div class="mc-answer{state}"{" aria-busy=true" if exchange.live else ""}>'
        f"{_answer(place, exchange)}{_actions(place, exchange, last=last)}</div>"
        f"{_asked_next(exchange) if last else ''}</section>"
    )


def _limited(exchange: Exchange) -> str:
    """What the question was asked of, if not of all messages."""
    if not exchange.limits:
        return ""
    said = " · ".join(f"<bdi>{in_html(part)}</bdi>" for part in exchange.limits)
    return f'<p class="mc-limits">Only {said}</p>'


def _answer(place: int, exchange: Exchange) -> str:
    if exchange.problem:
        return f'<p class="mc-flagline">{parts.chip("none", f"! {exchange.problem}")}</p>'
    if exchange.answer is None:
        if exchange.live:
            return _writing(exchange)
        return (
            f"{_paragraph(exchange.text, place, None)}"
            f'<p class="mc-flagline">{parts.chip("none", "! interrupted")}</p>'
        )
    answer = exchange.answer
    silent = answer.abstained and not _says_more(answer)  # why, the flag says
    text = "" if silent else _paragraph(exchange.text or answer.text, place, answer)
    note = f'<p class="mc-quiet">{in_html(on_the_page(answer.note))}</p>' if answer.note else ""
    return f'{text}<p class="mc-flagline">{parts.flag(answer)}</p>{_said(place, answer)}{note}'


def _said(place: int, answer: Answer) -> str:
    """What came closest; or the first message that an answer was read from, unless the answer quotes it."""
    read = "coverage" in answer.signals  # and not counted, or worked out from dates
    shown = answer.closest if answer.abstained else answer.sources if read else ()
    if not shown or (shown[0].quote and one_line(shown[0].quote) in one_line(answer.text)):
        return ""
    first = shown[0]
    quote = in_html(plain(first.quote or first.message.text, LONGEST_QUOTE))
    return (
        f'<p class="mc-closest">{"Closest: " * answer.abstained}<b>{who(first.shown_sender)}</b>, '
        f'{when(first.sent_at)}: <q dir="auto">{quote}</q> {_cite(place, first.number, answer)}</p>'
    )


def _writing(exchange: Exchange) -> str:
    """The words so far; before the first word, what is being read."""
    if exchange.text:
        return _text(in_html(exchange.text) + '<span class="mc-caret"></span>')
    seconds = f" {exchange.seconds} s" if exchange.seconds else ""
    status = being_read(exchange.context_messages)
    begun = f'<p class="mc-waiting"><i></i><i></i><i></i> {status}{seconds}</p>'
    rows = [
        f"<li><b>{who(m.shown_sender)}</b>, {when(m.sent_at)}: "
        f'<q dir="auto">{in_html(plain(m.text, 120))}</q></li>'
        for m in exchange.context_messages[:READS_SHOWN]
    ]
    return begun + (f'<ol class="mc-reads">{"".join(rows)}</ol>' if rows else "")


def _paragraph(text: str, place: int, answer: Answer | None) -> str:
    if not text:
        return ""
    pieces = _CITATION.split(text)
    made = ""
    for odd, piece in enumerate(pieces):
        if odd % 2:
            made += _cite(place, int(piece), answer)
        else:
            joined = made.endswith("</button>") and piece[:1] in _STOPS
            made += f"{_JOINER if joined else ''}{in_html(piece)}"
    return _text(made)


def _text(made: str) -> str:
    """The HTML of an answer; lines that begin with "- " are the items of a list."""
    parts_of_it = []
    for is_list, lines in groupby(made.split("\n"), key=lambda line: line.startswith(_ITEM)):
        if is_list:
            items = "".join(f'<li dir="auto">• {line.removeprefix(_ITEM)}</li>' for line in lines)
            parts_of_it.append(f"<ul>{items}</ul>")
        else:
            parts_of_it.append("\n".join(lines))
    return f'<div dir="auto" class="mc-text">{"".join(parts_of_it)}</div>'


def _cite(place: int, number: int, answer: Answer | None) -> str:
    """The ``[n]`` of an answer as a button that opens the message."""
    shown = answer.shown if answer else ()
    source = next((s for s in shown if s.number == number), None)
    if source is None:
        return f"[{number}]"
    label = f"Source {number}: {plain(source.shown_sender, 40)}, {when(source.sent_at)}"
    value = f"{place}:{source.message_id:d}"
    return button("cite", value, label, css="mc-cite", words=f"[{number}]")


def _actions(place: int, exchange: Exchange, *, last: bool) -> str:
    if exchange.live:
        return ""
    made = []
    if exchange.answer is not None:
        made.append(button("pick", place, "Show why, sources and how", "why", words="Why"))
        made.append(button("copy", "", "Copy answer", "copy", event="client"))
        for do, liked in (("like", True), ("dislike", False)):
            label = "Good answer" if liked else "Bad answer"
            made.append(button(do, place, label, do, pressed=exchange.liked is liked))
    if last:
        made.append(button("retry", place, "Ask again", "retry", event="ask"))
        made.append(button("edit", exchange.question, "Edit question", "edit", event="client"))
    return f'<div class="mc-actions" role="group" aria-label="Actions">{"".join(made)}</div>'


def _asked_next(exchange: Exchange) -> str:
    """The questions to ask next, and what shows all kinds of questions, unless that was asked."""
    ended = not exchange.live and exchange.question != WHAT_CAN_I_ASK
    return _questions(exchange.follow_ups, "Ask next") + (_HELP if ended else "")


def _questions(questions: Sequence[str], label: str) -> str:
    if not questions:
        return ""
    made = [button("ask", q, css="mc-suggest", event="ask", words=q) for q in questions]
    return f'<div class="mc-questions" role="group" aria-label="{label}">{"".join(made)}</div>'


def deleted(titles: Sequence[str], latest: int | str = "") -> str:
    """The note above the chats while deletions (the latest first) can be undone; ``latest`` is its number."""
    if not titles:
        return ""
    renamed = all(" \u2192 " in title for title in titles)
    names = ", ".join(title_of(title) for title in titles[:2])
    more = f" and {count(len(titles) - 2, 'other')}" if len(titles) > 2 else ""  # noqa: PLR2004 - two are named
    undo = button("undo", latest, css="mc-small", words="Undo")
    every = f"all {len(titles)} " if len(titles) > 1 else ""
    wipe = button("askwipe", css="mc-small mc-danger", words=f"Delete {every}for good")
    done = "Replaced" if renamed else "Deleted"
    return box(f"{done}: {names}{more}", undo, wipe, role="status")
