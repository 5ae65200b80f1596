"""What the page tells whoever runs it, and the names that it answers to behind a proxy."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fakes import ScriptedModel, WordEmbedder
from needed import needed
from places import SMALL, write_log

gradio, gradio_client = needed("gradio"), needed("gradio_client")
pytest.importorskip("prometheus_client", reason="the extra server is missing")
from browsing import free_port, launch
from page_script import PageScript

from minirag_chat import ChatMemory, Settings
from minirag_chat.store.wiping import Wiping


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("page")
    settings = Settings(
        db=folder / "chats.db", model_dir=folder, model="extractive", metrics=True,
        hosts=frozenset({"chats.example.org"}), most_waiting=1,
    )  # fmt: skip
    model = ScriptedModel("Walter Quint.")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as opened:
        opened.add(write_log(folder / "log", SMALL))
        yield opened
        gradio.close_all()


@pytest.fixture(scope="module")
def address(memory: ChatMemory) -> str:
    return launch(memory, port=free_port(), block=False)


@pytest.mark.slow
def test_it_says_whether_it_is_well(address: str, memory: ChatMemory, tmp_path: Path) -> None:
    assert httpx.get(f"{address}health").json() == {"status": "ok"}
    settings = memory.settings.model_copy(update={"db": tmp_path / "x.db", "metrics": False})
    gone = ChatMemory.open(settings.db, settings, embedder=WordEmbedder())
    other = launch(gone, port=free_port(), block=False)
    assert httpx.get(f"{other}metrics", follow_redirects=True).status_code != 200, "off by default"
    gone.close()
    said = httpx.get(f"{other}health")
    assert (said.status_code, said.json()) == (503, {"status": "StoreError"})


@pytest.mark.slow
def test_it_is_well_and_tells_its_numbers_while_messages_are_deleted_for_good(
    address: str, memory: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[httpx.Response] = []
    rewrite = Wiping.rewrite

    def meanwhile(wiping: Wiping) -> int:
        asked.append(httpx.get(f"{address}health", timeout=30))
        asked.append(httpx.get(f"{address}metrics", timeout=30))
        return rewrite(wiping)

    monkeypatch.setattr(Wiping, "rewrite", meanwhile)
    memory.delete(messages=[memory.search("drums")[0].message.id], now=True)
    health, metrics = asked
    assert health.json() == {"status": "ok"}
    assert "minirag_chat_index_left NaN" in metrics.text, "not known while the file is rewritten"
    assert "minirag_chat_waiting 0.0" in metrics.text
    assert "minirag_chat_index_left 0.0" in httpx.get(f"{address}metrics").text


@pytest.mark.slow
def test_its_numbers_count_questions_and_have_none_of_their_words(address: str) -> None:
    asked = "Who tunes the Zanzibar piano?"
    client = gradio_client.Client(address, verbose=False)
    assert "Walter" in client.predict(question=asked, api_name="/ask")["text"]
    told = httpx.get(f"{address}metrics")
    assert told.headers["content-type"].startswith("text/plain")
    assert 'minirag_chat_questions_total{outcome="answered",reason=""} 1.0' in told.text
    assert "minirag_chat_waiting 0.0" in told.text
    for word in ("Zanzibar", "piano", "Walter"):
        assert word not in told.text


@pytest.mark.slow
def test_it_answers_to_the_names_of_the_settings_and_to_no_other(address: str) -> None:
    def said(host: str, origin: str) -> int:
        headers = {"host": host, "origin": origin}
        return httpx.post(f"{address}gradio_api/queue/join", headers=headers, json={}).status_code

    assert httpx.get(address, headers={"host": "chats.example.org"}).status_code == 200
    assert said("chats.example.org", "https://chats.example.org") == 422  # no question is in it
    for other in ("https://evil.example.org", "http://[", "null", "\x7f"):
        assert said("chats.example.org", other) == 403, other
    assert httpx.get(address, headers={"host": "evil.example.org"}).status_code == 400


@pytest.mark.slow
def test_where_too_many_ask_at_once_programs_and_the_page_are_told_to_come_back(
    address: str, memory: ChatMemory
) -> None:
    model = memory.models.loaded
    assert isinstance(model, ScriptedModel)
    model.text, model.pause = " ".join(["slow"] * 90), 0.3
    clients = [gradio_client.Client(address, verbose=False) for _ in range(4)]
    with PageScript(address, "late") as late:
        jobs = [c.submit(question="Who tunes the piano?", api_name="/ask") for c in clients]
        end = time.monotonic() + 300
        while sum(job.done() for job in jobs) < 2:
            assert time.monotonic() < end, "one is answered, one waits, two are refused"
            time.sleep(0.05)
        assert "try again in a minute" in late.ask("Who parked the van?")
        model.pause = 0.0
        answers = [job.result(timeout=300) for job in jobs]
        assert "mc-flagline" in late.ask("Who parked the van?"), "now there is room"
    refused = [answer for answer in answers if answer.get("type") == "TooManyWaiting"]
    assert "try again in a minute" in refused[0]["error"]
    assert (len(refused), sum("text" in answer for answer in answers)) == (2, 2)
    numbers = httpx.get(f"{address}metrics").text
    assert 'minirag_chat_questions_total{outcome="refused",reason=""} 3.0' in numbers
