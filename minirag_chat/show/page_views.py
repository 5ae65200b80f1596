"""Renders a tab: the HTML of each part of the page, by the part's name. No Gradio in here."""

from __future__ import annotations

from collections.abc import Iterable

from minirag_chat.errors import NotFound
from minirag_chat.records import StoredMedia
from minirag_chat.show import page_delete, page_log, page_me, page_past, page_people, page_side
from minirag_chat.show import page_parts as parts
from minirag_chat.show.page_commands import picked
from minirag_chat.show.page_html import quiet
from minirag_chat.show.page_limits import names
from minirag_chat.show.page_models import models_table, offer
from minirag_chat.show.page_servers import servers_table
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import PATIENCE, Tab, TabFilters

Views = dict[str, str]


def head(sessions: Sessions, tab: Tab) -> str:
    """The page's head."""
    past = page_past.menu(tab.past.of(tab.corpus.key))
    return page_side.header(sessions.own.models, past, sessions.user, signs_out=sessions.signs_out)


def left(sessions: Sessions, tab: Tab) -> Views:
    """What is loaded: the head, the corpora, a running job, chats, people and days, the models."""
    memory = tab.corpus.memory
    segments = page_side.corpora(tab.corpora.values(), tab.corpus)
    tab.lists_outdated = not memory.idle(PATIENCE)
    if tab.lists_outdated:
        others = {"lists": ""} if tab.lists_of != tab.corpus.key else {}
        return {
            "head": head(sessions, tab),
            "corpora": segments + page_side.coming(),
            "job": job(tab),
            **others,
        }
    tab.lists_of = tab.corpus.key
    trash = memory.deletions() if tab.deletable else []
    return {
        "head": head(sessions, tab),
        "corpora": segments + page_side.extent(memory.info(), completes=_completes(sessions, tab)),
        "job": job(tab),
        "lists": page_side.lists(
            memory.chats(),
            memory.people(),
            trash,
            tab.filters,
            deletable=tab.deletable,
            who_asks=page_me.known(memory.me, memory.only_called()) if tab.corpus.mine else "",
            more=tab.more,
        )
        + (
            page_side.unread_media(memory.media()) + page_side.arrivals(memory.arrivals())
            if tab.deletable
            else ""
        ),
        "models": (
            models_table(sessions.own) + servers_table(sessions, tab)
            if sessions.chooses_models
            else ""
        ),
    }


def _completes(sessions: Sessions, tab: Tab) -> bool:
    """Whether a press can complete the index of what the tab asks: of one's own, while no job runs."""
    busy = tab.job is not None and tab.job.running
    return tab.corpus.memory is sessions.own and not sessions.public and not busy


def middle(sessions: Sessions, tab: Tab) -> Views:
    """The conversation, or a welcome, and the filters of the questions."""
    shown = (
        page_log.log(tab.exchanges, tab.picked, tab.first_shown)
        if tab.exchanges
        else _welcome(sessions, tab)
    )
    if not tab.corpus.memory.idle(PATIENCE):
        return {"log": shown, "chips": page_log.waiting(tab.waiting)}
    chats, people = names(tab.filters, tab.corpus.memory)
    chips = page_log.chips(tab.filters, chats, people, deletable=tab.deletable)
    return {"log": shown, "chips": _over_the_box(tab) + chips}


def _over_the_box(tab: Tab) -> str:
    """Above the input box: a deletion to confirm, a person to change, who asks, and waiting questions."""
    asking = (
        page_delete.question(tab.asking, wiping=tab.wiping)
        + page_people.question(tab)
        + page_me.question(tab)
    )
    return asking + page_log.waiting(tab.waiting)


def right(tab: Tab) -> Views:
    """The chosen answer's sources, path and steps; the path only if it changed."""
    exchange = picked(tab)
    answer = exchange.answer
    views = {
        "sources": sources(tab),
        "how": parts.how(answer, exchange.rate, _hint(tab)),
        "exports": page_side.exports(answer),
    }
    path = None if answer is None else answer.path
    if tab.shown_path is not path or path is None:  # the path is half a megabyte
        views["why"] = parts.why(path, _hint(tab))
        tab.shown_path = path
    return views


def sources(tab: Tab) -> str:
    """The Sources of the right side: the open conversation, or the chosen answer's sources."""
    if tab.around is not None:
        message, around = tab.around
        if not tab.corpus.memory.idle(PATIENCE):
            return quiet(
                "Messages are being imported or deleted: the conversation is shown after that."
            )
        try:
            talk = tab.corpus.memory.conversation(message, around)
        except NotFound:
            return quiet("This message was deleted.")
        files = _files(tab, (said.id for said in talk))
        asker = tab.corpus.memory.me
        me = asker.id if asker else 0
        return parts.conversation(
            talk, message, around, me=me, deletable=tab.deletable, files=files
        )
    answer = picked(tab).answer
    shown = answer.shown if answer else ()
    return parts.sources(answer, _files(tab, (source.message_id for source in shown)), _hint(tab))


def _hint(tab: Tab) -> str:
    """What to do where no answer is chosen: the last question may have had none."""
    answered = any(exchange.answer for exchange in tab.exchanges)
    return parts.PRESS_WHY if answered else parts.ASK_FIRST


def _files(tab: Tab, messages: Iterable[int]) -> dict[int, list[StoredMedia]]:
    """The voice notes and photos of messages, if they may be played: only of the user's own messages."""
    if not tab.deletable or not tab.corpus.memory.idle(PATIENCE):
        return {}
    return tab.corpus.memory.files_of(messages)


def job(tab: Tab) -> str:
    """The job that the tab shows."""
    return page_side.job(tab.job.shown() if tab.job else None)


def listed(tab: Tab) -> str:
    """A text that changes with the lists: it shows changes by another program or a watched folder."""
    memory = tab.corpus.memory
    if memory.idle():
        chats = [(chat.id, chat.title, chat.messages) for chat in memory.chats()]
        people = hash(
            tuple((person.id, person.name, person.messages) for person in memory.people())
        )
        own = (memory.arrivals()[:1], len(memory.deletions())) if tab.deletable else ()
        tab.listed = f"{chats}{people}{own}{memory.index_left()}"  # counted once for each change
    return tab.listed


def _welcome(sessions: Sessions, tab: Tab) -> str:
    memory = tab.corpus.memory
    note = offer(sessions.own) if sessions.chooses_models else ""
    if not memory.idle(PATIENCE):
        return page_log.welcome((), note=note)
    suggested = memory.suggestions(near=tab.filters != TabFilters())
    if not suggested and not memory.info().messages:
        if tab.job is not None and tab.job.running and tab.job.imports_into(own=tab.corpus.mine):
            return page_log.coming()
        return page_log.empty(
            public=sessions.public, undo=tab.deletable and bool(memory.deletions())
        )
    return page_log.welcome(suggested, note=note)
