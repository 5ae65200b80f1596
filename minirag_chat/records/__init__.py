"""The frozen records that cross between the steps of the pipeline.

Standard library only. A step takes records and gives records; none of them knows the database,
the model or the page that made it. Times are naive wall-clock datetimes, as the person who wrote
or exported the chat saw them on the screen; the store keeps the UTC instant beside them.
"""

from __future__ import annotations

from minirag_chat.records.arrivals import Arrival, ArrivalState
from minirag_chat.records.callbacks import (
    Cancelled,
    OnContext,
    Report,
    ignore_context,
    never,
    silent,
)
from minirag_chat.records.deletions import (
    Deletion,
    DeletionKind,
    EmptiedTrash,
    Leak,
    Looked,
    Proof,
)
from minirag_chat.records.imports import (
    MADE_UP,
    Decision,
    ImportReport,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Progress,
    Skipped,
)
from minirag_chat.records.media import (
    MediaFile,
    MediaKind,
    MediaRun,
    MediaState,
    MediaStatus,
    StoredMedia,
)
from minirag_chat.records.plans import (
    MOST_LISTED,
    AnswerAspect,
    AskedFor,
    Compare,
    Computed,
    Count,
    End,
    Extreme,
    FileKind,
    Lookup,
    Mark,
    Metadata,
    Overview,
    ProgramTopic,
    QuestionPlan,
    TimeUnit,
    Wanted,
)
from minirag_chat.records.questions import (
    STATES,
    UNREAD,
    WITHHELD,
    Answer,
    EventEvidence,
    Evidence,
    Filters,
    NodeType,
    PathEdge,
    PathNode,
    PersonSpan,
    Question,
    Reason,
    ReasoningPath,
    Relation,
    Repeated,
    ScoredChunk,
    Shape,
    Source,
    TimeSpan,
    Turn,
    Turns,
)
from minirag_chat.records.slm import (
    ChunkExtraction,
    ExtractedEntity,
    ExtractedRelation,
    SlmCost,
    SlmRun,
)
from minirag_chat.records.stored import (
    EARLIEST,
    LATEST,
    Attachment,
    CalledOwner,
    Chat,
    ChatKind,
    Entity,
    EntityType,
    Mention,
    Message,
    MessageKind,
    Person,
    Reaction,
    clamped,
)
