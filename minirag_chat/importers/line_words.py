"""LINE's own words in the place of a text: media, calls, and what happened in a group."""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy

_MEDIA_WORDS = {
    "photo": "Photo Photos Foto 写真 照片 图片 圖片 사진 รูป ภาพ รูปภาพ",
    "video": "Video 動画 影片 视频 동영상 วิดีโอ",
    "sticker": "Sticker Stickers Stiker スタンプ 貼圖 贴图 스티커 สติกเกอร์",
    "voice message": "Voice_message ボイスメッセージ 語音訊息 语音消息 语音信息 음성_메시지 ข้อความเสียง",
    "file": "File ファイル 檔案 文件 파일 ไฟล์",
    "contact": "Contact 連絡先 聯絡資訊 联系人 연락처",
    "location": "Location 位置情報 位置訊息 位置 위치정보",
    "album": "Albums アルバム 相簿 相册 앨범",
}
MEDIA = {
    word.replace("_", " "): kind for kind, words in _MEDIA_WORDS.items() for word in words.split()
}
"""The kind of media for each word that stands for it."""
_PEOPLE = r"(?P<whom>\S.{0,200}?)"
NOTICE = lazy(
    r"unsent a message\.?|(?:Missed|Canceled|Cancelled|No answer) ?call|Call time \d+(?::\d\d)+"
    r"|通話時間 ?\d+(?::\d\d)+|不在着信|メッセージの送信を取り消しました"
    r"|(?:joined|left) the (?:group|chat)\.?|created an album\.?|announced a message\.?"
    r"|changed the (?:group|chat)(?:'s)? (?:profile )?(?:photo|picture|icon|name).{0,200}"
    rf"|(?:invited|added|removed) {_PEOPLE} (?:to|from) the (?:group|chat)\.?"
    r"|cancell?ed the invitation to .{1,200}"
)
"""What LINE for computers writes behind a name of calls, messages taken back and the group."""
