"""The page in a real browser: asked, streamed, stopped, narrowed, deleted, and nobody else called."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from browsing import complaints, requested
from canned import HOSTILE
from needed import needed
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from served import (
    WALTER,
    Served,
    ask,
    assert_quiet,
    no_dialog,
    press,
    press_key,
    tab,
    text,
    until,
    visit,
)

pytestmark = pytest.mark.browser
WHATSAPP = "03.04.26, 18:05 - Nina Vale: The boat is called Petrol Blue.\n03.04.26, 18:06 - Tom Hill: Lovely name.\n"
DROP = """const file = new File([arguments[0]], arguments[1], {type: "text/plain"});
const data = new DataTransfer(); data.items.add(file);
const place = document.querySelector("#drop button");
for (const kind of ["dragenter", "dragover", "drop"]) {
  place.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
}"""

LATE = """const real = window.fetch;
window.fetch = async (address, options) => {
  const look = String(address).endsWith("/run/predict") && options.body.includes('"data":[]');
  const held = look && !window.held;
  window.held = window.held || look;
  const answer = await real(address, options);
  if (held) await new Promise(go => setTimeout(() => { window.late = true; go(); }, 2500));
  return answer;
}"""


LAST_SLIDER = "return [...document.querySelectorAll('#settings input[type=range]')].at(-1).value"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("page"))
    yield begun
    gradio.close_all()


@pytest.fixture
def page(browser: Chrome, served: Served, request: pytest.FixtureRequest) -> Iterator[Chrome]:
    """The page with a new conversation; it stays open for the next test unless one has failed."""
    if browser.current_url.startswith(served.address):
        requested(browser), complaints(browser)
    else:
        visit(browser, served.address)
    press(browser, '[data-do="new"]')
    until(browser, lambda: browser.switch_to.active_element.tag_name == "textarea")
    until(browser, lambda: "Ask your messages" in text(browser, "#log"))
    failed = request.session.testsfailed
    yield browser
    if request.session.testsfailed > failed:
        browser.get("about:blank")


@pytest.fixture
def left_page(page: Chrome) -> Iterator[Chrome]:
    """The page for a test that changes the page itself: the next test opens it anew."""
    yield page
    page.get("about:blank")


def focused(page: Chrome, attribute: str) -> str:
    return str(page.execute_script(f"return document.activeElement.dataset.{attribute} || ''"))


def test_a_question_is_answered_with_its_message_in_its_conversation(
    page: Chrome, served: Served
) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "answered · confidence" in text(page, "#log"))
    assert WALTER in text(page, "#log")
    press(page, "#log .mc-cite")
    until(page, lambda: focused(page, "messageId") != "")
    assert "Walter Quint" in text(page, "#sources .mc-source.mc-lit")
    press(page, "#sources .mc-source .mc-link")
    until(page, lambda: "Walter Quint" in text(page, "#sources .mc-here"))
    assert "90 euros" in text(page, "#sources .mc-talk")
    until(page, lambda: focused(page, "said") != "")
    press(page, '[data-do="back"]')
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#sources .mc-sources"))
    tab(page, "How")
    until(page, lambda: "Signals" in text(page, "#how"))
    assert_quiet(page, served.address)


def test_the_graph_leads_from_the_question_to_the_cited_message(page: Chrome) -> None:
    ask(page, "What does Tom Hill bring, the drums?")
    until(page, lambda: "answered · confidence" in text(page, "#log"))
    tab(page, "Why")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#why iframe"))
    frame = page.find_element(By.CSS_SELECTOR, "#why iframe")
    assert frame.get_attribute("sandbox") == "allow-scripts"
    page.switch_to.frame(frame)
    until(page, lambda: page.execute_script("return document.documentElement.dataset.drawn"))
    tied = page.execute_script("""const kind = {}; nodes.forEach(n => { kind[n.id] = n; });
        const next = id => edges.get().filter(e => e.from === id).map(e => e.to);
        const seen = new Set(); const queue = nodes.get().filter(n => n.kind === "person").map(n => n.id);
        while (queue.length) { const id = queue.pop(); if (!seen.has(id)) { seen.add(id); queue.push(...next(id)); } }
        return [...seen].some(id => kind[id].kind === "message")""")
    assert tied
    page.find_element(By.CSS_SELECTOR, "summary").click()
    page.find_element(By.CSS_SELECTOR, "#words [data-message-id]").click()
    page.switch_to.default_content()
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#sources .mc-here"))


def test_what_the_messages_do_not_say_is_flagged_with_the_closest(page: Chrome) -> None:
    ask(page, "What is unknown about the van?")
    until(page, lambda: "No answer found" in text(page, "#log .mc-flag"))
    assert "Closest:" in text(page, "#log")
    tab(page, "Sources")
    until(page, lambda: "Closest messages" in text(page, "#sources"))


def test_a_question_of_spaces_leaves_the_page_as_it_is(page: Chrome) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "answered · confidence" in text(page, "#log"))
    ask(page, "   ")
    ask(page, "Who is the piano tuner? Walter?")  # answered after the spaces
    until(page, lambda: text(page, "#log").count("answered · confidence") > 1)
    assert "PEOPLE" in text(page, "#lists")
    until(page, lambda: text(page, "#send") == "Ask")


def test_text_streams_and_escape_ends_the_work(page: Chrome, served: Served) -> None:
    served.model.heard_stop = False
    ask(page, "a slow piano one")
    until(page, lambda: "piece3" in text(page, "#log"))
    press_key(page, Keys.ESCAPE)
    until(page, lambda: served.model.heard_stop)
    until(page, lambda: "stopped" in text(page, "#log .mc-flag"))
    until(page, lambda: page.find_element(By.ID, "send").is_displayed())
    served.model.heard_stop = False
    press(page, '[data-ask="retry"]')
    until(page, lambda: "piece3" in text(page, "#log"))
    assert text(page, "#log").count("a slow piano one") == 1
    press(page, "#stop")
    until(page, lambda: served.model.heard_stop)


def test_the_page_stays_usable_while_an_answer_is_written(page: Chrome, served: Served) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    ask(page, "a slow piano one")
    until(page, lambda: "piece3" in text(page, "#log"))
    press(page, "#log .mc-cite")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#sources .mc-source"))
    assert served.model.working
    press(page, "#stop")
    until(page, lambda: not served.model.working)


def test_a_reload_in_the_middle_ends_the_work_and_keeps_the_conversation(
    page: Chrome, served: Served
) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    ask(page, "a slow piano one")
    until(page, lambda: "piece3" in text(page, "#log"))
    assert served.model.working
    page.refresh()
    until(page, lambda: not served.model.working)
    until(page, lambda: WALTER in text(page, "#log"))
    assert "a slow piano one" in text(page, "#log")


def test_two_tabs_keep_their_conversations_filters_and_waiting_questions_through_a_reload(
    page: Chrome, served: Served
) -> None:
    one = page.current_window_handle
    try:
        page.switch_to.new_window("tab")
        visit(page, served.address)
        press(page, '[data-do="new"]')
        ask(page, "Who has the van key drums?")
        until(page, lambda: "confidence" in text(page, "#log"))
        two = page.current_window_handle
        page.switch_to.window(one)
        (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
        press(page, f'[data-do="person"][data-value="{tom}"]')
        until(page, lambda: "Tom Hill ✕" in text(page, "#chips"))
        ask(page, "a slow piano one")
        until(page, lambda: "piece3" in text(page, "#log"))
        ask(page, "Who is the piano tuner?")
        until(page, lambda: "piano tuner" in text(page, "#chips"))
        page.refresh()
        until(page, lambda: WALTER in text(page, "#log"))  # the question that waited is answered
        assert "a slow piano one" in text(page, "#log")
        assert "van key" not in text(page, "#log")
        assert "Tom Hill ✕" in text(page, "#chips")
        page.switch_to.window(two)
        page.refresh()
        until(page, lambda: "van key" in text(page, "#log"))
        assert "slow piano" not in text(page, "#log")
        assert "✕" not in text(page, "#chips")
        page.close()
    finally:
        page.switch_to.window(one)
    press(page, '#chips [data-do="clear"]')


def test_what_is_typed_while_a_new_conversation_begins_is_not_lost(page: Chrome) -> None:
    box = page.find_element(By.CSS_SELECTOR, "#question textarea")
    box.send_keys("a draft")
    press(page, '[data-do="new"]')
    assert not box.get_property("value")  # at once: the server may be busy
    box.send_keys("Who is")
    page.execute_script("window.miniragChat({do: 'focus'})")  # the server's word comes late
    assert box.get_property("value") == "Who is"
    box.send_keys(" the piano tuner?", Keys.ENTER)
    until(page, lambda: WALTER in text(page, "#log"))


def test_dates_are_read_in_the_order_that_is_chosen_before_the_file_is_dropped(
    left_page: Chrome, served: Served
) -> None:
    page = left_page
    press(page, "#import-options button")
    press(page, "#import-options input[aria-label^=Dates]")

    def month_first() -> bool:
        options = page.find_elements(By.XPATH, '//*[@role="option"][contains(., "month first")]')
        for option in options:
            option.click()
        return bool(options)

    until(page, month_first)
    page.execute_script(DROP, WHATSAPP, "WhatsApp Chat with Nina.txt")
    until(page, lambda: "2 new messages" in text(page, "#job"))
    (chat,) = [chat for chat in served.memory.chats() if chat.title == "Nina"]
    assert chat.first is not None
    assert f"{chat.first:%Y-%m-%d}" == "2026-03-04"
    served.memory.delete_chat(chat.id)
    served.memory.empty_trash()


def test_an_earlier_conversation_is_opened_again_from_its_menu_and_can_be_forgotten(
    page: Chrome,
) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    press(page, '[data-do="new"]')
    until(page, lambda: "Ask your messages" in text(page, "#log"))
    press(page, ".mc-past summary")
    assert "Who is the piano tuner?" in text(page, ".mc-past")
    press(page, '.mc-past [data-do="resume"]')
    until(page, lambda: WALTER in text(page, "#log"))
    ask(page, "Who has the van key?")  # it goes on
    until(page, lambda: text(page, "#log").count("confidence") == 2)
    press(page, '[data-do="new"]')
    until(page, lambda: "Ask your messages" in text(page, "#log"))
    for _ in page.find_elements(By.CSS_SELECTOR, ".mc-past li"):
        left = len(page.find_elements(By.CSS_SELECTOR, ".mc-past li"))
        press(page, ".mc-past summary")
        press(page, '.mc-past [data-do="forget"]')
        until(page, lambda n=left: len(page.find_elements(By.CSS_SELECTOR, ".mc-past li")) == n - 1)
    assert not page.find_elements(By.CSS_SELECTOR, ".mc-past")


def test_up_edits_the_last_question_and_a_follow_up_can_be_pressed(page: Chrome) -> None:
    ask(page, "Who is the piano tunr?")
    until(page, lambda: "confidence" in text(page, "#log"))
    box = page.find_element(By.CSS_SELECTOR, "#question textarea")
    box.send_keys(Keys.ARROW_UP)
    until(page, lambda: box.get_property("value") == "Who is the piano tunr?")
    assert "Editing your last question" in text(page, "#asking")
    box.send_keys(Keys.ESCAPE)
    until(page, lambda: not box.get_property("value"))
    assert "Editing" not in text(page, "#asking")
    box.send_keys(Keys.ARROW_UP)
    until(page, lambda: box.get_property("value") == "Who is the piano tunr?")
    box.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "er?", Keys.ENTER)
    until(page, lambda: "Who is the piano tuner?" in text(page, "#log .mc-asked"))
    assert "tunr" not in text(page, "#log")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#log .mc-suggest"))
    asked = text(page, "#log .mc-suggest").splitlines()[0]
    press(page, "#log .mc-suggest:first-child")
    until(page, lambda: asked in text(page, "#log .mc-asked"))
    until(page, lambda: text(page, "#log").count("confidence") == 2)


def test_an_edit_ends_when_another_question_is_asked(page: Chrome) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#log .mc-suggest"))
    press(page, '#log [data-client="edit"]')
    box = page.find_element(By.CSS_SELECTOR, "#question textarea")
    until(page, lambda: box.get_property("value") == "Who is the piano tuner?")
    press(page, "#log .mc-suggest:first-child")
    until(page, lambda: text(page, "#log").count("confidence") == 2)
    ask(page, "Who has the van key?")
    until(page, lambda: text(page, "#log").count("confidence") == 3)


def test_filters_stand_over_the_question_and_narrow_it(page: Chrome, served: Served) -> None:
    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    press(page, f'[data-do="person"][data-value="{tom}"]')
    until(page, lambda: "Tom Hill ✕" in text(page, "#chips"))
    page.execute_script(
        "const f = document.querySelector('[data-change=since]'); f.value = '2026-01-06';"
        "f.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    until(page, lambda: "from 2026-01-06 ✕" in text(page, "#chips"))
    ask(page, "Who has the van key drums?")
    until(page, lambda: "confidence" in text(page, "#log"))
    tab(page, "Sources")
    until(page, lambda: "Tom Hill" in text(page, "#sources"))
    assert "Anna Berg ·" not in text(page, "#sources")
    press(page, '#chips [data-do="clear"]')
    until(page, lambda: "✕" not in text(page, "#chips"))


def test_a_file_dropped_is_imported_then_deleted_undone_and_wiped(
    page: Chrome, served: Served
) -> None:
    page.execute_script(DROP, WHATSAPP, "WhatsApp Chat with Nina <b>Vale</b>.txt")
    until(page, lambda: "2 new messages" in text(page, "#job"))
    uploads = Path(os.environ["GRADIO_TEMP_DIR"])
    until(page, lambda: not [f for f in uploads.rglob("*") if f.is_file() and f.stat().st_size])
    press(page, '[data-do="closejob"]')
    until(page, lambda: "Nina Vale" in text(page, "#lists"))
    (chat,) = [c for c in served.memory.chats() if "Nina" in " ".join(c.participants)]
    page.execute_script(
        f"document.querySelector('[data-do=delete][data-value=\"{chat.id}\"]').click()"
    )
    until(page, lambda: "Deleted:" in text(page, "#lists"))
    assert not served.memory.search("Petrol")
    until(page, lambda: page.switch_to.active_element.text == "Undo")
    press_key(page, Keys.ENTER)
    until(page, lambda: "Deleted:" not in text(page, "#lists"))
    assert served.memory.search("Petrol")
    page.execute_script(
        f"document.querySelector('[data-do=delete][data-value=\"{chat.id}\"]').click()"
    )
    press(page, '[data-do="askwipe"]')
    until(page, lambda: "for good?" in text(page, "#chips"))
    press(page, '#chips [data-do="wipe"]')
    until(page, lambda: "Nina" not in text(page, "#lists"))
    until(page, lambda: b"Petrol Blue" not in (served.folder / "chats.db").read_bytes())
    assert_quiet(page, served.address)


def test_an_import_is_shown_where_an_older_look_at_the_page_comes_late(left_page: Chrome) -> None:
    page = left_page
    page.execute_script(LATE)
    until(page, lambda: page.execute_script("return window.held"))
    page.execute_script(DROP, WHATSAPP, "WhatsApp Chat with Nina.txt")
    until(page, lambda: "new message" in text(page, "#job"))
    until(page, lambda: page.execute_script("return window.late"))
    time.sleep(0.5)
    until(page, lambda: "new message" in text(page, "#job"))
    press(page, "#job summary")
    time.sleep(4)
    assert "Formats" in text(page, "#job"), "the report stays unfolded"
    press(page, '[data-do="closejob"]')


def test_a_hostile_corpus_is_shown_as_text(page: Chrome, served: Served) -> None:
    ask(page, f"hostile pixel onerror {HOSTILE[1]} {HOSTILE[8]}")
    until(page, lambda: "confidence" in text(page, "#log"))
    assert HOSTILE[1] in text(page, "#log")
    for found in served.memory.search("onerror alert script pixel evil", 8):
        message = found.message
        page.execute_script(
            "const b = document.createElement('button'); b.dataset.do = 'open';"
            f"b.dataset.value = '{message.id}:20'; document.querySelector('#log .mc-log').append(b); b.click();"
        )
        until(
            page,
            lambda m=message: page.find_elements(By.CSS_SELECTOR, f'.mc-here[data-said="{m.id}"]'),
        )
    talk = text(page, "#sources .mc-talk")
    for said in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[8], HOSTILE[9]):
        assert said in talk
    assert "more characters" in talk
    made = "return document.querySelectorAll('#log :is(img, a, script), #right :is(img, a, script)').length"
    assert page.execute_script(made) == 0
    direction = "return getComputedStyle([...document.querySelectorAll('.mc-talk p')].find(p => p.innerText.includes('مرحبا'))).direction"
    assert page.execute_script(direction) == "rtl"
    tab(page, "Why")
    time.sleep(0.5)
    assert no_dialog(page)
    assert_quiet(page, served.address)


def test_answers_can_be_saved_as_files(page: Chrome, tmp_path: Path) -> None:
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    tab(page, "Why")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#why iframe"))
    time.sleep(1)
    for kind, name in (("md", "answer.md"), ("json", "answer.json"), ("png", "why.png")):
        press(page, f'[data-do="saveone"][data-value="{kind}"]')
        until(page, lambda name=name: (tmp_path / name).is_file())
    for kind in ("md", "json"):
        press(page, ".mc-menu summary")
        press(page, f'.mc-menu [data-do="save"][data-value="{kind}"]')
        until(page, lambda kind=kind: (tmp_path / f"conversation.{kind}").is_file())
    (kept,) = json.loads((tmp_path / "conversation.json").read_text(encoding="utf-8"))
    assert kept["question"] == "Who is the piano tuner?"
    assert kept["sources"][0]["quote"]
    assert "Walter Quint" in (tmp_path / "answer.md").read_text(encoding="utf-8")
    assert '"question": "Who is the piano tuner?"' in (tmp_path / "answer.json").read_text("utf-8")
    until(page, lambda: (tmp_path / "why.png").stat().st_size > 3000)
    assert (tmp_path / "why.png").read_bytes().startswith(b"\x89PNG")


def test_settings_change_how_this_tab_is_answered(left_page: Chrome) -> None:
    page = left_page
    ask(page, "Who is perhaps the piano tuner?")
    until(page, lambda: "answered" in text(page, "#log .mc-flag"))
    press(page, '[data-client="settings"]')
    until(page, lambda: "This machine:" in text(page, "#models"))
    number = page.find_elements(By.CSS_SELECTOR, "#settings input[type=number]")[-1]
    number.send_keys(Keys.CONTROL, "a")
    number.send_keys("0.95", Keys.TAB)
    until(page, lambda: page.execute_script(LAST_SLIDER) == "0.95")
    press_key(page, Keys.ESCAPE)
    press(page, '[data-ask="retry"]')
    until(page, lambda: "Not sure enough" in text(page, "#log .mc-flag"))


def test_light_and_dark_and_a_phone(left_page: Chrome) -> None:
    page = left_page
    press(page, '[data-client="theme"]')
    paper = "return getComputedStyle(document.querySelector('#middle')).backgroundColor"
    until(page, lambda: page.execute_script(paper) == "rgb(20, 23, 29)")
    press(page, '[data-client="theme"]')
    until(page, lambda: page.execute_script(paper) == "rgb(255, 255, 255)")
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        ask(page, "Who is the piano tuner?")
        until(page, lambda: "confidence" in text(page, "#log"))
        assert page.execute_script("return document.documentElement.scrollWidth") <= 390
        press(page, "#log .mc-cite")
        until(page, lambda: page.find_element(By.ID, "right").is_displayed())
        until(page, lambda: "Walter Quint" in text(page, "#sources"))
        press(page, '[data-client="right"]')
        press(page, '[data-client="left"]')
        until(page, lambda: page.find_element(By.ID, "lists").is_displayed())
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


ON_TOP = """const place = document.activeElement.getBoundingClientRect();
const seen = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
return document.activeElement.contains(seen) ? document.activeElement.dataset.do || "" : "";"""


@pytest.mark.parametrize("width", [360, 1000])
def test_a_deletion_is_confirmed_and_undone_in_a_narrow_window(
    page: Chrome, served: Served, width: int
) -> None:
    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    window = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    try:
        press(page, '[data-client="left"]')
        opened = "return getComputedStyle(document.querySelector('#left')).transform"
        until(page, lambda: page.execute_script(opened) in ("none", "matrix(1, 0, 0, 1, 0, 0)"))
        press(page, f'[data-do="delperson"][data-value="{tom}"]')
        until(page, lambda: page.execute_script(ON_TOP) == "delno")
        press(page, '[data-do="delyes"]')
        until(page, lambda: page.execute_script(ON_TOP) == "undo")
        assert not [p for p in served.memory.people() if p.shown_name == "Tom Hill"]
        press_key(page, Keys.ENTER)
        until(page, lambda: [p for p in served.memory.people() if p.shown_name == "Tom Hill"])
        until(page, lambda: page.switch_to.active_element.tag_name == "textarea")
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


GAPS = """const place = query => document.querySelector(`#chips ${query}`).getBoundingClientRect();
const words = document.createRange();
words.selectNodeContents(document.querySelector('.mc-rename').firstChild);
return [place('.mc-who').top - place('.mc-note').bottom,
  place('[data-do=closeperson]').top - place('[data-change=rename]').bottom,
  place('[data-change=rename]').top - words.getBoundingClientRect().bottom];"""


def test_the_box_of_a_person_has_room(left_page: Chrome, served: Served) -> None:
    page = left_page
    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    until(page, lambda: "Which of these is you?" in text(page, "#chips"))
    press(page, f'[data-do="someone"][data-value="{tom}"]')
    until(page, lambda: "Replace the name everywhere" in text(page, "#chips"))
    assert min(page.execute_script(GAPS)) >= 3, "below the other box, the field, the words"
    press_key(page, Keys.ESCAPE)
    until(page, lambda: "Replace the name" not in text(page, "#chips"))


BESIDE = """const link = document.querySelector('.mc-open-head .mc-link').getBoundingClientRect();
const scrolled = document.querySelector('.mc-open').closest('.tabitem');
return scrolled.getBoundingClientRect().left + scrolled.clientLeft + scrolled.clientWidth - link.right;"""


def test_more_of_a_chat_can_be_shown_beside_the_scroll_bar(page: Chrome) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: "confidence" in text(page, "#log"))
    press(page, "#log .mc-cite")
    press(page, "#sources .mc-source .mc-link")
    until(page, lambda: "Show more of this chat" in text(page, ".mc-open-head"))
    assert page.execute_script(BESIDE) >= 10


REACHED = """const all = [...document.querySelectorAll('.mc-say, #asking :is(button, input, textarea)')];
return all.filter(part => part.offsetParent).every(part => {
  const place = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2));
});"""
RATIO = """const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255).map(
  v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
const field = document.querySelector('[data-change=rename]'), words = getComputedStyle(field, '::placeholder');
const [a, b] = [light(words.color), light(getComputedStyle(field).backgroundColor)].sort((x, y) => y - x);
return words.fontStyle === 'italic' && words.opacity === '1' ? (a + .05) / (b + .05) : 0;"""


@pytest.mark.parametrize("width", [390, 1000, 1360])
def test_what_is_said_leaves_the_question_that_it_is_about_free(
    left_page: Chrome, served: Served, width: int
) -> None:
    page = left_page
    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    window = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    try:
        if width < 1120:
            press(page, '[data-client="left"]')
        press(page, f'[data-do="someone"][data-value="{tom}"]')
        until(page, lambda: page.execute_script(ON_TOP) == "closeperson")
        assert page.execute_script(RATIO) >= 4.5, "a placeholder is read, and looks like one"
        field = page.find_element(By.CSS_SELECTOR, "[data-change=rename]")
        field.send_keys("AnnaBerg", Keys.ENTER)
        until(page, lambda: "AnnaBerg" in text(page, ".mc-say"), 20)
        until(page, lambda: page.execute_script(REACHED), 3)
        press(page, '[data-do="closeperson"]')
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_back_closes_what_lies_over_the_page_and_then_leaves_it(left_page: Chrome) -> None:
    page = left_page
    here = page.current_url
    window = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)

    def drawn() -> bool:
        return "mc-" in str(page.find_element(By.TAG_NAME, "body").get_attribute("class"))

    try:
        for part in ("right", "left", "settings"):
            press(page, f'[data-client="{part}"]')
            until(page, drawn)
            page.back()
            until(page, lambda: not drawn())
            assert page.current_url == here
        press(page, '[data-client="settings"]')
        until(page, drawn)
        press_key(page, Keys.ESCAPE)
        until(page, lambda: not drawn())
        page.back()
        until(page, lambda: page.current_url != here)
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_an_answer_goes_from_the_page_once_another_program_deleted_its_messages(
    page: Chrome, served: Served
) -> None:
    ask(page, "Who is the piano tuner?")
    until(page, lambda: WALTER in text(page, "#log"))
    served.memory.delete(everything=True, now=True)
    until(page, lambda: "piano" not in text(page, "#log"))
    until(page, lambda: "Walter" not in text(page, "body"))  # the lists beside it come after it
    served.memory.add(served.folder / "log")


def test_the_server_answers_to_its_own_name_and_hands_out_no_file(served: Served) -> None:
    with urlopen(served.address, timeout=60) as answer:  # noqa: S310 - our own server
        policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy, "no other site shows it in a frame"
    rebound = Request(served.address, headers={"Host": "evil.example"})  # noqa: S310 - our own page
    with pytest.raises(HTTPError, match="400"):
        urlopen(rebound, timeout=60)  # noqa: S310 - our own page
    for route in ("gradio_api/file=", "file=", "gradio_api/file/"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{served.address}{route}{served.folder / 'chats.db'}", timeout=60)  # noqa: S310 - our own page


def test_what_can_be_asked_is_shown_with_a_key_and_everything_is_deleted_far_from_the_days(
    left_page: Chrome,
) -> None:
    page = left_page
    window = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    try:
        help_button = page.find_element(By.CSS_SELECTOR, '.mc-help [data-ask="ask"]')
        help_button.send_keys(Keys.ENTER)
        until(page, lambda: "Silence: what no message says" in text(page, "#log"))
        assert len(page.find_elements(By.CSS_SELECTOR, "#log .mc-text li")) <= 8
        press(page, '.mc-narrow[data-client="left"]')
        opened = "return document.querySelector('#left').getBoundingClientRect().left"
        until(page, lambda: page.execute_script(opened) >= 0)
        room = page.execute_script(
            "const box = selector => document.querySelector(selector).getBoundingClientRect();"
            "return [box('[data-do=delall]').top - box('.mc-days').bottom, box('#left').right, "
            "box('.mc-days').right];"
        )
        assert room[0] >= 24, "a thumb that means the day does not meet Delete everything"
        assert room[2] <= room[1] <= 390
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
