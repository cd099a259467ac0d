import type { PublishingWords } from "./en.ts";

export const fr: PublishingWords = {
  schedule: {
    button: "Publier plus tard…",
    title: "Programmé",
    lead: "Le projet est publié tel qu’il sera à ce moment-là, si la personne qui l’a programmé en a encore le droit.",
    dialog: "Publier plus tard",
    text: "Le projet est publié tel qu’il sera à ce moment-là, et non tel qu’il est maintenant. D’ici là, rien ne change en ligne.",
    when: "Quand",
    zone: (zone) => `Dans votre fuseau horaire, ${zone}. Au plus un an à l’avance.`,
    wrong: "Choisissez un moment à venir, au plus un an à l’avance.",
    submit: "Programmer",
    done: (at) => `Publication prévue le ${at}.`,
    on: (at) => `prévu le ${at}`,
    cancel: "Annuler la publication",
    cancelTitle: "Annuler cette publication ?",
    cancelText: (at) => `Rien ne sera publié le ${at}. Vous pourrez la programmer de nouveau.`,
    cancelled: "La publication est annulée.",
  },
  force: {
    reason: "Motif pour ignorer les erreurs",
    reasonHint: "Le motif est conservé avec la version et dans le journal d’audit.",
    overridden: (errors) =>
      errors === 1 ? "1 erreur a été ignorée :" : `${errors} erreurs ont été ignorées :`,
  },
  staging: {
    name: "préproduction",
    title: "Préproduction",
    lead: "Publiez sur une page à vous, et vérifiez le résultat avant que les visiteurs ne le voient. Les erreurs du contrôle ne bloquent pas la publication.",
    shows: (version) => `La version ${version} est en préproduction, publiée`,
    snippet: "Extrait de code pour la préproduction",
    open: "Toute personne qui connaît l’identifiant du projet peut la lire. N’y mettez rien qui doive rester secret jusqu’à la mise en ligne.",
    button: "Publier en préproduction",
    done: (version) => `La version ${version} est en préproduction.`,
  },
  unpublish: {
    title: "Dépublier",
    lead: "En quelques secondes, plus rien n’est demandé aux visiteurs. Les preuves et les versions précédentes sont conservées.",
    button: "Dépublier",
    dialog: (title) => `Dépublier ${title} ?`,
    text: "Le bandeau et les formulaires disparaissent du site, et les publications programmées sont annulées. Publiez à nouveau pour les rétablir.",
    confirm: "Saisissez le titre du projet pour confirmer",
    wrong: "Le titre ne correspond pas.",
    done: "Le projet est dépublié.",
  },
};
