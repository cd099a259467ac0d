import type { PaletteWords } from "./en.ts";

export const fr: PaletteWords = {
  title: "Recherche",
  projectsTitle: "Changer de projet",
  field: "Rechercher un projet, un écran ou une action",
  projectsField: "Rechercher un projet par titre, adresse ou groupe",
  recent: "Projets récents",
  newest: "Modifiés en dernier",
  projects: "Projets",
  screens: "Ce projet",
  account: "Partout",
  actions: "Actions",
  newProject: "Nouveau projet",
  publish: "Vérifier et publier",
  invite: "Inviter un membre…",
  snippet: "Copier le code à intégrer",
  snippetCopied: "Le code est copié.",
  snippetMissing: "Publiez d’abord le projet : il n’a pas encore de code.",
  snippetBlocked:
    "Le navigateur n’a pas autorisé la copie. Copiez le code depuis la vue d’ensemble.",
  searching: "Recherche en cours…",
  none: (typed) => `Aucun résultat pour « ${typed} ».`,
  found: (count) => (count === 1 ? "1 résultat" : `${count} résultats`),
  keys: "↑ ↓ pour choisir, Entrée pour ouvrir, Échap pour fermer",
};
