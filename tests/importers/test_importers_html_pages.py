"""Pages of HTML that one parser does not read to their end: another one goes on between two messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import main_file

from minirag_chat.importers import html_tree, stream_export
from minirag_chat.importers.mail_parts import shown_text
from minirag_chat.records import ParsedChat, ParsedExport, ParsedMessage

FORMATS = ("telegram-html", "imessage-html", "messenger-html", "discord-html", "google-voice")


def messages(file: Path) -> list[ParsedMessage]:
    return [
        message
        for _, part in stream_export(file)
        if isinstance(part, ParsedChat)
        for message in part.messages
    ]


@pytest.mark.parametrize("read_at_once", [0, 1, 333, 1500])
@pytest.mark.parametrize("name", FORMATS)
def test_a_page_is_the_same_however_many_parsers_read_it(
    name: str, read_at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_name, text = main_file(name)
    file = tmp_path / Path(file_name).name
    file.write_text(text, encoding="utf-8")
    whole = messages(file)
    assert len(whole) > 1
    made: list[object] = []
    parser = html_tree._pull_parser
    monkeypatch.setattr(html_tree, "_pull_parser", lambda: made.append(None) or parser())
    monkeypatch.setattr(html_tree, "READ_AT_ONCE", read_at_once)
    assert messages(file) == whole
    assert len(made) > 1, "another parser did go on"


ENDS = ("Shall we meet at 7?", "so be it")  # the first and the last message


def nested_page(name: str, folder: Path, depth: int, *, last: bool = False) -> tuple[Path, str]:
    """A page whose first or last message is nested so deeply, and what that says."""
    file_name, text = main_file(name)
    file = folder / Path(file_name).name
    said = sorted(ENDS, key=text.index)[last]
    nested = f"{'<b>' * depth}{said}{'</b>' * depth}"
    file.write_text(text.replace(said, nested), encoding="utf-8")
    return file, said


@pytest.mark.parametrize("name", FORMATS)
def test_a_message_that_is_nested_deeply_costs_none_of_those_below(
    name: str, tmp_path: Path
) -> None:
    expected = messages(nested_page(name, tmp_path, 0)[0])
    assert messages(nested_page(name, tmp_path, 1800)[0]) == expected


@pytest.mark.parametrize("name", FORMATS)
def test_a_page_that_cannot_be_read_to_its_end_says_so(name: str, tmp_path: Path) -> None:
    file, last = nested_page(name, tmp_path, 0, last=True)
    expected = [m.text for m in messages(file) if m.text != last]
    nested_page(name, tmp_path, 5000, last=True)
    assert [m.text for m in messages(file)] == expected
    [told] = [
        skipped.reason
        for _, part in stream_export(file)
        for skipped in (part.skipped if isinstance(part, ParsedExport) else ())
    ]
    assert "Excessive depth" in told


@pytest.mark.slow
def test_a_mail_that_is_nested_deeply_keeps_its_text() -> None:
    page = f"{'<blockquote>' * 1500}the boat{'</blockquote>' * 1500}<p>at 7</p>"
    assert shown_text(page).split() == ["the", "boat", "at", "7"]


@pytest.mark.slow
def test_it_goes_on_in_the_middle_of_a_large_page(tmp_path: Path) -> None:
    _, text = main_file("telegram-html")
    first = text.index('<div class="message default')
    begin, rest = text[:first], text[first:]
    last = rest.rindex('<div class="message default')
    one, end = rest[:last], rest[last:]
    times = 2 * html_tree.READ_AT_ONCE // len(one) + 1
    file = tmp_path / "messages.html"
    file.write_text(begin + one * times + end, encoding="utf-8")
    (tmp_path / "small").mkdir()
    small = tmp_path / "small" / "messages.html"
    small.write_text(begin + one + end, encoding="utf-8")
    expected = messages(small)
    found = messages(file)
    assert [m.text for m in found] == [m.text for m in expected[:-1]] * times + [expected[-1].text]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("a <b> b</b>  c", "a b c"),
        ("<div> <p>a </p> <p> b</p>c</div>", "a\nb\nc"),
        ("<h1>a</h1><ul><li>b</li><li>c</li></ul>", "a\nb\nc"),
        ("<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>d", "a b\nc\nd"),
        ("a<br> b<br><br>c", "a\nb\n\nc"),
        ("<p>a</p><i>b</i> c", "a\nb c"),
        ("&nbsp;a&nbsp;", "a"),
        ("<pre><code>if a:\n    b  c</code></pre>", "if a:\n    b  c"),
    ],
)
def test_text_is_as_a_browser_shows_it(markup: str, shown: str) -> None:
    assert html_tree.text_of(html_tree.markup_tree(markup)) == shown


@pytest.mark.parametrize("name", ["google-voice", "messenger-html"])
def test_a_title_with_a_character_reference_of_thousands_of_digits_costs_no_message(
    name: str, tmp_path: Path
) -> None:
    file_name, text = main_file(name)
    file = tmp_path / Path(file_name).name
    file.write_text(text, encoding="utf-8")
    whole = [message.text for message in messages(file)]
    file.write_text(text.replace("<title>", f"<title>&#{'9' * 5000};"), encoding="utf-8")
    assert whole
    assert [message.text for message in messages(file)] == whole
