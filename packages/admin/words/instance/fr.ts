import type { InstanceWords } from "./en.ts";

export const fr: InstanceWords = {
  title: "Instance",
  lead: "Réglages de cette installation. Seuls ses opérateurs voient cette page.",
  signups: "Inscriptions",
  signupsLead: "Personnes qui peuvent créer un compte. Les comptes existants ne changent pas.",
  modes: {
    open: {
      name: "Ouvertes",
      hint: "Toute personne qui accède à ce service peut créer un compte.",
    },
    invitation: {
      name: "Sur invitation",
      hint: "Seulement les personnes invitées à un projet ou à une organisation.",
    },
    closed: { name: "Fermées", hint: "Personne, même avec une invitation." },
  },
  save: "Enregistrer",
  saved: "Enregistré, avec effet immédiat.",
  fixed: "Le réglage SIGNUPS du service l’impose. Retirez-le pour choisir ici.",
  operators: "Opérateurs",
  operatorsLead:
    "Ils modifient ces réglages, les offres des organisations et les comptes des autres. Ils ne voient pas les projets des autres.",
  person: "Personne",
  since: "Depuis",
  you: "vous",
  remove: "Retirer",
  removeTitle: (name) => `Retirer ${name} des opérateurs ?`,
  removeText: "Son compte et ses projets sont conservés.",
  removed: (name) => `${name} n’est plus opérateur.`,
  last: "Le dernier opérateur ne peut pas être retiré.",
  email: "Adresse e-mail du compte",
  add: "Ajouter un opérateur",
  added: (name) => `${name} est maintenant opérateur.`,
  unknown: "Aucun compte n’a confirmé cette adresse. Demandez d’abord à la personne de s’inscrire.",
};
