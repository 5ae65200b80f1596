"""Extracts the sender's own words from a mail: without the answered mail, quotations and signatures.

The libraries for this (mail-parser-reply, email-reply-parser) take quadratic time in the length of a text
and need to know its language; here each line is read once.
"""

from __future__ import annotations

# ruff: noqa: RUF001 - words of many languages
import re

_LONGEST_LINE = 500  # characters of a line that introduces a quotation
_MOST_HEADERS = 12  # lines searched for the headers of a quoted mail
_LONGEST_SIGNATURE = 12  # lines of a signature, or of a mailing list's footer
_VERBS = (
    r"wrote|writes|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(?a?\)?|"
    r"написала?|пишет|yazdı|kirjoitti|írta|napsala?|a scris|写道|寫道|のメール|님이 작성|כתב"
)
_INTRODUCES = re.compile(rf"(?:{_VERBS})[^\n]{{0,200}}[:：]$", re.IGNORECASE)
_DASHED = re.compile(r"[-_*]{2,}+[^-_\n]{0,80}[-_*]{0,60}")
_FORWARDED = re.compile(
    r"(?:begin |-{2,60} ?)?(?:forwarded message|weitergeleitete nachricht|message transféré|"
    r"mensaje reenviado|mensagem (?:encaminhada|reencaminhada)|messaggio inoltrato|"
    r"doorgestuurd bericht|пересылаемое сообщение|转发的邮件|转发邮件)",
    re.IGNORECASE,
)
_FROM = r"from|von|de|da|van|från|fra|od|от|lähettäjä|kimden|发件人|寄件者|差出人|보낸 사람"
_OTHERS = (
    r"sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el)?|fecha|para|"
    r"asunto|data|assunto|inviato|oggetto|a|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|"
    r"wysłano|do|temat|дата|кому|тема|lähetetty|aihe|发送时间|收件人|主题|主旨|日付|宛先|件名"
)
_QUOTED_FROM = re.compile(rf"[*>\s]{{0,4}}(?:{_FROM})\s?[:：]\*?\s?(\S.{{0,300}})", re.IGNORECASE)
_QUOTED_OTHER = re.compile(rf"[*>\s]{{0,4}}(?:{_OTHERS})\s?[:：]", re.IGNORECASE)
_SENT_FROM = re.compile(
    r"(?:sent from (?:my|the|yahoo|outlook|mail|proton|samsung)|get outlook for|"
    r"von meine[mr] .{2,30} gesendet|"
    r"gesendet (?:von|mit)|envoyé de(?:puis)? mon|enviado (?:desde|do) m|inviato da|verzonden vanaf|"
    r"skickat från min|sendt fra min|wysłane z|отправлено с|從我的|发自我的)",
    re.IGNORECASE,
)


def own_words(text: str) -> tuple[str, str | None]:
    """Return the sender's words, and whose mail is forwarded, if one is.

    The text of a forwarded mail is kept, since the sender sent it.
    """
    lines = [line.rstrip() for line in text.replace("\u00a0", " ").split("\n")]
    at, forwarded = _quoted_mail(lines)
    if forwarded is None:
        return _without_signature(_without_quotes(lines[:at])), None
    before = _without_signature(_without_quotes(lines[:at]))
    who, rest = _taken_apart(lines[at + 1 :])
    after = "\n".join(rest).strip()
    return f"{before}\n\n{after}".strip(), who or "someone"


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
        if _QUOTED_FROM.match(line) and _has_headers(lines, number, directly=True):
            return number, None
        if _introduces(lines, number) and not _is_quoted(lines, number + 1):
            begins = number - (not _has_digit(line) and number > 0)
            return begins, None
    return len(lines), None


def _has_headers(lines: list[str], start: int, *, directly: bool = False) -> bool:
    """Whether the next lines are headers of a mail: its sender and at least two others."""
    block = [line for line in lines[start : start + _MOST_HEADERS] if line][:6]
    sender = [n for n, line in enumerate(block) if _QUOTED_FROM.match(line[:_LONGEST_LINE])]
    others = sum(_QUOTED_OTHER.match(line[:_LONGEST_LINE]) is not None for line in block)
    return bool(sender) and others >= 2 and (not directly or sender[0] == 0)  # noqa: PLR2004 - as said


def _introduces(lines: list[str], number: int) -> bool:
    """Whether a line introduces a quotation: ``On Monday, 3 January 2022, Ann wrote:``."""
    line = lines[number]
    if not line.endswith((":", "\uff1a")) or _INTRODUCES.search(line) is None:
        return False
    before = lines[number - 1] if number else ""
    return _has_digit(line) or (len(before) <= _LONGEST_LINE and _has_digit(before))


def _has_digit(line: str) -> bool:
    return any(map(str.isdigit, line))


def _is_quoted(lines: list[str], start: int) -> bool:
    following = next((line for line in lines[start : start + 4] if line), "")
    return following.startswith(">")


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
    if not kept or not kept[-1].endswith((":", "\uff1a")) or len(kept[-1]) > _LONGEST_LINE:
        return
    last, known = kept[-1], _INTRODUCES.search(kept[-1]) is not None
    if not (known or _has_digit(last) or "@" in last):
        return
    kept.pop()
    broken = known and not _has_digit(last) and bool(kept) and len(kept[-1]) <= _LONGEST_LINE
    if broken and _has_digit(kept[-1]):
        kept.pop()


def _without_signature(lines: list[str]) -> str:
    """Return the text above a signature, a mailing list's footer, or ``Sent from my phone``."""
    for number, line in enumerate(lines):
        below = len(lines) - number - 1
        if line == "--" and below <= _LONGEST_SIGNATURE:
            lines = lines[:number]
            break
        if below <= _LONGEST_SIGNATURE and len(line) >= 20 and not line.strip("_"):  # noqa: PLR2004 - a rule
            lines = lines[:number]
            break
    end = len(lines)
    while end and (not lines[end - 1] or _SENT_FROM.match(lines[end - 1][:_LONGEST_LINE])):
        end -= 1
    return "\n".join(lines[:end]).strip()


def _taken_apart(lines: list[str]) -> tuple[str, list[str]]:
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
