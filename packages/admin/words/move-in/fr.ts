import type { MoveInWords } from "./en.ts";

export const fr: MoveInWords = {
  title: "Venir d’un autre produit",
  lead: "Lisez la configuration de votre ancien gestionnaire de consentement et créez un projet à partir d’elle. Rien n’est publié, et l’ancienne bannière reste en place.",
  files: "Fichiers de configuration",
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
  created: "Le projet est créé. Vérifiez-le, puis publiez.",
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
