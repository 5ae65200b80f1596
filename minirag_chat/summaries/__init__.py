"""Summaries over many chunks: RAPTOR's tree, GraphRAG's reports. Built on demand, stored in the database."""

from __future__ import annotations

from minirag_chat.summaries.reports import build_reports
from minirag_chat.summaries.summarise import Summariser
from minirag_chat.summaries.tree import build_tree
