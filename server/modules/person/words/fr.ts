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
    superseded: "Redemandé : cela a changé depuis",
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
  of: (what, name) => `${what} : ${name}`,
  shown: (version) => `Les mots qui vous ont été montrés (version ${version})`,
  unknownWords:
    "On ne sait pas quels mots vous ont été montrés : rien n’était publié à ce moment-là.",
  now: (version) =>
    `Les mots d’aujourd’hui (version ${version}) : ce que vous acceptez par Accepter`,
  history: "Vos réponses et leurs reçus",
  date: "Quand",
  what: "Quoi",
  answer: "Réponse",
  receipt: "Reçu",
  some: "Accepté, en tout ou en partie",
  no: "Refusé",
  pdf: "PDF",
  json: "Fichier (JSON)",
  cut: "Il y a plus que ce que cette page montre : demandez le tout au site.",
  check: "Vérifier un reçu",
  checkLead:
    "Le fichier prouve que votre réponse et ces mots ont été enregistrés à ce moment-là et n’ont pas changé depuis. Chacun peut le vérifier, sans nous :",
  link: "Cette adresse",
  ends: (date) => `Elle fonctionne jusqu’au ${date}.`,
  end: "Y mettre fin maintenant",
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
