import type { TrailWords } from "./en.ts";

export const fr: TrailWords = {
  audit: {
    title: "Journal d’audit",
    lead: "Qui a fait quoi, quand et d’où. Rien ne peut y être changé ni retiré.",
    event: "Événement",
    eventHint: "Comme project.updated ; vide pour tous.",
    from: "Du",
    to: "Au",
    search: "Chercher",
    when: "Quand",
    who: "Qui",
    what: "Quoi",
    where: "D’où",
    details: "Détails",
    service: "le service",
    emptyTitle: "Rien n’a été trouvé",
    empty: "Rien ne correspond.",
    download: "Télécharger (CSV)",
  },
  log: {
    title: "Journal de transparence",
    lead: "Chaque réponse et chaque publication y a sa place. Il est public et ne contient rien de personnel.",
    none: "Le journal est encore vide. Il commence avec la première réponse ou publication.",
    latest: "Dernier point de contrôle",
    latestLead:
      "Ce que le journal signe : son nom, le nombre de ses entrées et l’empreinte de toutes.",
    name: "Nom",
    size: "Entrées",
    root: "Racine",
    signature: "Signature",
    signed: (names) => `juste : ${names}`,
    unsigned: "fausse",
    note: "Tel qu’il est signé",
    keys: "Clés",
    keysLead:
      "Elles servent à vérifier les preuves. Donnez-les à qui veut vérifier, par une autre voie que cette page.",
    ofLog: "Le journal",
    ofWitness: "Témoin",
    key: "Clé",
    consistency: "Quelque chose a-t-il été réécrit ?",
    consistencyLead:
      "Votre navigateur calcule lui-même que l’arbre actuel commence par la totalité d’un plus ancien.",
    check: "Vérifier maintenant",
    checking: "Vérification…",
    met: (at) => `Ce navigateur connaît le journal depuis le ${at}, et le dernier arbre vérifié.`,
    first:
      "Ce navigateur vient de découvrir le journal. Il garde ses clés et cet arbre, et compare désormais.",
    holds: (from, to) =>
      `L’arbre de ${to} entrées commence par la totalité de celui de ${from} : rien n’a été changé ni retiré.`,
    same: (size) => `L’arbre de ${size} entrées est celui-là même qui a été vérifié en dernier.`,
    broken: "Le journal a été réécrit : l’arbre actuel ne commence pas par celui qui était gardé.",
    strange:
      "Le point de contrôle n’est signé par aucune clé que ce navigateur connaît : c’est un autre journal, ou sa clé a changé.",
    older: "Un point de contrôle plus ancien que vous avez gardé",
    olderHint: "Collez le texte signé ; sinon, celui que ce navigateur a gardé est pris.",
    bad: "Ce n’est pas un point de contrôle de ce journal.",
    forget: "Découvrir le journal à nouveau",
    forgetHint: "Seulement si vous savez que sa clé a changé.",
  },
};
