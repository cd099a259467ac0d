import type { StatisticsWords } from "./en.ts";

export const fr: StatisticsWords = {
  title: "Statistiques",
  lead: "Combien de fois les visiteurs ont été sollicités, et ce qu’ils ont répondu. Les affichages sont comptés sans aucun identifiant : c’est une estimation.",
  span: "Période",
  spans: {
    "2": "2 jours, par heure",
    "7": "7 jours",
    "30": "30 jours",
    "90": "90 jours",
    "365": "365 jours",
  },
  counts: {
    shown: "Affichés",
    accepted: "Acceptés",
    partly: "En partie",
    refused: "Refusés",
    ignored: "Ignorés",
  },
  overTime: "Dans le temps",
  groups: {
    label: "Groupe",
    configuration: "Par configuration",
    step: "Par étape",
    language: "Par langue",
    device: "Par appareil",
  },
  measure: "Mesure",
  devices: {
    desktop: "Ordinateur",
    phone: "Téléphone",
    mobile: "Téléphone",
    tablet: "Tablette",
    other: "Autre",
  },
  unknown: "inconnu",
  box: "formulaire",
  others: "autres",
  all: "Tout",
  rate: "Acceptées, % des réponses",
  undisplayed: (count, isAll) =>
    isAll
      ? `Aucun affichage n’a été compté : les ${count} réponses viennent de programmes, ou de pages et formulaires qui n’ont pas demandé de ticket d’affichage.`
      : `${count} des réponses n’ont aucun affichage compté : elles viennent de programmes, ou de pages et formulaires qui n’ont pas demandé de ticket d’affichage. Elles comptent parmi les réponses, non parmi les affichages.`,
  changes:
    "Les changements que les visiteurs font sur leur page personnelle ne comptent pas comme de nouvelles réponses.",
  byStep:
    "Un affichage compte pour l’étape sur laquelle le bandeau s’est ouvert, quelle que soit l’étape de la réponse.",
  table: "Afficher en tableau",
  csv: "CSV",
  csvOf: (title) => `CSV : ${title}`,
  when: "Période",
  until: (at) => `Compté jusqu’au ${at}.`,
  emptyTitle: "Pas encore de données",
  empty: "Les nombres apparaissent une seconde après la sollicitation d’un visiteur.",
  chart: (title) => `Graphique : ${title}. Le tableau ci-dessous contient ses nombres.`,
};
