"""SMS: who a number is, however it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from minirag_chat.importers import sms as sms_reader
from minirag_chat.records import ParsedExport, Reaction

Read = Callable[..., ParsedExport]


def sms(number: str, name: str, body: str = "hi") -> str:
    return f'<sms address="{number}" date="1640000000000" type="1" body="{body}" contact_name="{name}"/>'


def backup(*items: str) -> str:
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<smses>{''.join(items)}</smses>"


@pytest.mark.parametrize(
    ("numbers", "names", "chats"),
    [
        (("+15559990000", "5559990000"), ("Carl Nyman", "Carl Nyman"), 1),
        (("5559990000", "+1 (555) 999-0000"), ("Carl Nyman", "Carl Nyman"), 1),
        (("+4915112345678", "015112345678"), ("Carl Nyman", "Carl Nyman"), 1),
        (("+4551234567", "51234567"), ("Carl Nyman", "Carl Nyman"), 1),  # 8 digits in all
        (("+15559990000", "5559990000"), ("Carl Nyman", "Carla Nyman"), 2),
        (("+15559990000", "5559990001"), ("Carl Nyman", "Carl Nyman"), 2),
        (("+15559990000", "+16559990000"), ("Carl Nyman", "Carl Nyman"), 2),
        (("+15559990000", "5559990000"), ("(Unknown)", "(Unknown)"), 1),
        (("+4917012345678", "+4917112345678"), ("Carl Nyman", "Carla Nyman"), 2),
        (("+4917012345678", "+4917112345678"), ("(Unknown)", "(Unknown)"), 2),
        (("80000", "180000"), ("Bank", "Bank"), 2),
    ],
)
def test_a_number_with_and_without_country_code_is_one_person(
    read: Read, numbers: tuple[str, str], names: tuple[str, str], chats: int
) -> None:
    export = read(backup(*map(sms, numbers, names)))
    assert len(export.chats) == chats
    assert sum(len(chat.messages) for chat in export.chats) == 2


def test_a_number_stays_in_one_chat_whatever_its_name(read: Read) -> None:
    items = [
        ("+15559990000", "Carl"),
        ("5559990000", "Carl"),
        ("5559990000", "(Unknown)"),
        ("5559990000", "Carl N"),
    ]
    [chat] = read(backup(*(sms(number, name) for number, name in items))).chats
    assert len(chat.messages) == len(items)


def test_a_number_that_never_wrote_is_the_title_of_its_chat(read: Read) -> None:
    mine = sms("+1 555 999 0000", "(Unknown)").replace('type="1"', 'type="2"')
    assert [chat.title for chat in read(backup(mine)).chats] == ["+1 555 999 0000"]
    [chat] = read(backup(mine, sms("+15559990000", "(Unknown)"))).chats
    assert chat.title is None


def group(sender: str) -> str:
    return (
        '<mms address="+15559990000~+15550200" date="1640000003000" msg_box="1" contact_name="Carl, Eve">'
        '<parts><part ct="text/plain" text="a cat"/></parts>'
        f'<addrs><addr address="{sender}" type="137"/></addrs></mms>'
    )


@pytest.mark.parametrize(
    ("number", "sender", "shown"),
    [
        ("5559990000", "+15559990000", "Carl Nyman"),
        ("+1 555 999 0000", "+15559990000", "Carl Nyman"),
        ("+15559990000", "+15550200", "+15550200"),
        ("+16559990000", "+15559990000", "+15559990000"),
    ],
)
def test_who_writes_in_a_group_is_named_as_elsewhere(
    read: Read, number: str, sender: str, shown: str
) -> None:
    export = read(backup(sms(number, "Carl Nyman"), group(sender)))
    assert [chat.messages[0].sender for chat in export.chats] == ["Carl Nyman", shown]


@pytest.mark.parametrize(
    ("known", "names", "shown"),
    [
        ("Carl Nyman", "Carl Nyman, Eve", "Eve"),
        ("Carl Nyman", "Carl, Eve", "+15550200"),
        ("Carl Nyman", "Eve, Carl Nyman", "+15550200"),
        ("Carl Nyman", "Carl Nyman, Hill, Eve", "+15550200"),
        ("Carl Nyman", "Carl Nyman, (Unknown)", "+15550200"),
    ],
)
def test_who_only_writes_in_a_group_has_the_name_in_its_place(
    read: Read, known: str, names: str, shown: str
) -> None:
    theirs = group("+15550200").replace("Carl, Eve", names)
    export = read(backup(sms("+15559990000", known), theirs))
    assert [chat.messages[0].sender for chat in export.chats] == [known, shown]


@dataclass
class Blocks:
    """A file in given blocks."""

    given: list[str]

    def blocks(self) -> list[str]:
        return self.given


SMILE = "&#55357;&#56832;"  # the two halves, as the app writes them


@pytest.mark.parametrize(
    "text", [f"a{SMILE}b", f"{SMILE}{SMILE}7;", "&#128512;&#10;", "&#55357;&#5 &#"]
)
def test_an_emoji_is_whole_wherever_a_block_of_the_file_ends(text: str) -> None:
    whole = "".join(sms_reader._chunks(Blocks([text])))
    for cut in range(len(text)):
        assert "".join(sms_reader._chunks(Blocks([text[:cut], text[cut:]]))) == whole
    assert "".join(sms_reader._chunks(Blocks([*text]))) == whole


@pytest.mark.parametrize("run", ["7", ";", "&", "#", "&#1;", SMILE])
def test_no_run_of_characters_is_kept_back_until_the_file_ends(run: str) -> None:
    blocks = [run * 1000] * 20
    given = list(sms_reader._chunks(Blocks(blocks)))
    assert max(map(len, given)) < 2 * len(blocks[0])


def test_sms_import_export_has_texts_pictures_and_groups(read: Read) -> None:
    nell = {"address": "+15550002222", "__display_name": "Nell"}
    own, ray = {"address": "+15550001111"}, {"address": "+15550003333"}
    lines = [
        {"address": "+1 555 000 2222", "date": "1714550400000", "type": "1", "body": "hey", "__display_name": "Nell"},
        {"address": "+15550002222", "date": "1714550460000", "type": "2", "body": "yes"},
        {"address": "+15550002222", "date": "1714550460000", "type": "3", "body": "not sent"},
        {"date": "1714550500", "msg_box": "1", "__sender_address": nell | {"type": "137"}, "__recipient_addresses": [own],
         "__parts": [{"ct": "application/smil", "text": "x"}, {"ct": "image/jpeg", "_data": "/data/boat.jpg"}]},
        {"date": "1714550600", "msg_box": "1", "__sender_address": ray | {"type": "137"}, "__recipient_addresses": [own, nell],
         "__parts": [{"ct": "text/plain", "text": "all of us"}]},
        {"date": "1714550700", "msg_box": "2", "__sender_address": own | {"type": "137"}, "__recipient_addresses": [ray, nell],
         "__parts": [{"ct": "text/plain", "text": "fine"}]},
    ]  # fmt: skip
    export = read("\n".join(map(json.dumps, lines)))
    assert [(c.title, c.kind, [(m.sender, m.text) for m in c.messages]) for c in export.chats] == [
        ("Nell", "direct", [("Nell", "hey"), ("Me", "yes"), ("Nell", "[photo boat.jpg]")]),
        ("Nell, +15550003333", "group", [("+15550003333", "all of us"), ("Me", "fine")]),
    ]
    assert len(export.skipped) == 1


@pytest.mark.parametrize(
    ("subject", "body", "said"),
    [
        ("Dinner on Friday at 8?", "bring cake", "Dinner on Friday at 8?\nbring cake"),
        ("Dinner on Friday at 8?", "", "Dinner on Friday at 8?"),
        ("null", "bring cake", "bring cake"),
        ("proto:CjoKImNvbS5nb29nbGU=", "bring cake", "bring cake"),
        ("bring cake", "bring cake", "bring cake"),
    ],
)
def test_the_subject_of_an_mms_is_a_part_of_its_text(
    read: Read, subject: str, body: str, said: str
) -> None:
    part = f'<part ct="text/plain" text="{body}"/>' if body else ""
    mms = (
        f'<mms address="+15559990000" date="1640000003000" msg_box="1" sub="{subject}">{part}</mms>'
    )
    record = {"msg_box": "1", "date": "1640000003", "sub": subject, "__sender_address": {"address": "+15559990000", "type": "137"},
              "__parts": [{"ct": "text/plain", "text": body}]}  # fmt: skip
    for file in (backup(mms), json.dumps(record)):
        assert [m.text for m in read(file).chats[0].messages] == [said]


def tapped(*items: tuple[int, str, str], newest_first: bool = False) -> str:
    """A backup of one chat with Ann: minute, ``1`` from her or ``2`` to her, and text."""
    found = [
        f'<sms address="+15559990000" contact_name="Ann" date="{1640000000000 + minute * 60000}" type="{box}" '
        f'body="{body}"/>'
        for minute, box, body in items
    ]
    return backup(*(reversed(found) if newest_first else found))


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_reaction_of_an_iphone_belongs_to_the_message_that_it_quotes(
    read: Read, newest_first: bool
) -> None:
    items = (
        (0, "2", "ok"), (1, "2", "Dinner at 8?&#10;Bring tea"), (2, "2", "ok"),
        (3, "1", "Liked “ok”"), (4, "1", "Laughed at “Dinner at 8?&#10;Bring tea”"), (5, "1", "Reacted 🎉 to “ok”"),
        (6, "1", "Loved “what nobody said”"), (7, "1", "Liked"), (8, "1", "Questioned “ok”"),
        (9, "1", "Removed a question mark from “ok”"), (10, "2", "ok"),
    )  # fmt: skip
    export = read(tapped(*items, newest_first=newest_first))
    assert [(m.text, m.reactions) for m in export.chats[0].messages] == [
        ("ok", ()),
        ("Dinner at 8?\nBring tea", (Reaction("Laughed at", "Ann"),)),
        ("ok", (Reaction("Liked", "Ann"), Reaction("🎉", "Ann"))),
        ("Loved “what nobody said”", ()),
        ("Liked", ()),
        ("ok", ()),
    ]
    assert export.skipped == ()


def test_a_reaction_in_sms_import_export_belongs_to_the_message_that_it_quotes(read: Read) -> None:
    said = (("2", "ok"), ("1", "Emphasized “ok”"))
    lines = [
        {"address": "+15559990000", "body": body, "date": f"{1640000000000 + n * 60000}", "type": box,
         "__display_name": "Ann"}
        for n, (box, body) in enumerate(said)
    ]  # fmt: skip
    [chat] = read("\n".join(map(json.dumps, lines)), "messages.ndjson").chats
    assert [(m.text, m.reactions) for m in chat.messages] == [
        ("ok", (Reaction("Emphasized", "Ann"),))
    ]
