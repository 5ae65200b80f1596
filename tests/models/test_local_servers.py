"""Model servers of this machine are found by asking its loopback, whatever answers there."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from model_server import ModelServer, gives

from minirag_chat import Settings
from minirag_chat.errors import BadSetting
from minirag_chat.models.choose import choose_model, load_chat_model
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.local_servers import find_servers, usual_urls
from minirag_chat.models.permission import (
    FILE,
    loopback_url,
    permission_file,
    permit,
    permitted,
    withdraw,
)
from minirag_chat.models.server_model import ServerChatModel

USUAL = [f"http://127.0.0.1:{port}/v1" for port in (11434, 1234, 8080, 8000)]
ELSEWHERE = [
    "http://192.168.1.2:11434/v1", "https://127.0.0.1/v1", "http://example.org/v1", "http://localhost.example.org/v1",
    "http://127.0.0.1@example.org/v1", "http://example.org\\@127.0.0.1/v1", "http://127.1:80/v1", "ftp://127.0.0.1/v1",
    "http://0.0.0.0:11434/v1", "127.0.0.1:11434", "http://[::ffff:8.8.8.8]/v1", "http://127.0.0.1:99999/v1", "",
]  # fmt: skip


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "data" / "chats.db", model_dir=tmp_path / "models")


def names(server: ModelServer) -> list[str]:
    return [model.name for found in find_servers([server.url]).servers for model in found.models]


# --- which addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", None),
        ("127.0.0.1:11500", "http://127.0.0.1:11500/v1"),
        ("0.0.0.0:11434", "http://127.0.0.1:11434/v1"),
        (":11500", "http://127.0.0.1:11500/v1"),
        ("http://localhost", "http://127.0.0.1:80/v1"),
        ("[::1]:11500", "http://[::1]:11500/v1"),
        ("::", "http://127.0.0.1:11434/v1"),
        ('"localhost:1"', "http://127.0.0.1:1/v1"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(given: str, url: str | None) -> None:
    urls, note = usual_urls({"OLLAMA_HOST": given})
    assert urls == ([url] if url else []) + USUAL
    assert note == ""


@pytest.mark.parametrize(
    "given", ["10.0.0.5", "gpu-box:11434", "https://ollama.com", "a:b:c", "x" * 99]
)
def test_an_ollama_on_another_machine_is_not_asked_and_that_is_said(given: str) -> None:
    urls, note = usual_urls({"OLLAMA_HOST": given})
    assert urls == USUAL
    assert "OLLAMA_HOST" in note


@pytest.mark.parametrize("url", ELSEWHERE)
def test_no_other_host_can_be_asked_or_allowed(url: str, settings: Settings) -> None:
    for act in (loopback_url, lambda u: find_servers([u]), lambda u: permit(settings, u, "m")):
        with pytest.raises(BadSetting, match="MINIRAG_CHAT_SERVER_URL"):
            act(url)
    assert not permission_file(settings).exists()


def test_nothing_but_loopback_is_connected_to_and_no_name_is_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met: list[str] = []
    real = asyncio.SelectorEventLoop.sock_connect

    async def watched(
        loop: asyncio.SelectorEventLoop, sock: socket.socket, address: tuple[str, int]
    ) -> None:
        met.append(address[0])
        await real(loop, sock, address)

    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_connect", watched)
    monkeypatch.setenv("OLLAMA_HOST", "gpu-box.example.org:11434")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.org:3128")
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example.org:3128")
    find_servers()
    assert met
    assert set(met) == {"127.0.0.1"}


# --- what answers -------------------------------------------------------------------------------------


def test_a_server_is_told_with_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer("llama3.2:3b", "nomic-embed-text:latest", "qwen3:4b") as server:
        tags = [
            {
                "name": "llama3.2:3b",
                "details": {"parameter_size": "3.2B", "quantization_level": "Q4_K_M"},
            }
        ]
        server.paths["/api/tags"] = gives({"models": tags})
        monkeypatch.setenv("OLLAMA_HOST", f"0.0.0.0:{server.port}")
        found = [s for s in find_servers().servers if s.url == server.url]
    assert [(s.name, [(m.name, m.about) for m in s.models]) for s in found] == [
        ("Ollama", [("llama3.2:3b", "3.2B, Q4_K_M"), ("qwen3:4b", "")])
    ]
    assert server.asked == ["GET /v1/models", "GET /api/tags"]  # and nothing of a message


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("vllm", "vLLM"),
        ("me", "llama-cpp-python"),
        ("llamacpp", "llama.cpp"),
        ("<b>", "model server"),
    ],
)
def test_a_server_is_called_by_one_of_our_own_words(owner: str, name: str) -> None:
    with ModelServer("m", owner=owner) as server:
        if owner == "llamacpp":  # it answers at Ollama's addresses too
            server.paths["/api/tags"] = gives(
                {"models": [{"name": "m", "details": {"family": ""}}]}
            )
        assert [found.name for found in find_servers([server.url]).servers] == [name]


def test_a_model_that_runs_on_another_machine_is_marked() -> None:
    with ModelServer("gpt-oss:120b-cloud", "glm:cloud", "mine", "own") as server:
        server.paths["/api/tags"] = gives(
            {"models": [{"name": "mine", "remote_host": "https://ollama.com"}]}
        )
        (found,) = find_servers([server.url]).servers
    assert [model.name for model in found.usable] == ["own"]


def test_hostile_names_are_left_out_and_the_rest_is_bounded() -> None:
    hostile = [
        "a\nb",
        "\x1b[2Jx",
        "abc\u202egnp",
        "zero\u200bwidth",
        "x" * 5000,
        "",
        " lead",
        7,
        None,
        {"id": 1},
    ]
    with ModelServer(*hostile, "<img src=x>", "good", *(f"m{n}" for n in range(900))) as server:
        found = names(server)
    assert found[:2] == ["<img src=x>", "good"]
    assert len(found) < 220


@pytest.mark.parametrize(
    "body",
    [
        b"<html>It works!</html>", b"[]", b"{}", b'{"object":"list","data":{"id":1}}', b"null", b"\xff\xfe",
        b'{"data":[{"id":"m"}]}', b"[" * 200_000, gzip.compress(b"0" * 10_000_000),
        b'{"object":"list","data":[' + b'{"id":"m"},' * 200_000 + b'{"id":"m"}]}',
    ],
)  # fmt: skip
def test_what_is_no_model_server_is_not_taken_for_one(body: bytes) -> None:
    with ModelServer() as server:
        server.paths["/v1/models"] = gives(body)
        assert find_servers([server.url]).servers == ()


def test_an_ollama_without_models_is_there() -> None:
    with ModelServer() as server:
        server.paths["/v1/models"] = gives({"object": "list", "data": None})  # as it says then
        server.paths["/api/tags"] = gives({"models": []})
        (found,) = find_servers([server.url]).servers
    assert (found.name, found.models) == ("Ollama", ())


def test_a_server_that_wants_a_key_is_said_to() -> None:
    with ModelServer() as server:
        server.paths["/v1/models"] = gives({"error": "no"}, 401)
        (found,) = find_servers([server.url]).servers
    assert found.wants_key
    assert found.usable == ()


def test_a_redirect_is_not_followed() -> None:
    with ModelServer("there") as other, ModelServer() as server:

        def elsewhere(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(302)
            handler.send_header("Location", f"{other.url}/models")
            handler.end_headers()

        server.paths["/v1/models"] = elsewhere
        assert find_servers([server.url]).servers == ()
        assert other.asked == []


@pytest.mark.slow
def test_a_port_that_hangs_or_never_ends_does_not_hold_up_the_rest() -> None:
    enough = threading.Event()

    def hangs(handler: BaseHTTPRequestHandler) -> None:
        enough.wait(60)

    def drips(handler: BaseHTTPRequestHandler) -> None:
        while not enough.wait(0.05):
            handler.wfile.write(b"x")

    def floods(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not enough.is_set():
            handler.wfile.write(b" " * 65536)

    with (
        ModelServer("m") as good,
        ModelServer() as one,
        ModelServer() as two,
        ModelServer() as three,
    ):
        for server, behave in ((one, hangs), (two, drips), (three, floods)):
            server.paths["/v1/models"] = behave
        found = find_servers([one.url, two.url, three.url, good.url], deadline=4.0).servers
        enough.set()
    assert [server.url for server in found] == [good.url]


# --- the permission ------------------------------------------------------------------------------------


def test_a_found_server_is_used_only_once_it_is_allowed_and_no_longer_than_that(
    settings: Settings,
) -> None:
    with ModelServer("tiny") as server:
        find_servers([server.url])
        assert choose_model(settings).kind != "server"
        permit(settings, server.url, "tiny")
        choice = choose_model(settings)
        assert (choice.kind, choice.name, choice.url) == ("server", "tiny", server.url)
        assert "which you allowed" in choice.reason
        assert isinstance(load_chat_model(settings, choice), ServerChatModel)
        assert withdraw(settings)
        assert choose_model(settings).kind != "server"
        assert not withdraw(settings)


def test_what_was_asked_for_or_named_in_the_settings_goes_first(settings: Settings) -> None:
    permit(settings, "http://localhost:11434/v1/", "tiny")
    assert choose_model(settings.model_copy(update={"model": "extractive"})).kind == "extractive"
    named = {"server_url": "http://127.0.0.1:1/v1", "server_model": "big"}
    assert choose_model(settings.model_copy(update=named)).name == "big"
    assert (
        choose_model(settings.model_copy(update={"model": "server"})).url
        == "http://127.0.0.1:11434/v1"
    )


def test_the_key_of_another_server_is_not_sent_to_the_one_that_was_allowed(
    settings: Settings,
) -> None:
    chosen = settings.model_copy(update={"server_key": "sesame"})
    with ModelServer("tiny") as server:
        permit(chosen, server.url, "tiny")
        model = load_chat_model(chosen, choose_model(chosen))
    assert model is not None
    assert "sesame" not in str(vars(model))


@pytest.mark.parametrize(
    "kept",
    [
        "", "{", "[]", "7", '{"url": "http://127.0.0.1:1/v1", "model": "m"}',
        '{"url": "http://10.0.0.9:11434/v1", "model": "m", "given": "2026-01-01"}',
        '{"url": "https://example.org/v1", "model": "m", "given": "2026-01-01"}',
        '{"url": "http://127.0.0.1:1/v1", "model": "m\\n", "given": "2026-01-01"}',
        '{"url": 5, "model": "m", "given": "2026-01-01"}',
    ],
)  # fmt: skip
def test_a_permission_that_is_damaged_or_for_another_machine_is_none(
    settings: Settings, kept: str
) -> None:
    permission_file(settings).parent.mkdir(parents=True)
    permission_file(settings).write_text(kept, encoding="utf-8")
    assert permitted(settings) is None
    assert choose_model(settings).kind != "server"


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are Unix's")
def test_the_permission_is_its_owners_alone_and_leaves_nothing_beside(settings: Settings) -> None:
    permit(settings, "http://127.0.0.1:1/v1", "m")
    permit(settings, "http://127.0.0.1:2/v1", "m")
    file = permission_file(settings)
    assert [other.name for other in file.parent.iterdir()] == [FILE]
    assert file.stat().st_mode & 0o077 == 0
    assert permitted(settings) is not None


def test_a_permission_that_cannot_be_kept_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="cannot be kept"):
        permit(Settings(db=tmp_path / "file" / "chats.db"), "http://127.0.0.1:1/v1", "m")


def test_a_withdrawal_by_another_process_counts_at_the_next_question(settings: Settings) -> None:
    permit(settings, "http://127.0.0.1:1/v1", "tiny")
    models = LoadedModels(settings)
    assert models.chat_model() is not None
    withdraw(settings)  # as the command does while the page is open
    assert models.chat_model() is None
    assert models.choice().kind == "extractive"
    permit(settings, "http://127.0.0.1:1/v1", "tiny")
    assert models.chat_model() is not None
