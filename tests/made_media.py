"""Voice notes spoken by espeak-ng and photos of drawn text, made when a test needs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from minirag_chat.records import MediaKind

VOICES = {
    "PTT-20260105-WA0001.opus": "The spare key is under the blue flower pot behind the garage.",
    "PTT-20260105-WA0002.opus": "Grandmother arrives on Tuesday with the evening train from Vienna.",
    "PTT-20260105-WA0003.opus": "I left your umbrella in the restaurant next to the library.",
    "PTT-20260105-WA0004.opus": "The plumber wants two hundred dollars for the broken kitchen pipe.",
    "PTT-20260105-WA0005.opus": "Please bring chocolate cake to the birthday party on Saturday.",
}
PHOTOS = {
    "IMG-20260106-WA0001.jpg": "Wifi password: heron-4417",
    "IMG-20260106-WA0002.jpg": "Dentist Dr. Marlow, 14 April",
    "IMG-20260106-WA0003.jpg": "Ferry to Skagen leaves 07:25",
    "IMG-20260106-WA0004.jpg": "Rent for the studio 640 euros",
    "IMG-20260106-WA0005.jpg": "Platform 9, carriage Magnolia",
}


class ByName:
    """A reader that knows what is in a file by its name."""

    def read(self, kind: MediaKind, path: Path) -> str:
        return {**VOICES, **PHOTOS}[path.name]

    def close(self) -> None:
        pass


def speak(file: Path, words: str) -> None:
    """Write what espeak-ng says, as a recording."""
    subprocess.run(["espeak-ng", "-v", "en-us", "-s", "140", "-w", file, words], check=True)


def draw(file: Path, words: str) -> None:
    """Write a picture of some words."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (900, 300), "#fbf7ee")
    ImageDraw.Draw(picture).text((40, 110), words, fill="#222", font=ImageFont.load_default(48))
    picture.save(file, "JPEG" if file.suffix == ".jpg" else "PNG")


def whatsapp(folder: Path) -> Path:
    """An export of WhatsApp that names ten files; the files themselves are the test's."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["05/01/2026, 09:00 - Tom Hill: Good morning, how are things?"]
    for minute, name in enumerate(VOICES):
        lines.append(f"05/01/2026, 10:{10 * minute:02} - Ann Berg: \u200e{name} (file attached)")
    for minute, name in enumerate(PHOTOS):
        lines.append(f"06/01/2026, 11:{10 * minute:02} - Tom Hill: \u200e{name} (file attached)")
    lines.append("06/01/2026, 12:30 - Ann Berg: Thanks, got them all.")
    file = folder / "WhatsApp Chat with Ann Berg.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file
