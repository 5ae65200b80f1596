"""The command that imports chat exports, and what it prints about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from minirag_chat.cli import import_options
from minirag_chat.cli.help import STOPPED
from minirag_chat.cli.output import (
    ERR,
    fail,
    here,
    note,
    print_json,
    progress_bar,
    say,
)
from minirag_chat.cli.people import who_is_asked
from minirag_chat.cli.state import Json, app, memory, settings
from minirag_chat.errors import ImportFailed, MiniRagChatError
from minirag_chat.memory.import_preview import check_readable
from minirag_chat.records import ImportReport, Skipped
from minirag_chat.records.exploration import Info
from minirag_chat.ui_text import count, dates

SHOWN = 5


@app.command()
def add(
    paths: Annotated[list[Path], typer.Argument(help="Exports: files, zips or folders.")],
    date_order: import_options.DateOrder = None,
    clock: import_options.Clock = None,
    encoding: import_options.Encoding = None,
    time_zone: import_options.TimeZone = None,
    title: import_options.Title = None,
    file_format: import_options.Format = None,
    column: import_options.Columns = None,
    as_json: Json = False,
) -> None:
    """Import chat exports. Messages that are there already are not added twice."""
    options = import_options.chosen(
        date_order, clock, encoding, time_zone, title, file_format, column
    )
    imported, refused, unsaid = _imported(paths, options, quiet=as_json)
    if refused and len(paths) == 1:
        raise refused[0]
    failures = list(dict.fromkeys(map(str, refused)))
    reports = [report for _, report in imported]
    if as_json and not failures:
        print_json(reports[0] if len(paths) == 1 else {"reports": reports, "failed": failures})
    if not as_json:
        for path, report in imported:
            if len(paths) > 1:
                say(f"{path}:", "bold")
            _print_report(report)
        if unsaid and reports:
            say(unsaid)
    if failures:
        fail(ImportFailed(" ".join(failures)), reports=reports, failed=failures)
        raise typer.Exit(1)


def _imported(
    paths: Sequence[Path], options: dict[str, Any], *, quiet: bool
) -> tuple[list[tuple[Path, ImportReport]], Sequence[MiniRagChatError], str]:
    """Import each path; returns each with its report, failures, and what to say of who the user is.

    What ends the import of one path, such as a full disk, leaves the reports of those before it.
    """
    if unreadable := _refused_before(paths, options):
        return [], unreadable, ""
    imported: list[tuple[Path, ImportReport]] = []
    refused: list[MiniRagChatError] = []
    with memory(must_exist=False) as opened, progress_bar(quiet=quiet) as progress:
        before = opened.info().messages
        for path in paths:
            try:
                imported.append((path, opened.add(path, progress=progress, **options)))
            except ImportFailed as error:
                refused.append(error)
            except MiniRagChatError as error:
                return imported, [*refused, error], ""
            except KeyboardInterrupt:
                _print_stopped(opened.info(), before)
                raise typer.Exit(STOPPED) from None
        return imported, refused, who_is_asked(opened)


def _print_stopped(now: Info, before: int) -> None:
    """Say what an import that Ctrl-C ended has added, and how to complete its index."""
    added = now.messages - before
    said = f"Stopped: {count(added, 'message')} added." if added else "Stopped: nothing was added."
    if added and now.note:
        said += " `minirag-chat index` completes the index."
    say(here(said), to=ERR)


def _refused_before(paths: Sequence[Path], options: dict[str, Any]) -> list[ImportFailed]:
    """Why there is nothing to import, where there is no database yet: then none is made."""
    chosen = settings()
    refused: list[ImportFailed] = []
    for path in () if chosen.postgres or chosen.db.exists() else paths:
        try:
            check_readable(path, chosen, **options)
        except ImportFailed as error:
            refused.append(error)
        else:
            return []
    return refused


def _print_report(report: ImportReport) -> None:
    updated = f", {report.messages_updated:,} updated" if report.messages_updated else ""
    say(
        f"{count(report.messages_read, 'message')} read in {count(report.sessions, 'conversation')}, "
        f"{report.messages_added:,} new{updated}; {count(len(report.chats), 'chat')}, "
        f"{count(len(report.people), 'person', 'people')}."
    )
    if span := dates(report.first, report.last):
        say(f"From {span}; {report.seconds:.1f} s.")
    if report.system_lines:
        say(f"{count(report.system_lines, 'system line')} left out.")
    if report.media:
        say(f"Of {count(report.media, 'attachment')} only the name is kept.")
    absolute = sum(each.messages for each in report.decisions if each.option == "time_zone")
    if report.time_zone and absolute < max(report.messages_read, 1):
        say(
            f"Times without a zone are taken as {report.time_zone}; --time-zone changes that."
            if report.messages_added or not report.messages_read
            else "Messages that are here already keep their times: to read them in another zone, delete "
            "the chat and add it again."
        )
    for each in report.notes:
        note(each)
    _print_skipped(report.skipped)


def _print_skipped(skipped: Sequence[Skipped]) -> None:
    """Print what was skipped; what has the same reason, as files of an archive, in one line."""
    alike: dict[tuple[str, object], list[Skipped]] = defaultdict(list)
    for each in skipped:
        alike[each.reason, each.source if each.line else None].append(each)
    for first, *others in [*alike.values()][:SHOWN]:
        where = f"{first.source}:{first.line}" if first.line else first.source
        more = f" and {len(others):,} more" if others else ""
        say(f"Skipped {where}{more}: {first.reason}")
    left = sum(map(len, [*alike.values()][SHOWN:]))
    if left:
        say(f"and {left:,} more skipped: --json lists all.")
