import type { FactorLetter, Letter, MailWords, MailText } from "./letters.ts";

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
          `Le lien fonctionne une seule fois, pendant ${toTime(letter.minutes)}. Choisir un mot de passe met fin à toutes les sessions ouvertes et aux clés d’API.`,
          "Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.",
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
          `On peut maintenant se connecter à votre compte avec ${letter.provider}.`,
          "Si c’était vous, il n’y a rien à faire. Sinon, demandez un nouveau mot de passe maintenant : cela le retire, et met fin à toutes les sessions et aux clés d’API.",
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
            ? `${letter.host} a répondu qu’il n’y a plus personne (410) : le webhook ${letter.webhookId} a été désactivé.`
            : `Rien de ce qui a été envoyé à ${letter.host} en cinq jours n’a été accepté : le webhook ${letter.webhookId} a été désactivé.`,
          "Ce qui se passe n’y est plus annoncé. Ce qui attendait est conservé pendant trente jours.",
        ],
        notes: [
          `Quand le destinataire fonctionne de nouveau, réactivez-le : PATCH /v1/webhooks/${letter.webhookId} avec {"enabled": true}. Il reprend ce qui attendait ; ce qui s’est passé entre-temps peut être rejoué.`,
          "Vous recevez ce message parce que vous avez créé ce webhook, ou parce que l’organisation ou le projet qu’il concerne est à vous.",
        ],
      };
    case "account-deleted":
      return {
        subject: "Votre compte a été supprimé",
        lines: [
          "Votre compte a été supprimé comme demandé : vos noms, moyens de connexion, clés et rôles n’existent plus.",
          "Ce que vous avez fait reste dans les journaux d’audit sous un numéro qui ne nomme personne. Ceci est le dernier message.",
        ],
        notes: [
          "Si ce n’était pas vous, prévenez la personne qui gère le service. Le compte ne peut pas être rétabli ; ce que d’autres possèdent avec vous est toujours là, et ils peuvent vous inviter de nouveau.",
        ],
      };
    case "invitation":
      return toInvitationWords(letter);
    default:
      return toFactorWords(letter);
  }
}

/** The inviter typed the names: they are in the body alone, and marked as the inviter's words. */
function toInvitationWords({
  url,
  inviter,
  title,
  role,
}: Letter & { kind: "invitation" }): MailText {
  return {
    subject: "Vous êtes invité à collaborer",
    lines: [
      `Une personne qui se présente comme « ${inviter} » vous invite à travailler sur ce qu’elle appelle « ${title} », ${roles[role]}.`,
      "Connectez-vous, ou créez un compte, pour accepter.",
    ],
    button: { label: "Accepter l’invitation", url },
    notes: [
      "Le lien fonctionne une seule fois, pendant sept jours.",
      "Les noms entre guillemets sont ceux que cette personne a écrits. Si vous ne la connaissez pas, ne faites rien.",
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
      "Si vous n’avez pas créé de compte, ne confirmez rien : quelqu’un d’autre a donné votre adresse. Pour mettre fin à son compte, demandez un nouveau mot de passe avec cette adresse, ce qui en déconnecte toute autre personne, puis supprimez-le. Si cela ne suffit pas, prévenez la personne qui gère le service.",
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
      "Le mot de passe de votre compte a été changé, et toutes les autres sessions et clés d’API ont pris fin.",
      "Si c’était vous, il n’y a rien à faire. Sinon, demandez un nouveau mot de passe maintenant et prévenez la personne qui gère le service.",
      ...(removed.length
        ? [
            `Ces moyens de connexion ont été retirés, car le lien reçu ne prouve pas qu’ils sont à vous : ${removed.join(", ")}. Vous pouvez rajouter les vôtres.`,
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
        ? "On ne peut plus se connecter à votre compte avec son mot de passe."
        : `On ne peut plus se connecter à votre compte avec ${provider}.`,
      "Si c’était vous, il n’y a rien à faire. Sinon, demandez un nouveau mot de passe maintenant : cela met fin à toutes les sessions et aux clés d’API, et retire ce que quelqu’un d’autre a pu ajouter.",
    ],
    notes: [],
  };
}

function toKeyWords({ label, scopes }: { label: string; scopes: readonly string[] }): MailText {
  return {
    subject: "Une clé d’API a été créée",
    lines: [
      `Une clé d’API nommée « ${label} » a été créée pour votre compte. Elle peut faire ce que vous pouvez faire, dans la limite de ces autorisations : ${scopes.join(", ")}.`,
      "Si c’était vous, il n’y a rien à faire. Sinon, demandez un nouveau mot de passe maintenant : cela y met fin, ainsi qu’à toutes les sessions et aux autres clés d’API.",
    ],
    notes: [],
  };
}

const notYou =
  "Sinon, quelqu’un d’autre a peut-être accès à votre compte : choisissez un nouveau mot de passe maintenant, ce qui met fin à toutes les sessions et aux clés d’API, et prévenez la personne qui gère le service.";

function toFactorWords(letter: FactorLetter): MailText {
  const { subject, text } = toTexts(letter);
  return { subject, lines: [text, `Si c’était vous, il n’y a rien à faire. ${notYou}`], notes: [] };
}

function toTexts(letter: FactorLetter): { subject: string; text: string } {
  switch (letter.kind) {
    case "factor-added":
      return {
        subject: "Un second facteur a été ajouté",
        text: "Se connecter à votre compte demande désormais un code de votre application d’authentification. Gardez les codes de secours là où vous les trouverez sans elle.",
      };
    case "factor-removed":
      return {
        subject: "Votre second facteur a été retiré",
        text:
          letter.by === "operator"
            ? "La personne qui gère le service a retiré le second facteur de votre compte. La connexion ne demande plus de code ; vous pouvez en ajouter un autre."
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
