"""Who may see what: nothing of a foreign chat by any call, nor by any statement of our role."""

# ruff: noqa: S311, S608  # draws are no secrets; the tables are those of the database

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fakes import WordEmbedder
from places import SMALL, write_log
from postgres_server import PostgresServer
from three_users import CHATS, COMMON, USERS, filled, forbidden, keys, number_of, opened

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadSetting, MiniRagChatError, NotFound, StoreError
from minirag_chat.json_records import to_json
from minirag_chat.memory.engine import ChatMemory as Engine
from minirag_chat.show.export import answers_json, answers_markdown
from minirag_chat.show.path_graph import path_html
from minirag_chat.store import Store
from minirag_chat.store.postgres.connection import ROLE
from minirag_chat.store.postgres.users import NOBODY, Users

pytest.importorskip("psycopg", reason="psycopg is not installed")
REQUESTS = 1000
METHODS = ("hybrid", "minirag", "bm25", "dense", "hipporag", "lightrag", "raptor", "graphrag-local",
           "graphrag-global")  # fmt: skip
Draw = random.Random
Request = Callable[[ChatMemory, str, Draw], object]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("users")


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> str:
    return postgres.address()


@pytest.fixture(scope="module")
def memories(address: str, folder: Path) -> Iterator[dict[str, ChatMemory]]:
    """Three users' memories. Read only."""
    with ExitStack() as stack:
        yield filled(address, folder, stack)


def some_filter(memory: ChatMemory, draw: Draw) -> dict[str, object]:
    return draw.choice(
        [{}, {}, {"chats": [draw.randint(1, 12)]}, {"people": [COMMON]}, {"people": [draw.randint(1, 40)]},
         {"since": "2026-01-12"}]
    )  # fmt: skip


def an_answer(memory: ChatMemory, key: str, draw: Draw) -> object:
    answer = memory.ask(f"Where is the {key}?", history=(), **some_filter(memory, draw))
    drawn = path_html(answer.path) if draw.random() < 0.3 else ""
    return (to_json(answer), answers_markdown([answer]), answers_json([answer]), drawn,
            memory.suggestions(answer, 5))  # fmt: skip


READS: dict[str, Request] = {
    "ask": an_answer,
    "stream": lambda m, key, draw: list(m.stream(f"What about the {key}?", history=())),
    "retrieve": lambda m, key, draw: m.retrieve(
        f"Where is the {key}?", draw.choice(METHODS), 10, **some_filter(m, draw)),  # type: ignore[arg-type]
    "explain": lambda m, key, draw: m.explain(f"What is the {key} of {COMMON}?", draw.choice(METHODS), read=False),
    "compare": lambda m, key, draw: m.compare(f"Who has the {key}?", draw.sample(METHODS, 2)),
    "suggestions": lambda m, key, draw: m.suggestions(count=9),
    "overview_questions": lambda m, key, draw: m.overview_questions(20),
    "info": lambda m, key, draw: m.info(),
    "chats": lambda m, key, draw: m.chats(),
    "people": lambda m, key, draw: m.people(),
    "messages": lambda m, key, draw: m.messages(**some_filter(m, draw)),
    "entities": lambda m, key, draw: m.entities(),
    "relations": lambda m, key, draw: m.relations(1),
    "search": lambda m, key, draw: m.search(draw.choice([key, COMMON, "cellar"]), 50, **some_filter(m, draw)),
    "close_words": lambda m, key, draw: m.close_words(key[:-1] + "xx", 5),
    "conversation": lambda m, key, draw: m.conversation(draw.randint(1, 70), 60),
    "present": lambda m, key, draw: m.present(range(1, 70)),
    "outdated": lambda m, key, draw: m.outdated(m.messages()),
    "wipings": lambda m, key, draw: m.wipings(),
    "deleted_so_far": lambda m, key, draw: m.deleted_so_far(),
    "timeline": lambda m, key, draw: m.timeline("day", **some_filter(m, draw)),
    "who_talks_to_whom": lambda m, key, draw: list(m.who_talks_to_whom().graph.edges(data=True)),
    "neighbourhood": lambda m, key, draw: list(
        m.neighbourhood(draw.choice([COMMON, "Thursday", key]), 2).graph.nodes(data=True)),
    "me": lambda m, key, draw: m.me,
    "likely_me": lambda m, key, draw: m.likely_me(20),
    "may_be_me_too": lambda m, key, draw: m.may_be_me_too(),
    "only_called": lambda m, key, draw: m.only_called(),
    "suggest_people": lambda m, key, draw: m.suggest_people(),
    "nicknames": lambda m, key, draw: m.nicknames(),
    "arrivals": lambda m, key, draw: m.arrivals(),
    "has_index": lambda m, key, draw: m.has_index(draw.choice(METHODS)),
    "index_left": lambda m, _key, _draw: m.index_left(),
    "slm_cost": lambda m, key, draw: m.slm_cost(),
    "slm_chunks": lambda m, key, draw: m.slm_chunks(),
    "media": lambda m, key, draw: m.media(),
    "media_of": lambda m, key, draw: m.media_of(draw.randint(1, 70), 0),
    "files_of": lambda m, key, draw: m.files_of(range(1, 70)),
    "preview_delete": lambda m, key, draw: m.preview_delete(
        **draw.choice([{"messages": [draw.randint(1, 70)]}, {"chats": [draw.randint(1, 12)]},
                       {"people": [COMMON]}, {"everything": True}])),
    "preview_name": lambda m, key, draw: m.preview_name(draw.choice([COMMON, draw.randint(1, 40)]), "Person 1"),
    "deletions": lambda m, key, draw: m.deletions(),
    "shared_with": lambda m, key, draw: m.shared_with(),
    "other_users": lambda m, key, draw: m.other_users(),
}  # fmt: skip
CHANGES = {
    "add", "beside", "build", "close", "connect", "delete", "delete_chat", "empty_trash",
    "forget_conversation", "idle", "index", "index_slm", "keep_apart", "merge_people", "must_be_free", "open", "part", "rate",
    "read_media", "replace_name", "restore", "set_me", "set_nickname", "share", "split_person", "tuned", "unshare", "use_model", "warm_up",
    "watch",
}  # fmt: skip
"""What changes, opens or closes something, and so is asked for elsewhere."""


def test_every_public_call_is_asked() -> None:
    public = {name for name, _ in inspect.getmembers(Engine) if not name.startswith("_")}
    assert public == READS.keys() | CHANGES


@pytest.mark.slow
def test_a_thousand_requests_show_no_word_of_a_foreign_chat(
    memories: dict[str, ChatMemory],
) -> None:
    draw = random.Random(21)
    shown = dict.fromkeys(USERS, "")
    for number in range(REQUESTS):
        user = draw.choice(USERS)
        name = draw.choice(list(READS)) if number >= len(READS) * 3 else list(READS)[number // 3]
        own, foreign = keys(user)
        try:
            found = repr(READS[name](memories[user], draw.choice([*own, *foreign]), draw))
        except MiniRagChatError as error:
            found = str(error)
        leak = forbidden(user).search(found)
        assert leak is None, f"{user} sees {leak[0]} by {name}: {found[:2000]}" if leak else ""
        shown[user] += found
    for chat in CHATS:
        for user in chat.readers:
            assert all(word in shown[user].lower() for word in chat.secrets), (user, chat.key)


def statements(link: Any, table: str, draw: Draw) -> str:
    """A statement over a table that asks for whatever there is."""
    columns = [row[0] for row in link.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND table_schema = 'public'",
        (table,)).fetchall()]  # fmt: skip
    column = draw.choice(columns)
    return draw.choice([
        f"SELECT t::text FROM {table} t",
        f'SELECT DISTINCT "{column}"::text FROM {table}',
        f'SELECT "{column}"::text, COUNT(*) FROM {table} GROUP BY 1',
        f'SELECT t::text FROM {table} t ORDER BY "{column}" LIMIT {draw.randint(1, 9)}',
        f'SELECT string_agg("{column}"::text, \' \') FROM {table}',
        f"SELECT t::text FROM {table} t JOIN messages m ON TRUE LIMIT 500",
    ])  # fmt: skip


def acting(link: Any, user: str | None) -> None:
    """Be our role, and say who asks; nothing else of the program is here."""
    link.execute("RESET ROLE")
    number = ""
    if user:
        (number,) = link.execute("SELECT id FROM users WHERE name = %s", (user,)).fetchone()
    link.execute(f"SET ROLE {ROLE}")
    link.execute("SELECT set_config('minirag.user', %s, FALSE)", (str(number),))


@pytest.fixture
def link(address: str, memories: dict[str, ChatMemory]) -> Iterator[Any]:
    import psycopg

    with psycopg.connect(address, autocommit=True) as opened_link:
        yield opened_link


def tables_of(link: Any) -> list[str]:
    rows = link.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return [row[0] for row in rows]


def readable(link: Any) -> list[str]:
    rows = link.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' "
        "AND has_table_privilege(%s, oid, 'SELECT') ORDER BY 1", (ROLE,)
    )  # fmt: skip
    return [row[0] for row in rows]


@pytest.mark.slow
def test_without_our_code_a_thousand_statements_show_no_foreign_word_either(
    link: Any, memories: dict[str, ChatMemory]
) -> None:
    draw = random.Random(22)
    tables = readable(link)
    shown = dict.fromkeys(USERS, "")
    for number in range(REQUESTS):
        user = USERS[number % len(USERS)]
        acting(link, user)
        table = tables[number // 3 % len(tables)]
        found = repr(link.execute(statements(link, table, draw)).fetchall())
        leak = forbidden(user).search(found)
        assert leak is None, f"{user} sees {leak[0]} in {table}" if leak else ""
        shown[user] += found
    for chat in CHATS:
        for user in chat.readers:
            assert all(word in shown[user].lower() for word in chat.secrets[:3]), (user, chat.key)


@pytest.mark.slow
def test_of_vectors_and_ids_too_only_those_of_ones_own_are_seen(link: Any) -> None:
    link.execute("RESET ROLE")
    of = dict(link.execute("SELECT id, chat_id FROM messages").fetchall())
    chats = dict(link.execute(
        "SELECT c.id, array_agg(u.name) FROM chats c JOIN users u ON u.id = c.owner OR EXISTS (SELECT 1 "
        "FROM shares s WHERE s.chat_id = c.id AND s.user_id = u.id) GROUP BY 1").fetchall())  # fmt: skip
    for user in USERS:
        acting(link, user)
        for table in ("chunk_messages", "mentions", "message_text"):
            ids = {row[0] for row in link.execute(f"SELECT message_id FROM {table}")}
            assert ids
            assert all(user in chats[of[i]] for i in ids), table
        ids = {row[0] for row in link.execute(
            "SELECT m.message_id FROM vectors v JOIN chunk_messages m ON m.chunk_id = v.chunk_id")}  # fmt: skip
        (vectors,) = link.execute("SELECT COUNT(*) FROM vectors").fetchone()
        (chunks,) = link.execute("SELECT COUNT(*) FROM chunks").fetchone()
        assert vectors == chunks
        assert all(user in chats[of[i]] for i in ids)


def test_a_forgotten_user_sees_nothing(link: Any) -> None:
    acting(link, None)
    for table in readable(link):
        found = link.execute(f"SELECT t::text FROM {table} t").fetchall()
        if table in {"meta", "users", "revision", "passwords"}:  # what signing in needs
            assert not any(word in repr(found) for chat in CHATS for word in chat.secrets)
        else:
            assert found == [], table


def test_every_table_has_row_level_security_or_no_reader(link: Any) -> None:
    secured = {row[0] for row in link.execute(
        "SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace")}  # fmt: skip
    assert set(readable(link)) - secured == {"users", "revision"}
    assert set(tables_of(link)) - set(readable(link)) == {"audit"}


def test_nobody_changes_what_is_not_theirs(link: Any, memories: dict[str, ChatMemory]) -> None:
    link.execute("RESET ROLE")
    (before,) = link.execute(
        "SELECT md5(string_agg(m::text, '' ORDER BY id)) FROM messages m"
    ).fetchone()
    (entity,) = link.execute("SELECT id FROM entities WHERE owner = 1 LIMIT 1").fetchone()
    private, foreign, mine = (number_of(chat, memories[chat.owner]) for chat in CHATS[:3])
    acting(link, "ben")  # who may read it
    import psycopg

    assert (
        link.execute("UPDATE messages SET text = 'x' WHERE chat_id = %s", (foreign,)).rowcount == 0
    )
    assert link.execute("DELETE FROM messages WHERE chat_id = %s", (foreign,)).rowcount == 0
    assert link.execute("DELETE FROM chats WHERE id = %s", (foreign,)).rowcount == 0
    assert link.execute("UPDATE chats SET owner = 2 WHERE id = %s", (foreign,)).rowcount == 0
    own = link.execute("SELECT id FROM messages WHERE chat_id = %s", (mine,)).fetchone()
    for statement in (
        f"INSERT INTO shares VALUES ({private}, 2)",
        f"INSERT INTO mentions VALUES ({entity}, {own[0]}, 0, 1)",  # to learn what it is called
        f"UPDATE messages SET sender_id = {entity} WHERE id = {own[0]}",
        f"UPDATE messages SET chat_id = {foreign} WHERE id = {own[0]}",
        "INSERT INTO chats (platform, owner) VALUES ('x', 1)",
        "SELECT * FROM audit",
        "DELETE FROM users",
        "ALTER TABLE messages DISABLE ROW LEVEL SECURITY",
    ):
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.RaiseException)):
            link.execute(statement)
    link.execute("RESET ROLE")
    (after,) = link.execute(
        "SELECT md5(string_agg(m::text, '' ORDER BY id)) FROM messages m"
    ).fetchone()
    assert after == before


# --- what changes while somebody looks ------------------------------------------------------------------


@pytest.fixture
def pair(postgres: PostgresServer, tmp_path: Path) -> Iterator[tuple[ChatMemory, ChatMemory]]:
    """Ann, who has the small chats, and Ben, who has nothing."""
    address = postgres.address()
    with Users.open(address) as users:
        users.add("ann")
        users.add("ben")
    with opened(address, "ann", tmp_path) as ann, opened(address, "ben", tmp_path) as ben:
        ann.add(write_log(tmp_path / "log", SMALL))
        yield ann, ben


def chat_with(memory: ChatMemory, name: str) -> int:
    return next(chat.id for chat in memory.chats() if name in chat.participants)


@pytest.mark.slow
def test_a_share_counts_at_once_and_ends_at_once(
    pair: tuple[ChatMemory, ChatMemory], tmp_path: Path
) -> None:
    ann, ben = pair
    assert not ben.search("drums")
    chat = chat_with(ann, "SamOrtiz")
    assert ann.share(chat, "BEN").id == chat
    assert ann.shared_with() == {chat: ("ben",)}
    (found,) = ben.search("drums")
    assert ben.ask("Who brings the drums?", history=()).sources[0].message.id == found.message.id
    assert ben.set_me("SamOrtiz") == ben.me
    ben.set_nickname("sunshine", "AnnaBerg")  # a person of a chat that is shared with him
    assert {name: person.name for name, person in ben.nicknames().items()} == {
        "sunshine": "AnnaBerg"
    }
    assert ann.nicknames() == {}, "each has their own"
    ben.build("raptor")
    ann.add(write_log(tmp_path / "more", {"20260110_0900": ("SamOrtiz: The drums are wet.", "AnnaBerg: Oh.",
                                                            "TomHill: Ours?")}))  # fmt: skip
    assert len(ben.search("drums")) == 2, "what is imported later is shared too"
    assert ann.unshare(chat, "ben")
    assert not ann.unshare(chat, "ben")
    assert not ben.search("drums")
    assert ben.me is None
    assert ben.nicknames() == {}
    assert not ben.has_index("raptor"), "what was made of it is gone"
    with pytest.raises(NotFound):
        ben.conversation(found.message.id)
    assert ben.info().messages == 0


def test_the_owner_of_the_tables_finishes_the_index_of_all(
    pair: tuple[ChatMemory, ChatMemory],
) -> None:
    ann, _ = pair
    store = ann._store
    with store.transaction():
        store.index.drop_vectors()
    left = ann.index_left()
    assert left
    settings = Settings.make(db=store.connection.address, model="extractive")  # type: ignore[attr-defined]  # PostgreSQL's
    with ChatMemory.open(None, settings, embedder=WordEmbedder(), everybody=True) as owner:
        assert owner.index() == left
    assert ann.index_left() == 0


@pytest.mark.slow
def test_what_is_shared_is_read_and_not_changed(
    pair: tuple[ChatMemory, ChatMemory], tmp_path: Path
) -> None:
    ann, ben = pair
    chat = chat_with(ann, "SamOrtiz")
    ann.share(chat, "ben")
    before = repr(ann.messages())
    ben.add(write_log(tmp_path / "log", SMALL))  # the same export: one's own copy
    assert ben.info().messages == ann.info().messages + 3
    with pytest.raises(NotFound):
        ben.delete_chat(chat)
    with pytest.raises(NotFound):
        ben.share(chat, "ann")
    ben.delete(people=["TomHill"], now=True)
    ben.replace_name("AnnaBerg", "Person 1")
    ben.merge_people("Person 1", "SamOrtiz")
    assert repr(ann.messages()) == before
    assert {person.name for person in ann.people()} == {"AnnaBerg", "TomHill", "SamOrtiz"}
    ben.delete(everything=True, now=True)
    assert repr(ann.messages()) == before
    assert ben.info().messages == 3


@pytest.mark.slow
def test_what_its_owner_deletes_is_gone_for_all(pair: tuple[ChatMemory, ChatMemory]) -> None:
    ann, ben = pair
    chat = chat_with(ann, "SamOrtiz")
    ann.share(chat, "ben")
    ben.build("raptor")
    ben.rate(ben.ask("Who brings the drums?", history=()), liked=True)
    ann.delete_chat(chat)
    assert not ben.search("drums")
    assert not ben.has_index("raptor")
    assert ben.chats() == []


@pytest.mark.slow
def test_the_first_user_owns_what_was_there(postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.address()
    settings = Settings.make(db=address, model="extractive", model_dir=tmp_path)
    with ChatMemory.open(None, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        memory.set_me("TomHill")
        before = repr((memory.people(), memory.me, memory.search("piano")))
    with Users.open(address) as users:
        assert users.add("Ann")
        assert not users.add("ben")
        assert [(u.name, u.chats, u.password) for u in users.all()] == [
            ("ann", 2, False),
            ("ben", 0, False),
        ]
    with opened(address, "Ann", tmp_path) as ann, opened(address, "ben", tmp_path) as ben:
        assert repr((ann.people(), ann.me, ann.search("piano"))) == before
        assert (list(ben.chats()), list(ben.people()), ben.me) == ([], [], None)
    with pytest.raises(StoreError, match="has users: say who you are"):
        ChatMemory.open(None, settings)
    with pytest.raises(NotFound, match="no user 'eve'"):
        opened(address, "eve", tmp_path)
    with Users.open(address) as users:
        users.remove("ann")
        kept = {t: users._connection.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0]
                for t in ("messages", "entities", "chunks", "message_text", "vectors")}  # fmt: skip
    assert kept == dict.fromkeys(kept, 0)


@pytest.mark.slow
def test_passwords_are_kept_by_argon2_and_sign_ins_are_written_down(
    postgres: PostgresServer,
) -> None:
    with Users.open(postgres.address()) as users:
        users.add("ann", "correct horse battery")
        users.add("ben")
        assert users.check("Ann", "correct horse battery")
        assert not users.check("ann", "correct horse")
        assert not users.check("ben", "")
        assert not users.check("eve", "correct horse battery")
        users.set_password("ann", "another long word")
        assert not users.check("ann", "correct horse battery")
        with pytest.raises(BadSetting, match="too short"):
            users.set_password("ann", "short")
        with pytest.raises(StoreError, match="already"):
            users.add("ANN")
        with pytest.raises(BadSetting, match="name of a user"):
            users.add("no blanks")
        users.signed_in("ann")
        users.signed_in("correct horse battery", refused=True)
        assert [(e.user, e.event) for e in users.events(2)] == [
            (NOBODY, "sign-in refused"),
            ("ann", "signed in"),
        ]
        (kept,) = users._connection.execute("SELECT hash FROM passwords").fetchone()
        assert kept.startswith("$argon2id$")


def test_the_log_says_what_was_done_and_no_word_of_it(
    memories: dict[str, ChatMemory], address: str
) -> None:
    with Users.open(address) as users:
        events = users.events(1000)
    assert {"user added", "import", "chat shared", "deletion, into the trash"} <= {
        e.event for e in events
    }
    told = json.dumps([[e.user, e.event, e.detail] for e in events])
    assert not any(word in told.lower() for chat in CHATS for word in (chat.key, *chat.secrets))


def test_a_file_has_no_users(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="has no users"):
        Store.open(tmp_path / "chats.db", user="ann")
    with pytest.raises(StoreError, match="users need PostgreSQL"):
        Users.open(tmp_path / "chats.db")
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(None, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        assert memory.shared_with() == {}
        assert memory.other_users() == ()
        with pytest.raises(StoreError, match="sharing needs PostgreSQL"):
            memory.share(memory.chats()[0].id, "ben")
