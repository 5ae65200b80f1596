"""A question → its semantic mapping (paper 3.2.1) and its shape: what code can compute itself."""

from __future__ import annotations

from minirag_chat.question.about_answer import asks_about_answer
from minirag_chat.question.about_messages.asks_for_notices import asks_for_notices
from minirag_chat.question.about_messages.metadata import listing
from minirag_chat.question.about_program import asks_about_program
from minirag_chat.question.chats import in_named_chat, names_the_group, with_title_of_group
from minirag_chat.question.correction import with_other_namesake, without_correction
from minirag_chat.question.first_person import about, is_first_person
from minirag_chat.question.follow_up import MOST_HISTORY, FollowUp, carried, follow_up
from minirag_chat.question.how_long_until import event_until, when_it_is, with_event_before
from minirag_chat.question.in_english import (
    may_ask_about_messages,
    same_time,
    with_names,
    with_placeholders,
)
from minirag_chat.question.mapping import answer_types, event_question, map_question, with_person
from minirag_chat.question.misspelt import spelling_note, with_right_spelling
from minirag_chat.question.my_contact import with_my_contacts, with_name_of_several
from minirag_chat.question.named_entities import people_in
from minirag_chat.question.otherwise_called import people_as_asked, relatives_note, with_partner
from minirag_chat.question.own_words import in_own_words
from minirag_chat.question.placeholders import without_marks
from minirag_chat.question.plan import make_plan
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.politeness import without_politeness
from minirag_chat.question.several import asks_for_several
from minirag_chat.question.small_talk import is_small_talk
from minirag_chat.question.translation import foreign_language, languages_of, translated
from minirag_chat.question.unknown_names import (
    ALIKE_SURNAME,
    UnknownChat,
    possible_chats,
    possible_people,
    unknown_chat,
    unknown_person,
    unknown_relative,
)
