"""Sentences that Messenger and Instagram write in the sender's name, in the languages of their apps.

Those of other languages are recognised by how often they occur
(:class:`~minirag_chat.importers.messenger_own.OwnLines`). In each table ``|`` and line ends separate
sentences, ``{emoji}`` and ``{name}`` are placeholders, and ``[a/b]`` lists alternatives. Case, the full
stop at the end and the shape of quotation marks are ignored.
"""

# ruff: noqa: RUF001 - sentences in many languages

from __future__ import annotations

REACTED = """
liked a message | [/you ]reacted {emoji} to [your/a] message
gefällt eine nachricht | hat eine nachricht mit "gefällt mir" markiert
hat mit {emoji} auf [deine/eine] nachricht reagiert
a aimé un message | a réagi [avec /]{emoji} à [votre/ton/un] message
a réagi à [votre/ton/un] message avec {emoji}
le [gustó/gusta/ha gustado] un mensaje | indicó que le gusta un mensaje
[reaccionó/ha reaccionado] con {emoji} a [tu/un] mensaje
ha messo "mi piace" a un messaggio | ha aggiunto la reazione {emoji} [al tuo/a un] messaggio
ha reagito con {emoji} [al tuo/a un] messaggio
[curtiu/gostou de] uma mensagem | reagiu com {emoji} [à sua/à tua/a uma] mensagem
vindt een bericht leuk | heeft met {emoji} op [je/een] bericht gereageerd
heeft met {emoji} gereageerd op [je/een] bericht | reageerde met {emoji} op [je/een] bericht
polubił(a) wiadomość | polubiono wiadomość | [zareagował(a)/zareagowano] {emoji} na [twoją /]wiadomość
bir mesajı beğendi | [mesajına/mesajınıza/bir mesaja] {emoji} [ifadesini bıraktı/ile tepki verdi]
[gillade/gillar] ett meddelande | reagerade med {emoji} på [ditt/ett] meddelande
nag-react ng {emoji} sa [iyong/isang] message[ na/]
"""
# Only if the message has a file or a link, and the sentence is about its sender.
SENT = """
{name} sent [an attachment/a photo/a video/a voice message/a gif/a sticker/a link/a file/a location]
{name} sent a live location
{name} [hat/hast] [einen anhang/einen link/einen sticker/eine sprachnachricht] gesendet
{name} [hat/hast] ein [foto/video/gif] gesendet
{name} [a/avez/as] envoyé [une pièce jointe/une photo/une vidéo]
{name} [a/avez/as] envoyé un [message vocal/gif/autocollant/lien]
{name} [envió/ha enviado/te envió] [una foto/un archivo adjunto/un video/un vídeo]
{name} [envió/ha enviado/te envió] un [mensaje de voz/gif/sticker/enlace]
enviaste [una foto/un archivo adjunto/un video/un vídeo/un mensaje de voz/un gif/un sticker/un enlace]
{name} [ha/hai] inviato [un allegato/una foto/un video/un messaggio vocale/una gif/un adesivo/un link]
hai inviato [un allegato/una foto/un video/un messaggio vocale/una gif/un adesivo/un link]
enviaste [um anexo/uma foto/uma mensagem de voz/uma figurinha/um link]
{name} [enviou/enviaste] [um anexo/uma foto/um vídeo/uma mensagem de voz/um gif/uma figurinha/um link]
{name} [heeft/hebt] een [bijlage/foto/video/spraakbericht/gif/sticker/link] [verstuurd/verzonden/gestuurd]
{name} [wysłał/wysłała/wysłał(a)/przesyła] [załącznik/zdjęcie/film/wiadomość głosową/gif/naklejkę/link]
wysłałeś(aś) [załącznik/zdjęcie/film/wiadomość głosową/gif/naklejkę/link]
{name} bir [ek/eklenti/fotoğraf/video/sesli mesaj/gif/çıkartma/bağlantı] gönderdi
{name} [skickade/har skickat] [en bilaga/ett foto/en video/ett röstmeddelande/en gif/ett klistermärke/en länk]
"""
# What members do with a group or chat: the rest of a sentence that begins with the sender, in English.
NOTICES = """
named the group {any} | removed the group name | created [the/this] group
changed the group [photo/name] | removed the group photo
added {any} to the group | removed {any} from the group | [left/joined] the group
[added/removed] {any} as a group admin | changed the [theme/chat theme] | changed the theme to {any}
set the emoji to {emoji} | set the quick reaction to {emoji} | removed the [emoji/quick reaction]
set the nickname for {any} to {any} | set [your/their/his/her] [own /]nickname to {any}
cleared the nickname for {any} | cleared [your/their own/his own/her own] nickname
[pinned/unpinned] a message | turned [on/off] disappearing messages
[started/joined] [a/an/the] [call/video call/video chat/audio call] | voted for {any} in the poll: {any}
[missed/missed your] [call/video call/video chat/audio call] | waved at {any} | are now connected on messenger
created [a/this] poll: {any} | created a [poll/plan] | named the plan {any} | changed the chat theme to {any}
started sharing [video/screen/your screen/their screen]
turned [on/off] disappearing messages. {any} messages will {any}
"""
# Whole sentences, without the sender's name.
ALONE = """
this poll is no longer available | say hi to your new facebook friend, {any}
you can now message and call each other and see info like active status and when you've read messages
[video/audio] [chat/call] ended
"""
CALL_ENDED = "[video/audio] [chat/call] ended"
# Of any member, where the end of a call is reported too.
CALL_STARTED = "{any} started [a/an] [video chat/video call/audio chat/audio call]"
# In place of the name of the person who made the download.
YOU = """
you | du | vous | tu | você | je | jij | u | sen | siz
"""
USER = "użytkownik "  # stands before the name in Polish
