from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]
Conversation = tuple[tuple[datetime, str, str], ...]
Plain = Callable[[ParsedExport], list[tuple[datetime, str, str]]]

COLUMNS = ("sent_at", "sender", "text")


def as_csv(
    rows: Sequence[Sequence[object]], header: Sequence[str] = COLUMNS, **options: Any
) -> str:
    out = StringIO()
    csv.writer(out, **options).writerows([header, *rows])
    return out.getvalue()


def as_json_lines(rows: Sequence[Sequence[object]], header: Sequence[str] = COLUMNS) -> str:
    return "\n".join(json.dumps(dict(zip(header, row, strict=True))) for row in rows)


TIMES = {
    "iso": lambda t: t.isoformat(),
    "iso with a space": lambda t: f"{t:%Y-%m-%d %H:%M:%S}",
    "iso with PM": lambda t: f"{t:%Y-%m-%d %I:%M %p}",
    "iso without separators": lambda t: f"{t:%Y%m%dT%H%M%S}Z",
    "gmt": lambda t: f"{t:%Y-%m-%d %H:%M:%S} GMT",
    "ambiguous name of a zone": lambda t: f"{t:%Y-%m-%d %H:%M:%S} IST",
    "name of a zone": lambda t: f"{t + timedelta(hours=1):%Y-%m-%d %H:%M:%S} CET",
    "utc": lambda t: f"{t:%Y-%m-%dT%H:%M:%S}Z",
    "offset": lambda t: f"{t:%Y-%m-%d %H:%M:%S}+00:00",
    "seconds": lambda t: str(int(t.replace(tzinfo=UTC).timestamp())),
    "milliseconds": lambda t: str(int(t.replace(tzinfo=UTC).timestamp()) * 1000),
    "dmy": lambda t: f"{t:%d/%m/%Y %H:%M}",
    "mdy": lambda t: f"{t:%m/%d/%Y %I:%M %p}",
    "german": lambda t: f"{t:%d.%m.%Y %H:%M}",
    "mdy, offset": lambda t: f"{t:%m/%d/%Y %H:%M:%S} +0000",
    "dmy, offset with a colon": lambda t: f"{t + timedelta(hours=2):%d/%m/%Y %I:%M %p} GMT+02:00",
    "dmy, utc": lambda t: f"{t:%d/%m/%Y %H:%M} UTC",
    "month name": lambda t: f"{t:%B %d, %Y %I:%M %p}",
    "day and month name": lambda t: f"{t:%d %b %Y %H:%M}",
}


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("write", [as_csv, as_json_lines])
def test_every_time_gives_the_golden_conversation(
    read: Read, plain: Plain, conversation: Conversation, time: str, write: Callable[..., str]
) -> None:
    text = write([(TIMES[time](when), who, said) for when, who, said in conversation])
    export = read(text, time_zone="UTC")
    assert export.format == "table"
    assert plain(export) == list(conversation)
    assert not export.skipped


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^"])
@pytest.mark.parametrize("header", [
    COLUMNS, ("timestamp", "author", "message"), ("Date", "From", "Body"),
    ("datetime", "sender_name", "content"), ("TIME", "Name", "Text"),
])  # fmt: skip
def test_delimiters_and_synonyms(
    read: Read, plain: Plain, conversation: Conversation, delimiter: str, header: Sequence[str]
) -> None:
    rows = [(when.isoformat(), who, said) for when, who, said in conversation]
    table = as_csv(rows, header, delimiter=delimiter)
    assert plain(read(table)) == list(conversation)
    assert plain(read(f"sep={delimiter}\n{table}")) == list(conversation), "as Excel writes it"


@pytest.mark.parametrize(
    ("header", "days", "clocks"),
    [
        (("Date", "Time", "From", "Phone", "Message"), ("24/12/2025", "25/12/2025"), ("18:05:11", "9:30:00")),
        (("time", "date", "author", "number", "text"), ("2025-12-24", "2025-12-25"), ("6:05:11 PM", "9:30 AM")),
        (("sent date", "Sent Time", "sender", "x", "body"), ("24.12.2025", "25.12.2025"), ("18:05:11", "09:30")),
    ],
)  # fmt: skip
def test_a_day_and_a_time_in_columns_of_their_own(
    read: Read, plain: Plain, header: Sequence[str], days: Sequence[str], clocks: Sequence[str]
) -> None:
    swap = header[0] == "time"
    rows = [
        [*(pair[::-1] if swap else pair), sender, "1", text]
        for pair, sender, text in zip(
            zip(days, clocks, strict=True), ("Ann", "Ben"), ("hello", "hi"), strict=True
        )
    ]
    found = plain(read(as_csv(rows, header)))
    assert [(f"{at:%d %H:%M}", sender) for at, sender, _ in found] == [
        ("24 18:05", "Ann"),
        ("25 09:30", "Ben"),
    ]


def test_a_column_of_times_of_day_is_known_by_what_it_holds(read: Read, plain: Plain) -> None:
    header = ("#", "Giorno", "Ora", "Chi", "Messaggio", "Codice")
    rows = [
        (1, "24/12/2025", "6:05 PM", "Ann", "hello", "12"), (2, "24/12/2025", "", "Ben", "hi", "9:15"),
        (3, "25/12/2025", "12:10 am", "Ann", "merry", "x"),
    ]  # fmt: skip
    columns = {"sent_at": "Giorno", "sender": "Chi", "text": "Messaggio"}
    export = read(as_csv(rows, header), columns=columns)
    assert [f"{at:%d %H:%M}" for at, _, _ in plain(export)] == ["24 18:05", "24 00:00", "25 00:10"]
    assert "were not read: #, Codice." in "".join(export.notes)


def test_two_columns_of_times_of_day_are_not_guessed(read: Read, plain: Plain) -> None:
    rows = [("24/12/2025", "18:05", "18:07", "Ann", "hello")]
    ((at, _, _),) = plain(read(as_csv(rows, ("date", "left", "seen", "sender", "text"))))
    assert f"{at:%H:%M}" == "00:00"


@pytest.mark.parametrize("when", ["Nov 30 11:50 PM", "30.11. 18:00"])
def test_times_without_a_year_are_refused_with_what_to_write(read: Read, when: str) -> None:
    with pytest.raises(UnreadableFile, match=f"such as '{when}': write day, month and year"):
        read(as_csv([(when, "Ann", "hello"), (when, "", "hi")]))


@pytest.mark.parametrize("when", ["2025-12-24 18:05", "1766599500"])
def test_a_time_beside_a_whole_moment_is_not_read(read: Read, plain: Plain, when: str) -> None:
    rows = [[when, "7 pm", "Ann", "hello"]]
    ((at, _, _),) = plain(read(as_csv(rows, ("date", "time", "sender", "text")), time_zone="UTC"))
    assert f"{at:%d %H:%M}" == "24 18:05"


def test_a_chat_column_groups_rows(read: Read) -> None:
    rows = [("2022-01-01 10:00", "Ann", "a", "Trip"), ("2022-01-01 10:01", "Bob", "b", ""),
            ("2022-01-01 10:02", "Bob", "c", "Trip")]  # fmt: skip
    export = read(as_csv(rows, (*COLUMNS, "room")), chat_title="Rest")
    assert [(c.title, len(c.messages)) for c in export.chats] == [("Trip", 2), ("Rest", 1)]


@pytest.mark.parametrize(
    ("column", "sent", "received"),
    [("Type", "Sent", "Received"), ("Direction", "outgoing", "Incoming"), ("Folder", "Sent box", "Inbox")],
)  # fmt: skip
@pytest.mark.parametrize("write", [as_csv, as_json_lines])
def test_what_the_owner_sent_is_not_by_the_contact(
    read: Read, write: Callable[..., str], column: str, sent: str, received: str
) -> None:
    rows = [("2022-01-01 10:00", received, "Ann", "where?"), ("2022-01-01 10:01", sent, "Ann", "here"),
            ("2022-01-01 10:02", sent, "Bob", "and you?"), ("2022-01-01 10:03", "Draft", "Ann", "hm")]  # fmt: skip
    export = read(write(rows, ("date", column, "name", "body")))
    assert [(c.title, [(m.sender, m.text) for m in c.messages]) for c in export.chats] == [
        ("Ann", [("Ann", "where?"), ("Me", "here"), ("Ann", "hm")]),
        ("Bob", [("Me", "and you?")]),
    ]
    assert not export.notes


@pytest.mark.parametrize(("own", "expected"), [("Ivy", "Ivy"), ("", "Me")])
def test_an_owner_whom_the_table_names_keeps_the_name(read: Read, own: str, expected: str) -> None:
    rows = [("Ann", "2022-01-01 10:00", "Incoming", "Ann", "where?"),
            ("Ann", "2022-01-01 10:01", "Outgoing", own, "here")]  # fmt: skip
    header = ("Chat Session", "Message Date", "Type", "Sender Name", "Text")
    (chat,) = read(as_csv(rows, header)).chats
    assert [m.sender for m in chat.messages] == ["Ann", expected]
    assert chat.title == "Ann"


@pytest.mark.parametrize("column", ["is_from_me", "fromMe", "direction"])
@pytest.mark.parametrize(
    ("senders", "owner"),
    [
        (("Ann", "Ivy", "Ivy"), "Ivy"),
        (("Ann", "", ""), ""),  # the table has no name for its owner
        (("Ann", "Ann", "Ann"), ""),  # it names the contact of each message
        (("Ann", "Ivy", "Ben"), ""),
    ],
)
def test_a_table_that_says_who_sent_what_names_its_owner(
    read: Read, column: str, senders: tuple[str, ...], owner: str
) -> None:
    values = ("in", "out", "out") if column == "direction" else ("0", "1", "1")
    rows = [
        (f"2024-03-12 18:0{n}", who, value, "hi")
        for n, (who, value) in enumerate(zip(senders, values, strict=True))
    ]
    assert read(as_csv(rows, ("date", "sender", column, "text"))).owner == owner


@pytest.mark.parametrize(
    ("column", "sent", "received"),
    [("Direction", "Outgoing", "Incoming"), ("isFromMe", "true", "false")],
)
def test_a_message_to_somebody_is_in_the_chat_with_them(
    read: Read, column: str, sent: str, received: str
) -> None:
    rows = [
        ("12/03/2024", "18:05:11", received, "Ann", "+491511", "where?"),
        ("13/03/2024", "18:07:20", sent, "+491511", "Ann", "here"),
        ("13/03/2024", "18:09:20", sent, "+491511", "Bob", "and you?"),
        ("14/03/2024", "18:09:20", received, "Bob", "+491511", "home"),
        ("14/03/2024", "18:09:30", received, "Bob", "Boats", "all of you?"),
        ("14/03/2024", "18:09:40", sent, "+491511", "Boats", "yes"),
    ]  # fmt: skip
    export = read(as_csv(rows, ("Date", "Time", column, "From", "To", "Text")))
    assert {c.title: [(m.sender, m.text) for m in c.messages] for c in export.chats} == {
        "Ann": [("Ann", "where?"), ("+491511", "here")],
        "Bob": [("+491511", "and you?"), ("Bob", "home")],
        "Boats": [("Bob", "all of you?"), ("+491511", "yes")],
    }
    assert not any("not read" in note for note in export.notes)


@pytest.mark.parametrize(
    "types", [("Sent", "photo"), ("Received", "Received"), ("text", "text"), ("1", "0")]
)
def test_a_type_that_is_no_direction_changes_no_sender(read: Read, types: Sequence[str]) -> None:
    rows = [(f"2022-01-01 10:0{n}", kind, "Ann", "hi") for n, kind in enumerate(types)]
    export = read(as_csv(rows, ("date", "type", "name", "body")))
    assert {m.sender for m in export.chats[0].messages} == {"Ann"}
    assert any("type" in note for note in export.notes)


def test_rows_that_fail_are_skipped_with_their_line(read: Read) -> None:
    export = read(
        "sent_at,sender,text\n2022-01-01 10:00,Ann,a\n,Ann,b\nsoon,Ann,c\n2022-01-01 10:00,,d\n"
        '2022-01-01 10:00,Ann,\n2022-01-01 10:00,Ann\n2022-01-01 10:00,Ann,"two\nlines"\n'
        "2022-02-31 10:00,Ann,e\n99/99/2022 10:00,Ann,f\nyesterday,Ann,g\n"
    )
    assert [s.line for s in export.skipped] == [3, 4, 5, 6, 7, 10, 11, 12]
    assert [m.text for m in export.chats[0].messages] == ["a", "two\nlines"]
    export = read('{"sent_at": "2022-01-01", "sender": "Ann", "text": "a"}\nnoise\n[1]\n'
                  '{"sent_at": "2022-01-01", "sender": null, "text": "a"}')  # fmt: skip
    assert [s.line for s in export.skipped] == [2, 3, 4]
    assert len(export.chats[0].messages) == 1


def test_columns_can_be_mapped_and_unread_ones_are_named(read: Read) -> None:
    text = "when it was;who it was;what it was;likes\n2022-01-01 10:00;Ann;hi;3\n"
    mapping = {"sent_at": "when it was", "sender": "who it was", "text": "what it was"}
    export = read(text, columns=mapping)
    assert export.chats[0].messages[0].sender == "Ann"
    assert any("likes" in note for note in export.notes)
    with pytest.raises(UnknownFormat) as caught:
        read(text)
    assert "who it was" in caught.value.reasons[-1]
    with pytest.raises(UnknownFormat, match="no column for chat among sent_at, sender, text"):
        read("sent_at,sender,text\n2022-01-01,Ann,hi", columns={"chat": "room"})
    with pytest.raises(UnreadableFile, match="no column for chat"):
        read("sent_at,sender,text\n2022-01-01,Ann,hi", columns={"chat": "room"}, format="table")
    with pytest.raises(ImportFailed, match="sent_at, sender, text, chat"):
        read(text, columns={"likes": "likes"})


def test_an_open_date_order_is_noted(read: Read) -> None:
    text = "date,from,text\n03/04/2022 10:00,Ann,hi\n"
    assert "date_order" in read(text).notes[0]
    assert read(text, date_order="mdy").chats[0].messages[0].sent_at == datetime(2022, 3, 4, 10)


def test_an_offset_behind_a_numeric_date_counts(read: Read) -> None:
    text = ("date,from,text\n12/31/2025 21:15:00 +0100,Ann,hi\n12/31/2025 21:15:00 +9900,Ann,no\n"
            "0001-01-01T00:00:00+14:00,Ann,before all years\n")  # fmt: skip
    export = read(text, time_zone="Asia/Tokyo")
    assert [m.sent_at for m in export.chats[0].messages] == [datetime(2026, 1, 1, 5, 15)]
    assert [s.line for s in export.skipped] == [3, 4]


def test_the_note_on_the_time_zone_counts_messages_of_one_time_each(read: Read) -> None:
    text = "date,from,text\n" + "2025-12-31T21:15:00Z,Ann,hi\n" * 3
    assert [d.messages for d in read(text, time_zone="Asia/Tokyo").decisions] == [3]


def test_months_in_other_languages(read: Read) -> None:
    export = read("date;from;text\n5. März 2022 10:30;Ann;hi\n6 mars 2022 11:00;Ann;hi\n")
    assert [m.sent_at for m in export.chats[0].messages] == [
        datetime(2022, 3, 5, 10, 30), datetime(2022, 3, 6, 11),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Id,Question,Gold Answer,Evidence,Type\n1,Who?,Ann,20260105_11:00,Single\n",
        "name,price\napple,3\n",
        "date,amount,balance\n2022-01-01,3,4\n",
        '{"a": 1}\n{"a": 2}\n',
        "[1, 2, 3]",
        "Dear diary, today, I went, out.",
    ],
)
def test_other_tables_are_refused(read: Read, text: str) -> None:
    with pytest.raises(UnknownFormat):
        read(text)


def test_a_row_with_only_a_file_is_a_message_and_other_words_are_no_file(read: Read) -> None:
    export = read(
        "sent_at,sender,text,attachments\n2022-01-01 10:00,Ann,,https://x.test/1/boat.png?ex=1\n"
        "2022-01-01 10:01,Bob,look,my notes.pdf\n2022-01-01 10:02,Ann,fine,no\n2022-01-01 10:03,Ann,,no\n"
        "2022-01-01 10:04,Bob,,IMG 1.jpg\n"
    )
    found = [(m.text, [a.name for a in m.attachments]) for m in export.chats[0].messages]
    assert found == [
        ("[photo boat.png]", ["boat.png"]), ("look", ["my notes.pdf"]), ("fine", []), ("[photo IMG 1.jpg]", ["IMG 1.jpg"]),
    ]  # fmt: skip
    assert [item.line for item in export.skipped] == [5]


def test_chats_that_have_only_ids_are_apart(read: Read) -> None:
    export = read(
        "conversation_id,sent_at,sender,text\n7,2022-01-01 10:00,Ann,hi\n8,2022-01-01 10:01,Cleo,yo\n"
        "7,2022-01-01 10:02,Bob,hello\n"
    )
    assert [(c.key, c.title, len(c.messages)) for c in export.chats] == [
        ("7", None, 2),
        ("8", None, 1),
    ]


@pytest.mark.parametrize("delimiter", ["\t", ","])
@pytest.mark.parametrize("place", [0, 4, 18])
@pytest.mark.parametrize(
    ("below", "seen"),
    [("nothing",) * 2, ('he said "yes"',) * 2, ('"yes"', "yes"), ('"done',) * 2],
)
def test_a_quotation_mark_that_is_not_closed_loses_no_row(
    read: Read, delimiter: str, place: int, below: str, seen: str
) -> None:
    texts = [f"message {n}" for n in range(20)]
    texts[7] = below
    texts[place] = '"To be or not to be he said'
    rows = [delimiter.join((f"2024-01-{n + 1:02d} 9:05", "Ann", t)) for n, t in enumerate(texts)]
    export = read("\n".join([delimiter.join(COLUMNS), *rows]))
    texts[7] = seen
    assert [m.text for m in export.chats[0].messages] == texts
    assert export.skipped == ()


@pytest.mark.parametrize(
    "header", [COLUMNS, ("text", "sender", "sent_at"), ("sender", "text", "sent_at", "note")]
)
@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\nyes, no, maybe\n\nbye",
        "numbers:\n2024, 12, 7\n1, 2, 2024",
        'she said "no",\n"never",\nand "no"',
        "a\nb",
    ],
)
def test_a_quoted_text_of_several_lines_is_one_message(
    read: Read, header: tuple[str, ...], text: str
) -> None:
    one = {"sent_at": "2024-01-01 10:00:00", "sender": "Ann", "text": text, "note": "x\ny"}
    export = read(as_csv([[one[column] for column in header]] * 3, header))
    assert [m.text for m in export.chats[0].messages] == [text] * 3
    assert export.skipped == ()


@pytest.mark.parametrize("months", [("mars",), ("janv.", "févr.", "mars", "avril", "mai")])
def test_cells_that_are_no_dates_cost_no_date_in_another_language(
    read: Read, months: tuple[str, ...]
) -> None:
    odd = [
        f"{word} {n} of 2024 at 10:00"
        for n, word in enumerate("see call ask lunch talk walk".split())
    ]
    dates = [f"10 {months[n % len(months)]} 2024 10:{n:02}" for n in range(20)]
    rows = [f"{cell},Ann,text {n}" for n, cell in enumerate([*odd, *dates])]
    export = read("\n".join(["Date,Sender,Message", *rows]), "chat.csv")
    assert [m.text for c in export.chats for m in c.messages] == [f"text {n}" for n in range(6, 26)]
    assert len(export.skipped) == len(odd)


def test_a_12_hour_clock_that_has_no_effect_on_a_table_is_told(read: Read) -> None:
    table = "sent_at,sender,text\n2026-05-03 06:00,Ann,tea\n2026-05-03 07:00,Bo,yes\n"
    assert any("The option clock has no effect" in note for note in read(table, clock="12").notes)
    assert not any("clock" in note for note in read(table, clock="24").notes)
    chat = "03/05/2026, 06:00 - Ann: tea\n03/05/2026, 07:00 - Bo: yes\n"
    assert not any("clock" in note for note in read(chat, clock="12").notes)


IMAZING = (
    "Chat Session,Message Date,Delivered Date,Read Date,Edited Date,Service,Type,Sender ID,Sender Name,Status,"
    "Replying to,Subject,Text,Attachment,Attachment type\n"
)


def test_a_sender_without_a_name_is_the_number(read: Read) -> None:
    export = read(
        f"{IMAZING}Family & co,2024-05-01 10:04:00,,,,iMessage,Incoming,+14155559999,,Read,,,ok,,\n"
        "Family & co,2024-05-01 10:05:00,,,,iMessage,Outgoing,+14155550000,,Read,,Dinner,at 8?,,\n"
        "Family & co,2024-05-01 10:06:00,,,,iMessage,Incoming,+14155551111,,Read,,Only this,,,\n"
        "Family & co,2024-05-01 10:07:00,,,,iMessage,Incoming,+14155551111,Ann,Read,,,yes,,\n"
    )
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [
        ("+14155559999", "ok"), ("Me", "Dinner\nat 8?"), ("Ann", "Only this"), ("Ann", "yes"),
    ]  # fmt: skip
    assert export.skipped == ()


def test_a_number_that_several_people_have_names_nobody(read: Read) -> None:
    export = read(
        "Date,Time,Sender name,Phone number,Message\n2024-05-01,10:00,Ann,+4915112345678,hi\n"
        "2024-05-01,10:01,Bob,+4915112345678,hello\n2024-05-01,10:02,,+4915112345678,who?\n"
    )
    assert [m.sender for m in export.chats[0].messages] == ["Ann", "Bob", "+4915112345678"]


def test_numbers_without_names_have_chats_of_their_own(read: Read) -> None:
    export = read(
        "date,type,name,number,body\n2024-05-01 10:00,Received,,+4915112345678,hi\n"
        "2024-05-01 10:01,Sent,,+4915112345678,hello\n2024-05-01 10:02,Sent,Ann,+4917012345678,you?\n"
    )
    assert [(c.title, [m.sender for m in c.messages]) for c in export.chats] == [
        ("+4915112345678", ["+4915112345678", "Me"]),
        ("Ann", ["Me"]),
    ]


@pytest.mark.parametrize(
    ("header", "when"),
    [
        ("Datum;Uhrzeit;Absender;Text", "01.05.2024;10:00"),
        ("Дата;Время;Отправитель;Сообщение", "01.05.2024;10:00"),
        ("Fecha;Remitente;Mensaje", "2024-05-01 10:00"),
        ("Heure;Auteur;Texte", "2024-05-01 10:00"),
        ("日期;发送者;内容", "2024-05-01 10:00"),
    ],
)
def test_columns_are_known_in_other_languages(
    read: Read, plain: Plain, header: str, when: str
) -> None:
    found = plain(read(f"{header}\n{when};Ann;hi\n"))
    assert found == [(datetime(2024, 5, 1, 10), "Ann", "hi")]


def test_a_time_under_ts_is_known_in_json_lines(read: Read, plain: Plain) -> None:
    export = read('{"ts": "2024-05-01T10:00:00", "sender": "Ann", "text": "hi"}\n')
    assert plain(export) == [(datetime(2024, 5, 1, 10), "Ann", "hi")]


def test_an_object_as_the_sender_stands_for_its_name(read: Read) -> None:
    row = {"timestamp": "2024-05-01T10:00:00", "user": {"id": 1, "name": "Ann"}, "text": "hi"}
    rows = [row, row | {"user": {"id": 2, "username": "bob"}}, row | {"user": {"id": 3}}, row | {"user": "Cem"}]  # fmt: skip
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        export = read(text)
        assert [m.sender for m in export.chats[0].messages] == ["Ann", "bob", "Cem"]
        assert [(s.line, s.reason) for s in export.skipped] == [
            (3, "the object `user` has no name")
        ]


ROWS = [{"timestamp": f"2024-05-01 10:0{n}", "sender": "Ann", "text": f"text {n}"} for n in range(3)]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("options", [{}, {"format": "table"}])
def test_a_list_of_messages_in_an_object_is_read(
    read: Read, indent: int | None, options: dict[str, str]
) -> None:
    held = {"version": 1, "people": [{"name": "Ann"}], "about": {"by": "me"}, "messages": ROWS, "end": None}  # fmt: skip
    export = read(json.dumps(held, indent=indent), **options)
    assert [m.text for m in export.chats[0].messages] == ["text 0", "text 1", "text 2"]
    assert export.skipped == ()


def test_a_second_list_of_messages_in_an_object_is_told(read: Read) -> None:
    export = read(json.dumps({"family": ROWS, "work": ROWS[:2]}))
    assert len(export.chats[0].messages) == len(ROWS)
    assert [s.reason for s in export.skipped] == [
        "2 messages of `work`, a second list: give it a file of its own"
    ]


def test_a_list_of_messages_in_an_object_that_is_cut_off_keeps_what_is_before(read: Read) -> None:
    text = json.dumps({"messages": ROWS})
    export = read(text[: text.index("text 2")], format="table")
    assert [m.text for m in export.chats[0].messages] == ["text 0", "text 1"]
    assert "cut off" in export.skipped[-1].reason


def test_a_long_list_of_messages_in_an_object_is_read_to_its_end(read: Read) -> None:
    rows = [ROWS[0] | {"text": f"{n} {'x' * 300}"} for n in range(1000)]
    export = read(json.dumps({"messages": rows}))
    assert len(export.chats[0].messages) == len(rows)


def test_rows_between_the_same_two_people_are_one_chat(read: Read) -> None:
    rows = [("2024-05-01 10:00", "Ann", "Bob", "a"), ("2024-05-01 10:01", "Bob", "Ann", "b"),
            ("2024-05-01 10:02", "Ann", "Cem", "c"), ("2024-05-01 10:03", "Ann", "Boats", "d"),
            ("2024-05-01 10:04", "Bob", "Boats", "e")]  # fmt: skip
    export = read(as_csv(rows, ("date", "from", "to", "message")))
    assert [(c.title, [m.text for m in c.messages]) for c in export.chats] == [
        ("Ann, Bob", ["a", "b"]), ("Ann, Cem", ["c"]), ("Boats", ["d", "e"]),
    ]  # fmt: skip
    assert not any("not read" in note for note in export.notes)


def test_a_column_of_chats_counts_more_than_to_whom_a_message_was(read: Read) -> None:
    rows = [("2024-05-01 10:00", "Ann", "Bob", "a", "Trip"), ("2024-05-01 10:01", "Ann", "Cem", "b", "Trip")]  # fmt: skip
    (chat,) = read(as_csv(rows, ("date", "from", "to", "message", "chat"))).chats
    assert (chat.title, len(chat.messages)) == ("Trip", 2)


def test_objects_on_lines_with_lists_in_them_are_not_read_in_part(read: Read) -> None:
    lines = [json.dumps({"chat": chat, "messages": ROWS}) for chat in "ab"]
    with pytest.raises(UnknownFormat):
        read("\n".join(lines))
    long = json.dumps({"messages": [ROWS[0] | {"text": "x" * 300}] * 300})  # more than the sample
    export = read(f"{long}\n{lines[1]}")
    assert [(s.line, "a second object" in s.reason) for s in export.skipped] == [(2, True)]


def test_names_are_found_in_objects_and_lists(read: Read) -> None:
    rows = [
        {"date": "2024-05-01 10:00", "from": {"first_name": "Ann", "last_name": "Berg"}, "to": [{"name": "Cem"}, "Bob"], "text": "a"},
        {"date": "2024-05-01 10:01", "from": {"username": "ann"}, "to": {"id": 7}, "text": "b"},
    ]  # fmt: skip
    assert [(c.title, c.messages[0].sender) for c in read(json.dumps(rows)).chats] == [
        ("Ann Berg, Bob, Cem", "Ann Berg"), ('ann, {"id": 7}', "ann"),
    ]  # fmt: skip


def test_the_number_of_a_row_is_nobody(read: Read) -> None:
    export = read("number,date,sender,text\n1,2024-05-01,Ann,hi\n2,2024-05-01,,hello\n")
    assert [(s.line, s.reason) for s in export.skipped] == [(3, "no sender")]


@pytest.mark.parametrize(
    "keys",
    ["createdAt sender text", "sentAt senderName messageText", "createdDateTime from body", "sendTime userName content",
     "Date-Sent From Message_Body", "sent_at sendername TEXT"],
)  # fmt: skip
@pytest.mark.parametrize("within", [False, True])
def test_spaces_marks_and_capitals_make_no_other_name_of_a_column(
    read: Read, keys: str, *, within: bool
) -> None:
    columns = [key.replace("-", " ") for key in keys.split()]
    rows = [
        dict(zip(columns, ["2025-01-13T15:05:11Z", who, "hi"], strict=True))
        for who in ("Ann", "Bob")
    ]
    export = read(
        json.dumps({"title": "Trip", "items": rows} if within else rows, indent=1), "a.json"
    )
    assert [(m.sent_at.hour, m.sender, m.text) for m in export.chats[0].messages] == [
        (15, "Ann", "hi"), (15, "Bob", "hi"),
    ]  # fmt: skip


def test_a_chosen_column_is_the_one_of_exactly_this_name(read: Read) -> None:
    text = as_csv(
        [("2025-01-13 15:05", "Ann", "x", "hi")], ("sent_at", "fromName", "from_name", "text")
    )
    for column, sender in (("fromName", "Ann"), ("from_name", "x")):
        [message] = read(text, columns={"sender": column}).chats[0].messages
        assert message.sender == sender


def test_values_in_objects_of_databases_and_of_microsoft_are_read(read: Read) -> None:
    rows = [
        {"createdAt": {"$date": "2025-01-13T15:05:11Z"}, "from": {"user": {"displayName": "Ann"}},
         "body": {"contentType": "html", "content": "<p>Hi <b>Bob</b></p>"}},
        {"createdAt": {"$date": {"$numberLong": "1736780771000"}}, "from": {"name": "Bob"}, "body": {"content": "a <p> b"}},
        {"createdAt": {"_seconds": 1736780831, "_nanoseconds": 5}, "from": "Cy", "body": "yo"},
    ]  # fmt: skip
    [chat] = read(json.dumps({"value": rows}), "a.json").chats
    assert [(m.sent_at.hour, m.sender, m.text) for m in chat.messages] == [
        (15, "Ann", "Hi Bob"), (15, "Bob", "a <p> b"), (15, "Cy", "yo"),
    ]  # fmt: skip


def test_what_a_list_in_json_lacks_to_be_a_table_is_said_with_the_option_that_helps(
    read: Read,
) -> None:
    with pytest.raises(
        UnknownFormat, match=r"no column for sent_at among .* `--column sent_at=NAME`"
    ):
        read(
            json.dumps([{"moment": "2025-01-13T15:05:11Z", "sender": "Ann", "text": "hi"}]),
            "a.json",
        )


@pytest.mark.parametrize(
    "written",
    ["1/13/2025 3:05:11 PM EST", "2025-01-13 15:05:11 EST", "Jan 13, 2025, 3:05:11 PM EST", "13 Jan 2025 15:05:11 (EST)",
     "Mon Jan 13 15:05:11 EST 2025", "2025-01-13 15:05:11 (UTC-05:00)", "1/13/2025 3:05:11 PM (GMT-5)",
     "2025-01-13T15:05:11[America/New_York]", "2025-01-13T15:05:11-05:00[America/New_York]",
     "1/13/2025 3:05:11 PM America/New_York", "2025-01-13 12:05:11 PST", "2025-01-13T20:05:11Z[Etc/UTC]"],
)  # fmt: skip
def test_a_zone_behind_a_time_is_used(read: Read, written: str) -> None:
    export = read(as_csv([(written, "Ann", "hi")]), time_zone="Europe/Berlin")
    [message] = export.chats[0].messages
    assert message.sent_at == datetime(2025, 1, 13, 21, 5, 11)
    assert "Europe/Berlin" in " ".join(export.notes)


def test_a_zone_with_several_meanings_is_named_in_the_report(read: Read) -> None:
    rows = [("1/13/2025 3:05:11 PM CST", "Ann", "hi"), ("1/14/2025 3:05:11 PM IST", "Bob", "ho")]
    export = read(as_csv(rows), time_zone="Europe/Berlin")
    assert [message.sent_at.hour for message in export.chats[0].messages] == [15, 15]
    assert (
        "The zones behind times in chat.txt are not known for certain and were ignored: CST, IST."
        in export.notes
    )


def test_a_name_that_few_rows_have_is_not_the_sender(read: Read) -> None:
    rows: list[dict[str, str]] = [
        {"ts": f"2024-03-12 18:0{n}", "user": "Ann", "text": f"word {n}"} for n in range(9)
    ]
    rows[3]["name"] = "boats"
    found = [
        m for chat in read(json.dumps({"messages": rows}), "a.json").chats for m in chat.messages
    ]
    assert [(m.sender, m.text) for m in found] == [("Ann", f"word {n}") for n in range(9)]


def test_a_name_that_most_rows_have_is_the_sender(read: Read) -> None:
    rows = [("2024-03-12 18:05", "ann_1", "Ann", "hi"), ("2024-03-12 18:06", "ben_2", "Ben", "ho"),
            ("2024-03-12 18:07", "x_3", "", "hm")]  # fmt: skip
    export = read(as_csv(rows, ("date", "user", "name", "text")), "a.csv")
    assert [m.sender for chat in export.chats for m in chat.messages] == ["Ann", "Ben"]


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("2024-03-12 18:05,Ann,hello", "sent_at,sender,text"),
        ("12.03.2024 18:05;Ann;hello", "sent_at;sender;text"),
        ("1710263160.000200,general,Ann Lee,Hello there", "sent_at,chat,sender,text"),
        ("7,1710263160,Boats,Ann Lee,Hello there", "other,sent_at,other,sender,text"),
    ],
)
def test_a_table_without_names_of_columns_is_refused_with_the_line_to_add(
    read: Read, row: str, line: str
) -> None:
    with pytest.raises(UnknownFormat, match=f"line 1 is a message.*add one, such as `{line}`"):
        read(f"{row}\n{row}\n", "a.csv")
    if "other" not in line:
        [chat] = read(f"{line}\n{row}\n{row}\n", "a.csv").chats
        assert chat.messages[0].sender.startswith("Ann")
