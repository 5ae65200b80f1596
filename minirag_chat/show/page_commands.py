"""What the page's buttons do to a tab and its messages. No Gradio in here: tests need no server.

Each press arrives as a word and a value. Both come from a browser and cannot be trusted.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from minirag_chat.errors import (
    BadQuestion,
    ImportFailed,
    ImportStopped,
    MiniRagChatError,
    NotFound,
)
from minirag_chat.importers.files import unpacked_bytes
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.memory.question_text import must_be_short
from minirag_chat.models import find_card
from minirag_chat.records import Cancelled, ImportReport, Report
from minirag_chat.show import page_me
from minirag_chat.show.export import answers_json, answers_markdown
from minirag_chat.show.page_delete import DeletionCommands
from minirag_chat.show.page_job import FileReport, Job, Result, task
from minirag_chat.show.page_models import install
from minirag_chat.show.page_past import PastCommands
from minirag_chat.show.page_people import PeopleCommands
from minirag_chat.show.page_servers import Servers
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import (
    PATIENCE,
    SHOWN,
    BrowserCommand,
    Exchange,
    Tab,
    TabFilters,
    number,
    say,
)
from minirag_chat.show.page_uploads import take
from minirag_chat.show.safe_text import in_html
from minirag_chat.ui_text import on_the_page

MOST_AROUND = 200
NAMED = 3  # files in the title of an import
MOST_WAITING = 5  # questions that wait for earlier answers
_DAY = lazy(r"\d{4}-\d\d-\d\d")


class Commands:
    """Carries out the commands that the page sends: a word and a value, such as ``delete`` and a chat.

    Each may tell the browser to do something in return.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._commands: dict[str, Callable[[Tab, str], BrowserCommand | None]] = {
            "cite": self._cite, "open": self._open, "back": self._back, "pick": self._pick,
            "like": partial(self._rate, liked=True), "dislike": partial(self._rate, liked=False),
            "unask": self._unask, "earlier": self._earlier,
            "save": self._save, "saveone": self._save_one, "person": self._person, "chat": self._chat,
            "since": self._since, "until": self._until, "clear": self._clear,
            "more": self._more, "corpus": self._corpus,
            **PastCommands(sessions).commands, **DeletionCommands(sessions).commands, **page_me.commands(),
            **PeopleCommands(sessions).commands, **Servers(sessions).commands, "readmedia": self._read_media,
            "stopjob": self._stop_job, "closejob": self._close_job, "index": self._index,
            "get": self._get, "use": self._use,
        }  # fmt: skip

    def do(self, tab: Tab, word: str, value: str) -> BrowserCommand | None:
        """Carry out a command; a failure becomes a sentence that the browser shows."""
        try:
            return self._commands[word](tab, value) if word in self._commands else None
        except MiniRagChatError as error:
            return say(error)

    def upload(
        self, tab: Tab, files: Sequence[str], options: Mapping[str, str] | None = None
    ) -> BrowserCommand | None:
        """Import files that the browser has sent, after what runs already; they are removed afterwards.

        ``options`` are those of ``ImportOptions`` that the user has chosen.
        """
        if refusal := self._too_much(tab, files):
            for file in files:
                Path(file).unlink(missing_ok=True)
            return say(refusal)
        corpus = self._sessions.own_corpus(tab)
        taken = take(files)
        unused = {file: unpacked_bytes(file) for file in taken}

        def work(progress: Report, cancelled: Cancelled) -> Iterator[Result]:
            try:
                for file in taken:
                    result = _imported(corpus.memory, file, progress, cancelled, options or {})
                    if isinstance(result, ImportFailed):
                        yield result
                    else:
                        del unused[file]
                        yield FileReport(file.name, result)
            finally:
                self._sessions.uncount(tab, sum(unused.values()))
                for file in taken:
                    shutil.rmtree(file.parent, ignore_errors=True)

        names = ", ".join(Path(file).name for file in files[:NAMED])
        names += f" and {len(files) - NAMED} more" if len(files) > NAMED else ""
        self._sessions.begin(tab, Job(names, work))
        tab.show(corpus)
        tab.filters = TabFilters()
        self._sessions.remember(tab)
        return None

    def _too_much(self, tab: Tab, files: Sequence[str]) -> str | None:
        """Why these files are not imported: a visitor has sent too much."""
        if not self._sessions.public:
            return None
        return self._sessions.refusal(tab, sum(unpacked_bytes(Path(file)) for file in files))

    def prepare(self, tab: Tab, word: str, value: str) -> BrowserCommand | None:
        """Make a question the tab's pending one: a new one, or the last one again."""
        if tab.running is not None and word in {"retry", "again"}:
            return say("An answer is being written: stop it with Esc, or wait.")
        try:
            _not_empty(tab)
            must_be_short(value, tab.corpus.memory.settings.max_question_chars)
            tab.corpus.memory.tuned(**tab.tuning)
        except BadQuestion as error:
            return say(error)
        except MiniRagChatError as error:
            tab.tuning = {}
            return say(error)
        if (command := drop_gone_filters(tab)) is not None:
            return command
        tab.person, tab.alike = 0, None
        if tab.running is not None:
            return self._wait(tab, value.strip())
        if word == "retry" and tab.exchanges:
            value = tab.exchanges.pop().question
        elif word == "again" and tab.exchanges:  # the last question, edited
            tab.exchanges.pop()
        tab.pending = value.strip() or None
        return None

    def _wait(self, tab: Tab, question: str) -> BrowserCommand | None:
        """Let a question wait until those before it are answered, unless it is one of them."""
        last = tab.exchanges[-1] if tab.exchanges else Exchange("")
        if question in tab.waiting or (last.live and last.question == question):
            return None  # its button was pressed twice
        if len(tab.waiting) >= MOST_WAITING:
            return say(f"{MOST_WAITING} questions are waiting already: cancel one.")
        if question:
            tab.waiting.append(question)
        return None

    def _unask(self, tab: Tab, value: str) -> None:
        """Remove a waiting question, named by its text: its place changes while the others are answered."""
        with tab.lock:
            tab.waiting = [asked for asked in tab.waiting if in_html(asked) != in_html(value)]

    # --- answers ----------------------------------------------------------------------------------

    def _cite(self, tab: Tab, value: str) -> BrowserCommand:
        place, message = _numbers(value)
        tab.picked = min(place, len(tab.exchanges) - 1)
        tab.around = None
        return {"do": "source", "id": message}

    def _open(self, tab: Tab, value: str) -> BrowserCommand:
        _readable(tab)
        message, around = _numbers(value if ":" in value else f"{value}:5")
        if not tab.corpus.memory.present([message]):
            raise NotFound("This message was deleted.")
        tab.around = (message, min(around, MOST_AROUND))
        return {"do": "said", "id": message}

    def _back(self, tab: Tab, _value: str) -> None:
        tab.around = None

    def _pick(self, tab: Tab, value: str) -> None:
        tab.picked = min(number(value), len(tab.exchanges) - 1)
        tab.around = None

    def _rate(self, tab: Tab, value: str, *, liked: bool) -> None:
        place = number(value)
        if place >= len(tab.exchanges) or tab.exchanges[place].answer is None:
            return
        _readable(tab)
        if tab.corpus.mine:
            tab.must_be_free()
        exchange = tab.exchanges[place]
        now = None if exchange.liked is liked else liked
        tab.exchanges[place] = replace(exchange, liked=now)
        self._sessions.remember(tab)
        if tab.corpus.mine and exchange.answer is not None:
            tab.corpus.memory.rate(exchange.answer, liked=now)

    def _earlier(self, tab: Tab, _value: str) -> BrowserCommand:
        first = tab.first_shown
        tab.earlier += min(SHOWN, first)
        return {"do": "earlier", "id": first}

    def _save(self, tab: Tab, value: str) -> BrowserCommand:
        return _file(tab.exchanges, value, "conversation")

    def _save_one(self, tab: Tab, value: str) -> BrowserCommand:
        if value == "png":
            return {"do": "picture", "name": "why.png"}
        return _file([picked(tab)], value, "answer")

    # --- filters ----------------------------------------------------------------------------------

    def _person(self, tab: Tab, value: str) -> None:
        person, included = _switch(value)
        tab.filters = tab.filters.with_person(person, included=included)

    def _chat(self, tab: Tab, value: str) -> None:
        chat, included = _switch(value)
        tab.filters = tab.filters.with_chat(chat, included=included)

    def _since(self, tab: Tab, value: str) -> None:
        tab.filters = replace(tab.filters, since=_day(value))

    def _until(self, tab: Tab, value: str) -> None:
        tab.filters = replace(tab.filters, until=_day(value))

    def _more(self, tab: Tab, _value: str) -> None:
        tab.more += 1

    def _clear(self, tab: Tab, _value: str) -> None:
        tab.filters = TabFilters()

    def _corpus(self, tab: Tab, value: str) -> None:
        if value in tab.corpora and tab.corpora[value] is not tab.corpus:
            tab.show(tab.corpora[value])
            self._sessions.remember(tab)

    # --- jobs and models ------------------------------------------------------------------------------

    def _stop_job(self, tab: Tab, _value: str) -> None:
        if tab.job is not None and not (tab.job.internal and self._sessions.public):
            tab.job.stop()

    def _close_job(self, tab: Tab, _value: str) -> None:
        if tab.job is not None and not tab.job.running:
            self._sessions.dismiss(tab)

    def _index(self, _tab: Tab, _value: str) -> None:
        self._sessions.begin_completing()

    def _read_media(self, tab: Tab, _value: str) -> None:
        self._sessions.must_be_private()
        self._sessions.begin(
            tab, task("Transcribing voice notes and photos", self._sessions.own.read_media)
        )

    def _get(self, tab: Tab, value: str) -> None:
        self._sessions.must_choose_models()
        card = find_card(value, "chat")
        getting = partial(install, self._sessions.own, card)
        self._sessions.begin(tab, task(f"Getting {card.name}", getting))

    def _use(self, _tab: Tab, value: str) -> BrowserCommand:
        self._sessions.must_choose_models()
        self._sessions.own.use_model(value)
        return say("It will be loaded when you ask your next question.")


def _imported(
    memory: ChatMemory,
    file: Path,
    progress: Report,
    cancelled: Cancelled,
    options: Mapping[str, str],
) -> ImportReport | ImportFailed:
    """Import one of several files: one that is no export does not keep the others out."""
    try:
        return memory.add(file, progress=progress, cancelled=cancelled, media=False, **options)
    except ImportStopped:
        raise
    except ImportFailed as error:
        return error


def picked(tab: Tab) -> Exchange:
    """The exchange whose evidence is shown; an empty one where there is none."""
    if tab.picked is None or not 0 <= tab.picked < len(tab.exchanges):
        return Exchange("")
    return tab.exchanges[tab.picked]


def drop_gone_filters(tab: Tab) -> BrowserCommand | None:
    """Remove filters by chats and people that are no longer there, and tell the browser to say so."""
    memory, filters = tab.corpus.memory, tab.filters
    if not (filters.chats or filters.people) or not memory.idle(PATIENCE):
        return None
    chats = {chat.id for chat in memory.chats()}
    people = {person.id for person in memory.people()}
    tab.filters = replace(
        filters,
        chats=tuple(chat for chat in filters.chats if chat in chats),
        people=tuple(person for person in filters.people if person in people),
    )
    if tab.filters == filters:
        return None
    return say("A chat or person that you chose is gone: questions are no longer limited to it.")


def _not_empty(tab: Tab) -> None:
    """Raise ``BadQuestion``, worded for the page, if there are no messages yet."""
    memory = tab.corpus.memory
    if not memory.idle(PATIENCE) or memory.info().messages:
        return
    if tab.job is not None and tab.job.running and tab.job.imports_into(own=tab.corpus.mine):
        raise BadQuestion("The messages are still being read: ask again in a moment.")
    others = [other for other in tab.corpora.values() if other is not tab.corpus]
    full = [o.title for o in others if o.memory.idle(PATIENCE) and o.memory.info().messages]
    or_ask = f", or choose {full[0]!r} there and ask that" if full else ""
    raise BadQuestion(f"There are no messages yet: drop an exported chat on the left side{or_ask}.")


def _readable(tab: Tab) -> None:
    if not tab.corpus.memory.idle(PATIENCE):
        raise BadQuestion("Messages are being imported or deleted: try again in a moment.")


def _file(exchanges: Sequence[Exchange], kind: str, name: str) -> BrowserCommand:
    answered = [(done.answer, done.limits) for done in exchanges if done.answer is not None]
    answers = [answer for answer, _ in answered]
    if not answers:
        return say("There is no answer to export yet.")
    if kind == "json":
        return {"do": "file", "name": f"{name}.json", "text": answers_json(answers)}
    noted = [replace(answer, note=on_the_page(answer.note)) for answer in answers]
    text = answers_markdown(noted, limits=[limits for _, limits in answered])
    return {"do": "file", "name": f"{name}.md", "text": text}


def _day(value: str) -> str:
    """A day that the browser sent; empty for anything else."""
    return value if _DAY.fullmatch(value) else ""


def _switch(value: str) -> tuple[int, bool | None]:
    """What a filter is by, and whether it is to be on; a second press on the same button changes nothing."""
    chosen, said, on = value.partition(":")
    return number(chosen), on == "1" if said else None


def _numbers(value: str) -> tuple[int, int]:
    """Two numbers that the browser sent, as in "12:5"."""
    first, _, second = value.partition(":")
    return number(first), number(second)
