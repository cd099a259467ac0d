/** The widget's default texts, by their names in a configuration's `strings`. */
export interface Words {
  banner: Record<string, string>;
  /** Texts of consent forms and contract forms. */
  boxes: Record<string, string>;
  /** Texts of placeholders of frames; `{vendor}` is the name of the vendor. */
  embeds: Record<string, string>;
}

const en: Words = {
  banner: {
    acceptAll: "Accept all",
    refuseAll: "Refuse all",
    choose: "Let me choose",
    save: "Save my choices",
    next: "Next",
    back: "Back",
    close: "Close",
    toggleAll: "All of them",
    alwaysOn: "Always on",
    details: "Details",
    policy: "Privacy policy",
    settings: "Cookie settings",
    receipts: "My answers and receipts",
    optedOut: "Your Global Privacy Control is honoured: your data is not sold or shared.",
  },
  boxes: {
    accept: "I agree",
    refuse: "No, thank you",
    withdraw: "Withdraw my consent",
    accepted: "Accepted",
    refused: "Refused",
    withdrawn: "Withdrawn",
    change: "Change my answer",
    purpose: "Purpose",
    processors: "Recipients of the data",
    personalDataTypes: "Personal data",
    storageDuration: "Kept for",
    automatedDecisions: "Automated decisions",
    automatedDecisionsContact: "Contact for questions about them",
    consentWithdraw: "How to withdraw",
    details: "Details",
    openFile: "Read the document (opens in a new tab)",
    required: "Please tick this box to continue.",
    unsaved: "Your answer could not be saved. Please try again.",
  },
  embeds: {
    embedTitle: "Content from {vendor}",
    embedText:
      "{vendor} receives your IP address when this content loads, and may store data on your device.",
    embedOnce: "Load once",
    embedAlways: "Always allow {vendor}",
  },
};

const fr: Words = {
  banner: {
    acceptAll: "Tout accepter",
    refuseAll: "Tout refuser",
    choose: "Je choisis",
    save: "Enregistrer mes choix",
    next: "Suivant",
    back: "Retour",
    close: "Fermer",
    toggleAll: "Tous",
    alwaysOn: "Toujours actif",
    details: "Détails",
    policy: "Politique de confidentialité",
    settings: "Gérer mes cookies",
    receipts: "Mes réponses et reçus",
    optedOut:
      "Le signal Global Privacy Control de votre navigateur est respecté : vos données ne sont ni vendues ni partagées.",
  },
  boxes: {
    accept: "J’accepte",
    refuse: "Non merci",
    withdraw: "Retirer mon consentement",
    accepted: "Accepté",
    refused: "Refusé",
    withdrawn: "Retiré",
    change: "Changer ma réponse",
    purpose: "Finalité",
    processors: "Destinataires des données",
    personalDataTypes: "Données personnelles",
    storageDuration: "Durée de conservation",
    automatedDecisions: "Décisions automatisées",
    automatedDecisionsContact: "À qui s’adresser à leur sujet",
    consentWithdraw: "Comment retirer votre consentement",
    details: "Détails",
    openFile: "Lire le document (nouvel onglet)",
    required: "Veuillez cocher cette case pour continuer.",
    unsaved: "Votre réponse n’a pas pu être enregistrée. Merci de réessayer.",
  },
  embeds: {
    embedTitle: "Contenu de {vendor}",
    embedText:
      "{vendor} reçoit votre adresse IP au chargement de ce contenu et peut enregistrer des données sur votre appareil.",
    embedOnce: "Charger une fois",
    embedAlways: "Toujours autoriser {vendor}",
  },
};

const de: Words = {
  banner: {
    acceptAll: "Alle akzeptieren",
    refuseAll: "Alle ablehnen",
    choose: "Selbst auswählen",
    save: "Auswahl speichern",
    next: "Weiter",
    back: "Zurück",
    close: "Schließen",
    toggleAll: "Alle",
    alwaysOn: "Immer aktiv",
    details: "Details",
    policy: "Datenschutzerklärung",
    settings: "Cookie-Einstellungen",
    receipts: "Meine Antworten und Belege",
    optedOut:
      "Das Global-Privacy-Control-Signal Ihres Browsers wird beachtet: Ihre Daten werden weder verkauft noch weitergegeben.",
  },
  boxes: {
    accept: "Ich stimme zu",
    refuse: "Nein, danke",
    withdraw: "Einwilligung widerrufen",
    accepted: "Zugestimmt",
    refused: "Abgelehnt",
    withdrawn: "Widerrufen",
    change: "Antwort ändern",
    purpose: "Zweck",
    processors: "Empfänger der Daten",
    personalDataTypes: "Personenbezogene Daten",
    storageDuration: "Speicherdauer",
    automatedDecisions: "Automatisierte Entscheidungen",
    automatedDecisionsContact: "Ansprechperson dazu",
    consentWithdraw: "So widerrufen Sie",
    details: "Details",
    openFile: "Dokument lesen (neuer Tab)",
    required: "Bitte kreuzen Sie dieses Feld an, um fortzufahren.",
    unsaved: "Ihre Antwort konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.",
  },
  embeds: {
    embedTitle: "Inhalt von {vendor}",
    embedText:
      "{vendor} erhält beim Laden dieses Inhalts Ihre IP-Adresse und kann Daten auf Ihrem Gerät speichern.",
    embedOnce: "Einmal laden",
    embedAlways: "{vendor} immer erlauben",
  },
};

const es: Words = {
  banner: {
    acceptAll: "Aceptar todo",
    refuseAll: "Rechazar todo",
    choose: "Quiero elegir",
    save: "Guardar mi selección",
    next: "Siguiente",
    back: "Atrás",
    close: "Cerrar",
    toggleAll: "Todos",
    alwaysOn: "Siempre activo",
    details: "Detalles",
    policy: "Política de privacidad",
    settings: "Configurar cookies",
    receipts: "Mis respuestas y recibos",
    optedOut:
      "Se respeta la señal Global Privacy Control de su navegador: sus datos no se venden ni se comparten.",
  },
  boxes: {
    accept: "Acepto",
    refuse: "No, gracias",
    withdraw: "Retirar mi consentimiento",
    accepted: "Aceptado",
    refused: "Rechazado",
    withdrawn: "Retirado",
    change: "Cambiar mi respuesta",
    purpose: "Finalidad",
    processors: "Destinatarios de los datos",
    personalDataTypes: "Datos personales",
    storageDuration: "Plazo de conservación",
    automatedDecisions: "Decisiones automatizadas",
    automatedDecisionsContact: "A quién preguntar sobre ellas",
    consentWithdraw: "Cómo retirar el consentimiento",
    details: "Detalles",
    openFile: "Leer el documento (nueva pestaña)",
    required: "Marque esta casilla para continuar.",
    unsaved: "No se ha podido guardar su respuesta. Inténtelo de nuevo.",
  },
  embeds: {
    embedTitle: "Contenido de {vendor}",
    embedText:
      "{vendor} recibe su dirección IP al cargar este contenido y puede guardar datos en su dispositivo.",
    embedOnce: "Cargar una vez",
    embedAlways: "Permitir siempre {vendor}",
  },
};

const it: Words = {
  banner: {
    acceptAll: "Accetta tutto",
    refuseAll: "Rifiuta tutto",
    choose: "Scelgo io",
    save: "Salva le mie scelte",
    next: "Avanti",
    back: "Indietro",
    close: "Chiudi",
    toggleAll: "Tutti",
    alwaysOn: "Sempre attivo",
    details: "Dettagli",
    policy: "Informativa sulla privacy",
    settings: "Preferenze sui cookie",
    receipts: "Le mie risposte e ricevute",
    optedOut:
      "Il segnale Global Privacy Control del browser viene rispettato: i suoi dati non sono venduti né condivisi.",
  },
  boxes: {
    accept: "Accetto",
    refuse: "No, grazie",
    withdraw: "Revoca il consenso",
    accepted: "Accettato",
    refused: "Rifiutato",
    withdrawn: "Revocato",
    change: "Cambia la risposta",
    purpose: "Finalità",
    processors: "Destinatari dei dati",
    personalDataTypes: "Dati personali",
    storageDuration: "Periodo di conservazione",
    automatedDecisions: "Decisioni automatizzate",
    automatedDecisionsContact: "A chi rivolgersi in merito",
    consentWithdraw: "Come revocare il consenso",
    details: "Dettagli",
    openFile: "Leggi il documento (nuova scheda)",
    required: "Selezioni questa casella per continuare.",
    unsaved: "Non è stato possibile salvare la risposta. Riprovi.",
  },
  embeds: {
    embedTitle: "Contenuto di {vendor}",
    embedText:
      "{vendor} riceve il suo indirizzo IP al caricamento di questo contenuto e può salvare dati sul suo dispositivo.",
    embedOnce: "Carica una volta",
    embedAlways: "Consenti sempre {vendor}",
  },
};

const nl: Words = {
  banner: {
    acceptAll: "Alles accepteren",
    refuseAll: "Alles weigeren",
    choose: "Zelf kiezen",
    save: "Mijn keuzes opslaan",
    next: "Volgende",
    back: "Terug",
    close: "Sluiten",
    toggleAll: "Allemaal",
    alwaysOn: "Altijd aan",
    details: "Details",
    policy: "Privacybeleid",
    settings: "Cookie-instellingen",
    receipts: "Mijn antwoorden en bewijzen",
    optedOut:
      "Het Global Privacy Control-signaal van uw browser wordt gerespecteerd: uw gegevens worden niet verkocht of gedeeld.",
  },
  boxes: {
    accept: "Ik ga akkoord",
    refuse: "Nee, bedankt",
    withdraw: "Toestemming intrekken",
    accepted: "Akkoord",
    refused: "Geweigerd",
    withdrawn: "Ingetrokken",
    change: "Antwoord wijzigen",
    purpose: "Doel",
    processors: "Ontvangers van de gegevens",
    personalDataTypes: "Persoonsgegevens",
    storageDuration: "Bewaartermijn",
    automatedDecisions: "Geautomatiseerde beslissingen",
    automatedDecisionsContact: "Wie u hierover kunt benaderen",
    consentWithdraw: "Zo trekt u uw toestemming in",
    details: "Details",
    openFile: "Document lezen (nieuw tabblad)",
    required: "Vink dit vakje aan om verder te gaan.",
    unsaved: "Uw antwoord kon niet worden opgeslagen. Probeer het opnieuw.",
  },
  embeds: {
    embedTitle: "Inhoud van {vendor}",
    embedText:
      "{vendor} ontvangt uw IP-adres wanneer deze inhoud wordt geladen en kan gegevens op uw apparaat opslaan.",
    embedOnce: "Eenmalig laden",
    embedAlways: "{vendor} altijd toestaan",
  },
};

const ar: Words = {
  banner: {
    acceptAll: "قبول الكل",
    refuseAll: "رفض الكل",
    choose: "أريد أن أختار",
    save: "حفظ اختياراتي",
    next: "التالي",
    back: "رجوع",
    close: "إغلاق",
    toggleAll: "الكل",
    alwaysOn: "مفعّل دائمًا",
    details: "التفاصيل",
    policy: "سياسة الخصوصية",
    settings: "إعدادات ملفات تعريف الارتباط",
    receipts: "إجاباتي وإيصالاتي",
    optedOut: "تُحترم إشارة Global Privacy Control من متصفحك: لا تُباع بياناتك ولا تُشارك.",
  },
  boxes: {
    accept: "أوافق",
    refuse: "لا، شكرًا",
    withdraw: "سحب موافقتي",
    accepted: "تمت الموافقة",
    refused: "مرفوض",
    withdrawn: "تم السحب",
    change: "تغيير إجابتي",
    purpose: "الغرض",
    processors: "الجهات المتلقية للبيانات",
    personalDataTypes: "البيانات الشخصية",
    storageDuration: "مدة الاحتفاظ",
    automatedDecisions: "قرارات آلية",
    automatedDecisionsContact: "جهة الاستفسار عنها",
    consentWithdraw: "كيفية سحب الموافقة",
    details: "التفاصيل",
    openFile: "قراءة المستند (في علامة تبويب جديدة)",
    required: "يرجى تحديد هذا المربع للمتابعة.",
    unsaved: "تعذّر حفظ إجابتك. يرجى المحاولة مرة أخرى.",
  },
  embeds: {
    embedTitle: "محتوى من {vendor}",
    embedText: "يتلقى {vendor} عنوان IP الخاص بك عند تحميل هذا المحتوى، وقد يخزّن بيانات على جهازك.",
    embedOnce: "تحميل مرة واحدة",
    embedAlways: "السماح دائمًا لـ {vendor}",
  },
};

const languages: Record<string, Words> = { en, fr, de, es, it, nl, ar };

/** The texts of a language (BCP 47), of its base language as a fallback, otherwise in English. */
export function wordsOf(language: string): Words {
  return languages[language.toLowerCase().split("-", 1)[0] ?? ""] ?? en;
}
