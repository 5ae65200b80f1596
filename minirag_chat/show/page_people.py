"""A person on the page: other spellings, the same person as another one, a new name. No Gradio in here."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from minirag_chat.errors import BadDeletion, NotFound
from minirag_chat.memory.identity import Suggestion
from minirag_chat.memory.nickname import LONGEST_NICKNAME
from minirag_chat.records import Person
from minirag_chat.show.page_delete import LONGEST_NAME, PendingDeletion, must_be_changeable
from minirag_chat.show.page_html import box, button, visible_name, who
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import BrowserCommand, Tab, number, say
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.ui_text import count

MOST_SUGGESTED = 5  # pairs of names that are shown at once
MOST_LISTED = 500  # people in the list of those who may be the same

_ON_CLOSE: BrowserCommand = {"do": "focus on", "name": "closeperson"}
_ON_KEEP: BrowserCommand = {"do": "focus on", "name": "delno"}
_ON_QUESTION: BrowserCommand = {"do": "focus"}


class PeopleCommands:
    """Carries out the page's commands that say who is who."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.commands: dict[str, Callable[[Tab, str], BrowserCommand | None]] = {
            "someone": self._open, "closeperson": self._close, "rename": self._rename,
            "nickname": self._nickname, "nonickname": self._no_nickname,
            "sameas": self._same_as, "join": self._join_chosen, "apart": self._apart,
            "alike": self._alike, "onepair": self._one_pair, "twopair": self._two_pair,
        }  # fmt: skip

    def _open(self, tab: Tab, value: str) -> BrowserCommand:
        self._changing(tab)
        tab.person, tab.same_as = _person(tab, number(value)).id, 0
        tab.alike = tab.asking = None
        return _ON_CLOSE

    def _close(self, tab: Tab, _value: str) -> BrowserCommand:
        tab.person, tab.alike = 0, None
        return _ON_QUESTION

    def _rename(self, tab: Tab, value: str) -> BrowserCommand:
        """Ask whether to replace the person's name everywhere."""
        self._changing(tab)
        person, by = _person(tab, tab.person).id, value[: LONGEST_NAME + 1]
        found = tab.corpus.memory.preview_name(person, by)
        tab.asking, tab.person = PendingDeletion(found, {}, person, by), 0
        return _ON_KEEP

    def _same_as(self, tab: Tab, value: str) -> None:
        """Choose who the open person is the same as; the button that joins them is shown then."""
        self._changing(tab)
        tab.same_as = _person(tab, number(value)).id if value else 0

    def _join_chosen(self, tab: Tab, value: str) -> BrowserCommand:
        """Make the open person the same as the chosen one, whose name is shown from then on."""
        self._changing(tab)
        if number(value) != tab.same_as:
            raise BadDeletion("The choice changed while you pressed: read it again.")
        one, other = _person(tab, tab.person), _person(tab, tab.same_as)
        return self._join(tab, one.name, other.name)

    def _apart(self, tab: Tab, value: str) -> BrowserCommand:
        """Make a spelling of the open person a person of its own again."""
        self._changing(tab)
        if value not in _person(tab, tab.person).spellings[1:]:
            raise NotFound("That name was split off meanwhile.")
        return self._split(tab, value)

    def _nickname(self, tab: Tab, value: str) -> None:
        """Let questions call the open person by this name too."""
        self._changing(tab)
        tab.corpus.memory.set_nickname(value[: LONGEST_NAME + 1], _person(tab, tab.person).id)

    def _no_nickname(self, tab: Tab, value: str) -> None:
        """Remove a nickname."""
        self._changing(tab)
        tab.corpus.memory.set_nickname(value[: LONGEST_NAME + 1], None)

    def _alike(self, tab: Tab, _value: str) -> BrowserCommand:
        """Look for names that may be one person, and for joined names that may be two."""
        self._changing(tab)
        tab.person, tab.asking = 0, None
        tab.alike = tuple(tab.corpus.memory.suggest_people()[:MOST_SUGGESTED])
        return _ON_CLOSE

    def _one_pair(self, tab: Tab, value: str) -> BrowserCommand:
        self._changing(tab)
        pair = _suggested(tab, value)
        return self._join(tab, pair.spelling, pair.into)

    def _two_pair(self, tab: Tab, value: str) -> BrowserCommand:
        self._changing(tab)
        pair = _suggested(tab, value)
        if pair.action == "split":
            return self._split(tab, pair.spelling)
        tab.corpus.memory.keep_apart(pair.spelling, pair.into)
        self._changed(tab)
        return say(
            f"{visible_name(pair.spelling, 40)} and {visible_name(pair.into, 40)} stay two people."
        )

    def _join(self, tab: Tab, spelling: str, into: str) -> BrowserCommand:
        tab.corpus.memory.merge_people(spelling, into)
        self._changed(tab)
        now = visible_name(into, 40)
        return say(
            f"{visible_name(spelling, 40)} is now {now}. The pencil beside the name undoes it."
        )

    def _split(self, tab: Tab, spelling: str) -> BrowserCommand:
        tab.corpus.memory.split_person(spelling)
        self._changed(tab)
        return say(f"{visible_name(spelling, 40)} is a person of their own, also in later imports.")

    def _changed(self, tab: Tab) -> None:
        """After two people became one, or one two: filters by people may mean others now."""
        tab.filters = replace(tab.filters, people=())
        tab.person = 0
        if tab.alike is not None:
            tab.alike = tuple(tab.corpus.memory.suggest_people()[:MOST_SUGGESTED])

    def _changing(self, tab: Tab) -> None:
        must_be_changeable(self._sessions, tab, "change who is who")


def _person(tab: Tab, identity: int) -> Person:
    found = next((one for one in tab.corpus.memory.people() if one.id == identity), None)
    if found is None:
        raise NotFound("This person is no longer there.")
    return found


def _nicknames(tab: Tab, person: Person) -> list[str]:
    called = tab.corpus.memory.nicknames().items()
    return [name for name, meant in called if meant.id == person.id]


def _suggested(tab: Tab, value: str) -> Suggestion:
    """The shown suggestion that is about the two names of a press."""
    found = next((pair for pair in tab.alike or () if _key(pair) == value), None)
    if found is None:
        raise NotFound("This was decided meanwhile.")
    return found


def _key(pair: Suggestion) -> str:
    return json.dumps([pair.action, pair.spelling, pair.into])


def question(tab: Tab) -> str:
    """The box above the input box: an open person, or names that may be one person."""
    if not tab.deletable:
        return ""
    if tab.alike is None and not tab.person:
        return ""
    people = tab.corpus.memory.people()
    if tab.alike is not None:
        known = {name for person in people for name in person.spellings}
        return _pairs([pair for pair in tab.alike if {pair.spelling, pair.into} <= known])
    found = next((one for one in people if one.id == tab.person), None)
    if found is None:
        return ""
    return _about(found, _nicknames(tab, found), people[:MOST_LISTED], tab.same_as)


def _about(person: Person, nicknames: Sequence[str], people: Sequence[Person], same_as: int) -> str:
    """What is known of a person, and what can be changed; ``same_as`` is the id of who was chosen."""
    name = (
        '<label class="mc-quiet mc-rename">Replace the name everywhere: write the new one and press Enter '
        f'<input type="text" data-change="rename" placeholder="New name" maxlength="{LONGEST_NAME}"></label>'
    )
    delete = button("delperson", person.id, css="mc-small mc-danger", words="Delete their messages")
    close = button("closeperson", css="mc-small", words="Close")
    said = f"<b>{who(person.shown_name)}</b> · {count(person.messages, 'message')}"
    same = _same(person, [one for one in people if one.id != person.id], same_as)
    called = _called(nicknames)
    return box(said, _spelled(person), called, same, name, close, delete, role="group")


def _called(nicknames: Sequence[str]) -> str:
    """What questions may call the person too, each with a button that removes it, and a field for more."""
    rows = [
        f"<li>{who(name)} "
        + button("nonickname", name, f"Remove {visible_name(name)}", css="mc-link", words="Remove")
        + "</li>"
        for name in nicknames
    ]
    listed = f'<ul class="mc-spelled">{"".join(rows)}</ul>'
    known = f'<div class="mc-quiet">In your questions also{listed}</div>' if rows else ""
    return (
        f'{known}<label class="mc-quiet mc-rename">What your questions may call them too '
        '<input type="text" data-change="nickname" placeholder="such as mum" '
        f'maxlength="{LONGEST_NICKNAME}"></label>'
    )


def _same(person: Person, others: Sequence[Person], same_as: int) -> str:
    """The choice of who the person is the same as, and the button that joins them once it is made."""
    options = "".join(
        f'<option value="{one.id:d}"{" selected" if one.id == same_as else ""}>'
        f"{in_html(visible_name(one.shown_name, 60))}</option>"
        for one in others
    )
    chosen = next((visible_name(one.shown_name, 40) for one in others if one.id == same_as), "")
    words = f"Join: {visible_name(person.shown_name, 40)} becomes {chosen}"
    join = button("join", same_as, css="mc-small", words=words) if chosen else ""
    select = f'<select data-change="sameas"><option value="">\u2026</option>{options}</select>'
    return (
        f'<p><label class="mc-quiet">The same person as {select}</label> {join}</p>'
        if others
        else ""
    )


def _spelled(person: Person) -> str:
    """The other spellings of a person, each with a button that splits it off."""
    rows = [
        f"<li>{who(name)} "
        + button("apart", name, f"Split off {visible_name(name)}", css="mc-link", words="Split off")
        + "</li>"
        for name in person.spellings[1:]
    ]
    listed = f'<ul class="mc-spelled">{"".join(rows)}</ul>'
    return f'<div class="mc-quiet">Also written as{listed}</div>' if rows else ""


def _pairs(pairs: Sequence[Suggestion]) -> str:
    """Names that may be one person, or joined names that may be two, each with its evidence."""
    close = button("closeperson", css="mc-small", words="Close")
    if not pairs:
        return box("No two names look like one person, and no joined ones like two.", close)
    return box("Who is who?", *map(_pair, pairs), close)


def _pair(pair: Suggestion) -> str:
    one, other = who(pair.spelling), who(pair.into)
    merges = pair.action == "merge"
    said = f"{one} may be {other}" if merges else f"{one} was taken to be {other}"
    why = in_html(plain("; ".join(pair.evidence), 300))
    same = button("onepair", _key(pair), css="mc-small", words="One person") if merges else ""
    two = button("twopair", _key(pair), css="mc-small", words="Two people")
    return f'<div class="mc-pair"><p><b>{said}</b> <span class="mc-quiet">{why}</span></p>{same}{two}</div>'
