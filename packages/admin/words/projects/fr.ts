import type { ProjectWords } from "./en.ts";

/** What is said in French of the settings of a project. */
export const fr: ProjectWords = {
  title: "Réglages",
  lead: "Le site, et qui répond des données de ses visiteurs.",
  readOnly: "Vous pouvez regarder, mais pas modifier.",
  site: "Site",
  siteLead: "Les visiteurs lisent le nom sur leur propre page.",
  websiteURL: "Adresse du site",
  name: "Titre",
  officer: "Qui est responsable",
  officerLead:
    "Les visiteurs doivent savoir qui est responsable de leurs données, et à qui s’adresser. C’est publié avec le bandeau et les cases.",
  processor: "Sous-traitant",
  processorLead: "Qui traite les données pour le compte du responsable, s’il y en a un.",
  processorName: "Sous-traitant",
  organization: "Organisation",
  address: "Adresse postale",
  fullname: "Délégué à la protection des données",
  fullnameHint: "Le nom de la personne, s’il y en a une.",
  role: "Titre du délégué",
  email: "Adresse e-mail",
  emailHint: "Là où les visiteurs écrivent au sujet de leurs données.",
  save: "Enregistrer",
  saved: "Enregistré. Ce que lisent les visiteurs change à la publication.",
  unchanged: "Il n’y avait rien à enregistrer.",
  merged: "Relisez, puis enregistrez.",
  toField: "Ouvrir dans les réglages du projet",
  remove: "Supprimer le projet",
  removeLead:
    "Son bandeau et ses cases ne sont plus en ligne. Les preuves sont gardées jusqu’à leur terme.",
  removeButton: "Supprimer",
  removeTitle: (title) => `Supprimer « ${title} » ?`,
  removeText:
    "Le site ne demande plus rien à ses visiteurs, et personne ne voit plus le projet ici. C’est irréversible.",
  removeConfirm: "Tapez le titre du projet pour confirmer",
  removeWrong: "C’est un autre titre.",
  removed: (title) => `« ${title} » est supprimé.`,
};
