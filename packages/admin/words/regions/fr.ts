import type { RegionTexts } from "./en.ts";

export const fr: RegionTexts = {
  lead: "Les lois diffèrent : en Europe, rien ne s’exécute avant le consentement ; en Californie, les visiteurs peuvent s’opposer. Sans règle, le consentement de chaque visiteur est demandé.",
  source:
    "La région vient de votre CDN ou d’une base de données du serveur ; si elle est inconnue, la règle la plus stricte s’applique.",
  usual: "Utiliser les règles habituelles",
  add: "Ajouter une règle",
  remove: "Supprimer cette règle",
  removed: (name) => `La règle pour ${name} est supprimée.`,
  regions: "Régions",
  regionsHint:
    "Codes de pays comme FR, subdivisions comme US-CA, EEA, US_PRIVACY, ou * pour toutes les autres, séparés par des virgules.",
  model: "Modèle de consentement",
  models: {
    "opt-in": "Opt-in : rien ne s’exécute avant le consentement",
    "opt-out": "Opt-out : les services s’exécutent jusqu’au refus",
    notice: "Information : les services s’exécutent, le bandeau informe",
    none: "Aucun : les services s’exécutent sans bandeau",
  },
  texts: "Textes du premier écran, s’ils diffèrent ici",
  defaults: "S’exécute avant une réponse",
  groups: {
    EEA: "Espace économique européen",
    US_PRIVACY: "États des États-Unis avec une loi sur la vie privée",
    "*": "toutes les autres régions",
  },
  preview: "Région",
};
