"""The phrases that WhatsApp itself writes into an export, in its most common languages.

In other languages no message is lost: placeholders are read as text.
In each table ``|`` and line ends separate the phrases.
"""
# ruff: noqa: RUF001 - phrases in many scripts

from __future__ import annotations

# Whole texts, with and without Android's angle brackets.
OMITTED = """
media omitted | medien ausgeschlossen | medien weggelassen | multimedia omitido
archivo omitido | médias omis | fichier omis | media omessi | media omessa | file omesso
media omesso | mídia oculta | arquivo de mídia oculto | mídia omitida | ficheiro não revelado
ficheiro multimédia omitido | media weggelaten | medya dahil edilmedi | medya atlanmış
без медиафайлов | медиафайл пропущен | пропущен медиафайл | без медіафайлів | медіа пропущено
media tidak disertakan | media dihilangkan | pominięto multimedia | multimedia pominięte
media har utelämnats | utelämnad media | mediefil udeladt | medier udeladt | medie udeladt
media utelatt | media jätettiin pois | média vynechána | média vynechány | média vynecháno | médiá vynechané
fișiere media omise | hiányzó médiafájl | média elhagyva | πολυμέσα παραλείφθηκαν
تم استبعاد الوسائط | تم حذف الوسائط | המדיה לא נכללה | המדיה הושמטה
मीडिया के बिना | मीडिया छोड़ा गया | メディアは含まれていません | メディアなし
미디어 파일을 제외한 내보내기 | 미디어 파일 제외됨 | 省略多媒体文件 | 媒体文件已省略 | 忽略多媒體檔
多媒體檔案已略過 | bỏ qua media | đã bỏ qua media | ไม่รวมไฟล์สื่อ | video note omitted
live location shared | live location ended | video message omitted
view once voice message omitted | view once message omitted
view once photo omitted | view once video omitted | null
media utelämnades | media utelämnade | رسانه حذف شد | رسانه حذف شده | ไม่รวมสื่อ
"""
# Only in Android's angle brackets, since people write such words too.
ONLY_BRACKETED = """
uten vedlegg | pliki pominięto | conținut media omis | εξαίρεση πολυμέσων | media jätetty pois
מדיה הושמטה | המדיה הוסרה | файл пропущен | медиа отсутствует | media disingkirkan | mitjans omesos
"""
# Only with WhatsApp's own mark before them, since people write such words too.
ONLY_MARKED = """
तस्वीर शामिल नहीं है | फ़ोटो शामिल नहीं है | वीडियो शामिल नहीं है | ऑडियो शामिल नहीं है
स्टिकर शामिल नहीं है | दस्तावेज़ शामिल नहीं है | gif शामिल नहीं है | аудио отсутствует
ei kuvaa | ei videota | ei ääntä | ei tarraa | ei gifiä | ei asiakirjaa
الفيديو محذوف | الصوت محذوف | الملصق محذوف | المستند محذوف
view once photo | view once video | view once message | view once voice message
لم يتم إدراج الصورة | لم يتم إدراج الفيديوهات | لم يتم إدراج المقاطع الصوتية
لم يتم إدراج المستند | لم يتم إدراج بطاقة جهة اتصال | لم يتم إدراج صورة gif | تم حذف الملصقات
קטע קול הושמט | סטיקר הושמט | gif הושמט | כרטיס איש קשר הושמט
फ़ोटो हटाई गई | ऑडियो हटाई गयी | स्टिकर छोड़ा गया | gif छोड़ा गया | डॉक्यूमेंट छोड़ा गया
圖像已省略 | 影片已省略 | 音訊已省略 | 貼圖已忽略 | gif 圖片已被省略 | gif 已略去 | 聯絡人卡片已略去
聯絡人卡片已省略 | 贴图已省略 | 文档已省略 | gif 动态图已被忽略 | 联系人卡片已忽略 | стикер не добавлен
klistermærke udeladt | kontaktkort udeladt | visitekaartje weggelaten | video utelatt | lyd utelatt
gif utelatt | klistremerke utelatt | ドキュメントは含まれていません | 連絡先カードを省略
스티커 제외됨 | 연락처 카드 생략됨 | kişi kartı dahil edilmedi | kartu kontak tidak disertakan
sticker não revelado | gif não revelada | contacto não revelado
einmal ansehen: foto | einmal ansehen: video | foto zur einmalansicht | video zur einmalansicht
"""
NOT_ARRIVED = """
waiting for this message. this may take a while | waiting for this message
auf diese nachricht wird gewartet. dies kann eine weile dauern | warte auf diese nachricht
wartet auf diese nachricht. dies kann etwas dauern | wartet auf diese nachricht
warten auf diese nachricht. dies kann etwas dauern | warten auf diese nachricht
esperando el mensaje. esto puede tomar tiempo | esperando el mensaje. esto puede tardar un poco
esperando el mensaje. esto puede demorar un poco | esperando este mensaje
en attente de ce message. cela peut prendre du temps | en attente de ce message
en attente de ce message. vérifiez votre téléphone | in attesa del messaggio
in attesa del messaggio. potrebbe volerci un po’ di tempo
in attesa del messaggio. potrebbe volerci del tempo
aguardando mensagem. essa ação pode levar alguns instantes | a aguardar esta mensagem
wachten op dit bericht. dit kan even duren | wachten op dit bericht
bu mesaj bekleniyor. bu biraz zaman alabilir | bu mesaj bekleniyor
ожидание сообщения. это может занять некоторое время | ожидание этого сообщения
menunggu pesan ini. ini mungkin akan memakan waktu | menunggu pesan ini
"""
OMITTED_THING = """
image omitted | video omitted | audio omitted | sticker omitted | gif omitted
document omitted | contact card omitted | bild weggelassen | video weggelassen
audio weggelassen | sticker weggelassen | gif weggelassen | dokument weggelassen
kontaktkarte ausgelassen | imagen omitida | video omitido | audio omitido | sticker omitido
gif omitido | documento omitido | tarjeta de contacto omitida | image absente | vidéo absente
vidéo omise | audio omis | sticker omis | gif retiré | document manquant | fiche contact manquante
immagine omessa | video omesso | audio omesso | sticker non incluso | gif esclusa
documento omesso | scheda contatto omessa | imagem ocultada | imagem omitida | vídeo omitido
áudio ocultado | áudio omitido | figurinha omitida | gif omitido | documento omitido
cartão do contato omitido | afbeelding weggelaten | video weggelaten | audio weggelaten
contactkaart weggelaten | fiche contact omise | videonotiz weggelassen
videonachricht weggelassen
nota de video omitida | sticker weggelaten | gif weggelaten | document weggelaten | görüntü dahil edilmedi
video dahil edilmedi | ses dahil edilmedi | çıkartma dahil edilmedi | belge dahil edilmedi
изображение отсутствует | видео отсутствует | аудиофайл отсутствует | стикер отсутствует
документ отсутствует | gambar tidak disertakan | video tidak disertakan | audio tidak disertakan
obraz pominięty | film pominięty | dźwięk pominięty | bild utelämnad | video utelämnad
billede udeladt | video udeladt | bilde utelatt | kuva jätetty pois | video jätetty pois
画像が省略されました | 画像は含まれていません
이미지 생략됨 | 사진 생략 | 동영상 생략
图像已忽略 | 图片已省略 | 视频已省略
圖片略過 | 影片略過 | 图片已忽略 | 照片已忽略 | 视频已忽略 | 音频已忽略 | 文件已忽略 | 文档已忽略
贴图已忽略 | gif已忽略 | 圖片已略去 | 影片已略去 | 音訊已略去 | 文件已略去 | 貼圖已略去
사진 생략됨 | 비디오 생략됨 | 동영상 생략됨 | 오디오 생략됨 | 스티커 생략됨 | 문서 생략됨 | gif 생략됨
ビデオは含まれていません | 動画は含まれていません | 音声は含まれていません
スタンプは含まれていません | 文書は含まれていません | gifは含まれていません
bild utesluten | video utesluten | ljud uteslutet | sticker utesluten | gif utesluten
dokument uteslutet | bilde ikke inkludert | video ikke inkludert | lyd ikke inkludert
klistremerke ikke inkludert | gif ikke inkludert | dokument ikke inkludert | lyd udeladt
gif udeladt | dokument udeladt | ääni jätetty pois | tarra jätetty pois
imagem não revelada | vídeo não revelado | ficheiro de áudio não revelado | áudio não revelado
autocolante não revelado | gif não revelado | documento não revelado
imatge omesa | vídeo omès | àudio omès | gif dahil edilmedi | stiker tidak disertakan
gif tidak disertakan | dokumen tidak disertakan | gif отсутствует | зображення відсутнє
відео відсутнє | аудіо відсутнє | аудіофайл відсутній | наліпка відсутня | стікер відсутній
gif відсутній | документ відсутній | εικόνα παραλείφθηκε | βίντεο παραλείφθηκε
ήχος παραλείφθηκε | αυτοκόλλητο παραλείφθηκε | gif παραλείφθηκε | έγγραφο παραλείφθηκε
wideo pominięto | audio pominięto | obraz pominięto | dokument pominięto
wideo pominięte | grafika pominięta | audio pominięte | naklejka pominięta | gif pominięty
dokument pominięty | obrázek vynechán | video vynecháno | zvuk vynechán | audio vynecháno
nálepka vynechána | gif vynechán | dokument vynechán | obrázok vynechaný | video vynechané
đã bỏ qua hình ảnh | đã bỏ qua video | đã bỏ qua âm thanh | đã bỏ qua nhãn dán
đã bỏ qua tài liệu | hình ảnh bị bỏ qua | video bị bỏ qua | ไม่รวมรูปภาพ | ไม่รวมวิดีโอ
ไม่รวมเสียง | ไม่รวมสติกเกอร์ | ไม่รวมเอกสาร | הסרטון הושמט | סרטון הווידאו הושמט | האודיו הושמט
אודיו הושמט | המדבקה הושמטה | מדבקה הושמטה | המסמך הושמט | מסמך הושמט
imagine omisă | videoclip omis | autocolant omis | fișier audio omis
kép kihagyva | videó kihagyva | hang kihagyva | matrica kihagyva | dokumentum kihagyva
kép elhagyva | videó elhagyva | hang elhagyva | तस्वीर छोड़ी गई | वीडियो छोड़ा गया | ऑडियो छोड़ा गया
ljud utelämnat | sticker utelämnad | gif utelämnad | dokument utelämnat | kontaktkort utelämnat
nagranie audio pominięto | карточка контакта отсутствует
تم حذف الصورة | الصورة محذوفة | התמונה הושמטה | תמונה הושמטה
"""
DELETED = """
this message was deleted | you deleted this message | you deleted this message as admin
diese nachricht wurde gelöscht
du hast diese nachricht gelöscht | se eliminó este mensaje | eliminaste este mensaje
este mensaje fue eliminado | ce message a été supprimé | vous avez supprimé ce message
questo messaggio è stato eliminato | hai eliminato questo messaggio
mensagem apagada | essa mensagem foi apagada | você apagou esta mensagem
você apagou essa mensagem | esta mensagem foi apagada
dit bericht is verwijderd | je hebt dit bericht verwijderd | bu mesaj silindi | bu mesajı sildiniz
сообщение удалено | данное сообщение удалено | вы удалили это сообщение
вы удалили данное сообщение | pesan ini dihapus
anda menghapus pesan ini | usunięto wiadomość | ta wiadomość została usunięta
det här meddelandet togs bort | denne besked blev slettet | この メッセージは削除されました
このメッセージは削除されました | 삭제된 메시지입니다
此消息已被删除 | 你刪除了這則訊息 | 此訊息已刪除
تم حذف هذه الرسالة | הודעה זו נמחקה | यह संदेश हटा दिया गया
se ha eliminado este mensaje | has eliminado este mensaje | esta mensagem foi eliminada
eliminou esta mensagem | s'ha suprimit aquest missatge | has suprimit aquest missatge
u hebt dit bericht verwijderd | denne meldingen ble slettet | du slettet denne meldingen
du slettede denne besked | det här meddelandet raderades | det här meddelandet har raderats
du raderade det här meddelandet | du tog bort det här meddelandet | tämä viesti poistettiin
tämä viesti on poistettu | poistit tämän viestin | pesan ini telah dihapus
anda telah menghapus pesan ini | usunięto tę wiadomość | usunąłeś tę wiadomość
tato zpráva byla smazána | tato zpráva byla odstraněna | tuto zprávu jste smazali
tuto zprávu jste odstranili | táto správa bola odstránená | ezt az üzenetet törölték
törölted ezt az üzenetet | acest mesaj a fost șters | ai șters acest mesaj | ați șters acest mesaj
αυτό το μήνυμα διαγράφηκε | διαγράψατε αυτό το μήνυμα | це повідомлення було видалено
це повідомлення видалено | повідомлення видалено | ви видалили це повідомлення
tin nhắn này đã bị xóa | tin nhắn này đã bị xoá | bạn đã xóa tin nhắn này | bạn đã xoá tin nhắn này
ข้อความนี้ถูกลบแล้ว | ข้อความนี้ถูกลบ | คุณลบข้อความนี้แล้ว | คุณได้ลบข้อความนี้
이 메시지는 삭제되었습니다 | 이 메시지를 삭제했습니다 | 메시지를 삭제했습니다
这条消息已被删除 | 此消息已删除 | 信息已删除 | 您已删除此消息 | 您删除了这条消息 | 你删除了这条消息
此訊息已被刪除 | 這則訊息已被刪除 | 您已刪除此訊息 | 你已刪除此訊息 | 你已刪除這則訊息
このメッセージを削除しました | メッセージを削除しました | لقد حذفت هذه الرسالة | حذفت هذه الرسالة
ההודעה נמחקה | מחקת הודעה זו | מחקת את ההודעה הזו | आपने यह संदेश हटा दिया
du raderade detta meddelande | detta meddelande raderades | detta meddelande har raderats
यह मैसेज डिलीट कर दिया गया है | यह मैसेज डिलीट कर दिया गया | आपने यह मैसेज डिलीट कर दिया है
आपने यह मैसेज डिलीट किया | आपने यह मैसेज डिलीट कर दिया | यह मैसेज हटा दिया गया है
你撤回了这条消息 | 你撤回了一条消息 | 您撤回了这条消息 | 您撤回了一条消息 | 此消息已被撤回
यह मैसेज हटा दिया गया | आपने यह मैसेज हटा दिया
denne besked er blevet slettet | du har slettet denne besked | usunąłeś(-ęłaś) tę wiadomość
usunąłeś(aś) tę wiadomość | ez az üzenet törlésre került | ezt az üzenetet törölted
du har tagit bort meddelandet | apagou esta mensagem | διαγράψατε το μήνυμα
tuto zprávu jste smazal/a | tuto zprávu jste odstranil/a | túto správu ste odstránili
삭제한 메시지입니다 | 您已删除这条消息 | คุณลบข้อความนี้ | این پیام حذف شد | این پیام حذف شده است
شما این پیام را حذف کردید | mesej ini telah dipadam | anda telah memadamkan mesej ini
съобщението беше изтрито | изтрихте това съобщение | لقد حذَفت هذه الرسالة | أنت حذفت هذه الرسالة
"""
# As Android writes them, with the capital letter with which a sentence begins.
MISSED_CALL = """
Missed voice call | Missed video call | Missed group voice call | Missed group video call
Verpasster Sprachanruf | Verpasster Videoanruf | Verpasster Gruppen-Sprachanruf
Verpasster Gruppen-Videoanruf | Verpasster Gruppenanruf | Llamada perdida | Llamada de voz perdida
Videollamada perdida | Llamada grupal perdida | Videollamada grupal perdida | Appel vocal manqué
Appel vidéo manqué | Appel vocal de groupe manqué | Appel vidéo de groupe manqué | Chiamata persa
Chiamata vocale persa | Videochiamata persa | Chiamata di gruppo persa | Videochiamata di gruppo persa
Ligação de voz em grupo perdida | Ligação de vídeo em grupo perdida | Ligação em grupo perdida
Chamada de voz perdida | Chamada de vídeo perdida | Ligação de voz perdida | Ligação de vídeo perdida
Gemiste spraakoproep | Gemiste video-oproep | Gemiste videogesprek | Gemiste oproep
Cevapsız sesli arama | Cevapsız görüntülü arama | Cevapsız sesli grup araması
Cevapsız görüntülü grup araması | Nieodebrane połączenie głosowe | Nieodebrane połączenie wideo
Пропущенный аудиозвонок | Пропущенный видеозвонок | Пропущенный групповой аудиозвонок
Пропущенный групповой видеозвонок | Пропущений голосовий виклик | Пропущений відеовиклик
Missat röstsamtal | Missat videosamtal | Ubesvaret stemmeopkald | Ubesvaret taleopkald
Ubesvaret videoopkald | Пропущений аудіодзвінок | Пропущений відеодзвінок | Nieodebrane poł. głosowe
Nieodebrane poł. wideo | Gemist spraakgesprek | Gemist videogesprek | Videochamada perdida
音声通話不在着信 | ビデオ通話不在着信
Tapt taleanrop | Tapt videoanrop | Vastaamaton äänipuhelu | Vastaamaton videopuhelu
Zmeškaný hlasový hovor | Zmeškaný videohovor | Panggilan suara tak terjawab
Panggilan video tak terjawab | 不在着信（音声通話） | 不在着信（ビデオ通話） | 不在着信(音声通話)
不在着信(ビデオ通話)
부재중 음성전화 | 부재중 음성통화 | 부재중 영상통화 | 未接语音通话 | 未接视频通话 | 未接語音通話
未接視訊通話 | 未接語音來電 | 未接視訊來電 | مكالمة صوتية فائتة | مكالمة فيديو فائتة
שיחה קולית שלא נענתה | שיחת וידאו שלא נענתה | मिस्ड वॉइस कॉल | मिस्ड वीडियो कॉल
"""
# As Android writes them with a caller; behind them comes how long the call was, or how it ended.
CALL = """
Voice call | Video call | Group voice call | Group video call | Group call | Sprachanruf | Videoanruf
"""
WAS_EDITED = """
this message was edited | diese nachricht wurde bearbeitet | se editó este mensaje
este mensaje fue editado | mensaje editado | ce message a été modifié
questo messaggio è stato modificato | mensagem editada | esta mensagem foi editada
essa mensagem foi editada | dit bericht is bewerkt | bu mesaj düzenlendi | сообщение изменено
это сообщение было изменено | данное сообщение изменено | це повідомлення змінено
це повідомлення було змінено | pesan ini diedit | pesan ini telah diedit
ta wiadomość została edytowana | edytowano tę wiadomość | det här meddelandet redigerades
det här meddelandet har redigerats | denne besked blev redigeret | denne meldingen ble redigert
tätä viestiä muokattiin | tätä viestiä on muokattu | tato zpráva byla upravena
このメッセージは編集されました | このメッセージは編集済みです | 이 메시지는 수정되었습니다
메시지가 수정되었습니다 | 此消息已编辑 | 此消息已被编辑 | 这条消息已编辑 | 此訊息已編輯 | 此訊息已被編輯
這則訊息已編輯 | تم تعديل هذه الرسالة | הודעה זו נערכה | ההודעה נערכה
"""
