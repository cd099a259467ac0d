import type { SitesWords } from "./en.ts";

export const fr: SitesWords = {
  groups: {
    title: "Groupes",
    lead: "Des étiquettes pour filtrer les listes et les statistiques. Les visiteurs ne les voient pas.",
    none: "Ce projet n’est dans aucun groupe.",
    add: "Ajouter à un groupe",
    addButton: "Ajouter",
    remove: (name) => `Retirer de « ${name} »`,
    filter: "Groupe",
    all: "Tous les groupes",
    edit: "Modifier les groupes",
    editLead:
      "Sélectionnez des projets de la liste, puis les groupes où les ajouter ou d’où les retirer.",
    projects: "Projets",
    selectAll: (count) => `Tout sélectionner (${count})`,
    cut: (count) =>
      `Seuls les ${count} premiers projets de la liste sont affichés. Filtrez-la pour en voir d’autres.`,
    addMany: "Ajouter aux groupes",
    removeMany: "Retirer des groupes",
    manyHint: "Séparez les groupes par des virgules.",
    save: "Enregistrer les groupes",
    nothing: "Sélectionnez des projets et indiquez un groupe.",
    tooMany: (max) => `Un projet a au plus ${max} groupes.`,
    tooLong: (max) => `Le nom d’un groupe a au plus ${max} caractères.`,
    changed: (count) => (count === 1 ? "1 projet modifié." : `${count} projets modifiés.`),
    failed: (title, reason) => `${title} : ${reason}`,
    noMatch: "Aucun projet de ce groupe ne correspond au filtre.",
  },
  clone: {
    title: "Dupliquer",
    lead: "Une copie pour un autre site, dans la même organisation.",
    button: "Dupliquer le projet",
    dialogTitle: (title) => `Dupliquer « ${title} »`,
    dialogLead:
      "Consentements, preuves, publications, membres, clés d’API et webhooks restent à l’original. Rien n’est publié.",
    name: "Titre de la copie",
    address: "Adresse de son site",
    configurations: "Avec les bandeaux, formulaires et partenaires",
    configurationsHint: "Les modifications de l’original n’atteignent pas la copie.",
    submit: "Dupliquer",
    done: (title) => `« ${title} » est créé. Vérifiez-le, puis publiez-le.`,
  },
};
