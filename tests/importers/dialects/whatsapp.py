"""WhatsApp's lines, by phone and language."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from dialects.parts import Conversation, Files

IOS = "[{}] {}: {}"
ANDROID = "{} - {}: {}"
OLD_IOS = "{}: {}: {}"
NARROW = ("\u202fAM", "\u202fPM")
NARROW_SECONDS = (":00\u202fAM", ":00\u202fPM")
SPANISH = (" a.\u00a0m.", " p.\u00a0m.")
DIGITS = {ord("0") + n: 0x660 + n for n in range(10)}
PERSIAN = {ord("0") + n: 0x6F0 + n for n in range(10)}
DEVANAGARI = {ord("0") + n: 0x966 + n for n in range(10)}
THAI = {ord("0") + n: 0xE50 + n for n in range(10)}
DEY = date(2021, 12, 21)  # the day before the month's first, in 1400


def jalali(when: datetime) -> str:
    return f"1400/10/{(when.date() - DEY).days}"


def half(when: datetime, am: str, pm: str) -> str:
    return f"{(when.hour - 1) % 12 + 1}:{when:%M}{pm if when.hour >= 12 else am}"


WHATSAPP: dict[str, tuple[str, Callable[[datetime], str]]] = {
    "android dmy": (ANDROID, lambda t: f"{t:%d/%m/%y, %H:%M}"),
    "android dmy, one digit": (ANDROID, lambda t: f"{t.day}/{t.month}/{t:%y, %H:%M}"),
    "android dmy, four-digit year": (ANDROID, lambda t: f"{t:%d/%m/%Y, %H:%M}"),
    "android german": (ANDROID, lambda t: f"{t:%d.%m.%y, %H:%M}"),
    "android german, um": (ANDROID, lambda t: f"{t:%d.%m.%y um %H:%M}"),
    "android dutch": (ANDROID, lambda t: f"{t:%d-%m-%y %H:%M}"),
    "android finnish, dots in time": (ANDROID, lambda t: f"{t.day}.{t.month}.{t:%Y klo %H.%M}"),
    "android italian, dots in time": (ANDROID, lambda t: f"{t:%d/%m/%y, %H.%M}"),
    "android us": (ANDROID, lambda t: f"{t.month}/{t.day}/{t:%y}, {half(t, ' AM', ' PM')}"),
    "android us, narrow space": (
        ANDROID,
        lambda t: f"{t.month}/{t.day}/{t:%y}, {half(t, *NARROW)}",
    ),
    "android spanish, NBSP": (
        ANDROID,
        lambda t: f"{t.day}/{t.month}/{t:%y}, {half(t, *SPANISH)}",
    ),
    "android spanish": (ANDROID, lambda t: f"{t:%d/%m/%y} {half(t, ' a. m.', ' p. m.')}"),
    "android lower case": (ANDROID, lambda t: f"{t:%d/%m/%Y}, {half(t, ' am', ' pm')}"),
    "android ymd": (ANDROID, lambda t: f"{t:%Y/%m/%d, %H:%M}"),
    "android iso": (ANDROID, lambda t: f"{t:%Y-%m-%d, %H:%M}"),
    "android ymd, two-digit year": (ANDROID, lambda t: f"{t:%y/%m/%d, %H:%M}"),
    "android canadian french": (ANDROID, lambda t: f"{t:%Y-%m-%d %H h %M}"),
    "android korean": (
        ANDROID,
        lambda t: (
            f"{t.year}. {t.month}. {t.day}. {'오후' if t.hour > 11 else '오전'} {half(t, '', '')}"
        ),
    ),
    "android chinese": (
        ANDROID,
        lambda t: (
            f"{t.year}/{t.month}/{t.day} {'下午' if t.hour > 11 else '上午'}{half(t, '', '')}"
        ),
    ),
    "android greek": (ANDROID, lambda t: f"{t.day}/{t.month}/{t:%y}, {half(t, ' π.μ.', ' μ.μ.')}"),
    "android arabic": (
        ANDROID,
        lambda t: f"{t.day}\u200f/{t.month}\u200f/{t.year}، {half(t, ' ص', ' م')}".translate(
            DIGITS
        ),
    ),
    "android persian": (
        ANDROID,
        lambda t: f"{t.year}/{t.month}/{t.day}،\u200f {half(t, ' ق.ظ.', ' ب.ظ.')}".translate(
            PERSIAN
        ),
    ),
    "android hebrew": (
        ANDROID,
        lambda t: f"{t.day}.{t.month}.{t.year}, {half(t, ' לפנה״צ', ' אחה״צ')}",
    ),
    "android marathi": (
        ANDROID,
        lambda t: f"{t.day}/{t.month}/{t:%y}, {half(t, ' म.पू.', ' म.उ.')}".translate(DEVANAGARI),
    ),
    "android bulgarian": (ANDROID, lambda t: f"{t:%d.%m.%y} г., {t:%H:%M} ч."),
    "android hungarian": (
        ANDROID,
        lambda t: f"{t:%Y. %m. %d.}, {'du.' if t.hour > 11 else 'de.'} {half(t, '', '')}",
    ),
    "android albanian": (
        ANDROID,
        lambda t: f"{t.day}.{t.month}.{t:%y}, {half(t, ' e paradites', ' e pasdites')}",
    ),
    "android vietnamese": (ANDROID, lambda t: f"{t:%H:%M, %d/%m/%Y}"),
    "android thai, Buddhist year": (
        ANDROID,
        lambda t: f"{t.day}/{t.month}/{t.year + 543} {t:%H:%M} น.".translate(THAI),
    ),
    "android thai, Buddhist year of two digits": (
        ANDROID,
        lambda t: f"{t.day}/{t.month}/{(t.year + 543) % 100} {t:%H:%M}",
    ),
    "ios thai, Buddhist year": (
        IOS,
        lambda t: f"{t.day}/{t.month}/{t.year + 543} BE, {t:%H:%M:%S}",
    ),
    "ios persian calendar": (
        IOS,
        lambda t: f"{jalali(t)}،\u200f {t:%H:%M:%S}".translate(PERSIAN),
    ),
    "ios taiwanese year": (
        IOS,
        lambda t: (
            f"{t.year - 1911}/{t.month}/{t.day} {'下午' if t.hour > 11 else '上午'}{half(t, '', ':00')}"
            if t.hour > 11
            else f"{t.year - 1911}/{t.month}/{t.day} 上午{half(t, ':00', '')}"
        ),
    ),
    "ios dmy": (IOS, lambda t: f"{t:%d/%m/%Y, %H:%M:%S}"),
    "ios german": (IOS, lambda t: f"{t:%d.%m.%y, %H:%M:%S}"),
    "ios us": (IOS, lambda t: f"{t.month}/{t.day}/{t:%y}, {half(t, ':00 AM', ':00 PM')}"),
    "ios us, narrow space": (
        IOS,
        lambda t: f"{t.month}/{t.day}/{t:%y}, {half(t, *NARROW_SECONDS)}",
    ),
    "ios swedish": (IOS, lambda t: f"{t:%Y-%m-%d %H:%M:%S}"),
    "ios mark first": ("\u200e[{}] {}: {}", lambda t: f"{t:%d/%m/%Y, %H:%M:%S}"),
    "ios unknown contact": ("[{}] ~\u202f{}: {}", lambda t: f"{t:%d/%m/%Y, %H:%M:%S}"),
    "ios of 2012": (OLD_IOS, lambda t: f"{t:%d/%m/%y %H:%M:%S}"),
    "ios of 2012, german": (OLD_IOS, lambda t: f"{t:%d.%m.%y %H:%M:%S}"),
    "ios of 2012, us": (
        OLD_IOS,
        lambda t: f"{t.month}/{t.day}/{t:%y} {half(t, ':00 AM', ':00 PM')}",
    ),
    "ios of 2015": (OLD_IOS, lambda t: f"{t:%d/%m/%y, %H:%M}"),
    "ios marks at names": ("[{}] \u202a{}\u202c: {}", lambda t: f"{t:%d/%m/%Y, %H:%M:%S}"),
}


def whatsapp(talk: Conversation, dialect: str) -> Files:
    line, stamp = WHATSAPP[dialect]
    text = "\n".join(line.format(stamp(when), who, said) for when, who, said in talk)
    return {"WhatsApp Chat with Ann Miller.txt": text}
