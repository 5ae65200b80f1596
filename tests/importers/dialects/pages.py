"""Exports that are pages of HTML, as their programs write them."""

from __future__ import annotations

import html
from datetime import datetime

from dialects.parts import Conversation, Files


def _lines(said: str) -> str:
    return html.escape(said).replace("\n", "<br />")


def _page(title: str, body: str) -> str:
    return (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><base href="../../../../" />'
        f'<title>{title}</title><style type="text/css">._li {{ margin: 0 }}</style></head><body class="_5vb_ _2yq">'
        f'<div class="_li"><h1 class="_a70e">{title}</h1><main class="_a706" role="main">{body}</main></div></body></html>'
    )


def _half_day(when: datetime, clock: str) -> str:
    return f"{when:%b %d, %Y} {when:{clock} %p}".replace("AM", "am").replace("PM", "pm")


def messenger_html(talk: Conversation) -> Files:
    """Facebook's, as since 2024."""
    people = '<section class="_a6-g"><h2 class="_2ph_ _a6-h _a6-i">Participants: Bob and Ann Miller</h2></section>'
    return {"your_facebook_activity/messages/inbox/bob_7/message_1.html": _page("Bob", people + "".join(
        f'<section class="_a6-g" aria-labelledby="u_{n}"><h2 class="_2ph_ _a6-h _a6-i" id="u_{n}">{who}</h2>'
        f'<div class="_2ph_ _a6-p"><div><div></div><div>{_lines(said)}</div><div></div><div></div></div></div>'
        f'<footer class="_3-94 _a6-o"><div class="_a72d">{_half_day(t, "%-I:%M:%S")}</div></footer></section>'
        for n, (t, who, said) in enumerate(reversed(talk))
    ))}  # fmt: skip


def instagram_html(talk: Conversation) -> Files:
    return {"your_instagram_activity/messages/inbox/bob_7/message_1.html": _page("Bob", "".join(
        f'<div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">{who}</h2>'
        f'<div class="_3-95 _a6-p"><div><div></div><div>{_lines(said)}</div><div></div><div></div></div></div>'
        f'<div class="_3-94 _a6-o">{_half_day(t, "%-I:%M")}</div></div>'
        for t, who, said in reversed(talk)
    ))}  # fmt: skip


def messenger_html_old(talk: Conversation) -> Files:
    """As until 2021, set to British English."""
    return {"messages/inbox/Bob_7/message_1.html": _page("Bob", "".join(
        f'<div class="pam _3-95 _2pi0 _2lej uiBoxWhite noborder"><div class="_3-96 _2pio _2lek _2lel">{who}</div>'
        f'<div class="_3-96 _2let"><div><div></div><div>{_lines(said)}</div><div></div><div></div></div></div>'
        f'<div class="_3-94 _2lem">{t:%d %b %Y, %H:%M}</div></div>'
        for t, who, said in reversed(talk)
    ))}  # fmt: skip
