/** A shop's texts about its cookies, in one language. */
export interface Texts {
  language: string;
  welcome: readonly [top: string, title: string, message: string];
  analytics: readonly [title: string, subTitle: string, message: string];
  advertising: readonly [title: string, subTitle: string, message: string];
  measures: string;
  shows: string;
  pays: string;
}

/** The texts in four languages, one of them with long words and one from right to left. */
export const texts: readonly Texts[] = [
  {
    language: "en",
    welcome: [
      "Before you look around",
      "A word about cookies",
      "<p>We make pots, not profiles. The shop works without the services that follow: <strong>they stay off until you say yes</strong>.</p>",
    ],
    analytics: [
      "Knowing what is useful",
      "Audience measurement",
      "<p>Which pages help, and which ones nobody reads.</p>",
    ],
    advertising: [
      "Being found",
      "Advertising",
      "<p>Whether our advertisements bring anyone here.</p>",
    ],
    measures: "Measures which pages are visited and how visitors found the shop.",
    shows: "Shares with Facebook and Instagram which of our products you viewed or bought.",
    pays: "Takes card payments and protects them against fraud.",
  },
  {
    language: "fr",
    welcome: [
      "Avant de flâner",
      "Un mot sur les cookies",
      "<p>Nous façonnons des pots, pas des profils. La boutique fonctionne sans les services qui suivent : <strong>ils restent éteints tant que vous ne dites pas oui</strong>.</p>",
    ],
    analytics: [
      "Savoir ce qui est utile",
      "Mesure d’audience",
      "<p>Les pages qui aident, et celles que personne ne lit.</p>",
    ],
    advertising: [
      "Nous faire connaître",
      "Publicité",
      "<p>Si nos annonces amènent du monde jusqu’ici.</p>",
    ],
    measures: "Mesure les pages consultées et la façon dont vous avez trouvé la boutique.",
    shows: "Indique à Facebook et Instagram les articles que vous avez vus ou achetés.",
    pays: "Encaisse les paiements par carte et les protège contre la fraude.",
  },
  {
    language: "de",
    welcome: [
      "Bevor Sie stöbern",
      "Datenschutzeinstellungsübersicht",
      "<p>Wir machen Töpfe, keine Profile. Auch ohne Reichweitenmessungsdienstleister funktioniert der Laden: <strong>sie bleiben aus, bis Sie zustimmen</strong>.</p>",
    ],
    analytics: [
      "Reichweitenmessung",
      "Nutzungsdatenauswertung",
      "<p>Welche Seiten helfen, und welche niemand liest.</p>",
    ],
    advertising: [
      "Gefunden werden",
      "Werbeerfolgskontrolle",
      "<p>Ob unsere Anzeigen jemanden hierher bringen.</p>",
    ],
    measures: "Misst, welche Seiten besucht werden.",
    shows: "Teilt mit, welche Artikel Sie angesehen oder gekauft haben.",
    pays: "Nimmt Kartenzahlungen entgegen und schützt sie vor Betrug.",
  },
  {
    language: "ar",
    welcome: [
      "قبل أن تتجول",
      "كلمة عن ملفات الارتباط",
      "<p>نصنع الأواني لا الملفات الشخصية. يعمل المتجر من دون الخدمات التالية: <strong>تبقى متوقفة حتى توافق</strong>.</p>",
    ],
    analytics: ["معرفة ما يفيد", "قياس الزيارات", "<p>أي الصفحات تفيد وأيها لا يقرؤه أحد.</p>"],
    advertising: ["أن يجدنا الناس", "الإعلانات", "<p>هل تجلب إعلاناتنا أحدًا إلى هنا.</p>"],
    measures: "يقيس الصفحات التي تُزار وكيف وجد الزوار المتجر.",
    shows: "يخبر فيسبوك وإنستغرام بالمنتجات التي شاهدتها أو اشتريتها.",
    pays: "يستقبل الدفع بالبطاقة ويحميه من الاحتيال.",
  },
];
