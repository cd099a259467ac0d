import type { PersonWords } from "./en.ts";

/** The texts of the page, in French. */
export const fr: PersonWords = {
  locale: "fr-FR",
  title: (project) => `Vos choix chez ${project}`,
  lead: "Retrouvez ce qui vous a été demandé, vos réponses et les textes qui vous ont été affichés. Vous pouvez modifier vos réponses ici, à tout moment.",
  private:
    "Toute personne qui a l’adresse de cette page peut lire et modifier vos réponses. Ne la partagez pas.",
  jumps: "Sur cette page",
  zone: "Les dates et heures de cette page sont en temps universel (UTC), comme sur vos reçus.",
  nothing: "Rien ne vous a encore été demandé ici.",
  kinds: {
    cookies: "Cookies et traceurs",
    processings: "Utilisation de vos données",
    contracts: "Document",
  },
  statuses: {
    accepted: "Accepté",
    refused: "Refusé",
    withdrawn: "Retiré",
    expired: "Expiré",
    superseded: "À redemander\u00a0: modifié depuis votre réponse",
    "never-asked": "Sans réponse",
  },
  since: (date) => `depuis le ${date}`,
  answeredOn: (date) => `réponse du ${date}`,
  until: (date) => `valable jusqu’au ${date}`,
  imported: (tool, day) =>
    day === undefined ? `importé de ${tool}` : `importé de ${tool}, réponse du ${day}`,
  over: "N’est plus demandé",
  accept: "Accepter",
  refuse: "Refuser",
  policy: "Politique de confidentialité",
  allOfThem: "Toutes les demandes",
  acceptAll: "Tout accepter",
  refuseAll: "Tout refuser",
  of: (what, name) => `${what}\u00a0: ${name}`,
  shown: (version, of) =>
    `Les textes qui vous ont été affichés${of === undefined ? "" : ` pour ${of}`} (version ${version})`,
  alsoNow: (title) => `${title}\u00a0: toujours en vigueur, acceptés avec «\u00a0Accepter\u00a0»`,
  unknownWords:
    "On ne sait pas quels textes vous ont été affichés, car rien n’était publié à ce moment-là.",
  importedWords:
    "Vous avez répondu dans un autre outil de consentement\u00a0: les textes affichés ne sont pas connus ici.",
  now: (version) =>
    `Les textes en vigueur (version ${version})\u00a0: acceptés avec «\u00a0Accepter\u00a0»`,
  history: "Vos réponses et vos reçus",
  date: "Date",
  what: "Objet",
  answer: "Réponse",
  receipt: "Reçu",
  no: "Refusé",
  all: (count) => `les ${count}`,
  part: (some, count) => `${some} sur ${count}`,
  count: (count) => `${count} réponses`,
  pdf: "PDF",
  json: "Fichier (JSON)",
  cut: "Cette page n’affiche pas tout. Demandez le reste au site.",
  check: "Vérifier un reçu",
  checkOne: "Vérifier",
  checked: {
    title: "Résultat de la vérification",
    holds: {
      true: "Confirmé\u00a0:",
      false: "Échec\u00a0:",
      null: "Non établi\u00a0:",
    },
    byUs: "Ce service a vérifié lui-même le reçu, avec les clés de son propre journal. Pour une vérification indépendante, téléchargez le fichier et vérifiez-le sur une autre machine\u00a0: le vérificateur n’a besoin ni de réseau ni de compte.",
    take: "Télécharger le fichier (JSON)",
    elsewhere: "Ouvrir le vérificateur (nécessite JavaScript)",
    back: "Retour à vos réponses",
  },
  checkLead:
    "Le fichier prouve que votre réponse et ces textes ont été enregistrés à ce moment-là et n’ont pas changé depuis. Chacun peut le vérifier, sans nous\u00a0:",
  contact: "Contact",
  noContact: "Une question sur vos données\u00a0? Adressez-vous au site\u00a0:",
  responsible: "Responsable du traitement",
  officer: "Délégué à la protection des données",
  email: "E-mail",
  address: "Adresse",
  site: "Site web",
  saved: (at, what, answer) => `Enregistré à l’instant, à ${at}\u00a0: ${what} – ${answer}`,
  savedTitle: (title) => `Enregistré · ${title}`,
  undo: "Annuler\u00a0: accepter de nouveau",
  undoMany: (count) => `Annuler\u00a0: accepter de nouveau ces ${count} réponses`,
  items: (name, count) => `${name} (${count} réponses)`,
  many: (count) => `Afficher les ${count}`,
  others: (count) =>
    count === 1
      ? "Une autre demande, qui ne vous a pas été faite"
      : `${count} autres demandes, qui ne vous ont pas été faites`,
  othersLead: "Le site les affiche dans une autre langue ou sur d’autres pages.",
  rights: {
    title: "Vos données et vos droits",
    copy: "Obtenir une copie de vos données",
    copyLead:
      "Un fichier (JSON) avec tout ce qui est conservé ici à votre sujet\u00a0: vos réponses, leur historique et les adresses de cette page. Pour garder cette page sur papier ou en PDF, imprimez-la.",
    copyGet: "Télécharger mes données",
    erasure: "Faire effacer vos données",
    erasureLead:
      "Demandez au site d’effacer vos réponses et leurs reçus. Il a un mois pour les effacer ou pour vous dire pourquoi il peut les conserver.",
    erasureAsk: "Demander l’effacement…",
    erasureOpen: (asked, due) =>
      `Vous avez demandé l’effacement le ${asked}. Le site doit répondre avant le ${due}. Une fois vos données effacées, cette page ne s’ouvrira plus.`,
    erasureDeclined: (date) =>
      `Le site a clos votre demande le ${date} sans effacer vos données. Il doit vous dire pourquoi. Vous pouvez demander de nouveau, ou porter plainte.`,
    complaint: "Porter plainte",
    complaintLead:
      "Si vous pensez que vos données ne sont pas traitées comme la loi le demande, parlez-en d’abord au site\u00a0: le contact est ci-dessous. Vous pouvez aussi porter plainte auprès d’une autorité de protection des données, là où vous vivez, là où vous travaillez ou là où cela s’est passé. C’est gratuit.",
    complaintCalifornia:
      "Si vous pensez que vos droits prévus par la loi californienne n’ont pas été respectés, parlez-en d’abord au site\u00a0: le contact est ci-dessous. Vous pouvez aussi porter plainte auprès de la California Privacy Protection Agency. C’est gratuit.",
    authorities: "Autorités de protection des données en Europe",
  },
  addresses: {
    title: "Adresses de cette page",
    lead: "Chaque adresse ci-dessous ouvre cette page sans mot de passe. Désactivez celles dont vous n’avez plus besoin. Vos réponses ne changent pas.",
    own: "L’adresse que vous utilisez maintenant",
    byVisitor: "Ouverte depuis le site",
    bySite: "Envoyée par le site",
    validity: (created, expires) => `Créée le ${created}, valable jusqu’au ${expires}`,
    many: (count) => `Afficher les ${count} adresses`,
    end: "Désactiver",
    endOwn: "Désactiver…",
    endAll: "Tout désactiver…",
  },
  erasing: {
    title: "Demander au site d’effacer vos données\u00a0?",
    lead: "Le site recevra votre demande maintenant, et a un mois pour répondre. S’il efface vos données, vos réponses et vos reçus disparaissent définitivement, et il pourra vous redemander votre avis à votre prochaine visite. Pour seulement dire non à partir de maintenant, refusez sur votre page.",
    yes: "Demander l’effacement",
    no: "Annuler",
  },
  endingAll: {
    title: "Désactiver toutes les adresses\u00a0?",
    lead: "Plus personne ne pourra ouvrir cette page avec elles, pas même vous. Vos réponses ne changent pas. Vous pourrez rouvrir cette page depuis le site.",
    yes: "Tout désactiver",
    no: "Conserver",
  },
  ending: {
    title: "Désactiver cette adresse\u00a0?",
    lead: "Plus personne ne pourra ouvrir cette page avec elle, pas même vous. Vos réponses ne changent pas. Le site peut vous fournir une nouvelle adresse.",
    yes: "Désactiver",
    no: "Conserver",
  },
  gone: {
    title: "Page introuvable",
    lead: "Cette adresse n’existe pas, a expiré ou a été désactivée. Demandez-en une nouvelle au site.",
  },
  ended: {
    title: "Cette adresse est désactivée",
    lead: "Plus personne ne peut l’ouvrir. Vos réponses n’ont pas changé.",
  },
  waiting: {
    title: "Un instant",
    lead: "Votre réponse est en cours d’inscription au journal qui la prouve. Cette page se recharge dans quelques secondes.",
  },
  busy: { title: "Trop de requêtes", lead: "Réessayez dans une minute, s’il vous plaît." },
  invalid: {
    title: "Une erreur est survenue",
    lead: "Revenez en arrière, rechargez la page et réessayez.",
  },
};
