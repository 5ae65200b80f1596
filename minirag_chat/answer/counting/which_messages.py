"""Which messages a question is about: of whom, and in which chats."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.answer.counting.verdict import filtered_out, people_of_names
from minirag_chat.answer.where_and_when import of_chats, where_and_when
from minirag_chat.records import Filters, Metadata, Wanted
from minirag_chat.store import Store
from minirag_chat.ui_text import joined

_PAIR = 2


def which_messages(store: Store, plan: Metadata) -> Filters | str:
    """Which messages are asked about; if there can be none, the sentence that says why."""
    filters = plan.question.filters
    if plan.elsewhere:
        asked = of_chats(store, Filters(chats=plan.elsewhere))
        return f"The filter leaves only messages{of_chats(store, filters)}, and none{asked}."
    if plan.senders:
        people = plan.senders & filters.people if filters.people else plan.senders
        if left_out := filtered_out(plan) if people else plan.senders:
            left, asked = (
                joined(store.people.shown_names(of)) for of in (filters.people, left_out)
            )
            return f"The filter leaves only messages from {left}, and none from {asked}."
        silent_too = plan.asks == Wanted("partners", "fewest")  # with whom nobody wrote anything
        filters = replace(filters, people=frozenset() if silent_too else people)
    if plan.without:
        wrote = {person for person, *_rest in store.message_counts.by_sender(filters)}
        if filters.people and filters.people <= plan.without:
            only = joined(store.people.shown_names(filters.people))
            return f"The filter leaves only messages from {only}, and none from anybody else."
        if not wrote - plan.without:
            return f"Nobody else wrote{where_and_when(store, filters)}."
        filters = replace(filters, people=frozenset(wrote - plan.without))
    if plan.between:
        return _in_shared_chat(store, plan, filters)
    return _where_both_write(store, plan, filters) if _compares_asker(store, plan) else filters


def _compares_asker(store: Store, plan: Metadata) -> bool:
    """Whether the asker is one of two whose numbers of messages are compared: "do I write more than Ann?"."""
    ranks = plan.asks.what in {"writers", "difference"} and not (
        plan.files or plan.marked or plan.word
    )
    named = {*people_of_names(plan)}
    me = store.me.id()
    return ranks and me is not None and len(named) == _PAIR and frozenset({me}) in named


def _where_both_write(store: Store, plan: Metadata, filters: Filters) -> Filters:
    """The filters with the chats in which both write; as they are if there is none, or chats are named."""
    compared_people = people_of_names(plan)
    shared = frozenset(
        chat
        for chat, people in store.messages.participants().items()
        if all(named & people.keys() for named in compared_people)
    )
    return replace(filters, chats=shared) if shared and not filters.chats else filters


def _in_shared_chat(store: Store, plan: Metadata, filters: Filters) -> Filters | str:
    """The filters with the chats in which only those asked about write, or else with all that they share."""
    asker = store.me.id()
    me = {asker} if asker else set()
    # A chat in which only one person writes is with the asker, who never answered there.
    members = {
        chat: people.keys() | me if len(people) == 1 else people.keys()
        for chat, people in store.messages.participants().items()
    }
    sizes = {
        chat: len(people)
        for chat, people in members.items()
        if plan.between <= people and chat in (filters.chats or {chat})
    }
    if not sizes:
        names = store.people.shown_names(plan.between)
        have = {1: "has not", 2: "have not both"}.get(len(names), "have not all")
        one = "" if len(filters.chats) == 1 else " in one chat"
        return f"{joined(names)} {have} written{one}{of_chats(store, filters)}."
    own = frozenset(chat for chat in sizes if sizes[chat] <= max(2, len(plan.between)))
    return replace(filters, chats=own or frozenset(sizes))
