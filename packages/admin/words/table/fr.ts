import type { TableWords } from "./en.ts";

export const fr: TableWords = {
  view: "Affichage",
  columns: "Colonnes",
  views: "Vues enregistrées",
  noViews:
    "Choisissez des filtres, un ordre et des colonnes, puis enregistrez-les sous un nom. Les vues restent dans ce navigateur.",
  viewName: "Nom",
  saveView: "Enregistrer cette vue",
  viewSaved: (name) => `Vue « ${name} » enregistrée.`,
  viewsFull: (max) => `Il y a de la place pour ${max} vues courtes. Supprimez-en une d’abord.`,
  removeView: (name) => `Supprimer la vue « ${name} »`,
  order: "Ordre",
  unordered: "Par défaut",
  ascending: (column) => `${column}, croissant`,
  descending: (column) => `${column}, décroissant`,
  select: (name) => `Sélectionner ${name}`,
  selectAll: "Tout sélectionner sur cette page",
  selected: (count) => (count === 1 ? "1 sélectionné" : `${count} sélectionnés`),
  partly: (done, failed, reason) => `${done} réussis, ${failed} échoués : ${reason}`,
  clear: "Désélectionner",
  download: "Télécharger (CSV)",
  noResults: "Aucun résultat",
  clearFilters: "Effacer les filtres",
  actions: "Sélection",
};
