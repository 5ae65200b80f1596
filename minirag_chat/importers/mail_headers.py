"""Parses the headers of a mail: sender, recipients, time, subject and references."""

from __future__ import annotations

import email.utils
import re
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header, make_header
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache, partial

from minirag_chat.importers.base import clean_name
from minirag_chat.importers.limits import LONGEST_NAME, cell
from minirag_chat.lazy_patterns import lazy

_LONGEST_WORDS = 2000  # characters of encoded words that are decoded
_LONGEST_LIST = 4000  # characters of a list of addresses
_ID = lazy(r"<([^<>\s]{1,300})>")
_REPLIED = lazy(
    r"\s*(?:re|aw|antw|antwort|sv|vs|ref|rif|res|odp|ynt|fwd?|wg|tr|rv|enc|doorst|回复|回覆|答复|转发|轉寄)"
    r"\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,2})?\s?[:：]",  # noqa: RUF001 - the colon of Chinese
    re.IGNORECASE,
)
_VIA = lazy(r" (?:via|através de|über) .{1,80}$", re.IGNORECASE)
_QUOTES = "'\"\u2018\u2019\u201c\u201d "
# A strict parser, the default of newer Python releases, drops a whole list for one odd address in it.
_addresses = (
    partial(getaddresses, strict=False)
    if getattr(email.utils, "supports_strict_parsing", False)
    else getaddresses
)


def words_in(raw: str) -> str:
    """Decode a header's text, given as Latin-1: encoded words and UTF-8 bytes."""
    raw = raw[:_LONGEST_WORDS]
    if not raw.isascii():
        data = raw.encode("latin-1", "replace")
        try:
            raw = data.decode("utf-8")
        except UnicodeDecodeError:
            raw = data.decode("cp1252", "replace")
    if "=?" in raw:
        try:
            raw = str(make_header(decode_header(raw)))
        except (MessageError, LookupError, ValueError):
            return " ".join(raw.split())
    return " ".join(raw.split())


def people_in(raw: str) -> tuple[tuple[str, str], ...]:
    """Return the names and addresses in a header; a name that only repeats the address is empty."""
    return _people(raw[:_LONGEST_LIST])


@lru_cache(maxsize=512)  # the same people write again and again
def _people(raw: str) -> tuple[tuple[str, str], ...]:
    try:
        found = _addresses([raw])
    except (RecursionError, ValueError, IndexError):
        return ()
    people = []
    for written, address in found:
        name = clean_name(words_in(written)).strip(_QUOTES)[:LONGEST_NAME]
        name = "" if "@" in name else _VIA.sub("", name)
        if address or name:
            people.append((name, address.strip(_QUOTES).lower()[:LONGEST_NAME]))
    return tuple(people)


def bare(subject: str) -> tuple[str, bool]:
    """Return a subject without prefixes such as Re: and Fwd:, and whether it had any."""
    at = 0
    while match := _REPLIED.match(subject, at):
        at = match.end()
    return subject[at:].strip(), at > 0


def ids_in(raw: str) -> list[str]:
    """Return the ids of mails in a header."""
    return _ID.findall(raw)


def moment_in(raw: str) -> datetime | None:
    """Return the instant of a date header; without a zone it is read as UTC."""
    try:
        found = parsedate_to_datetime(cell(raw))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
