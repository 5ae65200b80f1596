"""Questions about deleted and edited messages, reactions and calls: counted where an export marks them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory

CABIN = """\
03/05/2024, 10:00 - Dana Fox: we have the cabin
03/05/2024, 10:02 - Ollie: This message was deleted
03/05/2024, 10:03 - Ollie: great <This message was edited>
04/06/2024, 10:03 - Dana Fox: This message was deleted
04/06/2024, 10:04 - Ollie: This message was deleted
05/06/2024, 10:04 - Tom Reed: hello
"""
REACTIONS = {1: ("Ollie", "Tom Reed"), 2: (), 3: ("Tom Reed",), 4: ("Ollie",)}
BOATS = {
    "name": "Boats",
    "type": "private_group",
    "id": 7,
    "messages": [
        {
            "id": number, "type": "message", "date": f"2025-03-0{number}T10:00:00",
            "date_unixtime": str(1740823200 + (number - 1) * 86400), "text": f"boat {number}",
            "from": "Dana Fox" if number < 4 else "Tom Reed",
            "from_id": "user1" if number < 4 else "user2",
            **({"forwarded_from": "Fay"} if number == 2 else {}),
            "reactions": [
                {"type": "emoji", "count": len(by), "emoji": "\u2764",
                 "recent": [{"from": one, "from_id": f"user{len(one)}", "date": "2025-03-09T10:00:00"} for one in by]}
            ] if by else [],
        }
        for number, by in REACTIONS.items()
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("marked")
    cabin, boats = folder / "WhatsApp Chat with Cabin.txt", folder / "result.json"
    cabin.write_text(CABIN, encoding="utf-8")
    boats.write_text(json.dumps(BOATS), encoding="utf-8")
    with memory_of(folder, "Tom Reed", cabin, boats) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("How many messages were deleted?",
         "3 messages were deleted: Ollie (2) and Dana Fox (1); the first on 3 May 2024 [1], the last on 4 June 2024 [2]."),
        ("How many messages did Ollie delete in May 2024?",
         "Ollie deleted 1 message from 1 May 2024 to 31 May 2024, on 3 May 2024 [1]."),
        ("How many deleted messages are there in the Cabin chat?", "3 messages were deleted in \u201cCabin\u201d: Ollie (2)"),
        ("Did Dana delete any messages?", "Yes: Dana Fox deleted 1 message, on 4 June 2024 [1]."),
        ("Did I delete a message?", "No: Tom Reed deleted no messages."),
        ("Did anyone delete a message in 2025?", "No: Nobody deleted any messages from 1 January 2025"),
        ("Who deleted the most messages?", "Ollie [1] deleted the most messages: 2 of 3 messages. Then Dana Fox (1) [2]."),
        ("How many messages were edited?", "Ollie edited 1 message, on 3 May 2024 [1]."),
        ("How many messages were forwarded?", "Dana Fox forwarded 1 message, on 2 March 2025 [1]."),
        ("show me the forwarded messages", "1 message was forwarded:\n\nDana Fox, 2 March 2025, 10:00"),
        ("who deletes most messages?", "Ollie [1] deleted the most messages: 2 of 3 messages."),
        ("deleted messages", "3 messages were deleted:\n\nOllie, 3 May 2024, 10:02"),
        ("show me all the deleted messages from Dana", "1 message was deleted:\n\nDana Fox, 4 June 2024, 10:03"),
        ("Which messages were deleted in May 2024?", "1 message was deleted from 1 May 2024 to 31 May 2024:"),
        ("which messages did Ollie delete", "2 messages were deleted:\n\nOllie, 3 May 2024"),
        ("Wie viele Nachrichten wurden gel\u00f6scht?", "3 messages were deleted: Ollie (2)"),
        ("Wie viele Nachrichten hat Ollie gel\u00f6scht?", "Ollie deleted 2 messages, the first on"),
        ("How many reactions did Dana get?",
         "Dana Fox got 3 reactions, the first on 1 March 2025 [1], the last on 3 March 2025 [2]."),
        ("How many reactions are there?", "4 reactions to 3 messages: Dana Fox (3) and Tom Reed (1); the first on"),
        ("Who got the fewest reactions?", "Tom Reed [1] got the fewest reactions: 1 of 4 reactions."),
        ("Which message got the most reactions?",
         "The message with the most reactions has 2 of 4:\n\nDana Fox, 1 March 2025, 10:00 in \u201cBoats\u201d: \u201cboat 1\u201d [1]"),
        ("which message has the second most reactions",
         "These messages have the second most reactions, 1 of 4 each:\n\nDana Fox, 3 March 2025"),
        ("Was anything forwarded?", "Yes: Dana Fox forwarded 1 message, on 2 March 2025 [1]."),
        ("were any messages deleted by Ollie?", "Yes: Ollie deleted 2 messages"),
        ("Who reacted to what Dana wrote?", "3 reactions by Tom Reed (2) and Ollie (1)"),
        ("How many reactions did Ollie give?", "Ollie gave 2 reactions: \u2764 (2); the newest message with one is [1]."),
        ("how often did Tom react to Dana's messages?",
         "Tom Reed gave 2 reactions to messages from Dana Fox: \u2764 (2); the newest message with one is [1]."),
        ("who reacts to my messages the most?",
         "Ollie [1] gave the most reactions to messages from Tom Reed: 1 of 1 reaction."),
        ("who gave the most reactions?", "Ollie [1] and Tom Reed [2] gave the most reactions: 2 of 4 reactions each."),
        ("Who reacted to Dana's messages?",
         "3 reactions by Tom Reed (2) and Ollie (1) to messages from Dana Fox: \u2764 (3); the newest message with one is [1]."),
        ("Did Ollie ever react to a message?", "Yes: Ollie gave 2 reactions"),
        ("Did Dana react to my messages?",
         "No: Dana Fox gave no reactions to messages from Tom Reed, as far as exports say it."),
    ],
)  # fmt: skip
def test_what_an_export_marks_is_counted(marked: ChatMemory, question: str, begin: str) -> None:
    answer = asked(marked, question)
    assert answer.text.startswith(begin), answer.text
    assert not answer.abstained
    assert answer.model == "none"


def test_marked_messages_are_listed(marked: ChatMemory) -> None:
    counted = [("How many messages did Ollie delete?", "2")]
    answer = marked.ask("show me them", history=counted)
    assert answer.text.startswith("2 messages were deleted:\n\nOllie, 3 May 2024, 10:02")
    assert [source.sent_at.day for source in answer.sources] == [3, 4]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many messages did Dana delete?",
         "I cannot tell which messages were deleted: none is marked so, and an export may omit them."),
        ("Which message got the most reactions?",
         "I cannot count reactions: no message has any, and an export may leave them out."),
        ("How many messages were edited?",
         "I cannot tell which messages were edited: none is marked so, and an export may not say it."),
        ("How many calls did we have?", "I cannot count calls: only the messages of an export are kept."),
        ("How many missed calls were there in May 2024?",
         "I cannot count calls: only the messages of an export are kept."),
        ("Wie viele Anrufe gab es?", "I cannot count calls: only the messages of an export are kept."),
    ],
)  # fmt: skip
def test_what_no_export_marks_is_not_zero(tmp_path: Path, question: str, text: str) -> None:
    with opened(tmp_path) as memory:
        answer = asked(memory, question)
        assert (answer.text, answer.reason) == (text, "not_recorded")


@pytest.mark.parametrize(
    "question",
    [
        "What did Dana delete?",
        "Did Dana delete a message about the cabin?",
        "How many calls did Dana make to the bank?",
        "How many times did Dana call?",
        "Who edited the film?",
        "What were the reactions to the news?",
    ],
)
def test_what_is_not_of_messages_is_looked_up(marked: ChatMemory, question: str) -> None:
    assert asked(marked, question).model != "none"


@pytest.mark.both_stores
def test_who_only_reacts_and_never_writes_is_counted_too(tmp_path: Path) -> None:
    boats = tmp_path / "result.json"
    boats.write_text(json.dumps(BOATS).replace('"Ollie"', '"Eli"'), encoding="utf-8")
    with memory_of(tmp_path, "Tom Reed", boats) as memory:
        most = asked(memory, "Who gave the most reactions?").text
        assert most == "Eli [1] and Tom Reed [2] gave the most reactions: 2 of 4 reactions each."
        to_me = asked(memory, "Who reacted to my messages?").text
        assert to_me.startswith("Eli gave 1 reaction to messages from Tom Reed: \u2764 (1);")


@pytest.mark.both_stores
def test_both_stores_count_marked_messages_alike(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Cabin.txt"
    export.write_text(CABIN, encoding="utf-8")
    with memory_of(tmp_path, "Tom Reed", export) as memory:
        assert asked(memory, "How many messages were deleted?").text.startswith("3 messages were")
        assert asked(memory, "Who edited the most messages?").text.startswith("Ollie [1] edited")
        assert asked(memory, "Who got the most reactions?").reason == "not_recorded"
        assert asked(memory, "Who wrote latest at night?").text.startswith(
            "Nobody wrote between 22"
        )
