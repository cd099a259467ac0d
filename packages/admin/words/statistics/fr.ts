import type { StatisticsWords } from "./en.ts";

export const fr: StatisticsWords = {
  title: "Statistiques",
  lead: "Combien de fois les visiteurs ont été interrogés, et ce qu’ils ont répondu. Les affichages sont comptés sans aucun identifiant : c’est une estimation.",
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
  measure: "Ce qui est tracé",
  devices: {
    desktop: "Ordinateur",
    phone: "Téléphone",
    mobile: "Téléphone",
    tablet: "Tablette",
    other: "Autre",
  },
  unknown: "inconnu",
  box: "case",
  others: "autres",
  all: "Tout",
  rate: "Acceptées, % des réponses",
  undisplayed: (count, isAll) =>
    isAll
      ? `Rien n’a été affiché : les ${count} réponses viennent de programmes, ou de pages et formulaires qui n’ont pas demandé de ticket d’affichage.`
      : `${count} des réponses sont venues sans affichage : de programmes, ou de pages et formulaires qui n’ont pas demandé de ticket d’affichage. Elles comptent parmi les réponses, non parmi les affichages.`,
  changes:
    "Ce que les personnes changent sur leur propre page ne compte pas comme une nouvelle réponse.",
  byStep:
    "Un affichage compte pour l’étape sur laquelle le bandeau s’est ouvert, quelle que soit celle où l’on a répondu.",
  table: "En tableau",
  csv: "CSV",
  csvOf: (title) => `CSV : ${title}`,
  when: "Période",
  until: (at) => `Compté jusqu’au ${at}.`,
  emptyTitle: "Rien n’a encore été affiché",
  empty: "Les nombres viennent d’eux-mêmes, une seconde après qu’un visiteur a été interrogé.",
  chart: (title) => `Graphique : ${title}. Le tableau ci-dessous contient ses nombres.`,
};
