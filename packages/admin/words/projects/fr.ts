import type { ProjectWords } from "./en.ts";

export const fr: ProjectWords = {
  title: "Réglages",
  lead: "Le site, et le responsable du traitement des données de ses visiteurs.",
  readOnly: "Vous pouvez consulter, mais pas modifier.",
  site: "Site",
  siteLead: "Les visiteurs voient le titre sur leur page personnelle.",
  websiteURL: "Adresse du site",
  name: "Titre",
  officer: "Responsable du traitement",
  officerLead:
    "Les visiteurs doivent savoir qui est responsable de leurs données, et à qui s’adresser. C’est publié avec le bandeau et les formulaires.",
  processor: "Sous-traitant",
  processorLead:
    "L’entreprise qui traite les données pour le compte du responsable, s’il y en a une.",
  processorName: "Sous-traitant",
  organization: "Organisation",
  address: "Adresse postale",
  fullname: "Délégué à la protection des données",
  fullnameHint: "Le nom de la personne, s’il y en a une.",
  role: "Titre du délégué",
  email: "Adresse e-mail",
  emailHint: "L’adresse à laquelle les visiteurs écrivent au sujet de leurs données.",
  save: "Enregistrer",
  saved: "Enregistré. Les visiteurs verront le changement à la publication.",
  unchanged: "Rien à enregistrer.",
  merged: "Les versions sont fusionnées. Relisez le formulaire, puis enregistrez.",
  toField: "Ouvrir dans les réglages du projet",
  erasures: {
    title: "Effacement des personnes",
    lead: "Un effacement est irréversible, et emporte la preuve des réponses.",
    rule: "Un second propriétaire confirme chaque effacement",
    hint: "Un effacement, même par une clé d’API, attend jusqu’à 14 jours un autre propriétaire. Le projet doit avoir deux propriétaires.",
    save: "Enregistrer la règle",
    saved: "Règle enregistrée.",
  },
  remove: "Supprimer le projet",
  removeLead:
    "Son bandeau et ses formulaires ne sont plus en ligne. Les preuves sont conservées jusqu’à la fin de leur durée de conservation.",
  removeButton: "Supprimer",
  removeTitle: (title) => `Supprimer « ${title} » ?`,
  removeText: "Ses configurations sont supprimées aussi. C’est irréversible.",
  removeLosing:
    "Le projet est publié, ou a des consentements enregistrés. Le site ne demande plus rien à ses visiteurs, et personne ne voit plus ici le projet et ses consentements. C’est irréversible.",
  removeConfirm: "Saisissez le titre du projet pour confirmer",
  removeWrong: "Le titre ne correspond pas.",
  removed: (title) => `« ${title} » est supprimé.`,
};
