"""What an import did, for the page: counts first, details to unfold."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.records import Decision, ImportReport, Skipped
from minirag_chat.show.page_html import title_of
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.show.tables import report_rows
from minirag_chat.ui_text import DATE_ORDER_WORDS, READING_OF_FILES, brought, count, on_the_page

MOST_SKIPPED = 50
MOST_NOTES = 3  # more of them are folded
_ON_THE_PAGE = frozenset({"date_order", "clock", "time_zone"})
"""Options that the page offers for the next files."""


def report(result: ImportReport, file: str = "") -> str:
    """The report of one import; ``file`` is its name, where there are several."""
    facts = brought(result, count(result.messages_added, "new message"))
    if result.chats:
        facts.append(count(len(set(result.chats)), "chat", "chats"))
    if result.media:
        facts.append(count(result.media, "attachment") + " (name kept, not its content)")
    if result.skipped:
        facts.append(count(len(result.skipped), "line or file", "lines or files") + " left out")
    doubts = "".join(
        f'<p class="mc-doubt">{in_html(on_the_page(_decision(d)))}</p>'
        for d in result.decisions
        if not d.certain
    )
    named = f"<b>{title_of(file)}</b>: " if file else ""
    notes = [on_the_page(note) for note in result.notes]
    few = len(notes) <= MOST_NOTES and not file
    said = "".join(f'<p class="mc-quiet">{in_html(plain(note, 300))}</p>' for note in notes if few)
    return (
        f'<p class="mc-quiet">{named}{" · ".join(facts)}, in {result.seconds:.1f} s</p>{doubts}{said}'
        f"<details><summary>The whole report</summary>{_facts(result)}"
        f"{_listed('Notes', [] if few else notes)}{_skipped(result.skipped)}</details>"
    )


def total(results: Sequence[ImportReport]) -> str:
    """What the import of several files did in all."""
    facts = [count(len(results), "file")]
    facts.append(count(sum(one.messages_added for one in results), "new message"))
    facts.append(count(len({chat for one in results for chat in one.chats}), "chat"))
    if left := sum(len(one.skipped) for one in results):
        facts.append(count(left, "line or file", "lines or files") + " left out")
    if doubts := sum(not decision.certain for one in results for decision in one.decisions):
        facts.append(f"<b>please check {count(doubts, 'decision')} below</b>")
    return " · ".join(facts)


def _facts(result: ImportReport) -> str:
    sure = [_decision(decision) for decision in result.decisions if decision.certain]
    rows = [*report_rows(result), *([("detected", "; ".join(sure))] if sure else [])]
    made = [
        f"<div><dt>{name.capitalize()}</dt><dd>{in_html(plain(value, 600))}</dd></div>"
        for name, value in rows
    ]
    return f"<dl>{''.join(made)}</dl>"


def _decision(decision: Decision) -> str:
    """What was decided and, if the file is ambiguous, how to change it."""
    chosen = DATE_ORDER_WORDS.get(decision.chosen, decision.chosen)
    words = f"{decision.source}: {decision.what} {chosen}"
    if decision.certain:
        return plain(words, 300)
    would = f"; {count(decision.messages, 'message')} could be read differently"
    option = decision.option.replace("_", "-")
    again = (
        f"choose it under \u201c{READING_OF_FILES}\u201d, and add the file again."
        if decision.option in _ON_THE_PAGE
        else f"use `minirag-chat add --{option}`."
    )
    return plain(
        f"Please check: {words}{would if decision.messages else ''}. "
        f"If that is wrong, delete the chat, {again}",
        500,
    )


def _skipped(skipped: tuple[Skipped, ...]) -> str:
    lines = [
        f"{part.source}{f', line {part.line:,}' if part.line else ''}: {part.reason}"
        for part in skipped[:MOST_SKIPPED]
    ]
    if len(skipped) > MOST_SKIPPED:
        lines.append(f"and {len(skipped) - MOST_SKIPPED:,} more")
    return _listed("Left out", lines)


def _listed(head: str, lines: tuple[str, ...] | list[str]) -> str:
    if not lines:
        return ""
    items = "".join(f"<li>{in_html(plain(line, 300))}</li>" for line in lines)
    return f"<h4>{head}</h4><ul>{items}</ul>"
