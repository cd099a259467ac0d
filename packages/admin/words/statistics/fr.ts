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
    dates: "Choisir les dates…",
  },
  from: "Du",
  to: "Au",
  timeZone: "Fuseau horaire",
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
  views: {
    label: "Question",
    agree: "Combien acceptent ?",
    funnel: "Où les perd-on ?",
    change: "La publication a-t-elle eu un effet ?",
    sites: "Et les autres sites ?",
  },
  agreeingOfDisplays: "des réponses aux affichages acceptent tout.",
  agreeing: "des réponses acceptent tout.",
  unfinished: { day: "Aujourd’hui, pas encore terminé", hour: "Cette heure, pas encore terminée" },
  zone: (name) => `Les jours sont ceux du fuseau horaire ${name}.`,
  shares: "Parts",
  funnel: {
    title: "De l’affichage à l’acceptation",
    lead: "Les réponses aux affichages comptés. Un visiteur qui quitte la page sans répondre est sollicité de nouveau.",
    answered: "Avec réponse",
    accepted: "Tout accepté",
    of: (share) => `${share} des affichages`,
    vendors: "Réponses par partenaire",
    vendorsLead: "Chaque réponse compte une fois pour chaque partenaire qu’elle concerne.",
  },
  change: {
    noneTitle: "Rien n’est encore publié",
    none: "Après une publication, son effet sur les réponses apparaît ici.",
    version: "Publication",
    published: (version, at) => `Version ${version}, ${at}`,
    title: (version) => `Avant et après la version ${version}`,
    lead: "Deux fenêtres égales de sept jours au plus, sans autre publication. Les jours de la semaine et les campagnes jouent aussi : une différence dans le temps ne prouve pas sa cause.",
    window: "Fenêtre",
    before: "Avant",
    after: "Après",
    answered: "Avec réponse, % des affichages",
    accepting: "Acceptation",
    noWindow:
      "Il n’y a encore rien à comparer. Les périodes comptent des quarts d’heure entiers et s’arrêtent à une autre publication. Revenez dans une demi-heure ou choisissez une autre publication.",
    answering: "Taux de réponse",
    tooFew: (name, min) =>
      `${name} : trop peu pour comparer. Il faut, dans chaque fenêtre, au moins ${min} cas et ${min} autres.`,
    differs: (name, difference, interval) =>
      `${name} : ${difference} points (intervalle à 95 % : ${interval}).`,
    chance: (name, difference, interval) =>
      `${name} : pas de changement au-delà du hasard, ${difference} points (intervalle à 95 % : ${interval}).`,
  },
  sites: {
    title: "Vos sites",
    lead: "Les sites posent d’autres questions à d’autres visiteurs : comparez d’abord un site à son propre passé.",
    site: "Site",
    answers: "Réponses",
    change: "Évolution, points",
    period: (from, to) =>
      `Jours entiers (UTC) du ${from} au ${to}, comparés à autant de jours auparavant.`,
    partial: "Seuls les 200 sites les plus anciens sont comparés.",
  },
  noGroup: "Rien n’est compté par ce groupe pendant cette période.",
  groupHints: {
    step: "Un affichage compte pour l’étape sur laquelle le bandeau s’est ouvert, quelle que soit l’étape de la réponse.",
    region:
      "Réponses par pays et par jour (UTC). Les affichages ne sont pas comptés par pays. Les pays avec moins de cinq réponses sont regroupés.",
    page: "Réponses par page et par jour (UTC), sans paramètres ; les nombres et autres parties identifiantes d’un chemin sont remplacés par *. Les pages avec moins de cinq réponses sont regroupées.",
  },
  overTime: "Dans le temps",
  measures: { label: "Mesure", counts: "Nombres", shares: "Taux d’acceptation" },
  groups: {
    label: "Groupe",
    configuration: "Par configuration",
    step: "Par étape",
    language: "Par langue",
    device: "Par appareil",
    region: "Par pays",
    page: "Par page",
    vendor: "Partenaire",
  },
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
  table: "Afficher en tableau",
  csv: "CSV",
  csvOf: (title) => `CSV : ${title}`,
  when: "Période",
  until: (at) => `Compté jusqu’au ${at}.`,
  none: {
    title: "Pas encore de données",
    text: "Les nombres apparaissent une seconde après la sollicitation d’un visiteur.",
  },
  noneInPeriod: {
    title: "Rien sur cette période",
    text: "Aucun visiteur n’a été sollicité ces jours-là. Choisissez d’autres dates.",
  },
  chart: (title) => `Graphique : ${title}. Le tableau ci-dessous contient ses nombres.`,
};
