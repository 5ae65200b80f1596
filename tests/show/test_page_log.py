"""The conversation's HTML, without Gradio or a browser."""

from __future__ import annotations

import dataclasses
import re

from canned import HOSTILE, abstention, answered, hostile_answer

from minirag_chat import ChatMemory
from minirag_chat.show import page_log
from minirag_chat.show.page_tabs import Exchange, TabFilters
from minirag_chat.show.safe_text import in_html
from minirag_chat.ui_text import SILENCES


def exchange(question: str = "When?") -> Exchange:
    answer = answered(question)
    return Exchange(question, answer.text, answer, follow_ups=("And where?",))


def test_citations_are_buttons_that_name_their_message() -> None:
    shown = page_log.log([exchange()], 0)
    assert 'data-do="cite" data-value="0:11"' in shown
    assert 'aria-label="Source 1: Wolfgang Schulz, Sat 21 Feb 2026, 14:11"' in shown
    assert "[1]</span></button>&#8288;, as Li Hua confirms" in shown


def test_that_there_are_no_messages_is_said_with_what_there_is_none_of() -> None:
    nothing = "I found nothing planned for 3 June 2026: no message seems to name a day of it."
    answer = dataclasses.replace(
        abstention("What's on on 3 June?"), reason="no_messages", text=nothing
    )
    assert nothing in page_log.log([Exchange(answer.question, "", answer)], 0)
    general = dataclasses.replace(answer, text=SILENCES["no_messages"].sentence)
    assert general.text not in page_log.log([Exchange(answer.question, "", general)], 0)


def test_the_button_that_wipes_says_of_how_many_deletions() -> None:
    assert "Delete for good" in page_log.deleted(["Cabin Crew"], 1)
    both = page_log.deleted(["Cabin Crew", "the name Bob"], 2)
    assert "Delete all 2 for good" in both


def test_lines_with_a_dash_are_a_list_also_while_they_are_written() -> None:
    text = "Two things:\n- <b>soup</b> [1]\n- bread, or\n2 rolls"
    there = '<ul><li dir="auto">• &lt;b&gt;soup&lt;/b&gt; '
    written = dataclasses.replace(exchange(), text=text)
    shown = page_log.log([written], 0)
    assert f"Two things:{there}" in shown
    assert '<li dir="auto">• bread, or</li></ul>2 rolls</div>' in shown
    live = Exchange("What?", text, live=True)
    assert there in page_log.log([live], 0)
    assert "<ul" not in page_log.log([dataclasses.replace(exchange(), text="a - b")], 0)


def test_a_number_that_cites_nothing_stays_text() -> None:
    odd = dataclasses.replace(exchange(), text="Perhaps [9].")
    assert "Perhaps [9]." in page_log.log([odd], 0)


def test_only_the_last_exchange_can_be_asked_again_and_is_followed_up() -> None:
    shown = page_log.log([exchange("One?"), exchange("Two?")], 1)
    assert shown.count('data-ask="retry"') == 1
    assert shown.count('data-client="edit" data-value="Two?"') == 1, "in the box without the server"
    assert shown.count("And where?") == 2  # one button: its value and its words
    assert shown.count('data-do="like"') == 2
    assert shown.index("mc-picked") > shown.index("Two?")


def test_of_a_long_conversation_only_what_is_to_be_shown_is_sent() -> None:
    long = [exchange(f"Question number {n}?") for n in range(45)]
    shown = page_log.log(long, 44, 25)
    assert shown.count("<section") == 20
    assert "Question number 24?" not in shown
    assert 'aria-label="Question 26"' in shown  # they keep their numbers
    assert "Show earlier questions (25)" in shown
    whole = page_log.log(long, 44)
    assert "Question number 0?" in whole
    assert "Show earlier" not in whole


def test_a_like_is_pressed() -> None:
    shown = page_log.log([dataclasses.replace(exchange(), liked=True)], 0)
    assert (
        'data-do="like" data-value="0" aria-label="Good answer" title="Good answer" aria-pressed="true"'
        in shown
    )
    assert (
        'data-do="dislike" data-value="0" aria-label="Bad answer" title="Bad answer" aria-pressed="false"'
        in shown
    )


def test_an_abstention_is_said_once_with_the_closest_message() -> None:
    answer = abstention("Where?")
    shown = page_log.log([Exchange("Where?", answer.text, answer)], 0)
    assert shown.count("No answer found") == 1
    assert "Closest: " in shown
    assert 'data-value="0:11"' in shown


def test_what_was_interrupted_says_so_and_can_be_asked_again() -> None:
    shown = page_log.log([Exchange("Where?", "Half an ans")], 0)
    assert "Half an ans" in shown
    assert "interrupted" in shown
    assert 'data-ask="retry"' in shown
    assert "Searching your messages" in page_log.log([Exchange("Where?", live=True)], 0)


def test_hostile_text_is_escaped() -> None:
    answer = hostile_answer(HOSTILE[0])
    said = Exchange(HOSTILE[1], answer.text, answer, follow_ups=HOSTILE[:3])
    shown = page_log.log([said, Exchange("?", problem=HOSTILE[0])], 0)
    shown += page_log.welcome(HOSTILE[:3]) + page_log.deleted(HOSTILE[:3])
    filters = TabFilters(people=(1,), chats=(2,), since="2026-01-01")
    shown += page_log.chips(filters, {2: HOSTILE[0]}, {1: HOSTILE[1]})
    assert "<script" not in shown
    assert "<img" not in shown
    assert in_html(HOSTILE[1]) in shown


def test_chips_say_what_is_asked_and_take_themselves_away() -> None:
    shown = page_log.chips(TabFilters((1,), (2,), "2026-01-01", ""), {2: "Club"}, {1: "Li Hua"})
    assert "Li Hua ✕" in shown
    assert "Club ✕" in shown
    assert "from 2026-01-01 ✕" in shown
    assert "to 2026" not in shown
    assert "to 2026-02-03 ✕" in page_log.chips(TabFilters(until="2026-02-03"), {}, {})
    assert page_log.chips(TabFilters(), {}, {}) == ""


def test_the_first_message_is_shown_below_an_answer_that_does_not_quote_it() -> None:
    answer = answered("When is it?")
    shown = page_log.log([Exchange("When is it?", answer=answer)], 0)
    first = answer.sources[0]
    assert f'<q dir="auto">{first.quote.strip()}</q>' in shown
    assert "Closest" not in shown
    quoting = dataclasses.replace(answer, text=f"Li Hua wrote: \u201c{first.quote}\u201d [1]")
    assert '<q dir="auto">' not in page_log.log([Exchange("When?", answer=quoting)], 0)
    counted = dataclasses.replace(answer, signals={})
    assert '<q dir="auto">' not in page_log.log([Exchange("How many?", answer=counted)], 0)


def test_what_can_be_asked_is_one_press_away_until_it_was_asked(small: ChatMemory) -> None:
    button = 'data-ask="ask" data-value="What can I ask?"'
    assert button in page_log.welcome(["Where is the van?"])
    assert button not in page_log.welcome([]), "there are no messages"
    answer = small.ask("Where did Tom park the van?")
    assert button in page_log.log([Exchange(answer.question, answer=answer)], 0)
    assert button not in page_log.log([Exchange("Where?", live=True)], 0)
    told = small.ask("What can I ask?")
    assert button not in page_log.log([Exchange(told.question, answer=told)], 0)


def test_deleting_stands_apart_from_clearing_filters() -> None:
    filters = TabFilters(people=(1,))
    shown = page_log.chips(filters, {}, {1: "Ann"}, deletable=True)
    [clear] = re.findall(r'<button[^>]*data-do="clear"', shown)
    [delete] = re.findall(r'<button[^>]*data-do="delshown"', shown)
    assert "mc-danger" in delete
    assert "mc-apart" in delete
    assert "mc-danger" not in clear
    assert "mc-apart" not in clear
