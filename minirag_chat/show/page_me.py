"""Who asks, on the page: "Which of these is you?", asked once after an import. No Gradio in here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from minirag_chat.errors import NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import CalledOwner, Person
from minirag_chat.show.page_html import button, visible_name, who
from minirag_chat.show.page_tabs import BrowserCommand, Tab, number, say
from minirag_chat.show.safe_text import in_html
from minirag_chat.store.same_names import is_fuller
from minirag_chat.ui_text import called_only, one_with_you

NAMED, MOST = 5, 200  # people with a button; people in the list of the others


def commands() -> dict[str, Callable[[Tab, str], BrowserCommand | None]]:
    """The page's commands: name the person, or nobody, ask again, leave it; one more name is theirs."""
    return {
        "me": _me, "nobody": _nobody, "whoami": _again, "keepme": _keep, "metoo": _too, "notme": _not_too,
    }  # fmt: skip


def _me(tab: Tab, value: str) -> BrowserCommand | None:
    _own(tab)
    tab.must_be_free()
    me = tab.corpus.memory.set_me(number(value))
    tab.choosing = False
    if me is None or not (one := one_with_you(me)):
        return None
    tab.filters = replace(tab.filters, people=())  # one of them may have been the other name
    return say(f"{one} The pencil beside the name undoes that.")


def _nobody(tab: Tab, _value: str) -> None:
    _own(tab)
    tab.must_be_free()
    tab.corpus.memory.set_me(None)
    tab.choosing = False


def _again(tab: Tab, _value: str) -> None:
    _own(tab)
    tab.choosing = True


def _keep(tab: Tab, _value: str) -> None:
    tab.choosing = False


def _too(tab: Tab, value: str) -> BrowserCommand:
    """Make another name of the asker one person with them, shown by the fuller name."""
    other, me = _other(tab, value)
    fuller = is_fuller(other.shown_name, me.shown_name)
    pair = (me, other) if fuller else (other, me)
    tab.corpus.memory.merge_people(*(one.name for one in pair))
    tab.filters = replace(tab.filters, people=())  # one of them may have been the other name
    names = [visible_name(one.shown_name, 40) for one in pair]
    return say(f"{names[0]} is now {names[1]}. The pencil beside the name undoes it.")


def _not_too(tab: Tab, value: str) -> BrowserCommand:
    other, me = _other(tab, value)
    tab.corpus.memory.keep_apart(other.name, me.name)
    names = [visible_name(one.shown_name, 40) for one in (other, me)]
    return say(f"{names[0]} and {names[1]} stay two people.")


def _other(tab: Tab, value: str) -> tuple[Person, Person]:
    """The other name that is asked about, and the asker."""
    _own(tab)
    tab.must_be_free()
    memory = tab.corpus.memory
    others = [one for one in memory.may_be_me_too() if one.id == number(value)]
    me = memory.me
    if not others or me is None:
        raise NotFound("That is not asked any more: the names have changed.")
    return others[0], me


def _own(tab: Tab) -> None:
    if not tab.corpus.mine:
        raise NotFound("Nobody in these messages is you: they are a sample.")


def question(tab: Tab) -> str:
    """The question above the input box until the user has said who they are, or nobody here."""
    if not tab.corpus.mine or (tab.job is not None and tab.job.running and tab.job.imports):
        return ""
    memory = tab.corpus.memory
    called = memory.only_called()
    people = memory.likely_me(MOST)
    if not people and tab.choosing:
        people = list(memory.people())[:MOST]
    if not people:
        return _one_more(memory)
    named = [(person, visible_name(person.shown_name, 40)) for person in people]
    names = [
        button("me", person.id, f"I am {name}", css="mc-chip", words=name)
        for person, name in named[:NAMED]
    ]
    joins = (
        f" {called_only(called)}: that is joined with the name that you choose." if called else ""
    )
    nobody = "None of them" if len(people) > 1 else "No"
    skip = button("nobody", "", "I am none of them", css="mc-link", words=nobody)
    if tab.choosing:
        skip += button("keepme", "", "Leave it as it is", css="mc-link", words="Cancel")
    return (
        '<div class="mc-note mc-who" role="group" aria-label="Who you are">'
        "<p><b>Which of these is you?</b> Questions may then say \u201cI\u201d and \u201cmy\u201d."
        f"{in_html(joins)}</p>"
        f"{''.join(names)}{_others(named[NAMED:])}{skip}</div>"
    )


def _one_more(memory: ChatMemory) -> str:
    """The question whether another name is the asker's too; of several names the first is asked about."""
    others, me = memory.may_be_me_too(), memory.me
    if not others or me is None:
        return ""
    name, mine = (visible_name(one.shown_name, 40) for one in (others[0], me))
    yes = button("metoo", others[0].id, f"I am {name} too", css="mc-chip", words="Yes")
    no = button("notme", others[0].id, f"I am not {name}", css="mc-chip", words="No")
    return (
        '<div class="mc-note mc-who" role="group" aria-label="Who you are">'
        f"<p><b>Are you {in_html(name)} too?</b> \u201cI\u201d in questions means {in_html(mine)} alone.</p>"
        f"{yes}{no}</div>"
    )


def known(me: Person | None, called: Sequence[CalledOwner] = ()) -> str:
    """The lines under the people: who asks, how to change it, and names that may be one person.

    ``called`` is all that exports say of who asks, while one of the other names may be theirs.
    """
    said = f"You are {who(me.shown_name)}" if me else "Who you are is not set"
    if called:
        said = f"{in_html(called_only(called))}: your name is not set"
    words = "Change" if me and not called else "Set"
    change = button("whoami", "", f"{words} who you are", css="mc-link", words=words)
    alike = button("alike", css="mc-link", words="One person under two names?")
    return f'<p class="mc-quiet mc-me">{said} {change}<br>{alike}</p>'


def _others(named: Sequence[tuple[Person, str]]) -> str:
    if not named:
        return ""
    options = "".join(f'<option value="{p.id:d}">{in_html(name)}</option>' for p, name in named)
    return (
        '<label class="mc-quiet">Another <select data-change="me" aria-label="Another name">'
        f'<option value="">\u2026</option>{options}</select></label>'
    )
