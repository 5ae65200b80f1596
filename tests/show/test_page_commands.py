"""What presses do, on a real memory with hand-written models; no Gradio, no browser."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

import pytest
from canned import asked
from fakes import WordEmbedder

from minirag_chat import ChatMemory
from minirag_chat.show import page_log, page_side, page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_job import Job
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange
from minirag_chat.show.page_views import sources
from minirag_chat.store import Store


def test_a_citation_opens_its_message_in_the_conversation(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    answer = asked(tab).answer
    assert answer is not None
    source = (answer.sources or answer.closest)[0]
    assert commands.do(tab, "cite", f"0:{source.message_id}") == {
        "do": "source",
        "id": source.message_id,
    }
    assert f'data-message-id="{source.message_id}"' in sources(tab)
    assert commands.do(tab, "open", f"{source.message_id}:5") == {
        "do": "said",
        "id": source.message_id,
    }
    assert "mc-here" in sources(tab)
    commands.do(tab, "back", "")
    assert "mc-sources" in sources(tab)


def test_a_deleted_chat_that_an_open_answer_cites(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    answer = asked(tab).answer
    assert answer is not None
    message = (answer.sources or answer.closest)[0].message
    commands.do(tab, "open", f"{message.id}:5")
    commands.do(tab, "delete", str(message.chat_id))
    assert "deleted" in sources(tab)
    told = commands.do(tab, "open", f"{message.id}:5")
    assert told is not None
    assert told["do"] == "say"
    assert len(tab.corpus.memory.deletions()) == 1
    commands.do(tab, "undo", "")
    assert "mc-here" in sources(tab)
    commands.do(tab, "delete", str(message.chat_id))
    commands.do(tab, "wipe", "")
    assert tab.job is not None
    assert tab.job.wait(60)
    assert tab.exchanges == []  # what showed the deleted text is gone too
    assert sessions.tab("two").exchanges == []


def test_chats_and_people_beyond_the_listed_ones_can_be_reached(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_side, "MOST_LISTED", 2)
    monkeypatch.setattr(page_side, "UNFOLDED", 0)
    commands, tab = Commands(sessions), sessions.tab("one")
    people = [person.id for person in tab.tuned_memory().people()]
    assert len(people) == 3

    def lists() -> str:
        return page_views.left(sessions, tab)["lists"]

    def listed() -> int:
        return lists().count('data-do="person"')

    assert listed() == 2
    assert "2 of 3" in lists()
    commands.do(tab, "more", "")
    assert listed() == 3
    assert "All 3" in lists()
    assert "2 of 3" not in lists()
    assert 'data-do="more"' not in lists()


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
    assert "Ask a question" in sources(tab)


@pytest.mark.parametrize("busy", [False, True])
def test_a_question_that_is_too_long_is_refused_and_not_asked(
    sessions: Sessions, busy: bool
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    tab.running = Event() if busy else None
    told = commands.prepare(tab, "ask", "x" * 5_000)
    assert told is not None
    assert "5,000 characters, more than 4,000" in str(told["text"])
    assert (tab.pending, tab.waiting) == (None, [])
    assert commands.prepare(tab, "ask", f"Who? {' ' * 5_000}") is None, "spaces do not count"


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert "being imported" in sources(tab)
    assert tab.lists_outdated
    done.set()
    working.join()
    assert "9 messages" in page_views.left(sessions, tab)["corpora"]
    assert not tab.lists_outdated


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


def test_an_index_that_another_program_completes_is_seen_by_the_timer(
    interrupted: ChatMemory,
) -> None:
    sessions = Sessions(interrupted)
    tab = sessions.tab("one")
    before = page_views.listed(tab)
    assert "found by their words alone" in page_views.left(sessions, tab)["corpora"]
    with pytest.MonkeyPatch.context() as patched:
        index = type(interrupted._store.index)
        patched.setattr(index, "_count_missing", lambda _: pytest.fail("counted at each tick"))
        assert page_views.listed(tab) == before
    with ChatMemory.open(
        interrupted.settings.db, interrupted.settings, embedder=WordEmbedder()
    ) as other:
        other.index()
    assert page_views.listed(tab) != before
    assert "found by their words" not in page_views.left(sessions, tab)["corpora"]


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


def test_who_asks_without_messages_is_told_of_the_sample_too(small: ChatMemory) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        commands, tab = Commands(sessions), sessions.tab("one")
        commands.do(tab, "corpus", "own")
        told = commands.prepare(tab, "ask", "Who?")
        assert told is not None
        assert "drop an exported chat on the left side, or choose 'Sample'" in str(told["text"])


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
            assert str(told["text"]).endswith("drop an exported chat on the left side.")
        finally:
            ends.set()
