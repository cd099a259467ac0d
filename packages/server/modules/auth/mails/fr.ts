import type { FactorLetter, Letter, MailWords, MailText } from "./letters.ts";
import { toWeekTable } from "./week.ts";

const roles = {
  owner: "en tant que propriétaire",
  editor: "en tant qu’éditeur",
  viewer: "en tant que lecteur",
  auditor: "en tant qu’auditeur",
} as const;

export const fr: MailWords = {
  orCopy: "Si le bouton ne fonctionne pas, ouvrez cette adresse :",
  colon: "\u00a0:",
  footer: (publicUrl) => `Envoyé par Avow, ${publicUrl}`,
  brandFooter: ({ name, supportEmail }, publicUrl) =>
    `Envoyé pour ${name} par le service ${publicUrl}.${supportEmail === undefined ? "" : ` Questions : ${supportEmail}`}`,
  toWords,
};

function toWords(letter: Letter): MailText {
  switch (letter.kind) {
    case "reset":
      return {
        subject: "Choisissez un nouveau mot de passe",
        lines: ["Un nouveau mot de passe a été demandé pour votre compte."],
        button: { label: "Choisir un mot de passe", url: letter.url },
        notes: [
          `Le lien fonctionne une seule fois, pendant ${toTime(letter.minutes)}. Choisir un nouveau mot de passe met fin à toutes les sessions et révoque toutes les clés d’API.`,
          "Si vous n’êtes pas à l’origine de cette demande, ignorez ce message. Votre mot de passe reste inchangé.",
        ],
      };
    case "validate":
      return toValidationWords(letter.url);
    case "password-changed":
      return toPasswordWords(letter.removed ?? []);
    case "identity-added":
      return {
        subject: "Un moyen de connexion a été ajouté",
        lines: [
          `Vous pouvez maintenant vous connecter à votre compte avec ${letter.provider}.`,
          "Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe maintenant : cela retire ce moyen de connexion, met fin à toutes les sessions et révoque toutes les clés d’API.",
        ],
        notes: [],
      };
    case "identity-removed":
      return toRemovedWords(letter.provider);
    case "key-made":
      return toKeyWords(letter);
    case "webhook-disabled":
      return {
        subject: `Un webhook vers ${letter.host} a été désactivé`,
        lines: [
          letter.because === "gone"
            ? `${letter.host} a répondu 410 (Gone) : le webhook ${letter.webhookId} a été désactivé.`
            : `Tous les envois à ${letter.host} ont échoué pendant cinq jours : le webhook ${letter.webhookId} a été désactivé.`,
          "Il ne reçoit plus d’événements. Les événements en attente sont conservés pendant 30 jours.",
        ],
        notes: [
          `Quand le destinataire fonctionne de nouveau, réactivez le webhook : PATCH /v1/webhooks/${letter.webhookId} avec {"enabled": true}. Les événements en attente sont alors envoyés. Les événements suivants peuvent être rejoués.`,
          "Vous recevez ce message parce que vous avez créé ce webhook, ou que vous êtes propriétaire de son organisation ou de son projet.",
        ],
      };
    case "scan-changed":
      return {
        subject: `Du nouveau a été trouvé sur ${letter.host}`,
        lines: [
          `Une analyse du site du projet « ${letter.title} » a trouvé ce que la précédente n’avait pas trouvé :`,
          ...letter.news.map((one) => `– ${one}`),
        ],
        button: { label: "Ouvrir l’analyse", url: letter.url },
        notes: [
          "Déclarez comme prestataire ce qui est nécessaire, et retirez le reste du site.",
          "Vous recevez ce message parce que vous êtes propriétaire ou éditeur du projet, dont les réglages demandent des analyses.",
        ],
      };
    case "snippet":
      return {
        subject: `Ajouter le bandeau cookies à ${letter.host}`,
        lines: [
          `${letter.sender} vous demande d’ajouter le bandeau cookies du projet « ${letter.title} » à ${letter.host}. Collez ceci au début du <head> de chaque page, avant toute autre balise :`,
          ...letter.snippet.split("\n"),
          `Avec Google Tag Manager, WordPress, Next.js, Nuxt ou React Native, utilisez plutôt l’intégration. Elle demande l’adresse du service et le projet : ${letter.serviceUrl} et ${letter.projectId}.`,
        ],
        notes: [
          "Ce code ne contient aucun secret. Le bandeau apparaît dès qu’une page qui le contient est ouverte.",
          `Vous recevez ce message parce qu’un utilisateur de ${letter.serviceUrl} a saisi votre adresse. Si vous ne le connaissez pas, ignorez-le.`,
        ],
      };
    case "notifications":
      return toNotificationWords(letter);
    case "weekly":
      return toWeeklyWords(letter);
    case "account-deleted":
      return {
        subject: "Votre compte a été supprimé",
        lines: [
          "Votre compte a été supprimé à votre demande, avec votre nom, vos moyens de connexion, vos clés d’API et vos rôles.",
          "Vos actions restent dans les journaux d’audit d’autres utilisateurs sous un numéro anonyme. Ceci est notre dernier message.",
        ],
        notes: [
          "Si ce n’était pas vous, contactez l’exploitant du service. Le compte ne peut pas être rétabli. Les projets et organisations partagés existent toujours, et leurs propriétaires peuvent vous inviter de nouveau.",
        ],
      };
    case "invitation":
      return toInvitationWords(letter);
    case "added":
      return toAddedWords(letter);
    case "project-offered":
      return {
        subject: "Un projet vous est proposé",
        lines: [
          `Une personne du nom de « ${letter.offerer} » vous propose le projet « ${letter.title} », avec sa configuration, ses consentements et ses preuves.`,
          "Pour l’accepter dans une de vos organisations, connectez-vous ou créez un compte avec cette adresse e-mail, et confirmez-la. Les membres actuels du projet perdent leur accès.",
        ],
        button: { label: "Examiner la proposition", url: letter.url },
        notes: [
          "Le lien fonctionne une seule fois, pendant sept jours. Vous pouvez y refuser la proposition.",
          "Cette personne a choisi les noms entre guillemets. Si vous ne la connaissez pas, ignorez cet e-mail.",
        ],
      };
    default:
      return toFactorWords(letter);
  }
}

function toNotificationWords({
  isDigest,
  lines,
  more,
  url,
  unsubscribeUrl,
}: Letter & { kind: "notifications" }): MailText {
  const [first = ""] = lines;
  return {
    subject: isDigest ? "Vos notifications du jour" : first,
    lines: isDigest
      ? [...lines.map((line) => `– ${line}`), ...(more > 0 ? [`Et ${more} autres.`] : [])]
      : [`${first}.`],
    button: { label: isDigest ? "Ouvrir les notifications" : "Ouvrir", url },
    notes: [
      "Vous recevez cet e-mail en raison de votre rôle, et de vos choix dans votre compte, où vous pouvez les modifier.",
    ],
    link: {
      label: isDigest ? "Ne plus recevoir l’e-mail quotidien" : "Ne plus recevoir ces e-mails",
      url: unsubscribeUrl,
    },
  };
}

function toWeeklyWords({
  from,
  to,
  timeZone,
  projects,
  more,
  url,
  unsubscribeUrl,
}: Letter & { kind: "weekly" }): MailText {
  return {
    subject: `Votre semaine : du ${from} au ${to}`,
    lines: [
      `Les consentements de la semaine du lundi ${from} au dimanche ${to}, par jours du fuseau horaire ${timeZone}, comparés à la semaine précédente.`,
    ],
    tables: projects.map((project) =>
      toWeekTable(project, {
        locale: "fr",
        head: ["Jour", "Affichés", "Réponses", "Acceptés", "Refusés"],
        total: "Semaine",
        before: "Avant",
        change: "Évolution",
        facts: ({ publications, news }) => [
          `${publications} ${publications > 1 ? "publications" : "publication"}, ${news} ${news > 1 ? "nouveaux services ou cookies trouvés" : "nouveau service ou cookie trouvé"} par les analyses.`,
        ],
      }),
    ),
    button: { label: "Ouvrir les statistiques", url },
    notes: [
      ...(more > 0 ? [`${more} autres projets sont dans les statistiques.`] : []),
      "Les réponses comprennent les visiteurs qui ont accepté en partie.",
      "Vous recevez cet e-mail parce que vous l’avez demandé dans votre compte.",
    ],
    link: { label: "Ne plus recevoir l’e-mail hebdomadaire", url: unsubscribeUrl },
  };
}

/** The inviter chose the names, so they appear only in the body, in quotation marks. */
function toInvitationWords({
  url,
  inviter,
  title,
  role,
  isBound,
}: Letter & { kind: "invitation" }): MailText {
  return {
    subject: "Vous êtes invité à collaborer",
    lines: [
      `Une personne du nom de « ${inviter} » vous invite à travailler sur « ${title} », ${roles[role]}.`,
      isBound
        ? "Pour accepter, connectez-vous ou créez un compte avec cette adresse e-mail, et confirmez-la. Personne d’autre ne peut accepter."
        : "Pour accepter, connectez-vous ou créez un compte.",
    ],
    button: { label: "Accepter l’invitation", url },
    notes: [
      "Le lien fonctionne une seule fois, pendant sept jours.",
      "Cette personne a choisi les noms entre guillemets. Si vous ne la connaissez pas, ignorez ce message.",
    ],
  };
}

function toAddedWords({
  url,
  adder,
  title,
  role,
  isDisclosed,
}: Letter & { kind: "added" }): MailText {
  return {
    subject: "Vous avez été ajouté à une équipe",
    lines: [
      `Une personne du nom de « ${adder} » vous a ajouté à « ${title} », ${roles[role]}.`,
      ...(isDisclosed
        ? []
        : [
            "Les membres de l’équipe ne voient ni votre nom ni votre adresse e-mail tant que vous ne l’ouvrez pas.",
          ]),
    ],
    button: { label: "Ouvrir ou quitter", url },
    notes: [
      "Cette personne a choisi les noms entre guillemets. Si vous ne la connaissez pas, quittez l’équipe.",
    ],
  };
}

function toValidationWords(url: string): MailText {
  return {
    subject: "Confirmez votre adresse e-mail",
    lines: ["Un compte a été créé avec cette adresse. Merci de confirmer qu’elle est la vôtre."],
    button: { label: "Confirmer l’adresse", url },
    notes: [
      "Le lien fonctionne pendant un jour.",
      "Si vous n’avez pas créé de compte, ne confirmez pas : quelqu’un d’autre a saisi votre adresse. Pour supprimer ce compte, réinitialisez son mot de passe avec cette adresse, ce qui en déconnecte toute autre personne, puis supprimez-le. Si cela ne suffit pas, contactez l’exploitant du service.",
    ],
  };
}

function toTime(minutes = 60): string {
  return minutes === 60 ? "une heure" : `${minutes} minute${minutes > 1 ? "s" : ""}`;
}

function toPasswordWords(removed: string[]): MailText {
  return {
    subject: "Votre mot de passe a été changé",
    lines: [
      "Le mot de passe de votre compte a été changé. Toutes les autres sessions ont pris fin et toutes les clés d’API ont été révoquées.",
      "Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe maintenant et contactez l’exploitant du service.",
      ...(removed.length
        ? [
            `Ces moyens de connexion ont été retirés, car le lien de réinitialisation ne prouve pas qu’ils sont à vous : ${removed.join(", ")}. Vous pouvez ajouter les vôtres de nouveau.`,
          ]
        : []),
    ],
    notes: [],
  };
}

function toRemovedWords(provider: string): MailText {
  return {
    subject: "Un moyen de connexion a été retiré",
    lines: [
      provider === "local"
        ? "Vous ne pouvez plus vous connecter à votre compte avec son mot de passe."
        : `Vous ne pouvez plus vous connecter à votre compte avec ${provider}.`,
      "Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe maintenant : cela met fin à toutes les sessions, révoque toutes les clés d’API et retire les moyens de connexion que quelqu’un d’autre a pu ajouter.",
    ],
    notes: [],
  };
}

function toKeyWords({ label, scopes }: { label: string; scopes: readonly string[] }): MailText {
  return {
    subject: "Une clé d’API a été créée",
    lines: [
      `La clé d’API « ${label} » a été créée pour votre compte. Elle a vos droits, dans la limite de ces autorisations : ${scopes.join(", ")}.`,
      "Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe maintenant : cela révoque toutes les clés d’API et met fin à toutes les sessions.",
    ],
    notes: [],
  };
}

const notYou =
  "Sinon, quelqu’un d’autre a peut-être accès à votre compte. Réinitialisez votre mot de passe maintenant, ce qui met fin à toutes les sessions et révoque toutes les clés d’API, et contactez l’exploitant du service.";

function toFactorWords(letter: FactorLetter): MailText {
  const { subject, text } = toTexts(letter);
  return {
    subject,
    lines: [text, `Si vous êtes à l’origine de cette action, vous n’avez rien à faire. ${notYou}`],
    notes: [],
  };
}

function toTexts(letter: FactorLetter): { subject: string; text: string } {
  switch (letter.kind) {
    case "factor-added":
      return {
        subject: "Un second facteur a été ajouté",
        text: "Désormais, la connexion à votre compte demande un code de votre application d’authentification. Gardez les codes de secours dans un endroit accessible sans l’application.",
      };
    case "factor-removed":
      return {
        subject: "Votre second facteur a été retiré",
        text:
          letter.by === "operator"
            ? "L’exploitant du service a retiré le second facteur de votre compte. La connexion ne demande plus de code. Vous pouvez ajouter un nouveau second facteur."
            : "Le second facteur de votre compte a été retiré, avec ses codes de secours. La connexion ne demande plus de code.",
      };
    case "recovery-codes-made":
      return {
        subject: "De nouveaux codes de secours ont été créés",
        text: "De nouveaux codes de secours ont été créés pour votre compte. Les précédents ne fonctionnent plus.",
      };
    default:
      return {
        subject: "Un code de secours a été utilisé",
        text: `Un code de secours a été utilisé à la place d’un code de votre application d’authentification. Il ne fonctionne plus ; ${toLeft(letter.left)}`,
      };
  }
}

function toLeft(left: number): string {
  if (left === 0) return "il n’en reste aucun. Créez-en d’autres sur la page de votre compte.";
  return left === 1
    ? "il en reste un. Créez-en d’autres sur la page de votre compte."
    : `il en reste ${left}.`;
}
