"""Against a real HTTP server on this machine."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from minirag_chat.errors import ModelServerError
from minirag_chat.models.server_model import ServerChatModel
from minirag_chat.records import Turn

TURNS = [Turn("system", "Answer."), Turn("user", "When?")]


class Server:
    """A model server that does what ``behave`` does, and keeps what it was asked."""

    def __init__(self) -> None:
        self.behave: Callable[[BaseHTTPRequestHandler], None] = says("Saturday", ", at", " 4 🎉.")
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.hung_up = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.bodies.append(json.loads(self.rfile.read(length)))
                outer.headers.append(dict(self.headers))
                outer.paths.append(self.path)
                try:
                    outer.behave(self)
                except (BrokenPipeError, ConnectionResetError):
                    outer.hung_up.set()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


def begin(handler: BaseHTTPRequestHandler, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()


def event(handler: BaseHTTPRequestHandler, data: str) -> None:
    handler.wfile.write(f"data: {data}\n\n".encode())
    handler.wfile.flush()


def delta(text: str | None, finish: str | None = None) -> str:
    return json.dumps({"choices": [{"delta": {"content": text}, "finish_reason": finish}]})


def says(*pieces: str, done: bool = True) -> Callable[[BaseHTTPRequestHandler], None]:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        handler.wfile.write(b": a comment\n\n")
        for piece in pieces:
            event(handler, delta(piece))
        if done:
            event(handler, delta(None, "stop"))
            event(handler, '{"choices": [], "usage": {"total_tokens": 9}}')
            event(handler, "[DONE]")

    return behave


def status(code: int, said: str = "") -> Callable[[BaseHTTPRequestHandler], None]:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        begin(handler, code)
        handler.wfile.write(said.encode())

    return behave


def replies(answer: object) -> Callable[[BaseHTTPRequestHandler], None]:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        handler.wfile.write(json.dumps(answer, indent=1).encode())

    return behave


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def model(server: Server) -> ServerChatModel:
    timeout = httpx.Timeout(60.0)
    return ServerChatModel(server.url, "tiny", "secret-key", timeout=timeout)


def answer(model: ServerChatModel) -> str:
    return "".join(model.stream(TURNS, max_new_tokens=7))


def test_it_streams_what_the_server_sends(server: Server, model: ServerChatModel) -> None:
    assert list(model.stream(TURNS, max_new_tokens=7)) == ["Saturday", ", at", " 4 🎉."]
    body = server.bodies[0]
    assert server.paths == ["/v1/chat/completions"]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("tiny", 7, 0)
    assert body["messages"][1] == {"role": "user", "content": "When?"}
    assert server.headers[0]["Authorization"] == "Bearer secret-key"


def test_a_stop_in_the_middle_closes_the_connection(server: Server, model: ServerChatModel) -> None:
    def forever(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        while True:
            event(handler, delta("la "))
            time.sleep(0.02)

    server.behave = forever
    got: list[str] = []
    for piece in model.stream(TURNS, max_new_tokens=7, cancelled=lambda: len(got) > 2):
        got.append(piece)  # noqa: PERF402  # the loop is what is stopped
    assert len(got) == 3
    assert server.hung_up.wait(60)


def test_a_stop_while_the_server_thinks_takes_effect_at_once(
    server: Server, model: ServerChatModel
) -> None:
    enough, thought = threading.Event(), threading.Event()

    def think(handler: BaseHTTPRequestHandler) -> None:
        enough.wait(50)
        thought.set()
        begin(handler)

    server.behave = think
    assert list(model.stream(TURNS, max_new_tokens=7, cancelled=lambda: bool(server.bodies))) == []
    assert (
        model.choose_each([TURNS], ("Yes", "No"), cancelled=lambda: len(server.bodies) > 1)[0]
        is None
    )
    assert not thought.is_set()
    enough.set()


def test_a_consumer_that_leaves_closes_the_connection(
    server: Server, model: ServerChatModel
) -> None:
    def forever(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        while True:
            event(handler, delta("la "))
            time.sleep(0.02)

    server.behave = forever
    stream = model.stream(TURNS, max_new_tokens=7)
    assert next(stream) == "la "
    stream.close()
    assert server.hung_up.wait(60)


def test_an_interrupt_while_the_request_begins_closes_the_connection(
    server: Server, model: ServerChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking = threading.Event()

    def forever(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        while True:
            event(handler, delta("la "))
            speaking.set()
            time.sleep(0.02)

    def interrupted(request: threading.Thread) -> None:
        threading.Thread.start(request)
        assert speaking.wait(60)
        raise KeyboardInterrupt

    server.behave = forever
    monkeypatch.setattr("minirag_chat.models.request._Request.start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(model.stream(TURNS, max_new_tokens=7))
    assert server.hung_up.wait(60)


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (401, "MINIRAG_CHAT_SERVER_KEY"),
        (404, "does it have the model 'tiny'"),
        (500, "look at its log"),
    ],
)
def test_a_refusal_is_one_sentence_with_a_remedy(
    server: Server, model: ServerChatModel, code: int, remedy: str
) -> None:
    server.behave = status(code)
    with pytest.raises(ModelServerError, match=remedy) as caught:
        answer(model)
    assert str(code) in str(caught.value)
    assert "secret-key" not in str(caught.value)


@pytest.mark.parametrize("data", ["{nonsense", '{"choices": 5}', '{"choices": [{}]}', "[]", "1"])
def test_something_that_is_no_chat_completion(
    server: Server, model: ServerChatModel, data: str
) -> None:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        event(handler, data)

    server.behave = behave
    with pytest.raises(ModelServerError, match="no chat completion"):
        answer(model)


def test_an_answer_that_breaks_off_is_an_error(server: Server, model: ServerChatModel) -> None:
    server.behave = says("Satur", done=False)
    with pytest.raises(ModelServerError, match="broke off"):
        answer(model)


def test_a_server_that_is_not_there(server: Server) -> None:
    model = ServerChatModel("http://127.0.0.1:9/v1", "tiny")
    with pytest.raises(ModelServerError, match=r"cannot be reached .* is it running"):
        answer(model)


def test_an_address_that_is_none() -> None:
    with pytest.raises(ModelServerError, match="cannot be reached"):
        answer(ServerChatModel("localhost:11434", "tiny"))


@pytest.mark.parametrize("key", ["\u201csecret\u201d", "secret\n"])
def test_a_key_that_cannot_be_sent_is_said_and_not_shown(key: str) -> None:
    with pytest.raises(ModelServerError, match="MINIRAG_CHAT_SERVER_KEY") as caught:
        ServerChatModel("http://127.0.0.1:9/v1", "tiny", key)
    assert "secret" not in str(caught.value)


@pytest.mark.timeout(50)
def test_whatever_keeps_a_request_from_being_made_is_one_sentence(model: ServerChatModel) -> None:
    lone = [Turn("user", "half of a pair: \ud83d")]
    with pytest.raises(ModelServerError, match=r"cannot be asked \(UnicodeEncodeError"):
        list(model.stream(lone, max_new_tokens=7))


@pytest.mark.timeout(50)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_request_that_ends_without_a_word_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, model: ServerChatModel
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise SystemExit

    monkeypatch.setattr(httpx.AsyncClient, "stream", killed)
    with pytest.raises(ModelServerError, match="broke off"):
        answer(model)


@pytest.mark.slow
def test_a_server_that_is_too_slow(server: Server) -> None:
    enough = threading.Event()
    server.behave = lambda handler: (enough.wait(60), None)[1]
    model = ServerChatModel(server.url, "tiny", timeout=httpx.Timeout(0.3))
    with pytest.raises(ModelServerError, match="does not answer in time"):
        answer(model)
    enough.set()


def test_the_choices_probabilities_come_from_the_first_tokens_alternatives(
    server: Server, model: ServerChatModel
) -> None:
    seen = [("Yes", 0.5), (" yes", 0.1), ("No", 0.2), ("Maybe", 0.1), ("", 0.1)]
    tops = [{"token": token, "logprob": math.log(share)} for token, share in seen]
    server.behave = replies({"choices": [{"logprobs": {"content": [{"top_logprobs": tops}]}}]})
    choice = model.choose_each([TURNS], ("Yes", "No"))[0]
    assert choice is not None
    assert choice == pytest.approx((0.75, 0.25))
    assert (server.bodies[0]["max_tokens"], server.bodies[0]["logprobs"]) == (1, True)


@pytest.mark.parametrize(
    "reply", [{"choices": [{"message": {"content": "Yes"}}]}, {"choices": [{"logprobs": None}]}, 1]
)
def test_a_server_without_probabilities_gives_none(
    server: Server, model: ServerChatModel, reply: object
) -> None:
    server.behave = replies(reply)
    assert model.choose_each([TURNS], ("Yes", "No"))[0] is None


def test_a_server_that_knows_no_logprobs_gives_none_and_a_wrong_key_is_said(
    server: Server, model: ServerChatModel
) -> None:
    server.behave = status(401)
    with pytest.raises(ModelServerError, match="401"):
        model.choose_each([TURNS], ("Yes", "No"))
    server.behave = status(400)
    assert model.choose_each([TURNS], ("Yes", "No"))[0] is None
    asked = len(server.bodies)
    assert model.choose_each([TURNS, TURNS], ("Yes", "No")) == [None, None]
    assert len(server.bodies) == asked  # it was told once


def test_tokens_are_estimated_on_the_high_side(model: ServerChatModel) -> None:
    assert model.count_tokens("When did Wolfgang come?") == 6
    assert model.count_tokens("李华什么时候来") >= 7


# --- what servers say that cannot answer ----------------------------------------------------------

LONG = '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}'


@pytest.mark.parametrize(
    ("code", "said", "remedy"),
    [
        (400, LONG, "longer than the context of 'tiny'"),
        (400, '{"error":{"code":"context_length_exceeded"}}', "longer than the context"),
        (
            404,
            '{"error":{"message":"model \\"tiny\\" not found, try pulling it"}}',
            "minirag-chat models",
        ),
        (503, '{"error":{"message":"Loading model"}}', "still loading the model; ask again"),
        (429, "", "it is busy"),
        (500, "<script>alert(1)</script>\x1b[2J", "look at its log"),
    ],
)
def test_the_reason_is_read_and_the_servers_own_words_are_not_shown(
    server: Server, model: ServerChatModel, code: int, said: str, remedy: str
) -> None:
    server.behave = status(code, said)
    with pytest.raises(ModelServerError) as caught:
        answer(model)
    assert remedy in str(caught.value)
    assert "script" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_context_that_is_too_short_is_no_lack_of_probabilities(
    server: Server, model: ServerChatModel
) -> None:
    server.behave = status(400, LONG)
    with pytest.raises(ModelServerError, match="longer than the context"):
        model.choose_each([TURNS], ("Yes", "No"))


def test_an_error_in_the_middle_of_an_answer_is_told(
    server: Server, model: ServerChatModel
) -> None:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        event(handler, delta("Satur"))
        event(handler, LONG)

    server.behave = behave
    with pytest.raises(ModelServerError, match="longer than the context"):
        answer(model)


def test_a_server_that_never_ends_is_left(server: Server, model: ServerChatModel) -> None:
    def forever(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        while True:
            event(handler, delta("la "))

    server.behave = forever
    assert answer(model) == "la " * 14  # twice the seven that were asked for
    assert server.hung_up.wait(60)


def test_a_line_without_an_end_is_given_up(
    server: Server, model: ServerChatModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.models.request.LONGEST_ANSWER", 100_000)

    def forever(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        while True:
            handler.wfile.write(b"data: " + b"x" * 10_000)

    server.behave = forever
    with pytest.raises(ModelServerError, match="far more than an answer"):
        answer(model)
    assert server.hung_up.wait(60)


# --- models that think ------------------------------------------------------------------------------


def thinks(*thoughts: str, field: str = "reasoning") -> str:
    return json.dumps({"choices": [{"delta": {"content": "", field: "".join(thoughts)}}]})


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_a_model_that_thinks_is_asked_not_to(
    server: Server, model: ServerChatModel, field: str
) -> None:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        if "reasoning_effort" in server.bodies[-1]:
            says("Saturday.")(handler)
            return
        begin(handler)
        event(handler, thinks("Hm, when?", field=field))
        event(handler, delta("Friday.", "stop"))

    server.behave = behave
    assert answer(model) == "Saturday."
    assert server.bodies[1]["reasoning_effort"] == "none"
    assert server.bodies[1]["chat_template_kwargs"] == {"enable_thinking": False}
    assert answer(model) == "Saturday."
    assert len(server.bodies) == 3  # the third time it is asked so at once


def test_thoughts_in_the_text_are_not_shown(server: Server, model: ServerChatModel) -> None:
    server.behave = says("<thi", "nk>Let me", " see.</thi", "nk>\n\n", "On Saturday", ".")
    assert answer(model) == "On Saturday."


@pytest.mark.parametrize("text", ["<b>At 4</b>", "<th", " < 4 "])
def test_what_only_looks_like_a_thought_is_the_answer(
    server: Server, model: ServerChatModel, text: str
) -> None:
    server.behave = says(*text)
    assert answer(model).strip() == text.strip()


def test_a_model_that_does_nothing_but_think_is_told(
    server: Server, model: ServerChatModel
) -> None:
    server.behave = says("<think>", "And ", "yet.")
    with pytest.raises(ModelServerError, match="choose one that does not think"):
        answer(model)


def test_what_a_thinking_model_would_choose_is_asked_again_without_thoughts(
    server: Server, model: ServerChatModel
) -> None:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        word = "Yes" if "reasoning_effort" in server.bodies[-1] else "<think>"
        tops = [{"token": word, "logprob": -0.1}]
        replies({"choices": [{"logprobs": {"content": [{"top_logprobs": tops}]}}]})(handler)

    server.behave = behave
    choice = model.choose_each([TURNS], ("Yes", "No"))[0]
    assert choice is not None
    assert choice == (1.0, 0.0)
