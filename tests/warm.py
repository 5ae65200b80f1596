"""What the first question of a process makes and keeps: patterns of times, and dateparser's own.

It takes a second. The processes of ``commands`` fork from one that has imported this.
"""

from __future__ import annotations

from datetime import datetime

from minirag_chat.times.in_messages import message_times

for said in ("See you on Friday at nine, 3 May 2026.", "am Freitag", "周五见"):
    list(message_times(said, datetime(2026, 1, 5, 10, 0)))
