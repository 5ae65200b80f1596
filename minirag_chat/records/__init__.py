"""The frozen records that cross between the steps of the pipeline.

Standard library only. A step takes records and gives records; none of them knows the database,
the model or the page that made it. Times are naive wall-clock datetimes, as the person who wrote
or exported the chat saw them on the screen; the store keeps the UTC instant beside them.
"""

from __future__ import annotations

from minirag_chat.records.asked import (
    Answer,
    EventEvidence,
    Evidence,
    Filters,
    NodeType,
    PathEdge,
    PathNode,
    Question,
    Reason,
    ReasoningPath,
    Relation,
    ScoredChunk,
    Shape,
    ShapeKind,
    Source,
    TimeSpan,
    Turn,
)
from minirag_chat.records.imported import (
    Decision,
    ImportReport,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Progress,
    Skipped,
)
from minirag_chat.records.slm import ReadEntity, Reading, ReadRelation, SlmCost, SlmRun
from minirag_chat.records.stored import (
    Attachment,
    Chat,
    ChatKind,
    Chunk,
    Entity,
    EntityType,
    Mention,
    Message,
    MessageKind,
    Person,
    Reaction,
)

__all__ = [
    "Answer",
    "Attachment",
    "Chat",
    "ChatKind",
    "Chunk",
    "Decision",
    "Entity",
    "EntityType",
    "EventEvidence",
    "Evidence",
    "Filters",
    "ImportReport",
    "Mention",
    "Message",
    "MessageKind",
    "NodeType",
    "ParsedChat",
    "ParsedExport",
    "ParsedMessage",
    "PathEdge",
    "PathNode",
    "Person",
    "Progress",
    "Question",
    "Reaction",
    "ReadEntity",
    "ReadRelation",
    "Reading",
    "Reason",
    "ReasoningPath",
    "Relation",
    "ScoredChunk",
    "Shape",
    "ShapeKind",
    "Skipped",
    "SlmCost",
    "SlmRun",
    "Source",
    "TimeSpan",
    "Turn",
]
