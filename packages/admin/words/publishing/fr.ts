import type { PublishingWords } from "./en.ts";

/** What is said in French of publishing later, elsewhere, in spite of errors, and of its end. */
export const fr: PublishingWords = {
  schedule: {
    button: "Publier plus tard…",
    title: "Programmé",
    lead: "Le projet est publié tel qu’il sera alors, si la personne qui l’a demandé en a encore le droit.",
    dialog: "Publier plus tard",
    text: "Le projet est publié tel qu’il sera alors, et non tel qu’il est maintenant. D’ici là, rien ne change en ligne.",
    when: "Quand",
    zone: (zone) => `Dans votre fuseau horaire, ${zone} ; d’ici un an.`,
    wrong: "Il faut un moment à venir, d’ici un an.",
    submit: "Programmer",
    done: (at) => `Publication prévue le ${at}.`,
    on: (at) => `prévu le ${at}`,
    cancel: "Annuler la publication",
    cancelTitle: "Annuler cette publication ?",
    cancelText: (at) => `Rien ne sera publié le ${at}. Vous pourrez la programmer de nouveau.`,
    cancelled: "La publication est annulée.",
  },
  force: {
    reason: "Pourquoi passer outre les erreurs",
    reasonHint: "C’est conservé avec la version et dans le journal d’audit.",
    overridden: (errors) =>
      errors === 1 ? "On a passé outre 1 erreur :" : `On a passé outre ${errors} erreurs :`,
  },
  staging: {
    name: "préproduction",
    title: "Préproduction",
    lead: "Une publication à regarder sur une page à vous avant que les visiteurs ne la voient. Les erreurs du contrôle ne l’arrêtent pas.",
    shows: (version) => `On y voit la version ${version}, publiée`,
    snippet: "Extrait de code pour la préproduction",
    open: "Qui connaît l’identifiant du projet peut la lire : n’y mettez rien qui soit secret jusqu’à la mise en ligne.",
    button: "Publier en préproduction",
    done: (version) => `La version ${version} est en préproduction.`,
  },
  unpublish: {
    title: "Dépublier",
    lead: "Plus rien n’est demandé aux visiteurs, en quelques secondes. Les preuves et les versions passées restent.",
    button: "Dépublier",
    dialog: (title) => `Dépublier ${title} ?`,
    text: "Le bandeau et les cases disparaissent du site, et ce qui est programmé est annulé. Une nouvelle publication les ramène.",
    confirm: "Saisissez le titre du projet pour confirmer",
    wrong: "C’est un autre titre.",
    done: "Le projet est dépublié.",
  },
};
