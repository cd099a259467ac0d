import type { MoveInWords } from "./en.ts";

export const fr: MoveInWords = {
  title: "Venir d’un autre produit",
  lead: "Lisez la configuration de votre ancien gestionnaire de consentement et créez un projet à partir d’elle. Rien n’est publié, et l’ancienne bannière reste en place.",
  source: "L’ancienne configuration",
  fromAddress: "Depuis le site",
  fromFiles: "Depuis des fichiers",
  addressLead:
    "Le service lit la page et les fichiers publics de l’outil de consentement qu’elle nomme, et rien d’autre. Rien n’est exécuté, et ce navigateur convertit les fichiers.",
  address: "Adresse du site ou du fichier",
  addressHint: "Une page qui affiche l’ancienne bannière, ou le fichier public qu’elle charge.",
  readAddress: "Lire le site",
  reading: "Lecture du site et des fichiers qu’il nomme. Cela prend jusqu’à une demi-minute.",
  filesLead:
    "Des fichiers exportés, ou les scripts que charge votre site. Ils sont lus dans ce navigateur, jamais exécutés, et envoyés nulle part.",
  products: (names) => `Reconnus : ${names}.`,
  choose: "Fichiers",
  chooseHint:
    "JSON, JavaScript ou une page enregistrée de votre site. Plusieurs fichiers vont ensemble.",
  filesNeeded: "Choisissez au moins un fichier.",
  tooLarge: (name, size) => `${name} dépasse ${size}.`,
  site: "Adresse du site",
  siteHint: "Si les fichiers ne l’indiquent pas.",
  adopt: "Reprendre les réponses que l’ancienne bannière a laissées dans les navigateurs",
  adoptHint:
    "Les visiteurs qui ont répondu à l’ancienne bannière ne sont pas interrogés de nouveau sur ce point.",
  read: "Lire les fichiers",
  found: (product) => `Depuis ${product}`,
  languages: "Langues",
  categories: "Catégories",
  vendors: (count) => (count === 1 ? "1 prestataire" : `${count} prestataires`),
  always: "toujours actif",
  create: "Créer le projet",
  created: (title) => `Le projet « ${title} » est créé`,
  createdLead:
    "Rien n’est publié, et l’ancienne bannière reste en place. Le rapport ci-dessous reste jusqu’à ce que vous rechargiez ou fermiez cette fenêtre. Téléchargez-le pour le garder.",
  open: "Ouvrir le projet",
  restart: "Reprendre un autre site",
  steps: {
    decide: (count) => ({
      name:
        count === 0
          ? "Comparer les deux bannières"
          : count === 1
            ? "Trancher le point ouvert du rapport"
            : `Trancher les ${count} points ouverts du rapport`,
      hint: "Comparez ensuite la nouvelle bannière à l’ancienne. La proposition n’est pas un conseil juridique.",
      action: "Modifier la bannière",
    }),
    publish: {
      name: "Publier",
      hint: "La vérification préalable indique ce qui manque.",
      action: "Vérifier et publier",
    },
    replace: {
      name: "Remplacer l’ancien code",
      hint: "D’abord sur une page peu visitée. Le code à insérer est dans le projet après la publication.",
      action: "Voir le code",
    },
  },
  consents: {
    title: "Consentements",
    lead: "Les réponses recueillies par l’ancien outil peuvent être importées après la publication.",
    open: "Exports et imports",
    exports: {
      events:
        "les événements de son export par lots, pour les utilisateurs qui ont un « organization user id ».",
      undocumented:
        "un export existe, mais ses colonnes ne sont pas documentées publiquement. Faites-en un fichier CSV ou NDJSON.",
      database: "les tables de votre propre base de données. Faites-en un fichier CSV ou NDJSON.",
      browsers: "aucun export. Les réponses sont seulement dans les navigateurs des visiteurs.",
    },
    convert: "Cette commande convertit les événements. Elle demande le fichier answers.json.",
    command: "Commande qui convertit les consentements",
    answers: "Télécharger answers.json",
    dryRun:
      "« Exports et imports » décrit les colonnes. Cochez d’abord « Seulement vérifier le fichier » : vous verrez combien de réponses seraient ajoutées et quelles lignes seraient refusées.",
    adopt:
      "La bannière les reprend si ce choix est coché au départ. Ce projet a été créé sans lui.",
    adopted: "La bannière les reprend à la première visite de chaque visiteur.",
    grade:
      "le niveau de tous les consentements importés. Le journal prouve qu’ils n’ont pas changé depuis l’import, pas qu’ils étaient vrais avant.",
    others: "Exports de tous les produits",
    product: "Produit",
    export: "Export des consentements",
    all: [
      ["Didomi", "événements de son export par lots ; convertis par une commande"],
      ["OneTrust, Cookiebot, Usercentrics, Axeptio", "un export sans documentation publique"],
      ["c15t", "tables de votre propre base de données"],
      ["Klaro, CookieConsent, tarteaucitron", "aucun ; réponses seulement dans les navigateurs"],
    ],
  },
  report: "Rapport",
  reportLead: "Tout ce qui est omis, modifié, ou doit être décidé par une personne.",
  complete: "Tout a été repris.",
  kinds: {
    decide: "À décider",
    "not mapped": "Non repris",
    changed: "Modifié",
    invalid: "Invalide dans la source",
  },
  more: (count) => (count === 1 ? "et un autre endroit" : `et ${count} autres endroits`),
  omitted: (count) => `${count} autres lignes sont omises.`,
  download: "Télécharger le rapport",
};
