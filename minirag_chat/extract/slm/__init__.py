"""Extraction by a language model: typed entities and relations of a chunk, and what it says of each.

One call a chunk. The reply is a list of lines, so a reply that was cut off can be read up to its last whole
line. The grammar allows nothing else, and only names that occur in the messages.
"""

from __future__ import annotations

from minirag_chat.extract.slm.grammar import grammar_for
from minirag_chat.extract.slm.merge import merge_key, stating_message
from minirag_chat.extract.slm.prompt import FORMAT, extraction_turns, passage, shown_name
from minirag_chat.extract.slm.reply import is_repeating, parse_reply
