"""The names of columns that tables of messages have, in the languages of many tables.

Spaces, hyphens, underscores and capitals make no other name: ``Sent at``, ``sent_at`` and ``sentAt`` are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minirag_chat.lazy_patterns import lazy

_SEPARATORS = lazy(r"[\s_-]+")


def plain(column: str) -> str:
    """Return a column's name as it is in these lists."""
    return _SEPARATORS.sub("", column.casefold())


def _plain(names: str) -> tuple[str, ...]:
    """Return the names in a text as they are in these lists."""
    return tuple(plain(name) for name in names.split())


_DATES = "ts datum zeitstempel fecha data дата tarih 日期 日時 날짜"
_CLOCKS = "uhrzeit zeit hora heure ora время saat 时间 時間 時刻 시간"
_SENDERS = (
    "absender von autor remitente remetente expéditeur auteur mittente autore отправитель автор gönderen "
    "发送者 发送人 发件人 送信者 보낸사람"
)
_TEXTS = (
    "nachricht inhalt mensaje texto mensagem texte messaggio testo сообщение текст mesaj metin 消息 内容 "
    "メッセージ 메시지"
)
SYNONYMS: Mapping[str, Sequence[str]] = {
    "sent_at": _plain(
        "sent_at timestamp date_time sent created_at created_date_time date time when message_date sent_date "
        f"date_sent sent_date_time send_time sent_time created {_DATES} {_CLOCKS}"
    ),
    "sender": _plain(
        f"sender_name sender author from name from_name author_name user user_name {_SENDERS}"
    ),
    "text": _plain(f"text message body content message_text message_body {_TEXTS}"),
    "chat": _plain(
        "chat conversation chat_name room channel thread group chat_session conversation_title chat_title "
        "channel_name room_name group_name talker_name чат"
    ),
}
CLOCKS = _plain(f"time sent_time message_time time_of_day clock hour {_CLOCKS}")
"""Names of columns with the time of day, for tables with a separate column of dates."""
FILES = _plain("attachments attachment attachment_name file file_name media media_url")
"""Names of columns with names or links of files; other values in them are ignored."""
KEYS = _plain("conversation_id chat_id thread_id channel_id room_id group_id")
"""Names of columns with ids of chats, for tables without titles."""
RECIPIENTS = _plain(
    "to recipient recipient_name receiver to_name empfänger destinatario destinatário destinataire получатель"
)
"""Names of columns with whom a message was sent to, for tables that do not name their chats."""
NUMBERS = _plain(
    "sender_id sender_number sender_phone sender_phone_number phone_number phone number from_number "
    "from_id author_id user_id sender"
)
"""Names of columns with the sender's phone number or id, for rows without a name."""
COUNTED = "number"
"""The one of these that may also count the rows."""
SUBJECTS = ("subject",)
"""Names of columns with a message's subject, which belongs to its text."""
