"""The page's small pieces of HTML: icons, buttons, names, days. All text is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from minirag_chat.show.safe_text import in_html, plain

_ICONS = {
    "menu": '<path d="M3 5h14M3 10h14M3 15h14"/>',
    "panel": '<rect x="3" y="4" width="14" height="12" rx="2"/><path d="M12.5 4v12"/>',
    "theme": '<circle cx="10" cy="10" r="6.5"/><path d="M10 3.5v13a6.5 6.5 0 0 0 0-13z" fill="currentColor"/>',
    "settings": '<path d="M3 6h7M14 6h3M3 14h3M10 14h7"/><circle cx="12" cy="6" r="2"/><circle cx="8" cy="14" r="2"/>',
    "new": '<path d="M4 16l.8-3.4L13.5 4a1.6 1.6 0 0 1 2.4 2.4L7.3 15.2z"/><path d="M11 16h5"/>',
    "save": '<path d="M10 3v9M6.5 8.5L10 12l3.5-3.5M4 16h12"/>',
    "copy": '<rect x="7" y="7" width="9" height="9" rx="2"/><path d="M13 7V5.5A1.5 1.5 0 0 0 11.5 4h-6A1.5 1.5 0 0 0 4 5.5v6A1.5 1.5 0 0 0 5.5 13H7"/>',
    "retry": '<path d="M15.5 7A6 6 0 1 0 16 11"/><path d="M16 3.5V7.5H12"/>',
    "edit": '<path d="M4 16l.8-3.4L13.5 4a1.6 1.6 0 0 1 2.4 2.4L7.3 15.2z"/>',
    "like": '<path d="M6.5 9l3-5.5c1.2 0 1.9.9 1.7 2L10.8 8H15a1.5 1.5 0 0 1 1.5 1.8l-.9 4.5a1.5 1.5 0 0 1-1.5 1.2H6.5zM3.5 9h3v6.5h-3z"/>',
    "dislike": '<path d="M13.5 11l-3 5.5c-1.2 0-1.9-.9-1.7-2l.4-2.5H5a1.5 1.5 0 0 1-1.5-1.8l.9-4.5A1.5 1.5 0 0 1 5.9 4.5h7.6zM16.5 11h-3V4.5h3z"/>',
    "delete": '<path d="M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10"/>',
    "close": '<path d="M5 5l10 10M15 5L5 15"/>',
    "why": '<circle cx="5" cy="10" r="2"/><circle cx="15" cy="5" r="2"/><circle cx="15" cy="15" r="2"/><path d="M6.8 9l6.4-3.2M6.8 11l6.4 3.2"/>',
    "back": '<path d="M12 4l-6 6 6 6"/>',
    "group": '<circle cx="7" cy="7" r="2.5"/><circle cx="14" cy="8" r="2"/><path d="M2.5 16c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5M13 12c2.400 0 4 1.300 4 3.500"/>',
    "direct": '<circle cx="10" cy="7" r="3"/><path d="M4 16.500c0-3.300 2.600-5 6-5s6 1.700 6 5"/>',
    "person": '<circle cx="10" cy="7" r="3"/><path d="M4 16.500c0-3.300 2.600-5 6-5s6 1.700 6 5"/>',
    "chat": '<path d="M4 5h12v8H9l-3.500 3v-3H4z"/>',
    "time": '<circle cx="10" cy="10" r="6.500"/><path d="M10 6v4l2.500 1.500"/>',
}


def icon(name: str) -> str:
    """A line drawing in the colour of the text, hidden from screen readers."""
    return (
        '<svg class="mc-icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">'
        f"{_ICONS[name]}</svg>"
    )


def button(
    do: str,
    value: object = "",
    label: str = "",
    picture: str = "",
    *,
    css: str = "mc-act",
    event: str = "do",
    pressed: bool | None = None,
    words: str = "",
) -> str:
    """A button that sends ``do`` and ``value`` to the server.

    ``words`` are its visible text, ``label`` its accessible name if that is another one. ``event`` "ask" asks
    a question, "client" stays in the browser.
    """
    state = "" if pressed is None else f' aria-pressed="{str(pressed).lower()}"'
    inside = (icon(picture) if picture else "") + (
        f"<span>{in_html(words)}</span>" if words else ""
    )
    named = f' aria-label="{in_html(label)}" title="{in_html(label)}"' if label else ""
    return (
        f'<button type="button" class="{css}" data-{event}="{in_html(do)}" '
        f'data-value="{in_html(str(value))}"{named}{state}>{inside}</button>'
    )


def box(words: str, *below: str, role: str = "") -> str:
    """A box: a paragraph of HTML, and the buttons below it."""
    marked = f' role="{role}"' if role else ""
    return f'<div class="mc-note"{marked}><p>{words}</p>{"".join(below)}</div>'


def segments(label: str, buttons: Sequence[str]) -> str:
    """Buttons of which one is pressed, side by side."""
    return f'<div class="mc-segments" role="group" aria-label="{label}">{"".join(buttons)}</div>'


def visible_name(name: str, longest: int = 80) -> str:
    """A person's name as plain text; one without a visible character is described as such."""
    shown = plain(name, longest)
    visible = any(
        c.isprintable() and not c.isspace() and c not in "\u200b\u200c\u200d\u2060\ufeff"
        for c in shown
    )
    return shown if visible else "(no visible name)"


def who(name: str) -> str:
    """A person's name, isolated (bidi)."""
    return f"<bdi>{in_html(visible_name(name))}</bdi>"


def title_of(text: str) -> str:
    """A chat's title, isolated (bidi)."""
    return f"<bdi>{in_html(plain(text, 120)) or '(no title)'}</bdi>"


def quiet(sentence: str) -> str:
    """A sentence to show when there is no content."""
    return f'<p class="mc-quiet">{in_html(sentence)}</p>'


def day(moment: datetime) -> str:
    """As in "21 Feb 2026"."""
    return f"{moment.day} {moment:%b %Y}"
