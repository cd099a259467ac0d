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
  variants: {
    title: "Test A/B",
    lead: "Les visiteurs voient l’un des deux bandeaux au hasard. Plus d’acceptations n’est pas un progrès en soi : les deux bandeaux doivent rester loyaux.",
    variant: "Bandeau",
    accepting: "Accepté, même en partie",
    rate: "% des affichages",
    tooFew:
      "Trop peu d’affichages et de réponses pour comparer : il faut, pour chaque bandeau, au moins dix affichages acceptés et dix qui ne le sont pas.",
    differs: (name, difference, interval, p) =>
      `« ${name} » diffère de ${difference} points (intervalle à 95 % : ${interval} ; p ${p}). Si les deux étaient égaux, moins d’un test sur vingt donnerait ce résultat. Décidez une seule fois, à une date fixée d’avance : regarder chaque jour fait trouver des différences dues au hasard. Chaque affichage à une même personne compte.`,
    chance: (difference, interval, p) =>
      `Pas de différence au-delà du hasard pour l’instant : ${difference} points (intervalle à 95 % : ${interval} ; p ${p}). Une différence réelle hors de cet intervalle est improbable.`,
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
