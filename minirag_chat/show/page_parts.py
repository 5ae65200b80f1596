"""The right side of the page: the flag, Sources, a message in its conversation, Why and How."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from minirag_chat.answer.readers import ExtractiveReader
from minirag_chat.records import Answer, Message, ReasoningPath, Source, StoredMedia
from minirag_chat.show.flag import flag_of, has_measure, measure_of
from minirag_chat.show.page_html import button, quiet, title_of, who
from minirag_chat.show.page_media import ADDRESS
from minirag_chat.show.path_graph import path_html
from minirag_chat.show.rich_parts import when
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.ui_text import SILENCES

_CONTEXT, _LONGEST = 700, 4000
Files = Mapping[int, Sequence[StoredMedia]]
NO_FILES: Files = {}
_NAMES = {  # the engine's measures in plain words; others keep their own name
    "stated": "the model says that the messages state it (probability)",
    "silence": "the reader finds no answer in them (log-odds)",
    "other": (
        "how much better the answer fits the message's author than the person asked about (log-odds)"
    ),
    "cited": "how well the cited message fits the question, by the ranker (log-odds, and more)",
    "mean": "how likely the words of the answer are (mean log-probability)",
    "weakest": "the least likely of these words (log-probability)",
    "checked": "1: the first answer passed the fact check; 0: a second was needed",
    "computed": "the answer computed from dates is right (probability)",
    "supported": "0: no answer passed the fact check",
    "states": "best message states it, by the ranker (log-odds)",
    "answerable": "the messages state it: decides whether to answer (probability)",
    "coverage": "share of the question's words that were found",
    "cosine": "similarity in meaning of the best messages",
    "evidence_tokens": "length of the messages read, in tokens",
    "translate": "translating the question",
    "retrieve": "search and ranking",
    "answerability": "checking whether the messages state it",
    "events": "finding the dates of the events",
    "first_words": "until the first words",
    "total": "in all",
}
COUNTS = frozenset({"evidence_tokens"})
ASK_FIRST = "Ask a question to see this."
PRESS_WHY = "Press Why below an answer to see this."


def flag(answer: Answer) -> str:
    """The flag at a glance: how sure the answer is, or why there is none."""
    return chip(*flag_of(answer))


def chip(level: str, words: str) -> str:
    """A coloured flag; its sign and words say the same as its colour."""
    return f'<span class="mc-flag mc-{level}">{in_html(words)}</span>'


def sources(answer: Answer | None, files: Files = NO_FILES, hint: str = ASK_FIRST) -> str:
    """The cited messages or, on abstention, the closest ones; without an answer the ``hint``."""
    if answer is None:
        return quiet(hint)
    if not answer.shown:
        return quiet("No message to show.")
    head = "Closest messages; none of them states the answer." if answer.abstained else ""
    head = f'<p class="mc-quiet">{head}</p>' if head else ""
    return (
        head
        + f'<ol class="mc-sources">{"".join(_card(source, files) for source in answer.shown)}</ol>'
    )


def conversation(
    messages: Sequence[Message],
    marked: int,
    around: int,
    *,
    me: int = 0,
    deletable: bool = False,
    files: Files = NO_FILES,
) -> str:
    """A message, highlighted, in its conversation; ``around`` is how many are shown on each side.

    ``me`` is the id of the person whose messages stand on the other side.
    """
    chosen = next(m for m in messages if m.id == marked)
    more = button("open", f"{marked}:{around + 20}", css="mc-link", words="Show more of this chat")
    rows = []
    for place, message in enumerate(messages):
        before = messages[place - 1] if place else None
        if before is not None and before.sent_at.date() != message.sent_at.date():
            before = None  # each day begins a new group
        if before is None:
            rows.append(f'<li class="mc-day">{when(message.sent_at).rsplit(",", 1)[0]}</li>')
        same = before is not None and before.sender == message.sender
        played = _players(files.get(message.id, ()))
        mine = bool(me) and message.sender_id == me
        rows.append(_said(message, marked, played, same=same, mine=mine, deletable=deletable))
    return (
        f'<div class="mc-open"><div class="mc-open-head">'
        f"{button('back', '', 'Back to the sources', 'back', css='mc-act', words='Sources')}"
        f"<h3>{title_of(chosen.chat)}</h3>{more}</div>"
        f'<ol class="mc-talk" aria-label="Conversation">{"".join(rows)}</ol></div>'
    )


def why(path: ReasoningPath | None, hint: str = ASK_FIRST) -> str:
    """The path graph in a frame that may run scripts but cannot reach this page."""
    if path is None:
        return quiet(hint)
    return (
        '<iframe class="mc-graph" title="Reasoning path" sandbox="allow-scripts"'
        f' referrerpolicy="no-referrer" srcdoc="{html.escape(path_html(path))}"></iframe>'
    )


def how(answer: Answer | None, rate: float = 0.0, hint: str = ASK_FIRST) -> str:
    """What was done: steps, seconds, the model, the paths' scores, and the confidence's signals.

    A measure without a plain name is shown under its own.
    """
    if answer is None:
        return quiet(hint)
    facts = [("Model", answer.model)]
    if has_measure(answer):
        facts.append((measure_of(answer).capitalize(), f"{answer.confidence:.2f}"))
    if answer.reason:
        facts.append(("No answer", SILENCES[answer.reason].flag))
    if rate and answer.model != ExtractiveReader.name:  # which quotes whole sentences
        facts.append(("Reading speed", f"{rate:.1f} tokens a second"))
    signals = [
        (_named(k), f"{v:,.0f}" if k in COUNTS else f"{v:.2f}") for k, v in answer.signals.items()
    ]
    names = {node.id: node.name for node in answer.path.nodes}
    edges = sorted((e for e in answer.path.edges if e.score > 0), key=lambda e: -e.score)[:8]
    paths = [
        (f"{plain(names[e.source], 40)} → {plain(names[e.target], 40)}", f"{e.score:.2f}")
        for e in edges
        if e.source in names and e.target in names
    ]
    return "".join(
        [
            _table("Answer", ("what", "value"), facts),
            _timeline(answer.timings),
            _table("Signals", ("signal", "value"), signals),
            _table("Strongest links of the path", ("link", "score"), paths),
        ]
    )


def _timeline(timings: Mapping[str, float]) -> str:
    """Seconds by step, with a bar for each; the total last."""
    total = timings.get("total", sum(timings.values())) or 1.0
    rows = []
    for name, seconds in [*((k, v) for k, v in timings.items() if k != "total"), ("total", total)]:
        share = min(100.0, 100 * seconds / total)
        rows.append(
            f'<tr><th scope="row">{in_html(_named(name))}</th>'
            f'<td class="mc-bar"><i style="width:{share:.1f}%"></i></td><td>{seconds:.3f} s</td></tr>'
        )
    return (
        '<table class="mc-table"><caption>Time</caption><thead><tr><th scope="col">step</th>'
        '<th scope="col">share</th><th scope="col">seconds</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _named(key: str) -> str:
    return _NAMES.get(key) or plain(key.replace("_", " "), 60)


def _card(source: Source, files: Files) -> str:
    marks = filter(None, (plain(source.message.passed_on, 80), source.read_in))
    read = "".join(f'<p class="mc-quiet">{in_html(mark)}</p>' for mark in marks)
    label = f"Open message {source.number} in its conversation"
    chat = "" if source.chat == source.shown_sender else f"{title_of(source.chat)} · "
    return (
        f'<li class="mc-source" data-message-id="{source.message_id:d}" tabindex="-1">'
        f'<span class="mc-number">{source.number:d}</span>'
        f"<div><p><b>{who(source.shown_sender)}</b> · {chat}"
        f'<time datetime="{source.sent_at.isoformat()}">{when(source.sent_at)}</time></p>'
        f'<blockquote class="mc-said" dir="auto">{_quoted(source)}</blockquote>'
        f"{read}{_players(files.get(source.message_id, ()))}"
        f"{button('open', f'{source.message_id:d}:5', label, css='mc-link', words='Open conversation')}"
        "</div></li>"
    )


def _quoted(source: Source) -> str:
    """The message with its quote highlighted; a long message is cut around the quote."""
    text, quote = source.message.text, source.quote
    before, found, after = text.partition(quote) if quote else (text, "", "")
    if quote and not found:
        return f"<mark>{in_html(quote)}</mark>"
    half = _CONTEXT // 2
    if len(before) > half and found:
        before = "…" + before[-half:]
    if len(after) > half:
        after = after[:half] + "…"
    if len(before) > _CONTEXT:
        before = before[:_CONTEXT] + "…"
    marked = f"<mark>{in_html(found)}</mark>" if found else ""
    return f"{in_html(before)}{marked}{in_html(after)}"


def _said(
    message: Message, marked: int, played: str, *, same: bool, mine: bool, deletable: bool
) -> str:
    text = message.text
    more = f" … ({len(text) - _LONGEST:,} more characters)" if len(text) > _LONGEST else ""
    name = "" if same else f"<b>{who(message.shown_sender)}</b>"
    label = f"Delete message {message.id}"
    delete = button("delmessage", message.id, label, "delete", css="mc-act mc-hover")
    here = message.id == marked
    attributes = ' tabindex="-1" aria-current="true"' if here else ""
    css = " ".join(name for name, on in (("mc-here", here), ("mc-mine", mine)) if on)
    return (
        f'<li class="{css}"{attributes} data-said="{message.id:d}">{name}'
        f'<p dir="auto">{in_html(text[:_LONGEST])}{more}</p>{played}{_marks(message)}'
        f'<time datetime="{message.sent_at.isoformat()}">{message.sent_at:%H:%M}</time>'
        f"{delete if deletable else ''}</li>"
    )


def _marks(message: Message) -> str:
    """What an export says about a message besides its text."""
    words = [
        message.passed_on,
        "edited" if message.edited else "",
        "deleted by its sender" if message.deleted else "",
        *(
            f"{a.kind}: {a.name}"
            for a in message.attachments
            if a.name and a.name not in message.text
        ),
        "".join(reaction.emoji for reaction in message.reactions),
    ]
    said = " · ".join(plain(word, 80) for word in words if word)
    return f"<small><bdi>{in_html(said)}</bdi></small>" if said else ""


def _table(caption: str, head: tuple[str, str], rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    body = "".join(
        f'<tr><th scope="row">{in_html(k)}</th><td>{in_html(v)}</td></tr>' for k, v in rows
    )
    heads = "".join(f'<th scope="col">{in_html(word)}</th>' for word in head)
    return (
        f'<table class="mc-table"><caption>{in_html(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _players(files: Sequence[StoredMedia]) -> str:
    """The HTML that plays and shows the files of a message."""
    made = []
    for file in files:
        address = f"{ADDRESS}/{file.message_id:d}/{file.position:d}"
        if file.kind == "voice":
            made.append(
                f'<audio class="mc-media" controls preload="none" src="{address}" '
                'aria-label="Voice note"></audio>'
            )
        else:
            made.append(
                f'<img class="mc-media" loading="lazy" src="{address}" alt="Photo of the message">'
            )
    return "".join(made)
