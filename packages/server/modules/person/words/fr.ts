import type { PersonWords } from "./en.ts";

/** The same in French. */
export const fr: PersonWords = {
  locale: "fr-FR",
  title: (project) => `Vos choix chez ${project}`,
  lead: "Voici ce qui vous a été demandé, ce que vous avez répondu et les mots qui vous ont été montrés. Vous pouvez changer chaque réponse ici, à tout moment.",
  private:
    "Qui a l’adresse de cette page peut lire et changer vos réponses. Ne la transmettez pas.",
  nothing: "Rien n’est demandé ici, et rien n’est enregistré.",
  kinds: {
    cookies: "Cookies et traceurs",
    processings: "Usage de vos données",
    contracts: "Document",
  },
  statuses: {
    accepted: "Accepté",
    refused: "Refusé",
    withdrawn: "Retiré",
    expired: "A pris fin",
    superseded: "Redemandé\u00a0: cela a changé depuis",
    "never-asked": "Sans réponse",
  },
  since: (date) => `depuis le ${date}`,
  until: (date) => `vaut jusqu’au ${date}`,
  over: "N’est plus demandé",
  accept: "Accepter",
  refuse: "Refuser",
  withdraw: "Retirer",
  acceptAll: "Tout accepter",
  refuseAll: "Tout refuser",
  of: (what, name) => `${what}\u00a0: ${name}`,
  shown: (version, of) =>
    `Les mots qui vous ont été montrés${of === undefined ? "" : ` pour ${of}`} (version ${version})`,
  alsoNow: (title) => `${title}\u00a0: ceux d’aujourd’hui, ce que vous acceptez par Accepter`,
  unknownWords:
    "On ne sait pas quels mots vous ont été montrés\u00a0: rien n’était publié à ce moment-là.",
  now: (version) =>
    `Les mots d’aujourd’hui (version ${version})\u00a0: ce que vous acceptez par Accepter`,
  history: "Vos réponses et leurs reçus",
  date: "Quand",
  what: "Quoi",
  answer: "Réponse",
  receipt: "Reçu",
  no: "Refusé",
  all: (count) => `les ${count}`,
  part: (some, count) => `${some} sur ${count}`,
  count: (count) => `${count} réponses`,
  pdf: "PDF",
  json: "Fichier (JSON)",
  cut: "Il y a plus que ce que cette page montre\u00a0: demandez le tout au site.",
  check: "Vérifier un reçu",
  checkOne: "Vérifier",
  checked: {
    title: "Ce que la vérification de ce reçu a trouvé",
    holds: {
      true: "Établi\u00a0:",
      false: "Ne tient pas\u00a0:",
      null: "Non établi\u00a0:",
    },
    byUs: "Ce service a fait la vérification lui-même, avec les clés de son propre journal. Qui ne veut pas le croire sur parole prend le fichier et le fait vérifier par une autre machine\u00a0: le vérificateur n’a besoin ni de réseau ni de compte.",
    take: "Le fichier (JSON)",
    elsewhere: "Le vérificateur (avec scripts)",
    back: "Retour à vos réponses",
  },
  checkLead:
    "Le fichier prouve que votre réponse et ces mots ont été enregistrés à ce moment-là et n’ont pas changé depuis. Chacun peut le vérifier, sans nous\u00a0:",
  contact: "À qui s’adresser",
  noContact: "Une question sur vos données\u00a0? Demandez au site\u00a0:",
  responsible: "Responsable",
  officer: "Protection des données",
  email: "E-mail",
  address: "Adresse",
  site: "Site web",
  saved: (at, what, answer) => `Enregistré à l’instant, à ${at}\u00a0: ${what} – ${answer}`,
  savedTitle: (title) => `Enregistré · ${title}`,
  undo: "Annuler\u00a0: accepter de nouveau",
  undoMany: (count) => `Annuler\u00a0: accepter de nouveau ces ${count} réponses`,
  items: (name, count) => `${name} (${count} réponses)`,
  many: (count) => `Les ${count}, une par une`,
  others: (count) =>
    count === 1
      ? "Une autre demande, qui ne vous a pas été faite"
      : `${count} autres demandes, qui ne vous ont pas été faites`,
  othersLead: "Le site les fait dans une autre langue, ou sur d’autres pages.",
  link: "L’adresse de cette page",
  ends: (date) =>
    `Elle fonctionne jusqu’au ${date}. Après, ou si vous y mettez fin, plus personne ne peut l’ouvrir.`,
  end: "Y mettre fin maintenant…",
  ending: {
    title: "Mettre fin à cette adresse\u00a0?",
    lead: "Plus personne ne pourra ouvrir cette page par elle, pas même vous. Vos réponses restent ce qu’elles sont. Le site peut vous donner une autre adresse.",
    yes: "Y mettre fin",
    no: "La garder",
  },
  gone: {
    title: "Rien ici",
    lead: "Cette adresse n’existe pas, a expiré, ou il y a été mis fin. Demandez-en une autre au site.",
  },
  ended: {
    title: "Cette adresse a pris fin",
    lead: "Plus personne ne peut l’ouvrir. Vos réponses restent ce qu’elles sont.",
  },
  waiting: {
    title: "Dans un instant",
    lead: "Votre réponse est en cours d’inscription au registre qui la prouve. Cette page regarde à nouveau dans quelques secondes.",
  },
  busy: { title: "Trop à la fois", lead: "Réessayez dans une minute, s’il vous plaît." },
  invalid: {
    title: "Cela n’a pas fonctionné",
    lead: "Revenez en arrière, rechargez la page et réessayez.",
  },
};
