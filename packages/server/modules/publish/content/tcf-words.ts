/**
 * Texts of the layout `iab` in addition to IAB's own. `{count}` is a number, `{name}` a name. TCF's policies
 * require the first three on the first layer (appendix B).
 */
const en = {
  tcfIntro:
    "We and {count} partners store information on your device or read it there, such as cookies, and process personal data, such as unique identifiers and what you look at.",
  tcfInterest:
    "Some partners do not ask for your consent but rely on a legitimate interest: you can object to it. “{name}” objects to all of it.",
  tcfScope:
    "Your choice applies to this site. You can change or withdraw it at any time, on every page, under “{name}”.",
  tcfFor: "Uses of your data",
  tcfPurposes: "Purposes",
  tcfAllPurposes: "All purposes",
  tcfSpecialFeatures: "Special features",
  tcfFixed: "Included, without a choice",
  tcfPartners: "Our {count} partners",
  tcfShow: "Show the {count} partners",
  tcfAllPartners: "All partners",
  tcfObject: "Object to legitimate interest",
  tcfObjectTo: "Object to legitimate interest: {name}",
  tcfCount: "{count} partners",
  tcfByConsent: "With your consent",
  tcfByInterest: "By legitimate interest",
  tcfAlways: "Special purposes",
  tcfFeatures: "Features",
  tcfData: "Data",
  tcfDays: "{count} days",
  tcfRetention: "Kept for",
  tcfCookies: "Cookies last",
  tcfRefresh: "renewed at each visit",
  tcfSession: "until the browser is closed",
  tcfOther: "Also uses other storage than cookies.",
  tcfClaim: "About its legitimate interest",
  tcfDisclosure: "Stored data (data file)",
};

type TcfWords = Readonly<Record<keyof typeof en, string>>;

const fr: TcfWords = {
  tcfIntro:
    "Nous et {count} partenaires stockons ou consultons des informations sur votre appareil, comme des cookies, et traitons des données personnelles, comme des identifiants uniques et ce que vous consultez.",
  tcfInterest:
    "Certains partenaires ne demandent pas votre consentement mais s’appuient sur un intérêt légitime : vous pouvez vous y opposer. « {name} » vaut opposition à tous.",
  tcfScope:
    "Votre choix vaut pour ce site. Vous pouvez le modifier ou le retirer à tout moment, sur chaque page, sous « {name} ».",
  tcfFor: "Utilisations de vos données",
  tcfPurposes: "Finalités",
  tcfAllPurposes: "Toutes les finalités",
  tcfSpecialFeatures: "Fonctionnalités spéciales",
  tcfFixed: "Inclus, sans choix possible",
  tcfPartners: "Nos {count} partenaires",
  tcfShow: "Afficher les {count} partenaires",
  tcfAllPartners: "Tous les partenaires",
  tcfObject: "S’opposer à l’intérêt légitime",
  tcfObjectTo: "S’opposer à l’intérêt légitime : {name}",
  tcfCount: "{count} partenaires",
  tcfByConsent: "Avec votre consentement",
  tcfByInterest: "Par intérêt légitime",
  tcfAlways: "Finalités spéciales",
  tcfFeatures: "Fonctionnalités",
  tcfData: "Données",
  tcfDays: "{count} jours",
  tcfRetention: "Conservation",
  tcfCookies: "Durée des cookies",
  tcfRefresh: "renouvelée à chaque visite",
  tcfSession: "jusqu’à la fermeture du navigateur",
  tcfOther: "Utilise aussi un autre stockage que les cookies.",
  tcfClaim: "À propos de son intérêt légitime",
  tcfDisclosure: "Ce qu’il stocke (fichier de données)",
};

const de: TcfWords = {
  tcfIntro:
    "Wir und {count} Partner speichern Informationen auf Ihrem Gerät oder lesen sie dort, etwa Cookies, und verarbeiten personenbezogene Daten, etwa eindeutige Kennungen und was Sie sich ansehen.",
  tcfInterest:
    "Einige Partner fragen nicht nach Ihrer Einwilligung, sondern berufen sich auf ein berechtigtes Interesse: Sie können widersprechen. „{name}“ widerspricht allem.",
  tcfScope:
    "Ihre Wahl gilt für diese Website. Sie können sie jederzeit auf jeder Seite unter „{name}“ ändern oder widerrufen.",
  tcfFor: "Wofür",
  tcfPurposes: "Zwecke",
  tcfAllPurposes: "Alle Zwecke",
  tcfSpecialFeatures: "Besondere Merkmale",
  tcfFixed: "Gehört dazu, ohne Wahl",
  tcfPartners: "Unsere {count} Partner",
  tcfShow: "Die {count} Partner anzeigen",
  tcfAllPartners: "Alle Partner",
  tcfObject: "Berechtigtem Interesse widersprechen",
  tcfObjectTo: "Berechtigtem Interesse widersprechen: {name}",
  tcfCount: "{count} Partner",
  tcfByConsent: "Mit Ihrer Einwilligung",
  tcfByInterest: "Aus berechtigtem Interesse",
  tcfAlways: "Besondere Zwecke",
  tcfFeatures: "Merkmale",
  tcfData: "Daten",
  tcfDays: "{count} Tage",
  tcfRetention: "Gespeichert für",
  tcfCookies: "Cookies gelten",
  tcfRefresh: "bei jedem Besuch erneuert",
  tcfSession: "bis der Browser geschlossen wird",
  tcfOther: "Nutzt auch andere Speicher als Cookies.",
  tcfClaim: "Zum berechtigten Interesse",
  tcfDisclosure: "Was gespeichert wird (Datei)",
};

const es: TcfWords = {
  tcfIntro:
    "Nosotros y {count} socios almacenamos información en su dispositivo o la leemos, como cookies, y tratamos datos personales, como identificadores únicos y lo que usted ve.",
  tcfInterest:
    "Algunos socios no piden su consentimiento, sino que se basan en un interés legítimo: puede oponerse. «{name}» se opone a todo.",
  tcfScope:
    "Su elección vale para este sitio. Puede cambiarla o retirarla en cualquier momento, en cada página, en «{name}».",
  tcfFor: "Para qué",
  tcfPurposes: "Finalidades",
  tcfAllPurposes: "Todas las finalidades",
  tcfSpecialFeatures: "Características especiales",
  tcfFixed: "Incluido, sin elección",
  tcfPartners: "Nuestros {count} socios",
  tcfShow: "Mostrar los {count} socios",
  tcfAllPartners: "Todos los socios",
  tcfObject: "Oponerse al interés legítimo",
  tcfObjectTo: "Oponerse al interés legítimo: {name}",
  tcfCount: "{count} socios",
  tcfByConsent: "Con su consentimiento",
  tcfByInterest: "Por interés legítimo",
  tcfAlways: "Finalidades especiales",
  tcfFeatures: "Características",
  tcfData: "Datos",
  tcfDays: "{count} días",
  tcfRetention: "Conservación",
  tcfCookies: "Duración de las cookies",
  tcfRefresh: "se renueva en cada visita",
  tcfSession: "hasta cerrar el navegador",
  tcfOther: "También usa otro almacenamiento distinto de las cookies.",
  tcfClaim: "Sobre su interés legítimo",
  tcfDisclosure: "Qué almacena (archivo de datos)",
};

const it: TcfWords = {
  tcfIntro:
    "Noi e {count} partner archiviamo informazioni sul suo dispositivo o vi accediamo, ad esempio cookie, e trattiamo dati personali, ad esempio identificatori univoci e ciò che lei guarda.",
  tcfInterest:
    "Alcuni partner non chiedono il consenso, ma si basano su un legittimo interesse: può opporsi. «{name}» vale come opposizione a tutto.",
  tcfScope:
    "La scelta vale per questo sito. Può modificarla o revocarla in qualsiasi momento, in ogni pagina, in «{name}».",
  tcfFor: "A che scopo",
  tcfPurposes: "Finalità",
  tcfAllPurposes: "Tutte le finalità",
  tcfSpecialFeatures: "Caratteristiche speciali",
  tcfFixed: "Incluso, senza scelta",
  tcfPartners: "I nostri {count} partner",
  tcfShow: "Mostra i {count} partner",
  tcfAllPartners: "Tutti i partner",
  tcfObject: "Opporsi al legittimo interesse",
  tcfObjectTo: "Opporsi al legittimo interesse: {name}",
  tcfCount: "{count} partner",
  tcfByConsent: "Con il suo consenso",
  tcfByInterest: "Per legittimo interesse",
  tcfAlways: "Finalità speciali",
  tcfFeatures: "Caratteristiche",
  tcfData: "Dati",
  tcfDays: "{count} giorni",
  tcfRetention: "Conservazione",
  tcfCookies: "Durata dei cookie",
  tcfRefresh: "rinnovata a ogni visita",
  tcfSession: "fino alla chiusura del browser",
  tcfOther: "Usa anche archivi diversi dai cookie.",
  tcfClaim: "Sul suo legittimo interesse",
  tcfDisclosure: "Che cosa archivia (file di dati)",
};

const nl: TcfWords = {
  tcfIntro:
    "Wij en {count} partners bewaren informatie op uw apparaat of lezen die daar, zoals cookies, en verwerken persoonsgegevens, zoals unieke identificatiecodes en wat u bekijkt.",
  tcfInterest:
    "Sommige partners vragen geen toestemming maar beroepen zich op een gerechtvaardigd belang: u kunt daartegen bezwaar maken. “{name}” maakt bezwaar tegen alles.",
  tcfScope:
    "Uw keuze geldt voor deze site. U kunt die altijd op elke pagina wijzigen of intrekken onder “{name}”.",
  tcfFor: "Waarvoor",
  tcfPurposes: "Doeleinden",
  tcfAllPurposes: "Alle doeleinden",
  tcfSpecialFeatures: "Speciale functies",
  tcfFixed: "Hoort erbij, zonder keuze",
  tcfPartners: "Onze {count} partners",
  tcfShow: "De {count} partners tonen",
  tcfAllPartners: "Alle partners",
  tcfObject: "Bezwaar tegen gerechtvaardigd belang",
  tcfObjectTo: "Bezwaar tegen gerechtvaardigd belang: {name}",
  tcfCount: "{count} partners",
  tcfByConsent: "Met uw toestemming",
  tcfByInterest: "Op grond van gerechtvaardigd belang",
  tcfAlways: "Speciale doeleinden",
  tcfFeatures: "Functies",
  tcfData: "Gegevens",
  tcfDays: "{count} dagen",
  tcfRetention: "Bewaard voor",
  tcfCookies: "Cookies blijven",
  tcfRefresh: "bij elk bezoek verlengd",
  tcfSession: "tot de browser wordt gesloten",
  tcfOther: "Gebruikt ook andere opslag dan cookies.",
  tcfClaim: "Over het gerechtvaardigd belang",
  tcfDisclosure: "Wat er wordt opgeslagen (bestand)",
};

const ar: TcfWords = {
  tcfIntro:
    "نخزّن نحن و{count} من الشركاء معلومات على جهازك أو نقرؤها منه، مثل ملفات تعريف الارتباط، ونعالج بيانات شخصية، مثل المعرّفات الفريدة وما تتصفحه.",
  tcfInterest:
    "بعض الشركاء لا يطلبون موافقتك بل يستندون إلى مصلحة مشروعة، ويمكنك الاعتراض عليها. «{name}» يعني الاعتراض عليها كلها.",
  tcfScope:
    "يسري اختيارك على هذا الموقع، ويمكنك تغييره أو سحبه في أي وقت وفي كل صفحة من خلال «{name}».",
  tcfFor: "لأي غرض",
  tcfPurposes: "الأغراض",
  tcfAllPurposes: "كل الأغراض",
  tcfSpecialFeatures: "ميزات خاصة",
  tcfFixed: "ضمن ذلك دون اختيار",
  tcfPartners: "شركاؤنا وعددهم {count}",
  tcfShow: "عرض الشركاء وعددهم {count}",
  tcfAllPartners: "كل الشركاء",
  tcfObject: "الاعتراض على المصلحة المشروعة",
  tcfObjectTo: "الاعتراض على المصلحة المشروعة: {name}",
  tcfCount: "الشركاء: {count}",
  tcfByConsent: "بموافقتك",
  tcfByInterest: "بناءً على المصلحة المشروعة",
  tcfAlways: "أغراض خاصة",
  tcfFeatures: "ميزات",
  tcfData: "البيانات",
  tcfDays: "{count} يومًا",
  tcfRetention: "مدة الاحتفاظ",
  tcfCookies: "مدة ملفات تعريف الارتباط",
  tcfRefresh: "تتجدد مع كل زيارة",
  tcfSession: "حتى إغلاق المتصفح",
  tcfOther: "يستخدم أيضًا وسائل تخزين أخرى.",
  tcfClaim: "عن مصلحته المشروعة",
  tcfDisclosure: "ما يخزّنه (ملف بيانات)",
};

const languages: Readonly<Record<string, TcfWords>> = { en, fr, de, es, it, nl, ar };

/** The texts of the layout `iab` for a language (BCP 47), with the fallbacks of `wordsOf`. */
export function tcfWordsOf(language: string): TcfWords {
  return languages[language.toLowerCase().split("-", 1)[0] ?? ""] ?? en;
}
