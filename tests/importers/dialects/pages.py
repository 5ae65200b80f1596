"""Exports that are pages of HTML, as their programs write them."""

from __future__ import annotations

import html
from datetime import datetime

from dialects.parts import IDS, Conversation, Files, numbered


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


def discord_html(talk: Conversation) -> Files:
    """As DiscordChatExporter writes since 2022: without quotes around values, line breaks as they are."""
    return {"Pond - Text - tea [900001].html": (
        "<!DOCTYPE html><html lang=en><head><title>Pond - tea</title><meta charset=utf-8></head><body><div class=preamble>"
        "<div class=preamble__entry>Pond</div><div class=preamble__entry>Text / tea</div></div><div class=chatlog>"
        + "".join(
            f"<div class=chatlog__message-group><div id=chatlog__message-container-{n}00001 class=chatlog__message-container "
            f"data-message-id={n}00001><div class=chatlog__message><div class=chatlog__message-aside></div>"
            f"<div class=chatlog__message-primary><div class=chatlog__header><span class=chatlog__author title=x data-user-id=1>"
            f'{who}</span> <span class=chatlog__timestamp title="{t:%A, %B %-d, %Y %-I:%M %p}"><a href=#x>{t:%x}</a></span>'
            f'</div><div class="chatlog__content chatlog__markdown"><span class=chatlog__markdown-preserve>{html.escape(said)}'
            "</span></div></div></div></div></div>" for n, (t, who, said) in numbered(talk)
        )
        + "</div><div class=postamble><div class=postamble__entry>Exported 6 message(s)</div></div></body></html>"
    )}  # fmt: skip


def discord_html_old(talk: Conversation) -> Files:
    """As it wrote until 2021: the author and the time belong to a group of messages."""
    return {"Pond - tea [900001].html": (
        '<!DOCTYPE html>\n<html>\n<body>\n<div class="chatlog">\n' + "\n".join(
            '<div class="chatlog__message-group">\n<div class="chatlog__author-avatar-container"></div>\n'
            f'<div class="chatlog__messages">\n<span class="chatlog__author-name" title="{who}#0001">{who}</span>\n'
            f'<span class="chatlog__timestamp">{t:%d-%b-%y %I:%M %p}</span>\n'
            f'<div class="chatlog__message " data-message-id="{n}00001" id="message-{n}00001">\n<div class="chatlog__content">\n'
            f'<div class="markdown"><span class="preserve-whitespace">{html.escape(said)}</span></div>\n</div>\n</div>\n'
            "</div>\n</div>" for n, (t, who, said) in numbered(talk)
        ) + "\n</div>\n</body>\n</html>\n"
    )}  # fmt: skip


def google_voice(talk: Conversation) -> Files:
    people = {
        who: f'<cite class="sender vcard"><a class="tel" href="tel:+1555{i}"><span class="fn">{who}</span></a></cite>'
        for who, i in IDS.items()
    }
    return {"Takeout/Voice/Calls/Group Conversation - 2021-12-31T18_05_00Z.html": (
        '<?xml version="1.0" ?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">\n'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Group Conversation</title></head>\n<body><div '
        f'class="hChatLog hfeed"><div class="participants">Group conversation with:\n{", ".join(people.values())}</div>'
        + "\n".join(
            f'<div class="message"><abbr class="dt" title="{t.isoformat()}.000+00:00">{t:%b %d, %Y, %I:%M:%S %p}\n'
            f"Coordinated Universal Time</abbr>:\n{people[who]}:\n<q>{_lines(said)}</q>\n</div>" for t, who, said in talk
        )
        + '</div><div class="tags">Labels: <a rel="tag" href="#">Text</a></div></body></html>'
    )}  # fmt: skip
