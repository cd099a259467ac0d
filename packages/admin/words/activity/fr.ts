import type { ActivityWords } from "./en.ts";

const times = (count: number): string => (count > 1 ? ` ${count} fois` : "");
const many = (count: number, one: string, more: string): string =>
  count <= 1 ? `${count} ${one}` : `${count} ${more}`;
const roleNames = {
  owner: "propriétaire",
  editor: "éditeur",
  viewer: "lecteur",
  auditor: "auditeur",
} as const;

export const fr: ActivityWords = {
  title: "Activité",
  lead: "Le travail sur ce projet, du plus récent au plus ancien.",
  zone: (zone) => `Les heures sont dans votre fuseau horaire, ${zone}.`,
  kind: "Type",
  person: "Personne",
  all: "tous",
  everybody: "tout le monde",
  kinds: {
    content: "Contenus et réglages",
    publications: "Publications",
    scans: "Analyses",
    people: "Équipe",
    data: "Données et effacements",
    reviews: "Relectures",
  },
  today: "Aujourd’hui",
  yesterday: "Hier",
  emptyTitle: "Rien pour l’instant",
  empty: "Les modifications, publications et changements d’équipe apparaîtront ici.",
  noResults: "Rien ne correspond à ces filtres.",
  service: "Le service",
  visitor: "Un visiteur",
  linkHolder: "Le détenteur d’un lien de relecture",
  somebody: "Quelqu’un",
  someone: "un membre",
  nouns: {
    projects: "les réglages du projet",
    cookies: "le bandeau",
    processings: "le formulaire de consentement",
    contracts: "le formulaire de contrat",
    content: "le texte de contrat",
    vendors: "le service",
    dpo: "le contact pour les données",
    tcf: "les réglages TCF",
    organizations: "l’organisation",
  },
  other: "un document",
  named: (noun, title) => `${noun} « ${title} »`,
  version: (version) => `la version ${version}`,
  asksAgain: (count) => `les visiteurs sont réinterrogés sur ${many(count, "élément", "éléments")}`,
  clauses: {
    createdProject: () => ["a créé le projet"],
    created: (thing) => ["a créé ", thing],
    updated: (thing, count) => ["a modifié ", thing, times(count)],
    deleted: (thing) => ["a supprimé ", thing],
    moved: () => ["a transféré le projet à une autre organisation"],
    published: (version, isStaging, isUnchanged) => [
      isUnchanged ? "a republié " : "a publié ",
      version,
      isStaging ? " en préproduction" : "",
    ],
    publishFailed: (thing, count) => [
      thing,
      count === 1 ? " qui a échoué" : ` qui a échoué${times(count)}`,
    ],
    attempt: "a lancé une publication",
    withdrawn: () => ["a mis le projet hors ligne"],
    mailedSnippet: () => ["a envoyé le code à un développeur"],
    scanned: (thing, news) => [
      thing,
      news > 0
        ? ` et trouvé ${many(news, "nouveau service ou cookie", "nouveaux services ou cookies")}`
        : "",
    ],
    scan: "a analysé le site",
    scanFailed: "n’a pas pu analyser le site",
    given: (person, roles) => [
      "a donné à ",
      person,
      ` le rôle ${roles.map((role) => roleNames[role]).join(", ")}`,
    ],
    removed: (person) => ["a retiré ", person, " de l’équipe"],
    left: () => ["a quitté l’équipe"],
    imported: (thing) => [thing],
    import: "a terminé un import de consentements",
    importFailed: "a lancé un import de consentements qui a échoué",
    exported: "a exporté des consentements",
    audited: "a créé un dossier d’audit",
    erased: (records, isExpired) => [
      isExpired
        ? `a effacé ${many(records, "enregistrement", "enregistrements")} en fin de conservation`
        : `a effacé une personne avec ${many(records, "enregistrement", "enregistrements")}`,
    ],
    askedErasure: "a demandé son effacement",
    declined: "a clos une demande d’effacement sans effacer",
    proposed: "a proposé un effacement",
    rejected: "a clos une proposition d’effacement sans effacer",
    rule: (isOn) =>
      isOn
        ? "a exigé qu’un second propriétaire confirme les effacements"
        : "a levé la confirmation des effacements par un second propriétaire",
    commented: "a commenté le brouillon",
    resolved: "a clos un commentaire",
    askedReview: "a demandé une relecture du brouillon",
    requestedChanges: "a demandé des modifications du brouillon",
    approved: "a approuvé le brouillon",
    unapproved: "a retiré une approbation",
    withdrewRequest: "a retiré une demande de modifications",
    repeated: (text, count) => text + times(count),
  },
};
