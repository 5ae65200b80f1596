"""A language model reads a chunk: typed entities, relations, and what the chunk says of each.

One call a chunk. The reply is a list of lines, so a reply that was cut off can be read up to its last whole
line. The grammar allows nothing else, and only names that occur in the messages.
"""

from __future__ import annotations

from minirag_chat.extract.slm.grammar import grammar_for
from minirag_chat.extract.slm.merge import merge_key, said_by
from minirag_chat.extract.slm.prompt import FORMAT, passage, reading_turns, shown_name
from minirag_chat.extract.slm.reply import goes_in_circles, read_text
