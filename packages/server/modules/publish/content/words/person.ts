import type { WordTable } from "./languages.ts";

type Name = "unavailable" | "askSite";

/** Texts of the button `receipts` when the visitor's own page cannot be opened: a temporary failure, and a project without links for visitors. */
export const person: WordTable<Name> = {
  bg: {
    unavailable: "В момента не е възможно. Моля, опитайте по-късно.",
    askSite: "Оттук не е възможно. Моля, обърнете се към този сайт.",
  },
  cs: {
    unavailable: "Teď to není možné. Zkuste to prosím později.",
    askSite: "Odsud to není možné. Obraťte se prosím na tento web.",
  },
  da: {
    unavailable: "Det er ikke muligt lige nu. Prøv igen senere.",
    askSite: "Det er ikke muligt herfra. Kontakt dette websted.",
  },
  de: {
    unavailable: "Im Moment nicht möglich. Bitte versuchen Sie es später noch einmal.",
    askSite: "Von hier aus nicht möglich. Bitte fragen Sie bei dieser Website nach.",
  },
  el: {
    unavailable: "Δεν είναι δυνατό αυτή τη στιγμή. Δοκιμάστε ξανά αργότερα.",
    askSite: "Δεν είναι δυνατό από εδώ. Επικοινωνήστε με αυτόν τον ιστότοπο.",
  },
  en: {
    unavailable: "Not possible right now. Please try again later.",
    askSite: "Not possible from here. Please ask this site.",
  },
  es: {
    unavailable: "No es posible en este momento. Inténtelo más tarde.",
    askSite: "No es posible desde aquí. Consulte a este sitio.",
  },
  et: {
    unavailable: "Praegu pole see võimalik. Palun proovige hiljem uuesti.",
    askSite: "Siit pole see võimalik. Palun pöörduge selle saidi poole.",
  },
  fi: {
    unavailable: "Tämä ei onnistu juuri nyt. Yritä myöhemmin uudelleen.",
    askSite: "Tämä ei onnistu täältä. Ota yhteyttä tähän sivustoon.",
  },
  fr: {
    unavailable: "Impossible pour le moment. Merci de réessayer plus tard.",
    askSite: "Impossible depuis cette page. Merci de vous adresser au site.",
  },
  ga: {
    unavailable: "Ní féidir é seo a dhéanamh faoi láthair. Bain triail eile as ar ball.",
    askSite: "Ní féidir é seo a dhéanamh as seo. Téigh i dteagmháil leis an suíomh seo.",
  },
  hr: {
    unavailable: "Trenutačno nije moguće. Pokušajte ponovno poslije.",
    askSite: "Odavde nije moguće. Obratite se ovom web-mjestu.",
  },
  hu: {
    unavailable: "Ez most nem lehetséges. Kérjük, próbálja meg később.",
    askSite: "Ez innen nem lehetséges. Kérjük, forduljon a webhelyhez.",
  },
  it: {
    unavailable: "Al momento non è possibile. Riprovi più tardi.",
    askSite: "Da qui non è possibile. Si rivolga a questo sito.",
  },
  lt: {
    unavailable: "Šiuo metu tai neįmanoma. Bandykite vėliau.",
    askSite: "Iš čia tai neįmanoma. Kreipkitės į šią svetainę.",
  },
  lv: {
    unavailable: "Pašlaik tas nav iespējams. Lūdzu, mēģiniet vēlāk.",
    askSite: "No šejienes tas nav iespējams. Lūdzu, sazinieties ar šo vietni.",
  },
  mt: {
    unavailable: "Bħalissa mhux possibbli. Jekk jogħġbok erġa’ pprova aktar tard.",
    askSite: "Minn hawn mhux possibbli. Jekk jogħġbok ikkuntattja lil dan is-sit.",
  },
  nl: {
    unavailable: "Nu niet mogelijk. Probeer het later opnieuw.",
    askSite: "Niet mogelijk vanaf hier. Vraag het aan deze site.",
  },
  pl: {
    unavailable: "W tej chwili nie jest to możliwe. Spróbuj ponownie później.",
    askSite: "Stąd nie jest to możliwe. Skontaktuj się z tą witryną.",
  },
  pt: {
    unavailable: "De momento, não é possível. Tente novamente mais tarde.",
    askSite: "Não é possível a partir daqui. Contacte este site.",
  },
  ro: {
    unavailable: "Momentan nu este posibil. Încercați din nou mai târziu.",
    askSite: "De aici nu este posibil. Adresați-vă acestui site.",
  },
  sk: {
    unavailable: "Teraz to nie je možné. Skúste to neskôr.",
    askSite: "Odtiaľto to nie je možné. Obráťte sa na túto stránku.",
  },
  sl: {
    unavailable: "Trenutno to ni mogoče. Poskusite znova pozneje.",
    askSite: "Od tod to ni mogoče. Obrnite se na to spletno mesto.",
  },
  sv: {
    unavailable: "Det går inte just nu. Försök igen senare.",
    askSite: "Det går inte härifrån. Kontakta den här webbplatsen.",
  },
  ar: {
    unavailable: "غير ممكن الآن. يرجى المحاولة لاحقًا.",
    askSite: "غير ممكن من هنا. يرجى سؤال هذا الموقع.",
  },
  bn: {
    unavailable: "এই মুহূর্তে সম্ভব নয়। অনুগ্রহ করে পরে আবার চেষ্টা করুন।",
    askSite: "এখান থেকে সম্ভব নয়। অনুগ্রহ করে এই সাইটের সঙ্গে যোগাযোগ করুন।",
  },
  hi: {
    unavailable: "अभी यह संभव नहीं है। कृपया बाद में फिर से प्रयास करें।",
    askSite: "यहाँ से यह संभव नहीं है। कृपया इस साइट से संपर्क करें।",
  },
  id: {
    unavailable: "Saat ini tidak dapat dilakukan. Silakan coba lagi nanti.",
    askSite: "Tidak dapat dilakukan dari sini. Silakan hubungi situs ini.",
  },
  ja: {
    unavailable: "現在ご利用いただけません。後ほどもう一度お試しください。",
    askSite: "ここからはご利用いただけません。このサイトにお問い合わせください。",
  },
  ko: {
    unavailable: "지금은 이용할 수 없습니다. 나중에 다시 시도해 주세요.",
    askSite: "여기에서는 이용할 수 없습니다. 이 사이트에 문의해 주세요.",
  },
  ru: {
    unavailable: "Сейчас это невозможно. Попробуйте позже.",
    askSite: "Отсюда это невозможно. Обратитесь к владельцу сайта.",
  },
  tr: {
    unavailable: "Bu şu anda mümkün değil. Lütfen daha sonra tekrar deneyin.",
    askSite: "Bu buradan mümkün değil. Lütfen bu siteye başvurun.",
  },
  ur: {
    unavailable: "ابھی یہ ممکن نہیں۔ براہ کرم بعد میں دوبارہ کوشش کریں۔",
    askSite: "یہاں سے یہ ممکن نہیں۔ براہ کرم اس سائٹ سے رابطہ کریں۔",
  },
  zh: {
    unavailable: "暂时无法操作，请稍后再试。",
    askSite: "无法从此处操作，请联系本网站。",
  },
  nb: {
    unavailable: "Dette er ikke mulig akkurat nå. Prøv igjen senere.",
    askSite: "Dette er ikke mulig herfra. Kontakt dette nettstedet.",
  },
  "pt-BR": {
    unavailable: "Não é possível no momento. Tente novamente mais tarde.",
    askSite: "Não é possível a partir daqui. Entre em contato com este site.",
  },
  "zh-Hant": {
    unavailable: "目前無法操作，請稍後再試。",
    askSite: "無法從此處操作，請聯絡本網站。",
  },
};
