import type { TransferWords } from "./en.ts";

export const fr: TransferWords = {
  offer: {
    title: "Transfert",
    lead: "Proposez le projet à une autre organisation. Il change de mains dès qu’elle accepte.",
    button: "Proposer le projet",
    dialogTitle: (title) => `Proposer « ${title} »`,
    to: "Adresse e-mail du nouveau propriétaire, ou identifiant de son organisation",
    toHint:
      "La proposition expire après sept jours. Vous pouvez la retirer tant qu’elle n’est pas acceptée.",
    submit: "Envoyer la proposition",
    sent: "La proposition est envoyée.",
    notMailed:
      "La proposition est faite, mais l’adresse a reçu trop d’e-mails aujourd’hui. Transmettez vous-même ce lien, qui n’est affiché qu’une fois :",
    pending: (to, until) => `Proposé à ${to} jusqu’au ${until}.`,
    organization: (id) => `l’organisation ${id}`,
    revoke: "Retirer la proposition",
    revoked: "La proposition est retirée.",
    wrong: "Indiquez une adresse e-mail ou l’identifiant d’une organisation.",
  },
  effects: {
    moves:
      "Change de mains : la configuration, le bandeau et les formulaires publiés, les consentements et les preuves.",
    copied: "Est copié : les partenaires de l’organisation et les fichiers utilisés par le projet.",
    ends: "Prend fin : l’accès de tous les membres, avec leurs clés d’API, webhooks et invitations ; les groupes ; le lien avec un modèle.",
    stays:
      "Reste à l’ancienne organisation : les entrées antérieures de son journal d’audit, ses partenaires et ses fichiers.",
  },
  accept: {
    title: "Un projet vous est proposé",
    unknownTitle: "Cette proposition n’est pas valide",
    unknown: "Elle a été utilisée, retirée ou refusée, ou elle a expiré. Demandez-en une nouvelle.",
    lead: (offerer, title) => `${offerer} vous propose le projet « ${title} ».`,
    site: "Site",
    until: "Proposé jusqu’au",
    contents: (count) =>
      count === 1 ? "1 bandeau, formulaire ou texte" : `${count} bandeaux, formulaires et textes`,
    copies: ({ vendors, files }) => `${vendors} partenaires et ${files} fichiers sont copiés`,
    members: (count) =>
      count === 1 ? "1 personne perd son accès" : `${count} personnes perdent leur accès`,
    republish:
      "Publiez le projet une fois après le transfert, afin que les visiteurs reçoivent les fichiers copiés.",
    bound: (hint) => `Seul un compte qui a confirmé l’adresse ${hint} peut accepter.`,
    toConfirm: "Confirmez d’abord votre adresse e-mail.",
    account: "Ouvrir votre compte",
    as: (name) => `Vous êtes connecté en tant que ${name}.`,
    organization: "Organisation qui le reçoit",
    into: (name) => `Il va à l’organisation « ${name} ».`,
    create: "Une nouvelle organisation",
    name: "Nom de la nouvelle organisation",
    submit: "Accepter le projet",
    accepted: "Le projet est à vous.",
    decline: "Refuser",
    declined: "La proposition est refusée.",
    signIn: "Se connecter",
    signUp: "Créer un compte",
    hasAccount: "J’ai un compte",
    noAccount: "Je n’ai pas de compte",
  },
  offered: {
    title: "Proposés",
    lead: "Des projets que d’autres souhaitent vous remettre.",
    review: (title) => `Examiner « ${title} »`,
    by: (name) => `par ${name}`,
  },
};
