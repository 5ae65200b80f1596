"""The chats that a question names, by their titles or by the other person in them.

``in_chat.py`` finds "in the Cabin Crew chat", ``everyone.py`` what needs no such word ("in the WG"),
``members.py`` who is in a chat, ``with_person.py`` "in my chat with Ben"; ``titles.py`` says of which chats a
name is the title, or a part of it.
"""

from __future__ import annotations

from minirag_chat.question.chats.everyone import (
    OF_ONE_GROUP,
    ONE_CHAT,
    with_part_of_title,
    without_groups,
    without_titled_times,
)
from minirag_chat.question.chats.in_chat import (
    INSIDE,
    chat_place,
    in_named_chat,
    is_part_of_one_title,
    named_chats,
    names_chat,
    names_the_group,
    sum_up_named_chat,
    unknown_place,
    with_title_of_group,
)
from minirag_chat.question.chats.members import members_of
from minirag_chat.question.chats.titles import (
    GENERIC,
    have_one_title,
    is_club,
    titles_in,
    whole_title,
)
from minirag_chat.question.chats.with_person import chat_with, in_chat_with
