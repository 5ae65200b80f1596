"""The commands about people: list, merge, split, suggest."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from minirag_chat.cli.output import done, here, listed, print_json, say
from minirag_chat.cli.state import Json, memory
from minirag_chat.errors import BadSetting
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Person
from minirag_chat.ui_text import NO_MESSAGES, called_in_exports, called_only, one_with_you

people = typer.Typer(
    help="List everyone who wrote; merge and split the spellings of their names.",
    invoke_without_command=True,
)
MOST_ASKED = 3  # names of which it is asked whether they are the asker's too
WHO = (
    "Which of them is you? `minirag-chat people --me NAME` lets questions say \u201cI\u201d and "
    "\u201cmy\u201d; `--nobody` says that you are none of them."
)


def who_is_asked(opened: ChatMemory) -> str:
    """What the user may say of who they are; empty once it is known."""
    if called := opened.only_called():
        return here(
            f"{called_only(called)}: `minirag-chat people --me NAME` joins that with your name."
        )
    me = opened.me
    if me is None:
        return here(WHO) if opened.likely_me(1) else ""
    return "\n".join(_too(other, me) for other in opened.may_be_me_too()[:MOST_ASKED])


def _too(other: Person, me: Person) -> str:
    pair = shlex.join((other.name, me.name))
    return here(
        f"Is {other.shown_name} you too, as {me.shown_name} is? Yes: `minirag-chat people merge {pair}`. "
        f"No: `minirag-chat people apart {pair}`."
    )


Name = Annotated[
    str,
    typer.Argument(
        help="A name as it is spelled in the messages, or a first name that one person has."
    ),
]


Me = Annotated[
    str | None,
    typer.Option("--me", metavar="NAME", help='Say who you are: "I" and "my" then mean NAME.'),
]
NotMe = Annotated[bool, typer.Option("--nobody", help="Say that you are none of them.")]


@people.callback()
def listing(
    context: typer.Context, me: Me = None, nobody: NotMe = False, as_json: Json = False
) -> None:
    """List everyone who wrote, with the spellings that were resolved to them."""
    if context.invoked_subcommand:
        return
    with memory() as opened:
        if me is not None and nobody:
            raise BadSetting("You are one of them, or none: give --me or --nobody, not both.")
        if me is not None or nobody:
            _set_me(opened, None if nobody else me, as_json=as_json)
            return
        everyone = opened.people()
        asker = opened.me
        rows = [(p.messages, _named(p, asker), ", ".join(p.spellings[1:])) for p in everyone]
        drawn = listed(
            everyone, ("messages", "name", "also spelled"), rows, NO_MESSAGES, as_json=as_json
        )
        if drawn and (asked := who_is_asked(opened)):
            say(asked)


def _named(person: Person, me: Person | None) -> str:
    return f"{person.name} (you)" if me and me.id == person.id else person.name


def _set_me(opened: ChatMemory, name: str | None, *, as_json: bool) -> None:
    me = opened.set_me(name)
    said = here("You are none of them; `minirag-chat people --me NAME` changes that.")
    if me is not None:
        said = f"You are {me.name}: \u201cI\u201d and \u201cmy\u201d in questions mean {me.name}."
        if one := one_with_you(me):
            undo = " ".join(
                f"`minirag-chat people split {shlex.quote(name)}`" for name in called_in_exports(me)
            )
            said += f" {one} Undo with {undo}."
        said = here(said)
    done({"me": me}, said, as_json=as_json)


@people.command()
def merge(spelling: Name, into: Name, as_json: Json = False) -> None:
    """Merge SPELLING into the person INTO. `people split SPELLING` undoes it."""
    with memory() as opened:
        spelling, into = opened.merge_people(spelling, into)
        # another spelling of the person may be the name that is shown
        into = next((one.name for one in opened.people() if into in one.spellings), into)
    undo = here(f"`minirag-chat people split {shlex.quote(spelling)}`")
    said = f"{spelling} is now {into}; undo with {undo}."
    done({"merged": spelling, "into": into}, said, as_json=as_json)


@people.command()
def split(spelling: Name, as_json: Json = False) -> None:
    """Make SPELLING a person of its own again, also on later imports."""
    with memory() as opened:
        spelling, joined = opened.split_person(spelling)
    was = "is a person of their own" if joined else "was joined with nobody"
    kept = "stays one" if joined else "is kept apart from other names"
    document = {"split": spelling, "was_joined": joined}
    done(document, f"{spelling} {was}, and {kept} in later imports.", as_json=as_json)


@people.command()
def apart(one: Name, other: Name, as_json: Json = False) -> None:
    """Say that ONE and OTHER are two people, so that `people suggest` leaves them out."""
    with memory() as opened:
        opened.keep_apart(one, other)
    done({"apart": [one, other]}, f"{one} and {other} stay two people.", as_json=as_json)


@people.command()
def nickname(
    nickname: Annotated[
        str | None, typer.Argument(help="What you call somebody, such as mum.")
    ] = None,
    name: Annotated[str | None, typer.Argument(help="Whom that means.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the nickname.")] = False,
    as_json: Json = False,
) -> None:
    """Let questions call NAME by a NICKNAME ("When did mum last write?"); without both, list them."""
    with memory() as opened:
        if nickname is None:
            called = opened.nicknames()
            rows = [(each, person.shown_name) for each, person in called.items()]
            listed(called, ("nickname", "means"), rows, "There are no nicknames.", as_json=as_json)
            return
        if (name is None) is not remove:
            raise BadSetting("Say whom the nickname means, or --remove.")
        found = opened.set_nickname(nickname, name)
    said = f"\u201c{nickname}\u201d is no nickname any more."
    if found is not None:
        said = f"\u201c{nickname}\u201d means {found.shown_name} in questions."
    done({"nickname": nickname, "person": found}, said, as_json=as_json)


@people.command()
def suggest(as_json: Json = False) -> None:
    """Suggest which names may be one person and which may be two, with the evidence."""
    with memory() as opened:
        found = opened.suggest_people()
        if as_json:
            print_json(found)
            return
        if not found:
            say("Nothing to suggest: no names are alike enough.")
        for item in found:
            tie = "may be" if item.action == "merge" else "may not be"
            say(f"{item.spelling} {tie} {item.into}  ({item.confidence:.0%})", "bold")
            for line in item.evidence:
                say(f"  {line}")
            names = [item.spelling, item.into] if item.action == "merge" else [item.spelling]
            say("  " + here(f"`minirag-chat people {item.action} {shlex.join(names)}`").strip("`"))
