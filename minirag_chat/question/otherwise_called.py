"""The people whom questions name otherwise than the messages do: "theo" for theo_hx, "mum" for Mama.

A word means its person only where nobody is called so, by a name or a nickname. Nobody is joined by it, and
messages are not searched for it: it only finds people in questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import PersonIndex, is_phone_or_mail, last_name, spelling_key
from minirag_chat.question.dictionaries import frequency
from minirag_chat.question.translation import languages_of
from minirag_chat.store import Store

READ_AS = "Nobody is called {word!r}: read as {name!r}."
_EVERYDAY = 5e-6
"""A word that is so often among all words of a language is no name: "coffee" is, and "jessica" is not."""
_OF_ACCOUNTS = frozenset(
    "account admin anon anonymous bot contact deleted guest info itz itzz lil member mister mod mrs official "
    "phone player support team teh test thats thatz unknown user wxid xx xxx".split()
)
_DOMAIN = any_case(r"\.(?:com|net|org|info|io|app|shop|de|uk|fr|it|es|nl|eu|cn|jp)$")
_NAME_BEHIND = lazy(r" (?!I\b)[A-Z][a-z]")  # "Gran Canaria"
_EDGES = lazy(r"^[\W_]+|[\W_]+$")
# A word of three letters or more, before a mark, before digits alone, or before a capital in lower case.
_HANDLE = lazy(
    r"(?:(?P<marked>[^\W\d_]{3,20})[._][\w.-]+|(?P<lower>[^\W\d_A-Z]{3,20})(?:-[^\WA-Z]+|(?=[A-Z])\w+)"
    r"|(?P<numbered>[^\W\d_]{3,20})\d+)"
)
_RELATIVES = """\
mother mum mom mummy mommy mam mama mamma mami maman mutti mutter mamá mamãe mãe madre moeder amma ammi umma\
 äiti мама 妈妈 媽媽 お母さん 엄마
father dad daddy papa pappa papi baba vati vater papá papai padre pai père vader abba abbu appa tata tato isä\
 папа 爸爸 お父さん 아빠
grandmother grandma granny gran nan nana nanna oma omi großmutter abuela abuelita nonna avó vovó mamie mormor\
 farmor babcia bibi бабушка 奶奶 外婆 姥姥 おばあちゃん 할머니
grandfather grandpa grandad granddad gramps opa opi großvater abuelo nonno avô vovô papy morfar farfar\
 dziadek babu дедушка 爷爷 外公 姥爷 おじいちゃん 할아버지
sister sis schwester hermana irmã sœur sorella zus сестра 姐姐 妹妹
brother bruder hermano irmão frère fratello broer брат 哥哥 弟弟
aunt auntie aunty tante tía tia zia тётя 阿姨
uncle onkel tío tio zio oom дядя 叔叔"""
"""What people call one relative, in English and other languages: a row for each."""
_CHAT_WITH = any_case(r"\b(?:chats?|conversations?|messages|texts|dms?|threads?) with $")
_WHOSE = any_case(r"(?:['\u2019]s?|s)\s+$|\b(?P<their>your|his|her|its|their|whose)\s+$")
_LEAD = 20  # characters before a name that are searched for "chat with ", and for whose it is

Place = tuple[int, int, tuple[int, ...]]


def people_as_asked(store: Store) -> PersonIndex:
    """Finds people in a question: by their names, nicknames, handles, and other words for a relative."""
    found: PersonIndex = store.cache.get("people as asked otherwise", partial(_index, store))
    return found


def without_relatives_of_others(store: Store, text: str, found: Sequence[Place]) -> list[Place]:
    """The places of names without "mum" in "Tom's mum", and without "aunt" in "aunt Sarah": not the asker's.

    Only of other words for a relative: a name stays.
    """
    words = _by_relative(store)
    if not words:
        return list(found)
    begins = {start for start, *_rest in found}
    ends = {end for _start, end, _owners in found}

    def is_of_other(start: int, end: int) -> bool:
        if spelling_key(text[start:end]) not in words:
            return False
        whose = _WHOSE.search(text, max(0, start - _LEAD), start)
        owned = whose is not None and (whose["their"] is not None or whose.start() in ends)
        return owned or end + 1 in begins or _NAME_BEHIND.match(text, end) is not None

    return [place for place in found if not is_of_other(*place[:2])]


def relatives_note(store: Store, text: str, found: Sequence[Place]) -> str:
    """Whom a question means by another word for a relative; empty if it names none so.

    ``found`` are the names in its text.
    """
    words = _by_relative(store)
    shown = {
        text[start:end]: store.people.shown_by_id(owners[0])
        for start, end, owners in found
        if words.get(spelling_key(text[start:end])) in owners
    }
    return " ".join(READ_AS.format(word=word, name=name) for word, name in shown.items())


def with_partner(store: Store, question: str, people: PersonIndex) -> str:
    """The question with "my chat with theo_hx" for "my chat with theo", if no message is by a "theo".

    Titles of chats have the names that the messages have.
    """
    known = store.people.index()
    for start, end, owners in sorted(people.find(question), reverse=True):
        led = _CHAT_WITH.search(question, max(0, start - _LEAD), start)
        if led and len(owners) == 1 and not known.knows(question[start:end]):
            question = f"{question[:start]}{store.people.shown_by_id(owners[0])}{question[end:]}"
    return question


def _index(store: Store) -> PersonIndex:
    """The index of names and nicknames, with what else each person may be called."""
    otherwise = [*_by_relative(store).items()]
    handles = _by_handle(store)
    if not otherwise and not handles:
        return store.nicknames.index()
    called = ((word, person) for word, people in handles.items() for person in people)
    return store.nicknames.index_with((*otherwise, *called))


def _by_handle(store: Store) -> Mapping[str, set[int]]:
    """The people whose name is a handle, by its first word, where nobody else is called so."""
    found: dict[str, set[int]] = defaultdict(set)
    for person, names in store.people.spellings().items():
        for name in names:
            if word := first_of_handle(name):
                found[word].add(person)
    if not found:
        return found
    known = store.nicknames.index()
    last = {
        last_name(name).casefold() for names in store.people.spellings().values() for name in names
    }
    free = [word for word in found if not known.knows(word) and word not in last]
    languages = {"en", *store.messages.languages(languages_of)} if free else set()
    return {word: found[word] for word in free if not _is_everyday(word, languages)}


def _by_relative(store: Store) -> Mapping[str, int]:
    """The only contact that is called by a word for a relative, by all other words for this relative.

    No word that somebody is called by, and none for one of whom there are two contacts.
    """
    found: Mapping[str, int] = store.cache.get("relatives", partial(_relatives, store))
    return found


def _relatives(store: Store) -> Mapping[str, int]:
    me, known = store.me.id(), store.nicknames.index()
    called: dict[str, set[int]] = defaultdict(set)
    for person, names in store.people.forms().items():
        for name in names if person != me else ():
            called[spelling_key(_EDGES.sub("", name))].add(person)
    found = {}
    for words in map(str.split, _RELATIVES.splitlines()):
        people = {person for word in words for person in called.get(word, ())}
        if len(people) == 1:
            (person,) = people
            found.update({word: person for word in words if not known.knows(word)})
    return found


def first_of_handle(name: str) -> str:
    """The key of the first word of a handle, as of theo_hx, zuri.k, theoHX99; "" of any other name.

    Not of an address, and not if the word is too common for a name: the_real_x, mr.x.
    """
    handle = _EDGES.sub("", name)
    found = _HANDLE.fullmatch(handle)
    if found is None or is_phone_or_mail(name) or "@" in name.lstrip("@") or _DOMAIN.search(handle):
        return ""
    word = spelling_key(found["marked"] or found["lower"] or found["numbered"])
    return "" if word in NOT_NAMES or word in _OF_ACCOUNTS else word


def _is_everyday(word: str, languages: Collection[str]) -> bool:
    """Whether a word is so common in one of these languages that it is no name."""
    return any(frequency(language, word) >= _EVERYDAY for language in languages)
