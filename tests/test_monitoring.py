"""What whoever runs the program is told: numbers and outcomes, and nothing that anybody wrote."""

from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadSetting, ImportFailed, StoreError
from minirag_chat.records.monitoring import MonitoringEvent
from minirag_chat.system import json_log, monitoring
from minirag_chat.system.json_log import write_json_lines
from minirag_chat.system.metrics import Metrics
from minirag_chat.system.monitoring import listen, tell

QUESTION = "What is the piano tuner called?"
CANARIES = ("Zanzibaria", "Quetzalina", "Xylofontaine", "Wobblequest", "hunter2secret")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[MonitoringEvent]:
    """What is told while the test runs; all who listen meanwhile are forgotten after it."""
    heard: list[MonitoringEvent] = []
    monkeypatch.setattr(monitoring, "_LISTENERS", [heard.append])
    return heard


def test_a_question_is_told_with_its_outcome_and_how_long_its_steps_took(
    small: ChatMemory, told: list[MonitoringEvent]
) -> None:
    answer = small.ask(QUESTION)
    (one,) = told
    assert (one.what, one.outcome, one.reason) == ("question", "answered", "")
    assert one.steps["retrieve"] == answer.timings["retrieve"]
    assert one.steps["retrieve"] + one.steps["read"] == pytest.approx(answer.timings["total"])
    assert one.seconds >= answer.timings["total"]
    assert len(one.id) == 12


def test_a_silence_says_why_and_a_stop_and_a_failure_that_they_are_that(
    settings: Settings, small_log: Path, told: list[MonitoringEvent]
) -> None:
    model = ScriptedModel(stated=0.01)
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.add(small_log)
        assert memory.ask(QUESTION).reason == "not_stated"
        memory.ask(QUESTION, cancelled=lambda: True)
        left = memory.stream(QUESTION)
        next(left)
        left.close()
    with pytest.raises(StoreError):
        memory.ask(QUESTION)
    assert [(one.what, one.outcome, one.reason) for one in told] == [
        ("import", "done", ""),
        ("question", "silent", "not_stated"),
        ("question", "stopped", ""),
        ("question", "silent", "not_stated"),
        ("question", "failed", "StoreError"),
    ]


def test_imports_and_deletions_are_told_with_how_many_messages(
    memory: ChatMemory, small_log: Path, told: list[MonitoringEvent], tmp_path: Path
) -> None:
    memory.add(small_log)
    memory.delete_chat(memory.chats()[0].id)
    memory.delete(chats=[memory.chats()[0].id])
    memory.restore()
    (tmp_path / "no.txt").write_text("No chat at all.", "utf-8")
    with pytest.raises(Exception, match="not recognised"):
        memory.add(tmp_path / "no.txt")
    assert [(one.what, one.outcome) for one in told] == [
        ("import", "done"), ("deletion", "done"), ("deletion", "done"), ("restore", "done"),
        ("import", "failed"),
    ]  # fmt: skip
    counted = [one.counts["messages"] for one in told[:4]]
    assert counted[0] == sum(counted[1:3]) == 9
    assert counted[2] == counted[3]


def test_the_numbers_are_in_the_form_that_prometheus_reads(
    small: ChatMemory, told: list[MonitoringEvent]
) -> None:
    parser = pytest.importorskip("prometheus_client.parser", reason="the extra server is missing")
    numbers = Metrics(small.index_left, lambda: 3)
    listen(numbers)
    small.ask(QUESTION)
    tell(MonitoringEvent("question", "refused"))
    tell(MonitoringEvent("import", "done", counts={"messages": 7}))
    text, kind = numbers.text()
    assert kind.startswith("text/plain")
    found = {
        (sample.name, *sample.labels.values()): sample.value
        for family in parser.text_string_to_metric_families(text.decode())
        for sample in family.samples
    }
    assert found["minirag_chat_questions_total", "answered", ""] == 1
    assert found["minirag_chat_questions_total", "refused", ""] == 1
    assert found["minirag_chat_question_seconds_count", "retrieve"] == 1
    assert found["minirag_chat_question_seconds_sum", "whole"] == pytest.approx(told[0].seconds)
    assert found["minirag_chat_changes_total", "done", "import"] == 1
    assert found["minirag_chat_imported_messages_total",] == 7
    assert found["minirag_chat_waiting",] == 3
    assert found["minirag_chat_index_left",] == 0
    assert found["process_resident_memory_bytes",] > 1e6


def test_where_the_database_cannot_be_reached_the_other_numbers_are_still_told() -> None:
    pytest.importorskip("prometheus_client", reason="the extra server is missing")

    def gone() -> int:
        raise StoreError("It is not there.")

    text, _ = Metrics(gone).text()
    assert b"minirag_chat_index_left NaN" in text
    assert b"minirag_chat_questions" in text


def test_without_the_extra_the_command_that_adds_it_is_told(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.system.installing.find_spec", lambda _: None)
    with pytest.raises(BadSetting, match=r"Metrics need.*`uv pip install .*prometheus"):
        Metrics(small.index_left)


def test_a_worker_serves_its_numbers(small: ChatMemory) -> None:
    pytest.importorskip("prometheus_client", reason="the extra server is missing")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    Metrics(small.index_left).serve("127.0.0.1", port)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=120) as answer:
        assert b"minirag_chat_index_left 0.0" in answer.read()
    with pytest.raises(BadSetting, match=f"port {port}"):
        Metrics(small.index_left).serve("127.0.0.1", port)


@pytest.mark.usefixtures("told")
def test_the_log_is_json_and_has_nothing_that_anybody_wrote(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pythonjsonlogger", reason="the extra server is missing")
    place, person, thing, asked, secret = CANARIES
    said = {
        **SMALL,
        "20260301_1000": (f"{person}Moor: The {thing} stands in {place}.", "NinaVale: Really?"),
    }
    log, no_chat = write_log(tmp_path / "log", said), tmp_path / f"{thing}.txt"
    no_chat.write_text(f"{person} has no chat at all.", "utf-8")
    chosen = settings.model_copy(update={"server_key": secret, "abstain_below": 0.5})
    write_json_lines()
    write_json_lines()  # once is enough
    try:
        with ChatMemory.open(chosen.db, chosen, embedder=WordEmbedder()) as memory:
            memory.add(log)
            with pytest.raises(ImportFailed):
                memory.add(no_chat)
            assert memory.ask(f"Where does the {thing} of {person} stand?").sources
            assert memory.ask(f"How does {asked} like it?", history=()).abstained
            memory.delete(people=[f"{person} Moor"])
    finally:
        json_log._LOG.handlers.clear()
    written = capsys.readouterr().err
    assert not [canary for canary in CANARIES if canary in written]
    lines = [json.loads(line) for line in written.splitlines()]
    assert [(line["event"], line["outcome"]) for line in lines] == [
        ("import", "done"), ("import", "failed"), ("question", "answered"), ("question", "silent"),
        ("deletion", "done"),
    ]  # fmt: skip
    assert lines[1]["reason"] == "UnknownFormat"
    assert lines[0]["messages"] == 11
    assert lines[2]["seconds"] >= lines[2]["retrieve_seconds"] > 0
    assert len({line["id"] for line in lines}) == 5
    assert all(line["time"] and line["process"] for line in lines)
