"""Each route against the real engine; what may not be reached; what cannot be understood."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from calling import Fetch, events, get, post, refusal
from fakes import ScriptedModel, WordEmbedder
from tornado.httpclient import HTTPClientError

from minirag_chat.json_records import from_json
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.records import Answer, ImportReport, Message
from minirag_chat_jupyter.handlers import ROUTES
from minirag_chat_jupyter.openapi import document

pytestmark = pytest.mark.process


async def test_corpora_are_ours_and_below_the_root(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path, tmp_path: Path
) -> None:
    sqlite3.connect(jp_root_dir / "other.db").execute("CREATE TABLE x (y)")
    (jp_root_dir / "fake.db").write_text("no database")
    (tmp_path / "elsewhere.db").write_bytes((jp_root_dir / "chats.db").read_bytes())
    (jp_root_dir / "linked.db").symlink_to(tmp_path / "elsewhere.db")
    found = await get(jp_fetch, "corpora")
    assert [(c["db"], c["opened"]) for c in found["corpora"]] == [("chats.db", True)]


async def test_info_chats_and_people(jp_fetch: Fetch, databases: Any) -> None:
    info = await get(jp_fetch, "info")
    assert (info["messages"], info["model"]) == (9, "scripted")
    chats = (await get(jp_fetch, "chats"))["chats"]
    assert sum(chat["messages"] for chat in chats) == 9
    people = (await get(jp_fetch, "people"))["people"]
    assert {p["name"] for p in people} == {"AnnaBerg", "TomHill", "SamOrtiz"}


async def test_who_asks_is_said_once_and_then_asked_about(
    jp_fetch: Fetch, databases: Any, model: ScriptedModel
) -> None:
    before = await get(jp_fetch, "me")
    assert before["me"] is None
    assert before["likely"][0]["name"] == "AnnaBerg"
    said = json.loads((await post(jp_fetch, "me", person="Tom")).body)
    assert (said["me"]["name"], said["likely"]) == ("TomHill", [])
    await post(jp_fetch, "ask", question="Where did I park the van?")
    assert "Where did Tom Hill park the van?" in model.asked[-1][-1].content
    assert json.loads((await post(jp_fetch, "me", person=None)).body)["me"] is None


async def test_an_import_of_no_path_is_refused(jp_fetch: Fetch, databases: Any) -> None:
    for path in ("", " "):
        status, sentence = await refusal(post(jp_fetch, "import", path=path))
        assert (status, sentence.split(":")[0]) == (404, "The path is empty")


async def test_a_message_comes_in_its_conversation(jp_fetch: Fetch, databases: Any) -> None:
    found = (await get(jp_fetch, "search", q="expensive", k="1"))["found"]
    number = found[0]["message"]["id"]
    around = (await get(jp_fetch, "messages", str(number), around="1"))["messages"]
    assert [m["text"] for m in around] == [
        "The piano tuner is called Walter Quint.", "Is he expensive?",
        "90 euros, he comes on Thursday.",
    ]  # fmt: skip


async def test_retrieve_gives_messages_with_their_signals(jp_fetch: Fetch, databases: Any) -> None:
    answer = await post(jp_fetch, "retrieve", question="Who tunes the piano?", k=2, method="bm25")
    found = json.loads(answer.body)["found"]
    assert found[0]["message"]["text"] == "The piano tuner is called Walter Quint."
    assert "bm25" in found[0]["signals"]


async def test_ask_streams_pieces_and_then_the_whole_answer(
    jp_fetch: Fetch, databases: Any, model: ScriptedModel
) -> None:
    answer = await post(
        jp_fetch, "ask", question="What does the piano tuner cost?", people=["Anna"]
    )
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    told = events(answer.body)
    assert told[0] == ("queued", {"ahead": 0})
    assert "".join(d["text"] for n, d in told if n == "piece").strip() == model.text
    read = next(from_json(list[Message], d["messages"]) for n, d in told if n == "reads")
    assert "90 euros, he comes on Thursday." in {m.text for m in read}
    name, document = told[-1]
    found = from_json(Answer, document)
    assert (name, found.model, found.abstained) == ("answer", "scripted", False)
    assert found.sources[0].sender == "AnnaBerg"
    assert document["sources"][0]["text"] == found.sources[0].message.text, "flat, as --json has it"


async def test_a_follow_up_leans_on_the_history_sent_and_on_nothing_else(
    jp_fetch: Fetch, databases: Any, model: ScriptedModel
) -> None:
    await post(jp_fetch, "ask", question="Who parked the van?", history=[])
    await post(jp_fetch, "ask", question="And where?", history=[["Who parked the van?", "Tom."]])
    assert "van" in model.asked[-1][-1].content
    await post(jp_fetch, "ask", question="And where?")
    assert "Who parked" not in model.asked[-1][-1].content


async def test_import_tells_its_progress_and_its_report(jp_fetch: Fetch, databases: Any) -> None:
    told = events((await post(jp_fetch, "import", db="new/second.db", path="log")).body)
    assert {"progress"} == {name for name, _ in told[:-1]}
    report = from_json(ImportReport, told[-1][1])
    assert (report.messages_read, report.messages_added) == (9, 9)
    again = events((await post(jp_fetch, "import", db="new/second.db", path="log")).body)
    assert again[-1][1]["messages_added"] == 0


async def test_an_import_that_fails_leaves_no_empty_database(
    jp_fetch: Fetch, databases: Any
) -> None:
    (databases.root / "notes.txt").write_text("milk, bread", encoding="utf-8")
    told = events((await post(jp_fetch, "import", db="new/third.db", path="notes.txt")).body)
    assert (told[-1][0], told[-1][1]["type"]) == ("error", "UnknownFormat")
    assert not (databases.root / "new").exists()


async def test_a_chat_can_be_deleted_and_is_gone(jp_fetch: Fetch, databases: Any) -> None:
    chats = (await get(jp_fetch, "chats"))["chats"]
    answer = await jp_fetch(
        "minirag-chat", "chats", str(chats[0]["id"]), method="DELETE", params={"db": "chats.db"}
    )
    assert json.loads(answer.body)["deleted"]["title"] == chats[0]["title"]
    assert len((await get(jp_fetch, "chats"))["chats"]) == len(chats) - 1
    status, sentence = await refusal(
        jp_fetch("minirag-chat", "chats", "999", method="DELETE", params={"db": "chats.db"})
    )
    assert (status, "999" in sentence) == (404, True)


async def test_a_database_can_be_deleted_and_nothing_else(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    other = jp_root_dir / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)")
    status, _ = await refusal(
        jp_fetch("minirag-chat", "corpora", method="DELETE", params={"db": "other.db"})
    )
    assert status == 404
    assert other.exists()
    await jp_fetch("minirag-chat", "corpora", method="DELETE", params={"db": "chats.db"})
    assert not (jp_root_dir / "chats.db").exists()
    assert (await refusal(jp_fetch("minirag-chat", "info", params={"db": "chats.db"})))[0] == 404


async def test_the_default_database_is_not_deleted_by_an_empty_name(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    databases.open("", create=True).memory.add(jp_root_dir / "log")
    for name in ("", " "):
        call = jp_fetch("minirag-chat", "corpora", method="DELETE", params={"db": name})
        status, sentence = await refusal(call)
        assert (status, "POST delete" in sentence) == (400, True), sentence
    assert (await get(jp_fetch, "info", db=""))["messages"] == 9


async def test_a_misspelt_argument_does_not_change_the_default_database(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    databases.open("", create=True).memory.add(jp_root_dir / "log")
    for path, method in ((("chats", "1"), "DELETE"), (("info",), "GET")):
        call = jp_fetch("minirag-chat", *path, method=method, params={"database": "chats.db"})
        status, sentence = await refusal(call)
        assert (status, "'database'" in sentence, "db" in sentence) == (400, True, True)
    assert (await get(jp_fetch, "info", db=""))["messages"] == 9


async def test_a_database_named_as_an_argument_is_the_one_that_a_body_is_for(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    databases.open("", create=True).memory.add(jp_root_dir / "log")
    everything = json.dumps({"everything": True})
    await jp_fetch(
        "minirag-chat", "delete", method="POST", body=everything, params={"db": "chats.db"}
    )
    assert (await get(jp_fetch, "info"))["messages"] == 0
    assert (await get(jp_fetch, "info", db=""))["messages"] == 9
    both = json.dumps({"everything": True, "db": "other.db"})
    call = jp_fetch("minirag-chat", "delete", method="POST", body=both, params={"db": "chats.db"})
    assert (await refusal(call))[0] == 400


async def test_what_is_no_call_is_said_in_one_sentence(jp_fetch: Fetch, databases: Any) -> None:
    for path in (("chat",), ("messages", "abc")):
        status, sentence = await refusal(jp_fetch("minirag-chat", *path))
        assert (status, "openapi.json" in sentence) == (404, True)


async def test_an_import_takes_what_the_command_line_takes(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    (jp_root_dir / "table.csv").write_text(
        "wann,wer,was\n2026-01-01 10:00,Ann,Hi\n2026-01-01 10:05,Bob,Hello\n", encoding="utf-8"
    )
    told = events(
        (
            await post(
                jp_fetch, "import", db="table.db", path="table.csv", format="table", clock="24",
                columns={"sent_at": "wann", "sender": "wer", "text": "was"},
            )
        ).body
    )  # fmt: skip
    assert told[-1][1].get("messages_added") == 2, told[-1]


async def test_the_description_names_every_route_with_its_body_and_records(jp_fetch: Fetch) -> None:
    told = json.loads((await jp_fetch("minirag-chat", "openapi.json")).body)
    assert len(told["paths"]) == len(ROUTES)
    assert "Answer" in told["components"]["schemas"]
    asked = told["paths"]["/minirag-chat/ask"]["post"]
    body = asked["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    assert "question" in told["components"]["schemas"][body.rpartition("/")[2]]["required"]
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(told)))
    assert referred <= set(told["components"]["schemas"])


# --- confinement ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../private",
        "../private/one.txt",
        "/etc/passwd",
        "log/../../private",
        "link",
        "deep",
        ".ssh",
        "a\0b",
    ],
)
async def test_no_import_reaches_out_of_the_root(
    path: str, jp_fetch: Fetch, databases: Any, jp_root_dir: Path, outside: Path
) -> None:
    (jp_root_dir / "link").symlink_to(outside)
    (jp_root_dir / "deep").mkdir()
    (jp_root_dir / "deep" / "one.txt").symlink_to(outside / "one.txt")
    (jp_root_dir / ".ssh").mkdir()
    status, sentence = await refusal(post(jp_fetch, "import", path=path))
    assert status == 403, sentence
    assert (await get(jp_fetch, "info"))["messages"] == 9


@pytest.mark.parametrize("name", ["../default.db", "/x/y.db", "log/../../x.db", ".hidden.db"])
async def test_no_database_lies_out_of_the_root(
    name: str, jp_fetch: Fetch, databases: Any, tmp_path: Path
) -> None:
    for call in (
        jp_fetch("minirag-chat", "info", params={"db": name}),
        jp_fetch("minirag-chat", "corpora", method="DELETE", params={"db": name}),
        post(jp_fetch, "import", db=name, path="log"),
        post(jp_fetch, "ask", db=name, question="Who?"),
    ):
        assert (await refusal(call))[0] == 403
    assert not (tmp_path / "x.db").exists()


# --- what cannot be understood ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "JSON"),
        (b"[1]", "object"),
        (b'{"question": "Who is \\ud800?"}', "JSON"),
        (b'{"question": "Who?", "people": [true]}', "people"),
        (b"\xff", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"question": "Who?", "model": "x"}', "model"),
        (b'{"question": 3}', "question"),
        (b'{"question": "Who?", "method": "magic"}', "method"),
    ],
)
async def test_a_bad_body_is_refused_in_one_sentence(
    body: bytes, told: str, jp_fetch: Fetch, databases: Any
) -> None:
    status, sentence = await refusal(
        jp_fetch("minirag-chat", "ask", method="POST", body=body, allow_nonstandard_methods=True)
    )
    assert (status, told in sentence) == (400, True), sentence


async def test_a_long_body_is_refused_before_it_is_read(jp_fetch: Fetch, databases: Any) -> None:
    for length in (2 * 1024 * 1024, 100 * 1024 * 1024):
        body = b'{"question": "' + b"x" * length + b'"}'
        with pytest.raises((HTTPClientError, OSError)) as refused:
            await jp_fetch("minirag-chat", "ask", method="POST", body=body)
        assert getattr(refused.value, "code", 413) == 413
    assert (await get(jp_fetch, "info"))["messages"] == 9, "the server goes on"


async def test_what_goes_wrong_in_an_answer_is_told_as_an_event(
    jp_fetch: Fetch, databases: Any
) -> None:
    for body, kind, status in (
        ({"question": " "}, "BadQuestion", 400),
        ({"question": "Who?", "people": ["Zacharias"]}, "NotFound", 404),
    ):
        name, told = events((await post(jp_fetch, "ask", **body)).body)[-1]
        assert (name, told["type"], told["status"]) == ("error", kind, status)


async def test_numbers_are_checked(jp_fetch: Fetch, databases: Any) -> None:
    for around in ("-1", "x", "201", "9" * 40, "²"):
        status, sentence = await refusal(
            jp_fetch("minirag-chat", "messages", "1", params={"db": "chats.db", "around": around})
        )
        assert (status, "around" in sentence) == (400, True)
    assert (await refusal(jp_fetch("minirag-chat", "messages", "4711", params={"db": "chats.db"})))[
        0
    ] == 404


@pytest.mark.parametrize(
    ("path", "method", "params", "told"),
    [
        ("search", "GET", {"db": "chats.db"}, "'q' is missing"),
        ("corpora", "DELETE", {}, "'db' is missing"),
    ],
)
async def test_a_missing_argument_is_said_in_one_sentence(
    path: str, method: str, params: dict[str, str], told: str, jp_fetch: Fetch, databases: Any
) -> None:
    with pytest.raises(HTTPClientError) as refused:
        await jp_fetch("minirag-chat", path, method=method, params=params)
    assert refused.value.code == 400
    said = json.loads(refused.value.response.body)
    assert set(said) == {"message", "type"}
    assert told in said["message"]
    described = document(ROUTES)["paths"][f"/minirag-chat/{path}"][method.lower()]["parameters"]
    assert [p["name"] for p in described if p.get("required")] == [told.split("'")[1]]


@pytest.mark.parametrize("since", ["soonish", "3/4/2026", "2026-01-05T09:00:00+02:00"])
async def test_a_time_that_cannot_be_read_is_a_bad_request(
    since: str, jp_fetch: Fetch, databases: Any
) -> None:
    for path, more in (("retrieve", {"question": "Who?"}), ("delete", {"preview": True})):
        status, sentence = await refusal(post(jp_fetch, path, since=since, **more))
        assert (status, since[:10] in sentence) == (400, True), sentence
    _, told = events((await post(jp_fetch, "ask", question="Who?", since=since)).body)[-1]
    assert (told["type"], told["status"]) == ("BadTime", 400)


async def test_a_moved_database_is_said_and_a_new_one_in_its_place_is_opened(
    jp_fetch: Fetch, databases: Any, jp_root_dir: Path
) -> None:
    (jp_root_dir / "chats.db").rename(jp_root_dir / "moved.db")
    status, sentence = await refusal(jp_fetch("minirag-chat", "info", params={"db": "chats.db"}))
    assert (status, "chats.db" in sentence) == (404, True)
    assert (await get(jp_fetch, "info", db="moved.db"))["messages"] == 9


async def test_without_a_model_the_extractive_reader_quotes(
    jp_fetch: Fetch, databases: Any
) -> None:
    databases.close()
    databases.models = LoadedModels(databases.settings, WordEmbedder())
    told = events((await post(jp_fetch, "ask", question="Who tunes the piano?")).body)
    assert told[-1][1]["model"].startswith("extractive reader")


async def test_a_model_that_is_not_here_is_said_when_asked_and_the_rest_works(
    jp_fetch: Fetch, databases: Any
) -> None:
    databases.close()
    missing = databases.settings.model_copy(
        update={"model": "qwen2.5-coder-1.5b-instruct", "model_dir": databases.root / "models"}
    )
    databases.models = LoadedModels(missing, WordEmbedder())
    assert len((await get(jp_fetch, "people"))["people"]) == 3
    name, told = events((await post(jp_fetch, "ask", question="Who tunes the piano?")).body)[-1]
    assert (name, told["type"], told["status"]) == ("error", "ModelMissing", 503)
    assert "minirag-chat models get" in told["message"]
