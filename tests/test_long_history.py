"""A question's work does not grow with the history: what is read row by row stays a few hundred rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from fakes import WordEmbedder

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.synthetic_history import HistoryPlan, lexicon, questions, write_history
from minirag_chat.names import PersonIndex, split_joined
from minirag_chat.retrieve.base import highest
from minirag_chat.store.bm25 import Unit
from minirag_chat.store.connection import Cursor
from minirag_chat.store.full_text import TOKENIZER
from minirag_chat.store.text import match_any, searchable, terms

PLAN = HistoryPlan(messages=6000, people=12, groups=4, years=1.0, words=3000, places=200)
MOST_ROWS = 1500  # that Python sees for a question, of 6,000 messages in some 2,900 chunks


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("scale")
    write_history(folder / "history.jsonl", PLAN)
    settings = Settings(db=folder / "chats.db", model="extractive")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as opened:
        opened.add(folder / "history.jsonl", time_zone="UTC")
        yield opened


@contextmanager
def counted_rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The rows that are handed to Python inside the block, one by one or many at once."""
    seen: list[int] = []

    def counting(name: str) -> Callable[..., object]:
        before = getattr(Cursor, name)

        def read(cursor: Cursor, *args: object) -> object:
            rows = before(cursor, *args)
            if name == "__iter__":
                return (seen.append(1) or row for row in rows)
            seen.append(len(rows))
            return rows

        return read

    with monkeypatch.context() as patch:
        for name in ("fetchall", "fetchmany", "__iter__"):
            patch.setattr(Cursor, name, counting(name))
        yield seen


@pytest.mark.slow
@pytest.mark.parametrize("question", questions(PLAN, 8))
def test_a_question_and_a_search_read_few_rows_however_common_their_words(
    memory: ChatMemory, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.retrieve("What was said on 3 May 2021?")  # what is kept in memory is read once
    memory.search("boat")
    with counted_rows(monkeypatch) as seen:
        memory.retrieve(question)
        memory.search(question)
    assert sum(seen) < MOST_ROWS


@pytest.mark.slow
def test_a_filter_reads_few_rows_however_much_passes_it(
    memory: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = lexicon(PLAN).people[0]
    memory.retrieve("boat", people=[owner], since="2021-02-01")
    with counted_rows(monkeypatch) as seen:
        found = memory.retrieve("boat", people=[owner], since="2021-02-01")
    assert found
    assert sum(seen) < MOST_ROWS


def test_the_page_counts_chats_and_people_once_and_again_after_a_change(
    memory: ChatMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = memory.people(), memory.chats(), memory.suggestions(), memory.info()
    with counted_rows(monkeypatch) as seen:
        assert (memory.people(), memory.chats(), memory.suggestions(), memory.info()) == before
    assert sum(seen) < 100
    new = tmp_path / "new.csv"
    new.write_text("sent_at,sender,text,chat\n2022-02-01 10:00,Zoe Newby,The boat is here,Boat\n")
    memory.add(new, time_zone="UTC")
    assert "Zoe Newby" in [person.name for person in memory.people()]
    assert "Boat" in [chat.title for chat in memory.chats()]
    memory.delete_chat("Boat")
    assert "Boat" not in [chat.title for chat in memory.chats()]


def written_out(memory: ChatMemory, unit: Unit) -> sqlite3.Connection:
    """SQLite's own full text of what each message, chunk, session or chat says, and who speaks in it."""
    asked = {
        "messages": "SELECT id, id FROM messages",
        "chunks": "SELECT chunk_id, message_id FROM chunk_messages",
        "sessions": "SELECT session_id, id FROM messages",
        "chats": "SELECT chat_id, id FROM messages",
    }
    rows: dict[int, list[int]] = {}
    for row, message in memory._store.connection.execute(f"{asked[unit]} ORDER BY 1, 2"):
        rows.setdefault(row, []).append(message)
    said = memory._store.messages.by_ids([i for ids in rows.values() for i in ids])
    own = sqlite3.connect(":memory:")
    own.execute(f"CREATE VIRTUAL TABLE said USING fts5 (people, text, tokenize = '{TOKENIZER}')")

    def people(ids: Sequence[int]) -> str:
        return " ".join({f"{said[i].sender} {split_joined(said[i].sender)}": 0 for i in ids})

    own.executemany(
        "INSERT INTO said (rowid, people, text) VALUES (?, ?, ?)",
        (
            (row, searchable(people(ids)), searchable("\n".join(said[i].text for i in ids)))
            for row, ids in rows.items()
        ),
    )
    return own


@pytest.mark.parametrize("unit", get_args(Unit))
def test_scores_of_words_are_sqlites_own(memory: ChatMemory, unit: Unit) -> None:
    store, own = memory._store, written_out(memory, unit)
    odd = [
        "foo_bar",
        "_",
        "na\u00efve caf\u00e9",
        "\u6211\u4eec\u4ec0\u4e48",
        "not just all about it",
        "",
    ]
    with store.reading():
        for question in [*questions(PLAN, 16), *odd]:
            found = store.words.bm25(unit, question)
            words = terms(question)
            rows = (
                words
                and own.execute(
                    "SELECT rowid, -bm25(said) FROM said WHERE said MATCH ? ORDER BY rowid",
                    (match_any(words),),
                ).fetchall()
            )
            assert found.rows.tolist() == [row[0] for row in rows]
            assert np.allclose(found.scores, [row[1] for row in rows], rtol=1e-12)


class CountingMembers(frozenset[int]):
    """The people of a chat, who count how often somebody asks for one of them."""

    asked = 0

    def __contains__(self, person: object) -> bool:
        CountingMembers.asked += 1
        return super().__contains__(person)


def test_a_first_name_that_thousands_share_costs_no_more_than_one_of_three() -> None:
    people = range(5000)
    index = PersonIndex({person: [f"Pat A{person} Lee"] for person in people})
    CountingMembers.asked = 0
    assert index.find("see you there, Pat", CountingMembers(people)) == []
    assert CountingMembers.asked <= 2
    assert index.find("see you there, Pat", frozenset({7, 9000})) == [(15, 18, (7,))]


def test_the_best_come_first_and_of_equal_ones_the_earlier() -> None:
    scores = np.array([1.0, 3.0, 2.0, 3.0, 0.0, 2.0])
    assert highest(scores, np.arange(6), 3).tolist() == [1, 3, 2]
    assert highest(scores, np.array([0, 2, 4, 5]), 3).tolist() == [2, 5, 0]
    assert highest(scores, np.zeros(0, dtype=np.int64), 3).tolist() == []


@pytest.mark.slow
def test_reports_that_an_overview_wrote_are_compared_like_built_ones(memory: ChatMemory) -> None:
    memory._store.connection.execute("DELETE FROM summaries")
    answer = memory.ask("What are the main themes?", history=())
    assert answer.sources
    question = questions(PLAN, 1)[0]
    quick = [found.message.id for found in memory.retrieve(question, "graphrag-global")]
    memory.build("graphrag-global")
    built = [found.message.id for found in memory.retrieve(question, "graphrag-global")]
    assert quick == built
