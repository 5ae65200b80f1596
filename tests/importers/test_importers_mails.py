"""E-mail: threads, people, character sets, and only what the sender wrote."""

from __future__ import annotations

import base64
import tracemalloc
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from dialects.mails import mbox
from golden import TALK
from growth import assert_by_length, processor_seconds

from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.importers.mail_text import own_words
from minirag_chat.records import Attachment, ParsedChat, ParsedExport, ParsedMessage

Read = Callable[..., ParsedExport]
STAMP = "From ann@example.org Fri Dec 31 18:05:00 2021\n"


def mail(body: str = "hi", **headers: str) -> str:
    """A mail of a mailbox; ``in_reply_to`` is the header ``In-Reply-To``."""
    given = {
        "From": "Ann <ann@x.org>",
        "To": "Bob <bob@x.org>",
        "Date": "Fri, 31 Dec 2021 18:05:00 +0000",
    }
    given |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    return (
        STAMP
        + "".join(f"{name}: {value}\n" for name, value in given.items() if value)
        + f"\n{body}\n\n"
    )


def only(export: ParsedExport) -> list[ParsedMessage]:
    return [m for chat in export.chats for m in chat.messages]


def threads(export: ParsedExport) -> list[tuple[str | None, list[str]]]:
    return [(chat.title, [m.text for m in chat.messages]) for chat in export.chats]


# --- threads -----------------------------------------------------------------------------------------


def test_answers_are_in_the_chat_of_what_they_answer_in_any_order(read: Read) -> None:
    export = read(
        mail("three", message_id="<3@x>", in_reply_to="<2@x>", subject="AW: Re: Boats")
        + mail("one", message_id="<1@x>", subject="Boats")
        + mail("other", message_id="<4@x>", subject="Boats")
        + mail("two", message_id="<2@x>", references="<1@x>", subject="Re: Boats")
    )
    assert threads(export) == [("Boats", ["three", "one", "two"]), ("Boats", ["other"])]
    assert {m.text: m.reply_to for m in only(export)}["three"] == "2@x"


def test_an_answer_that_names_no_mail_is_found_by_subject_and_people(read: Read) -> None:
    export = read(
        mail("one", message_id="<1@x>", subject="Boats")
        + mail("two", message_id="<2@x>", subject="RE: [2] boats".replace("[2] ", ""), **{"from": "bob@x.org"})
        + mail("theirs", message_id="<3@x>", subject="Re: Boats", to="zoe@y.org", **{"from": "kim@y.org"})
    )  # fmt: skip
    assert threads(export) == [("Boats", ["one", "two"]), ("Boats", ["theirs"])]


def test_mails_that_answer_each_other_in_a_circle_are_one_chat(read: Read) -> None:
    export = read(mail("one", message_id="<1@x>", in_reply_to="<2@x>") + mail("two", message_id="<2@x>", in_reply_to="<1@x>"))  # fmt: skip
    assert [texts for _, texts in threads(export)] == [["one", "two"]]


def test_two_people_are_a_direct_chat_and_three_a_group(read: Read) -> None:
    export = read(mail(message_id="<1@x>") + mail(message_id="<2@x>", cc="Zoe <zoe@x.org>"))
    assert [chat.kind for chat in export.chats] == ["direct", "group"]


# --- people and times --------------------------------------------------------------------------------


def test_addresses_without_a_name_have_the_one_they_have_elsewhere(read: Read) -> None:
    export = read(
        mail(**{"from": "ann@x.org"}) + mail(**{"from": '"Ann Miller" <ann@x.org>'}) + mail(**{"from": "Ann Miller <ann@work.org>"})
        + mail(**{"from": "zoe@x.org"}) + mail(**{"from": "'zoe@x.org' <zoe@x.org>"})
    )  # fmt: skip
    assert [m.sender for m in only(export)] == ["Ann Miller"] * 3 + ["zoe@x.org"] * 2


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("=?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <j@x.org>", "Jörg Müller"),
        ("=?iso-8859-1?q?J=F6rg?= =?iso-8859-1?q?_M=FCller?= <j@x.org>", "Jörg Müller"),
        ("=?gb2312?B?wO67qg==?= <l@x.org>", "李华"),
        ('"Müller, Jörg" <j@x.org>', "Müller, Jörg"),
        ("=?no-such-charset?Q?J?= <j@x.org>", "=?no-such-charset?Q?J?="),
        ("=?utf\u20138?Q?J?= <j@x.org>", "=?utf\u20138?Q?J?="),
        ("Ann via Boats <boats@lists.org>", "Ann"),
        ("((((((((" * 200 + "ann@x.org", "bob"),
    ],
)
def test_names_are_read_in_any_encoding(read: Read, raw: str, name: str) -> None:
    export = read(mail(**{"from": raw}))
    assert [m.sender for m in only(export)] == [name] or (
        name == "bob" and len(export.skipped) <= 1
    )


@pytest.mark.parametrize(
    ("date", "hour"),
    [
        ("Fri, 31 Dec 2021 18:05:00 +0000", 18),
        ("Fri, 31 Dec 2021 18:05:00 -0500", 23),
        ("31 Dec 2021 18:05 GMT (sent)", 18),
        ("Fri, 31 Dec 2021 18:05:00 EST", 23),
        ("yesterday", 18),
        ("", 18),
    ],
)
def test_dates_have_zones_and_the_envelope_has_one_too(read: Read, date: str, hour: int) -> None:
    [message] = only(read(mail(date=date), time_zone="UTC"))
    assert message.sent_at == datetime(2021, 12, 31, hour, 5)


# --- what is in a mail -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "charset", ["utf-8", "iso-8859-1", "windows-1252", "us-ascii", "no-such", "punycode", ""]
)
def test_character_sets_named_wrongly_or_not_lose_no_letter(read: Read, charset: str) -> None:
    data = "Grüße, Jörg".encode("utf-8" if charset in ("utf-8", "no-such") else "cp1252")
    kind = f"text/plain; charset={charset}" if charset else "text/plain"
    [message] = only(read(mail("BODY", content_type=kind).encode().replace(b"BODY", data)))
    assert message.text == "Grüße, Jörg"


def test_html_alone_becomes_text_without_quotations_and_styles(read: Read) -> None:
    page = (
        "<html><head><title>x</title><style>p {color: red}</style></head><body><p>Dear Bob,</p><p>the boat<br>is"
        " green &amp; new</p><div class='gmail_signature'>Ann, Boat Street</div><blockquote type=cite>which colour?"
        "</blockquote><script>alert(1)</script></body></html>"
    )  # fmt: skip
    [message] = only(read(mail(page, content_type="text/html; charset=utf-8")))
    assert message.text == "Dear Bob,\nthe boat\nis green & new"


@pytest.mark.slow
def test_files_are_named_and_their_bytes_are_not_held(tmp_path: Path) -> None:
    body = "--b\nContent-Type: text/plain\n\nsee the boat\n--b\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n"
    body += "Content-Disposition: attachment; filename*=utf-8''B%C3%B6ot.jpg\n\n"
    path = tmp_path / "all.mbox"
    line = base64.encodebytes(b"\x00" * 57).decode()
    with path.open("w") as file:
        for _ in range(3):
            file.write(
                mail(content_type="multipart/mixed; boundary=b").removesuffix("hi\n\n") + body
            )
            for _ in range(100):
                file.write(line * 1000)
            file.write("--b--\n\n")
    tracemalloc.start()
    pieces = [piece for _, piece in stream_export(path)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    messages = [m for piece in pieces if isinstance(piece, ParsedChat) for m in piece.messages]
    assert [(m.text, m.attachments) for m in messages] == [
        ("see the boat", (Attachment("Böot.jpg", "photo"),))
    ] * 3
    assert peak < 20_000_000


def test_a_mail_of_only_a_subject_says_that(read: Read) -> None:
    [message] = only(read(mail("", subject="Lunch at 12?")))
    assert message.text == "Lunch at 12?"


def test_encrypted_and_deleted_mails_are_told(read: Read) -> None:
    export = read(
        mail("--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--", content_type="multipart/encrypted; boundary=b")
        + mail("gone", x_mozilla_status="0009") + mail("here")
    )  # fmt: skip
    assert [m.text for m in only(export)] == ["here"]
    assert any("1 mails" in note and "encrypted" in note for note in export.notes)
    assert any("1 mails" in note and "deleted" in note for note in export.notes)


def test_from_at_the_beginning_of_a_line_parts_no_mail(read: Read) -> None:
    text = "The plan:\n\nFrom Rome we sail at 10:00\n\n>From there on foot"
    [message] = only(read(mail(text)))
    assert message.text == "The plan:\n\nFrom Rome we sail at 10:00\n\nFrom there on foot"


@pytest.mark.parametrize("below", ["Agenda: budget", "From there we sail", "https://x.org/a"])
def test_a_time_behind_from_parts_no_mail_of_a_mailbox(read: Read, below: str) -> None:
    text = f"Dear Bob,\n\nFrom 10:30 on we have the room.\n{below}\nPlease come."
    assert [m.text for m in only(read(mail(text) + mail("Fine.")))] == [text, "Fine."]


# --- only what the sender wrote ----------------------------------------------------------------------

HEADERS = "From: Bob <bob@x.org>\nSent: Friday, 31 December 2021 18:05\nTo: Ann\nSubject: Boats\n"


@pytest.mark.parametrize(
    "rest",
    [
        "\n> at 7?\n>\n> Bob",
        "\nOn Fri, 31 Dec 2021 at 18:05, Bob <bob@x.org> wrote:\n> at 7?",
        "\nOn Fri, 31 Dec 2021 at 18:05, Bob\n<bob@x.org> wrote:\n\n> at 7?",
        "\nOn Fri, 31 Dec 2021 at 18:05, Bob wrote:\n\nat 7?",
        "\nOn Fri, 31 Dec 2021 at 18:05, Bob\n<bob7@x.org> wrote:\n\nat 7?",
        "\nDen fre. 31. dec. 2021 kl. 18.05 skrev Bob:\n\nkl. 7?",
        "\nAm 31.12.2021 um 18:05 schrieb Bob:\n> at 7?",
        "\nLe ven. 31 déc. 2021 à 18:05, Bob a écrit :\n> at 7?",
        f"\n-----Original Message-----\n{HEADERS}\nat 7?",
        "\nOn Fri 31 Dec 2021 Bob wrote:\n\nat 7?",
        "\nOn Fri, Dec 31, 2021, Bob O'Neill wrote:\nat 7?",
        "\n-----Original Message-----\nFrom: Bob\nSent: Friday, 31 December 2021 18:05\nTo: Ann\n\nat 7?",
        "\n-----Ursprüngliche Nachricht-----\nVon: Bob\nGesendet: Freitag\n\num 7?",
        f"\n________________________________\n{HEADERS}\nat 7?",
        f"\n{HEADERS}\nat 7?",
        "\nVon: Bob\nGesendet: Freitag\nAn: Ann\nBetreff: Boote\n\num 7?",
        "\n-- \nAnn Miller\nBoat Street",
        "\n--\nAnn Miller",
        "\nSent from my iPhone",
        "\n\nVon meinem iPhone gesendet\n\nAm 31.12.2021 um 18:05 schrieb Bob:\n> at 7?",
        "\n_______________________________________________\nboats mailing list\nboats@lists.org",
    ],
)
def test_the_mail_that_is_answered_and_signatures_are_cut(rest: str) -> None:
    assert own_words(f"Yes, at 7:\n- tea\n- bread\n{rest}") == ("Yes, at 7:\n- tea\n- bread", None)


def test_answers_between_quotations_stay() -> None:
    text = "On 31 Dec 2021, Bob wrote:\n> at 7?\n\nYes.\n\n> and tea?\n\nNo, coffee."
    assert own_words(text)[0] == "Yes.\n\nNo, coffee."


@pytest.mark.parametrize(
    "below",
    [
        "I would add two points:\nfirst the garden",
        "Ann\nBut do we need the boat on Sunday?",
        "x " * 50,
    ],
)
def test_text_below_two_dashes_stays_if_it_is_no_signature(below: str) -> None:
    assert own_words(f"Fine.\n--\n{below}") == (f"Fine.\n--\n{below}".strip(), None)
    assert own_words(f"Fine.\n-- \n{below}") == ("Fine.", None)


def test_text_that_only_looks_like_a_quotation_stays() -> None:
    text = "From: the harbour\nwe go to Rome.\n\nBob wrote: never\n-- 7 --\nfrom: here"
    assert own_words(text) == (text, None)


@pytest.mark.parametrize(
    "text",
    [
        "Your booking is confirmed.\n\nFrom: Berlin Hbf\nTo: Wien Hbf\nDate: 12 March 2026\n\nSeat 7.",
        "--- Your trip ---\nFrom: Berlin Hbf\nTo: Wien Hbf\nDate: 12 March 2026\n\nSeat 7.",
        "Hi,\nhere is what my landlord wrote on 3 May:\n\nThe boiler is broken.",
        "Hi,\nhere is what he wrote on 3 May 2021 at 18:05:\n\nThe boiler is broken.",
        "On Monday 3 May 2021 Bob wrote:\n\nThe boiler is broken.",
        "On Mon 3 May 2021 my landlord wrote:\n\nThe boiler is broken.",
        "On 3 May 2021 Bob wrote:\n\nThe boiler is broken.",
        "---Original Message---\nwas the name of the band.\n\nFrom: the harbour",
        "We meet on 3 May 2021 at 18:05.\nThen my landlord wrote:\n\nThe boiler is broken.",
    ],
)
def test_what_the_sender_tells_of_a_trip_or_a_letter_stays(text: str) -> None:
    assert own_words(text) == (text, None)


@pytest.mark.parametrize(
    ("said", "introduces"),
    [("Answers to your 3 questions:", ""), ("We leave at 5", "Ann wrote:\n")],
)
def test_a_line_above_a_quotation_is_cut_only_if_it_introduces_it(
    said: str, introduces: str
) -> None:
    assert own_words(f"{said}\n{introduces}> when?\n\nAt 5.")[0] == f"{said}\n\nAt 5."


def test_a_forwarded_mail_stays_and_says_whose_it_is() -> None:
    text = f"Look!\n\n---------- Forwarded message ---------\n{HEADERS}\nThe boat is sold."
    assert own_words(text) == ("Look!\n\nThe boat is sold.", "Bob")


@pytest.mark.parametrize(
    "run",
    [
        "On ",
        "> ",
        "On Fri, 31 Dec 2021, B wrote:\n",
        "On Fri 31 Dec 2021 B B B ",
        "From: a\nTo: b\n",
        "wrote ",
        "-",
        "_\n",
        "a:\n",
        "1 wrote:\n",
        "--\n",
    ],
)
def test_cutting_costs_time_by_the_length(run: str) -> None:
    def took(length: int) -> float:
        text = (run * length)[:length] + "\nend"
        return processor_seconds(lambda: own_words(text))

    assert_by_length(took, 10_000)


@pytest.mark.slow
def test_many_mails_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "all.mbox"
    (text,) = mbox(TALK).values()
    with path.open("w", encoding="utf-8") as file:
        for n in range(500):
            file.write(text.replace("@example.org>", f".{n}@example.org>"))
    tracemalloc.start()
    options = ImportOptions(time_zone="UTC")
    largest = count = 0
    for _, piece in stream_export(path, options):
        if isinstance(piece, ParsedChat):
            count += len(piece.messages)
            largest = max(largest, len(piece.messages))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (count, largest) == (500 * len(TALK), len(TALK))
    assert peak < 30_000_000


@pytest.mark.parametrize(
    "quoted",
    [
        "<div>Von meinem iPhone gesendet</div><blockquote>Am 30.04.2024 schrieb Ann: alt</blockquote>",
        "<div>Von meinem iPhone gesendet<br></div>\n<blockquote><div>Am 30.04.2024 schrieb Ann:</div>alt</blockquote>",
        "<blockquote>On 30/04/2024 at 18:05 Ann wrote:<br>old</blockquote>",
        "<blockquote>Am 30.04.2024 schrieb Ann &lt;ann@x.org&gt;:<blockquote>alt</blockquote></blockquote>",
    ],
)
def test_an_answered_mail_in_an_unmarked_blockquote_is_cut(read: Read, quoted: str) -> None:
    page = f"<div>Yes, at 7</div>{quoted}"
    [message] = only(read(mail(page, content_type="text/html; charset=utf-8")))
    assert message.text == "Yes, at 7"


@pytest.mark.parametrize(
    "indented", ["Roses are red", "In 1786 Goethe wrote: Italy", "In May 2021 Ann wrote: go"]
)
def test_what_the_sender_indents_stays(read: Read, indented: str) -> None:
    page = f"<div>As they say</div><blockquote>{indented}</blockquote>"
    [message] = only(read(mail(page, content_type="text/html; charset=utf-8")))
    assert message.text == f"As they say\n{indented}"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<p>prices &gt; 5 are<br>&gt;From here on ok<br>fine</p>", "prices > 5 are\n>From here on ok\nfine"),
        ("<div>&gt; 5 euros is too much</div><div>so no</div>", "> 5 euros is too much\nso no"),
        ("<div>yes<br>&gt; shall we meet<br>&gt; at 7?</div>", "yes"),
        ("<div>yes<br><br>On 3 Jan 2022 18:05 Bob wrote:<br>&gt; at 7?</div>", "yes"),
    ],
)  # fmt: skip
def test_a_line_of_a_page_that_begins_with_a_sign_is_kept_unless_it_is_quoted(
    read: Read, page: str, said: str
) -> None:
    [message] = only(
        read(mail(f"<html><body>{page}</body></html>", content_type="text/html; charset=utf-8"))
    )
    assert message.text == said
