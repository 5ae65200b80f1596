"""How the next files are read where they do not tell: the order of dates, the clock, the time zone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import available_timezones

import gradio as gr

from minirag_chat.ui_text import DATE_ORDER_WORDS, READING_OF_FILES

_BY_ITSELF = ("as the file shows", "")


class ImportOptionsPanel:
    """An input for each option of an import that a page can offer; for this tab only."""

    def __init__(self) -> None:
        orders = [(words, order) for order, words in DATE_ORDER_WORDS.items()]
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        with gr.Accordion(READING_OF_FILES, open=False, elem_id="import-options"):
            self.parts: dict[str, Any] = {
                "date_order": gr.Dropdown(
                    [_BY_ITSELF, *orders], value="", label="Dates such as 3/4/26"
                ),
                "clock": gr.Dropdown(
                    [_BY_ITSELF, ("24 hours", "24"), ("12 hours", "12")], value="", label="Clock"
                ),
                "time_zone": gr.Dropdown(
                    [("this machine's", ""), *zones], value="", label="Time zone of the export"
                ),
            }

    def chosen(self, values: Mapping[Any, Any]) -> dict[str, str]:
        """The options that are set, from the inputs' values."""
        return {name: values[part] for name, part in self.parts.items() if values[part]}
