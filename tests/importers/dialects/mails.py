"""E-mail as mailboxes and as single files: one thread between two people."""

from __future__ import annotations

import base64
import html
import quopri
from datetime import datetime

from dialects.parts import Conversation, Files, numbered

_ADDRESSES = {"Ann Miller": "ann@example.org", "Bob": "bob@example.net"}


def _headers(number: int, when: datetime, who: str, name: str, *more: str) -> str:
    other = next(person for person in _ADDRESSES if person != who)
    lines = [
        f"Date: {when:%a, %d %b %Y %H:%M:%S} +0000",
        f"From: {name} <{_ADDRESSES[who]}>",
        f"To: {other} <{_ADDRESSES[other]}>",
        f"Message-ID: <m{number}@example.org>",
        f"Subject: {'Re: ' if number else ''}Picnic",
        "MIME-Version: 1.0",
        *more,
    ]
    if number:
        lines += [f"In-Reply-To: <m{number - 1}@example.org>",
                  f"References: <m0@example.org>\n <m{number - 1}@example.org>"]  # fmt: skip
    return "\n".join(lines)


def _stamp(when: datetime) -> str:
    return f"From MAILER-DAEMON {when:%a %b %d %H:%M:%S %Y}"


def _escaped(said: str) -> str:
    return "\n".join(f">{line}" if line.startswith("From ") else line for line in said.split("\n"))


def mbox(talk: Conversation) -> Files:
    return {"Picnic.mbox": "".join(
        f"{_stamp(t)}\n"
        + _headers(n, t, who, who, "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit")
        + f"\n\n{_escaped(said)}\n\n"
        for n, (t, who, said) in numbered(talk)
    )}  # fmt: skip


def mbox_answers(talk: Conversation) -> Files:
    """With all that is cut: quotations, signatures, HTML beside the text, a file, encoded words."""
    mails, last = [], ""
    for n, (t, who, said) in numbered(talk):
        quoted = "\n".join(f"> {line}" for line in last.split("\n"))
        plain = f"{said}\n\n-- \n{who}\nBoat Street 7\n\nOn Fri, Dec 31, 2021 at 6:05 PM Someone <a@example.org>\nwrote:\n{quoted}\n"
        page = f"<html><head><style>p {{}}</style></head><body><p>{html.escape(said)}</p></body></html>"
        parts = [('text/plain; charset="utf-8"', plain), ("text/html; charset=utf-8", page)]
        inner = "".join(
            f"--inner\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(text.encode()).decode() + "\n" for kind, text in parts
        )  # fmt: skip
        name = f"=?utf-8?B?{base64.b64encode(who.encode()).decode()}?="
        mails.append(
            f"{_stamp(t)}\n" + _headers(n, t, who, name, 'Content-Type: multipart/mixed;\n boundary="outer"')
            + f"\n\n--outer\nContent-Type: multipart/alternative; boundary=inner\n\n{inner}--inner--\n\n"
            "--outer\nContent-Type: image/png; name=boat.png\nContent-Disposition: attachment;\n filename=boat.png\n"
            "Content-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--outer--\n\n"
        )  # fmt: skip
        last = said
    return {"Takeout/Mail/All mail.mbox": "".join(mails)}


def eml(talk: Conversation) -> Files:
    """A file a mail, of HTML alone."""
    return {
        f"mails/{n:03}.eml": _headers(n, t, who, f'"{who}"', 'Content-Type: text/html; charset="UTF-8"',
                                      "Content-Transfer-Encoding: quoted-printable") + "\n\n"
        + quopri.encodestring(
            f"<div dir=ltr>{html.escape(said).replace(chr(10), '<br>')}</div><br>"
            '<div class="gmail_quote"><div class="gmail_attr">On Friday Bob wrote:<br></div>'
            "<blockquote>an older mail</blockquote></div>".encode()
        ).decode() + "\n"
        for n, (t, who, said) in numbered(talk)
    }  # fmt: skip
