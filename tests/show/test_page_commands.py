"""What presses do, on a real memory with hand-written models; no Gradio, no browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from fakes import WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.show import page_log, page_side, page_views
from minirag_chat.show.page_commands import Commands, side
from minirag_chat.show.page_job import Job
from minirag_chat.show.page_sessions import FULL_TABS, Sessions
from minirag_chat.show.page_tabs import Exchange, Tab
from minirag_chat.store import Store


@pytest.fixture
def sessions(small: ChatMemory) -> Sessions:
    return Sessions(small)


@pytest.fixture
def public(small: ChatMemory, settings: object) -> Iterator[Sessions]:
    with small.beside(":memory:") as own:
        yield Sessions(own, [("Sample", small)], public=True)


def asked(tab: Tab, question: str = "Who is the piano tuner?") -> Exchange:
    answer = tab.tuned_memory().ask(question)
    tab.exchanges.append(Exchange(question, answer.text, answer))
    tab.picked = len(tab.exchanges) - 1
    return tab.exchanges[-1]


def test_a_citation_opens_its_message_in_the_conversation(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    answer = asked(tab).answer
    assert answer is not None
    source = (answer.sources or answer.closest)[0]
    assert commands.do(tab, "cite", f"0:{source.message_id}") == {
        "do": "source",
        "id": source.message_id,
    }
    assert f'data-message-id="{source.message_id}"' in side(tab)
    assert commands.do(tab, "open", f"{source.message_id}:5") == {
        "do": "said",
        "id": source.message_id,
    }
    assert "mc-here" in side(tab)
    commands.do(tab, "back", "")
    assert "mc-sources" in side(tab)


def test_many_visitors_and_programs_do_not_cost_anybody_an_upload(
    public: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.show.page_sessions.MOST_TABS", 5)
    uploaded = public.own_corpus(public.tab("in the background")).memory
    for number in range(9):
        public.tab(f"visitor {number}")
    for _ in range(9):
        with public.visit() as tab:
            assert tab.corpus.memory.info().messages
    assert public.tab("visitor 8").corpora, "it is still there"
    assert uploaded.info().messages == 0, "it is still open"
    assert public.own_corpus(public.tab("in the background")).memory is uploaded


def test_a_call_of_a_program_leaves_no_tab(public: Sessions) -> None:
    with public.visit():
        assert public.in_use
    assert not public.in_use


def test_a_tab_whose_upload_is_being_read_keeps_nobody_waiting_when_it_is_given_up(
    public: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.show.page_sessions.MOST_TABS", 1)
    public.own_corpus(public.tab("first"))
    closes, read = Event(), Event()

    def close(_: ChatMemory) -> None:
        closes.set()
        assert read.wait(60)

    with monkeypatch.context() as patched, ThreadPoolExecutor(2) as threads:
        patched.setattr(ChatMemory, "close", close)
        second = threads.submit(public.tab, "second")
        assert closes.wait(60)
        try:
            assert threads.submit(public.tab, "second").result(30).corpora
        finally:
            read.set()
        second.result(60)


def test_a_deleted_chat_that_an_open_answer_cites(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    answer = asked(tab).answer
    assert answer is not None
    message = (answer.sources or answer.closest)[0].message
    commands.do(tab, "open", f"{message.id}:5")
    commands.do(tab, "delete", str(message.chat_id))
    assert "deleted" in side(tab)
    told = commands.do(tab, "open", f"{message.id}:5")
    assert told is not None
    assert told["do"] == "say"
    assert len(tab.corpus.memory.deletions()) == 1
    commands.do(tab, "undo", "")
    assert "mc-here" in side(tab)
    commands.do(tab, "delete", str(message.chat_id))
    commands.do(tab, "wipe", "")
    assert tab.job is not None
    assert tab.job.wait(60)
    assert tab.exchanges == []  # what showed the deleted text is gone too
    assert sessions.tab("two").exchanges == []


def test_filters_narrow_and_take_themselves_back(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    (anna,) = [p for p in tab.tuned_memory().people() if p.name == "AnnaBerg"]
    chat = tab.tuned_memory().chats()[0]
    commands.do(tab, "person", str(anna.id))
    commands.do(tab, "chat", str(chat.id))
    commands.do(tab, "since", "2026-01-06")
    commands.do(tab, "until", "yesterday")
    assert tab.filters.options() == {
        "people": [anna.id], "chats": [chat.id], "since": "2026-01-06", "until": None,
    }  # fmt: skip
    found = tab.tuned_memory().retrieve("Who has the key?", people=[anna.id], since="2026-01-06")
    assert {e.message.sender for e in found} == {"AnnaBerg"}
    commands.do(tab, "person", str(anna.id))
    commands.do(tab, "clear", "")
    assert set(tab.filters.options().values()) == {None}


def test_presses_that_no_button_gives_do_nothing(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    before = tab.tuned_memory().info()
    for word, value in [("delete", "x"), ("open", "1"), ("cite", "9:9:9"), ("chat", "-1"), ("__init__", ""),
                        ("open", "9" * 30 + ":1"), ("pick", "77"), ("like", "5"), ("delete", "999")]:  # fmt: skip
        commands.do(tab, word, value)
    assert tab.tuned_memory().info() == before
    assert "Ask a question" in side(tab)


def test_a_second_question_waits_for_the_first(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    tab.running = Event()
    assert commands.prepare(tab, "ask", "Another?") is None
    assert (tab.pending, tab.waiting) == (None, ["Another?"])
    told = commands.prepare(tab, "retry", "0")
    assert told is not None
    assert "Esc" in str(told["text"])


def test_asking_again_and_editing_replace_the_last_exchange(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    asked(tab)
    commands.prepare(tab, "again", "Who tunes?")
    assert (tab.pending, tab.exchanges) == ("Who tunes?", [])
    asked(tab)
    commands.prepare(tab, "retry", "")
    assert (tab.pending, tab.exchanges) == ("Who is the piano tuner?", [])


def test_likes_are_kept_and_taken_back(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    asked(tab)
    commands.do(tab, "like", "0")
    assert tab.exchanges[0].liked is True
    commands.do(tab, "dislike", "0")
    assert tab.exchanges[0].liked is False
    commands.do(tab, "dislike", "0")
    assert tab.exchanges[0].liked is None


@pytest.mark.parametrize(
    ("word", "value"), [("like", "0"), ("me", "1"), ("nobody", ""), ("delete", "1")]
)
def test_a_press_does_not_wait_until_another_program_has_imported(
    small: ChatMemory, sessions: Sessions, word: str, value: str
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    asked(tab)
    with (
        ThreadPoolExecutor(1) as pool,
        Store.open(small._store.path) as other,
        other.transaction(),
    ):
        told = pool.submit(commands.do, tab, word, value).result(timeout=120)
        assert told is not None
        assert told["do"] == "say"
        assert "another process: wait for it to finish, then try again" in str(told["text"])
        assert tab.exchanges[0].liked is None
        assert small.likely_me(), "it is not decided"
        assert 1 in {chat.id for chat in small.chats()}
    assert "say" not in str(commands.do(tab, word, value))


def test_answers_and_conversations_are_exported(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    assert "no answer" in str(commands.do(tab, "save", "md"))
    asked(tab)
    asked(tab, "Who has the drums?")
    told = commands.do(tab, "save", "md")
    assert told is not None
    assert str(told["text"]).count("\n## ") == 2
    told = commands.do(tab, "save", "json")
    assert told is not None
    assert told["name"] == "conversation.json"
    assert [answer["question"] for answer in json.loads(str(told["text"]))] == [
        "Who is the piano tuner?",
        "Who has the drums?",
    ]
    told = commands.do(tab, "saveone", "json")
    assert told is not None
    (document,) = json.loads(str(told["text"]))
    assert document["question"] == "Who has the drums?"
    assert document["sources"][0]["text"] or document["closest"]


@pytest.mark.parametrize("value", ["\u00b2", "\u0663", "", "-1", "9" * 16, "x"])
@pytest.mark.parametrize("word", ["pick", "like", "cite", "open", "chat", "delete", "me"])
def test_what_is_no_number_is_answered_with_a_sentence(
    sessions: Sessions, word: str, value: str
) -> None:
    told = Commands(sessions).do(sessions.tab("one"), word, value)
    assert told is not None
    assert "reload the page" in str(told["text"])


def test_a_late_press_after_a_new_conversation_exports_nothing(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    asked(tab)
    commands.do(tab, "new", "")
    commands.do(tab, "pick", "0")
    told = commands.do(tab, "saveone", "md")
    assert told is not None
    assert "no answer to export" in str(told["text"])


def test_the_page_does_not_wait_for_an_import_that_holds_the_messages(
    small: ChatMemory, sessions: Sessions
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    answer = asked(tab).answer
    assert answer is not None
    message = (answer.sources or answer.closest)[0].message_id
    held, done = Event(), Event()

    def importing() -> None:
        with small._store.lock:
            held.set()
            done.wait(120)

    working = Thread(target=importing)
    working.start()
    assert held.wait(60)
    shown = page_views.left(sessions, tab) | page_views.middle(sessions, sessions.tab("a reload"))
    told = commands.do(tab, "open", f"{message}:5")
    tab.around = (message, 5)
    assert working.is_alive(), "it was not waited for"
    assert "being imported" in shown["corpora"]
    assert "Ask your messages" in shown["log"]
    assert told is not None
    assert "being imported" in str(told["text"])
    assert "being imported" in side(tab)
    assert tab.lists_outdated
    done.set()
    working.join()
    assert "9 messages" in page_views.left(sessions, tab)["corpora"]
    assert not tab.lists_outdated


# --- public ---------------------------------------------------------------------------------------


def test_strangers_see_the_sample_and_their_own_upload_only(
    public: Sessions, tmp_path: Path
) -> None:
    commands = Commands(public)
    one, two = public.tab("one"), public.tab("two")
    log = write_log(
        tmp_path / "log2", {"20260301_1000": ("NinaVale: My PIN is 4711.", "AnnaBerg: Noted.")}
    )
    file = Path(shutil.make_archive(str(tmp_path / "up"), "zip", log))
    commands.upload(one, [str(file)])
    assert one.job is not None
    assert one.job.wait(120)
    assert [c.title for c in one.corpora.values()] == ["Sample", "Your upload"]
    assert one.tuned_memory().search("4711")
    assert [c.title for c in two.corpora.values()] == ["Sample"]
    assert two.job is None
    for corpus in two.corpora.values():
        assert not corpus.memory.search("4711")
    upload = one.corpora["upload"].memory
    public.leave("one")
    with pytest.raises(Exception, match="closed"):
        upload.info()


def test_a_stranger_uploads_no_more_than_is_allowed_in_all(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        commands, tab = Commands(public), public.tab("one")
        lines = f"03.04.26, 18:05 - Nina Vale: {'4711 ' * 6_000}\n" * 20  # 0.6 MiB
        told = []
        for n in range(2):
            file = tmp_path / f"WhatsApp Chat with {n}.txt"
            file.write_text(lines, encoding="utf-8")
            told.append(commands.upload(tab, [str(file)]))
            assert tab.job is not None
            assert tab.job.wait(120)
            assert not file.exists()
        assert told[0] is None
        assert told[1] is not None
        assert "1 MiB in all" in str(told[1]["text"])


def test_a_strangers_zip_counts_as_what_it_unpacks_to(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        lines = "03.04.26, 18:05 - Nina Vale: My PIN is 4711.\n" * 30_000  # 1.3 MiB, packed 5 KiB
        file = tmp_path / "WhatsApp Chat with Nina.zip"
        with ZipFile(file, "w", ZIP_DEFLATED) as packed:
            packed.writestr("WhatsApp Chat with Nina.txt", lines)
        assert file.stat().st_size < 100_000
        told = Commands(public).upload(public.tab("one"), [str(file)])
        assert told is not None
        assert "1 MiB in all" in str(told["text"])
        assert public.tab("one").job is None
        assert not file.exists()


def test_what_could_not_be_imported_does_not_count_as_a_strangers_upload(
    public: Sessions, tmp_path: Path
) -> None:
    tab = public.tab("one")
    good, bad = tmp_path / "WhatsApp Chat with Nina.txt", tmp_path / "no export.bin"
    good.write_text("03.04.26, 18:05 - Nina Vale: My PIN is 4711.\n")
    size = good.stat().st_size
    for _ in range(2):
        bad.write_bytes(bytes(range(256)) * 4096)
        Commands(public).upload(tab, [str(bad)])
        assert tab.job is not None
        assert tab.job.wait(60)
        assert tab.job.shown().outcome == "failed"
    assert Commands(public).upload(tab, [str(good)]) is None
    assert tab.job.wait(60)
    assert public.own_corpus(tab).memory.info().messages == 1
    assert tab.sent == size


def test_all_strangers_together_do_not_fill_the_memory(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        a_visitors = 1024 * 1024
        visitors = [public.tab(f"visitor {n}") for n in range(FULL_TABS + 1)]
        told = [public.refusal(tab, a_visitors) for tab in visitors]
        assert told[:-1] == [None] * FULL_TABS
        assert told[-1] is not None
        assert "other visitors" in told[-1]
        public.leave("visitor 0")
        assert public.refusal(visitors[-1], a_visitors) is None


def test_strangers_can_neither_delete_nor_choose_a_model(public: Sessions) -> None:
    commands, tab = Commands(public), public.tab("one")
    chat = tab.tuned_memory().chats()[0].id
    for word, value in (
        ("delete", str(chat)),
        ("wipe", ""),
        ("undo", ""),
        ("get", "smollm3-3b"),
        ("use", "auto"),
    ):
        told = commands.do(tab, word, value)
        assert told is not None
        assert told["do"] == "say"
    assert tab.tuned_memory().deletions() == []


def test_conversations_of_strangers_stay_apart(public: Sessions, sessions: Sessions) -> None:
    asked(public.tab("one"))
    public.remember(public.tab("one"))
    assert public.tab("two").exchanges == []
    asked(sessions.tab("one"))
    sessions.remember(sessions.tab("one"))
    assert len(sessions.tab("a reload").exchanges) == 1  # one person's: goes on after a reload


def test_tabs_do_not_pile_up(public: Sessions) -> None:
    first = public.tab("first")
    for n in range(600):
        public.tab(str(n))
    assert public.tab("first") is not first


def test_the_log_of_a_tab_is_what_the_page_shows(sessions: Sessions) -> None:
    tab = sessions.tab("one")
    asked(tab)
    assert "Who is the piano tuner?" in page_log.log(tab.exchanges, tab.picked)


def test_the_page_completes_an_index_that_is_not_and_says_so_until_then(
    interrupted: ChatMemory,
) -> None:
    sessions = Sessions(interrupted)
    tab = sessions.tab("one")
    answer = interrupted.ask("Where is the van parked?")
    assert "found by their words alone" in page_log.log(
        [Exchange(answer.question, answer.text, answer)], 0
    )
    assert "found by their words alone" in page_side.extent(interrupted.info())
    sessions.begin_completing()
    assert tab.job is not None
    assert tab.job.wait(60)
    assert tab.job.shown().outcome == "done"
    assert interrupted.info().note == ""
    sessions.dismiss(tab)
    sessions.begin_completing()
    assert tab.job is None, "there is nothing left to complete"


def test_what_arrived_in_watched_folders_is_listed_and_seen_by_the_timer(
    sessions: Sessions, tmp_path: Path
) -> None:
    tab = sessions.tab("one")
    before = page_views.listed(tab)
    assert "Arrived" not in page_views.left(sessions, tab)["lists"]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "<b>boat.txt").write_text(
        "06/01/2026, 09:00 - Nina Vale: The boat leaves at six.\n06/01/2026, 09:05 - Tom Hill: Fine.\n",
        encoding="utf-8",
    )
    (folder / "broken.json").write_text('{"messages": [', encoding="utf-8")
    sessions.own.watch([folder], once=True, still=0.1)
    assert page_views.listed(tab) != before
    lists = page_views.left(sessions, tab)["lists"]
    assert "&lt;b&gt;boat" in lists
    assert "<b>boat" not in lists
    assert "2 new" in lists


def test_each_corpus_keeps_its_conversation_and_a_reload_both(small: ChatMemory) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        commands, tab = Commands(sessions), sessions.tab("one")
        assert tab.corpus.key == "sample0", "there is nothing of one's own yet"
        asked(tab)
        commands.do(tab, "corpus", "own")
        assert (tab.exchanges, tab.picked) == ([], None)
        tab.exchanges.append(Exchange("And here?", "No."))
        commands.do(tab, "corpus", "sample0")
        assert [exchange.question for exchange in tab.exchanges] == ["Who is the piano tuner?"]
        assert tab.picked == 0
        again = sessions.tab("after a reload")
        assert [exchange.question for exchange in again.exchanges] == ["Who is the piano tuner?"]
        commands.do(again, "corpus", "own")
        assert [exchange.question for exchange in again.exchanges] == ["And here?"]


def test_what_another_program_changes_is_seen_by_the_timer(sessions: Sessions) -> None:
    tab = sessions.tab("one")
    before = page_views.listed(tab)
    assert page_views.listed(tab) == before
    with ChatMemory.open(
        sessions.own.settings.db, sessions.own.settings, embedder=WordEmbedder()
    ) as other:
        other.delete(chats=[other.chats()[0].id])
    assert page_views.listed(tab) != before


def test_a_filter_whose_button_is_pressed_again_before_it_shows_stays_as_it_was_wanted(
    sessions: Sessions,
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    tom = next(person.id for person in tab.tuned_memory().people() if person.name == "TomHill")
    lists = page_views.left(sessions, tab)["lists"]
    assert f'data-value="{tom}" data-on="1" aria-pressed="false"' in lists
    for _ in range(2):
        commands.do(tab, "person", f"{tom}:1")
    assert tab.filters.people == (tom,)
    lists = page_views.left(sessions, tab)["lists"]
    assert f'data-value="{tom}" data-on="0" aria-pressed="true"' in lists
    assert f'data-value="{tom}:0"' in page_views.middle(sessions, tab)["chips"]
    for _ in range(2):
        commands.do(tab, "person", f"{tom}:0")
    assert tab.filters.people == ()


def test_while_a_sample_is_read_the_page_does_not_promise_messages_of_ones_own(
    small: ChatMemory,
) -> None:
    ends = Event()
    with small.beside(":memory:") as own, small.beside(":memory:") as sample:
        job = Job("The sample corpus", lambda *_: [][ends.wait(120) :], internal=True)
        sessions = Sessions(own, [("Sample", sample)], job=job)
        commands, tab = Commands(sessions), sessions.tab("one")
        job.start()
        try:
            assert "Reading the messages" in page_views.middle(sessions, tab)["log"]
            commands.do(tab, "corpus", "own")
            assert "No messages yet" in page_views.middle(sessions, tab)["log"]
            told = commands.prepare(tab, "ask", "Who?")
            assert told is not None
            assert "drop an exported chat" in str(told["text"])
        finally:
            ends.set()
