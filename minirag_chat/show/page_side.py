"""The left side of the page and its header: what is loaded, chats, people, days, running jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minirag_chat.errors import MiniRagChatError
from minirag_chat.models import choose_model
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.records import Answer, Arrival, Chat, Deletion, MediaKind, MediaStatus, Person
from minirag_chat.records.exploration import Info
from minirag_chat.show.page_html import button, day, icon, segments, title_of, visible_name, who
from minirag_chat.show.page_job import JobState
from minirag_chat.show.page_log import deleted
from minirag_chat.show.page_report import report, total
from minirag_chat.show.page_tabs import PageCorpus, TabFilters
from minirag_chat.show.rich_parts import when
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.ui_text import count, dates, joined, on_the_page

MOST_LISTED, UNFOLDED = 200, 6
MOST_ARRIVALS = 20
_STEPS = {
    "starting": "Reading",
    "import": "Reading",
    "joining": "Comparing with known chats",
    "indexing": "Indexing",
    "embedding": "Indexing by meaning",
}
_ENDS = {"done": "Done", "failed": "Failed", "stopped": "Stopped", "running": ""}


def header(models: LoadedModels, past: str = "", user: str = "", *, signs_out: bool = False) -> str:
    """The page's header: its name, the model and its state, who is signed in, and the switches.

    ``past`` is the menu of earlier conversations.
    """
    return (
        '<header class="mc-head">'
        + button("left", "", "Chats and filters", "menu", event="client", css="mc-act mc-narrow")
        + "<h1>MiniRAG Chat</h1>"
        + f'<p id="model" role="status">{_model(models)}</p>{_user(user, signs_out=signs_out)}'
        + '<span class="mc-tools">'
        + button("new", "", "New conversation", "new")
        + past
        + _keep()
        + button("settings", "", "Settings", "settings", event="client")
        + button("theme", "", "Light or dark", "theme", event="client")
        + button(
            "right", "", "Why, sources and how", "panel", event="client", css="mc-act mc-narrow"
        )
        + "</span></header>"
    )


def close_right() -> str:
    """What closes the right side where it covers the page."""
    return button(
        "right", "", "Back to the conversation", "back", event="client",
        css="mc-act mc-narrow", words="Conversation",
    )  # fmt: skip


def _user(name: str, *, signs_out: bool) -> str:
    if not name:
        return ""
    out = ' <a href="logout" class="mc-link">Sign out</a>' if signs_out else ""
    return f'<p id="user" class="mc-quiet">{in_html(name)}{out}</p>'


def settings_head() -> str:
    """The heading of the settings: what they are, and how to leave them."""
    close = button("settings", "", "Close the settings", "close", event="client")
    return f'<div class="mc-settings-head"><h2>Settings</h2>{close}</div>'


def _keep() -> str:
    """A menu of the file formats in which to save the conversation."""
    kinds = (("md", "Markdown"), ("json", "JSON"))
    made = [
        button("save", kind, f"Export the conversation as {words}", css="mc-row", words=words)
        for kind, words in kinds
    ]
    return (
        '<details class="mc-menu"><summary class="mc-act" aria-label="Export the conversation" '
        f'title="Export the conversation">{icon("save")}</summary><div>{"".join(made)}</div></details>'
    )


def _model(models: LoadedModels) -> str:
    """The model's name and state, in words and as a coloured dot."""
    if models.loaded is not None:
        return f'<i class="mc-dot mc-good"></i><b>{in_html(models.loaded.name)}</b>'
    try:
        choice = choose_model(models.settings)
    except MiniRagChatError as error:
        return f'<i class="mc-dot mc-bad"></i>{in_html(str(error))}'
    name = in_html(choice.name)
    if models.state == "failed":
        return f'<i class="mc-dot mc-bad"></i>{in_html(models.problem)}'
    if models.state == "loading":
        return f'<i class="mc-dot mc-busy"></i>Loading <b>{name}</b> …'
    return f'<i class="mc-dot mc-idle"></i><b>{name}</b>'


def corpora(all_of_them: Iterable[PageCorpus], chosen: PageCorpus) -> str:
    """The choice of messages to ask, if there is more than one."""
    made = [
        button("corpus", c.key, css="mc-segment", pressed=c is chosen, words=c.title)
        for c in all_of_them
    ]
    if len(made) < 2:  # noqa: PLR2004 - one is no choice
        return ""
    return segments("Messages to ask", made)


def coming() -> str:
    """The placeholder while an import or a deletion locks the database."""
    return '<p id="loaded" class="mc-quiet">Messages are being imported or deleted \u2026</p>'


def extent(info: Info, *, completes: bool = False) -> str:
    """What is loaded, in a line; a button for what the index lacks, if the page ``completes`` it."""
    if not info.messages:
        return '<p id="loaded" class="mc-quiet">No messages yet</p>'
    loaded = " · ".join(
        [
            count(info.messages, "message"),
            count(info.chats, "chat"),
            count(info.people, "person", "people"),
        ]
    )
    lines = (
        loaded,
        dates(info.first, info.last, day),
        "Encrypted on the disk" if info.encrypted else "",
        in_html(on_the_page(info.note)),
    )
    rest = button("index", css="mc-link", words="Complete the index")
    shown = f'<p id="loaded" class="mc-quiet">{"<br>".join(filter(None, lines))}</p>'
    return shown + (rest if completes and info.note else "")


ENDS_FIRST = "This ends before it begins: change one of the two."


def lists(
    chats: Sequence[Chat], people: Sequence[Person], trash: Sequence[Deletion], filters: TabFilters,
    *, deletable: bool, who_asks: str = "", more: int = 0,
) -> str:  # fmt: skip
    """Chats, people and days, each a filter. Chats, people and everything can be deleted.

    ``who_asks`` is shown under the people. ``more``: how often more chats and people were asked for.
    """
    most = MOST_LISTED * (1 + more)
    problem = f'<p class="mc-problem" role="alert">{ENDS_FIRST}</p>' if filters.reversed else ""
    days = (
        '<div class="mc-days">'
        f'<label>From <input type="date" data-change="since" value="{in_html(filters.since)}"></label>'
        f'<label>To <input type="date" data-change="until" value="{in_html(filters.until)}"></label>'
        f"{problem}</div>"
    )
    return (
        deleted([deletion.what for deletion in trash], trash[0].number if trash else "")
        + _section(
            "Chats", [_chat(c, filters, deletable=deletable) for c in chats[:most]], len(chats)
        )
        + _section(
            "People", [_person(p, filters, deletable=deletable) for p in people[:most]], len(people)
        )
        + (who_asks if people else "")
        + (f'<h2 class="mc-h2">Time</h2>{days}' if chats else "")
        + (
            button("delall", css="mc-link", words="Delete everything")
            if deletable and chats
            else ""
        )
    )


def _section(head: str, rows: Sequence[str], total: int) -> str:
    if not rows:
        return ""
    shown = f"{len(rows):,} of {total:,}" if len(rows) < total else f"All {total:,}"
    fold, more = "", ""
    if len(rows) > UNFOLDED + 1:  # a checkbox keeps its state when the list is redrawn
        fold = (
            f'<input type="checkbox" class="mc-all" id="all-{head}" '
            f'aria-label="Show more: {shown}, {head}">'
        )
        more = (
            f'<label for="all-{head}" class="mc-link mc-fold"><span>{shown}</span>'
            "<span>Fewer</span></label>"
        )
    if len(rows) < total:
        words = f"{shown}: show more"
        more += button("more", head, css="mc-link mc-more", words=words)
    listed = f'<ul class="mc-list">{"".join(rows)}</ul>'
    return f'<div class="mc-section"><h2 class="mc-h2">{head}</h2>{fold}{listed}{more}</div>'


def _chat(chat: Chat, filters: TabFilters, *, deletable: bool) -> str:
    title = plain(chat.title, 80) or "(no title)"
    last = day(chat.last) if chat.last else ""
    delete = button("delete", chat.id, f"Delete the chat {title}", "delete", css="mc-act mc-hover")
    picture = icon("group" if chat.kind == "group" else "direct")
    size = f'<small title="{count(chat.messages, "message")}">{chat.messages:,} · {last}</small>'
    inside = f"{picture}<span>{title_of(chat.title)}{size}</span>"
    on = chat.id in filters.chats
    return _row("chat", chat.id, inside, delete if deletable else "", on=on)


def _person(person: Person, filters: TabFilters, *, deletable: bool) -> str:
    name = visible_name(person.shown_name)
    change = button("someone", person.id, f"Rename or join {name}", "edit")
    delete = button("delperson", person.id, f"Delete the messages of {name}", "delete")
    number = f"<small>{person.messages:,}</small>"
    inside = f"{icon('person')}<span>{who(person.shown_name)}</span>{number}"
    on = person.id in filters.people
    beside = f'<span class="mc-hover">{change}{delete}</span>' if deletable else ""
    return _row("person", person.id, inside, beside, on=on)


def _row(do: str, value: int, inside: str, delete: str, *, on: bool) -> str:
    """A filter: whether it is on, and what a press makes of it, also if it is pressed twice."""
    return (
        f'<li><button type="button" class="mc-row" data-do="{do}" data-value="{value:d}" '
        f'data-on="{int(not on)}" aria-pressed="{str(on).lower()}">{inside}</button>{delete}</li>'
    )


def arrivals(found: Sequence[Arrival]) -> str:
    """What watched folders brought, the latest first: when, what, and how much of it was new."""
    rows = []
    for arrival in found[:MOST_ARRIVALS]:
        failed = arrival.state == "failed"
        brought = "not imported" if failed else count(arrival.messages_added, "new", "new")
        name = title_of(arrival.name) if arrival.name else "a file"
        said = f' title="{in_html(plain(arrival.said, 300))}"' if failed else ""
        rows.append(
            f"<li{said}><span>{name}<small>{when(arrival.at)} · {brought}</small></span></li>"
        )
    if not rows:
        return ""
    return (
        '<details class="mc-section mc-arrivals"><summary class="mc-h2">Arrived in watched folders'
        f'</summary><ul class="mc-list">{"".join(rows)}</ul></details>'
    )


def unread_media(found: Sequence[MediaStatus]) -> str:
    """A button that reads the voice notes and photos that are unread, and how many there are."""
    names: dict[MediaKind, str] = {"voice": "voice note", "photo": "photo"}
    left = [count(status.left, names[status.kind]) for status in found if status.left]
    if not left:
        return ""
    words = f"Read {joined(left)}"
    label = f"{words} on this machine, so that they are found by what they say and show"
    return button("readmedia", "", label, css="mc-link", words=words)


def exports(answer: Answer | None) -> str:
    """The buttons that save the chosen answer as a file."""
    if answer is None:
        return ""
    kinds = (("md", "Markdown"), ("json", "JSON"), ("png", "Graph as PNG"))
    made = [
        button("saveone", kind, f"Export: {words}", css="mc-small", words=words)
        for kind, words in kinds
    ]
    group = '<div class="mc-exports" role="group" aria-label="Export this answer">'
    return f"{group}{icon('save')}{''.join(made)}</div>"


def job(state: JobState | None) -> str:
    """A running import or download, or its result; what was done before it, and what is done next."""
    if state is None:
        return ""
    before = "".join(map(_ended, state.ended))
    if state.outcome == "running":
        return f'{before}<div class="mc-job">{_progress(state)}</div>'
    close = button("closejob", css="mc-small", words="Close")
    return f'{before}<div class="mc-job" role="status">{_result(state)}{close}</div>'


def _ended(state: JobState) -> str:
    """What was done before: its reports are folded, unless something failed."""
    ends, said, reports = _outcome(state)
    if said or not reports:
        return f'<div class="mc-job">{ends}{said}{reports}</div>'
    return f'<details class="mc-job"><summary>{ends}</summary>{reports}</details>'


def _progress(state: JobState) -> str:
    title = in_html(plain(state.title, 80))
    percent = round(100 * state.share)
    left = f"{_seconds(state.left)} left" if state.left else ""
    step = _STEPS.get(state.step, plain(state.step, 40).capitalize())
    count = f"{state.count:,} messages" if state.count else ""
    more = " · ".join(part for part in (in_html(step), count, left) if part)
    cancel = button("stopjob", css="mc-small", words="Cancel") if state.stoppable else ""
    if state.stopping:
        cancel = '<p class="mc-quiet" role="status">Stopping \u2026</p>'
    return (
        f"<p><b>{title}</b></p>"
        f'<div class="mc-progress" role="progressbar" aria-label="{title}" aria-valuemin="0" '
        f'aria-valuemax="100" aria-valuenow="{percent}"><i style="width:{percent}%"></i></div>'
        f'<p class="mc-quiet">{more}</p>{_waiting(state.waiting)}{cancel}'
    )


def _result(state: JobState) -> str:
    ends, said, reports = _outcome(state)
    if len(state.reports) > 1:  # of several files the sum, and the rest to unfold
        reports = (
            f'<p class="mc-quiet">{total(state.reports)}</p>'
            f"<details><summary>The report of each file</summary>{reports}</details>"
        )
    return f"{ends}{said}{reports}"


def _outcome(state: JobState) -> tuple[str, str, str]:
    """How a job ended, what was wrong, and the reports of its files."""
    said = "".join(
        f'<p class="mc-problem">{in_html(on_the_page(problem))}</p>' for problem in state.problems
    )
    several = len(state.reports) + len(state.problems) > 1
    named = zip(state.reports, state.files, strict=True)
    reports = "".join(report(done, file if several else "") for done, file in named)
    if state.outcome == "stopped" and reports:
        said += '<p class="mc-quiet">What was added until then is kept.</p>'
    title = in_html(plain(state.title, 80))
    partly = state.outcome == "done" and state.problems
    ends = "Done, except for what follows" if partly and reports else _ENDS[state.outcome]
    return f"<p><b>{ends}</b> · {title}</p>", said, reports


def _waiting(titles: Sequence[str]) -> str:
    """What is done next."""
    if not titles:
        return ""
    return f'<p class="mc-quiet">After that: {in_html(plain(", ".join(titles), 120))}</p>'


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"  # noqa: PLR2004 - a minute and a half
