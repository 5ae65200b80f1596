"""The names of columns that tables of messages have, in the languages of many tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    "sent_at": (
        "sent_at timestamp datetime date_time sent created_at date time when message_date sent_date "
        f"{_DATES} {_CLOCKS}"
    ).split(),
    "sender": (
        "sendername sender sender_name author from name from_name author_name user username user_name "
        f"{_SENDERS}"
    ).split(),
    "text": f"text message body content message_text {_TEXTS}".split(),
    "chat": (
        "chat conversation chat_name room channel thread group chat_session conversation_title chat_title "
        "channel_name room_name group_name talkername чат"
    ).split(),
}
CLOCKS = f"time sent_time message_time time_of_day clock hour {_CLOCKS}".split()
"""Names of columns with the time of day, for tables with a separate column of dates."""
FILES = "attachments attachment attachment_name file filename file_name media media_url".split()
"""Names of columns with names or links of files; other values in them are ignored."""
KEYS = ("conversation_id", "chat_id", "thread_id", "channel_id", "room_id", "group_id")
"""Names of columns with ids of chats, for tables without titles."""
RECIPIENTS = (
    "to recipient recipient_name receiver to_name empfänger destinatario destinatário destinataire получатель"
).split()
"""Names of columns with whom a message was sent to, for tables that do not name their chats."""
NUMBERS = (
    "sender_id sender_number sender_phone sender_phone_number phone_number phone number from_number "
    "from_id author_id user_id sender"
).split()
"""Names of columns with the sender's phone number or id, for rows without a name."""
COUNTED = "number"
"""The one of these that may also count the rows."""
SUBJECTS = ("subject",)
"""Names of columns with a message's subject, which belongs to its text."""


def plain(column: str) -> str:
    """Return a column's name as it is in these lists."""
    return column.strip().casefold().replace(" ", "_").replace("-", "_")
