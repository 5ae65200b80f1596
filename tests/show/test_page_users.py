"""A page with users: who is not signed in gets nothing, and who is gets what is theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from uuid import uuid4

import httpx
import pytest
from browsing import free_port, launch
from fakes import ScriptedModel, WordEmbedder
from needed import needed
from places import write_log
from postgres_server import PostgresServer
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from served import ask, tab, text, until

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadSetting
from minirag_chat.show.page_users import PageUsers, has_users
from minirag_chat.store import Store
from minirag_chat.store.postgres.users import NOBODY, Users

needed("gradio")
PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
QUESTION = "Where is the spare key?"
OF_ANN = {"20260110_1000": ("AnnaBerg: The spare key is under the zorbaline pot.", "TomHill: Which pot?",
                            "AnnaBerg: The blue one.")}  # fmt: skip
OF_BEN = {"20260110_1000": ("BenKarg: The spare key is behind the quibbleton bin.", "TomHill: Which bin?",
                            "BenKarg: The green one.")}  # fmt: skip


@pytest.fixture(scope="module")
def address(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of two users."""
    place, folder = postgres.address(), tmp_path_factory.mktemp("logs")
    with Users.open(place) as users:
        users.add("ann", PASSWORD)
        users.add("ben", PASSWORD)
    for user, log in (("ann", OF_ANN), ("ben", OF_BEN)):
        settings = Settings.make(db=place, user=user, model="extractive", model_dir=folder)
        with ChatMemory.open(None, settings, embedder=WordEmbedder()) as memory:
            memory.add(write_log(folder / user, log))
    return place


def served(address: str, folder: Path, **more: object) -> str:
    """A page over it; returns where it is."""
    settings = Settings.make(
        db=address, model="extractive", model_dir=folder, abstain_below=0, **more
    )
    assert has_users(settings)
    memory = ChatMemory.open(
        ":memory:", settings, embedder=WordEmbedder(), chat_model=ScriptedModel("There [1]")
    )
    return launch(memory, users=PageUsers(memory), port=free_port(), block=False).rstrip("/")


@pytest.fixture(scope="module")
def page(address: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return served(address, tmp_path_factory.mktemp("models"))


@pytest.fixture
def client(page: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=page, timeout=60) as opened:
        yield opened


@contextmanager
def signed_in(page: str, name: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=page, timeout=60) as client:
        done = client.post("/login", data={"username": name, "password": PASSWORD})
        assert done.json() == {"success": True}
        yield client


def asked(client: httpx.Client, **headers: str) -> str:
    """What the page's interface answers."""
    begun = client.post(
        "/gradio_api/call/ask", json={"data": [QUESTION, None, None, None]}, headers=headers
    )
    begun.raise_for_status()
    number = begun.json()["event_id"]
    return client.get(f"/gradio_api/call/ask/{number}", headers=headers).text


@pytest.mark.slow
def test_who_is_not_signed_in_gets_the_sign_in_and_nothing_else(client: httpx.Client) -> None:
    first = client.get("/").text
    assert '"auth_required":true' in first.replace(" ", "")
    assert "zorbaline" not in first
    for path in ("/config", "/gradio_api/info", "/gradio_api/queue/data?session_hash=x", "/message-media/1/0",
                 "/gradio_api/heartbeat/x", "/gradio_api/token", "/gradio_api/file=/etc/hostname"):  # fmt: skip
        assert client.get(path).status_code in {401, 404}, path
    for path in ("/gradio_api/call/ask", "/gradio_api/queue/join", "/gradio_api/upload", "/gradio_api/reset",
                 "/gradio_api/run/ask"):  # fmt: skip
        assert client.post(path, json={}).status_code == 401, path


@pytest.mark.slow
def test_a_wrong_password_is_refused_and_written_down(client: httpx.Client, address: str) -> None:
    for name in ("ann", "eve"):
        refused = client.post("/login", data={"username": name, "password": "wrong one"})
        assert refused.status_code == 400
    with Users.open(address) as users:
        events = [(e.user, e.event) for e in users.events(2)]
    assert events == [(NOBODY, "sign-in refused"), ("ann", "sign-in refused")]


@pytest.mark.slow
def test_whether_it_is_well_is_asked_of_the_database_of_all_users(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    pytest.importorskip("prometheus_client", reason="the extra server is missing")
    place = postgres.address()
    with Users.open(place) as users:
        users.add("ann", PASSWORD)
    settings = Settings.make(db=place, user="ann", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(None, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", OF_ANN))
        page = served(place, tmp_path, metrics=True)
        assert httpx.get(f"{page}/health").json() == {"status": "ok"}
        assert "minirag_chat_index_left 0.0" in httpx.get(f"{page}/metrics").text
        with Store.open(place, user="ann") as store, store.transaction():
            store.index.drop_vectors()
        assert "minirag_chat_index_left 1.0" in httpx.get(f"{page}/metrics").text
    postgres.drop(place)
    assert httpx.get(f"{page}/health").status_code == 503


@pytest.mark.slow
def test_each_is_answered_from_their_own_chats(page: str, address: str) -> None:
    with signed_in(page, "Ann") as ann, signed_in(page, "ben") as ben:
        for _ in range(2):
            of_ann, of_ben = asked(ann), asked(ben)
            assert "zorbaline" in of_ann
            assert "quibbleton" not in of_ann
            assert "quibbleton" in of_ben
            assert "zorbaline" not in of_ben
    with Users.open(address) as users:
        assert ("ann", "signed in") in {(e.user, e.event) for e in users.events(20)}


@pytest.mark.slow
def test_nobody_listens_to_the_tab_of_another(page: str) -> None:
    session = uuid4().hex
    with signed_in(page, "ann") as ann, signed_in(page, "ben") as ben:
        question = {
            "data": [QUESTION, None, None, None],
            "fn_index": last_function(ann),
            "session_hash": session,
        }
        ann.post("/gradio_api/queue/join", json=question).raise_for_status()
        with ann.stream("GET", f"/gradio_api/queue/data?session_hash={session}") as mine:
            assert mine.status_code == 200
            stolen = ben.get(f"/gradio_api/queue/data?session_hash={session}")
            assert stolen.status_code == 403
            assert "zorbaline" in first_result(mine)


def last_function(client: httpx.Client) -> int:
    """The number of the endpoint ``ask``."""
    functions = client.get("/config").json()["dependencies"]
    return next(f["id"] for f in functions if f["api_name"] == "ask")


def first_result(stream: httpx.Response) -> str:
    for line in stream.iter_lines():
        if line.startswith("data:"):
            told = json.loads(line.removeprefix("data:"))
            if told["msg"] == "process_completed":
                return json.dumps(told)
    return ""


def test_a_memory_that_opens_slowly_is_opened_once_and_keeps_no_other_user_waiting(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    users, begun, goes_on = PageUsers(small), Event(), Event()

    def opened(_: str, *, user: str) -> Store:
        if user == "slow":
            begun.set()
            assert goes_on.wait(60)
        return small._store

    monkeypatch.setattr(Store, "open", opened)
    with ThreadPoolExecutor(3) as threads:
        try:
            slow = threads.submit(users.sessions, "slow")
            assert begun.wait(60)
            again = threads.submit(users.sessions, "Slow")
            assert threads.submit(users.sessions, "quick").result(30).user == "quick"
        finally:
            goes_on.set()
        assert slow.result(60) is again.result(60)


@pytest.mark.slow
def test_a_proxy_says_who_asks_where_it_is_believed(address: str, tmp_path: Path) -> None:
    page = served(address, tmp_path, proxy_header="Remote-User", proxy_addresses="127.0.0.1")
    with httpx.Client(base_url=page, timeout=60) as client:
        assert client.get("/").status_code == 401
        assert client.get("/", headers={"Remote-User": "eve"}).status_code == 401
        ann = {"Remote-User": "ann", "X-Forwarded-For": "203.0.113.9"}
        assert client.get("/", headers=ann).status_code == 200
        assert "zorbaline" in asked(client, **ann)
        assert "quibbleton" in asked(client, **{"Remote-User": "Ben"})
        both = client.get("/config", headers=[("Remote-User", "ann"), ("Remote-User", "ben")])
        assert both.status_code == 401


@pytest.mark.slow
def test_a_header_from_elsewhere_is_not_believed(address: str, tmp_path: Path) -> None:
    page = served(address, tmp_path, proxy_header="Remote-User", proxy_addresses="192.0.2.1")
    with httpx.Client(base_url=page, timeout=60) as client:
        spoofed = {"Remote-User": "ann", "X-Forwarded-For": "192.0.2.1"}
        assert client.get("/", headers=spoofed).status_code == 401
        assert client.get("/config", headers=spoofed).status_code == 401


def test_what_a_page_with_users_does_not_do_is_said(address: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="proxy_addresses"):
        served(address, tmp_path, proxy_header="Remote-User", proxy_addresses="here")
    with pytest.raises(BadSetting, match="mcp"):
        served(address, tmp_path, mcp=True)
    assert not has_users(Settings.make(db=address, user="ann"))
    assert not has_users(Settings.make(db=tmp_path / "chats.db"))


@pytest.mark.browser
def test_two_sign_in_and_see_what_is_theirs(page: str, browser: Chrome, address: str) -> None:
    for name, own, others in (
        ("ann", "zorbaline", "quibbleton"),
        ("ben", "quibbleton", "zorbaline"),
    ):
        browser.delete_all_cookies()
        browser.get(page)
        until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "input")) >= 2)
        first, second = browser.find_elements(By.CSS_SELECTOR, "input")[:2]
        first.send_keys(name)
        second.send_keys(PASSWORD, Keys.ENTER)
        until(browser, lambda: "3 messages" in text(browser, "#loaded"), 60)
        ask(browser, QUESTION)
        tab(browser, "Sources")
        until(browser, lambda own=own: own in text(browser, "#sources, #log"), 60)
        assert others not in text(browser, "body")
        assert "Language model" not in text(browser, "#settings"), "who runs the page chooses it"
