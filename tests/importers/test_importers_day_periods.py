"""Words for morning and afternoon beside the clock times of exports, in the languages of phones."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable

import pytest

from minirag_chat.errors import UnknownFormat
from minirag_chat.importers import clocks
from minirag_chat.importers.base import Sample
from minirag_chat.importers.clocks import half_of
from minirag_chat.importers.day_periods import PHONES, halves_in
from minirag_chat.importers.whatsapp import WhatsApp
from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]


def test_a_word_is_not_morning_in_one_language_and_afternoon_in_another() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for language in PHONES:
        for word, half in halves_in(language).items():
            found[word].add(half)
    assert not [word for word, halves in found.items() if len(halves) > 1]
    assert not {word for word in found if half_of(word) not in found[word]}
    assert not set(clocks._MORNING.split()) & set(clocks._AFTERNOON.split())


@pytest.mark.parametrize(
    ("morning", "afternoon"),
    [
        ("dop.", "pop."), ("пре подне", "по подне"), ("முற்பகல்", "பிற்பகல்"), ("ಪೂರ್ವಾಹ್ನ", "ಅಪರಾಹ್ನ"),
        ("পূর্বাহ্ণ", "অপরাহ্ণ"), ("పూర్వాహ్నం", "అపరాహ్నం"), ("ព្រឹក", "ល្ងាច"), ("Asubuhi", "Alasiri"),
        ("قبل دوپہر", "بعد دوپہر"), ("dopołdnja", "popołdnju"), ("de la mañana", "de la tarde"),
        ("সকাল", "বিকাল"), ("ఉదయం", "సాయంత్రం"), ("صباحًا", "مساءً"), ("AM", "PM"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "line", ["{}. 5. 2024, {}:0{} {} - {}: {}", "[{}/5/2024, {}:0{}:00 {}] {}: {}"]
)
def test_half_days_of_a_language_are_read(
    read: Read, line: str, morning: str, afternoon: str
) -> None:
    written = [(1, 9, 5, morning, "Ana", "ena"), (1, 1, 6, afternoon, "Bor", "dva"),
               (15, 12, 7, morning, "Ana", "tri"), (15, 12, 8, afternoon, "Bor", "pet")]  # fmt: skip
    [chat] = read("\n".join(line.format(*one) for one in written)).chats
    assert [(m.sent_at.day, m.sent_at.hour, m.sender, m.text) for m in chat.messages] == [
        (1, 9, "Ana", "ena"), (1, 13, "Bor", "dva"), (15, 0, "Ana", "tri"), (15, 12, "Bor", "pet"),
    ]  # fmt: skip


def test_messages_behind_an_unknown_word_are_reported(read: Read) -> None:
    export = read(
        "1/5/24, 9:05 AM - Ann: hi\n1/5/24, 9:06 AM - Bob: ho\n1/5/24, 9:07 blorp - Ann: lost?\n"
        "1/5/24, 9:08 dinner - with Cy: bring wine\n1/5/24, 9:09 AM - Ann: hey\n"
    )
    [note] = [note for note in export.notes if "morning or afternoon" in note]
    assert "(1)" in note
    assert "“blorp”" in note


def test_a_file_with_unknown_words_only_is_refused_with_the_word(read: Read) -> None:
    written = "1/5/24, 9:05 blorp - Ann: hi\n1/5/24, 9:06 blorp - Bob: ho\n"
    with pytest.raises(UnknownFormat):
        read(written)
    reason = WhatsApp().mismatch(Sample(written, complete=True))
    assert reason is not None
    assert "“blorp”" in reason


@pytest.mark.slow
def test_english_half_days_load_no_library_of_languages() -> None:
    code = (
        "import sys; from minirag_chat.importers.clocks import half_of; "
        "assert [half_of(m) for m in ('AM', 'p. m.', 'ÖÖ', '下午')] == ['am', 'pm', 'am', 'pm']; "
        "sys.exit('babel' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
