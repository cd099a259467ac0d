import type { TrailWords } from "./en.ts";

export const fr: TrailWords = {
  audit: {
    title: "Journal d’audit",
    lead: "Toutes les actions, avec leur utilisateur, leur date et leur réseau. Les entrées ne peuvent être ni modifiées ni supprimées.",
    event: "Événement",
    eventHint: "Par exemple project.updated ; vide pour tous.",
    from: "Du",
    to: "Au",
    search: "Rechercher",
    when: "Date",
    who: "Utilisateur",
    what: "Action",
    where: "Réseau",
    details: "Détails",
    service: "le service",
    somebody: "Quelqu’un",
    empty: "Aucune entrée ne correspond à votre recherche.",
    download: "Télécharger (CSV)",
  },
  log: {
    title: "Journal de transparence",
    lead: "Chaque réponse et chaque publication est inscrite dans ce journal. Il est public et ne contient aucune donnée personnelle.",
    none: "Le journal est encore vide. Il commence avec la première réponse ou publication.",
    latest: "Dernier point de contrôle",
    latestLead: "Le journal signe son nom, le nombre de ses entrées et l’empreinte de toutes.",
    name: "Nom",
    size: "Entrées",
    root: "Racine",
    signature: "Signature",
    signed: (names) => `valide : ${names}`,
    unsigned: "non valide",
    note: "Texte signé",
    keys: "Clés",
    keysLead:
      "Les preuves sont vérifiées avec ces clés. Transmettez-les par un autre canal que cette page.",
    ofLog: "Le journal",
    ofWitness: "Témoin",
    key: "Clé",
    consistency: "Cohérence",
    consistencyLead:
      "Votre navigateur calcule si l’arbre actuel contient la totalité d’un arbre plus ancien.",
    check: "Vérifier maintenant",
    checking: "Vérification…",
    met: (at) =>
      `Ce navigateur connaît le journal depuis le ${at} et conserve le dernier arbre vérifié.`,
    first:
      "Ce navigateur découvre le journal. Il garde ses clés et cet arbre, et s’en sert désormais pour comparer.",
    holds: (from, to) =>
      `L’arbre de ${to} entrées contient la totalité de l’arbre de ${from} entrées : rien n’a été modifié ni supprimé.`,
    same: (size) => `L’arbre de ${size} entrées est celui qui a été vérifié en dernier.`,
    broken: "Le journal a été réécrit : l’arbre actuel ne contient pas l’arbre conservé.",
    strange:
      "Le point de contrôle n’est signé par aucune clé connue de ce navigateur. Il vient d’un autre journal, ou la clé du journal a changé.",
    older: "Comparer avec un point de contrôle plus ancien",
    olderHint: "Collez son texte signé. Sinon, celui que ce navigateur a conservé est utilisé.",
    bad: "Ce n’est pas un point de contrôle de ce journal.",
    forget: "Faire confiance au nouveau journal",
    forgetHint: "Seulement si vous savez que sa clé a changé.",
  },
};
