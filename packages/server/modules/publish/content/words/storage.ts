import type { WordTable } from "./languages.ts";

type Name = "storage" | "duration" | "provider";

/** Texts of the cookies and storage keys of vendors. */
export const storage: WordTable<Name> = {
  bg: {
    storage: "Бисквитки и съхранение",
    duration: "Срок",
    provider: "Доставчик",
  },
  cs: {
    storage: "Cookies a úložiště",
    duration: "Doba platnosti",
    provider: "Poskytovatel",
  },
  da: {
    storage: "Cookies og lagring",
    duration: "Varighed",
    provider: "Udbyder",
  },
  de: {
    storage: "Cookies und Speicher",
    duration: "Dauer",
    provider: "Anbieter",
  },
  el: {
    storage: "Cookies και αποθήκευση",
    duration: "Διάρκεια",
    provider: "Πάροχος",
  },
  en: {
    storage: "Cookies and storage",
    duration: "Duration",
    provider: "Provider",
  },
  es: {
    storage: "Cookies y almacenamiento",
    duration: "Duración",
    provider: "Proveedor",
  },
  et: {
    storage: "Küpsised ja salvestusruum",
    duration: "Kestus",
    provider: "Pakkuja",
  },
  fi: {
    storage: "Evästeet ja tallennus",
    duration: "Kesto",
    provider: "Palveluntarjoaja",
  },
  fr: {
    storage: "Cookies et stockage",
    duration: "Durée",
    provider: "Fournisseur",
  },
  ga: {
    storage: "Fianáin agus stóráil",
    duration: "Fad ama",
    provider: "Soláthraí",
  },
  hr: {
    storage: "Kolačići i pohrana",
    duration: "Trajanje",
    provider: "Pružatelj",
  },
  hu: {
    storage: "Sütik és tárolás",
    duration: "Időtartam",
    provider: "Szolgáltató",
  },
  it: {
    storage: "Cookie e archiviazione",
    duration: "Durata",
    provider: "Fornitore",
  },
  lt: {
    storage: "Slapukai ir saugykla",
    duration: "Trukmė",
    provider: "Teikėjas",
  },
  lv: {
    storage: "Sīkdatnes un krātuve",
    duration: "Ilgums",
    provider: "Nodrošinātājs",
  },
  mt: {
    storage: "Cookies u ħżin",
    duration: "Tul ta’ żmien",
    provider: "Fornitur",
  },
  nl: {
    storage: "Cookies en opslag",
    duration: "Duur",
    provider: "Aanbieder",
  },
  pl: {
    storage: "Pliki cookie i przechowywanie",
    duration: "Okres ważności",
    provider: "Dostawca",
  },
  pt: {
    storage: "Cookies e armazenamento",
    duration: "Duração",
    provider: "Fornecedor",
  },
  ro: {
    storage: "Cookie-uri și stocare",
    duration: "Durată",
    provider: "Furnizor",
  },
  sk: {
    storage: "Cookies a úložisko",
    duration: "Doba platnosti",
    provider: "Poskytovateľ",
  },
  sl: {
    storage: "Piškotki in shranjevanje",
    duration: "Trajanje",
    provider: "Ponudnik",
  },
  sv: {
    storage: "Cookies och lagring",
    duration: "Varaktighet",
    provider: "Leverantör",
  },
  ar: {
    storage: "ملفات تعريف الارتباط والتخزين",
    duration: "المدة",
    provider: "المزوّد",
  },
  bn: {
    storage: "কুকি ও স্টোরেজ",
    duration: "মেয়াদ",
    provider: "প্রদানকারী",
  },
  hi: {
    storage: "कुकी और स्टोरेज",
    duration: "अवधि",
    provider: "प्रदाता",
  },
  id: {
    storage: "Cookie dan penyimpanan",
    duration: "Durasi",
    provider: "Penyedia",
  },
  ja: {
    storage: "Cookieとストレージ",
    duration: "有効期間",
    provider: "提供元",
  },
  ko: {
    storage: "쿠키 및 저장소",
    duration: "유효 기간",
    provider: "제공자",
  },
  ru: {
    storage: "Файлы cookie и хранилище",
    duration: "Срок действия",
    provider: "Поставщик",
  },
  tr: {
    storage: "Çerezler ve depolama",
    duration: "Süre",
    provider: "Sağlayıcı",
  },
  ur: {
    storage: "کوکیز اور اسٹوریج",
    duration: "مدت",
    provider: "فراہم کنندہ",
  },
  zh: {
    storage: "Cookie 与存储",
    duration: "有效期",
    provider: "提供方",
  },
  nb: {
    storage: "Cookies og lagring",
    duration: "Varighet",
    provider: "Leverandør",
  },
  "pt-BR": {
    storage: "Cookies e armazenamento",
    duration: "Duração",
    provider: "Fornecedor",
  },
  "zh-Hant": {
    storage: "Cookie 與儲存空間",
    duration: "有效期間",
    provider: "提供者",
  },
};
