import type { WordTable } from "./languages.ts";

type Name = "embedTitle" | "embedText" | "embedOnce" | "embedAlways";

/** Texts of placeholders in the place of held frames; `{vendor}` is the title of the vendor. */
export const embeds: WordTable<Name> = {
  bg: {
    embedTitle: "Съдържание от {vendor}",
    embedText:
      "При зареждане на това съдържание {vendor} получава вашия IP адрес и може да съхранява данни на вашето устройство.",
    embedOnce: "Зареждане веднъж",
    embedAlways: "Винаги разрешавай {vendor}",
  },
  cs: {
    embedTitle: "Obsah od {vendor}",
    embedText:
      "{vendor} při načtení tohoto obsahu získá vaši IP adresu a může ukládat data do vašeho zařízení.",
    embedOnce: "Načíst jednou",
    embedAlways: "{vendor} vždy povolit",
  },
  da: {
    embedTitle: "Indhold fra {vendor}",
    embedText:
      "{vendor} modtager din IP-adresse, når indholdet indlæses, og kan gemme data på din enhed.",
    embedOnce: "Indlæs én gang",
    embedAlways: "Tillad altid {vendor}",
  },
  de: {
    embedTitle: "Inhalt von {vendor}",
    embedText:
      "{vendor} erhält beim Laden dieses Inhalts Ihre IP-Adresse und kann Daten auf Ihrem Gerät speichern.",
    embedOnce: "Einmal laden",
    embedAlways: "{vendor} immer erlauben",
  },
  el: {
    embedTitle: "Περιεχόμενο από {vendor}",
    embedText:
      "Κατά τη φόρτωση αυτού του περιεχομένου, ο πάροχος {vendor} λαμβάνει τη διεύθυνση IP σας και ενδέχεται να αποθηκεύσει δεδομένα στη συσκευή σας.",
    embedOnce: "Φόρτωση μία φορά",
    embedAlways: "Να επιτρέπεται πάντα: {vendor}",
  },
  en: {
    embedTitle: "Content from {vendor}",
    embedText:
      "{vendor} receives your IP address when this content loads, and may store data on your device.",
    embedOnce: "Load once",
    embedAlways: "Always allow {vendor}",
  },
  es: {
    embedTitle: "Contenido de {vendor}",
    embedText:
      "{vendor} recibe su dirección IP al cargar este contenido y puede guardar datos en su dispositivo.",
    embedOnce: "Cargar una vez",
    embedAlways: "Permitir siempre {vendor}",
  },
  et: {
    embedTitle: "Sisu teenusest {vendor}",
    embedText:
      "{vendor} saab selle sisu laadimisel teie IP-aadressi ja võib teie seadmesse andmeid salvestada.",
    embedOnce: "Laadi üks kord",
    embedAlways: "Luba alati {vendor}",
  },
  fi: {
    embedTitle: "Sisältö palvelusta {vendor}",
    embedText:
      "{vendor} saa IP-osoitteesi, kun tämä sisältö ladataan, ja voi tallentaa tietoja laitteellesi.",
    embedOnce: "Lataa kerran",
    embedAlways: "Salli aina {vendor}",
  },
  fr: {
    embedTitle: "Contenu de {vendor}",
    embedText:
      "{vendor} reçoit votre adresse IP au chargement de ce contenu et peut enregistrer des données sur votre appareil.",
    embedOnce: "Charger une fois",
    embedAlways: "Toujours autoriser {vendor}",
  },
  ga: {
    embedTitle: "Ábhar ó {vendor}",
    embedText:
      "Faigheann {vendor} do sheoladh IP nuair a lódáltar an t-ábhar seo, agus féadfaidh sé sonraí a stóráil ar do ghléas.",
    embedOnce: "Lódáil uair amháin",
    embedAlways: "Ceadaigh {vendor} i gcónaí",
  },
  hr: {
    embedTitle: "Sadržaj: {vendor}",
    embedText:
      "{vendor} prima vašu IP adresu pri učitavanju ovog sadržaja i može pohraniti podatke na vaš uređaj.",
    embedOnce: "Učitaj jednom",
    embedAlways: "Uvijek dopusti: {vendor}",
  },
  hu: {
    embedTitle: "{vendor} tartalma",
    embedText:
      "A tartalom betöltésekor a(z) {vendor} megkapja az Ön IP-címét, és adatokat tárolhat az eszközén.",
    embedOnce: "Betöltés egyszer",
    embedAlways: "{vendor}: mindig engedélyezem",
  },
  it: {
    embedTitle: "Contenuto di {vendor}",
    embedText:
      "{vendor} riceve il suo indirizzo IP al caricamento di questo contenuto e può salvare dati sul suo dispositivo.",
    embedOnce: "Carica una volta",
    embedAlways: "Consenti sempre {vendor}",
  },
  lt: {
    embedTitle: "Turinys: {vendor}",
    embedText:
      "Įkeliant šį turinį {vendor} gauna jūsų IP adresą ir gali saugoti duomenis jūsų įrenginyje.",
    embedOnce: "Įkelti vieną kartą",
    embedAlways: "Visada leisti: {vendor}",
  },
  lv: {
    embedTitle: "Saturs: {vendor}",
    embedText:
      "Ielādējot šo saturu, {vendor} saņem jūsu IP adresi un var glabāt datus jūsu ierīcē.",
    embedOnce: "Ielādēt vienreiz",
    embedAlways: "Vienmēr atļaut: {vendor}",
  },
  mt: {
    embedTitle: "Kontenut minn {vendor}",
    embedText:
      "{vendor} jirċievi l-indirizz IP tiegħek meta jitgħabba dan il-kontenut, u jista’ jaħżen data fuq l-apparat tiegħek.",
    embedOnce: "Għabbi darba",
    embedAlways: "Dejjem ippermetti {vendor}",
  },
  nl: {
    embedTitle: "Inhoud van {vendor}",
    embedText:
      "{vendor} ontvangt uw IP-adres wanneer deze inhoud wordt geladen en kan gegevens op uw apparaat opslaan.",
    embedOnce: "Eenmalig laden",
    embedAlways: "{vendor} altijd toestaan",
  },
  pl: {
    embedTitle: "Treść z serwisu {vendor}",
    embedText:
      "{vendor} otrzymuje adres IP użytkownika podczas wczytywania tej treści i może zapisywać dane na jego urządzeniu.",
    embedOnce: "Wczytaj raz",
    embedAlways: "Zawsze zezwalaj: {vendor}",
  },
  pt: {
    embedTitle: "Conteúdo de {vendor}",
    embedText:
      "{vendor} recebe o seu endereço IP quando este conteúdo é carregado e pode guardar dados no seu dispositivo.",
    embedOnce: "Carregar uma vez",
    embedAlways: "Permitir sempre {vendor}",
  },
  ro: {
    embedTitle: "Conținut de la {vendor}",
    embedText:
      "{vendor} primește adresa dvs. IP la încărcarea acestui conținut și poate stoca date pe dispozitivul dvs.",
    embedOnce: "Încarcă o dată",
    embedAlways: "Permite întotdeauna {vendor}",
  },
  sk: {
    embedTitle: "Obsah od {vendor}",
    embedText:
      "{vendor} pri načítaní tohto obsahu získa vašu IP adresu a môže ukladať údaje do vášho zariadenia.",
    embedOnce: "Načítať raz",
    embedAlways: "{vendor} vždy povoliť",
  },
  sl: {
    embedTitle: "Vsebina: {vendor}",
    embedText:
      "{vendor} ob nalaganju te vsebine prejme vaš naslov IP in lahko shrani podatke v vašo napravo.",
    embedOnce: "Naloži enkrat",
    embedAlways: "Vedno dovoli: {vendor}",
  },
  sv: {
    embedTitle: "Innehåll från {vendor}",
    embedText:
      "{vendor} får din IP-adress när innehållet läses in och kan lagra data på din enhet.",
    embedOnce: "Läs in en gång",
    embedAlways: "Tillåt alltid {vendor}",
  },
  ar: {
    embedTitle: "محتوى من {vendor}",
    embedText: "يتلقى {vendor} عنوان IP الخاص بك عند تحميل هذا المحتوى، وقد يخزّن بيانات على جهازك.",
    embedOnce: "تحميل مرة واحدة",
    embedAlways: "السماح دائمًا لـ {vendor}",
  },
  bn: {
    embedTitle: "{vendor}-এর কন্টেন্ট",
    embedText: "এই কন্টেন্ট লোড হলে {vendor} আপনার আইপি ঠিকানা পায় এবং আপনার ডিভাইসে ডেটা সংরক্ষণ করতে পারে।",
    embedOnce: "একবার লোড করুন",
    embedAlways: "{vendor} সবসময় অনুমোদন করুন",
  },
  hi: {
    embedTitle: "{vendor} की सामग्री",
    embedText:
      "यह सामग्री लोड होने पर {vendor} को आपका IP पता मिलता है और वह आपके डिवाइस पर डेटा संग्रहीत कर सकता है।",
    embedOnce: "एक बार लोड करें",
    embedAlways: "{vendor} को हमेशा अनुमति दें",
  },
  id: {
    embedTitle: "Konten dari {vendor}",
    embedText:
      "{vendor} menerima alamat IP Anda saat konten ini dimuat dan dapat menyimpan data di perangkat Anda.",
    embedOnce: "Muat sekali",
    embedAlways: "Selalu izinkan {vendor}",
  },
  ja: {
    embedTitle: "{vendor} のコンテンツ",
    embedText:
      "このコンテンツを読み込むと、{vendor} がお客様の IP アドレスを受け取り、端末にデータを保存することがあります。",
    embedOnce: "今回だけ読み込む",
    embedAlways: "{vendor} を常に許可",
  },
  ko: {
    embedTitle: "{vendor} 콘텐츠",
    embedText:
      "이 콘텐츠를 불러오면 {vendor}에 IP 주소가 전달되며, 기기에 데이터가 저장될 수 있습니다.",
    embedOnce: "한 번만 불러오기",
    embedAlways: "{vendor} 항상 허용",
  },
  ru: {
    embedTitle: "Контент: {vendor}",
    embedText:
      "При загрузке этого контента {vendor} получает ваш IP-адрес и может сохранять данные на вашем устройстве.",
    embedOnce: "Загрузить один раз",
    embedAlways: "Всегда разрешать: {vendor}",
  },
  tr: {
    embedTitle: "{vendor} içeriği",
    embedText:
      "Bu içerik yüklendiğinde {vendor} IP adresinizi alır ve cihazınızda veri saklayabilir.",
    embedOnce: "Bir kez yükle",
    embedAlways: "Her zaman izin ver: {vendor}",
  },
  ur: {
    embedTitle: "{vendor} کا مواد",
    embedText:
      "یہ مواد لوڈ ہونے پر {vendor} کو آپ کا IP پتہ ملتا ہے اور وہ آپ کے آلے پر ڈیٹا محفوظ کر سکتا ہے۔",
    embedOnce: "ایک بار لوڈ کریں",
    embedAlways: "{vendor} کو ہمیشہ اجازت دیں",
  },
  zh: {
    embedTitle: "来自 {vendor} 的内容",
    embedText: "加载此内容时，{vendor} 会获取您的 IP 地址，并可能在您的设备上存储数据。",
    embedOnce: "仅加载一次",
    embedAlways: "始终允许 {vendor}",
  },
  nb: {
    embedTitle: "Innhold fra {vendor}",
    embedText:
      "{vendor} mottar IP-adressen din når innholdet lastes inn, og kan lagre data på enheten din.",
    embedOnce: "Last inn én gang",
    embedAlways: "Tillat alltid {vendor}",
  },
  "pt-BR": {
    embedTitle: "Conteúdo de {vendor}",
    embedText:
      "{vendor} recebe seu endereço IP quando este conteúdo é carregado e pode armazenar dados no seu dispositivo.",
    embedOnce: "Carregar uma vez",
    embedAlways: "Sempre permitir {vendor}",
  },
  "zh-Hant": {
    embedTitle: "來自 {vendor} 的內容",
    embedText: "載入此內容時，{vendor} 會取得您的 IP 位址，並可能在您的裝置上儲存資料。",
    embedOnce: "僅載入一次",
    embedAlways: "一律允許 {vendor}",
  },
};
