"""What the right side of the page shows, without Gradio or a browser."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

from canned import CHAT, HOSTILE, SAID, abstention, answered, hostile_answer

from minirag_chat.records import Attachment, Reaction, Source
from minirag_chat.show import page_parts as parts
from minirag_chat.show.flag import flag_of
from minirag_chat.show.page_html import who
from minirag_chat.show.safe_text import in_html


def test_the_flag_says_how_sure() -> None:
    answer = answered("?")
    assert "answered · confidence 0.82" in parts.flag(answer)
    assert "mc-sure" in parts.flag(answer)
    weak = parts.flag(dataclasses.replace(answer, confidence=0.4))
    assert "mc-weak" in weak
    assert "unsure" in weak
    assert "stopped" in parts.flag(dataclasses.replace(answer, stopped=True))


def test_the_flag_of_an_abstention_gives_the_reason_in_words() -> None:
    said = set()
    for reason in ("no_messages", "nothing_found", "not_stated", "unsupported", "unsure", None):
        flag = parts.flag(dataclasses.replace(abstention("?"), reason=reason))
        assert ("Your messages do not say" in flag) == (reason == "nothing_found")
        assert ("No answer found" in flag) == (reason in {"not_stated", None})
        assert "answered" not in flag
        assert str(reason) not in flag
        said.add(flag)
    assert len(said) == 5


def test_sources_show_who_where_when_and_the_quote() -> None:
    shown = parts.sources(answered("?"))
    assert "Wolfgang Schulz" in shown
    assert CHAT in shown
    assert "Sat 21 Feb 2026, 14:11" in shown
    assert "<mark>I will come to the basement on Saturday </mark>for the first time!" in shown
    assert 'data-message-id="11"' in shown
    assert 'data-do="open" data-value="11:5"' in shown


def test_an_abstention_shows_the_closest_messages() -> None:
    shown = parts.sources(abstention("?"))
    assert "Closest messages" in shown
    assert "Great, Wolfgang" in shown
    none = dataclasses.replace(abstention("?"), closest=())
    assert "No message" in parts.sources(none)


def test_a_quote_that_is_not_in_the_message_is_shown_itself() -> None:
    answer = dataclasses.replace(answered("?"), sources=(Source(1, SAID[0], "else"),))
    assert "<mark>else</mark>" in parts.sources(answer)


def test_a_source_says_whose_words_it_passes_on() -> None:
    passed_on = dataclasses.replace(SAID[0], forwarded_from="Bob <b>")
    shown = parts.sources(
        dataclasses.replace(answered("?"), sources=(Source(1, passed_on, "basement"),))
    )
    assert "forwarded from Bob &lt;b&gt;" in shown
    assert "forwarded" not in parts.sources(answered("?"))


def test_a_very_long_message_is_cut_around_its_quote_and_in_its_conversation() -> None:
    long = dataclasses.replace(SAID[0], text="a" * 25_000 + "quote" + "b" * 25_000)
    shown = parts.sources(dataclasses.replace(answered("?"), sources=(Source(1, long, "quote"),)))
    assert "<mark>quote</mark>" in shown
    assert len(shown) < 2500
    talk = parts.conversation([long, *SAID[1:]], 12, 5)
    assert "46,005 more characters" in talk
    assert len(talk) < 8000


def test_a_message_is_marked_in_its_conversation_under_its_day() -> None:
    talk = parts.conversation(SAID, 12, 5)
    assert talk.count("mc-here") == 1
    assert 'class="mc-here" tabindex="-1" aria-current="true" data-said="12"' in talk
    assert talk.count("Sat 21 Feb 2026") == 1
    assert 'data-value="12:25"' in talk


def test_hostile_text_is_escaped_everywhere() -> None:
    answer = hostile_answer(HOSTILE[0])
    messages = [source.message for source in answer.sources]
    talk = parts.conversation(messages, messages[0].id, 5)
    shown = [parts.sources(answer), parts.how(answer), parts.why(answer.path), talk]
    for html in shown:
        assert "<script" not in html
        assert "<img" not in html
        assert "\ud800" not in html
    assert in_html(HOSTILE[0]) in shown[0]
    assert in_html(HOSTILE[0]) in talk


def test_a_name_that_cannot_be_seen_or_turns_the_text_around_is_tamed() -> None:
    assert "no visible name" in who("\u200b\u2060")
    assert "\u202e" not in who("\u202eAnn")
    assert who("DeShawn") == "<bdi>DeShawn</bdi>"


def test_the_frame_may_run_scripts_and_nothing_else() -> None:
    frame = parts.why(answered("?").path)
    assert 'sandbox="allow-scripts"' in frame
    assert frame.count("<") == 2


def test_how_adds_up_the_time_and_lists_the_signals() -> None:
    shown = parts.how(answered("?"), 17.25)
    assert "3.265 s" in shown
    assert "words that were found" in shown
    assert "p supported" in shown  # a signal without a name of ours keeps its own
    assert "17.2 tokens a second" in shown
    assert "Wolfgang Schulz → Saturday 21 February 2026" in shown
    measured = dataclasses.replace(answered("?"), timings={"total": 2.0, "read": 1.5})
    assert parts.how(measured).count(">in all<") == 1
    assert "2.000 s" in parts.how(measured)


def test_how_says_why_there_is_no_answer() -> None:
    silent = dataclasses.replace(answered("?"), abstained=True, reason="nothing_found")
    assert "nothing in them matches the question" in parts.how(silent)
    assert "nothing in them matches the question" not in parts.how(answered("?"))


def test_before_a_question_every_tab_says_what_to_do() -> None:
    for shown in (parts.sources(None), parts.why(None), parts.how(None)):
        assert "Ask a question" in shown


def test_marks_of_a_message_are_shown_beside_its_text() -> None:
    marked = dataclasses.replace(
        SAID[0],
        edited=True,
        forwarded_from="<b>Ann</b>",
        attachments=(Attachment("plan<1>.pdf", "document"),),
        reactions=(Reaction("\N{THUMBS UP SIGN}", "Ann"),),
    )
    talk = parts.conversation([marked, SAID[1]], 12, 5)
    assert "forwarded from &lt;b&gt;Ann&lt;/b&gt; · edited · document: plan&lt;1&gt;.pdf" in talk
    assert "\N{THUMBS UP SIGN}" in talk
    assert talk.count("<small>") == 1


def test_a_stop_before_the_first_word_claims_no_support() -> None:
    nothing = dataclasses.replace(
        answered("When?", stopped=True), text="", confidence=0.33, sources=()
    )
    assert flag_of(nothing) == ("none", "stopped before there was an answer")
    assert flag_of(answered("When?", stopped=True))[1].endswith("stopped")


def test_each_day_of_a_conversation_begins_with_who_writes() -> None:
    first = SAID[0]
    next_day = dataclasses.replace(first, id=99, sent_at=first.sent_at + timedelta(days=1))
    talk = parts.conversation([first, next_day], 99, 5)
    assert talk.count(f"<b>{who(first.sender)}</b>") == 2
