"""Photos, voice notes, other files and hearts: whether any were sent, the last one, and by whom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, memory_of

from minirag_chat import ChatMemory

LAKE = """\
12/02/2024, 10:00 - Dana: IMG-1.jpg (file attached)
12/02/2024, 10:01 - Ollie: IMG-2.jpg (file attached)
12/02/2024, 10:02 - Dana: lovely
13/03/2024, 10:00 - Dana: <Media omitted>
13/03/2024, 10:05 - Ollie: STK-3.webp (file attached)
13/03/2024, 10:06 - Fay: <Media omitted>
"""
_KINDS = (
    {"media_type": "video_file", "file": "v.mp4", "mime_type": "video/mp4"},
    {"media_type": "animation", "file": "a.gif.mp4", "mime_type": "video/mp4"},
    {"media_type": "video_message", "file": "round.mp4"},
    {"media_type": "sticker", "file": "s.webp", "sticker_emoji": "\U0001f600"},
    {"media_type": "voice_message", "file": "v.ogg"},
    {"media_type": "audio_file", "file": "song.mp3", "title": "A song"},
    {"file": "files/i.jpg", "file_name": "i.jpg", "mime_type": "image/jpeg"},
    {"file": "files/r.pdf", "file_name": "r.pdf", "mime_type": "application/pdf"},
    {"location_information": {"latitude": 1.5, "longitude": 2.5}},
)
TELEGRAM = {
    "name": "Rosa", "type": "personal_chat", "id": 7,
    "messages": [
        {"id": n, "type": "message", "date": f"2024-05-0{n}T10:00:00", "from": "Rosa", "from_id": "user7",
         "text": "", **kind}
        for n, kind in enumerate(_KINDS, start=1)
    ] + [
        {"id": 20, "type": "message", "date": "2024-05-20T10:00:00", "from": "Dana", "from_id": "user8",
         "text": "thank you \u2764 \U0001f49a \U0001f970"},
        {"id": 21, "type": "message", "date": "2024-05-21T10:00:00", "from": "Rosa", "from_id": "user7",
         "text": "\u2764\ufe0f", "media_type": "voice_message", "file": "w.ogg"},
    ],
}  # fmt: skip


QUESTIONS = """\
12/02/2024, 10:00 - Dana: who has the key?
12/02/2024, 10:01 - Ollie: me. where are you?? and when do you come?
12/02/2024, 10:02 - Dana: https://example.org/?q=lake
12/02/2024, 10:03 - Dana: \u4f60\u5728\u54ea\u91cc\uff1f
13/03/2024, 10:05 - Fay: no idea
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Who asks the most questions?",
            "Dana [1] sent the most questions: 2 of 3 questions. Then Ollie (1) [2].",
        ),
        ("How many questions did Ollie ask?", "Ollie sent 1 question, on 12 February 2024 [1]."),
        ("Did Ollie ask more questions than me?", "No: Dana [1] sent the most questions: 2 of 3"),
        ("Show me the last 2 questions I asked", "2 messages with questions from Dana:"),
        ("which questions did Ollie ask", "1 message with a question from Ollie:"),
        ("what did Ollie ask?", "1 message with a question from Ollie:"),
        ("what has ollie asked us", "1 message with a question from Ollie:"),
        ("show me Ollie's questions", "1 message with a question from Ollie:"),
        ("How many questions did Fay ask?", "Fay sent no questions."),
        (
            "What was the last question I asked?",
            "The last question is from Dana, Monday, 12 February",
        ),
    ],
)
def test_messages_with_a_question_mark_are_questions(
    tmp_path: Path, question: str, text: str
) -> None:
    export = tmp_path / "WhatsApp Chat with Lake.txt"
    export.write_text(QUESTIONS, encoding="utf-8")
    with memory_of(tmp_path, "Dana", export) as memory:
        answer = asked(memory, question)
    assert answer.text.startswith(text)
    assert answer.confidence == 1


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("lake")
    export, telegram = folder / "WhatsApp Chat with Lake.txt", folder / "result.json"
    export.write_text(LAKE, encoding="utf-8")
    telegram.write_text(json.dumps(TELEGRAM), encoding="utf-8")
    with memory_of(folder, "Dana", export, telegram) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many videos did Rosa send?", "Rosa sent 2 videos, the first on 1 May 2024 [1], the last on 3 May"),
        ("how many video messages did Rosa send", "Rosa sent 1 video message, on 3 May 2024 [1]."),
        ("How many GIFs did Rosa send?", "Rosa sent 1 gif, on 2 May 2024 [1]."),
        ("How many stickers did Rosa send?", "Rosa sent 1 sticker, on 4 May 2024 [1]."),
        ("How many voice notes did Rosa send?", "Rosa sent 2 voice notes, the first on 5 May 2024 [1], the"),
        ("How many audio files did Rosa send?", "Rosa sent 1 audio file, on 6 May 2024 [1]."),
        ("How many photos did Rosa send?", "Rosa sent 1 photo, on 7 May 2024 [1]."),
        ("How many files did Rosa send?", "Rosa sent 9 files, the first on 1 May 2024 [1], the last on 21 May"),
        ("how many stickers did I get", "2 stickers: Ollie (1) and Rosa (1); "),
        ("how many messages with photos from Ollie", "Ollie sent 1 photo, on 12 February"),
        ("how many messages from Rosa contain stickers", "Rosa sent 1 sticker, on 4 May 2024 [1]."),
        ("how many photos Ollie", "Ollie sent 1 photo, on 12 February 2024 [1]."),
    ],
)  # fmt: skip
def test_each_kind_of_file_is_counted(lake: ChatMemory, question: str, text: str) -> None:
    answer = asked(lake, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Did Ollie send any photos?", "Yes: Ollie sent 1 photo, on 12 February 2024 [1]."),
        ("did Ollie ever share a video?", "No: Ollie sent no videos."),
        ("Did I send photos in February 2024?", "Yes: Dana sent 1 photo from 1 February 2024 to 29"),
        ("Has anybody posted a GIF?", "Yes: Rosa sent 1 gif, on 2 May 2024 [1]. Of 2 other files"),
        ("Did Rosa send me a sticker?", "Yes: Rosa sent 1 sticker in \u201cRosa\u201d, on 4 May 2024 [1]."),
        ("Did Rosa send a sticker to me?", "Yes: Rosa sent 1 sticker in \u201cRosa\u201d, on 4 May 2024 [1]."),
        ("Did I get a sticker from Rosa?", "Yes: Rosa sent 1 sticker in \u201cRosa\u201d, on 4 May 2024 [1]."),
        ("Did Ollie and Rosa both send videos?", "No: Ollie sent no videos. Rosa sent 2 videos, "),
        ("Did everyone send photos?", "3 photos: Dana (1), Ollie (1) and Rosa (1); "),
        ("Are there any stickers from Ollie?", "Yes: Ollie sent 1 sticker, on 13 March 2024 [1]."),
        ("Have any gifs been shared?", "Yes: Rosa sent 1 gif, on 2 May 2024 [1]."),
        ("Did Ollie send a link?", "No: Ollie sent no links."),
        ("Was a gif ever shared?", "Yes: Rosa sent 1 gif, on 2 May 2024 [1]."),
        ("How often did Ollie send a sticker?", "Ollie sent 1 sticker, on 13 March 2024 [1]."),
        ("Did Ollie or Rosa send more stickers?", "Ollie [1] and Rosa [2] sent the most stickers: 1 of 2"),
        ("Did Rosa use any emoji?", "Yes: Rosa sent 1 emoji, on 21 May 2024 [1]."),
    ],
)  # fmt: skip
def test_whether_any_were_sent(lake: ChatMemory, question: str, text: str) -> None:
    answer = asked(lake, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did Ollie last send a photo?",
         "The last photo is from Ollie, Monday, 12 February 2024, 10:01, in \u201cLake\u201d: "),
        ("When was the last time Ollie sent a photo?", "The last photo is from Ollie, Monday, 12"),
        ("When did Rosa first send me a voice message?", "The first voice note in \u201cRosa\u201d is from Rosa, Sun"),
        ("Who sent the last voice message?", "The last voice note is from Rosa, Tuesday, 21 May 2024, 10:00"),
        ("How long ago did Ollie last share a photo?", "The last photo is from Ollie, Monday, 12 February"),
        ("Who shared a photo last?", "The last photo is from Rosa, Tuesday, 7 May 2024"),
        ("who was the first to send a sticker", "The first sticker is from Ollie, Wednesday, 13 March"),
        ("last photo in the Lake chat",
         ("The last photo in \u201cLake\u201d is from Ollie, Monday, 12 February 2024, 10:01: \u201cIMG-2.jpg (file "
          "attached)\u201d [1]. Of 2 later files the export does not say the kind.")),
        ("what was Rosa's first sticker", "The first sticker is from Rosa, Saturday, 4 May 2024"),
        ("What was the last GIF that Rosa sent?", "The last gif is from Rosa, Thursday, 2 May 2024"),
        ("When did Ollie last send a video?", "Ollie sent no videos."),
        ("Who sent stickers?", "2 stickers: Ollie (1) and Rosa (1); "),
        ("Who has sent me a photo?", "2 photos: Ollie (1) and Rosa (1); "),
    ],
)  # fmt: skip
def test_the_last_one_and_who_sent_any(lake: ChatMemory, question: str, text: str) -> None:
    answer = asked(lake, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("show me the last 2 voice notes", ["[voice message]", "\u2764\ufe0f"]),
        ("the first two photos from Rosa", ["[file i.jpg]"]),
        ("any photos from Ollie?", ["IMG-2.jpg (file attached)"]),
        ("photos from Ollie", ["IMG-2.jpg (file attached)"]),
        ("Ollie's photos", ["IMG-2.jpg (file attached)"]),
        ("photo from Ollie", ["IMG-2.jpg (file attached)"]),
        ("photos Ollie sent", ["IMG-2.jpg (file attached)"]),
        ("any videos?", ["[video file]", "[video message]"]),
        ("stickers in May 2024", ["[sticker \U0001f600]"]),
        ("the stickers Rosa sent", ["[sticker \U0001f600]"]),
    ],
)
def test_files_are_listed(lake: ChatMemory, question: str, texts: list[str]) -> None:
    answer = asked(lake, question)
    assert [source.message.text for source in answer.sources] == texts
    assert answer.model == "none"


@pytest.mark.parametrize(
    "question",
    [
        "Show me the photos from Fay",
        "What photos did Fay send?",
        "Did Fay send a photo?",
        "When did Fay last send a photo?",
        "Zeig mir die Fotos von Fay",
    ],
)
def test_of_a_file_that_was_left_out_nobody_knows_the_kind(lake: ChatMemory, question: str) -> None:
    answer = asked(lake, question)
    assert answer.reason == "not_recorded"
    assert answer.text == (
        "I cannot count or show the photos from Fay: of 1 file the export does not say the kind."
    )


def test_a_list_of_one_has_its_article(lake: ChatMemory) -> None:
    text = asked(lake, "Show me the audio files from Rosa").text
    assert text.startswith("1 message with an audio file from Rosa:")


def test_a_list_says_that_others_may_belong_to_it(lake: ChatMemory) -> None:
    text = asked(lake, "Show me the photos from Dana").text
    assert text.startswith("1 message with a photo from Dana:")
    assert text.endswith("\n\nOf 1 other file the export does not say the kind.")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who sends the most hearts?", "Dana [1] sent the most hearts: 2 of 3 hearts. Then Rosa (1) [2]."),
        ("how many hearts did I send", "Dana sent 2 hearts, on 20 May 2024 [1]."),
        ("Did Ollie send any hearts?", "No: Ollie sent no hearts."),
        ("Wer schickt die meisten Herzen?", "Dana [1] sent the most hearts"),
        ("Which emoji is used most?", "\u2764 [1] was used most: 2 of 4 emojis."),
    ],
)  # fmt: skip
def test_hearts_of_any_colour_are_counted(lake: ChatMemory, question: str, text: str) -> None:
    answer = asked(lake, question)
    assert answer.text.startswith(text), answer.text


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Wie viele Fotos hat Ollie geschickt?", "how many photos did Ollie send"),
        ("Wie viele Sticker hat mir Rosa geschickt?", "how many stickers did Rosa send me"),
        ("Wie viele Videos gibt es?", "how many videos are there"),
        (
            "Wie viele Videos wurden im Mai 2024 verschickt?",
            "how many videos were sent in May 2024",
        ),
        ("Wer hat die meisten Sprachnachrichten geschickt?", "who sent the most voice notes"),
        ("Wer hat mehr Fotos geschickt, Ollie oder Rosa?", "who sent more photos, Ollie or Rosa"),
        ("Wer hat das letzte Foto geschickt?", "who sent the last photo"),
        ("Wer hat zuletzt ein Bild geschickt?", "who last sent a photo"),
        ("Wann hat Ollie zuletzt ein Foto geschickt?", "when did Ollie last send a photo"),
        ("Wann hat Rosa das erste Video geschickt?", "when did Rosa first send a video"),
        ("Wer hat Sticker geschickt?", "who sent stickers"),
        ("Welche Fotos hat Ollie geschickt?", "which photos did Ollie send"),
        ("Zeig mir die Fotos von Ollie", "show me the photos from Ollie"),
        ("fotos von ollie", "photos from ollie"),
        ("Sprachnachrichten im Mai 2024", "voice notes in May 2024"),
        ("Zeige mir bitte alle Videos im Mai 2024", "show me all videos in May 2024"),
        ("Was war der letzte Sticker von Rosa?", "what was the last sticker from Rosa"),
        ("Hat Ollie Fotos geschickt?", "how many photos did Ollie send"),
    ],
)
def test_german_questions_are_answered_as_the_english_ones(
    lake: ChatMemory, question: str, english: str
) -> None:
    answer = asked(lake, question)
    assert answer.model == "none", answer.text
    assert answer.text == asked(lake, english).text


@pytest.mark.parametrize(
    "question",
    [
        "What photo did Ollie talk about?",
        "photos of the swan",
        "photos about Ollie",
        "When did Ollie send a photo of the swan?",
        "Did Ollie send the photo?",
        "Did Ollie use a picture?",
        "Did Ollie take any photos?",
        "Are there any photos of Ollie?",
        "What was the last photo of?",
        "What is on the last photo?",
        "Who is in the last photo?",
        "Who sent the photo of the swan?",
        "Who has the best photos?",
        "When did Ollie send a photo?",
        "How many photos did Ollie take?",
        "Did Ollie say how many photos he sent?",
        "Hat Ollie die Fotos geschickt?",
        "Zeig mir die Fotos vom Schwan",
        "Fotos von der Hochzeit",
        "Welches Foto hat Ollie gemeint?",
        "Wer hat das Foto vom Schwan geschickt?",
    ],
)
def test_what_asks_for_more_is_looked_up(lake: ChatMemory, question: str) -> None:
    assert asked(lake, question).model != "none"
