"""Streaming, stopping, waiting in turn: one model for everyone who asks."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from calling import Fetch, events, get, post
from fakes import ScriptedModel, WordEmbedder

from minirag_chat import Settings
from minirag_chat.models.fair_queue import FairQueue
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.store.wiping import Wiping

pytestmark = pytest.mark.process

LONG = " ".join(f"word{i}" for i in range(90))


@pytest.fixture
def client(address: str, token: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"token {token}"}
    return httpx.AsyncClient(base_url=address, headers=headers, timeout=120, trust_env=False)


@pytest.fixture
def turns(databases: Any) -> FairQueue:
    """The model's queue."""
    found: FairQueue = databases.models.turns
    return found


async def until(holds: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.02)


async def test_the_first_words_come_before_the_last_are_made(
    client: httpx.AsyncClient, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.text, say = LONG, model.stream
    heard, heard_in_time = threading.Event(), list[bool]()

    def stream(*given: Any, **options: Any) -> Iterator[str]:
        for number, piece in enumerate(say(*given, **options)):
            yield piece
            if number == 30:
                heard_in_time.append(heard.wait(60))

    monkeypatch.setattr(model, "stream", stream)
    body = {"db": "chats.db", "question": "Who tunes the piano?"}
    async with client.stream("POST", "ask", json=body) as answer:
        async for line in answer.aiter_lines():
            if line == "event: piece":
                heard.set()
    assert heard_in_time == [True]


async def test_a_client_that_leaves_stops_the_model_and_the_next_is_answered(
    client: httpx.AsyncClient, jp_fetch: Fetch, model: ScriptedModel, turns: FairQueue
) -> None:
    model.text, model.pause = LONG, 0.2
    body = {"db": "chats.db", "question": "Who tunes the piano?"}
    async with client.stream("POST", "ask", json=body) as answer:
        async for line in answer.aiter_lines():
            if line == "event: piece":
                break
    await until(lambda: not turns.ahead)
    assert model.pieces < 45, "the model goes on for nobody"
    model.text, model.pause = "Walter Quint.", 0.0
    told = events((await post(jp_fetch, "ask", question="Who tunes the piano?")).body)
    assert told[-1][0] == "answer"


async def test_who_leaves_the_queue_is_not_answered(
    client: httpx.AsyncClient, model: ScriptedModel, jp_fetch: Fetch, turns: FairQueue
) -> None:
    model.goes_on.clear()
    first = asyncio.create_task(post(jp_fetch, "ask", question="Who tunes the piano?"))
    await until(lambda: model.asked)
    body = {"db": "chats.db", "question": "Who parked the van?"}
    async with client.stream("POST", "ask", json=body) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data:"):
                assert json.loads(line[5:]) == {"ahead": 1}
                break
    await until(lambda: turns.ahead == 1)
    model.goes_on.set()
    await first
    await post(jp_fetch, "ask", question="When is rehearsal?")
    asked = [turns[-1].content for turns in model.asked]
    assert not any("Who parked the van" in text for text in asked)


async def test_ten_ask_at_once_one_model_is_loaded_and_answers_in_the_order_of_asking(
    client: httpx.AsyncClient,
    model: ScriptedModel,
    databases: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads: list[str] = []
    all_are_here = threading.Event()

    def load(settings: Settings, choice: object) -> ScriptedModel:
        loads.append(settings.model)
        assert all_are_here.wait(60)
        return model

    monkeypatch.setattr("minirag_chat.models.loaded.load_chat_model", load)
    databases.close()
    databases.models = LoadedModels(databases.settings, WordEmbedder())
    databases.open("other.db", create=True).memory.add(databases.root / "log")
    model.pause = 0.01

    async def ask(number: int) -> list[tuple[str, Any]]:
        body = {
            "db": ("chats.db", "other.db")[number % 2],
            "question": f"Who tunes piano number {number}?",
        }
        return events((await client.post("ask", json=body)).content)

    tasks = []
    for number in range(10):
        tasks.append(asyncio.create_task(ask(number)))
        await until(lambda: databases.models.turns.ahead == len(tasks))
    all_are_here.set()
    told = await asyncio.gather(*tasks)
    assert [t[-1][0] for t in told] == ["answer"] * 10
    read = re.findall(r"piano number (\d)", "".join(t.content for a in model.asked for t in a))
    assert list(dict.fromkeys(read)) == [str(number) for number in range(10)]
    assert max(dict(t)["queued"]["ahead"] for t in told) >= 3, "they did wait for one another"
    assert len(loads) == 1
    opened = [databases.open(name).memory for name in ("chats.db", "other.db")]
    assert opened[0].models.loaded is opened[1].models.loaded is model


async def test_who_asks_again_and_again_lets_the_others_in_between(
    client: httpx.AsyncClient,
    model: ScriptedModel,
    turns: FairQueue,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    say, begun, may = model.stream, list[int](), threading.Semaphore(0)

    def stream(*given: Any, **options: Any) -> Iterator[str]:
        begun.append(turns.ahead)
        assert may.acquire(timeout=60)
        yield from say(*given, **options)

    monkeypatch.setattr(model, "stream", stream)

    async def ask(name: str, times: int) -> None:
        for _ in range(times):
            await client.post("ask", json={"db": "chats.db", "question": "Who tunes the piano?"})
            order.append(name)

    eager = asyncio.create_task(ask("eager", 4))
    await until(lambda: begun)
    modest = asyncio.create_task(ask("modest", 2))
    for answered in range(6):
        others = int(answered < 4)  # the last two questions are asked by one alone
        await until(
            lambda n=answered, others=others: (len(begun), turns.ahead) == (n + 1, 1 + others)
        )
        may.release()
    await asyncio.gather(eager, modest)
    assert order == ["eager", "modest", "eager", "modest", "eager", "eager"]


async def test_a_slow_reader_keeps_nobody_waiting(
    address: str, token: str, model: ScriptedModel, jp_fetch: Fetch
) -> None:
    model.text = " ".join(["word" * 500] * 90)
    url = httpx.URL(address)
    reader, writer = await asyncio.open_connection(url.host, url.port, limit=1024)
    body = json.dumps({"db": "chats.db", "question": "Who tunes the piano?"})
    writer.write(
        f"POST {url.raw_path.decode()}ask HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nAuthorization: token {token}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    await reader.readexactly(15)  # and then nothing more is read
    model.text = "Walter Quint."
    told = events((await post(jp_fetch, "ask", question="Who tunes the piano?")).body)
    assert told[-1][0] == "answer"
    writer.close()


async def test_others_are_served_while_an_answer_is_made(
    client: httpx.AsyncClient, model: ScriptedModel, jp_fetch: Fetch
) -> None:
    model.text = LONG
    asking = asyncio.create_task(post(jp_fetch, "ask", question="Who tunes the piano?"))
    await until(lambda: model.pieces)
    model.goes_on.clear()
    await get(jp_fetch, "people")
    assert not asking.done()
    model.goes_on.set()
    await asking


async def test_an_import_that_its_client_gives_up_leaves_nothing(
    client: httpx.AsyncClient, databases: Any, jp_fetch: Fetch
) -> None:
    folder = databases.root / "many"
    folder.mkdir()
    for day in range(1, 29):
        for month in range(1, 11):
            lines = "\n".join(f"AnnaBerg: note {i} of {month}-{day}" for i in range(20))
            name = f"2026{month:02}{day:02}"
            (folder / f"{name}_0900.txt").write_text(
                f"Time: {name}_09:00\n{lines}", encoding="utf-8"
            )
    async with client.stream("POST", "import", json={"db": "chats.db", "path": "many"}) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("event: progress"):
                break
    await until(lambda: not databases.open("chats.db").changing.locked(), 30)
    assert (await get(jp_fetch, "info"))["messages"] == 9
    told = events((await post(jp_fetch, "ask", question="Who tunes the piano?")).body)
    assert told[-1][0] == "answer"


async def test_a_database_is_deleted_once_no_import_into_it_runs(
    client: httpx.AsyncClient, databases: Any
) -> None:
    database = databases.open("chats.db")
    async with database.changing:
        deleting = asyncio.create_task(client.delete("corpora", params={"db": "chats.db"}))
        await asyncio.sleep(0.5)
        assert database.memory.info().messages == 9
    assert (await deleting).json()["deleted"]["db"] == "chats.db"
    assert not (databases.root / "chats.db").exists()


@pytest.mark.parametrize("how", ["read", "asked", "opened"])
async def test_a_question_does_not_wait_for_a_deletion_from_another_database(
    databases: Any, jp_fetch: Fetch, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    databases.open("other.db", create=True).memory.add(databases.root / "log")
    wiped = databases.open("chats.db").memory
    if how == "opened":
        databases.close()
        databases.models = LoadedModels(databases.settings, WordEmbedder(), ScriptedModel())
        wiped = databases.open("chats.db").memory
    rewrites, may_end, rewrite = threading.Event(), threading.Event(), Wiping.rewrite

    def slowly(wiping: Wiping) -> int:
        rewrites.set()
        assert may_end.wait(120)
        return rewrite(wiping)

    monkeypatch.setattr(Wiping, "rewrite", slowly)
    number = wiped.search("drums")[0].message.id
    tasks = [asyncio.create_task(post(jp_fetch, "delete", messages=[number], now=True))]
    try:
        await until(rewrites.is_set)
        if how == "asked":
            tasks.append(asyncio.create_task(post(jp_fetch, "ask", question="Who is first?")))
        else:
            tasks += [asyncio.create_task(get(jp_fetch, "people")) for _ in range(8)]
        await asyncio.sleep(0.5)  # they have all begun to wait
        told = await asyncio.wait_for(
            post(jp_fetch, "ask", db="other.db", question="Who tunes the piano?"), 60
        )
        assert events(told.body)[-1][0] == "answer"
        assert not any(task.done() for task in tasks)
    finally:
        may_end.set()
        await asyncio.gather(*tasks)


async def test_where_too_many_wait_one_more_is_told_to_come_back(
    client: httpx.AsyncClient, model: ScriptedModel, databases: Any
) -> None:
    few = databases.settings.model_copy(update={"most_waiting": 1})
    databases.models = LoadedModels(few, WordEmbedder(), model)
    model.goes_on.clear()
    body = {"db": "chats.db", "question": "Who tunes the piano?"}
    first = asyncio.create_task(client.post("ask", json=body))
    await until(lambda: model.asked)
    second = asyncio.create_task(client.post("ask", json=body))
    await until(lambda: databases.models.turns.ahead == 2)
    told = events((await client.post("ask", json=body)).content)
    assert told[-1][0] == "error"
    assert (told[-1][1]["type"], told[-1][1]["status"]) == ("TooManyWaiting", 503)
    model.goes_on.set()
    for answer in (await first, await second):
        assert events(answer.content)[-1][0] == "answer"
