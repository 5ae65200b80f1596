"""Extracts the sender's own text from a mail, without the answered mail, quotations and signatures.

The libraries for this (mail-parser-reply, email-reply-parser) take quadratic time in the length of a text
and need to know its language; here each line is read once.
"""

from __future__ import annotations

import re

# ruff: noqa: RUF001 - words of many languages
from minirag_chat.lazy_patterns import lazy

_LONGEST_LINE = 500  # characters of a line that introduces a quotation
_MOST_HEADERS = 12  # lines searched for the headers of a quoted mail
_LONGEST_SIGNATURE = 12  # lines of a signature, or of a mailing list's footer
_LONGEST_SIGNED = 80  # characters of a line of a signature
_SENTENCE = lazy(r"(?:\S+\s+){3,}\S*[.!?:;,…。！？：；，]")
_SIGNATURE = "-- "  # the line above a signature; many programs drop the space
_VERBS = (
    r"wrote|writes|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(?a?\)?|"
    r"написала?|пишет|yazdı|kirjoitti|írta|napsala?|a scris|写道|寫道|のメール|님이 작성|כתב"
)
_INTRODUCES = lazy(rf"(?:{_VERBS})[^\n]{{0,200}}[:：]$", re.IGNORECASE)
_DASHED = lazy(r"[-_*]{2,}+[^-_\n]{0,80}[-_*]{0,60}")
_QUOTES = lazy(rf"(?:{_VERBS})[^\n]{{0,200}}?[:：]", re.IGNORECASE)
_LATEST_VERB = 150  # characters before the verb that introduces a quotation
_FORWARDED = lazy(
    r"(?:begin |-{2,60} ?)?(?:forwarded message|weitergeleitete nachricht|message transféré|"
    r"mensaje reenviado|mensagem (?:encaminhada|reencaminhada)|messaggio inoltrato|"
    r"doorgestuurd bericht|пересылаемое сообщение|转发的邮件|转发邮件)",
    re.IGNORECASE,
)
_ORIGINAL = lazy(
    r"-{3,60} ?(?:original message|ursprüngliche nachricht|originalnachricht|message d['’]origine|"
    r"mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|"
    r"ursprungligt meddelande|исходное сообщение|原始邮件|原始郵件|元のメッセージ) ?-{3,60}",
    re.IGNORECASE,
)
# As only programs write it: abbreviated, with the weekday and the year.
_MACHINE_INTRODUCES = lazy(
    r"On (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} [A-Z][a-z]{2},?|[A-Z][a-z]{2} \d{1,2},?) \d{4},? "
    r"(?:[^\W\d_a-z][\w.'’-]{0,40} ){1,5}wrote:"
)
_FROM = r"from|von|de|da|van|från|fra|od|от|lähettäjä|kimden|发件人|寄件者|差出人|보낸 사람"
_SUBJECTS = r"subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|тема|aihe|主题|主旨|件名"
_OTHERS = (
    r"sent|date|to|cc|gesendet|datum|an|envoyé|à|enviado(?: el)?|fecha|para|data|inviato|a|verzonden|"
    r"aan|skickat|till|sendt|til|wysłano|do|дата|кому|lähetetty|发送时间|收件人|日付|宛先"
)
_QUOTED_FROM = lazy(rf"[*>\s]{{0,4}}(?:{_FROM})\s?[:：]\*?\s?(\S.{{0,300}})", re.IGNORECASE)
_QUOTED_SUBJECT = lazy(rf"[*>\s]{{0,4}}(?:{_SUBJECTS})\s?[:：]", re.IGNORECASE)
_QUOTED_OTHER = lazy(rf"[*>\s]{{0,4}}(?:{_OTHERS}|{_SUBJECTS})\s?[:：]", re.IGNORECASE)
_ADDRESS = lazy(r"\S@\S")
_DAY = lazy(r"(?<![a-zA-Z\d])\d{4}(?!\d)|\d[./-] ?\d{1,2}[./-] ?\d\d")  # with its year
_CLOCK = lazy(r"\d ?[:h] ?\d\d|\bklo?\.? \d")
_SENT_FROM = lazy(
    r"(?:sent from (?:my|the|yahoo|outlook|mail|proton|samsung)|get outlook for|"
    r"von meine[mr] .{2,30} gesendet|"
    r"gesendet (?:von|mit)|envoyé de(?:puis)? mon|enviado (?:desde|do) m|inviato da|verzonden vanaf|"
    r"skickat från min|sendt fra min|wysłane z|отправлено с|從我的|发自我的)",
    re.IGNORECASE,
)


def own_words(text: str, *, page: bool = False) -> tuple[str, str | None]:
    """Return the sender's words, and whose mail is forwarded, if one is.

    The text of a forwarded mail is kept, since the sender sent it. In the text of a ``page`` (HTML), which
    has other marks for quotations, a line with ``>`` may be the sender's.
    """
    lines = [
        line if line == _SIGNATURE else line.rstrip()
        for line in text.replace("\u00a0", " ").split("\n")
    ]
    at, forwarded = _quoted_mail(lines)
    own = lines[:at] if page and not _has_quotes(lines[:at]) else _without_quotes(lines[:at])
    before = _without_signature(own)
    if forwarded is None:
        return before, None
    who, rest = _split_headers(lines[at + 1 :])
    after = "\n".join(rest).strip()
    return f"{before}\n\n{after}".strip(), who or "someone"


def begins_quotation(text: str, above: str) -> bool:
    """Whether an indented text is a mail that is answered, by its beginning and the line above it.

    It begins as a mail client introduces a quotation: with a date, and a time or an address unless the
    signature of a phone is above.
    """
    verb = _QUOTES.search(text, 0, _LONGEST_LINE)
    if verb is None or verb.start() > _LATEST_VERB or not _DAY.search(text, 0, verb.start()):
        return False
    exact = _CLOCK.search(text, 0, verb.start()) or _ADDRESS.search(text, 0, verb.end())
    return bool(exact or _SENT_FROM.match(above.strip()))


def _quoted_mail(lines: list[str]) -> tuple[int, bool | None]:
    """Return the line where a quoted mail without ``>`` begins, and True if it is forwarded, else None."""
    for number, line in enumerate(lines):
        if not line or len(line) > _LONGEST_LINE:
            continue
        plain = line.strip("* ")
        if _FORWARDED.match(plain) and _has_headers(lines, number + 1):
            return number, True
        if _DASHED.fullmatch(plain) and plain != "--" and _has_headers(lines, number + 1):
            return number, None
        if _ORIGINAL.fullmatch(plain) and _has_headers(lines, number + 1, fewest=1):
            return number, None
        if _QUOTED_FROM.match(line) and _has_headers(lines, number, directly=True):
            return number, None
        introducing = _introducing(lines, number)
        if introducing and not _is_quoted(lines, number + 1):
            return number + 1 - introducing, None
    return len(lines), None


def _has_headers(lines: list[str], start: int, *, directly: bool = False, fewest: int = 2) -> bool:
    """Whether the next lines are headers of a mail: its sender and two others, and a subject or address.

    With ``fewest`` 1 the line before them says that they are: the sender and another one are enough.
    """
    block = [line[:_LONGEST_LINE] for line in lines[start : start + _MOST_HEADERS] if line][:6]
    sender = [n for n, line in enumerate(block) if _QUOTED_FROM.match(line)]
    if not sender or (directly and sender[0] != 0):
        return False
    others = [line for line in block if _QUOTED_OTHER.match(line)]
    is_mail = any(map(_QUOTED_SUBJECT.match, others)) or any(
        map(_ADDRESS.search, [block[sender[0]], *others])
    )
    return (is_mail or fewest == 1) and len(others) >= fewest


def _introducing(lines: list[str], number: int) -> int:
    """Return how many lines up to this one introduce a quotation as a mail client writes it.

    It has a date and an address, or a date and a time before the verb: ``On 3 Jan 2022 18:05 Ann wrote:``; or
    it has the weekday too, as in ``On Mon, 3 Jan 2022, Ann wrote:``.
    """
    line = lines[number]
    if _MACHINE_INTRODUCES.fullmatch(line):
        return 1
    verb = _INTRODUCES.search(line) if line.endswith((":", "\uff1a")) else None
    if verb is None:
        return 0
    addressed = _ADDRESS.search(line)
    if _DAY.search(line) and (addressed or _CLOCK.search(line, 0, verb.start())):
        return 1
    before = lines[number - 1] if number else ""
    return 2 if _begins_introduction(before) and (addressed or _CLOCK.search(before)) else 0


def _begins_introduction(line: str) -> bool:
    """Whether a line may begin an introduction of two: it has a date and ends no sentence."""
    if len(line) > _LONGEST_LINE or line.endswith((".", "!", "?")):
        return False
    return _DAY.search(line) is not None


def _is_quoted(lines: list[str], start: int) -> bool:
    following = next((line for line in lines[start : start + 4] if line), "")
    return following.startswith(">")


def _has_quotes(lines: list[str]) -> bool:
    """Whether lines with ``>`` are quotations for certain: two in a row, or one that is introduced."""
    above = ""
    for line in lines:
        if line.startswith(">") and (above.startswith(">") or _is_introduction(above)):
            return True
        above = line or above
    return False


def _without_quotes(lines: list[str]) -> list[str]:
    """Return the lines that are not quoted, without those that introduce a quotation."""
    kept: list[str] = []
    in_quotes = False
    for line in lines:
        if line.startswith(">"):
            if not in_quotes:
                _drop_introduction(kept)
            in_quotes = True
        elif line or not in_quotes:
            kept += [""] if in_quotes and kept else []
            in_quotes = False
            kept.append(line)
    return kept


def _drop_introduction(kept: list[str]) -> None:
    while kept and not kept[-1]:
        kept.pop()
    if not kept or not _is_introduction(kept[-1]):
        return
    last = kept.pop()
    known, dated = _INTRODUCES.search(last), _DAY.search(last)
    if known and not dated and kept and _begins_introduction(kept[-1]):
        kept.pop()


def _is_introduction(line: str) -> bool:
    """Whether a line introduces the quotation below: with a verb, an address, or a date and a time."""
    if not line.endswith((":", "\uff1a")) or len(line) > _LONGEST_LINE:
        return False
    dated = _DAY.search(line) and _CLOCK.search(line)
    return bool(_INTRODUCES.search(line) or _ADDRESS.search(line) or dated)


def _without_signature(lines: list[str]) -> str:
    """Return the text above a signature, a mailing list's footer, or ``Sent from my phone``."""
    for number, line in enumerate(lines):
        below = len(lines) - number - 1
        if below <= _LONGEST_SIGNATURE and _ends_text(line, lines[number + 1 :]):
            lines = lines[:number]
            break
        if below <= _LONGEST_SIGNATURE and len(line) >= 20 and not line.strip("_"):  # noqa: PLR2004 - a rule
            lines = lines[:number]
            break
    end = len(lines)
    while end and (not lines[end - 1] or _SENT_FROM.match(lines[end - 1][:_LONGEST_LINE])):
        end -= 1
    return "\n".join(lines[:end]).strip()


def _ends_text(line: str, below: list[str]) -> bool:
    """Whether a signature begins with a line: below a bare ``--`` no line is long, or a sentence."""
    return line == _SIGNATURE or (
        line == "--"
        and all(len(line) <= _LONGEST_SIGNED and not _SENTENCE.fullmatch(line) for line in below)
    )


def _split_headers(lines: list[str]) -> tuple[str, list[str]]:
    """Return who wrote a forwarded mail, and its lines without the headers."""
    who, at = "", 0
    for number, line in enumerate(lines[:_MOST_HEADERS]):
        sender = _QUOTED_FROM.match(line[:_LONGEST_LINE])
        if sender is not None and not who:
            who = sender[1].partition("<")[0].strip(" *\"'") or sender[1]
            at = number + 1
        elif _QUOTED_OTHER.match(line[:_LONGEST_LINE]):
            at = number + 1
    return who, lines[at:]


def unwrapped(text: str) -> str:
    """Undo the line breaks of a mail client (format=flowed: broken lines end with a space)."""
    parts: list[str] = []
    for line in text.split("\n"):
        flows = line.endswith(" ") and line != "-- " and not line.startswith(">")
        parts.append(line if flows else f"{line}\n")
    return "".join(parts).removesuffix("\n")
