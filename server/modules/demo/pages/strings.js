/** What the page itself says; what configurations say comes with them. */
const table = {
  en: {
    documentTitle: "{title} · Avow demo",
    skip: "Skip to your choices",
    tag: "a demo shop, served by Avow",
    languages: "Language of the cookie notice",
    heading: "Ask plainly. Keep the proof.",
    intro:
      "Everything below comes from the configuration that this service published. Choose anything: each answer is recorded, then read back under “On record”.",
    onRecord: "On record",
    readBack: "Read back from the service for this visitor:",
    noToken: "no token yet",
    forget: "Forget me on this device",
    forgetting:
      "Forgetting removes the token from this browser only. What was recorded stays, as proof.",
    publishedFile: "Published file",
    reference: "Interface reference",
    replaced: "This page will be replaced by the consent widget.",
    loading: "Loading the published configuration…",
    welcomeBack: "Welcome back: these are your recorded choices.",
    forgotten: "Forgotten on this device. You are a new visitor.",
    recorded: "Recorded and read back: {title}, {verb}.",
    accepted: "accepted",
    refused: "refused",
    withdrawn: "withdrawn",
    notice: "The cookie notice is now: {title}.",
    stateAccepted: "Accepted",
    stateRefused: "Not accepted",
    stateNeverAsked: "Never asked",
    version: "version {version}",
    pageFailed: "This page failed. Reload it to try again.",
    unreachable: "The service cannot be reached. Is it still running? Try again.",
    answered: "The service answered {status}.",
    refuseAll: "Refuse all",
    acceptAll: "Accept all",
    save: "Save my choices",
    withdraw: "Withdraw my consent",
    refuse: "Refuse",
    accept: "Accept",
    policy: "Privacy policy",
    alwaysOn: "Always on",
    purpose: "Purpose",
    personalData: "Personal data",
    people: "Who handles it",
    keptFor: "Kept for",
    months: "{months} months",
    automated: "Automated decisions",
    changing: "Changing your mind",
    done: "What is done with my data",
    tick: "Tick the box first.",
    read: "Read the document",
  },
  fr: {
    documentTitle: "{title} · démonstration d’Avow",
    skip: "Aller à vos choix",
    tag: "une boutique de démonstration, servie par Avow",
    languages: "Langue de l’avis sur les cookies",
    heading: "Demander clairement. Garder la preuve.",
    intro:
      "Tout ce qui suit vient de la configuration que ce service a publiée. Choisissez librement : chaque réponse est enregistrée, puis relue sous « Enregistré ».",
    onRecord: "Enregistré",
    readBack: "Relu auprès du service pour ce visiteur :",
    noToken: "pas encore de jeton",
    forget: "M’oublier sur cet appareil",
    forgetting:
      "L’oubli ne retire le jeton que de ce navigateur. Ce qui a été enregistré reste, comme preuve.",
    publishedFile: "Fichier publié",
    reference: "Référence de l’interface",
    replaced: "Cette page sera remplacée par le widget de consentement.",
    loading: "La configuration publiée arrive…",
    welcomeBack: "Bon retour : voici vos choix enregistrés.",
    forgotten: "Oublié sur cet appareil. Vous êtes un nouveau visiteur.",
    recorded: "Enregistré et relu : {title}, {verb}.",
    accepted: "accepté",
    refused: "refusé",
    withdrawn: "retiré",
    notice: "L’avis sur les cookies est maintenant : {title}.",
    stateAccepted: "Accepté",
    stateRefused: "Pas accepté",
    stateNeverAsked: "Jamais demandé",
    version: "version {version}",
    pageFailed: "Cette page a échoué. Rechargez-la pour réessayer.",
    unreachable: "Le service est injoignable. Tourne-t-il encore ? Réessayez.",
    answered: "Le service a répondu {status}.",
    refuseAll: "Tout refuser",
    acceptAll: "Tout accepter",
    save: "Enregistrer mes choix",
    withdraw: "Retirer mon consentement",
    refuse: "Refuser",
    accept: "Accepter",
    policy: "Politique de confidentialité",
    alwaysOn: "Toujours actif",
    purpose: "Finalité",
    personalData: "Données personnelles",
    people: "Qui les traite",
    keptFor: "Conservées",
    months: "{months} mois",
    automated: "Décisions automatisées",
    changing: "Changer d’avis",
    done: "Ce qui est fait de mes données",
    tick: "Cochez d’abord la case.",
    read: "Lire le document",
  },
};

/**
 * The text of `key` in `language`, or in the page's where it is not given; English where the table
 * has no such language. `{name}` stands for a value.
 */
export function textOf(key, values = {}, language = document.documentElement.lang) {
  const texts = table[toKnown(language)];
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Says everything that stands in the page itself in `language`. */
export function setPageLanguage(language) {
  const { documentElement, body } = document;
  documentElement.lang = toKnown(language);
  document.title = textOf("documentTitle", { title: body.dataset.title });
  for (const one of document.querySelectorAll("[data-text]"))
    one.textContent = textOf(one.dataset.text);
  for (const one of document.querySelectorAll("[data-label]"))
    one.setAttribute("aria-label", textOf(one.dataset.label));
}

function toKnown(language) {
  const known = (language ?? "").split("-")[0].toLowerCase();
  return Object.hasOwn(table, known) ? known : "en";
}
